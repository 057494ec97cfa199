// What the browser tests stand on: the gallery as server, Debian's Chromium as
// browser. CHROMIUM names another browser.
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

const root = new URL("../../", import.meta.url).pathname;

/** Starts the gallery on a free port. */
export async function startGallery() {
  const folder = await mkdtemp(join(tmpdir(), "gallery-"));
  const program = join(folder, "gallery");
  await finished(spawn("go", ["build", "-o", program, "./frontend/gallery"], { cwd: root, stdio: "inherit" }));
  const child = spawn(program, ["-address", "127.0.0.1:0"], { stdio: ["ignore", "pipe", "inherit"] });
  const first = await new Promise((resolve, reject) => {
    child.stdout.once("data", resolve);
    child.once("exit", (code) => reject(new Error(`gallery ended with ${code}`)));
  });
  const address = String(first).trim().replace(/\/$/, "");
  return {
    address,
    text: async (path) => (await fetch(address + path)).text(),
    stop: async () => {
      child.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function finished(child) {
  return new Promise((resolve, reject) => {
    child.once("exit", (code) => (code === 0 ? resolve() : reject(new Error(`go build ended with ${code}`))));
  });
}

/**
 * Opens Chromium with an empty profile. The page collects what goes wrong in
 * page.faults: exceptions and violations of the policy.
 */
export async function openBrowser(options = {}) {
  const profile = await mkdtemp(join(tmpdir(), "browser-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    headless: true,
    permissions: ["clipboard-read", "clipboard-write"],
    args: [
      "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
      "--disable-background-networking", "--disable-component-update", "--disable-sync",
    ],
    ...options,
  });
  const page = await context.newPage();
  page.faults = [];
  page.on("pageerror", (error) => page.faults.push(error.message));
  page.on("console", (message) => {
    if (message.text().includes("Content Security Policy")) page.faults.push(message.text());
  });
  return {
    page,
    close: async () => {
      await context.close();
      await rm(profile, { recursive: true, force: true });
    },
  };
}

// The rules of axe that look at colours. All others say the same of a page in any scheme.
const colours = ["color-contrast", "link-in-text-block"];

/**
 * Returns axe's violations of WCAG 2.2 AA and its best practices, one a line; with
 * coloursAlone those of colours.
 */
export async function axe(page, coloursAlone = false) {
  const script = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
  await page.evaluate(await readFile(script, "utf8"));
  return page.evaluate(async (rules) => {
    const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
    const { violations } = await window.axe.run({ runOnly: rules ?? tags });
    return violations.flatMap((v) => v.nodes.map((n) => `${v.id} at ${n.target.join(" ")}`));
  }, coloursAlone ? colours : null);
}
