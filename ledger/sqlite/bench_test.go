package sqlite_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"dedupedesk/ledger"
)

// BenchmarkClaim is a lone caller that claims new keys.
func BenchmarkClaim(b *testing.B) {
	benchmarkClaim(b, 0)
}

// BenchmarkClaimOnALargeTable does the same on a file with many keys.
func BenchmarkClaimOnALargeTable(b *testing.B) {
	benchmarkClaim(b, 100_000)
}

func benchmarkClaim(b *testing.B, keys int) {
	path := filepath.Join(b.TempDir(), "ledger.db")
	s := open(b, path)
	l := ledger.New(s, ledger.SystemClock(), nil)
	defer l.Close()
	if keys > 0 {
		fill(b, path, keys)
	}
	for i := 0; b.Loop(); i++ {
		if _, err := l.Claim(b.Context(), ledger.ClaimRequest{Key: fmt.Sprint("new-", i)}); err != nil {
			b.Fatal(err)
		}
	}
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
