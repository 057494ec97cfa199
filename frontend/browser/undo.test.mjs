// Undo and redo over everything that a draft holds, by button and by key, over a
// reload; and two tabs on one draft, of which neither wins in silence.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { House, axeFaults, picture, writeFormula } from "./house.mjs";

let house;
before(async () => { house = await House.open(); });
after(() => house.close());

const saw = (page, selector, text) => page.locator(selector, { hasText: text }).first().waitFor();
const keptIs = (page, text) => page.waitForFunction((t) => document.getElementById("formula")?.value === t, text);
const shows = (page) => page.getByRole("textbox", { name: "Formula of the key" }).textContent();

async function start() {
  const page = await house.visit();
  await page.goto(house.about.admin + "/design");
  await page.getByLabel("Sample", { exact: true }).fill('{"id":"evt_1","type":"paid"}');
  await page.getByRole("button", { name: "Read this sample" }).click();
  await page.waitForURL(/\/design\/rule\?draft=/);
  await page.getByRole("textbox", { name: "Formula of the key" }).waitFor();
  return page;
}

test("a change is undone by key and by button, also after a reload", async () => {
  const page = await start();
  await page.locator('.field-button[value="body.id"]').click();
  await keptIs(page, "key(body.id)");
  await page.locator('.field-button[value="body.type"]').click();
  await keptIs(page, "key(body.id, body.type)");
  await page.keyboard.press("Control+z");
  await keptIs(page, "key(body.id)");
  await saw(page, "toast-note", "Taken back: choosing a field.");
  await page.reload();
  await page.getByRole("button", { name: "Redo: choosing a field" }).click();
  await keptIs(page, "key(body.id, body.type)");
  assert.equal(await shows(page), "key(body.id, body.type)", "the editor follows");
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+z");
  await keptIs(page, "");
  await page.keyboard.press("Control+Shift+z");
  await keptIs(page, "key(body.id)");
  await picture(page, "undo");
  assert.deepEqual(await axeFaults(page), []);
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test("a second tab on one draft is told, and may still save what was typed", async () => {
  const first = await start();
  const second = await first.context().newPage();
  await second.goto(first.url());
  await second.getByRole("textbox", { name: "Formula of the key" }).waitFor();
  await first.locator('.field-button[value="body.id"]').click();
  await keptIs(first, "key(body.id)");
  await writeFormula(second, "key(body.type)");
  await saw(second, "#design-overtaken", "Your last change was not saved.");
  assert.equal(await shows(second), "key(body.type)", "what was typed is still there");
  await picture(second, "overtaken");
  assert.deepEqual(await axeFaults(second), []);
  await second.getByRole("button", { name: "Save my change all the same" }).click();
  await saw(second, ".key-text", "paid");
  await second.keyboard.press("Escape");
  await second.getByRole("button", { name: /^Undo: / }).click();
  await keptIs(second, "key(body.id)");
  // The first tab has an older state now, and is told in turn.
  await first.locator('.field-button[value="body.type"]').click();
  await saw(first, "#design-overtaken", "changed in another tab");
  await first.getByRole("button", { name: "Show how it stands now" }).click();
  await keptIs(first, "key(body.id)");
  await first.context().close();
});
