package ledger

import (
	"context"
	"time"
)

// A Store keeps rows, history, rules, tokens and settings. What it has to do is
// checked by ledgertest.
type Store interface {
	// Write runs f in one write transaction. All that f wrote is on disk before
	// Write returns nil; nothing of it is there if f or Write returns an error. A
	// store may run f again after a conflict and may share one transaction among
	// callers, so f must not do anything but use tx and set its results.
	//
	// Write returns Busy where it could not begin in time or the database is
	// full or read-only, and Corrupt where the database is damaged: from then on
	// every Write does, until the store is opened anew.
	Write(ctx context.Context, f func(tx Tx) error) error

	// Read runs f on one snapshot. It returns Busy and Corrupt as Write does.
	Read(ctx context.Context, f func(r Reader) error) error

	// Examine reads all that is kept and returns Corrupt where it is damaged, after
	// which Write returns Corrupt too, or Busy.
	Examine(ctx context.Context) error

	// Close waits for running calls and frees the store.
	Close() error
}

// A Reader reads within one snapshot.
type Reader interface {
	// Now returns the time of the store's server, which then decides, however long
	// the transaction waited; ok is false where the store has no server.
	Now(ctx context.Context) (at time.Time, ok bool, err error)

	// RuleNamed returns the rule of that name, archived or not.
	RuleNamed(ctx context.Context, name string) (Rule, bool, error)
	// AllRules returns every rule by name, archived ones included.
	AllRules(ctx context.Context) ([]Rule, error)
	// RuleVersions returns what is kept of a rule's versions, newest first, without
	// Until and LookBack.
	RuleVersions(ctx context.Context, ruleID int64) ([]RuleVersion, error)
	// LastChange returns the newest ChangedAt of a rule's rows, or the zero time.
	LastChange(ctx context.Context, ruleID int64) (time.Time, error)

	// Load returns the row of a key. A state that nobody knows is returned as it is.
	Load(ctx context.Context, ruleID int64, key string) (Row, bool, error)
	// Tied returns for each key its row or, where it has none, the row that it is tied
	// to; the zero Row where there is neither.
	Tied(ctx context.Context, ruleID int64, keys []string) ([]Row, error)
	// Rows returns up to q.Limit rows in q's order.
	Rows(ctx context.Context, q RowQuery) ([]Row, error)
	// Events returns a key's history, oldest first. It outlives the row.
	Events(ctx context.Context, ruleID int64, key string) ([]Event, error)
	// Arrivals returns the newest MaxArrivals arrivals of a row, newest first.
	Arrivals(ctx context.Context, rowID int64) ([]Arrival, error)
	// Counts returns the figures as of now, from counters that are kept.
	Counts(ctx context.Context, now time.Time) (Counts, error)
	// RuleUses returns the use of every live rule, by name.
	RuleUses(ctx context.Context, now time.Time) ([]RuleUse, error)
	// CopiesByDay returns the copies stopped on each UTC day from one on and before
	// another, by day and rule, archived ones too; days without any are left out.
	CopiesByDay(ctx context.Context, from, until time.Time) ([]DayCopies, error)
	// CallsByHour returns the claims of each hour from one on and before another, by
	// hour and rule, archived ones too; hours without any are left out.
	CallsByHour(ctx context.Context, from, until time.Time) ([]HourCalls, error)
	// DoneBefore counts the done rows of a rule with DoneAt before a time.
	DoneBefore(ctx context.Context, ruleID int64, before time.Time) (int64, error)

	// AllTokens returns every API token, oldest first.
	AllTokens(ctx context.Context) ([]Token, error)
	// TokenByHash returns the token whose hash is equal, and that hash.
	TokenByHash(ctx context.Context, hash []byte) (Token, []byte, bool, error)
	// Setting returns a named value.
	Setting(ctx context.Context, name string) (string, bool, error)
	// Settings returns the values whose names start with prefix.
	Settings(ctx context.Context, prefix string) (map[string]string, error)
}

// A Tx reads and writes within one transaction.
type Tx interface {
	Reader

	// Insert adds a row and reports false, changing nothing, if the key has one.
	// The row's ID is set by the store and its Version is 1 afterwards.
	Insert(ctx context.Context, row Row) (id int64, ok bool, err error)
	// Replace writes row over the stored one if that still has row.Version, and
	// raises the version by one. It reports false, changing nothing, if not.
	Replace(ctx context.Context, row Row) (bool, error)
	// Tie makes a key that has no row and no tie mean a row of the rule, for as long as
	// that is there. Of two transactions that tie or insert one key at once, one fails
	// or sees what the other did.
	Tie(ctx context.Context, ruleID int64, key string, rowID int64) error
	// Remove deletes the row, its arrivals and its ties if it still has row.Version.
	Remove(ctx context.Context, row Row) (bool, error)
	// Append adds an event to a key's history.
	Append(ctx context.Context, ruleID int64, key string, e Event) error
	// Arrive keeps an arrival of a row, and forgets all but the newest
	// MaxArrivals. n is its number, counted from 1 over the life of the row.
	Arrive(ctx context.Context, rowID, n int64, a Arrival) error
	// Prune removes up to limit done rows of a rule with DoneAt before a time,
	// with their history, arrivals and ties, and returns how many.
	Prune(ctx context.Context, ruleID int64, before time.Time, limit int) (int64, error)

	// DropHours forgets the figures of the hours before a time.
	DropHours(ctx context.Context, before time.Time) error

	// SaveRule adds the rule if its ID is 0, else writes it over the one with
	// that ID, name included. It returns the ID. What the transaction reads next
	// tells all that calls did which read the rule before, and none of those ends later.
	SaveRule(ctx context.Context, r Rule) (int64, error)
	// AddRuleVersion keeps a version that the rule does not have yet.
	AddRuleVersion(ctx context.Context, ruleID int64, v RuleVersion) error
	// DropRuleVersion forgets a version.
	DropRuleVersion(ctx context.Context, ruleID, version int64) error
	// AddToken adds an API token under its hash and returns its ID.
	AddToken(ctx context.Context, t Token, hash []byte) (int64, error)
	// SaveToken writes the times of the token with that ID.
	SaveToken(ctx context.Context, t Token) error
	// PutSetting sets a named value; "" deletes it.
	PutSetting(ctx context.Context, name, value string) error
	// AddSetting sets a named value where there is none, whoever else does so at
	// the same time, and else does nothing.
	AddSetting(ctx context.Context, name, value string) error
}

// A RowQuery asks a store for rows. The zero time and "" filter nothing.
type RowQuery struct {
	RuleID int64 // 0 = all rules
	View   View
	State  State
	Prefix string
	Since  time.Time
	Now    time.Time // decides what is stuck
	Order  Order
	After  Position // the last row of the page before; the zero value starts
	Back   bool     // against the order: the rows before After, or the last ones, the nearest first
	Limit  int
}

// An Order is how rows are sorted. The row's ID settles ties.
type Order int

// The orders.
const (
	ByChange Order = iota // ChangedAt, newest first
	ByStuck               // StuckAt, newest first; rows in a state nobody knows last, as if since 1970
	ByKey                 // key, by code point, ascending
)

// A Position is a place in an order.
type Position struct {
	At  time.Time // ByChange and ByStuck
	Key string    // ByKey
	ID  int64     // 0 = before the first row
}
