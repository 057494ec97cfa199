package body

import (
	"encoding/json"
	"time"

	"dedupedesk/app/problem"
	"dedupedesk/ledger"
)

// Ignored and Invalid are the statuses of events that reach no ledger.
const (
	Ignored = "ignored" // the rule's condition said no
	Invalid = "invalid" // one item of several gave no key; see its problem
)

// A Claim is the answer to a claim, flat so that a mapping screen shows each field.
type Claim struct {
	HTTP       int             `json:"http,omitempty" doc:"The HTTP status this answer would have alone. Only in results."` // only inside results
	Status     string          `json:"status" enum:"claimed,in_progress,done,held,mismatch,ignored,invalid" doc:"claimed means you got it, do the work. Everything else means stop. invalid stands in results only."`
	Run        bool            `json:"run" doc:"true only with claimed."`
	Reason     string          `json:"reason" doc:"One plain sentence that says why."`
	Rule       string          `json:"rule" doc:"The rule of the key."`
	Key        string          `json:"key,omitempty" doc:"The event key."`
	Token      string          `json:"token,omitempty" doc:"Proves the grant in done, release and renew. Only with claimed."`
	Fence      int64           `json:"fence,omitempty" doc:"One more with every grant of this key."`
	Attempt    int             `json:"attempt,omitempty" doc:"Which try this is, from 1."`
	LeaseUntil string          `json:"lease_until,omitempty" format:"date-time" doc:"Until when the key is yours. Report or renew before it."`
	Repeated   bool            `json:"repeated" doc:"The same owner asked again and gets the same grant."`
	TookOver   bool            `json:"took_over" doc:"The run before did not report in time. Its work may have happened."`
	RetryAfter int64           `json:"retry_after,omitempty" doc:"Seconds to wait before asking again."` // seconds
	Result     json.RawMessage `json:"result,omitempty" doc:"What the finished run stored."`
	FirstSeen  string          `json:"first_seen,omitempty" format:"date-time" doc:"When the key came for the first time."`
	KeptUntil  string          `json:"kept_until,omitempty" format:"date-time" doc:"So long at least the finished key is known, as the rule stands. A copy that comes later counts as new. Only with done."`
	Problem    *problem.Body   `json:"problem,omitempty" doc:"What is wrong with this item. Only with invalid."`
}

// ClaimOf returns the body of a claim's answer.
func ClaimOf(a ledger.Answer) Claim {
	return Claim{
		Status: string(a.Status), Run: a.Run, Reason: a.Reason, Rule: a.Rule, Key: a.Key, Token: a.Token,
		Fence: a.Fence, Attempt: a.Attempt, LeaseUntil: Stamp(a.LeaseUntil), Repeated: a.Repeated, TookOver: a.TookOver,
		RetryAfter: int64(a.RetryAfter / time.Second), Result: a.Result, FirstSeen: Stamp(a.FirstSeen),
		KeptUntil: Stamp(a.KeptUntil),
	}
}

// Answer returns what the body tells.
func (b Claim) Answer() ledger.Answer {
	return ledger.Answer{
		Status: ledger.Status(b.Status), Run: b.Run, Reason: b.Reason, Rule: b.Rule, Key: b.Key, Token: b.Token,
		Fence: b.Fence, Attempt: b.Attempt, LeaseUntil: Moment(b.LeaseUntil), Repeated: b.Repeated, TookOver: b.TookOver,
		RetryAfter: time.Duration(b.RetryAfter) * time.Second, Result: b.Result, FirstSeen: Moment(b.FirstSeen),
		KeptUntil: Moment(b.KeptUntil),
	}
}

// A Report is the answer to done, release and renew.
type Report struct {
	HTTP       int             `json:"http,omitempty" doc:"The HTTP status this answer would have alone. Only in results."` // only inside results
	Status     string          `json:"status" enum:"done,released,claimed" doc:"done, released, or claimed after renew."`
	Rule       string          `json:"rule" doc:"The rule of the key."`
	Key        string          `json:"key" doc:"The event key."`
	Late       bool            `json:"late" doc:"The time allowed was over already."`
	Already    bool            `json:"already" doc:"The same was reported before; nothing changed."`
	Fence      int64           `json:"fence,omitempty" doc:"The grant's number."`
	Attempt    int             `json:"attempt,omitempty" doc:"Which try it was, from 1."`
	LeaseUntil string          `json:"lease_until,omitempty" format:"date-time" doc:"Until when the key is yours, after renew."`
	Result     json.RawMessage `json:"result,omitempty" doc:"What is stored, which is what was sent first."`
	KeptUntil  string          `json:"kept_until,omitempty" format:"date-time" doc:"So long at least every copy is answered done, as the rule stands. Only with done."`
	Reason     string          `json:"reason" doc:"One plain sentence that says what happened."`
}

// ReportOf returns the body of a report's answer.
func ReportOf(a ledger.Answer) Report {
	return Report{
		Status: string(a.Status), Rule: a.Rule, Key: a.Key, Late: a.Late, Already: a.Already, Fence: a.Fence,
		Attempt: a.Attempt, LeaseUntil: Stamp(a.LeaseUntil), Result: a.Result, KeptUntil: Stamp(a.KeptUntil), Reason: a.Reason,
	}
}

// Answer returns what the body tells.
func (b Report) Answer() ledger.Answer {
	return ledger.Answer{
		Status: ledger.Status(b.Status), Rule: b.Rule, Key: b.Key, Late: b.Late, Already: b.Already, Fence: b.Fence,
		Attempt: b.Attempt, LeaseUntil: Moment(b.LeaseUntil), Result: b.Result, KeptUntil: Moment(b.KeptUntil), Reason: b.Reason,
	}
}

// A Health is the answer of the routes that machines ask all day.
type Health struct {
	Status string `json:"status" enum:"ok,ready" doc:"ok or ready."`
}
