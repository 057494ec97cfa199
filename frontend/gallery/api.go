package main

import "dedupedesk/frontend/page"

// apiSamples returns two calls of the page that describes the API: one with all
// that a call can have, and one with the least.
func apiSamples() []sample {
	full := page.APICallView{
		ID: "ClaimKey", Title: "Claim a key", Method: "POST", Path: "/v1/claim", Access: "Needs any password.", Body: "As JSON, as a form, or in the address.",
		Text: "Asks for the event key before the work. Exactly one run is answered claimed, which means: you got it, do the work.",
		Fields: []page.APIFieldView{
			{Name: "key", Kind: "text", Text: "The event key, the name that is the same on every copy of the event.", Needed: true},
			{Name: "lease", Kind: "a time: 90s, 15m, 35d, or seconds", Text: "How long the work may take before the key counts as stuck."},
			{Name: "Idempotency-Key", Place: "header", Kind: "text", Text: "The key, in place of the field key."},
		},
		Answers: []page.APIAnswerView{
			{Status: "200", Text: "The decision."},
			{Status: "401", Text: "The password is missing, unknown, or was replaced.", Codes: []string{"no_token", "wrong_token"}},
		},
		Examples: []page.APIExampleView{
			{ID: "claimed", Title: "The first to ask gets it", Status: "200", Open: true,
				Request: "curl -sS 'http://127.0.0.1:47821/v1/claim' \\\n  -H \"Authorization: Bearer $DEDUPE_PASSWORD\" \\\n  -H 'Content-Type: application/json' \\\n  --data-raw '{\"key\":\"stripe:evt_1\",\"owner\":\"run-1\"}'",
				Answer:  "{\n  \"status\": \"claimed\",\n  \"run\": true\n}"},
			{ID: "blank", Title: "The step before gave no value", Status: "400", Request: "curl -sS …", Answer: "{\n  \"code\": \"invalid\"\n}"},
		},
	}
	least := page.APICallView{ID: "Alive", Title: "Does it answer?", Method: "GET", Path: "/healthz", Text: "Says only that the process answers.", Access: "Needs no password.",
		Answers: []page.APIAnswerView{{Status: "200", Text: "It does."}}}
	show := func(state string, call page.APICallView) sample {
		return sample{Name: "api/" + state, Title: "API: " + call.Title, Active: "connect", Page: page.API(page.APIView{
			OpenAPI: "http://127.0.0.1:47821/openapi.json", Swagger: "http://127.0.0.1:47821/swagger.json", Call: call,
			Groups: []page.APIGroupView{
				{Title: "Claims", Calls: []page.APILinkView{
					{ID: "ClaimKey", Title: "Claim a key", Method: "POST", Active: call.ID == "ClaimKey"},
					{ID: "FinishKey", Title: "Say that the work is done", Method: "POST"},
				}},
				{Title: "Health", Calls: []page.APILinkView{{ID: "Alive", Title: "Does it answer?", Method: "GET", Active: call.ID == "Alive"}}},
			},
		})}
	}
	return []sample{show("full", full), show("least", least)}
}
