// Run it as: node claim.mjs YOUR-EVENT-KEY
import { randomUUID } from "node:crypto";

const key = process.argv[2];
if (!key) throw new Error("Give the event key as the first word: node claim.mjs stripe:evt_1");

async function call(what, fields) {
  const answer = await fetch("ADDRESS/v1/" + what, {
    method: "POST",
    headers: {
      Authorization: "Bearer " + process.env.DEDUPE_PASSWORD,
      "Content-Type": "application/json",
    },
    body: JSON.stringify(fields),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}

const event = { rule: "RULE", key, owner: randomUUID() };
const answer = await call("claim", event);
if (answer.status === "claimed") {
  // You got it. Do the work here, then:
  await call("done", event);
} else {
  console.log("Not for this run:", answer.reason);
}
