// Adding samples: a file, a file that is dropped, a paste that is mended, several at
// once, a sender's own.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { House, axeFaults, picture } from "./house.mjs";

let house;
before(async () => { house = await House.open(); });
after(() => house.close());

const editor = (page) => page.waitForURL(/\/design\/rule\?draft=/);
const fresh = async (options) => {
  const page = await house.visit(options);
  await page.goto(house.about.admin + "/design");
  return page;
};
const file = (name, text) => ({ name, mimeType: "application/json", buffer: Buffer.from(text) });

for (const scheme of ["light", "dark"]) {
  test(`a paste with Python's quotes is mended in one press, ${scheme}`, async () => {
    const page = await fresh({ scheme });
    await picture(page, `new-${scheme}`);
    assert.deepEqual(await axeFaults(page), []);
    await page.locator("textarea.paste").fill("{'id': 'evt_1',\n 'paid': True,\n}");
    await page.getByRole("button", { name: "Read this sample" }).click();
    await page.getByRole("button", { name: "Use this" }).waitFor();
    await picture(page, `mend-${scheme}`);
    assert.deepEqual(await axeFaults(page), []);
    await page.getByRole("button", { name: "Use this" }).click();
    await editor(page);
    await page.locator('[role=treeitem][value="body.paid"]', { hasText: "true" }).waitFor();
    await page.getByText("Add a sample", { exact: true }).click();
    await page.getByText("A sender's own samples", { exact: true }).click();
    await picture(page, `add-${scheme}`);
    assert.deepEqual(await axeFaults(page), []);
    assert.deepEqual(page.faults, []);
    await page.context().close();
  });
}

test("a file is read in the page; one that is too large or no text says so", async () => {
  const page = await fresh();
  const pick = async (chosen) => {
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Choose a file" }).click();
    await (await chooser).setFiles(chosen);
  };
  await pick(file("big.json", `"${"x".repeat(1 << 20)}"`));
  await page.getByText("a sample may have 1 MB at most").waitFor();
  await pick({ name: "a.json", mimeType: "application/json", buffer: Buffer.from([0xff, 0xd8, 0xff]) });
  await page.getByText("This file is not text").waitFor();
  assert.deepEqual(await axeFaults(page), []);
  await pick({ name: "a.json", mimeType: "application/json", buffer: Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('{"id":"é"}', "utf16le")]) });
  await editor(page);
  await page.locator('[role=treeitem][value="body.id"]', { hasText: "é" }).waitFor();
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test("a dropped file of several lines asks, and all are sorted", async () => {
  const page = await fresh();
  const lines = ["evt_1", "evt_1", "evt_2"].map((id, i) => JSON.stringify({ id, type: "paid", try: i })).join("\n");
  const drop = await page.evaluateHandle((text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], "calls.jsonl"));
    return data;
  }, lines);
  await page.dispatchEvent("textarea.paste", "drop", { dataTransfer: drop });
  await page.getByText("These look like 3 deliveries").waitFor();
  await picture(page, "several");
  assert.deepEqual(await axeFaults(page), []);
  await page.getByRole("button", { name: "Add all 3" }).click();
  await editor(page);
  await page.getByText("2 copies").waitFor();
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test("a sender is found by keyboard and its samples come sorted", async () => {
  const page = await fresh();
  await page.focus("#start-search");
  await page.keyboard.type("xero");
  assert.equal(await page.locator("#design-new .start-button:visible").count(), 3, "the sender, and the ways without one");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await editor(page);
  await page.getByRole("heading", { name: "Event A" }).waitFor();
  await page.getByRole("heading", { name: "Event B" }).waitFor();
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test("a real event comes to the editor by itself", async () => {
  const password = house.run("token", "new", "catcher");
  const page = await fresh();
  await page.getByRole("button", { name: "Wait for a real event" }).click();
  await editor(page);
  await page.getByText("Waiting for an event").waitFor();
  await picture(page, "catching");
  assert.deepEqual(await axeFaults(page), []);
  const address = await page.locator("#catch-address").textContent();
  const send = (id) => fetch(address, {
    method: "POST", body: JSON.stringify({ id }),
    headers: { Authorization: `Bearer ${password}`, "Content-Type": "application/json", "X-GitHub-Delivery": `d-${id}`, Cookie: "a=b" },
  }).then((r) => r.json());
  assert.deepEqual({ ...(await send("evt_1")), reason: "" }, { status: "caught", run: false, reason: "" });
  await page.locator('[role=treeitem][value="body.id"]', { hasText: "evt_1" }).waitFor();
  await page.locator("textarea.paste").fill("half a");
  await send("evt_2");
  await page.locator("#ask-title").waitFor();
  assert.equal(await page.locator("textarea.paste").inputValue(), "half a", "what is typed meanwhile stays");
  assert.equal(await page.evaluate(() => document.activeElement.id), "ask-title");
  await page.getByRole("button", { name: "A different event" }).click();
  await page.getByRole("heading", { name: "Event B" }).waitFor();
  await page.getByRole("button", { name: "Stop waiting" }).click();
  assert.ok(await page.locator("textarea.paste").isVisible(), "and in sight");
  await page.getByText("Waiting for an event").waitFor({ state: "detached" });
  assert.equal((await send("evt_3")).code, "nobody_waits");
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test("a rule is shared masked and opened again", async () => {
  const page = await fresh();
  await page.locator("textarea.paste").first().fill(JSON.stringify({ id: "evt_private", mail: "robin@example.com" }));
  await page.getByRole("button", { name: "Read this sample" }).click();
  await editor(page);
  await page.locator('[role=treeitem][value="body.id"]').click();
  await page.getByRole("link", { name: "Share this rule" }).click();
  await page.waitForURL(/\/design\/share/);
  const text = await page.locator("#share-text").textContent();
  assert.ok(!/private|robin/.test(text), text);
  await picture(page, "share");
  assert.deepEqual(await axeFaults(page), []);
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: /^Save as/ }).click();
  assert.match((await saved).suggestedFilename(), /\.yaml$/);
  await page.goto(house.about.admin + "/design");
  await page.getByText("Open a shared rule").click();
  await page.locator("#shared").fill(text);
  await page.getByRole("button", { name: "Open it" }).click();
  await editor(page);
  await page.locator('[role=treeitem][value="body.id"][aria-checked="true"]').waitFor();
  assert.deepEqual(page.faults, []);
  await page.context().close();
});
