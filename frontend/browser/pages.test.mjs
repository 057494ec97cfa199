// Every page, in both schemes and three widths: axe finds nothing, nothing leaves
// this computer, no policy is broken, nothing is cut off sideways.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { House, axeFaults, picture } from "./house.mjs";

let house;
before(async () => {
  house = await House.open();
  house.run("rule", "import", new URL("../../rules/testdata/import/stripe.yaml", import.meta.url).pathname);
  house.run("claim", "stripe:evt_running", "--owner", "run 8841", "--json");
  house.run("claim", "stripe:evt_finished");
  house.run("done", "stripe:evt_finished");
});
after(() => house.close());

const pages = ["/", "/design", "/steps", "/steps?one=1", "/keys", "/keys?view=stuck", "/keys?q=nothing-like-this", "/connect", "/connect/api", "/connect/api?call=ListKeys", "/nowhere"];

for (const scheme of ["light", "dark"]) {
  test(`axe finds nothing in ${scheme}`, async (t) => {
    const page = await house.visit({ scheme });
    for (const path of pages) {
      await t.test(path, async () => {
        await page.goto(house.about.admin + path);
        await picture(page, `page${path.replace(/\W+/g, "-")}-${scheme}`);
        assert.deepEqual(await axeFaults(page), []);
      });
    }
    assert.deepEqual(page.faults, []);
    await page.context().close();
  });
}

for (const width of [900, 640, 380]) {
  test(`nothing is cut off at ${width} pixels`, async (t) => {
    const page = await house.visit({ width });
    for (const path of pages) {
      await t.test(path, async () => {
        await page.goto(house.about.admin + path);
        await picture(page, `page${path.replace(/\W+/g, "-")}-${width}`);
        const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        assert.ok(over <= 0, `${over} pixels wider than the window`);
      });
    }
    await page.context().close();
  });
}

test("the keyboard reaches every place", async () => {
  const page = await house.visit();
  for (const [key, path] of [["d", "/design"], ["s", "/steps"], ["k", "/keys"], ["c", "/connect"], ["h", "/"]]) {
    await page.keyboard.press("g");
    await page.keyboard.press(key);
    await page.waitForURL(house.about.admin + path);
  }
  await page.keyboard.press("/");
  assert.equal(await page.evaluate(() => document.activeElement?.id), "search");
  await page.context().close();
});

test("a browser without a session sees the way in and nothing else", async () => {
  const context = await house.browser.newContext();
  const page = await context.newPage();
  const answer = await page.goto(house.about.admin + "/keys");
  assert.equal(answer.status(), 401);
  await page.getByText("dedupe open").first().waitFor();
  assert.equal(await page.getByText("stripe:evt_running").count(), 0);
  assert.deepEqual(await axeFaults(page), []);
  await context.close();
});

test("a pause at the foot of the page stops every claim until somebody resumes", async () => {
  const page = await house.visit();
  const password = house.run("token", "new", "pausing");
  const claim = async () => {
    const answer = await fetch(house.about.api + "/v1/claim", { method: "POST", headers: { "X-Api-Key": password }, body: new URLSearchParams({ key: "while-paused", owner: "run 1" }) });
    return [answer.status, (await answer.json()).code];
  };
  const bar = page.getByRole("contentinfo", { name: "Status" });
  const question = page.getByRole("dialog", { name: "Pause everything?" });
  await bar.getByRole("button", { name: "Pause" }).click();
  await picture(page, "pause-question");
  await question.getByRole("button", { name: "Cancel" }).click();
  await bar.getByRole("button", { name: "Pause" }).press("Enter");
  await question.getByRole("button", { name: "Pause" }).press("Enter");
  await bar.getByText('Paused by Ana: every request gets "try later"').waitFor();
  assert.deepEqual(await claim(), [503, "paused"]);
  const other = await house.visit({ scheme: "dark", width: 380, role: "look" });
  await other.getByText("Paused by Ana").waitFor();
  assert.equal(await other.getByRole("button", { name: "Resume" }).count(), 0);
  for (const width of [1280, 900, 380]) {
    await page.setViewportSize({ width, height: 700 });
    await picture(page, `pause-${width}`);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth), `cut off at ${width}`);
  }
  assert.deepEqual(await axeFaults(page), []);
  await picture(other, "pause-look");
  assert.deepEqual(await axeFaults(other), []);
  await other.context().close();
  await bar.getByRole("button", { name: "Resume" }).click();
  await bar.getByRole("button", { name: "Pause" }).waitFor();
  assert.deepEqual(await claim(), [200, undefined]);
  assert.deepEqual([...page.faults, ...other.faults], []);
  await page.context().close();
});

test("the status bar says so when the engine is gone", async () => {
  const page = await house.visit();
  house.engine.kill("SIGKILL");
  await page.getByText("Not protecting: the background helper does not answer").waitFor({ timeout: 30_000 });
  await picture(page, "engine-gone");
  house.start();
  await house.answers();
  await page.context().close();
});
