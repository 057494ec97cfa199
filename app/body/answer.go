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

// ClaimOf returns the body of a claim's answer.
func ClaimOf(a ledger.Answer) Claim {
	return Claim{
		Status: string(a.Status), Run: a.Run, Reason: a.Reason, Rule: a.Rule, Key: a.Key, Token: a.Token,
		Fence: a.Fence, Attempt: a.Attempt, LeaseUntil: Stamp(a.LeaseUntil), Repeated: a.Repeated, TookOver: a.TookOver,
		RetryAfter: int64(a.RetryAfter / time.Second), Result: a.Result, FirstSeen: Stamp(a.FirstSeen),
	}
}

// Answer returns what the body tells.
func (b Claim) Answer() ledger.Answer {
	return ledger.Answer{
		Status: ledger.Status(b.Status), Run: b.Run, Reason: b.Reason, Rule: b.Rule, Key: b.Key, Token: b.Token,
		Fence: b.Fence, Attempt: b.Attempt, LeaseUntil: Moment(b.LeaseUntil), Repeated: b.Repeated, TookOver: b.TookOver,
		RetryAfter: time.Duration(b.RetryAfter) * time.Second, Result: b.Result, FirstSeen: Moment(b.FirstSeen),
	}
}

// A Report is the answer to done, release and renew.
type Report struct {
	HTTP       int             `json:"http,omitempty"` // only inside results
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

// ReportOf returns the body of a report's answer.
func ReportOf(a ledger.Answer) Report {
	return Report{
		Status: string(a.Status), Rule: a.Rule, Key: a.Key, Late: a.Late, Already: a.Already, Fence: a.Fence,
		Attempt: a.Attempt, LeaseUntil: Stamp(a.LeaseUntil), Result: a.Result, Reason: a.Reason,
	}
}

// Answer returns what the body tells.
func (b Report) Answer() ledger.Answer {
	return ledger.Answer{
		Status: ledger.Status(b.Status), Rule: b.Rule, Key: b.Key, Late: b.Late, Already: b.Already, Fence: b.Fence,
		Attempt: b.Attempt, LeaseUntil: Moment(b.LeaseUntil), Result: b.Result, Reason: b.Reason,
	}
}
