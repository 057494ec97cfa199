// Many samples: their list scrolls and is searched, and what each gets is seen on a
// narrow page too. Messages take one another's place.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { House, axeFaults, picture } from "./house.mjs";

let house;
before(async () => { house = await House.open(); });
after(() => house.close());

const event = (n) => ({ id: `evt_${n}`, total: 100 + n });

async function start(page) {
  await page.goto(house.about.admin + "/design");
  await page.getByLabel("Sample", { exact: true }).fill(JSON.stringify(event(0)));
  await page.getByRole("button", { name: "Read this sample" }).click();
  await page.waitForURL(/\/design\/rule\?draft=/);
  await page.locator('.field-button[value="body.id"]').click();
  await page.waitForFunction(() => document.getElementById("formula")?.value === "key(body.id)");
  await page.getByText("Add a sample", { exact: true }).click();
  await page.getByLabel("Sample", { exact: true }).fill(JSON.stringify(Array.from({ length: 29 }, (_, n) => event(n + 1))));
  await page.getByRole("button", { name: "Add this sample" }).click();
  await page.getByRole("button", { name: "Add all 29" }).click();
  await page.locator(".samples-many").waitFor();
}

for (const scheme of ["light", "dark"]) {
  test(`a sample among thirty is found by its key and sorted, by keyboard alone, ${scheme}`, async () => {
    const page = await house.visit({ scheme });
    await start(page);
    const list = page.getByRole("group", { name: "30 samples, 30 events" });
    assert.ok(await list.evaluate((e) => e.tabIndex === 0 && e.scrollHeight > e.clientHeight), "the list scrolls and can be reached");
    assert.ok(await page.locator("#design-fields").evaluate((e) => e.getBoundingClientRect().top + scrollY < 900), "the fields stand near");
    assert.equal(await page.locator(".samples-many select").count(), 1, "the sample that is shown can be sorted");
    await page.getByLabel("Find a sample by number, name, event or key").focus();
    await page.keyboard.type("evt_17");
    await page.waitForFunction(() => document.querySelectorAll(".samples-many .sample:not([hidden])").length === 1);
    await page.keyboard.press("Tab"); // the list
    await page.keyboard.press("Tab"); // the sample
    await page.keyboard.press("Enter");
    await page.locator("#group-18").waitFor();
    assert.equal(await page.locator(".samples-many .sample:not([hidden])").count(), 1, "the search stays");
    await picture(page, `many-${scheme}`);
    assert.deepEqual(await axeFaults(page), []);
    await page.locator("#group-18").selectOption("A");
    await page.locator("#design-verdict", { hasText: "Copies 1 and 18 of event A get different keys" }).waitFor();
    await page.getByLabel("Find a sample by number, name, event or key").fill("no such sample");
    await page.getByText("No sample has this in its number, name, event or key.").waitFor();
    assert.deepEqual(page.faults, []);
    await page.context().close();
  });
}

test("at 380 pixels each sample's result stands beside its number", async () => {
  const page = await house.visit({ width: 380 });
  await start(page);
  for (const row of await page.locator(".results tbody tr").all()) {
    const box = await row.locator(".result-outcome .badge").boundingBox();
    assert.ok(box.x >= 0 && box.x + box.width <= 380, `a result reaches to ${box.x + box.width}`);
  }
  assert.equal(await page.getByRole("row").count(), 31, "it is a table still");
  assert.deepEqual(await axeFaults(page), []);
  await picture(page, "many-380");
  await page.context().close();
});

test("a removed sample comes back by undo, and one message stands at a time", async () => {
  const page = await house.visit();
  await start(page);
  await page.getByRole("button", { name: "Remove sample 2", exact: true }).click();
  const notes = page.locator("toast-note");
  await notes.filter({ hasText: "Sample 2 is removed. Undo brings it back." }).waitFor();
  await page.getByRole("button", { name: /^Undo: removing a sample/ }).click();
  await notes.filter({ hasText: "Taken back: removing a sample." }).waitFor();
  await page.getByRole("button", { name: /^Redo: / }).click();
  await notes.filter({ hasText: "Done again: removing a sample." }).waitFor();
  await page.getByRole("button", { name: /^Undo: removing a sample/ }).click();
  await notes.filter({ hasText: "Taken back: removing a sample." }).waitFor();
  assert.equal(await notes.count(), 1);
  await page.getByRole("group", { name: "30 samples, 30 events" }).waitFor();
  assert.deepEqual(page.faults, []);
  await page.context().close();
});
