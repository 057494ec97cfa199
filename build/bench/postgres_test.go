package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"dedupedesk/ledger"
	"dedupedesk/ledger/postgres"
	"dedupedesk/ledger/postgres/pgtest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

// BenchmarkPostgres compares claims on PostgreSQL with a bare INSERT … ON CONFLICT DO
// NOTHING on the same server, by as many connections. Its figures go to the command,
// where that has asked for them.
func BenchmarkPostgres(b *testing.B) {
	s := sizesFor(os.Getenv(postgresFigures) == "" || os.Getenv(postgresShort) != "", false)
	url := pgtest.New(b)
	store, err := postgres.Open(b.Context(), url)
	if err != nil {
		b.Fatal(err)
	}
	l := ledger.New(store, ledger.SystemClock(), nil)
	b.Cleanup(func() {
		if err := l.Close(); err != nil {
			b.Error(err)
		}
	})
	bare := bareTable(b, url)
	var figures []figure
	for b.Loop() {
		figures = postgresRounds(b, s, l, bare)
	}
	figures = append(figures, postgresPages(b, s)...)
	for _, f := range figures {
		if f.Unit == "x" {
			b.Logf("%s: %s", f.Name, amount(f.Value, f.Unit))
		}
	}
	if file := os.Getenv(postgresFigures); file != "" {
		data, err := json.Marshal(figures)
		if err == nil {
			err = os.WriteFile(file, data, 0o600)
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}

// bareTable returns an insert of a new key into a table that has nothing but keys.
func bareTable(b *testing.B, url string) func(context.Context) error {
	pgtest.Exec(b, url, `CREATE TABLE public.bare (key text PRIMARY KEY, at timestamptz NOT NULL DEFAULT now())`)
	cfg, err := pgxpool.ParseConfig(url)
	if err != nil {
		b.Fatal(err)
	}
	cfg.MaxConns = postgres.MaxConns
	pool, err := pgxpool.NewWithConfig(b.Context(), cfg)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(pool.Close)
	return func(ctx context.Context) error {
		tag, err := pool.Exec(ctx, `INSERT INTO public.bare (key) VALUES ($1) ON CONFLICT DO NOTHING`, newKey())
		if err == nil && tag.RowsAffected() != 1 {
			err = fmt.Errorf("a new key was there before")
		}
		return err
	}
}

// postgresRounds runs both in turn, by one caller and by many.
func postgresRounds(b *testing.B, s sizes, l *ledger.Ledger, bare func(context.Context) error) []figure {
	lone, many := burst{callers: 1, lasts: s.burst}, burst{callers: crowd, lasts: s.burst}
	got, err := inTurn(b.Context(), s.rounds,
		lone.side(claimOnly(l)), lone.side(bare), many.side(claimOnly(l)), many.side(bare), many.side(wholeKey(l)))
	if err != nil {
		b.Fatal(err)
	}
	pool := fmt.Sprintf("%d connections", postgres.MaxConns)
	return []figure{
		got[0].figure("claim, lone caller", "ms"),
		got[1].figure("bare INSERT … ON CONFLICT DO NOTHING, lone caller", "ms"),
		got[1].over(got[0]).figure("claims : bare inserts, lone caller", "x"),
		got[2].each(perSecond).figure("claims, 64 callers, "+pool, "a second"),
		got[3].each(perSecond).figure("bare inserts, 64 callers, "+pool, "a second"),
		got[3].over(got[2]).figure("claims : bare inserts, 64 callers", "x"),
		got[4].each(perSecond).figure("keys claimed and done, 64 callers, "+pool, "a second"),
	}
}
