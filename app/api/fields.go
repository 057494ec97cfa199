package api

import (
	"slices"

	"dedupedesk/app/describe"
)

// The members that the routes know. The decoder refuses every other name, and the
// description is made of the same lists.
var (
	ruleField = describe.Field{Name: "rule", Title: "Rule", Kind: describe.Text, Example: "stripe-events", Shown: describe.Advanced,
		Text: "The name of the rule, one thing that must happen once. Left out, it is default, which takes plain keys."}
	keyField = describe.Field{Name: "key", Title: "Event key", Kind: describe.Text, Example: "stripe:evt_1", Shown: describe.Important,
		Text: "The event key, the name that is the same on every copy of the event. Give exactly one of key, part and event."}
	ownerField = describe.Field{Name: "owner", Title: "Run ID", Kind: describe.Text, Example: "run-1", Shown: describe.Important,
		Text: "The id of this run. It is the same when the tool repeats the call after a lost answer, and another one for every other run."}
	tokenField = describe.Field{Name: "token", Title: "Token", Kind: describe.Text, Shown: describe.Advanced,
		Text: "The token of the claim's answer. It or the owner proves whose report this is."}
	leaseField = describe.Field{Name: "lease", Title: "Time allowed", Kind: describe.Duration, Example: "15m", Shown: describe.Advanced,
		Text: "How long the work may take before the key counts as stuck: 5 seconds to 7 days. Left out, it is the rule's."}
	fingerprintField = describe.Field{Name: "fingerprint", Title: "Fingerprint", Kind: describe.Text, Shown: describe.Advanced,
		Text: "A text made of the event's contents. A copy whose contents differ is answered mismatch."}
	answerField = describe.Field{Name: "answer", Title: "Answer profile", Kind: describe.Choice, Choices: []string{string(Branch), string(Wait), string(Strict)}, Shown: describe.Advanced,
		Text: "Which HTTP statuses decisions have: branch (always 200), wait (429 while in progress) or strict (one for each). Left out, it is the rule's."}
	resultField = describe.Field{Name: "result", Title: "Result", Kind: describe.Any, Example: map[string]any{"id": 7}, Shown: describe.Advanced,
		Text: "What the work made, such as the id of the record: any JSON up to 8 KB. Every copy is told it. The first one stays."}
	errorField = describe.Field{Name: "error", Title: "Error", Kind: describe.Text, Null: true, Example: "the shop did not answer", Shown: describe.Important,
		Text: "Why the work failed, for the person who looks at the key."}
	retryAfterField = describe.Field{Name: "retry_after", Title: "Wait", Kind: describe.Duration, Example: "90s", Shown: describe.Advanced,
		Text: "How long nobody may take the key again."}
	idempotencyHeader = describe.Field{Name: "Idempotency-Key", Title: "Idempotency-Key", Kind: describe.Text,
		Text: "The key, in place of the field key, for tools that send this header by themselves. One that differs from the body is refused."}
)

var (
	// identityFields name what is meant, in every call.
	identityFields = []describe.Field{ruleField, keyField,
		{Name: "part", Title: "Parts", Kind: describe.Parts, Example: []any{"order", "1042"},
			Text: "The parts of the key, in place of key: a list, or in a form and in the address part or part[] several times, or part.1, part.2 and so on. A part that is empty is refused."},
		{Name: "event", Title: "Event", Kind: describe.Any, Example: map[string]any{"id": "evt_1"},
			Text: "The event, in place of key, from which the rule makes the key: a JSON value, or text that holds JSON."},
		{Name: "headers", Title: "Headers", Kind: describe.Map, Example: map[string]any{"X-Shopify-Topic": "orders/paid"},
			Text: "The headers that came with the event, if the rule reads them: names and texts, or text that holds JSON."},
	}
	// optionFields are what a claim may ask for.
	optionFields = []describe.Field{ownerField, leaseField, fingerprintField, answerField}
	// reportFields are the members of every report.
	reportFields = slices.Concat(identityFields, []describe.Field{tokenField, ownerField})

	claimFields   = slices.Concat(identityFields, optionFields)
	doneFields    = slices.Concat(reportFields, []describe.Field{resultField})
	releaseFields = slices.Concat(reportFields, []describe.Field{errorField, retryAfterField})
	renewFields   = slices.Concat(reportFields, []describe.Field{leaseField})
	// itemFields are the members of a claim within a batch, which has one profile.
	itemFields  = slices.Concat(identityFields, []describe.Field{ownerField, leaseField, fingerprintField})
	batchFields = []describe.Field{
		{Name: "op", Title: "What to do", Kind: describe.Choice, Choices: []string{"claim", "done", "release"}, Needed: true, Text: "What is done with each item."},
		{Name: "items", Title: "Items", Kind: describe.List, Needed: true, Example: []any{map[string]any{"key": "line:1"}, map[string]any{"key": "line:2"}},
			Text: "A list of 1 to 100 objects, each with the fields of a single call; or text that holds such a list."},
		answerField,
	}
	oneKeyFields = []describe.Field{
		{Name: "key", Title: "Event key", Kind: describe.Text, Example: "stripe:evt_1", Needed: true, Text: "The key as it was answered."},
		ruleField,
	}
	keysFields = []describe.Field{
		{Name: "rule", Title: "Rule", Kind: describe.Text, Example: "default", Text: "Keys of this rule only."},
		{Name: "state", Title: "State", Kind: describe.Choice, Choices: KeyStates, Text: "Keys in this state only; stuck means that they need a person."},
		{Name: "prefix", Title: "Begins with", Kind: describe.Text, Example: "stripe:", Text: "Keys that begin so."},
		{Name: "since", Title: "Since", Kind: describe.Moment, Example: "2026-11-30T08:00:00Z", Text: "Keys that were changed at this time or later."},
		{Name: "cursor", Title: "Page", Kind: describe.Text, Text: "The next of the page before."},
		{Name: "limit", Title: "How many", Kind: describe.Whole, Example: 50, Text: "How many keys a page holds: 1 to 200."},
	}
)
