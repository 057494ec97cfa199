package postgres

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"dedupedesk/ledger"
)

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

// CallsByHour adds up the shards of the hours.
func (r reading) CallsByHour(ctx context.Context, from, until time.Time) ([]ledger.HourCalls, error) {
	scan := func(rows pgx.Rows) (h ledger.HourCalls, err error) {
		var hour int64
		err = rows.Scan(&hour, &h.Rule, &h.Granted, &h.Copies, &h.Mismatches)
		h.Hour = time.UnixMilli(hour * time.Hour.Milliseconds()).UTC()
		return h, err
	}
	hours, err := collect(ctx, r.s, scan, `
		SELECT h.hour, r.name, sum(h.granted)::BIGINT, sum(h.copies)::BIGINT, sum(h.mismatches)::BIGINT
		FROM calls_by_hour AS h
		JOIN rules AS r ON r.id = h.rule_id
		WHERE h.hour >= $1 AND h.hour < $2
		GROUP BY h.hour, r.id, r.name`, hourAt(from), hourAt(until))
	// The database may sort by the rules of a language.
	slices.SortFunc(hours, func(a, b ledger.HourCalls) int { return cmp.Or(a.Hour.Compare(b.Hour), cmp.Compare(a.Rule, b.Rule)) })
	return hours, err
}

// DropHours forgets the counters of old hours.
func (t *tx) DropHours(ctx context.Context, before time.Time) error {
	t.s.later(`DELETE FROM calls_by_hour WHERE hour < $1`, hourAt(before))
	return nil
}
