// The scenario by Node's fetch, with JSON and, for the reports, forms. Each step prints
// its name, the status code and the answer.

const { DEDUPE_URL: url, DEDUPE_TOKEN: password, DEDUPE_KEY: key } = process.env;

async function step(name, path, members, { form = false, secret = password } = {}) {
  const response = await fetch(url + path, {
    method: "POST",
    headers: { "X-Api-Key": secret, ...(form ? {} : { "Content-Type": "application/json" }) },
    body: form ? new URLSearchParams(members) : JSON.stringify(members),
    signal: AbortSignal.timeout(60_000),
  });
  console.log([name, response.status, JSON.stringify(await response.json())].join("\t"));
}

await step("claim", "/v1/claim", { key: `${key}:1`, owner: "run-1" });
await step("copy", "/v1/claim", { key: `${key}:1`, owner: "run-2" });
await step("done", "/v1/done", { key: `${key}:1`, owner: "run-1", result: '{"id": 7}' }, { form: true });
await step("late-copy", "/v1/claim", { key: `${key}:1`, owner: "run-2" });
await step("claim-2", "/v1/claim", { key: `${key}:2`, owner: "run-1" });
await step("release", "/v1/release", { key: `${key}:2`, owner: "run-1", error: "Postfach überfüllt" }, { form: true });
await step("next-try", "/v1/claim", { key: `${key}:2`, owner: "run-2" });
await step("no-key", "/v1/rules/stripe-events/claim", { object: "event", id: null });
await step("wrong-password", "/v1/claim", { key: `${key}:3` }, { secret: "dd_wrong" });
