package main

import (
	"io"
	"os"
	"strings"
	"testing"

	"dedupedesk/ledger"
	"dedupedesk/ledger/postgres"
	"dedupedesk/ledger/postgres/pgtest"
)

// fillPostgres writes n keys, as old and in the states that the SQLite file has them in.
func fillPostgres(b *testing.B, url string, n int) {
	store, err := postgres.Open(b.Context(), url)
	if err != nil {
		b.Fatal(err)
	}
	l := ledger.New(store, ledger.SystemClock(), nil)
	_, err = l.PutRule(b.Context(), "", ledger.Rule{Name: ordersRule, Policy: ledger.DefaultPolicy()})
	if err == nil {
		err = l.Close()
	}
	if err != nil {
		b.Fatal(err)
	}
	pgtest.Exec(b, url, `
		INSERT INTO dedupe.claims (id, rule_id, key, state, fence, token, attempts, lease,
			first_seen, claimed_at, lease_until, done_at, next_try_at, changed_at, called_at, stuck_at)
		SELECT i + 1000, (SELECT min(id) FROM dedupe.rules WHERE (name = 'orders') = (i % 10 > 0)),
			convert_to('stripe:evt_' || substr(md5(i::text), 1, 24), 'UTF8'), state, 1, '1.x', 1, 900000,
			at, at, at + 900000, CASE WHEN state = 'done' THEN at END, CASE WHEN state = 'retryable' THEN at END, at, at,
			CASE WHEN state <> 'done' THEN at + CASE WHEN i % 20000 < 10000 THEN 3000000000 ELSE 0 END END
		FROM (
			SELECT i, (extract(epoch FROM now()) * 1000)::BIGINT - ($1 - i) * (2592000000 / $1)::BIGINT AS at,
				CASE i % 2000 WHEN 0 THEN 'claimed' WHEN 1 THEN 'retryable' WHEN 2 THEN 'held' ELSE 'done' END AS state
			FROM generate_series(1::BIGINT, $1::BIGINT) AS i) AS rows`, n)
	pgtest.Exec(b, url, `VACUUM ANALYZE`)
}

// postgresPages times the pages of the viewer, by an engine on n keys in PostgreSQL.
func postgresPages(b *testing.B, s sizes) []figure {
	url := pgtest.New(b)
	fillPostgres(b, url, s.many)
	bench, err := newBench(b.Context(), b.TempDir(), s, io.Discard)
	if err != nil {
		b.Fatal(err)
	}
	bin, err := bench.binary(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	b.Setenv("DEDUPE_DATABASE_URL", url)
	secret, err := output(b.Context(), bin, "token", "new", "bench", "--scope", "admin")
	if err != nil {
		b.Fatal(err)
	}
	p, _, err := startEngine(b.Context(), bin, b.TempDir(), strings.TrimSpace(secret))
	if err != nil {
		b.Fatal(err)
	}
	r := newReport(s.short)
	r.section("postgres", "")
	err = timePages(b.Context(), p, s.rounds, func(name string, times series) {
		r.aimed(times.figure(name+", "+keysName(s.many)+" keys in PostgreSQL", "ms"), atMost(viewerAim))
	})
	if stopped := p.stop(); err == nil {
		err = stopped
	}
	if err != nil {
		b.Fatal(err)
	}
	if err := os.Unsetenv("DEDUPE_DATABASE_URL"); err != nil {
		b.Fatal(err)
	}
	return r.Sections[0].Figures
}
