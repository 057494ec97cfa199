package api

import (
	"net/http"
	"slices"

	"dedupedesk/app/body"
	"dedupedesk/app/describe"
)

// The headings under which the operations stand.
const (
	groupClaims = "Claims"
	groupKeys   = "Keys"
	groupRules  = "Rules"
	groupHealth = "Health"
)

// operations says of each route what it is for, by its pattern.
var operations = map[string]describe.Operation{
	"POST /v1/claim": {
		ID: "ClaimKey", Title: "Claim a key", Group: groupClaims, Connector: true,
		Text: "Asks for the event key before the work. Exactly one run is answered claimed, which means: you got it, do the work. Everyone else is told to stop.",
		Body: describe.Fields, Fields: claimFields, Headers: []describe.Field{idempotencyHeader},
		Answers: slices.Concat(decisions, refused, failed),
	},
	"POST /v1/rules/{rule}/claim": {
		ID: "ClaimEvent", Title: "Claim by the event", Group: groupClaims, Connector: true,
		Text: "Takes the event as its sender sent it, and the rule makes the key. A rule that splits its events answers with results, one for each item. Names in the address that are not listed here belong to the event.",
		Path: []describe.Field{ruleName}, Query: optionFields, Body: describe.Event,
		Answers: slices.Concat(decisions, refused, failed),
	},
	"POST /v1/done": {
		ID: "FinishKey", Title: "Say that the work is done", Group: groupClaims, Connector: true,
		Text: "From now on every copy is answered done, with the result. Send the token of the claim's answer, or the owner that was sent with the claim.",
		Body: describe.Fields, Fields: doneFields, Headers: []describe.Field{idempotencyHeader},
		Answers: slices.Concat(reported, refusedReport, []describe.Answer{stale}, failedReport),
	},
	"POST /v1/release": {
		ID: "ReleaseKey", Title: "Give the key back", Group: groupClaims, Connector: true,
		Text: "Says that the work failed or was not begun, so that the next copy may run. Send the token of the claim's answer, or the owner that was sent with the claim.",
		Body: describe.Fields, Fields: releaseFields, Headers: []describe.Field{idempotencyHeader},
		Answers: slices.Concat(reported, refusedReport, []describe.Answer{staleOrClosed}, failedReport),
	},
	"POST /v1/renew": {
		ID: "RenewKey", Title: "Ask for more time", Group: groupClaims, Connector: true,
		Text: "Begins the time allowed anew, for work that takes long. Send the token of the claim's answer, or the owner that was sent with the claim.",
		Body: describe.Fields, Fields: renewFields, Headers: []describe.Field{idempotencyHeader},
		Answers: slices.Concat(reported, refusedReport, []describe.Answer{staleOrClosed}, failedReport),
	},
	"POST /v1/batch": {
		ID: "DoSeveral", Title: "Several keys at once", Group: groupClaims,
		Text: "Claims, finishes or gives back up to 100 keys. Each item is answered as its single call would be, in the same order; a wrong one is invalid and the others go on.",
		Body: describe.Fields, Fields: batchFields,
		Answers: slices.Concat([]describe.Answer{
			{Status: http.StatusOK, Text: "The answers, in the order of the items.", Bodies: []any{describe.Results{body.Claim{}, body.Report{}}}},
			describe.Problem(http.StatusBadRequest, "The call itself is wrong, so nothing was done.", "invalid"),
		}, failed),
	},
	"POST /v1/catch": {
		ID: "CatchEvent", Title: "Send an event to the editor", Group: groupRules,
		Text: "Hands the event to a person who waits for one under Design a key, as a sample to make a key from. It claims nothing and answers the same to every event, so no work may follow it. Secrets in headers are masked, and the event is in memory until the editor has it.",
		Body: describe.Event,
		Answers: []describe.Answer{
			{Status: http.StatusOK, Text: "The editor has it.", Bodies: []any{body.Caught{}}},
			describe.Problem(http.StatusBadRequest, "The event cannot be read.", "invalid"),
			describe.Problem(http.StatusConflict, "No editor waits, or it holds as many as it can.", "nobody_waits", "caught_enough"),
		},
	},
	"GET /v1/keys": {
		ID: "ListKeys", Title: "List keys", Group: groupKeys,
		Text:  "A page of keys, those that changed last first.",
		Query: keysFields,
		Answers: slices.Concat([]describe.Answer{
			{Status: http.StatusOK, Text: "A page.", Bodies: []any{body.Keys{}}},
			describe.Problem(http.StatusBadRequest, "A filter is wrong.", "invalid"), unknownRule,
		}, failedReport),
	},
	"GET /v1/keys/one": {
		ID: "ShowKey", Title: "One key with its history", Group: groupKeys,
		Text:  "Everything that is known of a key.",
		Query: oneKeyFields,
		Answers: slices.Concat([]describe.Answer{
			{Status: http.StatusOK, Text: "The key.", Bodies: []any{body.Life{}}},
			describe.Problem(http.StatusBadRequest, "No key is named.", "invalid"), unknownRule, unknownKey,
		}, failedReport),
	},
	"GET /v1/rules": {
		ID: "ListRules", Title: "List rules", Group: groupRules,
		Text: "All live rules, by name.",
		Answers: slices.Concat([]describe.Answer{
			{Status: http.StatusOK, Text: "The rules.", Bodies: []any{body.Rules{}}},
		}, failedReport),
	},
	"GET /v1/rules/{rule}": {
		ID: "ShowRule", Title: "One rule", Group: groupRules,
		Text: "The rule with its file.", Path: []describe.Field{ruleName},
		Answers: slices.Concat([]describe.Answer{
			{Status: http.StatusOK, Text: "The rule.", Bodies: []any{body.Rule{}}}, unknownRule, brokenRule,
		}, failedReport),
	},
	"PUT /v1/rules/{rule}": {
		ID: "KeepRule", Title: "Make or change a rule", Group: groupRules,
		Text: "Keeps a rule file, as JSON or YAML. Another name in the file renames the rule, which keeps its keys.",
		Path: []describe.Field{ruleName}, Query: whyFields, Body: describe.Object, Fields: ruleFields,
		Answers: slices.Concat([]describe.Answer{
			{Status: http.StatusOK, Text: "The rule as it is kept.", Bodies: []any{body.Rule{}}},
			describe.Problem(http.StatusBadRequest, "The rule is wrong, and nothing was changed.", "invalid", "bad_rule_file", "faulty_formula"), unknownRule,
		}, failedReport),
	},
	"DELETE /v1/rules/{rule}": {
		ID: "ArchiveRule", Title: "Archive a rule", Group: groupRules,
		Text: "Ends a rule. Its keys stay, and the same name used again is the same rule.", Path: []describe.Field{ruleName},
		Answers: slices.Concat([]describe.Answer{
			{Status: http.StatusOK, Text: "It is archived.", Bodies: []any{body.Archived{}}},
			describe.Problem(http.StatusBadRequest, "The rule default stays.", "invalid"), unknownRule,
		}, failedReport),
	},
	"GET /healthz": {
		ID: "Alive", Title: "Does it answer?", Group: groupHealth,
		Text:    "Says only that the process answers.",
		Answers: []describe.Answer{{Status: http.StatusOK, Text: "It does.", Bodies: []any{body.Health{}}}},
	},
	"GET /readyz": {
		ID: "Ready", Title: "Does it protect?", Group: groupHealth,
		Text: "Says whether a claim could be granted now.",
		Answers: slices.Concat([]describe.Answer{
			{Status: http.StatusOK, Text: "It could.", Bodies: []any{body.Health{}}},
			fault, describe.Problem(http.StatusServiceUnavailable, "It could not: the sentence says why.", "busy", "corrupt", "paused"),
		}),
	},
}

