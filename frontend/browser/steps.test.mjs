// The page Settings steps as a person goes through it: from a rule to a ticked
// checklist, with the mouse and by keyboard alone.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { House, axeFaults, picture } from "./house.mjs";

const rule = (source) => `rule: list-edits
title: List edits
key: 'key("${source}", body.ID, body["{VersionNumber}"])'
samples:
  - {group: A, name: first, body: '{"ID":41,"{VersionNumber}":"3.0","Title":"Order 41","Editor":{"Email":"ana@example.com"}}'}
  - {group: A, name: copy, body: '{"ID":41,"{VersionNumber}":"3.0","Title":"Order 41","Editor":{"Email":"ana@example.com"}}'}
  - {group: B, name: other, body: '{"ID":41,"{VersionNumber}":"4.0","Title":"Order 41","Editor":{"Email":"Flows@example.com"}}'}
`;
const outputs = JSON.stringify({ headers: {}, body: { ID: 41, "{VersionNumber}": "4.0", Title: "Order 41", Editor: { Email: "Flows@example.com" } } }, null, 2);

let house, page;
before(async () => {
  house = await House.open();
  putRule("list");
  page = await house.visit();
});
after(() => house.close());

function putRule(source) {
  const file = join(house.work, "rule.yaml");
  writeFileSync(file, rule(source));
  house.run("rule", "import", file);
}

const open = (query) => page.goto(house.about.admin + "/steps?" + query);
const step = (id) => page.locator("#step-" + id);
const copied = () => page.evaluate(() => navigator.clipboard.readText());

// The gallery holds every state in both schemes; here the real pages take turns.
async function looksRight(name, colorScheme) {
  await page.emulateMedia({ colorScheme });
  await picture(page, `steps-${name}`);
  assert.deepEqual(await axeFaults(page), [], `${name} in ${colorScheme}`);
}

test("a condition is made from a pasted event and proved on it, and its step is ticked", async () => {
  await open("rule=list-edits");
  await page.getByRole("link", { name: "Power Automate", exact: true }).click();
  await page.getByRole("link", { name: "Make one and see when the flow runs" }).click();
  // The rule's own sample came along; the person's event takes its place.
  assert.match(await page.getByLabel("An event of yours").inputValue(), /"3\.0"/);
  await page.getByLabel("An event of yours").fill(outputs);
  await page.getByLabel("An event of yours").blur();
  await page.getByText("This looks like the trigger").waitFor();
  await page.getByRole("radio", { name: /^Ignore the flow's own changes/ }).click();
  await page.locator(".pick-field", { hasText: "Editor/Email" }).click();
  await page.locator('.pick-field[data-taken]', { hasText: "Editor/Email" }).waitFor();
  await page.getByLabel("Flow account").fill("flows@example.com");
  await page.getByRole("button", { name: "Make the line and try it" }).click();
  await page.locator("#made .condition-verdict", { hasText: "Skip" }).waitFor();
  await page.getByText("The line does what is right on all of them.").waitFor();
  await looksRight("make", "dark");
  await page.locator('copy-button[for="made-nested"] button').click();
  const line = await copied();
  assert.match(line, /^@.*flows@example\.com/);
  await page.getByRole("link", { name: /^Back to the steps of/ }).click();

  await page.getByLabel("Flow account").fill("flows@example.com");
  await page.getByRole("button", { name: "Save details" }).click();
  assert.equal(await step("line").locator("#step-line-value").textContent(), line, "the step and the builder make one line");
  // By keyboard: to the box, a press, and the answer keeps the focus.
  await page.locator("#step-line-tick").focus();
  await page.keyboard.press("Space");
  await page.locator('#step-line[data-state="done"]').waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.id), "step-line-tick");
  await page.locator("#steps-count", { hasText: /^\s*1 of/ }).waitFor();
  await looksRight("ticked", "light");
});

test("who may only look opens Copy for this page alone", async () => {
  const looker = await house.visit({ role: "look" });
  await looker.goto(house.about.admin + "/steps?rule=list-edits&tool=power-automate");
  const door = looker.locator("#step-concurrency");
  const copy = door.locator("copy-button button").first();
  assert.equal(await copy.isDisabled(), true);
  await door.getByRole("button", { name: /^I understand/ }).click();
  await looker.keyboard.press("Enter");
  await looker.getByText("Copied").first().waitFor();
  assert.equal(await looker.evaluate(() => navigator.clipboard.readText()), await door.locator("#step-concurrency-value").textContent());
  assert.deepEqual(await axeFaults(looker), []);
  await looker.context().close();
});

test("a one-way door is read before Copy opens", async () => {
  const door = page.locator(".step", { has: page.locator('[hx-post="/steps/understood"]') }).first();
  const copy = door.locator("copy-button button");
  assert.equal(await copy.isDisabled(), true);
  await door.getByRole("button", { name: /^I understand/ }).focus();
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement?.closest("copy-button") !== null);
  await page.keyboard.press("Enter");
  await page.getByText("Copied").first().waitFor();
});

