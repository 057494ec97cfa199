// A person whose automation ran twice finds out why, by questions and by two events.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { House, axeFaults, picture, sample } from "./house.mjs";

let house, page;
before(async () => {
  house = await House.open();
  page = await house.visit();
});
after(() => house.close());

async function clean(name) {
  for (const [scheme, width] of [["light", 1280], ["dark", 380]]) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height: 900 });
    await picture(page, `${name}-${width}`);
    assert.deepEqual(await axeFaults(page), [], `${name} ${scheme} ${width}`);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
}

const choose = (text) => page.getByRole("link", { name: text, exact: true }).click();

test("questions lead to a cause, and an answer is changed", async () => {
  await page.goto(house.about.admin + "/");
  await page.getByRole("link", { name: "Something ran twice" }).click();
  await page.getByText("Did one run do it twice, or were there two runs?").waitFor();
  await clean("cause-first");
  await choose("Two runs");
  await choose("No, this one alone");
  await choose("An event: a hook, a new row, a form");
  await choose("Different");
  await choose("Yes");
  await page.getByRole("heading", { name: "It starts itself" }).waitFor();
  await clean("cause-result");
  assert.match(await page.locator("#possible").textContent(), /It starts itself/);
  await page.getByRole("link", { name: /Change.*Does the automation change/ }).click();
  await choose("Not sure");
  await page.getByText("Are both events about the same").waitFor();
  await page.goBack();
  await page.getByText("Does the automation change the item that starts it?").waitFor();
});

test("two events answer questions and become the first samples", async () => {
  await page.getByRole("link", { name: "Start again" }).click();
  const body = (which) => sample(`pairs/stripe-two-events-one-object/${which}.json`);
  await page.getByLabel("Event of the first run").fill("{");
  await page.getByRole("button", { name: "Compare them" }).click();
  await page.getByText("Paste an event").waitFor();
  await page.getByLabel("Event of the first run").fill(body("first"));
  await page.getByLabel("Event of the second run").fill(body("second"));
  await page.getByRole("button", { name: "Compare them" }).click();
  await page.getByText("They are about the same thing: stripe:ch_").waitFor();
  await clean("cause-compared");
  await page.getByRole("link", { name: "Go on with these answers" }).click();
  await choose("No, this one alone");
  await choose("No");
  await choose("No, a system makes them");
  await page.getByRole("heading", { name: "Two events for one thing" }).waitFor();
  await page.getByText("the event's id would not do").waitFor();
  await page.goBack(); await page.goBack(); await page.goBack(); await page.goBack();
  await page.getByLabel("Event of the first run").fill(body("first"));
  await page.getByLabel("Event of the second run").fill(body("second"));
  await page.getByRole("button", { name: "Compare them" }).click();
  await page.getByRole("button", { name: "Design a key on these two" }).click();
  await page.waitForURL("**/design/rule?draft=**");
  await page.getByText("First run").first().waitFor();
  assert.deepEqual(page.faults, []);
});
