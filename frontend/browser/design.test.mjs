// Design a key, by a person with a browser: from a paste to a rule in use, by
// pointer and by keyboard, and nothing typed is ever lost.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { House, axeFaults, picture, writeFormula } from "./house.mjs";

let house;
before(async () => { house = await House.open(); });
after(() => house.close());

// An event of Stripe's shape with values of our own.
const event = (id, pending = 1) => JSON.stringify({
  id: `evt_${id}`, object: "event", type: "charge.succeeded", created: 1779783477, pending_webhooks: pending,
  data: { object: { id: `ch_${id}`, object: "charge", amount: 22200, receipt_email: "robin@example.com" } },
}, null, 2);

const formula = (page) => page.inputValue("#formula");
const editor = (page) => page.getByRole("textbox", { name: "Formula of the key" });
const selected = (page) => page.evaluate(() => document.querySelector("formula-editor").selected);
const formulaIs = (page, text) => page.waitForFunction((t) => document.getElementById("formula")?.value === t, text);
const saw = (page, selector, text) => page.locator(selector, { hasText: text }).first().waitFor();

// Colours on their way from one state to the next are no fault.
async function clean(page) {
  await page.waitForFunction(() => document.getAnimations().every((a) => a.effect?.getComputedTiming().iterations === Infinity));
  assert.deepEqual(await axeFaults(page), []);
}

async function start(page, text) {
  await page.goto(house.about.admin + "/design");
  await page.getByLabel("Sample", { exact: true }).fill(text);
  await page.getByRole("button", { name: "Read this sample" }).click();
  await page.waitForURL(/\/design\/rule\?draft=/);
  await editor(page).waitFor();
}

async function add(page, text, answer) {
  await page.getByText("Add a sample").click();
  const field = page.locator("textarea.paste");
  assert.equal(await field.inputValue(), "", "the field of the next sample is empty");
  await field.fill(text);
  await page.getByRole("button", { name: "Add this sample" }).click();
  await page.locator("#ask-title").waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.id), "ask-title");
  await page.getByRole("button", { name: answer }).click();
  await page.locator("#ask-title").waitFor({ state: "detached" });
}

for (const scheme of ["light", "dark"]) {
  test(`a pasted Stripe event becomes a rule in three clicks, ${scheme}`, async () => {
    const page = await house.visit({ scheme });
    await start(page, event("1")); // the first click
    await picture(page, `design-pasted-${scheme}`);
    await clean(page);
    await page.getByRole("button", { name: "Use this suggestion" }).click();
    await saw(page, ".key-text", "stripe:evt_1");
    assert.equal(await formula(page), 'key("stripe", body.id)');
    await clean(page);
    await page.getByRole("button", { name: "Use this key" }).click();
    // One sample proves nothing, so it asks.
    await page.getByRole("dialog").getByRole("button", { name: "Use it unproved" }).click();
    await page.waitForURL(/\/design\/rule\?rule=stripe-events(-2)?&saved=1/);
    await saw(page, "#design-used", "is in use");
    await picture(page, `design-used-${scheme}`);
    await clean(page);
    await page.locator("#design-used").getByRole("link", { name: /^Settings steps/ }).click();
    await page.waitForURL(/\/steps\?rule=stripe-events/);
    assert.deepEqual(page.faults, []);
    await page.context().close();
  });
}

