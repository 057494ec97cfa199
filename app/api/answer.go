package api

import (
	"net/http"
	"strconv"

	"dedupedesk/app/body"
	"dedupedesk/app/calls"
	"dedupedesk/app/intake"
	"dedupedesk/ledger"
)

// itemAnswer returns one entry of results.
func itemAnswer(rule string, it intake.Item, profile Profile) body.Claim {
	switch {
	case it.Err != nil:
		p := problemOf(it.Err)
		b := p.Body()
		return body.Claim{HTTP: p.Status, Status: body.Invalid, Reason: b.Detail, Rule: rule, Problem: &b}
	case it.Ignored:
		return body.Claim{HTTP: http.StatusOK, Status: body.Ignored, Rule: rule, Reason: "This event does not meet the rule's condition, so there is nothing to do."}
	}
	out := body.ClaimOf(it.Answer)
	out.HTTP = profile.code(it.Answer.Status)
	return out
}

// replyClaim answers a claim under a profile.
func replyClaim(w http.ResponseWriter, r *http.Request, res intake.Result, p Profile) error {
	if res.Each {
		note(r, res.Rule.Name, strconv.Itoa(len(res.Items))+" events")
		out := make([]body.Claim, len(res.Items))
		for i, it := range res.Items {
			out[i] = itemAnswer(res.Rule.Name, it, p)
			count(r, res.Rule.Name, out[i].Status)
		}
		return reply(w, http.StatusOK, map[string]any{"results": out})
	}
	out := itemAnswer(res.Rule.Name, res.Items[0], p)
	code := out.HTTP
	out.HTTP = 0
	note(r, out.Rule, out.Status)
	calls.Of(r.Context()).Key = out.Key
	count(r, res.Rule.Name, out.Status)
	h := w.Header()
	if p != Branch && out.RetryAfter > 0 {
		h.Set("Retry-After", strconv.FormatInt(out.RetryAfter, 10))
	}
	if p == Strict && out.Status == string(ledger.StatusDone) {
		h.Set("Idempotent-Replayed", "true")
	}
	return reply(w, code, out)
}
