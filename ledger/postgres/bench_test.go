package postgres_test

import (
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"dedupedesk/ledger"
	"dedupedesk/ledger/postgres/pgtest"
)

// BenchmarkClaim is a lone caller that claims new keys.
func BenchmarkClaim(b *testing.B) {
	l := ledger.New(open(b, pgtest.New(b)), ledger.SystemClock(), nil)
	defer l.Close()
	for i := 0; b.Loop(); i++ {
		if _, err := l.Claim(b.Context(), ledger.ClaimRequest{Key: fmt.Sprint("new-", i)}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkClaim64 is 64 callers that claim new keys.
func BenchmarkClaim64(b *testing.B) {
	l := ledger.New(open(b, pgtest.New(b)), ledger.SystemClock(), nil)
	defer l.Close()
	var n atomic.Int64
	b.SetParallelism(32) // times GOMAXPROCS, which is 2 on the machine of the tests
	b.RunParallel(func(p *testing.PB) {
		for p.Next() {
			if _, err := l.Claim(b.Context(), ledger.ClaimRequest{Key: fmt.Sprint("new-", n.Add(1))}); err != nil {
				b.Error(err)
			}
		}
	})
}

// BenchmarkCopy is a caller that asks for a key that is finished.
func BenchmarkCopy(b *testing.B) {
	l := ledger.New(open(b, pgtest.New(b)), ledger.SystemClock(), nil)
	defer l.Close()
	for b.Loop() {
		if _, err := l.Claim(b.Context(), ledger.ClaimRequest{Key: "one"}); err != nil {
			b.Fatal(err)
		}
	}
}

// bare is the least that stops copies: one table, one statement.
func bare(b *testing.B) *pgxpool.Pool {
	b.Helper()
	url := pgtest.New(b)
	pgtest.Exec(b, url, `CREATE TABLE seen (key TEXT PRIMARY KEY, claimed_at TIMESTAMPTZ NOT NULL DEFAULT now())`)
	pool, err := pgxpool.New(b.Context(), url+"&pool_max_conns=16")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(pool.Close)
	return pool
}

const bareClaim = `INSERT INTO seen (key) VALUES ($1) ON CONFLICT DO NOTHING`

// BenchmarkBareInsert is what a caller could do by itself, for comparison.
func BenchmarkBareInsert(b *testing.B) {
	pool := bare(b)
	for i := 0; b.Loop(); i++ {
		if _, err := pool.Exec(b.Context(), bareClaim, fmt.Sprint("new-", i)); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkBareInsert64 is the same for 64 callers.
func BenchmarkBareInsert64(b *testing.B) {
	pool := bare(b)
	var n atomic.Int64
	b.SetParallelism(32)
	b.RunParallel(func(p *testing.PB) {
		for p.Next() {
			if _, err := pool.Exec(b.Context(), bareClaim, fmt.Sprint("new-", n.Add(1))); err != nil {
				b.Error(err)
			}
		}
	})
}

// BenchmarkPage is a page of the viewer on a table with many keys.
func BenchmarkPage(b *testing.B) {
	url := pgtest.New(b)
	l := ledger.New(open(b, url), ledger.SystemClock(), nil)
	defer l.Close()
	fill(b, url, 100_000)
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

// fill adds finished keys, and one in a thousand that was left open.
func fill(tb testing.TB, url string, keys int) {
	tb.Helper()
	pgtest.Exec(tb, url, `
		INSERT INTO dedupe.claims (id, rule_id, key, state, fence, token, attempts, lease,
			first_seen, claimed_at, lease_until, done_at, changed_at, called_at, stuck_at)
		SELECT i, 1, convert_to('key-' || lpad(i::TEXT, 8, '0'), 'UTF8'), CASE WHEN i % 1000 = 0 THEN 'claimed' ELSE 'done' END, 1, '1.x', 1, 900000,
			1790000000000 + i, 1790000000000 + i, 1790000900000 + i, CASE WHEN i % 1000 <> 0 THEN 1790000000001 + i END,
			1790000000001 + i, 1790000000001 + i, CASE WHEN i % 1000 = 0 THEN 1790001020000 + i END
		FROM generate_series(1, $1) AS i`, keys)
	pgtest.Exec(tb, url, `ANALYZE dedupe.claims`)
}
