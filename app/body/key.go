package body

import (
	"encoding/json"

	"dedupedesk/ledger"
)

// A Key is one key. The grant's token is never in it.
type Key struct {
	Rule        string          `json:"rule" doc:"The rule of the key."`
	Key         string          `json:"key" doc:"The event key."`
	State       string          `json:"state" enum:"claimed,done,retryable,held" doc:"The stored state."`
	Stuck       bool            `json:"stuck" doc:"The key needs a person."`
	StuckWhy    string          `json:"stuck_why,omitempty" doc:"Why it does, in one sentence."`
	Expired     bool            `json:"expired" doc:"The time allowed is over and nobody reported."`
	Owner       string          `json:"owner,omitempty" doc:"The run that holds or held it."`
	Fence       int64           `json:"fence" doc:"The newest grant's number."`
	Attempts    int             `json:"attempts" doc:"How often it was granted."`
	FirstSeen   string          `json:"first_seen" format:"date-time" doc:"When it came for the first time."`
	ClaimedAt   string          `json:"claimed_at,omitempty" format:"date-time" doc:"The newest grant."`
	LeaseUntil  string          `json:"lease_until,omitempty" format:"date-time" doc:"Until when that grant holds."`
	DoneAt      string          `json:"done_at,omitempty" format:"date-time" doc:"When it was finished."`
	NextTryAt   string          `json:"next_try_at,omitempty" format:"date-time" doc:"Before this nobody may take it again."`
	ChangedAt   string          `json:"changed_at,omitempty" format:"date-time" doc:"The newest change."`
	LastError   string          `json:"last_error,omitempty" doc:"What the newest release said."`
	Result      json.RawMessage `json:"result,omitempty" doc:"What done stored."`
	Fingerprint string          `json:"fingerprint,omitempty" doc:"Of its contents."`
	Copies      int64           `json:"copies" doc:"Copies stopped."`
	Mismatches  int64           `json:"mismatches" doc:"Calls with the same key and different contents."`
	StaleCalls  int64           `json:"stale_calls" doc:"Reports that came too late and were refused."`
	Generation  int64           `json:"generation" doc:"From 1, and one more each time a person lets it run again."`
}

// KeyOf returns the body of a key.
func KeyOf(k ledger.Key) Key {
	return Key{
		Rule: k.Rule, Key: k.Key, State: string(k.State), Stuck: k.Stuck, StuckWhy: k.StuckWhy, Expired: k.Expired,
		Owner: k.Owner, Fence: k.Fence, Attempts: k.Attempts, FirstSeen: Stamp(k.FirstSeen), ClaimedAt: Stamp(k.ClaimedAt),
		LeaseUntil: Stamp(k.LeaseUntil), DoneAt: Stamp(k.DoneAt), NextTryAt: Stamp(k.NextTryAt), ChangedAt: Stamp(k.ChangedAt),
		LastError: k.LastError, Result: k.Result, Fingerprint: k.Fingerprint, Copies: k.Copies, Mismatches: k.Mismatches,
		StaleCalls: k.StaleCalls, Generation: k.Generation,
	}
}

// Value returns the key that the body tells of.
func (b Key) Value() ledger.Key {
	return ledger.Key{
		Rule: b.Rule, Key: b.Key, State: ledger.State(b.State), Stuck: b.Stuck, StuckWhy: b.StuckWhy, Expired: b.Expired,
		Owner: b.Owner, Fence: b.Fence, Attempts: b.Attempts, FirstSeen: Moment(b.FirstSeen), ClaimedAt: Moment(b.ClaimedAt),
		LeaseUntil: Moment(b.LeaseUntil), DoneAt: Moment(b.DoneAt), NextTryAt: Moment(b.NextTryAt), ChangedAt: Moment(b.ChangedAt),
		LastError: b.LastError, Result: b.Result, Fingerprint: b.Fingerprint, Copies: b.Copies, Mismatches: b.Mismatches,
		StaleCalls: b.StaleCalls, Generation: b.Generation,
	}
}

// Keys is a page of keys.
type Keys struct {
	Keys []Key  `json:"keys" doc:"A page of keys, newest change first."`
	Next string `json:"next" doc:"The cursor of the page after. Empty on the last one."` // cursor of the page after, "" = last
}

// KeysOf returns the body of a page.
func KeysOf(p ledger.KeyPage) Keys {
	out := Keys{Keys: make([]Key, len(p.Keys)), Next: p.Next}
	for i, k := range p.Keys {
		out.Keys[i] = KeyOf(k)
	}
	return out
}

// A Life is one key with its history.
type Life struct {
	Key
	History  []Event   `json:"history" doc:"What happened, oldest first."`                        // oldest first
	Arrivals []Arrival `json:"arrivals" doc:"The newest copies that were stopped, newest first."` // newest first
}

// An Event is one line of a history.
type Event struct {
	At    string `json:"at" format:"date-time" doc:"When."`
	Kind  string `json:"kind" doc:"What: granted, done, released and so on."`
	Owner string `json:"owner,omitempty" doc:"The run."`
	By    string `json:"by,omitempty" doc:"The person who decided."`
	Text  string `json:"text,omitempty" doc:"The error, or the person's reason."`
	Fence int64  `json:"fence,omitempty" doc:"The grant's number."`
}

// An Arrival is one copy that was stopped.
type Arrival struct {
	At     string `json:"at" format:"date-time" doc:"When."`
	Owner  string `json:"owner,omitempty" doc:"The run that asked."`
	Status string `json:"status" doc:"What it was answered."`
}

// LifeOf returns the body of a key's life.
func LifeOf(l ledger.Life) Life {
	out := Life{Key: KeyOf(l.Key), History: make([]Event, len(l.Events)), Arrivals: make([]Arrival, len(l.Arrivals))}
	for i, e := range l.Events {
		out.History[i] = Event{Stamp(e.At), e.Kind, e.Owner, e.By, e.Text, e.Fence}
	}
	for i, a := range l.Arrivals {
		out.Arrivals[i] = Arrival{Stamp(a.At), a.Owner, string(a.Status)}
	}
	return out
}

// Value returns the life that the body tells of.
func (b Life) Value() ledger.Life {
	l := ledger.Life{Key: b.Key.Value()}
	for _, e := range b.History {
		l.Events = append(l.Events, ledger.Event{At: Moment(e.At), Kind: e.Kind, Owner: e.Owner, By: e.By, Text: e.Text, Fence: e.Fence})
	}
	for _, a := range b.Arrivals {
		l.Arrivals = append(l.Arrivals, ledger.Arrival{At: Moment(a.At), Owner: a.Owner, Status: ledger.Status(a.Status)})
	}
	return l
}
