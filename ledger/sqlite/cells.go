package sqlite

import (
	"strings"

	"dedupedesk/ledger"
)

// Cells are what is written of a row, but for its identity, in the order of cellNames.
type cells [24]any

var cellNames = [len(cells{})]string{
	"state", "fence", "token", "owner", "plain", "taken_over", "released", "attempts", "lease",
	"first_seen", "claimed_at", "lease_until", "done_at", "next_try_at", "changed_at", "called_at", "stuck_at",
	"last_error", "result", "fingerprint", "copies", "mismatches", "stale_calls", "generation",
}

func cellsOf(r ledger.Row) *cells {
	return &cells{
		string(r.State), r.Fence, r.Token, r.Owner, r.Plain, r.TakenOver, r.Released, int64(r.Attempts), r.Lease.Milliseconds(),
		ms(r.FirstSeen), ms(r.ClaimedAt), ms(r.LeaseUntil), ms(r.DoneAt), ms(r.NextTryAt), ms(r.ChangedAt), ms(r.CalledAt), ms(r.StuckAt),
		r.LastError, r.Result, r.Fingerprint, r.Copies, r.Mismatches, r.StaleCalls, r.Generation,
	}
}

// A cellSet says which cells are meant, a bit each.
type cellSet uint32

const allCells cellSet = 1<<len(cells{}) - 1

// newCells are what the table gives a row by itself. What it gives nothing for is
// written always.
var newCells = &cells{
	always{}, always{}, always{}, "", false, false, false, always{}, always{},
	always{}, always{}, always{}, nil, nil, always{}, always{}, nil,
	"", "", "", int64(0), int64(0), int64(0), int64(1),
}

// always equals nothing that is stored.
type always struct{}

func (c *cells) differ(from *cells) (set cellSet) {
	for i := range c {
		if c[i] != from[i] {
			set |= 1 << i
		}
	}
	return set
}

// values returns the cells of a set after others.
func (c *cells) values(set cellSet, others ...any) []any {
	all := make([]any, len(others), len(others)+len(c)+2)
	copy(all, others)
	for i := range c {
		if set&(1<<i) != 0 {
			all = append(all, c[i])
		}
	}
	return all
}

func (set cellSet) names() (names []string) {
	for i, name := range cellNames {
		if set&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return names
}

// A statements keeps the texts of one statement for the sets of cells that calls
// change. They are a few dozen, since a call has few ways to end.
type statements struct {
	write func(names []string) string
	texts map[cellSet]string
}

func newStatements(write func(names []string) string) *statements {
	return &statements{write: write, texts: make(map[cellSet]string)}
}

// maxTexts bounds what is kept prepared.
const maxTexts = 100

// text returns the statement that writes set, or more than that where too many are
// kept already.
func (s *statements) text(set cellSet) (string, cellSet) {
	text, ok := s.texts[set]
	if !ok && len(s.texts) >= maxTexts {
		set = allCells
		text, ok = s.texts[set]
	}
	if !ok {
		text = s.write(set.names())
		s.texts[set] = text
	}
	return text, set
}

func insertText(names []string) string {
	return "INSERT INTO claims (rule_id, key, " + strings.Join(names, ", ") + ")\nVALUES (?, ?" + strings.Repeat(", ?", len(names)) + ")\n" +
		"ON CONFLICT (key, rule_id) DO NOTHING"
}

func updateText(names []string) string {
	text := "UPDATE claims SET version = version + 1"
	for _, name := range names {
		text += ", " + name + " = ?"
	}
	return text + "\nWHERE id = ? AND version = ?"
}
