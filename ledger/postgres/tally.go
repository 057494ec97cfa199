package postgres

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"dedupedesk/ledger"
)

// A tally is what a transaction adds to the figures of one rule.
type tally struct {
	total, claimed, done, retryable, held, copies int64
	firstSeen, calledAt                           time.Time
}

// A dayOf is a UTC day of one rule; days are counted since 1970.
type dayOf struct{ day, ruleID int64 }

func dayAt(t time.Time) int64 { return t.UnixMilli() / (24 * time.Hour).Milliseconds() }

// An hourOf is a UTC hour of one rule; hours are counted since 1970.
type hourOf struct{ hour, ruleID int64 }

func hourAt(t time.Time) int64 { return t.UnixMilli() / time.Hour.Milliseconds() }

// of returns the tally of a rule.
func (t *tx) of(ruleID int64) *tally {
	n, ok := t.tallies[ruleID]
	if !ok {
		n = &tally{}
		t.tallies[ruleID] = n
	}
	return n
}

// move counts n rows more, or less, in a state.
func (n *tally) move(s ledger.State, by int64) {
	switch s {
	case ledger.Claimed:
		n.claimed += by
	case ledger.Done:
		n.done += by
	case ledger.Retryable:
		n.retryable += by
	case ledger.Held:
		n.held += by
	}
}

// called notes a call.
func (n *tally) called(at time.Time) {
	if at.After(n.calledAt) {
		n.calledAt = at
	}
}

// added counts a new row. Copies of one that was brought along were not stopped here.
func (t *tx) added(r ledger.Row) {
	n := t.of(r.RuleID)
	n.total++
	n.move(r.State, 1)
	n.called(r.CalledAt)
	if n.firstSeen.IsZero() || r.FirstSeen.Before(n.firstSeen) {
		n.firstSeen = r.FirstSeen
	}
	if r.State == ledger.Claimed && r.Attempts == 1 && r.ClaimedAt.Equal(r.ChangedAt) {
		t.hour(r.RuleID, r.CalledAt).Granted++ // not one that was brought along
	}
}

// hour returns what the transaction adds to an hour of a rule.
func (t *tx) hour(ruleID int64, at time.Time) *ledger.HourCalls {
	of := hourOf{hourAt(at), ruleID}
	h, ok := t.hours[of]
	if !ok {
		h = &ledger.HourCalls{}
		t.hours[of] = h
	}
	return h
}

// replaced counts the difference that a row makes to what it was.
func (t *tx) replaced(b before, r ledger.Row) {
	n := t.of(b.ruleID)
	n.move(b.state, -1)
	n.move(r.State, 1)
	n.called(r.CalledAt)
	if more := r.Copies - b.copies; more > 0 {
		n.copies += more
		t.days[dayOf{dayAt(r.CalledAt), b.ruleID}] += more
		t.hour(b.ruleID, r.CalledAt).Copies += more
	}
	if more := int64(r.Attempts) - b.attempts; more > 0 {
		t.hour(b.ruleID, r.CalledAt).Granted += more
	}
	if more := r.Mismatches - b.mismatches; more > 0 {
		t.hour(b.ruleID, r.CalledAt).Mismatches += more
	}
}

// gone counts rows that are removed.
func (t *tx) gone(ruleID int64, s ledger.State, rows int64) {
	n := t.of(ruleID)
	n.total -= rows
	n.move(s, -rows)
}

// tell adds the tallies to the shards, last and in the order of the rules, so that the
// locks are short and no two transactions wait for each other. It fails where a rule was
// changed since this transaction read it.
func (t *tx) tell() {
	for _, ruleID := range slices.Sorted(maps.Keys(t.tallies)) {
		n := t.tallies[ruleID]
		var edition *int64
		if e, ok := t.editions[ruleID]; ok {
			edition = &e
		}
		t.s.later(`
			UPDATE rule_counts
			SET total = total + $3, claimed = claimed + $4, done = done + $5, retryable = retryable + $6,
				held = held + $7, copies = copies + $8,
				first_claim_at = LEAST(first_claim_at, $9::BIGINT), last_call_at = GREATEST(last_call_at, $10::BIGINT),
				edition = CASE WHEN $11::BIGINT IS NULL OR edition = $11 THEN edition END
			WHERE rule_id = $1 AND shard = $2`,
			ruleID, t.shard, n.total, n.claimed, n.done, n.retryable, n.held, n.copies,
			ms(n.firstSeen), ms(n.calledAt), edition)
	}
	days := slices.SortedFunc(maps.Keys(t.days), func(a, b dayOf) int {
		return cmp.Or(cmp.Compare(a.day, b.day), cmp.Compare(a.ruleID, b.ruleID))
	})
	for _, d := range days {
		t.s.later(`
			INSERT INTO copies_by_day (day, rule_id, shard, copies)
			VALUES ($1, $2, $3, $4)
			ON CONFLICT (day, rule_id, shard) DO UPDATE SET copies = copies_by_day.copies + excluded.copies`,
			d.day, d.ruleID, t.shard, t.days[d])
	}
	t.tellHours()
}

func (t *tx) tellHours() {
	hours := slices.SortedFunc(maps.Keys(t.hours), func(a, b hourOf) int {
		return cmp.Or(cmp.Compare(a.hour, b.hour), cmp.Compare(a.ruleID, b.ruleID))
	})
	for _, of := range hours {
		h := t.hours[of]
		t.s.later(`
			INSERT INTO calls_by_hour AS old (hour, rule_id, shard, granted, copies, mismatches)
			VALUES ($1, $2, $3, $4, $5, $6)
			ON CONFLICT (hour, rule_id, shard) DO UPDATE SET granted = old.granted + excluded.granted,
				copies = old.copies + excluded.copies, mismatches = old.mismatches + excluded.mismatches`,
			of.hour, of.ruleID, t.shard, h.Granted, h.Copies, h.Mismatches)
	}
}
