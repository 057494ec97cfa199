// Two people decide on many keys at once: each touches exactly what the page named, what
// the other did meanwhile is left alone in words, and Undo puts the question back.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { House, axeFaults, picture } from "./house.mjs";

let house, ana, bo;
before(async () => {
  house = await House.open();
  for (let i = 1; i <= 6; i++) house.run("claim", `order:${i}`, "--owner", `88${i}`);
  // What was in progress where it came from waits for a decision.
  const lines = Array.from({ length: 1200 }, (_, i) => JSON.stringify({ key: `import:${String(i).padStart(4, "0")}`, state: "claimed", claimed_at: "2026-11-01T00:00:00Z" }));
  writeFileSync(join(house.work, "keys.jsonl"), lines.join("\n") + "\n");
  house.run("import", join(house.work, "keys.jsonl"));
  house.shift("+1100s");
  ana = await house.visit();
  bo = await house.visit({ name: "Bo", role: "decide" });
});
after(() => house.close());

const list = (page, query) => page.goto(`${house.about.admin}/keys?view=stuck&q=${query}`);
const state = (key) => JSON.parse(house.run("key", key, "--json")).state;
const tick = (page, key) => page.getByRole("checkbox", { name: "Tick key " + key }).check();
const decide = async (page, why, answer) => {
  await page.getByLabel("Why").fill(why);
  await page.getByRole("button", { name: answer }).click();
};

test("what another person decided meanwhile is left alone, and Undo works", async () => {
  await list(ana, "order:");
  await list(bo, "order:");
  for (const key of ["order:1", "order:2", "order:3"]) await tick(ana, key);
  await ana.getByText("3 ticked").waitFor();
  await ana.getByRole("button", { name: "Decide on the ticked ones…" }).click();
  await ana.getByRole("heading", { name: "3 ticked: did the work happen?" }).waitFor();
  assert.deepEqual(await axeFaults(ana), []);
  // Bo lets one of them run again, and a late run finishes another.
  await tick(bo, "order:2");
  await bo.getByRole("button", { name: "Decide on the ticked ones…" }).click();
  await decide(bo, "none is there", "Let them run again…");
  const dialog = bo.getByRole("dialog");
  await dialog.getByText("Let 1 event run again?").waitFor();
  assert.match(await dialog.textContent(), /order:2/);
  await dialog.getByRole("button", { name: "Let 1 event run again" }).click();
  await bo.getByText("1 key may run again.").waitFor();
  house.run("done", "order:3", "--owner", "883");
  await decide(ana, "all are there", "They finished");
  await ana.getByText("1 key marked as finished.").waitFor();
  const panel = ana.locator("#keys-bulk");
  await panel.getByText("2 keys changed meanwhile and were left alone.").waitFor();
  assert.match(await panel.textContent(), /Bo let it run again/);
  assert.match(await panel.textContent(), /finished it/);
  await picture(ana, "bulk-left");
  assert.deepEqual(["order:1", "order:2", "order:3", "order:4"].map(state), ["done", "retryable", "done", "claimed"]);
  // The list follows by itself.
  await ana.locator("[data-key-row]", { hasText: "order:1" }).waitFor({ state: "detached" });
  await panel.getByRole("button", { name: "Undo" }).click();
  await ana.getByText("1 key put back: blocked until somebody decides.").waitFor();
  assert.equal(state("order:1"), "held");
  await ana.locator("[data-key-row]", { hasText: "order:1" }).waitFor();
});

test("by keyboard: x ticks, Shift and x a range", async () => {
  await list(ana, "order:");
  await ana.keyboard.press("j");
  await ana.keyboard.press("x");
  await ana.keyboard.press("j");
  await ana.keyboard.press("j");
  await ana.keyboard.press("Shift+X");
  await ana.getByText("3 ticked").waitFor();
  await ana.keyboard.press("x");
  await ana.getByText("2 ticked").waitFor();
});

test("all that match are counted, asked for by number, and no others are touched", async () => {
  await list(ana, "import:");
  await ana.getByRole("button", { name: "Decide on all that match…" }).click();
  await ana.getByRole("heading", { name: "All 1,200 that match: did the work happen?" }).waitFor();
  house.run("claim", "import:new", "--owner", "1");
  house.shift("+2200s"); // the new one gets stuck behind the question
  await decide(ana, "none is there", "Let them run again…");
  const dialog = ana.getByRole("dialog");
  const yes = dialog.getByRole("button", { name: "Let 1,200 events run again" });
  assert.equal(await yes.isDisabled(), true);
  await dialog.getByRole("textbox").fill("120");
  assert.equal(await yes.isDisabled(), true);
  await dialog.getByRole("textbox").fill("1200");
  await yes.click();
  await ana.getByText("1,200 keys may run again.").waitFor({ timeout: 60_000 });
  assert.equal(state("import:new"), "claimed");
  assert.deepEqual([state("import:0000"), state("import:1199"), state("order:4")], ["retryable", "retryable", "claimed"]);
  await bo.goto(house.about.admin + "/keys/recent");
  await bo.getByText("1,200 keys may run again.").waitFor();
  assert.deepEqual(await axeFaults(bo), []);
});

test("nothing went wrong on the way", () => {
  assert.deepEqual([...ana.faults, ...bo.faults], []);
});
