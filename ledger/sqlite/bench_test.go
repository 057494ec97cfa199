package sqlite_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"testing"

	"dedupedesk/ledger"
)

// many is how many callers ask at once.
const many = 64

// BenchmarkClaim claims new keys whose names follow no order, alone and with many
// callers, on files with few and with many keys. Beside it stands what a lone caller
// waits for: one sync of the disk.
func BenchmarkClaim(b *testing.B) {
	for _, keys := range []int{0, 10_000, 1_000_000} {
		for _, callers := range []int{1, many} {
			b.Run(fmt.Sprintf("keys=%d/callers=%d", keys, callers), func(b *testing.B) {
				l := filled(b, keys)
				each(b, callers, func(key string) error {
					_, err := l.Claim(b.Context(), ledger.ClaimRequest{Key: key})
					return err
				})
			})
		}
	}
}

// BenchmarkClaimAndDone claims a key and reports it finished.
func BenchmarkClaimAndDone(b *testing.B) {
	for _, callers := range []int{1, many} {
		b.Run(fmt.Sprintf("callers=%d", callers), func(b *testing.B) {
			l := filled(b, 10_000)
			each(b, callers, func(key string) error {
				a, err := l.Claim(b.Context(), ledger.ClaimRequest{Key: key})
				if err != nil {
					return err
				}
				_, err = l.Done(b.Context(), ledger.DoneRequest{Identity: ledger.Identity{Key: key, Token: a.Token}})
				return err
			})
		})
	}
}

// BenchmarkSync is what a lone claim waits for: 16 KB, written over what is there, and
// a sync.
func BenchmarkSync(b *testing.B) {
	const size, times = 16 << 10, 256
	f, err := os.Create(filepath.Join(b.TempDir(), "file"))
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	block := make([]byte, size)
	for i := range int64(times) {
		if _, err := f.WriteAt(block, i*size); err != nil {
			b.Fatal(err)
		}
	}
	for i := int64(0); b.Loop(); i++ {
		if _, err := f.WriteAt(block, i%times*size); err != nil {
			b.Fatal(err)
		}
		if err := f.Sync(); err != nil {
			b.Fatal(err)
		}
	}
}

// filled returns a ledger that has so many keys.
func filled(b *testing.B, keys int) *ledger.Ledger {
	b.Helper()
	path := filepath.Join(b.TempDir(), "ledger.db")
	l := ledger.New(open(b, path), ledger.SystemClock(), nil)
	b.Cleanup(func() { _ = l.Close() })
	if keys > 0 {
		fill(b, path, keys)
		run(b, raw(b, path), "PRAGMA wal_checkpoint(TRUNCATE)")
	}
	return l
}

// each calls f with new keys, from so many goroutines.
func each(b *testing.B, callers int, f func(key string) error) {
	b.Helper()
	var n atomic.Uint64
	key := func() string { return fmt.Sprintf("evt_%016x", n.Add(1)*0x9e3779b97f4a7c15) }
	b.SetParallelism((callers + runtime.GOMAXPROCS(0) - 1) / runtime.GOMAXPROCS(0))
	b.ResetTimer()
	if callers == 1 {
		for range b.N {
			if err := f(key()); err != nil {
				b.Fatal(err)
			}
		}
		return
	}
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if err := f(key()); err != nil {
				b.Error(err)
			}
		}
	})
}

// BenchmarkCopy is a caller that asks for a key that is finished.
func BenchmarkCopy(b *testing.B) {
	l := ledger.New(open(b, filepath.Join(b.TempDir(), "ledger.db")), ledger.SystemClock(), nil)
	defer l.Close()
	for b.Loop() {
		if _, err := l.Claim(b.Context(), ledger.ClaimRequest{Key: "one"}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkPage is a page of the viewer on a file with many keys.
func BenchmarkPage(b *testing.B) {
	path := filepath.Join(b.TempDir(), "ledger.db")
	l := ledger.New(open(b, path), ledger.SystemClock(), nil)
	defer l.Close()
	fill(b, path, 100_000)
	for name, q := range map[string]ledger.KeyQuery{
		"all": {}, "prefix": {Prefix: "key-00012"}, "stuck": {View: ledger.ViewStuck}, "finished": {View: ledger.ViewFinished},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if p, err := l.Keys(b.Context(), q); err != nil || len(p.Keys) == 0 {
					b.Fatalf("%d keys, %v", len(p.Keys), err)
				}
			}
		})
	}
}

// fill adds finished keys, and one in a thousand that was left open, in one statement.
func fill(tb testing.TB, path string, keys int) {
	tb.Helper()
	db := raw(tb, path)
	run(tb, db, `
		WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
		INSERT INTO claims (rule_id, key, state, fence, token, attempts, lease,
			first_seen, claimed_at, lease_until, done_at, changed_at, called_at, stuck_at)
		SELECT 1, printf('key-%08d', i), CASE WHEN i % 1000 = 0 THEN 'claimed' ELSE 'done' END, 1, '1.x', 1, 900000,
			1790000000000 + i, 1790000000000 + i, 1790000900000 + i, CASE WHEN i % 1000 <> 0 THEN 1790000000001 + i END,
			1790000000001 + i, 1790000000001 + i, CASE WHEN i % 1000 = 0 THEN 1790001020000 + i END
		FROM n`, keys)
}
