// The formula editor: colours and completion, faults at their place, one undo for
// what is typed, and never a word lost to an answer that comes late.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { House, axeFaults, picture, writeFormula } from "./house.mjs";

let house;
before(async () => { house = await House.open(); });
after(() => house.close());

const event = JSON.stringify({
  id: "evt_1", type: "charge.succeeded", created: 1779783477, "order-no": "A 1",
  data: { object: { id: "ch_1", amount: 22200, note: "größer 🎉 als" } },
});

// An offer is taken only when a person can have seen it.
async function take(page, text) {
  await saw(page, '.cm-tooltip-autocomplete li[aria-selected="true"]', text);
  await page.waitForTimeout(120);
  await page.keyboard.press("Enter");
}

const saw = (page, selector, text) => page.locator(selector, { hasText: text }).first().waitFor();
const formula = (page) => page.getByRole("textbox", { name: "Formula of the key" });
const kept = (page) => page.inputValue("#formula");
const keptIs = (page, text) => page.waitForFunction((t) => document.getElementById("formula")?.value === t, text);

async function start(options = {}) {
  const page = await house.visit(options);
  await page.goto(house.about.admin + "/design");
  await page.getByLabel("Sample", { exact: true }).fill(event);
  await page.getByRole("button", { name: "Read this sample" }).click();
  await page.waitForURL(/\/design\/rule\?draft=/);
  await formula(page).waitFor();
  return page;
}

async function ends(page) {
  assert.deepEqual(page.faults, []);
  await page.context().close();
}

for (const scheme of ["light", "dark"]) {
  test(`fields and functions are offered with value, sentence and example, ${scheme}`, async () => {
    const page = await start({ scheme });
    await page.getByText("Formula", { exact: false }).first().waitFor();
    await page.locator('label[for="formula"]').click();
    await page.keyboard.type("ke", { delay: 20 });
    await saw(page, ".cm-tooltip-autocomplete li", "key(");
    await saw(page, ".cm-completionInfo", "gives");
    await picture(page, `formula-function-${scheme}`);
    assert.deepEqual(await axeFaults(page), []);
    await take(page, "key(");
    await page.keyboard.type("body.da", { delay: 20 });
    await saw(page, ".cm-tooltip-autocomplete li", "data.object.id");
    await page.keyboard.type("ta.object.", { delay: 20 });
    await saw(page, ".cm-tooltip-autocomplete li", "22200");
    await picture(page, `formula-field-${scheme}`);
    await page.keyboard.type("i", { delay: 20 });
    await take(page, "id");
    await saw(page, ".key-text", "ch_1");
    assert.equal(await kept(page), "key(body.data.object.id)");
    assert.equal(await page.locator(".block").count(), 1, "the blocks follow");
    await ends(page);
  });
}

test("a fault is marked at its place, wide characters before it, and mended in one click", async () => {
  const page = await start();
  await writeFormula(page, 'key("größer 🎉", bdy.id)');
  await saw(page, "#formula-fault mark", "bdy");
  const marked = page.locator("formula-editor .cm-lintRange-error").first();
  assert.equal(await marked.textContent(), "bdy");
  assert.equal(await formula(page).getAttribute("aria-invalid"), "true");
  await picture(page, "formula-fault");
  assert.deepEqual(await axeFaults(page), []);
  await page.getByRole("button", { name: "Show the place" }).click();
  assert.deepEqual(await page.evaluate(() => document.querySelector("formula-editor").selected), [17, 20]);
  await page.getByRole("button", { name: "Write body" }).click();
  await keptIs(page, 'key("größer 🎉", body.id)');
  await saw(page, ".key-text", "größer 🎉:evt_1");
  assert.equal(await formula(page).textContent(), 'key("größer 🎉", body.id)', "the editor shows it too");
  assert.equal(await page.locator("formula-editor .cm-lintRange-error").count(), 0);
  await ends(page);
});

test("what is typed is never lost to an answer, and its undo reaches back over blocks", async () => {
  const page = await start();
  await formula(page).focus();
  // Answers come in while the next words are typed.
  await page.route("**/design/formula", async (route) => {
    await new Promise((done) => setTimeout(done, 250));
    await route.continue();
  });
  await page.keyboard.type('key("a", body.id, body.type, body.data.object.id', { delay: 40 });
  await page.keyboard.press("Escape");
  await saw(page, ".key-text", "a:evt_1:charge.succeeded:ch_1");
  assert.equal(await kept(page), 'key("a", body.id, body.type, body.data.object.id)');
  await page.locator("[data-block]").nth(2).locator("[data-remove]").click();
  await page.waitForFunction(() => document.querySelectorAll(".block").length === 3);
  assert.equal(await formula(page).textContent(), 'key("a", body.id, body.data.object.id)', "the formula follows the blocks");
  await formula(page).focus();
  await page.keyboard.press("Control+z");
  await page.waitForFunction(() => document.querySelectorAll(".block").length === 4);
  assert.equal(await kept(page), 'key("a", body.id, body.type, body.data.object.id)');
  await ends(page);
});

test("by keyboard: a slash offers fields, Escape closes, Tab leaves", async () => {
  const page = await start();
  await formula(page).focus();
  await page.keyboard.type("key(");
  await page.keyboard.press("/");
  await saw(page, ".cm-tooltip-autocomplete li", 'body["order-no"]');
  await page.keyboard.press("Escape");
  await page.locator(".cm-tooltip-autocomplete").waitFor({ state: "detached" });
  await page.keyboard.type("body.order", { delay: 20 });
  await take(page, "order-no");
  await saw(page, ".key-text", "A 1");
  assert.equal(await kept(page), 'key(body["order-no"])', "a name that a dot cannot reach is quoted");
  await page.keyboard.type(" / 2");
  await page.keyboard.press("Tab");
  assert.notEqual(await page.evaluate(() => document.activeElement.localName), "formula-editor", "Tab leaves");
  await keptIs(page, 'key(body["order-no"] / 2)');
  await ends(page);
});

test("without its script the plain field does the same", async () => {
  const page = await house.visit();
  await page.route("**/static/formula.js*", (route) => route.abort());
  await page.goto(house.about.admin + "/design");
  await page.getByLabel("Sample", { exact: true }).fill(event);
  await page.getByRole("button", { name: "Read this sample" }).click();
  await page.waitForURL(/\/design\/rule\?draft=/);
  await page.fill("#formula", "key(body.id)");
  await saw(page, ".key-text", "evt_1");
  assert.deepEqual(await axeFaults(page), []);
  await page.locator('.field-button[value="body.type"]').click();
  await keptIs(page, "key(body.id, body.type)");
  await ends(page);
});
