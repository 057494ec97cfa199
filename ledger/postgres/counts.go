package postgres

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

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
}

// Counts adds up the shards. Only what is stuck is counted, by an index that holds no
// finished key.
func (r reading) Counts(ctx context.Context, now time.Time) (ledger.Counts, error) {
	scan := func(rows pgx.Rows) (c ledger.Counts, err error) {
		err = rows.Scan(&c.Total, &c.InProgress, &c.Finished, &c.Waiting, &c.CopiesStopped,
			stamp{&c.FirstClaimAt}, stamp{&c.LastCallAt})
		return c, err
	}
	c, _, err := single(ctx, r.s, scan, `
		SELECT sum(total)::BIGINT, sum(claimed)::BIGINT, sum(done)::BIGINT, sum(retryable)::BIGINT, sum(copies)::BIGINT,
			min(first_claim_at), max(last_call_at)
		FROM rule_counts`)
	if err != nil {
		return c, err
	}
	c.CopiesThisWeek, _, err = single(ctx, r.s, scanNumber, `
		SELECT coalesce(sum(copies), 0)::BIGINT
		FROM copies_by_day
		WHERE day > $1`, dayAt(now)-7)
	if err != nil {
		return c, err
	}
	return c, r.countStuck(ctx, now, &c)
}

const stuckByState = `
	SELECT state, count(*)
	FROM claims
	WHERE ` + known + ` AND stuck_at <= $1
	GROUP BY state
	UNION ALL
	SELECT '', count(*)
	FROM claims
	WHERE ` + odd

func (r reading) countStuck(ctx context.Context, now time.Time, c *ledger.Counts) error {
	type count struct {
		state ledger.State
		n     int64
	}
	scan := func(rows pgx.Rows) (s count, err error) {
		err = rows.Scan(&s.state, &s.n)
		return s, err
	}
	stuck, err := planned(ctx, r.s, scan, stuckByState, now.UnixMilli())
	for _, s := range stuck {
		c.Stuck += s.n
		switch s.state {
		case ledger.Claimed:
			c.InProgress -= s.n
		case ledger.Retryable:
			c.Waiting -= s.n
		}
	}
	return err
}

// RuleUses adds up the shards of every live rule, by name.
func (r reading) RuleUses(ctx context.Context, now time.Time) ([]ledger.RuleUse, error) {
	scan := func(rows pgx.Rows) (u ledger.RuleUse, err error) {
		err = rows.Scan(&u.Rule, &u.Keys, &u.Copies, &u.CopiesThisWeek, stamp{&u.LastCallAt})
		return u, err
	}
	uses, err := collect(ctx, r.s, scan, `
		SELECT r.name, sum(n.total)::BIGINT, sum(n.copies)::BIGINT,
			(SELECT coalesce(sum(d.copies), 0)::BIGINT FROM copies_by_day AS d WHERE d.rule_id = r.id AND d.day > $1),
			max(n.last_call_at)
		FROM rules AS r
		JOIN rule_counts AS n ON n.rule_id = r.id
		WHERE r.archived_at IS NULL
		GROUP BY r.id, r.name`, dayAt(now)-7)
	// The database may sort by the rules of a language.
	slices.SortFunc(uses, func(a, b ledger.RuleUse) int { return cmp.Compare(a.Rule, b.Rule) })
	return uses, err
}

// CopiesByDay adds up the shards of the days.
func (r reading) CopiesByDay(ctx context.Context, from, until time.Time) ([]ledger.DayCopies, error) {
	scan := func(rows pgx.Rows) (d ledger.DayCopies, err error) {
		var day int64
		err = rows.Scan(&day, &d.Rule, &d.Copies)
		d.Day = time.UnixMilli(0).UTC().AddDate(0, 0, int(day))
		return d, err
	}
	days, err := collect(ctx, r.s, scan, `
		SELECT d.day, r.name, sum(d.copies)::BIGINT
		FROM copies_by_day AS d
		JOIN rules AS r ON r.id = d.rule_id
		WHERE d.day >= $1 AND d.day < $2
		GROUP BY d.day, r.id, r.name
		HAVING sum(d.copies) > 0`, dayAt(from), dayAt(until))
	// The database may sort by the rules of a language.
	slices.SortFunc(days, func(a, b ledger.DayCopies) int { return cmp.Or(a.Day.Compare(b.Day), cmp.Compare(a.Rule, b.Rule)) })
	return days, err
}
