#!/usr/bin/env node
// Does the work of an event once, however often the event comes. It asks Dedupe Desk
// before the work and reports after it. It needs Node 18 and nothing else.
//
//   DEDUPE_TOKEN=… node THIS-FILE EVENT.json [HEADERS.json]
//
// EVENT.json is the event as the sender sent it ("-" reads it from the input), and
// HEADERS.json an object with its headers, if the rule reads one. The password comes from
// DEDUPE_TOKEN and never stands in this file.
//
// Exit code: 0 the work was done, or this was a copy. 1 the work failed and its key was
// given back, or a person has to decide (see Keys). 2 the key could not be asked for or
// reported. 75 another run is at it: try again later, in case that one fails.
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { basename } from "node:path";

const RULE = «js .Rule»;
const ADDRESS = «js .Address»;
const BEAT = «.Beat»; // seconds between two requests for more time
const GO_ON = «.GoOn»; // work without asking where nobody answers
«- if .Each»
const ITEMS = «jsList .EachPath»; // where the event has the list of items
«- end»

«if .Each -»
// Your work for one item of the event. Return the id of what was made, or nothing; throw to
// fail. Numbers of more than 15 digits lose the last ones in event; the key does not.
async function work(event, item, key) {
«- else -»
// Your work for the event. Return the id of what was made, or nothing; throw to fail.
// Numbers of more than 15 digits lose the last ones in event; the key does not.
async function work(event, key) {
«- end»
  throw new Error("Put your work into the function work of this file.");
}

const OWNER = `js-${hostname().slice(0, 60)}-${process.pid}-${randomBytes(8).toString("hex")}`;

// NoAnswer: nobody answered, or something else than Dedupe Desk did.
class NoAnswer extends Error {}

// Refused: Dedupe Desk said no.
class Refused extends Error {}

const STATUSES = ["claimed", "done", "in_progress", "held", "mismatch", "ignored", "released"];

// call returns the status code and the answer.
async function call(path, members) {
  let code, text;
  try {
    const response = await fetch(`${ADDRESS}/v1/${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Api-Key": process.env.DEDUPE_TOKEN },
      body: JSON.stringify(members),
      redirect: "manual", // it would carry the password elsewhere
      signal: AbortSignal.timeout(20_000),
    });
    code = response.status;
    text = await response.text();
  } catch (error) {
    throw new NoAnswer(String(error.cause ?? error));
  }
  let answer = null;
  try {
    answer = JSON.parse(text);
  } catch {
    // a page
  }
  if (typeof answer !== "object" || answer === null || !("run" in answer || "results" in answer || STATUSES.includes(answer.status))) {
    throw new NoAnswer(`a page came instead of an answer, status code ${code}`);
  }
  return [code, answer];
}

// insist calls again, under the same owner, while nobody could answer.
async function insist(path, members) {
  let failure;
  for (const pause of [1, 3, 6, 0]) {
    try {
      const [code, answer] = await call(path, { ...members, rule: RULE, owner: OWNER });
      if (code < 300) return answer;
      if (code < 400) throw new NoAnswer(`the call was sent elsewhere, status code ${code}`);
      failure = new Refused(answer.detail ?? JSON.stringify(answer));
      if (code !== 429 && code < 500) throw failure;
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      failure = error;
    }
    await new Promise((wake) => setTimeout(wake, pause * 1000));
  }
  throw failure;
}

const say = (text) => console.error(`${basename(process.argv[1])}: ${text}`);

// held are the keys for which more time is asked.
const held = new Set();
const mine = new Set(); // that were, too

function keepAlive() {
  const beat = async () => {
    for (const key of [...held]) {
      const [code] = await call("renew", { rule: RULE, key, owner: OWNER }).catch(() => [0]);
      if ((code === 404 || code === 409) && held.delete(key)) {
        say(`The key ${key} is no longer held by this run, so another may do the same work.`);
      }
    }
  };
  return setInterval(beat, BEAT * 1000);
}

async function giveBack(key, error) {
  held.delete(key);
  try {
    await insist("release", { key, error: String(error).slice(0, 500) });
  } catch (again) {
    say(`The work failed, and the key ${key} could not be given back: ${again.message}`);
  }
}

// reporting is the report that is under way: a signal waits for it.
let reporting = Promise.resolve();
let ending = false; // by a signal: no item is begun any more

// handle does what the answer to one claim asks for and returns the exit code.
async function handle(answer, what) {
  const { status, key } = answer;
  if (["done", "ignored"].includes(status)) return 0;
  if (status === "in_progress") return mine.has(key) ? 0 : 75; // 0: a second item of this event has the key
  if (["held", "mismatch"].includes(status)) {
    say(`A person has to decide about ${key}: ${answer.reason}`);
    return 1;
  }
  if (status !== "claimed") {
    say(`The key could not be reserved, so nothing was done: ${JSON.stringify(answer)}`);
    return 2;
  }
  let result;
  try {
    if (ending) await new Promise(() => {}); // the key is being given back
    result = await what(key);
  } catch (error) {
    await giveBack(key, error);
    console.error(error);
    return 1;
  }
  held.delete(key);
  try {
    await (reporting = insist("done", result === undefined || result === null ? { key } : { key, result: String(result) }));
  } catch (error) {
    say(`The work was done, but that could not be written down, so it may be done again: ${error.message}`);
    return 2;
  }
  return 0;
}

«if .Each -»
const itemsOf = (event) => ITEMS.reduce((at, name) => at[name], event);

«end -»
async function main() {
  if (process.argv.length < 3 || !process.env.DEDUPE_TOKEN) {
    say("Call it with a file of the event, and with the password in DEDUPE_TOKEN.");
    return 2;
  }
  let event;
  const members = {};
  try {
    members.event = new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(process.argv[2] === "-" ? 0 : process.argv[2]));
    event = JSON.parse(members.event);
«- if .Headers»
    if (!process.argv[3]) throw new Error("The rule reads a header: hand over a file with the headers too.");
«- end»
    if (process.argv[3]) members.headers = JSON.parse(readFileSync(process.argv[3], "utf8"));
  } catch (error) {
    say(`The event could not be read: ${error.message}`);
    return 2;
  }
  let answer;
  try {
    answer = await insist("claim?answer=branch", members);
  } catch (error) {
    if (!(error instanceof NoAnswer) || !GO_ON) {
      say(`The key could not be reserved, so nothing was done: ${error.message}`);
      return 2;
    }
    say(`Nobody could be asked, and the rule rather has the work done twice than not at all: ${error.message}`);
«- if .Each»
    for (const item of itemsOf(event)) await work(event, item, null);
«- else»
    await work(event, null);
«- end»
    return 0;
  }
«- if .Each»
  const items = itemsOf(event);
  const answers = answer.results;
  if (!Array.isArray(answers) || answers.length !== items.length) {
    say(`The answer does not tell each item, so nothing was done: ${JSON.stringify(answer)}`);
    return 2;
  }
«- else»
  const answers = [answer];
«- end»
  for (const one of answers) if (one.status === "claimed") held.add(one.key) && mine.add(one.key);
  const beat = keepAlive();
  // A signal that ends the process gives the keys back before.
  for (const [signal, number] of [["SIGINT", 2], ["SIGTERM", 15], ["SIGHUP", 1]]) {
    process.on(signal, async () => {
      if (ending) return;
      ending = true;
      await reporting.catch(() => {});
      for (const key of [...held]) await giveBack(key, signal);
      process.exit(128 + number);
    });
  }
  let code = 0;
  for (const [i, one] of answers.entries()) {
«- if .Each»
    code = Math.max(code, await handle(one, (key) => work(event, items[i], key)));
«- else»
    code = Math.max(code, await handle(one, (key) => work(event, key)));
«- end»
  }
  clearInterval(beat);
  return code;
}

process.exitCode = await main();
