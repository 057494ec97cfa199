// A person lets themselves be told, tries it, and is told of a key that needs a decision.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { House, axeFaults, picture } from "./house.mjs";

let house, page, hook;
const came = [];
before(async () => {
  hook = createServer((request, response) => {
    let text = "";
    request.on("data", (d) => { text += d; });
    request.on("end", () => { came.push(JSON.parse(text)); response.end("ok"); });
  });
  await new Promise((up) => hook.listen(0, "127.0.0.1", up));
  house = await House.open();
  page = await house.visit();
});
after(async () => { await house.close(); hook.close(); });

test("a hook is tried and saved, and told of what needs a decision", async () => {
  await page.goto(house.about.admin + "/keys/alerts");
  await page.getByLabel("Tell").selectOption("json");
  await page.getByLabel("Address of the hook").fill(`http://127.0.0.1:${hook.address().port}/hook/secret-tail`);
  await page.getByRole("button", { name: /^Send a test message/ }).click();
  await page.getByText("It was taken.").waitFor();
  assert.equal(came.length, 1);
  assert.equal(came[0].test, true);
  await page.getByRole("button", { name: /^Save/ }).click();
  await page.getByText("Nothing to tell yet").waitFor();
  assert.ok(!(await page.content()).includes("secret-tail"));
  for (const [scheme, width] of [["light", 1280], ["dark", 380]]) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height: 900 });
    await picture(page, `alerts-${width}`);
    assert.deepEqual(await axeFaults(page), [], `${scheme} ${width}`);
  }
  house.run("claim", "order:1", "--owner", "7");
  house.shift("+1100s");
  for (let i = 0; came.length < 2 && i < 400; i++) await new Promise((done) => setTimeout(done, 100));
  assert.equal(came.length, 2, "no alert came");
  assert.equal(came[1].need_decision, 1);
  assert.ok(!JSON.stringify(came[1]).includes("order:1"), "a key is named though nobody asked for it");
  await page.reload();
  await page.getByText("Told last").waitFor();
  assert.deepEqual(page.faults, []);
});
