// The pictures of README, made from the real pages. Where one is no longer what the
// page shows, the test says so; PICTURES_NEW=1 makes them anew.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { House, sample } from "./house.mjs";

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
const named = new Set([...readme.matchAll(/\(build\/pictures\/([\w-]+)\.png\)/g)].map((m) => m[1]));
const made = new Set();

let house, page;
before(async () => {
  house = await House.open({ testClock: false });
  page = await house.visit({ width: 1240, height: 900 });
});
after(() => house.close());

// keep holds a page against its picture. Letters are drawn a little differently from
// one machine to another, and addresses have chance ports; a page that was changed
// differs by more than that.
async function keep(name) {
  made.add(name);
  const file = new URL(`../../build/pictures/${name}.png`, import.meta.url);
  const shot = await page.screenshot({ animations: "disabled", caret: "hide" });
  if (process.env.PICTURES_NEW) return writeFileSync(file, shot);
  const blank = await page.context().browser().newPage();
  const share = await blank.evaluate(differing, [shot, readFileSync(file)].map((b) => b.toString("base64")));
  await blank.close();
  assert.ok(share < 0.02, `${name}.png: ${(100 * share).toFixed(1)} % is different. PICTURES_NEW=1 node --test pictures.test.mjs makes it anew.`);
}

// differing returns the share of points that are clearly different, 1 where the sizes are.
async function differing(two) {
  const [a, b] = await Promise.all(two.map(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
    canvas.drawImage(image, 0, 0);
    return canvas.getImageData(0, 0, image.width, image.height);
  }));
  if (a.width !== b.width || a.height !== b.height) return 1;
  let n = 0;
  for (let i = 0; i < a.data.length; i += 4) {
    if ([0, 1, 2].some((c) => Math.abs(a.data[i + c] - b.data[i + c]) > 64)) n++;
  }
  return n / (a.data.length / 4);
}

test("a key on three samples", async () => {
  const body = (path) => sample(`pairs/stripe-two-events-one-object/${path}.json`);
  const file = join(house.work, "stripe.yaml");
  writeFileSync(file, JSON.stringify({
    rule: "stripe-events", title: "Stripe events", sender: "stripe", key: 'key("stripe", body.id)',
    samples: [
      { group: "A", name: "First try", body: body("first") },
      { group: "A", name: "Second try", body: body("first") },
      { group: "B", name: "Another event", body: body("second") },
    ],
  }));
  house.run("rule", "import", file);
  await page.goto(house.about.admin + "/design/rule?rule=stripe-events");
  await page.locator("#design-verdict", { hasText: "Both copies of A share one key. A and B differ." }).waitFor();
  await keep("design");
});

test("steps for a platform", async () => {
  await page.goto(house.about.admin + "/steps?rule=stripe-events&tool=make");
  await page.locator(".step").nth(2).scrollIntoViewIfNeeded();
  await keep("steps");
});

test("keys that need a decision", async () => {
  const key = (n) => `stripe:evt_3TbGBUJEe0yY0QKr1eTEB${n}`;
  for (let n = 1; n <= 6; n++) house.run("claim", key(n), "--rule", "stripe-events", "--owner", `run-884${n}`);
  for (let n = 1; n <= 3; n++) house.run("done", key(n), "--rule", "stripe-events", "--owner", `run-884${n}`);
  for (const n of [4, 5, 6]) house.run("decide", key(n), "block", "--why", "the run died", "--rule", "stripe-events", "--name", "Ana");
  await page.goto(house.about.admin + "/keys?view=stuck");
  await page.getByRole("checkbox", { name: "Tick key " + key(5) }).check();
  await page.getByRole("button", { name: "Decide on the ticked ones…" }).click();
  await page.locator("#bulk-title").waitFor();
  await page.locator("#bulk-why").focus();
  await keep("keys");
});

test("README shows these pictures and no others", () => assert.deepEqual(made, named));
