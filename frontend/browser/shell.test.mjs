// What the script does on every page: requests, questions, copies, messages, keys,
// the status bar, signing in. The gallery serves; answers to POST are made here.
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { openBrowser, startGallery } from "./browser.mjs";

let gallery, browser, page;

before(async () => { gallery = await startGallery(); });
after(async () => { await gallery?.stop(); });
beforeEach(async () => {
  browser = await openBrowser();
  page = browser.page;
});
afterEach(async () => {
  const { faults } = page;
  await browser.close();
  assert.deepEqual(faults, []);
});

const open = (path) => page.goto(gallery.address + path);
const focused = (property) => page.evaluate((p) => document.activeElement[p], property);
const html = (status, body) => ({ status, contentType: "text/html; charset=utf-8", body });

/** Answers each POST below a path with the next of the answers; returns what came. */
async function answerPosts(path, answers) {
  const posts = [];
  await page.route(`**${path}*`, async (route) => {
    const request = route.request();
    if (request.method() !== "POST") return route.continue();
    posts.push({ body: request.postData(), headers: request.headers() });
    return route.fulfill(answers.shift());
  });
  return posts;
}

async function part(path, pattern) {
  return (await gallery.text(path)).match(pattern)[0];
}

test("try it now: each press adds a line, focus and grant stay", async () => {
  const answer = await gallery.text("/sample/connect/answer");
  const posts = await answerPosts("/connect/try", [
    html(200, answer.replace("1.c2FtcGxl", "2.bmV3")),
    html(200, answer.replace("14:05:09", "14:05:10")),
  ]);
  await open("/sample/connect/empty");
  await page.focus("#try-reserve");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#try-log li");
  assert.equal(await focused("id"), "try-reserve");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelectorAll("#try-log li").length === 2);
  const sent = new URLSearchParams(posts[1].body);
  assert.equal(sent.get("act"), "reserve");
  assert.equal(sent.get("token"), "2.bmV3");
  assert.match(await page.textContent("#try-log li"), /14:05:10/);
  assert.match(posts[1].headers["content-type"], /^application\/x-www-form-urlencoded/);
});

test("a fault comes back with the form and is tied to its field", async () => {
  const form = await part("/sample/connect/fault", /<form class="try-form"[\s\S]*?<\/form>/);
  await answerPosts("/connect/try", [html(422, form)]);
  await open("/sample/connect/full");
  await page.click("#try-reserve");
  await page.waitForSelector("#try-key-fault");
  assert.equal(await page.getAttribute("#try-key", "aria-invalid"), "true");
});

for (const [status, words] of [[401, /may look, but not change/], [403, /You may not do this/], [409, /meantime/], [413, /too large/], [500, /did not work/]]) {
  test(`a POST refused with ${status} leaves the page and tells why`, async () => {
    await answerPosts("/connect/try", [html(status, "<p>not ours</p>")]);
    await open("/sample/connect/full");
    await page.click("#try-reserve");
    await page.waitForSelector("#alerts toast-note");
    assert.match(await page.textContent("#alerts"), words);
    assert.doesNotMatch(await page.textContent("main"), /not ours/);
    await page.click("#alerts [data-toast-close]");
    assert.equal(await page.locator("#alerts toast-note").count(), 0);
  });
}

test("every POST carries the session of the tab, but none in the window", async () => {
  const answer = await gallery.text("/sample/connect/answer");
  const posts = await answerPosts("/connect/try", [html(200, answer), html(200, answer)]);
  const inWindow = (await gallery.text("/sample/connect/full")).replace("<html ", '<html data-shell="window" ');
  await page.route("**/in-window", (route) => route.fulfill(html(200, inWindow)));
  for (const path of ["/sample/connect/full", "/in-window"]) {
    await open(path);
    await page.evaluate(() => sessionStorage.setItem("dedupe-session", "kept"));
    await page.click("#try-reserve");
    await page.waitForFunction(() => document.querySelectorAll("#try-log li").length === 5);
  }
  assert.equal(posts[0].headers["x-dedupe-session"], "kept");
  assert.equal(posts[1].headers["x-dedupe-session"], undefined);
});

test("a question: Escape and Cancel change nothing, the verb posts once", async () => {
  const card = await part("/sample/connect/made", /<section class="card" id="passwords"[\s\S]*?<\/section>/);
  const posts = await answerPosts("/connect/token", [html(200, card)]);
  await open("/sample/connect/full");
  const replace = page.locator("button[value=replace]").first();
  await replace.click();
  assert.equal(await focused("textContent"), "Cancel");
  await page.keyboard.press("Escape");
  assert.equal(await focused("value"), "replace");
  await replace.click();
  await page.click("[data-confirm-no]");
  assert.equal(posts.length, 0);
  await replace.click();
  await page.click("[data-confirm-yes]");
  await page.waitForSelector(".new-password");
  assert.equal(posts.length, 1);
  assert.equal(new URLSearchParams(posts[0].body).get("act"), "replace");
  assert.equal(await focused("className"), "new-password");
});

