// A person sees the race, looks at one event of it, cancels, and compares.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { House, axeFaults, picture } from "./house.mjs";

let house, page;
before(async () => {
  house = await House.open();
  page = await house.visit({ role: "look" });
});
after(() => house.close());

test("an experiment runs, and its words, bars and table agree", async () => {
  await page.goto(house.about.admin + "/");
  await page.getByRole("link", { name: "Try it" }).click();
  await page.getByText("No run yet").waitFor();
  await page.getByLabel("Events", { exact: true }).fill("many");
  await page.getByRole("button", { name: "Run it" }).click();
  await page.getByText("Write a number.").waitFor();
  assert.deepEqual(await axeFaults(page), []);
  await page.getByLabel("Events", { exact: true }).fill("40");
  await page.getByLabel("Of 100, come twice").fill("100");
  await page.getByLabel("Of 100, three times").fill("0");
  await page.getByRole("button", { name: "Run it" }).click();
  await page.getByRole("button", { name: "Cancel" }).waitFor();
  await page.getByText("No check wrote 40 rows too many. Looking first wrote as many: it did not help. Reserving first wrote none.").waitFor();
  const rows = page.locator(".lab-table tbody tr");
  assert.match(await rows.nth(1).textContent(), /Look first\s*8 at once\s*40\s*0\s*0/);
  assert.match(await rows.nth(5).textContent(), /Reserve first\s*8 at once\s*0\s*0\s*0/);
  for (const [scheme, width] of [["light", 1280], ["dark", 380]]) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height: 900 });
    await picture(page, `lab-${width}`);
    assert.deepEqual(await axeFaults(page), [], `${scheme} ${width}`);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
});

test("one event is pictured and told in words", async () => {
  const event = page.locator("#lab-event");
  await event.getByText("Each looked before the other wrote.").waitFor();
  assert.equal(await event.locator(".lab-lane").count(), 2);
  await event.getByRole("button", { name: "Next one" }).click();
  await event.getByText("Event 2 came twice and has 2 rows.").waitFor();
  await event.getByLabel("Way").selectOption({ label: "Reserve first, 8 at once" });
  await event.getByText("The copies were stopped.").waitFor();
  assert.match(await event.locator(".lab-lane-words").first().textContent(), /reserved the key.*works.*wrote its row/);
  await event.getByRole("textbox", { name: "Event" }).fill("999");
  await event.getByRole("textbox", { name: "Event" }).press("Enter");
  await event.getByText("There is no event 999. There are 40 events.").waitFor();
});

test("a run is cancelled, and the next is held beside the one before", async () => {
  await page.getByRole("link", { name: "500 events, some twice" }).click();
  await page.getByRole("button", { name: "Run it" }).click();
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByText("It was cancelled").waitFor();
  await page.getByRole("link", { name: "40 orders sent again" }).click();
  await page.getByRole("button", { name: "Run it" }).click();
  await page.getByText("880 USD").first().waitFor();
  await page.getByText("The run before").waitFor();
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "Picture (.svg)" }).click()]);
  assert.equal(download.suggestedFilename(), "lab.svg");
  assert.deepEqual(page.faults, []);
});

test("drills on a rule of one's own say what to change", async () => {
  const file = join(house.work, "orders.yaml");
  writeFileSync(file, 'rule: orders\ntitle: New orders\nkey: key("shop", body.order)\nfingerprint: [body.total]\nsamples:\n  - {group: A, name: one, body: {order: 1, total: 5}}\n  - {group: B, name: other, body: {order: 2, total: 6}}\n');
  house.run("rule", "import", file);
  await page.goto(house.about.admin + "/lab");
  const drills = page.locator("#drills");
  await drills.getByRole("button", { name: "Run the drills" }).click();
  await drills.getByText("5 of 6 drills passed. 1 could not be tried with these samples.").waitFor();
  await drills.getByLabel("The slowest run takes").fill("1h");
  await drills.getByRole("button", { name: "Run the drills" }).click();
  await drills.getByText("Allow a run more time than the slowest one takes.").waitFor();
  for (const [scheme, width] of [["light", 1280], ["dark", 380]]) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height: 900 });
    await picture(page, `drills-${width}`);
    assert.deepEqual(await axeFaults(page), [], `${scheme} ${width}`);
  }
  await drills.getByRole("link", { name: "Change it in the editor" }).click();
  await page.getByRole("heading", { name: /New orders/ }).first().waitFor();
  assert.deepEqual(page.faults, []);
});