test("a new rule is put to use under words of its own", async () => {
  const page = await house.visit();
  await start(page, event("1"));
  await add(page, event("2"), "A different event");
  await page.locator('.field-button[value="body.id"]').click();
  await saw(page, ".key-text", "evt_1");
  await page.fill("#rule-title", "");
  await page.getByRole("button", { name: "Use this key" }).click();
  await saw(page, "#rule-title-fault", "what must happen once");
  await clean(page);
  await page.fill("#rule-title", "Book it");
  await page.getByRole("button", { name: "Use this key" }).click();
  await page.waitForURL(/rule=book-it&saved=1/);
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test("a changed formula asks first where keys follow the one in use", async () => {
  house.run("rule", "import", new URL("../../rules/testdata/import/stripe.yaml", import.meta.url).pathname);
  const name = "stripe-events";
  house.run("claim", "stripe:evt_0", "--rule", name);
  const page = await house.visit();
  await page.goto(house.about.admin + "/design/rule?rule=" + name);
  await writeFormula(page, 'key("stripe", body.id, body.type)');
  await saw(page, "#design-why", "1 key follows the formula in use");
  assert.ok(await page.getByLabel("Copies got through.").isChecked());
  await page.getByRole("button", { name: "Use the changed rule" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("What ran before does not run again").waitFor();
  await page.keyboard.press("Escape");
  await page.getByLabel("Different events were stopped.").check();
  await page.reload();
  assert.ok(await page.getByLabel("Different events were stopped.").isChecked());
  await page.getByRole("button", { name: "Use the changed rule" }).click();
  await dialog.getByText("runs once more if a copy of it comes again").waitFor();
  await picture(page, "design-change-asked");
  await clean(page);
  await page.keyboard.press("Escape");
  assert.doesNotMatch(house.run("rule", "show", name), /body\.type/);
  await page.getByRole("button", { name: "Use the changed rule" }).click();
  await dialog.getByRole("button", { name: "Change the formula" }).click();
  await saw(page, "#design-used", "It holds from the next call on.");
  assert.match(house.run("rule", "show", name), /body\.type/);
  assert.doesNotMatch(house.run("rule", "show", name, "--json"), /look_back_until/);

  await page.waitForURL(/saved=1/);
  await page.waitForLoadState("load");
  await writeFormula(page, 'key("stripe", body.id)');
  await saw(page, "#design-why", "Why do you change the formula?");
  await page.getByRole("button", { name: "Use the changed rule" }).click();
  await dialog.getByRole("button", { name: "Change the formula" }).click();
  await saw(page, "#design-used", "It holds from the next call on.");
  assert.match(house.run("rule", "show", name, "--json"), /look_back_until/);
  await page.context().close();
});

test("samples are sorted, and a wrong key is mended in one click", async () => {
  const page = await house.visit();
  await start(page, event("1"));
  await add(page, event("1", 0), "Copy of event A");
  await add(page, event("2"), "A different event");
  await page.locator('.field-button[value="body.id"]').click();
  await page.locator('.field-button[value="body.pending_webhooks"]').click();
  await saw(page, "#design-verdict", "Copies 1 and 2 of event A get different keys");
  await picture(page, "design-missed");
  await clean(page);
  await page.getByRole("button", { name: "Remove it" }).click();
  await formulaIs(page, "key(body.id)");
  await saw(page, "#design-verdict", "Both copies of A share one key. A and B differ.");
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test("typing in the formula keeps the caret, and every state is saved", async () => {
  const page = await house.visit();
  await start(page, event("1"));
  await editor(page).focus();
  await page.keyboard.type('key("stripe", bdy.id', { delay: 5 });
  await saw(page, "#formula-fault", "Line 1, column");
  await page.keyboard.press("Escape");
  await page.keyboard.type(")");
  await saw(page, "#formula-fault mark", "bdy");
  assert.equal(await page.evaluate(() => document.activeElement.localName), "formula-editor");
  assert.deepEqual(await selected(page), [21, 21]);
  await clean(page);
  await page.reload();
  assert.equal(await formula(page), 'key("stripe", bdy.id)');
  await page.getByRole("button", { name: "Show the place" }).click();
  assert.deepEqual(await selected(page), [14, 17]);
  await page.keyboard.type("body");
  await saw(page, ".key-text", "stripe:evt_1");
  assert.equal(await page.locator(".block").count(), 2);
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test("fields and blocks work by keyboard alone", async () => {
  const page = await house.visit();
  await start(page, event("1"));
  await page.focus("#field-search");
  await page.keyboard.type("ch_1");
  await page.keyboard.press("ArrowDown"); // before anything is found
  await page.waitForFunction(() => document.activeElement.value === "body.data.object.id");
  await page.keyboard.press("Enter");
  await formulaIs(page, "key(body.data.object.id)");
  assert.equal(await page.evaluate(() => document.activeElement.value), "body.data.object.id", "the focus stays");
  assert.equal(await page.locator(".field-row").count(), 1, "the search stays");
  await page.fill("#field-search", "");
  await page.keyboard.press("ArrowDown");
  await page.waitForFunction(() => document.activeElement.value === "body.id");
  await page.keyboard.press("t");
  await page.keyboard.press("Enter");
  await formulaIs(page, "key(body.data.object.id, body.type)");
  assert.equal(await page.locator('.field-button[tabindex="0"]').count(), 1, "the list is one tab stop");
  await page.focus("#step-1");
  await page.keyboard.press("Alt+ArrowUp");
  await formulaIs(page, "key(body.type, body.data.object.id)");
  await page.selectOption("#step-0", "lower");
  await formulaIs(page, "key(lower(body.type), body.data.object.id)");
  await page.locator("[data-block]").first().locator("[data-remove]").focus();
  await page.keyboard.press("Delete");
  await formulaIs(page, "key(body.data.object.id)");
  assert.equal(await page.inputValue("#step-0"), "", "the next block's select shows its own step");
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test("a formula beyond blocks takes fields at the caret", async () => {
  const page = await house.visit();
  await start(page, event("1"));
  await writeFormula(page, '"x:" + string()');
  await page.locator(".beyond").waitFor();
  await page.evaluate(() => document.querySelector("formula-editor").select(1, 15, 0));
  await page.locator('.field-button[value="body.id"]').click();
  await saw(page, ".key-text", "x:evt_1");
  assert.equal(await formula(page), '"x:" + string(body.id)');
  await page.context().close();
});

test("a paste that cannot be read stays, with its place; one too large stays too", async () => {
  const page = await house.visit();
  await page.goto(house.about.admin + "/design");
  const field = page.getByLabel("Sample", { exact: true });
  const text = '{\n  "a": 1\n  "b": 2\n}';
  await field.fill(text);
  await page.getByRole("button", { name: "Read this sample" }).click();
  await saw(page, ".place-at", "Line 3, column 3");
  assert.equal(await field.inputValue(), text);
  await clean(page);
  await page.getByRole("button", { name: "Show the place" }).click();
  assert.equal(await page.evaluate(() => document.activeElement.selectionStart), 13);
  const large = JSON.stringify({ a: "x".repeat(1_100_000) });
  await field.fill(large);
  await page.getByRole("button", { name: "Read this sample" }).click();
  await saw(page, "#alerts", "A sample may have 1 MB at most");
  assert.equal((await field.inputValue()).length, large.length);
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test("who may only look sees the key and changes nothing", async () => {
  const builder = await house.visit();
  await start(builder, event("9"));
  const address = builder.url();
  await builder.getByRole("button", { name: "Use this suggestion" }).click();
  await saw(builder, ".key-text", "stripe:evt_9");
  const page = await house.visit({ role: "look" });
  await page.goto(address);
  await saw(page, ".key-text", "stripe:evt_9");
  assert.equal(await page.locator("#design form button:not(:disabled):not([role=treeitem])").count(), 0);
  await clean(page);
  await page.context().close();
  await builder.context().close();
});

for (const width of [900, 640, 380]) {
  test(`the editor is not cut off at ${width} pixels`, async () => {
    const page = await house.visit({ width });
    await start(page, event("1"));
    await page.getByRole("button", { name: "Use this suggestion" }).click();
    await saw(page, ".key-text", "stripe:evt_1");
    await picture(page, `design-${width}`);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth));
    await clean(page);
    await page.context().close();
  });
}
