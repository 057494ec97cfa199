package sqlite

import (
	"context"

	"dedupedesk/ledger"
)

// Events returns a key's history, oldest first.
func (r reading) Events(ctx context.Context, ruleID int64, key string) ([]ledger.Event, error) {
	scan := func(row scanner) (e ledger.Event, err error) {
		err = row.Scan(stamp{&e.At}, &e.Kind, &e.Owner, &e.By, &e.Text, &e.Fence)
		return e, err
	}
	return collect(ctx, r.db, scan, `
		SELECT at, kind, owner, person, text, fence
		FROM events INDEXED BY events_key
		WHERE key = ? AND rule_id = ?
		ORDER BY at, id`, key, ruleID)
}

// Append adds an event to a key's history.
func (t tx) Append(ctx context.Context, ruleID int64, key string, e ledger.Event) error {
	_, err := t.exec(`
		INSERT INTO events (rule_id, key, at, kind, owner, person, text, fence)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
		ruleID, key, ms(e.At), e.Kind, e.Owner, e.By, e.Text, e.Fence)
	return err
}

// Arrivals returns the newest arrivals of a row, newest first.
func (r reading) Arrivals(ctx context.Context, rowID int64) ([]ledger.Arrival, error) {
	scan := func(row scanner) (a ledger.Arrival, err error) {
		err = row.Scan(stamp{&a.At}, &a.Owner, &a.Status)
		return a, err
	}
	return collect(ctx, r.db, scan, `
		SELECT at, owner, status
		FROM arrivals
		WHERE claim_id = ?
		ORDER BY n DESC`, rowID)
}

// Arrive keeps an arrival in the row's ring.
func (t tx) Arrive(ctx context.Context, rowID, n int64, a ledger.Arrival) error {
	_, err := t.exec(`
		INSERT OR REPLACE INTO arrivals (claim_id, slot, n, at, owner, status)
		VALUES (?, ?, ?, ?, ?, ?)`,
		rowID, n%ledger.MaxArrivals, n, ms(a.At), a.Owner, string(a.Status))
	return err
}
