package body

import (
	"encoding/json"

	"dedupedesk/ledger"
)

// A Key is one key. The grant's token is never in it.
type Key struct {
	Rule        string          `json:"rule"`
	Key         string          `json:"key"`
	State       string          `json:"state"`
	Stuck       bool            `json:"stuck"`
	StuckWhy    string          `json:"stuck_why,omitempty"`
	Expired     bool            `json:"expired"`
	Owner       string          `json:"owner,omitempty"`
	Fence       int64           `json:"fence"`
	Attempts    int             `json:"attempts"`
	FirstSeen   string          `json:"first_seen"`
	ClaimedAt   string          `json:"claimed_at,omitempty"`
	LeaseUntil  string          `json:"lease_until,omitempty"`
	DoneAt      string          `json:"done_at,omitempty"`
	NextTryAt   string          `json:"next_try_at,omitempty"`
	ChangedAt   string          `json:"changed_at,omitempty"`
	LastError   string          `json:"last_error,omitempty"`
	Result      json.RawMessage `json:"result,omitempty"`
	Fingerprint string          `json:"fingerprint,omitempty"`
	Copies      int64           `json:"copies"`
	Mismatches  int64           `json:"mismatches"`
	StaleCalls  int64           `json:"stale_calls"`
	Generation  int64           `json:"generation"`
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
	Keys []Key  `json:"keys"`
	Next string `json:"next"` // cursor of the page after, "" = last
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
	History  []Event   `json:"history"`  // oldest first
	Arrivals []Arrival `json:"arrivals"` // newest first
}

// An Event is one line of a history.
type Event struct {
	At    string `json:"at"`
	Kind  string `json:"kind"`
	Owner string `json:"owner,omitempty"`
	By    string `json:"by,omitempty"`
	Text  string `json:"text,omitempty"`
	Fence int64  `json:"fence,omitempty"`
}

// An Arrival is one copy that was stopped.
type Arrival struct {
	At     string `json:"at"`
	Owner  string `json:"owner,omitempty"`
	Status string `json:"status"`
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
