package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"dedupedesk/ledger"
)

// Events returns a key's history, oldest first.
func (r reading) Events(ctx context.Context, ruleID int64, key string) ([]ledger.Event, error) {
	scan := func(rows pgx.Rows) (e ledger.Event, err error) {
		err = rows.Scan(stamp{&e.At}, &e.Kind, &e.Owner, &e.By, &e.Text, &e.Fence)
		return e, err
	}
	return collect(ctx, r.s, scan, `
		SELECT at, kind, owner, person, text, fence
		FROM events
		WHERE key = $1 AND rule_id = $2
		ORDER BY at, id`, []byte(key), ruleID)
}

// Append adds an event to a key's history.
func (t *tx) Append(_ context.Context, ruleID int64, key string, e ledger.Event) error {
	t.s.later(`
		INSERT INTO events (rule_id, key, at, kind, owner, person, text, fence)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
		ruleID, []byte(key), ms(e.At), e.Kind, e.Owner, e.By, e.Text, e.Fence)
	return nil
}

// Arrivals returns the newest arrivals of a row, newest first.
func (r reading) Arrivals(ctx context.Context, rowID int64) ([]ledger.Arrival, error) {
	scan := func(rows pgx.Rows) (a ledger.Arrival, err error) {
		err = rows.Scan(stamp{&a.At}, &a.Owner, &a.Status)
		return a, err
	}
	return collect(ctx, r.s, scan, `
		SELECT at, owner, status
		FROM arrivals
		WHERE claim_id = $1
		ORDER BY n DESC`, rowID)
}

// Arrive keeps an arrival in the row's ring.
func (t *tx) Arrive(_ context.Context, rowID, n int64, a ledger.Arrival) error {
	t.s.later(`
		INSERT INTO arrivals (claim_id, slot, n, at, owner, status)
		VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (claim_id, slot) DO UPDATE
		SET n = excluded.n, at = excluded.at, owner = excluded.owner, status = excluded.status`,
		rowID, n%ledger.MaxArrivals, n, ms(a.At), a.Owner, string(a.Status))
	return nil
}
