package postgres_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dedupedesk/ledger"
	"dedupedesk/ledger/ledgertest"
	"dedupedesk/ledger/postgres"
	"dedupedesk/ledger/postgres/pgtest"
)

// TestWrongAddresses: each is refused with a sentence of its own and the right code, and
// no error holds the password.
func TestWrongAddresses(t *testing.T) {
	url := pgtest.New(t)
	latin := strings.Replace(url, "/t", "/latin_t", 1)
	pgtest.Exec(t, url, `CREATE DATABASE `+database(latin)+` ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0`)
	t.Cleanup(func() { pgtest.Exec(t, url, `DROP DATABASE `+database(latin)+` WITH (FORCE)`) })
	for _, tt := range []struct {
		name, url string
		code      ledger.Code
		says      string
	}{
		{"no address", "postgres://dedupe:" + pgtest.Password + "@h:x/d", ledger.Invalid, "cannot be read"},
		{"broken escape", strings.Replace(url, ":"+pgtest.Password, ":"+pgtest.Password+"%zz", 1), ledger.Invalid, "cannot be read"},
		{"unknown ssl mode", url + "&sslmode=perhaps", ledger.Invalid, "cannot be read"},
		{"bad pool size", url + "&pool_max_conns=many", ledger.Invalid, "cannot be read"},
		{"no server", "postgres://dedupe:" + pgtest.Password + "@127.0.0.1:1/t?sslmode=disable", ledger.Busy, "cannot be reached"},
		{"a parameter that the server does not know", url + "&no_such_parameter=1", ledger.Busy, "a parameter of the address"},
		{"a parameter with a wrong value", url + "&search_path=one%20two", ledger.Busy, "a parameter of the address"},
		{"no such host", strings.Replace(url, "127.0.0.1", "no-such-host.invalid", 1), ledger.Busy, "cannot be reached"},
		{"wrong password", strings.Replace(url, pgtest.Password, pgtest.Password+"x", 1), ledger.Busy, "password"},
		{"wrong user", strings.Replace(url, "dedupe:", "nobody:", 1), ledger.Busy, "password"},
		{"no such database", strings.Replace(url, "/t", "/none_t", 1), ledger.Busy, "no database of that name"},
		{"a database without an encoding", latin, ledger.Busy, "UTF-8"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			_, err := postgres.Open(ctx, tt.url)
			if ledger.CodeOf(err) != tt.code || !strings.Contains(ledger.MessageOf(err), tt.says) {
				t.Errorf("code %q, %v", ledger.CodeOf(err), err)
			}
			if err != nil && strings.Contains(err.Error(), pgtest.Password) {
				t.Errorf("the error holds the password: %v", err)
			}
			if _, err := postgres.Look(ctx, tt.url); ledger.CodeOf(err) != tt.code || strings.Contains(err.Error(), pgtest.Password) {
				t.Errorf("Look: code %q, %v", ledger.CodeOf(err), err)
			}
		})
	}
}

// database returns the name of the database in an address.
func database(url string) string {
	_, path, _ := strings.Cut(strings.TrimPrefix(url, "postgres://"), "/")
	name, _, _ := strings.Cut(path, "?")
	return name
}

func TestNameShowsNoUserAndPassword(t *testing.T) {
	for url, want := range map[string]string{
		"postgres://ann:secret@db.example:6000/shop?sslmode=disable":             "postgres://db.example:6000/shop",
		"postgresql://ann:secret@db.example/shop?sslmode=disable":                "postgres://db.example:5432/shop",
		"host=/run/postgresql user=ann password=secret dbname=shop port=5433":    "postgres:///shop?host=/run/postgresql&port=5433",
		"postgres://ann:secret@one.example,two.example:6001/shop?sslmode=prefer": "postgres://one.example:5432/shop",
	} {
		if got, err := postgres.Name(url); err != nil || got != want {
			t.Errorf("got %q, %v, want %q", got, err, want)
		}
	}
}

