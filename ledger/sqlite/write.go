package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"dedupedesk/ledger"
)

// Write runs f in one transaction that holds the write lock from its start. It
// waits up to ten seconds for its turn, or as long as ctx lasts. Once it has begun,
// ctx no longer stops it: whoever gave up may find its claim granted. It is Corrupt
// from the first damage on that any call meets, whatever f would write, and Busy while
// another file is in the place of the one that was opened.
func (s *Store) Write(ctx context.Context, f func(ledger.Tx) error) error {
	return s.damage.note(s.writer.run(ctx, f))
}

// A writer is the one connection that writes. Its turn is handed around by a
// channel, which waits as long as a caller's context does.
type writer struct {
	turn  chan struct{}
	ended chan struct{} // closed by close
	conn  *sql.Conn
	stmts map[string]*sql.Stmt
	fit   func() error // why nothing may be written now; asked in turn
	// While others of this process keep the connection busy, other processes find
	// no gap between two transactions; since tells how long that has gone on.
	since, last time.Time
}

const (
	streak = 100 * time.Millisecond // after so long without a pause …
	gap    = 2 * time.Millisecond   // … the writer leaves one for other processes
)

func newWriter(conn *sql.Conn) *writer {
	return &writer{turn: make(chan struct{}, 1), ended: make(chan struct{}), conn: conn, stmts: make(map[string]*sql.Stmt)}
}

func (w *writer) run(ctx context.Context, f func(ledger.Tx) error) error {
	ctx, cancel := context.WithTimeout(ctx, waitFor)
	defer cancel()
	select {
	case w.turn <- struct{}{}:
	case <-w.ended:
		return busy("The ledger is closed.", nil)
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-w.turn }()
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := w.fit(); err != nil {
		return err
	}
	w.leaveGap()
	defer func() { w.last = time.Now() }()
	begin := func() error { return w.exec("BEGIN IMMEDIATE") }
	if err := patiently(ctx, begin); err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	return w.commit(f)
}

// commit runs f in the transaction that has begun and ends it either way, also
// where f panics.
func (w *writer) commit(f func(ledger.Tx) error) error {
	ended := false
	defer func() {
		if !ended {
			// SQLite has rolled back by itself after some errors: then this one fails.
			_ = w.exec("ROLLBACK")
		}
	}()
	if err := f(tx{reading{w}, w}); err != nil {
		return err
	}
	if err := w.exec("COMMIT"); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	ended = true
	return nil
}

func (w *writer) leaveGap() {
	now := time.Now()
	if now.Sub(w.last) > time.Millisecond {
		w.since = now
	}
	if now.Sub(w.since) > streak {
		time.Sleep(gap)
		w.since = time.Now()
	}
}

// close takes the turn for good.
func (w *writer) close() error {
	w.turn <- struct{}{}
	close(w.ended)
	var errs []error
	for _, s := range w.stmts {
		errs = append(errs, s.Close())
	}
	return errors.Join(append(errs, w.conn.Close())...)
}

// exec runs a statement that is not worth keeping. No context reaches SQLite from
// the writer: an interrupt in the middle of a commit would leave its end unknown.
func (w *writer) exec(query string) error {
	_, err := w.conn.ExecContext(context.Background(), query)
	return err
}

// stmt returns query prepared. The set of queries is that of this package.
func (w *writer) stmt(query string) (*sql.Stmt, error) {
	if s, ok := w.stmts[query]; ok {
		return s, nil
	}
	s, err := w.conn.PrepareContext(context.Background(), query)
	if err == nil {
		w.stmts[query] = s
	}
	return s, err
}

func (w *writer) QueryContext(_ context.Context, query string, args ...any) (*sql.Rows, error) {
	s, err := w.stmt(query)
	if err != nil {
		return nil, err
	}
	return s.QueryContext(context.Background(), args...)
}

func (w *writer) ExecContext(_ context.Context, query string, args ...any) (sql.Result, error) {
	s, err := w.stmt(query)
	if err != nil {
		return nil, err
	}
	return s.ExecContext(context.Background(), args...)
}

// patiently runs f until it no longer meets a lock, with short pauses of uneven
// length so that waiting programs do not step in time.
func patiently(ctx context.Context, f func() error) error {
	for {
		err := f()
		if !locked(err) {
			return err
		}
		pause := 200*time.Microsecond + rand.N(3*time.Millisecond)
		select {
		case <-ctx.Done():
			return err
		case <-time.After(pause):
		}
	}
}

// A tx writes by the writer's connection.
type tx struct {
	reading
	w *writer
}

// changed runs a statement and reports whether it changed a row.
func (t tx) changed(ctx context.Context, query string, args ...any) (bool, error) {
	res, err := t.w.ExecContext(ctx, query, args...)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n > 0, err
}
