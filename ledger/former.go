package ledger

import (
	"context"
	"time"
)

// A FormerKey is the key that a former formula of the rule makes of the same event.
type FormerKey struct {
	Key   string
	Until time.Time // when that formula was left; rows first seen after it are not its
}

// named is the key that a call is about.
type named struct {
	rule   string
	key    string
	former []FormerKey
	claims bool           // the call asks for the key, so that the answer has to stand
	holds  func(Row) bool // whether the caller reports on a grant of the row; nil = it reports on none
}

// A place is where a call found its row, or that there is none.
type place struct {
	row   Row
	found bool
	tie   bool // the key is to be tied to the row, so that it means that row from now on
}

// seek looks beyond the row of the key itself, where that is none, or none of the
// caller's.
//
// A claim goes on with the row that its key was tied to, else with the first row of a
// former key, newest formula first. It ties its key to what it went on with, a new row
// too: whichever former key the next copy has, its key means the same row, and of two
// claims at once one meets the tie of the other. A report looks for the row that its
// proof fits.
func (n named) seek(ctx context.Context, r Reader, rule Rule, own place, now time.Time) (place, error) {
	if n.claims && (own.found || !rule.LooksBack(now)) {
		return own, nil
	}
	if own.found && (n.holds == nil || n.holds(own.row) || len(n.former) == 0) {
		return own, nil
	}
	keys := []string{n.key}
	for _, f := range n.former {
		keys = append(keys, f.Key)
	}
	rows, err := r.Tied(ctx, rule.ID, keys)
	if err != nil {
		return own, err
	}
	best := own
	for i, row := range rows {
		if row.ID == 0 || (i > 0 && row.FirstSeen.After(n.former[i-1].Until)) {
			continue
		}
		if n.holds != nil && n.holds(row) {
			return place{row: row, found: true}, nil
		}
		if !best.found {
			best = place{row: row, found: true, tie: n.claims && i > 0}
		}
	}
	if !best.found {
		best.tie = n.claims
	}
	return best, nil
}

// formerReason is added to an answer that comes from a former key's row.
const formerReason = " It is known by the event key of an earlier formula of this rule."

// tieOf returns the key that is to be tied to the row at a place, or "".
func (n named) tieOf(at place) string {
	if at.tie {
		return n.key
	}
	return ""
}

func (id Identity) named() named {
	return named{rule: id.Rule, key: id.Key, former: id.Former, holds: func(r Row) bool { return r.holds(id) }}
}
