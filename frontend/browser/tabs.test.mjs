// Several tabs of one browser: the right to change things goes from tab to tab, and a
// tab that has none says so before anything is filled in.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { House, axeFaults, picture } from "./house.mjs";

let house;
before(async () => { house = await House.open(); });
after(() => house.close());

const reserve = (page) => page.getByRole("button", { name: "Reserve", exact: true }).click();
const header = (page) => page.evaluate(() => sessionStorage.getItem("dedupe-session"));

test("a new tab gets the right to change from the one that has it", async () => {
  const first = await house.visit();
  const second = await first.context().newPage();
  await second.goto(house.about.admin + "/connect");
  await second.waitForFunction(() => sessionStorage.getItem("dedupe-session") !== null);
  await reserve(second);
  await second.locator("#try-log").getByText("You got it.").waitFor();
  assert.equal(await second.locator("#tab-looks").count(), 0);
  await first.context().close();
});

test("a tab that nobody answers says at once that it may only look", async () => {
  const first = await house.visit();
  const second = await first.context().newPage();
  await first.close();
  await second.goto(house.about.admin + "/connect");
  await second.locator("#tab-looks", { hasText: "This tab may look, but not change anything" }).waitFor();
  assert.match(await second.locator("#tab-looks code").textContent(), /open/);
  for (const scheme of ["light", "dark"]) {
    await second.emulateMedia({ colorScheme: scheme });
    await picture(second, `tab-looks-${scheme}`);
    assert.deepEqual(await axeFaults(second), []);
  }
  await reserve(second);
  await second.locator("#alerts", { hasText: "This tab may look, but not change anything" }).waitFor();
  await second.context().close();
});

test("an address opened in a second tab keeps the first one's right", async () => {
  const first = await house.visit();
  const before = await header(first);
  await first.goto(house.about.admin + "/connect");
  const second = await first.context().newPage();
  await second.goto(house.run("open", "--print", "--name", "Ana", "--role", "change"));
  await second.getByRole("navigation", { name: "Main" }).waitFor();
  await first.waitForFunction((old) => sessionStorage.getItem("dedupe-session") !== old, before);
  await first.fill("#try-key", "test:second");
  await reserve(first);
  await first.locator("#try-log").getByText("You got it.").waitFor();
  await first.context().close();
});

test("a tab whose right is over takes that of another tab and says so", async () => {
  const first = await house.visit();
  await first.goto(house.about.admin + "/connect");
  const second = await first.context().newPage();
  await second.goto(house.about.admin + "/keys");
  await second.waitForFunction(() => sessionStorage.getItem("dedupe-session") !== null);
  await first.evaluate(() => sessionStorage.setItem("dedupe-session", "of an older session"));
  await first.fill("#try-key", "test:third");
  await reserve(first);
  await first.locator("#toasts", { hasText: "This tab may change things again." }).waitFor();
  await reserve(first);
  await first.locator("#try-log").getByText("You got it.").waitFor();
  await first.context().close();
});

test("a locked tab opens when another tab of this browser signs in", async () => {
  const context = await house.browser.newContext();
  const locked = await context.newPage();
  await locked.goto(house.about.admin + "/keys");
  await locked.getByText("This page is locked").waitFor();
  const other = await context.newPage();
  await other.goto(house.run("open", "--print", "--name", "Ana", "--role", "look"));
  await locked.getByRole("navigation", { name: "Main" }).waitFor();
  await locked.getByText("You may look at everything, but not change anything.").waitFor();
  assert.equal(await locked.locator("#tab-looks").count(), 0, "one notice is enough");
  await context.close();
});