test("a list and no premium plan end at the unique column, with the key tried", async () => {
  await open("rule=list-edits&tool=power-automate");
  // By keyboard alone: an arrow answers the question, the steps follow.
  await page.locator("#detail-target-other").focus();
  await page.keyboard.press("ArrowDown");
  await page.locator(".advice-way", { hasText: "A unique column is enough" }).waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.id), "detail-target-sharepoint", "the focus stays at the answer");
  await looksRight("advice", "dark");
  await page.getByRole("link", { name: "Show these steps" }).focus();
  await page.keyboard.press("Enter");
  await page.waitForURL(/tool=sharepoint/);
  await page.getByText("You come from Power Automate").waitFor();
  await step("key").getByText(/checks passed/).click();
  await step("key").getByText("the same as the rule's.").first().waitFor();
  await step("key").locator("copy-button button").click();
  assert.equal(await copied(), await page.locator("#step-key-value").textContent());
  await page.locator("#step-key-tick").click();
  await page.locator('#step-key[data-state="done"]').waitFor();
  await looksRight("column", "light");
});

test("a changed formula asks to check again", async () => {
  putRule("orders");
  await open("rule=list-edits&tool=sharepoint");
  await page.locator('#step-key[data-state="again"]', { hasText: "Check again" }).waitFor();
  await page.goto(house.about.admin + "/");
  await page.getByText("1 step to check again").waitFor();
});

test("paper has everything", async () => {
  await open("rule=list-edits&tool=sharepoint");
  await page.locator("#step-key details").first().waitFor();
  const before = await page.locator("#checklist details[open]").count();
  const whole = await page.locator("#all-text").textContent();
  await page.emulateMedia({ media: "print" });
  await page.waitForFunction(() => document.querySelector("#checklist details:not([open])") === null);
  const paper = (await page.locator("body").innerText()).replace(/\s+/g, " ");
  for (const title of whole.matchAll(/^## \d+\. (.*)$/gm)) assert.ok(paper.includes(title[1]), `${title[1]} is not on paper`);
  for (const value of await page.locator(".step code[id$=-value]").all()) {
    const { text, shown } = await value.evaluate((el) => ({ text: el.textContent, shown: el.closest("pre").scrollHeight <= el.closest("pre").clientHeight + 1 }));
    assert.ok(shown && paper.includes(text.replace(/\s+/g, " ")), `a value is cut off: ${text.slice(0, 40)}`);
  }
  for (const address of await page.locator(".step-source a").all()) assert.ok(await address.isVisible());
  assert.match(paper, /Rule: List edits \(list-edits\)/);
  assert.match(paper, /checks? passed|the same as the rule's/);
  for (const hidden of [".statusbar", ".rail", "#handout", "copy-button"]) assert.equal(await page.locator(hidden).filter({ visible: true }).count(), 0, `${hidden} is on paper`);
  await picture(page, "steps-paper");
  await page.emulateMedia({ media: "screen" });
  await page.waitForFunction((n) => document.querySelectorAll("#checklist details[open]").length === n, before);
});

test("a colleague is handed one file that loads nothing", async () => {
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "Save as a web page" }).click()]);
  assert.equal(download.suggestedFilename(), "list-edits-sharepoint.html");
  const file = join(house.work, "handout.html");
  await download.saveAs(file);
  const other = await (await house.browser.newContext()).newPage();
  const asked = [];
  other.on("request", (r) => { if (!r.url().startsWith("file:")) asked.push(r.url()); });
  await other.goto("file://" + file);
  assert.deepEqual(asked, []);
  assert.deepEqual(await axeFaults(other), []);
  assert.ok((await other.locator("body").innerText()).includes(await page.locator("#step-key-value").textContent()));
  await picture(other, "steps-handout");
  await other.context().close();
});

test("a foreign file is chosen and its faults are said in words", async () => {
  await open("one=file");
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.getByRole("button", { name: "Choose a file" }).click()]);
  await chooser.setFiles({ name: "mine.json", mimeType: "application/json", buffer: Buffer.from('{"name":"x","flow":[{"id":1},{"id":1}]}') });
  await page.getByText(/mine\.json is a blueprint of Make, with \d+ faults?/).waitFor();
  await looksRight("check", "dark");
  await page.getByLabel("The file's text").fill("{");
  await page.getByRole("button", { name: "Check", exact: true }).click();
  await page.getByText("This is no complete JSON").waitFor();
  assert.equal(await page.getByLabel("The file's text").inputValue(), "{");
});

test("what is typed while an answer is on its way stays", async () => {
  await open("rule=list-edits&tool=power-automate");
  let go;
  const held = new Promise((done) => { go = done; });
  await page.route("**/steps/answer", async (route) => { await held; await route.continue(); });
  const asked = page.waitForRequest("**/steps/answer");
  await page.locator("#detail-effect-makes").click();
  await asked;
  await page.getByLabel("Flow account").fill("typed@example.com");
  await page.locator("h1").click();
  const answered = page.waitForResponse("**/steps/answer");
  go();
  await (await answered).finished();
  await page.locator("#detail-effect", { hasNotText: "taken until you answer" }).waitFor();
  assert.equal(await page.getByLabel("Flow account").inputValue(), "typed@example.com");
  await page.unroute("**/steps/answer");
});

test("nothing went wrong on the way", () => assert.deepEqual(page.faults, []));
