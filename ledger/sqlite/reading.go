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
		return f(reading{database{snapshot}})
	}()
	if ctx.Err() != nil && err != nil {
		return coded(errors.Join(ctx.Err(), err))
	}
	return s.damage.note(err)
}

// A querier runs queries: a snapshot of a reader, or a turn of the writer.
type querier interface {
	query(ctx context.Context, query string, args ...any) (rows, error)
}

// rows are what a query gives, as [sql.Rows] are.
type rows interface {
	scanner
	Next() bool
	Err() error
	Close() error
}

// A scanner copies a row into variables.
type scanner interface{ Scan(dest ...any) error }

// A database asks through database/sql: a transaction or a connection of its pool.
type database struct {
	db interface {
		QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	}
}

func (d database) query(ctx context.Context, query string, args ...any) (rows, error) {
	return d.db.QueryContext(ctx, query, args...)
}

// A reading answers the questions of [ledger.Reader] by one querier.
type reading struct{ db querier }

// Now tells that the machine's clock decides: there is no server.
func (r reading) Now(context.Context) (time.Time, bool, error) { return time.Time{}, false, nil }

// collect runs a query and scans each of its rows.
func collect[T any](ctx context.Context, db querier, scan func(scanner) (T, error), query string, args ...any) ([]T, error) {
	found, err := db.query(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer found.Close()
	var all []T
	for found.Next() {
		v, err := scan(found)
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	return all, found.Err()
}

// single is collect for a query that gives at most one row.
func single[T any](ctx context.Context, db querier, scan func(scanner) (T, error), query string, args ...any) (T, bool, error) {
	all, err := collect(ctx, db, scan, query, args...)
	if err != nil || len(all) == 0 {
		var none T
		return none, false, err
	}
	return all[0], true, nil
}

func scanNumber(row scanner) (n int64, err error) {
	err = row.Scan(&n)
	return n, err
}

func scanText(row scanner) (s string, err error) {
	err = row.Scan(&s)
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
