// Run it as: node claim.mjs event.json
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";

if (!process.argv[2]) throw new Error("Give the file that holds the event: node claim.mjs event.json");
const event = await readFile(process.argv[2]);

async function call(what, body) {
  const answer = await fetch("ADDRESS/v1/" + what, {
    method: "POST",
    headers: {
      Authorization: "Bearer " + process.env.DEDUPE_PASSWORD,
      "Content-Type": "application/json",
      // If the rule reads headers of the event, add them here.
    },
    body,
  });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}

const owner = randomUUID();
const answer = await call("rules/RULE/claim?owner=" + owner, event);
// A rule that splits its events answers once for each of them.
for (const one of answer.results ?? [answer]) {
  if (one.status === "claimed") {
    // You got it. Do the work here, then:
    await call("done", JSON.stringify({ rule: "RULE", key: one.key, owner }));
  } else {
    console.log("Not for this run:", one.reason);
  }
}
