package postgres

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"dedupedesk/ledger"
)

const (
	maxTries  = 25 // of one call that others were in the way of
	maxRedial = 3  // of one call that lost its connection
)

// Write runs f in one READ COMMITTED transaction, and again where another one was in the
// way or the connection was lost before COMMIT was sent. It takes ten seconds at most.
// Where ctx ends before COMMIT is sent nothing is kept; after that it is not heeded.
//
// It is Busy, and what f wrote may be there, where the connection was lost while the
// server was committing. It is Corrupt from the first damage on that the server reports.
func (s *Store) Write(ctx context.Context, f func(ledger.Tx) error) error {
	until := time.Now().Add(waitFor)
	for tries := 1; ; tries++ {
		err := s.damage.found()
		if err == nil {
			err = s.damage.note(s.writeOnce(ctx, until, f))
		}
		if _, open := errors.AsType[*unknownEnd](err); open {
			return busy(unknown, err)
		}
		if !s.again(ctx, err, tries, until) {
			return told(ctx, err)
		}
	}
}

func (s *Store) writeOnce(ctx context.Context, until time.Time, f func(ledger.Tx) error) error {
	session, err := s.begin(ctx, until, `BEGIN ISOLATION LEVEL READ COMMITTED`)
	if err != nil {
		return err
	}
	defer session.rollback(ctx)
	t := newTx(session, &s.ids)
	if err := f(t); err != nil {
		// What f made of a failed statement cannot tell whether to try again.
		if session.failed != nil {
			return session.failed
		}
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return t.commit(ctx)
}

// again waits a moment and reports true if a call that ended with err is to be tried
// once more.
func (s *Store) again(ctx context.Context, err error, tries int, until time.Time) bool {
	switch {
	case ctx.Err() != nil || isConnecting(err):
		return false
	case conflict(err) && tries < maxTries:
	case lost(err) && tries < maxRedial:
		// The other idle connections are to the same server.
		s.pool.Reset()
	default:
		return false
	}
	// Uneven and growing, so that callers who met once do not meet again.
	pause := rand.N(time.Millisecond << min(tries, 6))
	if time.Until(until) < pause {
		return false
	}
	select {
	case <-ctx.Done():
		return false
	case <-time.After(pause):
		return true
	}
}
