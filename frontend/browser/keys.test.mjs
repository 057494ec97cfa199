// Keys in a browser: the list by keyboard, and each answer to a key that needs a
// decision, as far as a person sees it.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { House, axeFaults, picture } from "./house.mjs";

const hostile = "<img src=x onerror=alert(1)>";
const odd = [hostile, '=HYPERLINK("http://example.org")', "طلب:٤٢", "k".repeat(255)];

let house;
before(async () => {
  house = await House.open();
  house.run("claim", "order:late", "--owner", "8840");
  house.run("claim", "order:twice", "--owner", "8841");
  house.run("claim", "order:done", "--owner", "8842");
  house.run("done", "order:done", "--owner", "8842", "--result", '{"id":9007199254740993}');
  for (const key of odd) house.run("claim", key);
  house.run("claim", "order:undo", "--owner", "8843");
  house.run("claim", "order:exact", "--owner", "8846");
  house.run("claim", "order:meanwhile", "--owner", "8844");
  house.run("claim", "order:forget", "--owner", "8845");
  house.shift("+1100s");
});
after(() => house.close());

const one = (key) => house.about.admin + "/keys/one?" + new URLSearchParams({ rule: "default", key });
const badge = (page) => page.locator(".key-state .badge");
const focused = (page) => page.evaluate(() => document.activeElement.textContent.trim());

test("a list of hostile keys is text, and moves by keyboard", async () => {
  const page = await house.visit();
  let alerts = 0;
  page.on("dialog", (d) => { alerts++; d.dismiss(); });
  await page.goto(house.about.admin + "/keys?view=stuck");
  const keys = await page.locator("[data-key-row] .event-key").allTextContents();
  for (const key of odd) assert.ok(keys.includes(key), key + " is not in the list as it is");
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  assert.equal(await focused(page), keys[1]);
  await page.keyboard.press("k");
  assert.equal(await focused(page), keys[0]);
  await page.keyboard.press("c");
  await page.getByText("Copied", { exact: true }).first().waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), keys[0]);
  await page.fill("#keys-q", "");
  await page.locator("#keys-q").pressSequentially("jkc");
  assert.equal(await page.inputValue("#keys-q"), "jkc");
  await page.getByRole("button", { name: "Copy link" }).click();
  await page.waitForFunction((url) => navigator.clipboard.readText().then((t) => t === url), page.url());
  await page.locator(".keys-open").first().focus();
  await page.keyboard.press("Enter");
  await page.waitForURL("**/keys/one?**");
  assert.equal(alerts, 0);
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

for (const [scheme, width] of [["light", 1280], ["dark", 1280], ["light", 380]]) {
  test(`one key is clean in ${scheme} at ${width} pixels`, async (t) => {
    const page = await house.visit({ scheme, width });
    for (const key of ["order:late", "order:done", hostile, "k".repeat(255), "never-asked"]) {
      await t.test(key.slice(0, 30), async () => {
        await page.goto(one(key));
        await picture(page, `key-${key.slice(0, 12).replace(/\W+/g, "-")}-${scheme}-${width}`);
        assert.deepEqual(await axeFaults(page), []);
        const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        assert.ok(over <= 0, `${over} pixels wider than the window`);
      });
    }
    await page.context().close();
  });
}

