package sqlite_test

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dedupedesk/ledger"
	"dedupedesk/ledger/sqlite"
)

// raw opens the file beside the store, as another program would.
func raw(t testing.TB, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=busy_timeout(5000)")
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func run(t testing.TB, db *sql.DB, query string, args ...any) {
	t.Helper()
	if _, err := db.Exec(query, args...); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
}

func newLedger(t *testing.T, path string) *ledger.Ledger {
	t.Helper()
	l := ledger.New(open(t, path), ledger.SystemClock(), nil)
	t.Cleanup(func() { _ = l.Close() })
	return l
}

func wantCode(t *testing.T, err error, want ledger.Code) {
	t.Helper()
	if got := ledger.CodeOf(err); got != want {
		t.Fatalf("code %q (%v), want %q", got, err, want)
	}
	if msg := ledger.MessageOf(err); want != "" && (msg == "" || strings.Contains(msg, "SQLITE") || strings.Contains(msg, "/")) {
		t.Errorf("message %q is not for people", msg)
	}
}

// TestPeers51GrantOutlivesItsProcess is row 40 of the bug reports too: what was claimed
// before a restart is refused after it, until its time is over.
func TestPeers51GrantOutlivesItsProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.db")
	l := ledger.New(open(t, path), ledger.SystemClock(), nil)
	a, err := l.Claim(t.Context(), ledger.ClaimRequest{Key: "a", Owner: "run-1"})
	if err != nil || !a.Run {
		t.Fatalf("%+v, %v", a, err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	l = newLedger(t, path)
	again, err := l.Claim(t.Context(), ledger.ClaimRequest{Key: "a", Owner: "run-1"})
	if err != nil || again.Token != a.Token || !again.Repeated {
		t.Errorf("%+v, %v", again, err)
	}
	other, err := l.Claim(t.Context(), ledger.ClaimRequest{Key: "a"})
	if err != nil || other.Run {
		t.Errorf("%+v, %v", other, err)
	}
	age(t, path, "a", 15*time.Minute)
	if a := claimPlain(t, l, "a"); !a.TookOver {
		t.Errorf("%+v", a)
	}
}

// TestBug55CommandLineWaitsForTheOther holds the write lock for a while: a claim waits
// for it and succeeds.
func TestBug55CommandLineWaitsForTheOther(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.db")
	l := newLedger(t, path)
	db := raw(t, path)
	run(t, db, "BEGIN IMMEDIATE")
	time.AfterFunc(time.Second, func() { _, _ = db.Exec("COMMIT") })
	a, err := l.Claim(t.Context(), ledger.ClaimRequest{Key: "a"})
	if err != nil || !a.Run {
		t.Errorf("%+v, %v", a, err)
	}
}

func TestBug57LockedFileIsBusyAndGrantsNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.db")
	l := newLedger(t, path)
	db := raw(t, path)
	run(t, db, "BEGIN IMMEDIATE")
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	a, err := l.Claim(ctx, ledger.ClaimRequest{Key: "a"})
	wantCode(t, err, ledger.Busy)
	if a.Run {
		t.Error("granted")
	}
	wantCode(t, l.Check(ctx), ledger.Busy)
	run(t, db, "COMMIT")
	if a, err := l.Claim(t.Context(), ledger.ClaimRequest{Key: "a"}); err != nil || !a.Run {
		t.Errorf("it does not recover: %+v, %v", a, err)
	}
}

func TestPeers59UnknownStateInTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.db")
	l := newLedger(t, path)
	a, err := l.Claim(t.Context(), ledger.ClaimRequest{Key: "a", Owner: "me"})
	if err != nil {
		t.Fatal(err)
	}
	db := raw(t, path)
	run(t, db, "PRAGMA ignore_check_constraints = 1")
	run(t, db, "UPDATE claims SET state = 'paused', lease_until = 1 WHERE key = 'a'")
	got, err := l.Claim(t.Context(), ledger.ClaimRequest{Key: "a", Owner: "me"})
	wantCode(t, err, ledger.Corrupt)
	if got.Run {
		t.Error("granted")
	}
	_, err = l.Done(t.Context(), ledger.DoneRequest{Identity: ledger.Identity{Key: "a", Token: a.Token}})
	wantCode(t, err, ledger.Corrupt)
	page, err := l.Keys(t.Context(), ledger.KeyQuery{})
	if err != nil || len(page.Keys) != 1 || !page.Keys[0].Stuck {
		t.Errorf("people do not see it: %+v, %v", page, err)
	}
	for _, k := range []string{"b", "c"} {
		if _, err := l.Claim(t.Context(), ledger.ClaimRequest{Key: k}); err != nil {
			t.Fatal(err)
		}
	}
	// Finished rows have no time from which on they are stuck; b still runs.
	if _, err := l.Decide(t.Context(), ledger.DecideRequest{Key: "c", Decision: ledger.Finished, By: "Ada", Why: "it ran"}); err != nil {
		t.Fatal(err)
	}
	run(t, db, "UPDATE claims SET state = 'lost' WHERE key = 'c'")
	c, err := l.Counts(t.Context())
	if err != nil || c.Total != 3 || c.InProgress != 1 || c.Stuck != 2 || c.Finished != 0 || c.Waiting != 0 {
		t.Errorf("counted as %+v, %v", c, err)
	}
	for view, want := range map[ledger.View]string{ledger.ViewStuck: "c a", ledger.ViewInProgress: "b", ledger.ViewFinished: "", ledger.ViewWaiting: ""} {
		if got := keysOf(t, l, ledger.KeyQuery{View: view, Limit: 1}); got != want {
			t.Errorf("view %q holds %q, want %q", view, got, want)
		}
	}
	out, code := script(t, path, "claim", "a")
	if code == 0 {
		t.Errorf("the script was granted it: %s", out)
	}
	k, err := l.Decide(t.Context(), ledger.DecideRequest{Key: "a", Decision: ledger.Block, By: "Ada", Why: "odd state"})
	if err != nil || k.State != ledger.Held {
		t.Errorf("%+v, %v", k, err)
	}
}

