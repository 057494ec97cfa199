// The chart of hours draws its table, and says the same.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { House, axeFaults, picture } from "./house.mjs";

let house, page;
before(async () => {
  house = await House.open();
  for (const key of ["a", "b", "c"]) house.run("claim", key, "--owner", "1");
  try { house.run("claim", "a", "--owner", "2"); } catch { /* a copy ends with another code */ }
  page = await house.visit({ role: "look" });
});
after(() => house.close());

test("the chart, its words and its table agree", async () => {
  await page.goto(house.about.admin + "/keys");
  await page.getByText("In the last 24 hours: 3 let through, 1 copy stopped.").waitFor();
  await page.getByRole("link", { name: "Hour by hour" }).click();
  const chart = page.getByRole("img", { name: "In the last 24 hours: 3 let through, 1 copy stopped." });
  await chart.locator("canvas").waitFor();
  assert.ok(await chart.locator("canvas").evaluate((c) => c.getContext("2d").getImageData(0, 0, c.width, c.height).data.some((v) => v > 0)), "nothing is drawn");
  // The newest hour stands at the right edge.
  const over = await chart.locator(".u-over").boundingBox();
  await page.mouse.move(over.x + over.width - 2, over.y + 20);
  await page.waitForFunction(() => /Let through\s*3/.test(document.querySelector(".u-legend")?.textContent.replaceAll("\n", "") ?? ""));
  await page.locator("#by-hour summary").click();
  const last = page.locator("#by-hour tbody tr").last();
  assert.match(await last.textContent(), /3\s*1\s*0/);
  assert.equal(await page.locator("#by-hour thead th").first().textContent(), "Hour");
  for (const [scheme, width] of [["light", 1280], ["dark", 380]]) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height: 900 });
    await page.waitForFunction((w) => document.querySelector(".u-wrap").clientWidth < w, width);
    await picture(page, `figures-${width}`);
    assert.deepEqual(await axeFaults(page), [], `${scheme} ${width}`);
  }
  await page.getByRole("link", { name: "7 days" }).click();
  await page.getByText("In the last 7 days: 3 let through").first().waitFor();
  assert.deepEqual(page.faults, []);
});
