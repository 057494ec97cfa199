package sqlite_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"dedupedesk/ledger"
)

// TestPruneKeepsTheLogSmall: while much is pruned and claims and pages are asked for,
// the write-ahead log is brought to the file again and again.
func TestPruneKeepsTheLogSmall(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.db")
	l := newLedger(t, path)
	fill(t, path, 20_000)
	// Those that were finished first lie anywhere.
	run(t, raw(t, path), "UPDATE claims SET done_at = done_at + id * 7919 % 20000 WHERE state = 'done'")
	run(t, raw(t, path), "PRAGMA wal_checkpoint(TRUNCATE)")
	ctx, stop := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := 0; ctx.Err() == nil; i++ {
			claimPlain(t, l, fmt.Sprint("new-", i))
			if page, err := l.Keys(t.Context(), ledger.KeyQuery{}); err != nil || len(page.Keys) == 0 {
				t.Errorf("%d keys, %v", len(page.Keys), err)
			}
		}
	})
	var largest int64
	res, err := l.Prune(t.Context(), ledger.PruneRequest{OlderThan: time.Hour, Progress: func(ledger.PruneProgress) {
		if info, err := os.Stat(path + "-wal"); err != nil {
			t.Error(err)
		} else {
			largest = max(largest, info.Size())
		}
	}})
	stop()
	wg.Wait()
	if err != nil || res.Removed != 19_980 {
		t.Errorf("%+v, %v", res, err)
	}
	t.Logf("the log grew to %d KB", largest>>10)
	if largest == 0 || largest > 20<<20 {
		t.Errorf("the log grew to %d MB", largest>>20)
	}
}
