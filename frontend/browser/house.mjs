// A house for one test file: an engine on a data folder of its own, and a
// Chromium that has opened the app by a one-time address.
//
// DEDUPE names the built program; build/test makes it. CHROMIUM names another
// browser than Debian's. PICTURES names a folder that pictures go into.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";

const program = resolve(process.env.DEDUPE ?? "../../build/bin/dedupe");
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

// The flags that a browser needs as root, in a closed network.
const flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync"];

export class House {
  // Without a test clock no page speaks of one.
  static async open({ testClock = true } = {}) {
    const house = new House();
    house.work = mkdtempSync(join(tmpdir(), "dedupe-browser-"));
    house.data = join(house.work, "data");
    house.clock = join(house.work, "clock");
    house.env = testClock ? { ...process.env, DEDUPE_TEST_CLOCK: house.clock } : process.env;
    house.start();
    await house.answers();
    house.browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: flags });
    return house;
  }

  start() {
    this.engine = spawn(program, ["serve", "--data", this.data, "--api", "127.0.0.1:0", "--admin", "127.0.0.1:0"],
      { env: this.env, stdio: ["ignore", "ignore", "pipe"] });
    this.said = "";
    this.engine.stderr.on("data", (d) => { this.said += d; });
  }

  async answers() {
    for (let i = 0; i < 600; i++) {
      const file = join(this.data, "engine.json");
      if (existsSync(file)) {
        this.about = JSON.parse(readFileSync(file, "utf8"));
        if (this.about.pid === this.engine.pid) {
          const ok = await fetch(this.about.api + "/healthz").then((r) => r.ok, () => false);
          if (ok) return;
        }
      }
      await new Promise((done) => setTimeout(done, 50));
    }
    throw new Error("the engine did not start:\n" + this.said);
  }

  // run calls the command line on this house's data folder.
  run(...args) {
    return execFileSync(program, [...args, "--data", this.data], { env: this.env, encoding: "utf8" }).trim();
  }

  shift(by) { writeFileSync(this.clock, by); }

  // visit returns a page that has come in by a one-time address, and collects
  // what must never happen on it.
  async visit({ scheme = "light", width = 1280, height = 900, name = "Ana", role = "change" } = {}) {
    const context = await this.browser.newContext({ colorScheme: scheme, viewport: { width, height }, bypassCSP: false });
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const page = await context.newPage();
    page.faults = [];
    page.on("pageerror", (e) => page.faults.push("script: " + e.message));
    page.on("console", (m) => {
      // Taking a picture adds a style, which the policy stops: no fault of the page.
      if (/Content Security Policy/i.test(m.text()) && !process.env.PICTURES) page.faults.push("policy: " + m.text());
    });
    page.on("request", (r) => {
      if (!r.url().startsWith(this.about.admin) && !/^(data|blob|about):/.test(r.url())) page.faults.push("leaves this computer: " + r.url());
    });
    page.on("response", (r) => {
      if (r.status() >= 300 && r.status() < 400) page.faults.push("redirect: " + r.url());
    });
    await page.goto(this.run("open", "--print", "--name", name, "--role", role));
    await page.getByRole("navigation", { name: "Main" }).waitFor();
    return page;
  }

  async close() {
    await this.browser?.close();
    this.engine.kill("SIGINT");
    await new Promise((done) => (this.engine.exitCode === null ? this.engine.once("exit", done) : done()));
    rmSync(this.work, { recursive: true, force: true });
  }
}

// axeFaults returns what axe finds on a page, one line a fault.
export async function axeFaults(page) {
  // Colours are measured, so a button's transition must have ended.
  await page.evaluate(() => new Promise((done) => {
    const look = () => (document.getAnimations().every((a) => a.effect?.getComputedTiming().iterations === Infinity) ? done() : requestAnimationFrame(look));
    look();
  }));
  // What lies half under the bar at the foot counts as too small, and a person would scroll.
  const seen = page.viewportSize();
  await page.setViewportSize({ width: seen.width, height: Math.max(seen.height, await page.evaluate(() => document.documentElement.scrollHeight)) });
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  // The policy forbids added scripts, so axe comes in through the debugger.
  await page.evaluate(axe);
  const found = await page.evaluate(() => globalThis.axe.run(document, {
    runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
  }));
  await page.setViewportSize(seen);
  return found.violations.flatMap((v) => v.nodes.map((n) => `${v.id}: ${n.target.join(" ")} — ${n.failureSummary?.split("\n")[1]?.trim() ?? v.help}`));
}

// picture keeps a picture where PICTURES names a folder.
export async function picture(page, name) {
  if (process.env.PICTURES) await page.screenshot({ path: join(process.env.PICTURES, name + ".png"), fullPage: true });
}

// sample returns a delivery's text from the rules' own test data.
export const sample = (path) => readFileSync(new URL("../../rules/testdata/" + path, import.meta.url), "utf8");

// writeFormula replaces what a formula's editor holds, as a paste does.
export async function writeFormula(page, text, name = "Formula of the key") {
  await page.getByRole("textbox", { name }).focus();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText(text);
}
