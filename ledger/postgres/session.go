package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// A session is one transaction on one connection. What nobody waits for is kept back
// and travels with the next statement that somebody waits for, the first BEGIN too: on
// a network each trip costs more than the work.
//
// The contexts that callers hand in decide for how long a connection is waited for, and
// whether a write is committed at all. Their deadlines hold for statements too. Somebody
// who goes away does not cut one off: a connection whose answer was not awaited has to be
// made anew.
type session struct {
	conn   *pgxpool.Conn
	until  time.Time
	kept   *pgx.Batch
	sent   bool  // something, so the server holds a transaction
	failed error // the first failure; nothing can follow it but ROLLBACK

	at   time.Time // the server's clock …
	seen time.Time // … when the machine's clock showed this
}

// begin acquires a connection and starts a transaction with the next statement sent.
func (s *Store) begin(ctx context.Context, until time.Time, begin string) (*session, error) {
	conn, err := s.acquire(ctx, until)
	if err != nil {
		return nil, err
	}
	if err := s.watch.check(ctx, conn.Conn()); err != nil {
		conn.Release()
		return nil, err
	}
	t := &session{conn: conn, until: until, kept: &pgx.Batch{}}
	t.later(begin)
	return t, nil
}

// later keeps a statement back.
func (s *session) later(query string, args ...any) *pgx.QueuedQuery {
	return s.kept.Queue(query, args...)
}

// send sends what was kept back and waits for its answers.
func (s *session) send(ctx context.Context) error {
	if s.failed != nil {
		return s.failed
	}
	if s.kept.Len() == 0 {
		return nil
	}
	ctx, cancel := bounded(ctx, s.until)
	defer cancel()
	batch := s.kept
	s.kept, s.sent = &pgx.Batch{}, true
	return s.note(s.conn.SendBatch(ctx, batch).Close())
}

// bounded returns a context for statements: that of a caller, who may go away, but no
// longer than until.
func bounded(ctx context.Context, until time.Time) (context.Context, context.CancelFunc) {
	if own, ok := ctx.Deadline(); ok && own.Before(until) {
		until = own
	}
	return context.WithDeadline(context.WithoutCancel(ctx), until)
}

// note remembers a failure.
func (s *session) note(err error) error {
	if err != nil && s.failed == nil {
		s.failed = err
	}
	return err
}

// rollback ends a transaction of which nothing is to be kept, and gives the
// connection back. It may be called after commit.
func (s *session) rollback(ctx context.Context) {
	if s.conn == nil {
		return
	}
	if s.sent {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), connectFor)
		defer cancel()
		// If this fails the pool sees the state of the connection and closes it.
		_, _ = s.conn.Exec(ctx, "ROLLBACK")
	}
	s.conn.Release()
	s.conn = nil
}

// An unknownEnd is the loss of a connection on which a COMMIT was under way.
type unknownEnd struct{ err error }

func (e *unknownEnd) Error() string { return "commit: " + e.err.Error() }
func (e *unknownEnd) Unwrap() error { return e.err }

// commit sends what was kept back, followed by COMMIT. Only where it returns nil was
// the transaction kept; an [unknownEnd] leaves that open.
func (s *session) commit(ctx context.Context) error {
	if s.failed != nil {
		return s.failed
	}
	var tag string
	s.later("COMMIT").Exec(func(t pgconn.CommandTag) error {
		tag = t.String()
		return nil
	})
	// With no time left to hear the answer, nobody would know what came of it.
	if soonest := time.Now().Add(commitFor); s.until.Before(soonest) {
		s.until = soonest
	}
	if err := s.send(ctx); err != nil {
		if refused(err) {
			return err
		}
		return &unknownEnd{err}
	}
	s.sent = false // no transaction is open any more
	s.conn.Release()
	s.conn = nil
	if tag != "COMMIT" {
		return fmt.Errorf("commit: the server answered %q", tag)
	}
	return nil
}

// refused reports whether the server said, on a connection that stands, that the
// transaction was not kept.
func refused(err error) bool {
	e, ok := errors.AsType[*pgconn.PgError](err)
	return ok && !severe(e) && e.Code != completionUnknown && e.Code != resolutionUnknown
}

// collect runs a query and scans each of its rows.
func collect[T any](ctx context.Context, s *session, scan func(pgx.Rows) (T, error), query string, args ...any) ([]T, error) {
	all, take := taking(scan)
	s.later(query, args...).Query(take)
	err := s.send(ctx)
	return *all, err
}

// planned is collect for a query whose best plan depends on its arguments. It is
// planned each time.
func planned[T any](ctx context.Context, s *session, scan func(pgx.Rows) (T, error), query string, args ...any) ([]T, error) {
	if err := s.send(ctx); err != nil {
		return nil, err
	}
	ctx, cancel := bounded(ctx, s.until)
	defer cancel()
	all, take := taking(scan)
	rows, err := s.conn.Query(ctx, query, append([]any{pgx.QueryExecModeCacheDescribe}, args...)...)
	if err == nil {
		err = take(rows)
	}
	return *all, s.note(err)
}

// taking returns a function that scans rows into a list.
func taking[T any](scan func(pgx.Rows) (T, error)) (*[]T, func(pgx.Rows) error) {
	all := new([]T)
	return all, func(rows pgx.Rows) error {
		defer rows.Close()
		for rows.Next() {
			v, err := scan(rows)
			if err != nil {
				return err
			}
			*all = append(*all, v)
		}
		return rows.Err()
	}
}

// single is collect for a query that gives at most one row.
func single[T any](ctx context.Context, s *session, scan func(pgx.Rows) (T, error), query string, args ...any) (T, bool, error) {
	all, err := collect(ctx, s, scan, query, args...)
	return first(all, err)
}

func first[T any](all []T, err error) (T, bool, error) {
	if err != nil || len(all) == 0 {
		var none T
		return none, false, err
	}
	return all[0], true, nil
}

// changed runs a statement and returns how many rows it changed.
func (s *session) changed(ctx context.Context, query string, args ...any) (n int64, err error) {
	s.later(query, args...).Exec(func(t pgconn.CommandTag) error {
		n = t.RowsAffected()
		return nil
	})
	err = s.send(ctx)
	return n, err
}

// askTime has the server's clock told with the next statements. It is read when the
// statement before it is over, so a wait for a lock is behind it.
func (s *session) askTime() {
	s.later(`SELECT clock_timestamp()`).QueryRow(func(row pgx.Row) error {
		s.seen = time.Now()
		return row.Scan(&s.at)
	})
}
