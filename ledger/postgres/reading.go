package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"dedupedesk/ledger"
)

// Read runs f in one REPEATABLE READ transaction, which sees one snapshot.
func (s *Store) Read(ctx context.Context, f func(ledger.Reader) error) error {
	until := time.Now().Add(waitFor)
	for tries := 1; ; tries++ {
		err := s.damage.note(s.readOnce(ctx, until, f))
		if !s.again(ctx, err, tries, until) {
			return told(ctx, err)
		}
	}
}

func (s *Store) readOnce(ctx context.Context, until time.Time, f func(ledger.Reader) error) error {
	session, err := s.begin(ctx, until, `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`)
	if err != nil {
		return err
	}
	defer session.rollback(ctx) // nothing was written
	return f(reading{session, ""})
}

// A reading answers the questions of [ledger.Reader] within one transaction. One that
// writes locks what it reads and decides by: READ COMMITTED would let another
// transaction change it meanwhile.
type reading struct {
	s    *session
	lock string // what a query ends with: "" or FOR UPDATE
}

// readFor is how old a time may be that came with another answer.
const readFor = 20 * time.Millisecond

// Now returns the server's time.
func (r reading) Now(ctx context.Context) (time.Time, bool, error) {
	if r.s.at.IsZero() || time.Since(r.s.seen) > readFor {
		r.s.askTime()
		if err := r.s.send(ctx); err != nil {
			return time.Time{}, false, err
		}
	}
	return r.s.at.UTC(), true, nil
}

func scanNumber(rows pgx.Rows) (n int64, err error) {
	err = rows.Scan(&n)
	return n, err
}

func scanText(rows pgx.Rows) (s string, err error) {
	err = rows.Scan(&s)
	return s, err
}

// ms turns a time into what is stored; the zero time into NULL.
func ms(t time.Time) *int64 {
	if t.IsZero() {
		return nil
	}
	n := t.UnixMilli()
	return &n
}

// A stamp scans what is stored into the time it points to; NULL into the zero time.
type stamp struct{ to *time.Time }

// ScanInt64 implements pgtype's scanner of whole numbers.
func (s stamp) ScanInt64(v pgtype.Int8) error {
	*s.to = time.Time{}
	if v.Valid {
		*s.to = time.UnixMilli(v.Int64).UTC()
	}
	return nil
}

// A text scans bytes into the string it points to.
type text struct{ to *string }

// ScanBytes implements pgtype's scanner of bytes.
func (t text) ScanBytes(v []byte) error {
	if v == nil {
		return fmt.Errorf("a text is NULL")
	}
	*t.to = string(v)
	return nil
}

func duration(n int64) time.Duration { return time.Duration(n) * time.Millisecond }
