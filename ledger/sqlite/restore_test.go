package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"dedupedesk/ledger"
)

// opened opens a ledger that the test closes.
func opened(t *testing.T, path string) *ledger.Ledger {
	t.Helper()
	store, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	l := ledger.New(store, ledger.SystemClock(), nil)
	t.Cleanup(func() { _ = l.Close() })
	return l
}

// filled makes a ledger with keys and closes it.
func filled(t *testing.T, path string, keys ...string) {
	t.Helper()
	l := opened(t, path)
	for _, key := range keys {
		a, err := l.Claim(t.Context(), ledger.ClaimRequest{Key: key})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := l.Done(t.Context(), ledger.DoneRequest{Identity: ledger.Identity{Key: key, Token: a.Token}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
}

// holds opens a ledger and checks its keys.
func holds(t *testing.T, path string, want string) {
	t.Helper()
	l := opened(t, path)
	var keys []string
	if err := l.Export(t.Context(), ledger.KeyQuery{}, func(k ledger.Key) error { keys = append(keys, k.Key); return nil }); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(keys); got != want {
		t.Errorf("%s holds %s, want %s", filepath.Base(path), got, want)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
}

func wantInvalid(t *testing.T, what string, err error) {
	t.Helper()
	if ledger.CodeOf(err) != ledger.Invalid || !strings.Contains(ledger.MessageOf(err), "Nothing was changed.") {
		t.Errorf("%s: %v", what, err)
	}
}

func TestCopyTakesALedgerThatIsInUse(t *testing.T) {
	dir := t.TempDir()
	from, to := filepath.Join(dir, "a b#%3F?&é.db"), filepath.Join(dir, "copy.db")
	filled(t, from, "a")
	l := opened(t, from)
	if _, err := l.Claim(t.Context(), ledger.ClaimRequest{Key: "in-the-log"}); err != nil {
		t.Fatal(err)
	}
	if err := Copy(t.Context(), from, to); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Claim(t.Context(), ledger.ClaimRequest{Key: "later"}); err != nil {
		t.Fatal(err)
	}
	holds(t, to, "[a in-the-log]")
	wantInvalid(t, "a copy over a file", Copy(t.Context(), from, to))
	holds(t, to, "[a in-the-log]")
}

func TestCopyRefusesWhatIsNoLedger(t *testing.T) {
	dir := t.TempDir()
	to := filepath.Join(dir, "copy.db")
	good := filepath.Join(dir, "good.db")
	var keys []string
	for i := range 100 {
		keys = append(keys, fmt.Sprintf("key-%03d-%s", i, strings.Repeat("k", 200)))
	}
	filled(t, good, keys...)
	sound, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(dir, "other.db")
	run := func(path string, statements ...string) {
		t.Helper()
		db, err := sql.Open("sqlite", dsn(path, "immediate"))
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range statements {
			if _, err := db.Exec(s); err != nil {
				t.Fatal(err)
			}
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
	run(other, "CREATE TABLE contacts (name TEXT)", "PRAGMA user_version = 2")
	seen := filepath.Join(dir, "seen.db")
	run(seen, "CREATE TABLE seen (key TEXT PRIMARY KEY, state TEXT, claimed_at REAL, done_at REAL)")
	damaged := append([]byte(nil), sound...)
	for page := 4096; page < len(damaged); page += 4096 {
		if strings.Contains(string(damaged[page:page+4096]), "key-050") {
			clear(damaged[page : page+512])
		}
	}
	newer := filepath.Join(dir, "newer.db")
	if err := os.WriteFile(newer, sound, 0o600); err != nil {
		t.Fatal(err)
	}
	run(newer, "PRAGMA user_version = 9999")
	for name, content := range map[string][]byte{
		"empty": {}, "text": []byte(strings.Repeat("no database\n", 1000)), "cut": sound[:len(sound)/2], "damaged": damaged,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"none", ".", "empty", "text", "cut", "damaged", "other.db", "seen.db", "newer.db"} {
		wantInvalid(t, name, Copy(t.Context(), filepath.Join(dir, name), to))
		if _, err := os.Lstat(to); !errors.Is(err, fs.ErrNotExist) {
			t.Fatalf("%s: a copy is left: %v", name, err)
		}
	}
	if err := Copy(t.Context(), good, to); err != nil {
		t.Error(err)
	}
}

func TestExchangeKeepsTheOldFileAside(t *testing.T) {
	dir := t.TempDir()
	path, with, aside := filepath.Join(dir, "ledger.db"), filepath.Join(dir, "new.db"), filepath.Join(dir, "ledger.db.aside")
	filled(t, path, "old")
	filled(t, with, "new")
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := Exchange(t.Context(), path, with, aside); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("mode: %v, %v", info.Mode(), err)
	}
	holds(t, path, "[new]")
	holds(t, aside, "[old]")
	if _, err := os.Lstat(with); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the new file is still there: %v", err)
	}
	again := filepath.Join(dir, "again.db")
	filled(t, again, "again")
	if err := Exchange(t.Context(), path, again, aside); ledger.CodeOf(err) != ledger.Busy {
		t.Errorf("over a file that was kept: %v", err)
	}
	holds(t, path, "[new]")
}

func TestExchangeWhereThereIsNoFile(t *testing.T) {
	dir := t.TempDir()
	path, with := filepath.Join(dir, "ledger.db"), filepath.Join(dir, "new.db")
	filled(t, with, "new")
	if err := os.WriteFile(path+"-wal", []byte("of a file that is gone"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Exchange(t.Context(), path, with, path+".aside"); err != nil {
		t.Fatal(err)
	}
	holds(t, path, "[new]")
	if _, err := os.Stat(path + ".aside-wal"); err != nil {
		t.Error(err)
	}
}

// TestExchangeOfADamagedFile: that is what a restore is for, and the evidence stays.
func TestExchangeOfADamagedFile(t *testing.T) {
	for name, spoil := range map[string]func(b []byte){
		"no database": func(b []byte) { copy(b, "spoilt by something") },
		"pages gone":  func(b []byte) { clear(b[4096:]) },
	} {
		dir := t.TempDir()
		path, with := filepath.Join(dir, "ledger.db"), filepath.Join(dir, "new.db")
		filled(t, path, "old")
		filled(t, with, "new")
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		spoil(b)
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := Exchange(t.Context(), path, with, path+".aside"); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		holds(t, path, "[new]")
		if kept, err := os.ReadFile(path + ".aside"); err != nil || len(kept) != len(b) {
			t.Errorf("%s: %d bytes kept of %d, %v", name, len(kept), len(b), err)
		}
	}
}

func TestExchangeLeavesAFileInUseAlone(t *testing.T) {
	dir := t.TempDir()
	path, with := filepath.Join(dir, "ledger.db"), filepath.Join(dir, "new.db")
	filled(t, path, "old")
	filled(t, with, "new")
	l := opened(t, path)
	err := Exchange(t.Context(), path, with, path+".aside")
	if ledger.CodeOf(err) != ledger.Busy || !strings.Contains(ledger.MessageOf(err), "Another program has the ledger file open") {
		t.Errorf("in use: %v", err)
	}
	if _, err := l.Claim(t.Context(), ledger.ClaimRequest{Key: "still"}); err != nil {
		t.Error(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	holds(t, path, "[old still]")
}

// TestWhoeverWaitedForAnExchangeGetsTheNewFile, or is refused: a claim that lands in
// the old file would be granted once more in the new one.
func TestWhoeverWaitedForAnExchangeGetsTheNewFile(t *testing.T) {
	dir := t.TempDir()
	path, with := filepath.Join(dir, "ledger.db"), filepath.Join(dir, "new.db")
	filled(t, path, "old")
	filled(t, with, "new")
	alone, err := openAlone(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	var waiters sync.WaitGroup
	granted := make([]bool, 8)
	for i := range granted {
		waiters.Go(func() {
			store, err := Open(path)
			if err != nil {
				return
			}
			l := ledger.New(store, ledger.SystemClock(), nil)
			_, err = l.Claim(context.Background(), ledger.ClaimRequest{Key: fmt.Sprint("waited-", i)})
			granted[i] = err == nil
			_ = l.Close()
		})
	}
	time.Sleep(200 * time.Millisecond) // they are at the lock now, or come later: both must hold
	if err := keepAside(path, path+".aside"); err != nil {
		t.Fatal(err)
	}
	if err := putInPlace(with, path); err != nil {
		t.Fatal(err)
	}
	if err := alone.Close(); err != nil {
		t.Fatal(err)
	}
	waiters.Wait()
	want := "[new"
	for i, ok := range granted {
		if ok {
			want += fmt.Sprint(" waited-", i)
		}
	}
	holds(t, path, want+"]")
	holds(t, path+".aside", "[old]")
}
