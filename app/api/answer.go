package api

import (
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"dedupedesk/app/intake"
	"dedupedesk/app/problem"
	"dedupedesk/ledger"
)

// claimAnswer is a decision as callers get it: flat, so that a mapping screen
// can show each field.
type claimAnswer struct {
	HTTP       int             `json:"http,omitempty"` // only inside results
	Status     string          `json:"status"`
	Run        bool            `json:"run"`
	Reason     string          `json:"reason"`
	Rule       string          `json:"rule"`
	Key        string          `json:"key,omitempty"`
	Token      string          `json:"token,omitempty"`
	Fence      int64           `json:"fence,omitempty"`
	Attempt    int             `json:"attempt,omitempty"`
	LeaseUntil string          `json:"lease_until,omitempty"`
	Repeated   bool            `json:"repeated"`
	TookOver   bool            `json:"took_over"`
	RetryAfter int64           `json:"retry_after,omitempty"` // seconds
	Result     json.RawMessage `json:"result,omitempty"`
	FirstSeen  string          `json:"first_seen,omitempty"`
	Problem    *problem.Body   `json:"problem,omitempty"`
}

// reportAnswer is the answer to done, release and renew.
type reportAnswer struct {
	HTTP       int             `json:"http,omitempty"`
	Status     string          `json:"status"`
	Rule       string          `json:"rule"`
	Key        string          `json:"key"`
	Late       bool            `json:"late"`
	Already    bool            `json:"already"`
	Fence      int64           `json:"fence,omitempty"`
	Attempt    int             `json:"attempt,omitempty"`
	LeaseUntil string          `json:"lease_until,omitempty"`
	Result     json.RawMessage `json:"result,omitempty"`
	Reason     string          `json:"reason"`
	Problem    *problem.Body   `json:"problem,omitempty"`
}

// statusIgnored and statusInvalid are said of events that reach no ledger.
const (
	statusIgnored = "ignored"
	statusInvalid = "invalid"
)

func answerOf(a ledger.Answer) claimAnswer {
	return claimAnswer{
		Status: string(a.Status), Run: a.Run, Reason: a.Reason, Rule: a.Rule, Key: a.Key, Token: a.Token,
		Fence: a.Fence, Attempt: a.Attempt, LeaseUntil: stamp(a.LeaseUntil), Repeated: a.Repeated, TookOver: a.TookOver,
		RetryAfter: seconds(a.RetryAfter), Result: a.Result, FirstSeen: stamp(a.FirstSeen),
	}
}

func reportOf(a ledger.Answer) reportAnswer {
	return reportAnswer{
		Status: string(a.Status), Rule: a.Rule, Key: a.Key, Late: a.Late, Already: a.Already, Fence: a.Fence,
		Attempt: a.Attempt, LeaseUntil: stamp(a.LeaseUntil), Result: a.Result, Reason: a.Reason,
	}
}

// itemAnswer returns one entry of results.
func itemAnswer(rule string, it intake.Item, p Profile) claimAnswer {
	switch {
	case it.Err != nil:
		body := problemOf(it.Err)
		b := body.Body()
		return claimAnswer{HTTP: body.Status, Status: statusInvalid, Reason: b.Detail, Rule: rule, Problem: &b}
	case it.Ignored:
		return claimAnswer{HTTP: http.StatusOK, Status: statusIgnored, Rule: rule, Reason: "This event does not meet the rule's condition, so there is nothing to do."}
	}
	out := answerOf(it.Answer)
	out.HTTP = p.code(it.Answer.Status)
	return out
}

// replyClaim answers a claim under a profile.
func replyClaim(w http.ResponseWriter, res intake.Result, p Profile) error {
	if res.Each {
		note(w, res.Rule.Name, strconv.Itoa(len(res.Items))+" events")
		out := make([]claimAnswer, len(res.Items))
		for i, it := range res.Items {
			out[i] = itemAnswer(res.Rule.Name, it, p)
		}
		return reply(w, http.StatusOK, map[string]any{"results": out})
	}
	out := itemAnswer(res.Rule.Name, res.Items[0], p)
	code := out.HTTP
	out.HTTP = 0
	note(w, out.Rule, out.Status)
	h := w.Header()
	if p != Branch && out.RetryAfter > 0 {
		h.Set("Retry-After", strconv.FormatInt(out.RetryAfter, 10))
	}
	if p == Strict && out.Status == string(ledger.StatusDone) {
		h.Set("Idempotent-Replayed", "true")
	}
	return reply(w, code, out)
}

// stamp returns t as RFC 3339 with milliseconds, "" for no time.
func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02T15:04:05.000Z")
}

func seconds(d time.Duration) int64 { return int64(d / time.Second) }
