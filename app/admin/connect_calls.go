package admin

import (
	"net/http"
	"strconv"

	"dedupedesk/frontend/page"
	"dedupedesk/ledger"
)

// acts are the routes of the endpoint in the words of the pages.
var acts = map[string]string{
	"POST /v1/claim": "Reserve", "POST /v1/rules/{rule}/claim": "Reserve by event", "POST /v1/done": "Finish",
	"POST /v1/release": "Let it run again", "POST /v1/renew": "More time", "POST /v1/batch": "Several at once", "POST /v1/catch": "Sample for the editor",
}

// answers are what came of calls in the words of the pages.
var answers = map[string]string{
	"claimed": "You got it", "in_progress": "Copy stopped: in progress", "done": "Copy stopped: finished",
	"held": "Stopped: needs a decision", "mismatch": "Same key, different contents", "released": "Given back", "ignored": "Ignored by the rule",
	"no_token": "No password", "wrong_token": "Wrong password", "not_allowed": "Password may not do this",
	"wrong_host": "Wrong host name", "cross_origin": "From another site's page", "invalid": "Bad input", "unknown_rule": "Unknown rule",
	"not_found": "Unknown key", "stale": "Too late: somebody else holds it", "closed": "Closed already", "busy": "Not saved, try again",
	"paused":            "Paused: not let through",
	"too_many_requests": "Too many requests", "caller_gone": "The caller hung up",
	"caught": "Taken by the editor", "nobody_waits": "No editor waits", "caught_enough": "The editor is full",
}

// reported are what came of a report, where the same word of a claim means another thing.
var reported = map[string]string{"done": "Finished", "claimed": "More time given"}

// callsShown is how many of the last calls the page shows.
const callsShown = 10

func (d Desk) lastCalls(rules []ledger.Rule) []page.CallView {
	titles := map[string]string{}
	for _, rule := range rules {
		titles[rule.Name] = titleOf(rule)
	}
	var list []page.CallView
	now := d.Clock.Now()
	for _, c := range d.Calls.Newest(callsShown) {
		v := page.CallView{At: page.At(c.At, now), What: acts[c.Route], Rule: or(titles[c.Rule], c.Rule), Code: c.Code, Words: answers[c.Answer], HTTP: strconv.Itoa(c.Status)}
		if words := reported[c.Answer]; words != "" && (c.Route == "POST /v1/done" || c.Route == "POST /v1/renew") {
			v.Words = words
		}
		if v.What == "" {
			v.What = or(c.Route, "No such address")
		}
		if v.Words == "" {
			v.Words = or(c.Answer, "Answered")
		}
		switch {
		case c.Status >= http.StatusBadRequest && c.Status != http.StatusConflict && c.Status != http.StatusTooManyRequests:
			v.Tone = "bad"
		case c.Status < http.StatusBadRequest:
			v.Tone = "ok"
		}
		list = append(list, v)
	}
	return list
}

func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}