test("a question with a word to type", async () => {
  await open("/sample/component/controls");
  await page.click("text=Let 3 events run again…");
  assert.ok(await page.isDisabled("[data-confirm-yes]"));
  await page.fill("input[data-confirm-word]", "3");
  assert.ok(await page.isEnabled("[data-confirm-yes]"));
});

test("copy writes exactly the shown text and says so", async () => {
  await open("/sample/connect/made");
  await page.click("copy-button[for=request-text] button");
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(copied, await page.textContent("#request-text"));
  assert.equal(await page.textContent("copy-button[for=request-text] [data-copy-label]"), "Copied");
  await page.waitForFunction(() => document.getElementById("announce").textContent === "Copied");
  await page.waitForFunction(() => document.querySelector("copy-button[for=request-text] [data-copy-label]").textContent === "Copy");
});

test("a tab changes its card in place and keeps the focus", async () => {
  const whole = await gallery.text("/sample/connect/made");
  await page.route("**/connect?*tool=python", (route) => route.fulfill(html(200, whole.replaceAll("Request for Node", "Request for Python"))));
  await open("/sample/connect/full");
  await page.focus("#tool-python");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelector("#requests").textContent.includes("Request for Python"));
  assert.equal(await focused("id"), "tool-python");
  assert.equal(await page.title(), "Connect · Dedupe Desk");
});

test("single keys act on the page, never while typing", async () => {
  await open("/sample/home/full");
  await page.keyboard.press("?");
  assert.ok(await page.isVisible("#shortcuts"));
  await page.keyboard.press("Escape");
  await page.keyboard.press("/");
  assert.equal(await focused("id"), "search");
  await page.keyboard.type("gk?");
  assert.equal(await page.inputValue("#search"), "gk?");
  assert.ok(!(await page.isVisible("#shortcuts")));
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("g");
  await page.keyboard.press("k");
  await page.waitForURL("**/keys");
});

test("the first stop of Tab skips to the page", async () => {
  await open("/sample/home/full");
  await page.keyboard.press("Tab");
  assert.equal(await focused("className"), "skip-link");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  assert.ok(await page.evaluate(() => document.querySelector("main").contains(document.activeElement)));
});

test("the status bar asks on, and tells when the helper is gone or the session over", async () => {
  await page.clock.install();
  await open("/sample/component/new");
  assert.match(await page.textContent("#status [role=status]"), /Ready, no calls yet/);
  await page.clock.runFor(5_000);
  await page.waitForFunction(() => /Protecting/.test(document.querySelector("#status [role=status]").textContent));
  await page.route("**/status", (route) => route.abort());
  await page.clock.runFor(5_000); // the first answer that stays away is enough
  await page.waitForSelector("#status[data-gone]");
  assert.match(await page.innerText("#status"), /does not answer/);
  await page.unroute("**/status");
  await page.clock.runFor(5_000);
  await page.waitForSelector("#status:not([data-gone])");
  await page.route("**/status", (route) => route.fulfill(html(401, "<p>locked page</p>")));
  await page.clock.runFor(5_000);
  await page.waitForSelector("#status[data-gone]");
  assert.match(await page.innerText("#status"), /Signed out/);
  assert.doesNotMatch(await page.textContent("body"), /locked page/);
});

test("signing in: the code leaves the address, is posted once, its header is kept", async () => {
  const posts = await answerPosts("/session", [{ json: { header: "given" } }]);
  await open("/sample/component/locked#code=ab%2Bc");
  await page.waitForFunction(() => sessionStorage.getItem("dedupe-session") === "given");
  await page.waitForLoadState();
  assert.equal(new URLSearchParams(posts[0].body).get("code"), "ab+c");
  assert.equal(new URL(page.url()).hash, "");
  assert.equal(posts.length, 1);
});

test("signing in with a used code says so", async () => {
  await answerPosts("/session", [{ status: 401, json: {} }]);
  await open("/sample/component/locked#code=old");
  await page.waitForSelector("[data-door-part=refused]");
  assert.ok(!(await page.isVisible("[data-door-part=silent]")));
  assert.equal(new URL(page.url()).hash, "");
});

test("ages go on by the ledger's clock, not by this computer's", async () => {
  await page.clock.install({ time: new Date("2026-12-24T08:00:00Z") });
  await open("/sample/component/window");
  await page.clock.runFor(11 * 60_000);
  assert.equal(await page.textContent("time-ago time"), "37 minutes ago");
  assert.match(await page.getAttribute("time-ago time", "title"), /2026/);
});

test("a browser with the language C works all the same", async () => {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, "language", { configurable: true, get: () => "C" });
  });
  await open("/sample/component/window");
  assert.equal(await page.evaluate(() => navigator.language), "en");
  assert.match(await page.getAttribute("time-ago time", "title"), /2026/);
});
