// A person whose guard is a list of another tool sees which of its keys need somebody.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { House, axeFaults, picture } from "./house.mjs";

let house, page;
before(async () => {
  house = await House.open();
  page = await house.visit({ role: "look" });
});
after(() => house.close());

const list = "Title\tStatus\tRunId\tClaimedAt\nshop:1\tIn progress\tr1\t2020-11-30 10:00\nshop:2\tDone\tr2\t2020-11-30 10:00\nshop:3\tReleased\tr3\t2020-11-30 10:00\n";

test("rows that are pasted are read, filtered and saved as a work list", async () => {
  await page.goto(house.about.admin + "/keys/elsewhere");
  await page.getByText("Or paste rows").click();
  await page.getByRole("button", { name: "Use what I pasted" }).click();
  await page.getByText("Paste some rows first.").waitFor();
  await page.getByLabel("Rows with their header line").fill(list);
  await page.getByRole("button", { name: "Use what I pasted" }).click();
  await page.locator("#list", { hasText: "shop:1" }).waitFor();
  for (const [scheme, width] of [["light", 1280], ["dark", 380]]) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height: 900 });
    await picture(page, `elsewhere-${width}`);
    assert.deepEqual(await axeFaults(page), [], `${scheme} ${width}`);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.getByRole("button", { name: /^All/ }).click();
  await page.locator("#list", { hasText: "shop:3" }).waitFor();
  await page.getByLabel("Key contains").fill("shop:2");
  await page.getByLabel("Key contains").press("Enter");
  await page.locator("#list", { hasNotText: "shop:3" }).filter({ hasText: "shop:2" }).waitFor();
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator("#list").getByRole("button", { name: "CSV" }).click()]);
  assert.equal(download.suggestedFilename(), "pasted-rows-work-list.csv");
  assert.deepEqual(page.faults, []);
});
