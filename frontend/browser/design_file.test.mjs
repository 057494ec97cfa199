// Testing a key with a file of many deliveries.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { House, axeFaults, picture } from "./house.mjs";

let house;
before(async () => { house = await House.open(); });
after(() => house.close());

// 10,000 deliveries: each order twice, of which one pair has another amount, and a
// few without an id.
const orders = Array.from({ length: 10_000 }, (_, i) => JSON.stringify(
  i % 1000 === 999 ? { note: "none" } : { id: `ord_${i >> 1}`, amount: i === 41 ? 99 : 5, try: i % 2 },
)).join("\n");

async function open(options) {
  const page = await house.visit(options);
  await page.goto(house.about.admin + "/design");
  await page.locator("textarea.paste").first().fill(JSON.stringify({ id: "ord_1", amount: 5, try: 0 }));
  await page.getByRole("button", { name: "Read this sample" }).click();
  await page.waitForURL(/\/design\/rule\?draft=/);
  await page.locator('[role=treeitem][value="body.id"]').click();
  await page.locator('[role=treeitem][value="body.id"][aria-checked="true"]').waitFor();
  await page.getByRole("link", { name: "Test with a file" }).click();
  await page.getByRole("heading", { name: "Test with a file" }).waitFor();
  return page;
}

async function pick(page, name, text) {
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Choose a file" }).click();
  await (await chooser).setFiles({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
}

for (const scheme of ["light", "dark"]) {
  test(`10,000 deliveries are tested, saved and looked at closer, ${scheme}`, async () => {
    const page = await open({ scheme });
    await picture(page, `file-empty-${scheme}`);
    assert.deepEqual(await axeFaults(page), []);
    await pick(page, "orders.jsonl", orders);
    await page.locator(".notice-title", { hasText: "1 group deserves a look" }).waitFor();
    await page.locator(".file-total", { hasText: "Deliveries" }).getByText("10,000").waitFor();
    await page.locator(".file-total", { hasText: "Without a key" }).getByText("10", { exact: true }).waitFor();
    await picture(page, `file-found-${scheme}`);
    assert.deepEqual(await axeFaults(page), []);

    const saving = page.waitForEvent("download");
    await page.getByRole("button", { name: "CSV" }).click();
    const saved = await saving;
    assert.equal(saved.suggestedFilename(), "orders-keys.csv");
    const lines = readFileSync(await saved.path(), "utf8").trim().split("\n");
    assert.match(lines[1], /ord_20,2,merged,/);
    assert.equal(lines.length, 1 + 5000 + 1, "a head, each key, and the one reason without a key");

    await page.getByRole("button", { name: "Add both as different events" }).click();
    await page.waitForURL(/\/design\/rule\?draft=/);
    await page.getByText("line 42 of orders.jsonl").waitFor();
    assert.deepEqual(page.faults, []);
    await page.context().close();
  });
}

test("a fault keeps the file, a test is cancelled, the next file is taken", async () => {
  const page = await open({ width: 380, height: 800 });
  await pick(page, "broken.csv", "");
  await page.locator("#file-found").getByText("The file is empty").waitFor();
  await picture(page, "file-fault-narrow");
  assert.deepEqual(await axeFaults(page), []);
  await page.getByText("broken.csv").waitFor();

  let asked = 0;
  await page.route("**/design/test", async (route) => {
    asked++;
    if (asked === 1) return; // no answer
    await route.continue();
  });
  await page.getByRole("button", { name: "Test it again" }).click();
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Cancel" }).waitFor({ state: "hidden" });
  assert.equal(await page.evaluate(() => document.activeElement.dataset.pick !== undefined), true, "the focus is on the way on");

  asked = 0;
  await page.getByRole("button", { name: "Test it again" }).click();
  await page.getByRole("button", { name: "Cancel" }).waitFor();
  await pick(page, "two.jsonl", '{"id":"a"}\n{"id":"a"}\n');
  await page.locator("#file-found").getByText("Nothing suspicious").waitFor();
  await page.getByText("two.jsonl was read as JSON lines").waitFor();
  await picture(page, "file-found-narrow");
  assert.deepEqual(await axeFaults(page), []);
  assert.deepEqual(page.faults, []);
  await page.context().close();
});