func TestANewerSchemaIsLeftAlone(t *testing.T) {
	url := pgtest.New(t)
	l := ledger.New(open(t, url), ledger.SystemClock(), nil)
	defer l.Close()
	ledgertest.MustClaim(t, l, ledger.ClaimRequest{Key: "before"})
	pgtest.Exec(t, url, `UPDATE dedupe.dedupe_schema SET version = 99`)
	_, err := postgres.Open(t.Context(), url)
	if ledger.CodeOf(err) != ledger.Busy || !strings.Contains(ledger.MessageOf(err), "newer version") {
		t.Errorf("Open: %v", err)
	}
	// An engine that runs already finds out within a second.
	time.Sleep(1100 * time.Millisecond)
	a, err := l.Claim(t.Context(), ledger.ClaimRequest{Key: "after"})
	if ledger.CodeOf(err) != ledger.Busy || a.Run || !strings.Contains(ledger.MessageOf(err), "newer version") {
		t.Errorf("claim: %+v, %v", a, err)
	}
	pgtest.Exec(t, url, `UPDATE dedupe.dedupe_schema SET version = 1`)
	time.Sleep(1100 * time.Millisecond)
	ledgertest.MustClaim(t, l, ledger.ClaimRequest{Key: "after"})
}

func TestTablesOfAnotherProgramAreLeftAlone(t *testing.T) {
	for _, table := range []string{"claims", "settings"} {
		url := pgtest.New(t)
		pgtest.Exec(t, url, `CREATE SCHEMA dedupe; CREATE TABLE dedupe.`+table+` (id INT)`)
		_, err := postgres.Open(t.Context(), url)
		if ledger.CodeOf(err) != ledger.Invalid || ledger.FieldOf(err) != "database_url" {
			t.Errorf("%s: %v", table, err)
		}
		if n := pgtest.Number(t, url, `SELECT count(*) FROM pg_tables WHERE schemaname = 'dedupe' AND tablename NOT LIKE 'dedupe%'`); n != 1 {
			t.Errorf("%s: %d tables afterwards", table, n)
		}
	}
}

// TestTwoSchemasAreTwoLedgers: search_path in the address chooses one.
func TestTwoSchemasAreTwoLedgers(t *testing.T) {
	url := pgtest.New(t)
	for _, schema := range []string{"", "&search_path=shop", "&search_path=public", "&search_path=%22Shop%20one%22"} {
		l := ledger.New(open(t, url+schema), ledger.SystemClock(), nil)
		ledgertest.MustClaim(t, l, ledger.ClaimRequest{Key: "a"})
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestAClosedStoreIsBusy(t *testing.T) {
	s := open(t, pgtest.New(t))
	l := ledger.New(s, ledger.SystemClock(), nil)
	for range 2 {
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := l.Claim(t.Context(), ledger.ClaimRequest{Key: "a"}); ledger.CodeOf(err) != ledger.Busy {
		t.Errorf("claim: %v", err)
	}
	if _, err := l.Key(t.Context(), "", "a"); ledger.CodeOf(err) != ledger.Busy {
		t.Errorf("key: %v", err)
	}
}

// TestReleasedMigrationsAreNeverEdited knows the hash of each released file. A change
// of the schema is a new file.
func TestReleasedMigrationsAreNeverEdited(t *testing.T) {
	released := map[string]string{
		"0001_ledger.sql":   "980aa13f531ddefd124969b122be472612b94475c72c2c92475cc7eff508bb32",
		"0002_versions.sql": "39796328af833e8eb35517006ad02eb770980ed7d2327b8c65b8282344d7177f",
		"0003_saved_by.sql": "7efa49d813a1e7cd64cfaea24a624ed95a3b6c365d7e83853b94164c0d473d82",
		"0004_hours.sql":    "5b8da400c5694d4ba02be266daddaa233bed219abbb5cf531d8af96f1403284e",
	}
	names, err := filepath.Glob("migrations/*.sql")
	if err != nil || len(names) == 0 {
		t.Fatalf("%d migrations, %v", len(names), err)
	}
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(b)
		if got := hex.EncodeToString(sum[:]); got != released[filepath.Base(name)] {
			t.Errorf("%s: hash %s, want %s", name, got, released[filepath.Base(name)])
		}
	}
}
