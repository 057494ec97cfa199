// What the page shows and could not save: it stays, is said, is sent again, goes with
// every other request, and no older key is used in its place.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { House, axeFaults, picture, writeFormula } from "./house.mjs";

let house;
before(async () => { house = await House.open(); });
after(() => house.close());

const saw = (page, selector, text) => page.locator(selector, { hasText: text }).first().waitFor();
const keptIs = (page, text) => page.waitForFunction((t) => document.getElementById("formula")?.defaultValue === t, text);
const shows = (page) => page.getByRole("textbox", { name: "Formula of the key" }).textContent();
const saved = (page) => page.locator("#design-unsaved").waitFor({ state: "hidden" });
const use = async (page) => {
  await page.getByRole("button", { name: "Use this key" }).click();
  await page.getByRole("dialog").getByRole("button", { name: /^Use / }).click();
};

async function start() {
  const page = await house.visit();
  await page.goto(house.about.admin + "/design");
  await page.getByLabel("Sample", { exact: true }).fill('{"id":"evt_1","type":"paid","total":5}');
  await page.getByRole("button", { name: "Read this sample" }).click();
  await page.waitForURL(/\/design\/rule\?draft=/);
  await writeFormula(page, 'key("a", body.id)');
  await saw(page, ".key-text", "a:evt_1");
  return page;
}

async function type(page, text) {
  await page.getByRole("textbox", { name: "Formula of the key" }).focus();
  await page.keyboard.press("ControlOrMeta+End");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.insertText(text);
}

test("one failed save of formula and settings: said, sent again, and used as shown", async () => {
  const page = await start();
  await page.fill("#rule-title", "Pay once");
  await page.keyboard.press("Tab");
  await saw(page, "h1", "Pay once");
  await page.context().setOffline(true);
  await type(page, ", body.type");
  await saw(page, "#design-unsaved", "Not saved yet");
  await page.selectOption("#rule-lease", { label: "4 hours" });
  await page.getByRole("radio", { name: /^A double is worse/ }).check();
  await saw(page, "#alerts", "stays on this page and is sent again by itself");
  assert.equal(await page.locator("#design-saved").isVisible(), false);
  await picture(page, "unsaved");
  assert.deepEqual(await axeFaults(page), []);
  await use(page);
  await saw(page, "#alerts", "What you pressed was not done.");
  assert.equal(await shows(page), 'key("a", body.id, body.type)');
  await page.context().setOffline(false);
  await saved(page);
  await keptIs(page, 'key("a", body.id, body.type)');
  assert.equal(await page.locator("#alerts toast-note").count(), 0);
  await use(page);
  await page.waitForURL(/saved=1/);
  await page.waitForFunction(() => document.activeElement.id === "design-used");
  const rule = house.run("rule", "show", "pay-once");
  for (const part of ['key("a", body.id, body.type)', "4h"]) assert.ok(rule.includes(part), rule);
  assert.match(rule, /a person decides/);
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test("what is pressed while a save is missing takes what is shown", async () => {
  const page = await start();
  await page.fill("#rule-title", "Once more");
  await page.keyboard.press("Tab");
  await saw(page, "h1", "Once more");
  await page.route("**/design/{formula,save}", (r) => r.fulfill({ status: 503, contentType: "text/plain", body: "busy" }));
  await type(page, ", body.type");
  await saw(page, "#design-unsaved", "Not saved yet");
  await page.locator('.field-button[value="body.total"]').click();
  await keptIs(page, 'key("a", body.id, body.type, body.total)');
  await saved(page);
  await page.getByRole("button", { name: "Undo: choosing a field" }).click();
  await keptIs(page, 'key("a", body.id, body.type)');
  assert.equal(await shows(page), 'key("a", body.id, body.type)');
  // Not seen yet, so not used yet.
  await type(page, ", 1");
  await saw(page, "#design-unsaved", "Not saved yet");
  await use(page);
  await saw(page, "#design-use-fault", "It is saved now, and not in use yet");
  await keptIs(page, 'key("a", body.id, body.type, 1)');
  await page.context().close();
});

test("after a new sign-in in another tab, what was typed is saved", async () => {
  const page = await start();
  await page.route("**/design/*", (r) => r.fulfill({ status: 401, contentType: "text/plain", body: "no" }));
  await type(page, ", body.type");
  await saw(page, "#design-unsaved", "You are signed out.");
  await page.unroute("**/design/*");
  const other = await page.context().newPage();
  await other.goto(house.run("open", "--print", "--name", "Ana", "--role", "change"));
  await saved(page);
  await keptIs(page, 'key("a", body.id, body.type)');
  await page.context().close();
});

test("radios and lists follow an undo", async () => {
  const page = await start();
  await page.getByRole("radio", { name: /^A double is worse/ }).check();
  await page.getByRole("button", { name: "Undo: a change of the settings" }).click();
  await page.getByRole("button", { name: "Redo: a change of the settings" }).waitFor();
  await page.waitForFunction(() => document.querySelector('input[name=on_expiry][value=next]').checked);
  await page.selectOption("#rule-lease", { label: "4 hours" });
  await page.getByRole("button", { name: "Undo: a change of the settings" }).click();
  await page.waitForFunction(() => document.getElementById("rule-lease").value === "15m");
  assert.deepEqual(page.faults, []);
  await page.context().close();
});