var ruleName = describe.Field{Name: "rule", Title: "Rule", Kind: describe.Text, Needed: true, Example: "stripe-events", Shown: describe.Important, Text: "The name of the rule."}

// Answers that several routes share.
var (
	decisions = []describe.Answer{
		{Status: http.StatusOK, Text: "The decision. Under the profile branch all of them, under wait and strict those that have no status of their own.",
			Bodies: []any{body.Claim{}, describe.Results{body.Claim{}}}, Headers: []string{"Idempotent-Replayed"}},
		{Status: http.StatusCreated, Text: "claimed, under the profile strict.", Bodies: []any{body.Claim{}}},
		{Status: http.StatusConflict, Text: "in_progress or held, under the profile strict.", Bodies: []any{body.Claim{}}, Headers: []string{"Retry-After"}},
		{Status: http.StatusUnprocessableEntity, Text: "mismatch, under the profiles wait and strict.", Bodies: []any{body.Claim{}}},
		{Status: http.StatusTooManyRequests, Text: "in_progress, under the profile wait.", Bodies: []any{body.Claim{}}, Headers: []string{"Retry-After"}},
	}
	reported = []describe.Answer{{Status: http.StatusOK, Text: "It is written down.", Bodies: []any{body.Report{}}}}

	unknownRule = describe.Problem(http.StatusNotFound, "There is no such rule.", "unknown_rule")
	unknownKey  = describe.Problem(http.StatusNotFound, "There is no such key.", "not_found")
	brokenRule  = describe.Problem(http.StatusBadRequest, "What is kept of the rule cannot be used.", "bad_rule_file", "faulty_formula")
	wrong       = describe.Problem(http.StatusBadRequest, "The input is wrong: the sentence names the field. Nothing was granted.", "invalid", "bad_rule_file", "faulty_formula")

	refused       = []describe.Answer{wrong, unknownRule}
	refusedReport = []describe.Answer{wrong, unknownRule, unknownKey}
	stale         = describe.Problem(http.StatusConflict, "Somebody else holds the key now.", "stale")
	staleOrClosed = describe.Problem(http.StatusConflict, "Somebody else holds the key now, or it is not open.", "stale", "closed")

	fault  = describe.Problem(http.StatusInternalServerError, "A fault of the house, told in its log. Nothing was granted.", "internal")
	failed = []describe.Answer{fault,
		describe.Problem(http.StatusServiceUnavailable, "The ledger cannot answer now, or a person has paused all grants. Nothing was granted; try again.", "busy", "corrupt", "paused", "rule_changed")}
	failedReport = []describe.Answer{fault,
		describe.Problem(http.StatusServiceUnavailable, "The ledger cannot answer now; try again.", "busy", "corrupt")}
)
