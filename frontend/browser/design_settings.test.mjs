// How a rule behaves, set by a person: conditions put together from lists, fields
// named while typing, blocks with a day and a stand-in, and a version brought back.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { House, axeFaults, picture } from "./house.mjs";

let house;
before(async () => { house = await House.open(); });
after(() => house.close());

const order = JSON.stringify({
  id: "o1", status: "paid", paid_at: "2026-11-30T23:30:00Z", total: 12.5, ref: null,
  lines: [{ sku: "A", n: 2 }, { sku: "B", n: 1 }],
});

const saw = (page, selector, text) => page.locator(selector, { hasText: text }).first().waitFor();
const keptIs = (page, id, text) => page.waitForFunction(([i, t]) => document.getElementById(i)?.value === t, [id, text]);

async function start(options = {}) {
  const page = await house.visit(options);
  await page.goto(house.about.admin + "/design");
  await page.getByLabel("Sample", { exact: true }).fill(order);
  await page.getByRole("button", { name: "Read this sample" }).click();
  await page.waitForURL(/\/design\/rule\?draft=/);
  await page.getByRole("textbox", { name: "Formula of the key" }).waitFor();
  return page;
}

for (const scheme of ["light", "dark"]) {
  test(`a condition, a list of items and fields to compare, ${scheme}`, async () => {
    const page = await start({ scheme });
    await page.locator('.field-button[value="body.id"]').click();
    await page.locator("#settings-which > summary").click();
    await page.getByLabel("Field of the condition").click();
    await page.waitForFunction(() => [...document.querySelectorAll("#only-path-names option")].some((o) => o.value === "status"));
    await page.getByLabel("Field of the condition").fill("staus");
    await page.getByLabel("Value", { exact: true }).fill("open");
    await page.getByRole("button", { name: "Add condition" }).click();
    await saw(page, "#only-path-fault", "No sample has a field of this name.");
    assert.equal(await page.inputValue("#only-path"), "staus");
    assert.equal(await page.inputValue("#only-value"), "open");
    assert.deepEqual(await axeFaults(page), []);
    await page.getByLabel("Field of the condition").fill("status");
    await page.getByRole("button", { name: "Add condition" }).click();
    await keptIs(page, "formula-when", 'body.status == "open"');
    await saw(page, "#design-results", "Ignored");
    await page.getByRole("button", { name: /^Undo: adding a condition/ }).click();
    await saw(page, ".key-text", "o1");
    assert.ok(await page.locator("#settings-which").evaluate((d) => d.open), "what was opened stays open");
    await page.selectOption("#rule-each", "body.lines");
    await saw(page, "#settings-which .settings-now", "one key for each item");
    await page.locator("#settings-contents summary").click();
    await page.getByLabel("Compare also").fill("total");
    await page.getByRole("button", { name: "Compare this field" }).click();
    await saw(page, ".prints", "total");
    await page.locator("#settings-gone summary").click();
    await page.getByLabel(/^What one double costs/).fill("much");
    await page.keyboard.press("Tab");
    await saw(page, "#rule-cost-fault", "Write an amount");
    assert.equal(await page.inputValue("#rule-cost"), "much");
    await picture(page, `settings-${scheme}`);
    assert.deepEqual(await axeFaults(page), []);
    assert.deepEqual(page.faults, []);
    await page.context().close();
  });
}

test("a block is used as a day of its zone, and has a stand-in", async () => {
  const page = await start({ width: 900 });
  await page.locator('.field-button[value="body.paid_at"]').click();
  await page.locator("#step-0").selectOption("day:UTC");
  await saw(page, ".key-text", "20261130");
  await page.getByLabel("in", { exact: true }).fill("Europe/Berlin");
  await page.keyboard.press("Enter");
  await saw(page, ".key-text", "20261201");
  await keptIs(page, "formula", 'key(day(body.paid_at, "Europe/Berlin"))');
  await page.locator('.field-button[value="body.ref"]').click();
  await saw(page, "#design-results", "Refused");
  await page.getByLabel("What stands in when ref is missing").fill("none");
  await page.keyboard.press("Tab");
  await keptIs(page, "formula", 'key(day(body.paid_at, "Europe/Berlin"), either(body.ref, "none"))');
  await saw(page, ".key-text", "none");
  await picture(page, "blocks-900");
  assert.deepEqual(await axeFaults(page), []);
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test("an earlier version is brought back as a draft", async () => {
  house.run("rule", "import", new URL("../../rules/testdata/import/stripe.yaml", import.meta.url).pathname);
  const page = await house.visit();
  await page.goto(house.about.admin + "/design/rule?rule=stripe-events");
  await page.selectOption("#rule-lease", "4h");
  await page.waitForFunction(() => document.querySelector("#rule-lease option[value='4h']")?.hasAttribute("selected"));
  await page.getByRole("button", { name: "Use the changed rule" }).click();
  await page.waitForURL(/saved=1/);
  await page.getByRole("link", { name: "Versions" }).click();
  await saw(page, "td", "time allowed: 15 minutes, now 4 hours");
  await picture(page, "versions");
  assert.deepEqual(await axeFaults(page), []);
  await page.getByRole("button", { name: /^Bring this back/ }).click();
  await page.waitForURL(/\/design\/rule\?rule=stripe-events/);
  await page.waitForFunction(() => document.getElementById("rule-lease")?.value === "15m");
  await page.getByRole("button", { name: "Back to the version in use" }).waitFor();
  assert.match(house.run("rule", "show", "stripe-events"), /time allowed +4h/, "nothing is put to use by it");
  await page.context().close();
});
