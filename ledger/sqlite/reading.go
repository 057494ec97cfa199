package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"dedupedesk/ledger"
)

// Read runs f in one read transaction of its own. It is Busy while another file is in
// the place of the one that was opened: each of the connections may see either.
func (s *Store) Read(ctx context.Context, f func(ledger.Reader) error) error {
	err := func() error {
		if err := s.place.check(); err != nil {
			return err
		}
		snapshot, err := s.read.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
		if err != nil {
			return fmt.Errorf("begin: %w", err)
		}
		defer snapshot.Rollback() // nothing was written
		return f(reading{snapshot})
	}()
	if ctx.Err() != nil && err != nil {
		return coded(errors.Join(ctx.Err(), err))
	}
	return s.damage.note(err)
}

// A querier runs queries: a snapshot of a reader, or the writer.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// A reading answers the questions of [ledger.Reader] by one querier.
type reading struct{ db querier }

// Now tells that the machine's clock decides: there is no server.
func (r reading) Now(context.Context) (time.Time, bool, error) { return time.Time{}, false, nil }

// collect runs a query and scans each of its rows.
func collect[T any](ctx context.Context, db querier, scan func(*sql.Rows) (T, error), query string, args ...any) ([]T, error) {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []T
	for rows.Next() {
		v, err := scan(rows)
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	return all, rows.Err()
}

// single is collect for a query that gives at most one row.
func single[T any](ctx context.Context, db querier, scan func(*sql.Rows) (T, error), query string, args ...any) (T, bool, error) {
	all, err := collect(ctx, db, scan, query, args...)
	if err != nil || len(all) == 0 {
		var none T
		return none, false, err
	}
	return all[0], true, nil
}

func scanNumber(rows *sql.Rows) (n int64, err error) {
	err = rows.Scan(&n)
	return n, err
}

func scanText(rows *sql.Rows) (s string, err error) {
	err = rows.Scan(&s)
	return s, err
}

// ms turns a time into what is stored; the zero time into NULL.
func ms(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UnixMilli()
}

// A stamp scans what is stored into the time it points to; NULL into the zero time.
type stamp struct{ to *time.Time }

func (s stamp) Scan(v any) error {
	switch v := v.(type) {
	case nil:
		*s.to = time.Time{}
	case int64:
		*s.to = time.UnixMilli(v).UTC()
	default:
		return fmt.Errorf("a time is stored as %T", v)
	}
	return nil
}

func duration(n int64) time.Duration { return time.Duration(n) * time.Millisecond }
