package ledger

import (
	"context"
	"fmt"
	"time"
)

// A Backuper is a [Store] that can write a copy of itself while calls go on.
type Backuper interface {
	// Backup writes a whole copy to a new file at path, as of one moment after at, and
	// writes at into the copy's setting backup.made_at. It returns Invalid with field
	// file where there is a file already, Busy where it cannot be written or ctx ends,
	// and Corrupt. Then nothing is left of it.
	Backup(ctx context.Context, path string, at time.Time) error
}

// Backup writes a copy of the ledger to a new file at path, which only its owner can
// read. Calls go on meanwhile; what they are answered after Backup has begun may or
// may not be in the copy, so that the copy says of itself since when keys may be
// missing: see [Ledger.RestoredFrom].
//
// Backup returns Invalid with field file where there is a file at path, and where the
// store keeps its keys in a database server, which has tools of its own for that;
// Busy where the copy cannot be written or ctx ends, and Corrupt. Then there is no
// file at path that was not there before.
func (l *Ledger) Backup(ctx context.Context, path string) error {
	b, ok := l.store.(Backuper)
	if !ok {
		return invalid("file", "A ledger on a database server is backed up with the server's own tools: use pg_dump.")
	}
	var at time.Time
	err := l.read(ctx, func(r Reader) error {
		now, err := l.nowIn(ctx, r)
		if err != nil {
			return err
		}
		// What a restored ledger misses, its copy misses too.
		since, restored, err := restoredFrom(ctx, r)
		if at = now; restored && since.Before(now) {
			at = since
		}
		return err
	})
	if err == nil {
		err = l.checked.note(ctx, b.Backup(ctx, path, at))
	}
	if err != nil {
		return fmt.Errorf("backup: %w", err)
	}
	return nil
}