// keysOf walks all pages of a query.
func keysOf(t *testing.T, l *ledger.Ledger, q ledger.KeyQuery) string {
	t.Helper()
	var keys []string
	for {
		page, err := l.Keys(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range page.Keys {
			keys = append(keys, k.Key)
		}
		if q.Cursor = page.Next; q.Cursor == "" {
			return strings.Join(keys, " ")
		}
	}
}

func TestFilesThatAreNoLedger(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "text.db")
	if err := os.WriteFile(text, []byte(strings.Repeat("this is no database\n", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(dir, "other.db")
	run(t, raw(t, other), "CREATE TABLE customers (id INTEGER)")
	for path, want := range map[string]ledger.Code{
		text:                             ledger.Corrupt,
		other:                            ledger.Invalid,
		dir:                              ledger.Busy,
		filepath.Join(dir, "no", "file"): ledger.Busy,
	} {
		_, err := sqlite.Open(path)
		wantCode(t, err, want)
	}
	var n int
	if err := raw(t, other).QueryRow("SELECT count(*) FROM sqlite_master").Scan(&n); err != nil || n != 1 {
		t.Errorf("the other program's file was written into: %d, %v", n, err)
	}
}

func TestDamagedPagesAreCorrupt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.db")
	l := ledger.New(open(t, path), ledger.SystemClock(), nil)
	for _, key := range []string{"a", "b"} {
		if _, err := l.Claim(t.Context(), ledger.ClaimRequest{Key: key}); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := 4096; i < len(b); i++ {
		b[i] = 0xAA
	}
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := sqlite.Open(path)
	if err == nil {
		l = ledger.New(s, ledger.SystemClock(), nil)
		defer l.Close()
		var a ledger.Answer
		if a, err = l.Claim(t.Context(), ledger.ClaimRequest{Key: "a"}); a.Run {
			t.Error("granted")
		}
	}
	wantCode(t, err, ledger.Corrupt)
}

func TestNewerSchemaIsLeftAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.db")
	if err := open(t, path).Close(); err != nil {
		t.Fatal(err)
	}
	run(t, raw(t, path), "PRAGMA user_version = 99")
	_, err := sqlite.Open(path)
	wantCode(t, err, ledger.Busy)
	if !strings.Contains(ledger.MessageOf(err), "newer version") {
		t.Errorf("message %q", ledger.MessageOf(err))
	}
}

// TestReleasedMigrationsAreNeverEdited knows the hash of each released file. A change
// of the schema is a new file.
func TestReleasedMigrationsAreNeverEdited(t *testing.T) {
	released := map[string]string{
		"0001_ledger.sql":   "7141d41eb9db406b5237a5ac08fd8a3ee4bd44be7313c72349dd15a012b71735",
		"0002_counters.sql": "691def264fc3db558228f6039f5c11ed55bd01c01eda7139cae78bd8880aaf4c",
		"0003_seen.sql":     "5178af9669732e707fcec62d96b42f7aff94fa39943673be57050272a141ed5a",
		"0004_clock.sql":    "be84acccf0a121cd4fee9da19a23ed5c0fdaed4b6d40645d0196ad67165fe3ed",
		"0005_lists.sql":    "64e254ac61810b607f95f0f8e4a236154bc97d141e2edc2bd8bf15066efbbf3f",
		"0006_versions.sql": "d7f05dd508220e0fae68872233d53a6bafb47ee06d30a3766385099392867557",
		"0007_pause.sql":    "2bf2f4ca31daab8581f779b35827a47bdda7e3f49e2256eced14ad07fa4f0044",
		"0009_hours.sql":    "b49786837d69a7511d919ae83bb53d960f742c5d6aaff1076673d09628ffabbd",
		"0008_saved_by.sql": "3f4a84c0b3b0b8d0c2bc4d170c884a26907c136c3ec54a07b5ba5d489c64f4c3",
	}
	names, err := filepath.Glob("migrations/*.sql")
	if err != nil || len(names) == 0 {
		t.Fatalf("%v, %v", names, err)
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

func TestClosedStoreIsBusy(t *testing.T) {
	l := ledger.New(open(t, filepath.Join(t.TempDir(), "ledger.db")), ledger.SystemClock(), nil)
	for range 2 {
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
	a, err := l.Claim(t.Context(), ledger.ClaimRequest{Key: "a"})
	wantCode(t, err, ledger.Busy)
	if a.Run {
		t.Error("granted")
	}
}
