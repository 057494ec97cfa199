package sqlite_test

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"dedupedesk/ledger"
)

// TestABusyLedgerLeavesGapsForTheSeedScript: the script looks for one ten times a
// second and gives up after half a minute. Neither may fail as busy.
func TestABusyLedgerLeavesGapsForTheSeedScript(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.db")
	l := newLedger(t, path)
	ctx, stop := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	var claimed atomic.Int64
	for range 64 {
		wg.Go(func() {
			for ctx.Err() == nil {
				claimPlain(t, l, fmt.Sprint("new-", claimed.Add(1)))
			}
		})
	}
	for i := range 6 {
		before := claimed.Load()
		key := fmt.Sprint("script-", i)
		wantScript(t, path, "claimed", 0, "claim", key)
		wantScript(t, path, "done "+key, 0, "done", key)
		if claimed.Load() == before {
			t.Error("the ledger stood still")
		}
	}
	stop()
	wg.Wait()
	if c, err := l.Counts(t.Context()); err != nil || c.Total != claimed.Load()+6 || c.Finished != 6 {
		t.Errorf("%d claimed, %+v, %v", claimed.Load(), c, err)
	}
}

// TestABusyLedgerLeavesGapsForAnotherOne: two engines' worth of callers on one file.
func TestABusyLedgerLeavesGapsForAnotherOne(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.db")
	ctx, stop := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	var claimed [2]atomic.Int64
	for i := range claimed {
		l := newLedger(t, path)
		for range 16 {
			wg.Go(func() {
				for ctx.Err() == nil {
					a, err := l.Claim(t.Context(), ledger.ClaimRequest{Key: fmt.Sprintf("%d-%d", i, claimed[i].Add(1))})
					if err != nil || !a.Run {
						t.Errorf("%+v, %v", a, err)
					}
				}
			})
		}
	}
	for claimed[0].Load() < 500 || claimed[1].Load() < 500 {
		time.Sleep(time.Millisecond)
	}
	stop()
	wg.Wait()
}
