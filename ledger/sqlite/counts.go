package sqlite

import (
	"context"
	"time"

	"dedupedesk/ledger"
)

// Counts reads the counters that triggers keep. Only what is stuck is counted, by
// an index that holds no finished key.
func (r reading) Counts(ctx context.Context, now time.Time) (ledger.Counts, error) {
	scan := func(row scanner) (c ledger.Counts, err error) {
		err = row.Scan(&c.Total, &c.InProgress, &c.Finished, &c.Waiting, &c.Stuck, &c.CopiesStopped,
			stamp{&c.FirstClaimAt}, stamp{&c.LastCallAt})
		return c, err
	}
	c, _, err := single(ctx, r.db, scan, `
		SELECT sum(total), sum(claimed), sum(done), sum(retryable), sum(held), sum(copies),
			min(first_claim_at), max(last_call_at)
		FROM rule_counts`)
	if err != nil {
		return c, err
	}
	c.CopiesThisWeek, _, err = single(ctx, r.db, scanNumber, `
		SELECT coalesce(sum(copies), 0)
		FROM copies_by_day
		WHERE day > ?`, dayAt(now)-7)
	if err != nil {
		return c, err
	}
	c.Stuck = 0 // what the counter calls held is part of what is counted here
	return c, r.countStuck(ctx, now, &c)
}

func (r reading) countStuck(ctx context.Context, now time.Time, c *ledger.Counts) error {
	type count struct {
		state ledger.State
		n     int64
	}
	scan := func(row scanner) (s count, err error) {
		err = row.Scan(&s.state, &s.n)
		return s, err
	}
	stuck, err := collect(ctx, r.db, scan, `
		SELECT state, count(*)
		FROM claims INDEXED BY claims_stuck
		WHERE `+stuckSince+` <= ?
		GROUP BY state`, now.UnixMilli())
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

// RuleUses reads the counters of every live rule, by name.
func (r reading) RuleUses(ctx context.Context, now time.Time) ([]ledger.RuleUse, error) {
	scan := func(row scanner) (u ledger.RuleUse, err error) {
		err = row.Scan(&u.Rule, &u.Keys, &u.Copies, &u.CopiesThisWeek, stamp{&u.LastCallAt})
		return u, err
	}
	return collect(ctx, r.db, scan, `
		SELECT r.name, n.total, n.copies,
			(SELECT coalesce(sum(d.copies), 0) FROM copies_by_day AS d WHERE d.rule_id = r.id AND d.day > ?), n.last_call_at
		FROM rules AS r
		JOIN rule_counts AS n ON n.rule_id = r.id
		WHERE r.archived_at IS NULL
		ORDER BY r.name`, dayAt(now)-7)
}

// dayAt counts UTC days.
func dayAt(now time.Time) int64 { return now.UnixMilli() / (24 * time.Hour).Milliseconds() }

// CopiesByDay reads the counters of the days.
func (r reading) CopiesByDay(ctx context.Context, from, until time.Time) ([]ledger.DayCopies, error) {
	scan := func(row scanner) (d ledger.DayCopies, err error) {
		var day int64
		err = row.Scan(&day, &d.Rule, &d.Copies)
		d.Day = dayStart(day)
		return d, err
	}
	return collect(ctx, r.db, scan, `
		SELECT d.day, r.name, d.copies
		FROM copies_by_day AS d
		JOIN rules AS r ON r.id = d.rule_id
		WHERE d.day >= ? AND d.day < ? AND d.copies > 0
		ORDER BY d.day, r.name`, dayAt(from), dayAt(until))
}

// dayStart is when a UTC day begins.
func dayStart(day int64) time.Time { return time.UnixMilli(0).UTC().AddDate(0, 0, int(day)) }

// hourAt counts UTC hours.
func hourAt(t time.Time) int64 { return t.UnixMilli() / time.Hour.Milliseconds() }

// CallsByHour reads the counters of the hours.
func (r reading) CallsByHour(ctx context.Context, from, until time.Time) ([]ledger.HourCalls, error) {
	scan := func(row scanner) (h ledger.HourCalls, err error) {
		var hour int64
		err = row.Scan(&hour, &h.Rule, &h.Granted, &h.Copies, &h.Mismatches)
		h.Hour = time.UnixMilli(hour * time.Hour.Milliseconds()).UTC()
		return h, err
	}
	return collect(ctx, r.db, scan, `
		SELECT h.hour, r.name, h.granted, h.copies, h.mismatches
		FROM calls_by_hour AS h
		JOIN rules AS r ON r.id = h.rule_id
		WHERE h.hour >= ? AND h.hour < ?
		ORDER BY h.hour, r.name`, hourAt(from), hourAt(until))
}

// DropHours forgets the counters of old hours.
func (t tx) DropHours(_ context.Context, before time.Time) error {
	_, err := t.exec(`DELETE FROM calls_by_hour WHERE hour < ?`, hourAt(before))
	return err
}
