package cli

import (
	"encoding/json"
	"time"

	"dedupedesk/ledger"
)

// The bodies here are those of the HTTP API, for --json and for reading a remote
// engine's answers.

type answerBody struct {
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
}

func answerOf(a ledger.Answer) answerBody {
	return answerBody{
		Status: string(a.Status), Run: a.Run, Reason: a.Reason, Rule: a.Rule, Key: a.Key, Token: a.Token, Fence: a.Fence,
		Attempt: a.Attempt, LeaseUntil: stamp(a.LeaseUntil), Repeated: a.Repeated, TookOver: a.TookOver,
		RetryAfter: int64(a.RetryAfter / time.Second), Result: a.Result, FirstSeen: stamp(a.FirstSeen),
	}
}

func (b answerBody) answer() ledger.Answer {
	return ledger.Answer{
		Status: ledger.Status(b.Status), Run: b.Run, Reason: b.Reason, Rule: b.Rule, Key: b.Key, Token: b.Token, Fence: b.Fence,
		Attempt: b.Attempt, LeaseUntil: moment(b.LeaseUntil), Repeated: b.Repeated, TookOver: b.TookOver,
		RetryAfter: time.Duration(b.RetryAfter) * time.Second, Result: b.Result, FirstSeen: moment(b.FirstSeen),
	}
}

type reportBody struct {
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
}

func reportOf(a ledger.Answer) reportBody {
	return reportBody{
		Status: string(a.Status), Rule: a.Rule, Key: a.Key, Late: a.Late, Already: a.Already, Fence: a.Fence,
		Attempt: a.Attempt, LeaseUntil: stamp(a.LeaseUntil), Result: a.Result, Reason: a.Reason,
	}
}

func (b reportBody) answer() ledger.Answer {
	return ledger.Answer{
		Status: ledger.Status(b.Status), Rule: b.Rule, Key: b.Key, Late: b.Late, Already: b.Already, Fence: b.Fence,
		Attempt: b.Attempt, LeaseUntil: moment(b.LeaseUntil), Result: b.Result, Reason: b.Reason,
	}
}

type keyBody struct {
	Rule        string          `json:"rule"`
	Key         string          `json:"key"`
	State       string          `json:"state"`
	Stuck       bool            `json:"stuck"`
	StuckWhy    string          `json:"stuck_why"`
	Expired     bool            `json:"expired"`
	Owner       string          `json:"owner"`
	Fence       int64           `json:"fence"`
	Attempts    int             `json:"attempts"`
	FirstSeen   string          `json:"first_seen"`
	ClaimedAt   string          `json:"claimed_at"`
	LeaseUntil  string          `json:"lease_until"`
	DoneAt      string          `json:"done_at"`
	NextTryAt   string          `json:"next_try_at"`
	LastError   string          `json:"last_error"`
	Result      json.RawMessage `json:"result"`
	Fingerprint string          `json:"fingerprint"`
	Copies      int64           `json:"copies"`
	Mismatches  int64           `json:"mismatches"`
	StaleCalls  int64           `json:"stale_calls"`
	Generation  int64           `json:"generation"`
}

func (b keyBody) key() ledger.Key {
	return ledger.Key{
		Rule: b.Rule, Key: b.Key, State: ledger.State(b.State), Stuck: b.Stuck, StuckWhy: b.StuckWhy, Expired: b.Expired,
		Owner: b.Owner, Fence: b.Fence, Attempts: b.Attempts, FirstSeen: moment(b.FirstSeen), ClaimedAt: moment(b.ClaimedAt),
		LeaseUntil: moment(b.LeaseUntil), DoneAt: moment(b.DoneAt), NextTryAt: moment(b.NextTryAt), LastError: b.LastError,
		Result: b.Result, Fingerprint: b.Fingerprint, Copies: b.Copies, Mismatches: b.Mismatches, StaleCalls: b.StaleCalls,
		Generation: b.Generation,
	}
}

type lifeBody struct {
	keyBody
	History []struct {
		At    string `json:"at"`
		Kind  string `json:"kind"`
		Owner string `json:"owner"`
		By    string `json:"by"`
		Text  string `json:"text"`
		Fence int64  `json:"fence"`
	} `json:"history"`
	Arrivals []struct {
		At     string `json:"at"`
		Owner  string `json:"owner"`
		Status string `json:"status"`
	} `json:"arrivals"`
}

func (b lifeBody) life() ledger.Life {
	l := ledger.Life{Key: b.key()}
	for _, e := range b.History {
		l.Events = append(l.Events, ledger.Event{At: moment(e.At), Kind: e.Kind, Owner: e.Owner, By: e.By, Text: e.Text, Fence: e.Fence})
	}
	for _, a := range b.Arrivals {
		l.Arrivals = append(l.Arrivals, ledger.Arrival{At: moment(a.At), Owner: a.Owner, Status: ledger.Status(a.Status)})
	}
	return l
}

type ruleBody struct {
	Rule      string          `json:"rule"`
	Title     string          `json:"title"`
	Version   int64           `json:"version"`
	ChangedAt string          `json:"changed_at"`
	File      json.RawMessage `json:"file,omitempty"` // none for default
}

func ruleOf(r ledger.Rule) ruleBody {
	return ruleBody{Rule: r.Name, Title: r.Title, Version: r.Version, ChangedAt: stamp(r.ChangedAt), File: r.Doc}
}

func (b ruleBody) rule() ledger.Rule {
	return ledger.Rule{Name: b.Rule, Title: b.Title, Version: b.Version, ChangedAt: moment(b.ChangedAt), Doc: b.File}
}

// stamp returns t as RFC 3339 with milliseconds, "" for no time.
func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02T15:04:05.000Z")
}

// moment reads what stamp wrote. What is no time is no time.
func moment(s string) time.Time {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return time.Time{}
	}
	return t.UTC()
}