test("letting a key run again asks first, then the next copy gets it", async () => {
  const page = await house.visit();
  await page.goto(one("order:twice"));
  await page.getByText("Did the work happen?").waitFor();
  await page.fill("#why-again", "There is no order.");
  await page.locator("#why-again").blur();
  await page.keyboard.press("a");
  assert.equal(await focused(page), "No, let it run again…");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor();
  assert.equal(await focused(page), "Cancel");
  await page.keyboard.press("Escape");
  assert.match(await badge(page).textContent(), /Needs a decision/);
  await page.getByRole("button", { name: "No, let it run again…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Let it run again" }).click();
  await page.getByText("Ana let it run again").waitFor();
  assert.match(await badge(page).textContent(), /Waiting for another try/);
  assert.equal(await page.evaluate(() => document.activeElement.className), "key-said");
  assert.equal(house.run("claim", "order:twice", "--owner", "9001"), "claimed");
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test("a finish by hand can be undone where the key then stands as before", async () => {
  const page = await house.visit({ role: "decide" });
  await page.goto(one("order:undo"));
  await page.fill("#why-finished", "The order is there.");
  await page.getByRole("button", { name: "Yes, it finished" }).click();
  await page.getByText("Ana marked it as finished").waitFor();
  assert.equal(await page.getByRole("button", { name: "Undo" }).count(), 0, "it might have run by itself before");

  await page.goto(one("order:exact"));
  await page.getByText("It is not blocked").waitFor();
  await page.fill("#why-block", "I ask the supplier.");
  await page.getByRole("button", { name: "Block it" }).click();
  await page.getByText("Ana blocked it").waitFor();
  await page.fill("#why-finished", "The order is there.");
  await page.getByRole("button", { name: "Yes, it finished" }).click();
  await page.getByText("Ana marked it as finished").waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("Taken back. It is blocked as before").waitFor();
  assert.match(await badge(page).textContent(), /Needs a decision/);
  await page.locator("toast-note").waitFor({ state: "detached" });
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test("what changed meanwhile is left alone", async () => {
  const page = await house.visit();
  await page.goto(one("order:meanwhile"));
  house.run("done", "order:meanwhile", "--owner", "8844");
  await page.fill("#why-block", "I ask the supplier.");
  await page.getByRole("button", { name: "Block it" }).click();
  await page.getByText(/Run 8844 finished it .*\. Nothing was changed\./).waitFor();
  assert.match(await badge(page).textContent(), /Finished/);
  await page.context().close();
});

test("an answer without a reason comes back with the fault at its field", async () => {
  const page = await house.visit();
  await page.goto(one("order:late"));
  assert.equal(await page.inputValue("#why-finished"), "", "the page states nothing in a person's name");
  await page.getByRole("button", { name: "Yes, it finished" }).click();
  await page.getByText("Say in a few words why.").waitFor();
  assert.equal(await page.getAttribute("#why-finished", "aria-invalid"), "true");
  // Nothing is asked before the reason is there.
  await page.getByRole("button", { name: "No, let it run again…" }).click();
  await page.locator("#why-again-fault").waitFor();
  assert.equal(await page.getByRole("dialog").count(), 0);
  assert.deepEqual(await axeFaults(page), []);
  await page.context().close();
});

test("forgetting asks for the word", async () => {
  const page = await house.visit();
  await page.goto(one("order:forget"));
  await page.locator("summary", { hasText: "Forget this key…" }).click();
  await page.fill("#why-forget", "A test order.");
  await page.getByRole("button", { name: "Forget this key…" }).click();
  const sure = page.getByRole("dialog").getByRole("button", { name: "Forget this key" });
  assert.ok(await sure.isDisabled());
  await page.fill("#confirm-word", "forget");
  await sure.click();
  await page.getByRole("heading", { name: "Forgotten" }).waitFor();
  assert.equal(house.run("claim", "order:forget"), "claimed");
  await page.context().close();
});

test("who may look sees the question and no answer to press", async () => {
  const page = await house.visit({ role: "look" });
  await page.goto(one("order:late"));
  await page.getByText("You may look, but not answer.").waitFor();
  assert.equal(await page.getByRole("button", { name: "Yes, it finished" }).count(), 0);
  assert.deepEqual(await axeFaults(page), []);
  await page.context().close();
});

test("what the list shows is saved as a file, with progress", async () => {
  const page = await house.visit({ role: "look" });
  await page.goto(house.about.admin + "/keys?q=order:");
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator("keys-export").getByRole("link", { name: "CSV" }).click()]);
  assert.match(download.suggestedFilename(), /^keys-.*\.csv$/);
  const text = readFileSync(await download.path(), "utf8");
  assert.ok(text.includes("order:done") && !text.includes("kkkk"), text.slice(0, 300));
  await page.getByText(/was saved\./).waitFor();
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test("what changes meanwhile is shown in its row, which stays where it is", async () => {
  const page = await house.visit();
  await page.clock.install();
  house.run("claim", "live:1", "--owner", "1");
  house.run("claim", "live:2", "--owner", "2");
  await page.goto(house.about.admin + "/keys");
  const rows = page.locator("[data-key-row]");
  assert.match(await rows.nth(1).textContent(), /live:1[^]*In progress/);
  await rows.nth(1).locator(".keys-open").focus();
  house.run("done", "live:1", "--owner", "1");
  await page.clock.runFor(11_000);
  await rows.nth(1).getByText("Finished").waitFor();
  assert.match(await rows.nth(1).textContent(), /live:1/);
  assert.match(await rows.nth(0).textContent(), /live:2[^]*In progress/);
  assert.equal(await focused(page), "live:1");
  await page.getByText("1 new or changed since you loaded this list.").waitFor();
  assert.deepEqual(page.faults, []);
  await page.context().close();
});
