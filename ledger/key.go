package ledger

import (
	"encoding/json"
	"time"
)

// A KeyQuery asks for a page of keys.
type KeyQuery struct {
	Rule   string // "" = all rules
	View   View
	State  State     // stored state; "" = any
	Prefix string    // keys that start with it
	Since  time.Time // changed at or after it
	Cursor string    // KeyPage.Next of the page before, or with Back its Prev, asked with the same filters
	Back   bool      // the page before Cursor; with no Cursor the last page of all
	Limit  int       // 1 to 200; 0 = 50
}

// A KeyPage is a page of keys: newest change first; keys that need a decision by
// the time since when they do, newest first; by key for a prefix search.
type KeyPage struct {
	Keys []Key
	Next string // cursor of the page after; "" = last
	Prev string // cursor of the page before, to be asked with Back; "" = first
}

// A Key is one row as people see it. It never holds the token.
type Key struct {
	Rule, Key   string
	State       State
	Stuck       bool
	StuckWhy    string // plain; "" unless Stuck
	Expired     bool   // claimed and out of time
	Owner       string
	Fence       int64
	Attempts    int
	FirstSeen   time.Time
	ClaimedAt   time.Time
	LeaseUntil  time.Time
	DoneAt      time.Time
	NextTryAt   time.Time
	ChangedAt   time.Time // last change of state, not the last copy
	LastError   string
	Result      json.RawMessage
	Fingerprint string
	Copies      int64
	Mismatches  int64
	StaleCalls  int64
	Generation  int64 // 1 at first, +1 each time a person lets it run again
}

// Word returns the state in the words that the pages and the command line use. A state
// that no version knows is called unknown, with its stored text.
func (k Key) Word() string {
	switch {
	case k.Stuck || k.State == Held:
		return "Needs a decision"
	case k.State == Claimed:
		return "In progress"
	case k.State == Done:
		return "Finished"
	case k.State == Retryable && k.Generation > 1 && k.Attempts == 0:
		return "Waiting for another try" // a person let it run again: nothing failed
	case k.State == Retryable:
		return "Failed, waiting for another try"
	}
	return "Unknown: " + string(k.State)
}

// The kinds of events.
const (
	EventGranted         = "granted"
	EventTookOver        = "took_over"
	EventFinished        = "finished"
	EventReleased        = "released"
	EventHeld            = "held"
	EventStaleDone       = "stale_done"
	EventStaleRelease    = "stale_release"
	EventDecidedFinished = "decided_finished"
	EventDecidedAgain    = "decided_again"
	EventDecidedBlock    = "decided_block"
	EventForgotten       = "forgotten"
)

// An Event is one line of a key's history.
type Event struct {
	At    time.Time
	Kind  string
	Owner string
	By    string // the person, for a decision
	Text  string // plain
	Fence int64
}

// An Arrival is one copy that was stopped.
type Arrival struct {
	At     time.Time
	Owner  string
	Status Status
}

// MaxArrivals is how many arrivals are kept per key: the newest.
const MaxArrivals = 50

// A Life is a key with its history.
type Life struct {
	Key      Key
	Events   []Event   // oldest first, with the first grant and the finish
	Arrivals []Arrival // the newest MaxArrivals copies, newest first
}

// Counts are the figures of the whole ledger. InProgress, Finished, Waiting and
// Stuck add up to Total. A row in a state that nobody knows counts as Stuck.
type Counts struct {
	Total          int64
	InProgress     int64
	Finished       int64
	Waiting        int64
	Stuck          int64
	CopiesStopped  int64 // all time, keys that are pruned by now included
	CopiesThisWeek int64 // the last seven UTC days, today included
	FirstClaimAt   time.Time
	LastCallAt     time.Time
}

// DayCopies are the copies of a rule that were stopped on a day.
type DayCopies struct {
	Day    time.Time // its beginning, in UTC
	Rule   string
	Copies int64
}

// HourCalls are the claims of a rule in an hour: those that were granted, for the first
// time or again, the copies that were stopped, and the events refused because their
// contents differ from what the key stands for.
type HourCalls struct {
	Hour       time.Time // its beginning, in UTC
	Rule       string
	Granted    int64
	Copies     int64
	Mismatches int64
}

// HoursKept is how long the figures of an hour are kept at least.
const HoursKept = 8 * 24 * time.Hour

// A RuleUse tells how much a rule is used. Archived rules are left out.
type RuleUse struct {
	Rule           string
	Keys           int64
	Copies         int64
	CopiesThisWeek int64 // the last seven UTC days, today included
	LastCallAt     time.Time
}
