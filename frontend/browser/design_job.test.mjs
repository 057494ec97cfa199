// The main job of the page, from an empty app to a rule in use that was proved by two
// copies and a different event: once by pointer, once by keyboard alone. Each press
// and each move is counted as long as a person takes for it, so that the test need
// not wait for it: 0.28 s for a key, 1.3 s to point and press, 1.4 s to think before
// each step. (Card, Moran and Newell, The keystroke-level model, 1980.)
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { House, axeFaults } from "./house.mjs";

let house;
before(async () => { house = await House.open(); });
after(() => house.close());

const event = (id, attempt) => JSON.stringify({ id, kind: "order.paid", attempt, order: { number: `A-${id}`, total: 19.9 } }, null, 1);

class Person {
  seconds = 0;

  constructor(page) { this.page = page; }

  async press(keys) {
    this.seconds += 0.28 * keys.split("+").length;
    await this.page.keyboard.press(keys);
  }

  async type(text) {
    this.seconds += 0.28 * text.length;
    await this.page.keyboard.type(text);
  }

  async click(locator) {
    this.seconds += 1.3;
    await locator.click();
  }

  think() { this.seconds += 1.4; }

  async paste(text) {
    await this.page.evaluate((t) => navigator.clipboard.writeText(t), text);
    await this.press("Control+v");
  }

  /** Presses Tab until the wanted element has the focus. */
  async tabTo(selector) {
    for (let n = 0; n < 60; n++) {
      await this.press("Tab");
      if (await this.page.evaluate((s) => document.activeElement?.matches(s) ?? false, selector)) return;
    }
    assert.fail(`Tab does not come to ${selector}`);
  }
}

const clean = async (page) => assert.deepEqual(await axeFaults(page), []);
const proved = (page) => page.locator("#design-verdict", { hasText: "Both copies of A share one key. A and B differ." }).waitFor();

test("by pointer: a rule in use in under two minutes", async (t) => {
  const page = await house.visit();
  const person = new Person(page);
  person.think();
  await person.click(page.getByRole("link", { name: "Design a key" }).first());
  const field = page.locator("textarea.paste");
  await person.click(field);
  await person.paste(event("1001", 1));
  await person.click(page.getByRole("button", { name: "Read this sample" }));
  await page.waitForURL(/\/design\/rule\?draft=/);
  await clean(page);
  for (const [text, answer] of [[event("1001", 2), "Copy of event A"], [event("1002", 1), "A different event"]]) {
    person.think();
    await person.click(page.getByText("Add a sample", { exact: true }));
    await person.click(field);
    await person.paste(text);
    await person.click(page.getByRole("button", { name: "Add this sample" }));
    await page.locator("#ask-title").waitFor();
    await clean(page);
    person.think();
    await person.click(page.getByRole("button", { name: answer }));
    await page.locator("#ask-title").waitFor({ state: "detached" });
  }
  person.think();
  await person.click(page.locator('[role=treeitem][value="body.id"]'));
  await proved(page);
  await clean(page);
  person.think();
  await person.click(page.locator("#rule-title"));
  await person.type("Create the supplier order");
  await person.click(page.getByRole("button", { name: "Use this key" }));
  await page.waitForURL(/rule=create-the-supplier-order&saved=1/);
  await clean(page);
  t.diagnostic(`${Math.round(person.seconds)} s`);
  assert.ok(person.seconds < 120, `${person.seconds} s`);
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test("by keyboard alone: a rule in use in under two minutes", async (t) => {
  const page = await house.visit();
  const person = new Person(page);
  person.think();
  await person.press("g");
  await person.press("d");
  await page.waitForURL(/\/design$/);
  await page.locator("textarea.paste").waitFor();
  await person.tabTo("textarea.paste");
  await person.paste(event("2001", 1));
  await person.tabTo("[data-add]");
  await person.press("Enter");
  await page.waitForURL(/\/design\/rule\?draft=/);
  await page.locator("field-tree").waitFor();
  for (const [text, value] of [[event("2001", 2), "A"], [event("2002", 1), "+"]]) {
    person.think();
    await person.tabTo(".add-sample > summary");
    await person.press("Enter");
    await person.tabTo("textarea.paste");
    await person.paste(text);
    await person.tabTo("[data-add]");
    await person.press("Enter");
    await page.locator("#ask-title").waitFor();
    await page.waitForFunction(() => document.activeElement?.id === "ask-title");
    person.think();
    await person.tabTo(`.ask button[value="${value}"]`);
    await person.press("Enter");
    await page.locator("#ask-title").waitFor({ state: "detached" });
    await page.waitForFunction(() => document.activeElement?.id === "design-samples-title");
  }
  person.think();
  await person.tabTo("[role=treeitem]");
  await person.type("id");
  await person.press("Enter");
  await proved(page);
  person.think();
  await person.tabTo("#rule-title");
  await person.type("Refund the customer");
  await person.press("Control+Enter");
  await page.waitForURL(/rule=refund-the-customer&saved=1/);
  t.diagnostic(`${Math.round(person.seconds)} s`);
  assert.ok(person.seconds < 120, `${person.seconds} s`);
  assert.deepEqual(page.faults, []);
  await page.context().close();
});
