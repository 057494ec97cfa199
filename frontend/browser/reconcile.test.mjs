// A person compares what the shop holds with what was finished here, and takes in what is
// unknown.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { House, axeFaults, picture } from "./house.mjs";

let house, page;
before(async () => {
  house = await House.open();
  writeFileSync(join(house.work, "orders.yaml"), "rule: orders\ntitle: New orders\nkey: key(\"shop\", body.order)\n");
  house.run("rule", "import", join(house.work, "orders.yaml"));
  writeFileSync(join(house.work, "done.txt"), "shop:A-1\nshop:B-2\n");
  house.run("import", join(house.work, "done.txt"), "--format", "lines", "--rule", "orders");
  house.run("claim", "shop:C-3", "--rule", "orders");
  page = await house.visit({ role: "decide" });
});
after(() => house.close());

const table = "order,total\nA-1,10\nA-1,10\nC-3,5\nX-9,7\n,1\n";
const file = (name, text) => ({ name, mimeType: "text/csv", buffer: Buffer.from(text) });

async function choose(name, text) {
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.getByRole("button", { name: "Choose a file" }).click()]);
  await chooser.setFiles(file(name, text));
}

test("a file is compared, by the formula and by columns", async () => {
  await page.goto(house.about.admin + "/keys");
  await page.getByRole("link", { name: "Compare with the destination" }).click();
  await page.getByLabel("Rule whose keys they should have").selectOption("orders");
  await choose("orders.csv", table);
  await page.locator("#file-found").getByText("They differ").waitFor();
  for (const [scheme, width] of [["light", 1280], ["dark", 380]]) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height: 900 });
    await picture(page, `reconcile-${width}`);
    assert.deepEqual(await axeFaults(page), [], `${scheme} ${width}`);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.getByLabel("The key is").selectOption("parts");
  await page.getByLabel("Fixed text").fill("shop");
  await page.getByLabel("Part 1").selectOption("order");
  await page.getByRole("button", { name: "Compare so" }).click();
  await page.locator("#doubles", { hasText: "row 2, row 3" }).waitFor();
  assert.match(await page.locator("#missing").textContent(), /shop:C-3[^]*In progress[^]*shop:X-9[^]*Unknown/);
  assert.match(await page.locator("#extra").textContent(), /shop:B-2/);
});

test("a list is saved, and an unknown key is taken in", async () => {
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator("#doubles").getByRole("button", { name: "CSV" }).click()]);
  assert.equal(download.suggestedFilename(), "orders-doubles.csv");
  await page.getByRole("button", { name: "Take 1 unknown key in as finished…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Take 1 key in as finished?").waitFor();
  await dialog.getByRole("button", { name: "Take them in as finished" }).click();
  await page.getByText("1 key taken in as finished.").waitFor();
  assert.equal(JSON.parse(house.run("key", "shop:X-9", "--rule", "orders", "--json")).state, "done");
  assert.deepEqual(page.faults, []);
});
