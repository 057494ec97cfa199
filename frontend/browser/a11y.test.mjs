// Every sample of the gallery, light and dark, wide and narrow: axe finds nothing,
// nothing sticks out sideways, no exception, no violation of the policy. It takes as long
// as all other files together, so its name lets it start first.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { axe, openBrowser, startGallery } from "./browser.mjs";

// Most of the time a page waits for its next frame, so several are looked at at once.
const atOnce = 3;

let gallery, browsers;

before(async () => {
  gallery = await startGallery();
  browsers = await Promise.all(Array.from({ length: atOnce }, () => openBrowser()));
});

after(async () => {
  await Promise.all((browsers ?? []).map((browser) => browser.close()));
  await gallery?.stop();
});

const widths = [[1280, 800], [900, 800], [640, 400], [360, 740]];

test("samples", { concurrency: atOnce }, async (t) => {
  const index = await gallery.text("/");
  const names = [...index.matchAll(/href="\/sample\/([^"?]+)"/g)].map((m) => m[1]);
  assert.ok(names.length > 5, `the gallery lists ${names.length} samples`);
  await Promise.all(browsers.map(async ({ page }) => {
    for (let name; (name = names.shift());) {
      if (!(await gallery.text(`/sample/${name}`)).startsWith("<!doctype html>")) continue; // a fragment
      await t.test(name, () => looksRight(page, name));
    }
  }));
});

async function looksRight(page, name) {
  page.faults.length = 0;
  for (const colorScheme of ["light", "dark"]) {
    // The scheme changes colours alone, so the dark one is looked at for those.
    const dark = colorScheme === "dark";
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.goto(`${gallery.address}/sample/${name}`);
    for (const [width, height] of dark ? [widths[0], widths[3]] : widths) {
      await page.setViewportSize({ width, height });
      // A resize takes a frame or two to reach the layout.
      await page.waitForFunction(() => document.documentElement.scrollWidth <= innerWidth, null, { timeout: 2000 })
        .catch(() => assert.fail(`${colorScheme}, ${width} px: something sticks out sideways`));
      assert.deepEqual(await page.evaluate(squeezed), [], `${colorScheme}, ${width} px: text stands letter by letter`);
      if (width === 1280 || width === 360) {
        // As tall as the page: what lies half under the foot counts as too small, and
        // a person would scroll.
        await page.evaluate(() => document.fonts.ready);
        for (let tall = height; ;) {
          tall = Math.max(tall, await page.evaluate(() => document.documentElement.scrollHeight));
          await page.setViewportSize({ width, height: tall });
          await page.waitForFunction((tall) => innerHeight >= tall, tall, { timeout: 2000 });
          await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
          if (await page.evaluate(() => document.documentElement.scrollHeight <= innerHeight)) break;
        }
        assert.deepEqual(await axe(page, dark), [], `${colorScheme}, ${width} px`);
      }
    }
  }
  assert.deepEqual(page.faults, []);
}

// squeezed lists texts that stand in a column of a letter or two.
function squeezed() {
  const out = [];
  for (const e of document.querySelectorAll("main *")) {
    const text = [...e.childNodes].filter((n) => n.nodeType === Node.TEXT_NODE).map((n) => n.data.trim()).join(" ");
    const line = parseFloat(getComputedStyle(e).fontSize);
    if (text.length > 12 && e.clientWidth < 3 * line && e.clientHeight > 5 * line) out.push(text);
  }
  return out;
}
