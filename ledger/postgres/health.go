package postgres

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"

	"dedupedesk/ledger"
)

// A damage remembers that the server reported damage. What still can be read proves
// nothing about the rest, so nothing is written any more until the store is opened anew.
type damage struct{ first atomic.Pointer[error] }

// found returns the Corrupt error that was met first, or nil.
func (d *damage) found() error {
	if err := d.first.Load(); err != nil {
		return *err
	}
	return nil
}

// note keeps err if it is the server's word of damage, and returns it.
func (d *damage) note(err error) error {
	if code := state(err); code == dataCorrupted || code == indexCorrupted {
		d.first.CompareAndSwap(nil, &err)
	}
	return err
}

// A watch looks now and then whether the schema still is one that this program knows:
// an engine of a newer version may have changed it. It is safe for concurrent use.
type watch struct {
	mu     sync.Mutex
	looked time.Time
	err    error
}

// lookEvery is how long a look stands, so that a claim seldom pays for one.
const lookEvery = time.Second

// check returns Busy if the schema is of a newer program. Whoever comes first in a
// second looks; others go by the look before.
func (w *watch) check(ctx context.Context, conn *pgx.Conn) error {
	w.mu.Lock()
	fresh, err := time.Since(w.looked) < lookEvery, w.err
	if !fresh {
		w.looked = time.Now()
	}
	w.mu.Unlock()
	if fresh {
		return err
	}
	err = w.look(ctx, conn)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err = err; lost(err) {
		w.looked, w.err = time.Time{}, nil // of this connection alone; the next one looks again
	}
	return err
}

func (w *watch) look(ctx context.Context, conn *pgx.Conn) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), connectFor)
	defer cancel()
	all, err := migrations()
	if err != nil {
		return err
	}
	version, found, err := storedVersion(ctx, conn)
	switch {
	case err != nil:
		return err
	case !found:
		return busy(sentences[undefinedTable], nil)
	case version > len(all):
		return newer(version, len(all))
	}
	return nil
}

// Examine asks each table for a row, and whether the shards of every rule are there. A
// server checks its own pages; there is nothing to read beyond.
func (s *Store) Examine(ctx context.Context) error {
	err := s.Read(ctx, func(r ledger.Reader) error {
		session := r.(reading).s
		for _, table := range []string{"rules", "claims", "events", "arrivals", "rule_counts", "copies_by_day", "calls_by_hour", "tokens", "settings", "rule_versions", "tied_keys"} {
			if _, err := collect(ctx, session, scanNumber, `SELECT count(*) FROM (SELECT 1 FROM `+table+` LIMIT 1) AS one`); err != nil {
				return err
			}
		}
		return whole(ctx, session)
	})
	if err != nil {
		return fmt.Errorf("examine: %w", err)
	}
	return nil
}

// whole returns Corrupt where a rule lacks one of its shards: its figures are wrong
// then, and its changes are not seen by claims that are under way.
func whole(ctx context.Context, s *session) error {
	lacking, err := collect(ctx, s, scanText, `
		SELECT r.name
		FROM rules AS r
		LEFT JOIN rule_counts AS n ON n.rule_id = r.id AND n.edition = r.edition
		GROUP BY r.name
		HAVING count(n.shard) <> $1`, shards)
	if err == nil && len(lacking) > 0 {
		err = &ledger.Error{Code: ledger.Corrupt, Msg: damagedText, Err: fmt.Errorf("shards of rules %q are not whole", lacking)}
	}
	return err
}
