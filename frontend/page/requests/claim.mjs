import { randomUUID } from "node:crypto";

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

const event = { rule: "RULE", key: "test:hello", owner: randomUUID() };
const answer = await call("claim", event);
if (answer.status === "claimed") {
  // You got it. Do the work here, then:
  await call("done", event);
} else {
  console.log("Copy stopped:", answer.reason);
}
