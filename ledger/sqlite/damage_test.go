package sqlite_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"dedupedesk/ledger"
)

// damaged returns a ledger file of many keys, of which the page of the index that
// holds first is overwritten: calls for it meet the damage, calls for most do not.
func damaged(t *testing.T, first string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "ledger.db")
	if err := open(t, path).Close(); err != nil {
		t.Fatal(err)
	}
	fill(t, path, 5000)
	run(t, raw(t, path), "PRAGMA wal_checkpoint(TRUNCATE)") // the pages are in the file alone
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const size, indexLeaf = 4096, 0x0a // see https://sqlite.org/fileformat2.html (read 2026-11-30)
	found := 0
	for page := size; page < len(b); page += size {
		p := b[page : page+size]
		if p[0] == indexLeaf && bytes.Contains(p, []byte(first)) {
			found++
			for i := range p {
				p[i] = 0xAA
			}
		}
	}
	if found != 1 {
		t.Fatalf("%d pages hold %s", found, first)
	}
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestADamagedPageStopsEveryKey: what is left of the file cannot be trusted either.
func TestADamagedPageStopsEveryKey(t *testing.T) {
	const bad = "key-00000001"
	for name, meet := range map[string]func(l *ledger.Ledger) error{
		"claim": func(l *ledger.Ledger) error {
			_, err := l.Claim(t.Context(), ledger.ClaimRequest{Key: bad})
			return err
		},
		"read": func(l *ledger.Ledger) error {
			_, err := l.Key(t.Context(), "", bad)
			return err
		},
		"examine": func(l *ledger.Ledger) error { return l.Examine(t.Context()) },
	} {
		t.Run(name, func(t *testing.T) {
			path := damaged(t, bad)
			l := newLedger(t, path)
			if a := claimPlain(t, l, "new-1"); !a.Run {
				t.Fatalf("the damage is met too early: %+v", a)
			}
			if err := l.Check(t.Context()); err != nil {
				t.Fatal(err)
			}
			wantCode(t, meet(l), ledger.Corrupt)
			a, err := l.Claim(t.Context(), ledger.ClaimRequest{Key: "new-2"})
			wantCode(t, err, ledger.Corrupt)
			if a.Run {
				t.Error("granted")
			}
			wantCode(t, l.Check(t.Context()), ledger.Corrupt)
			wantCode(t, l.Examine(t.Context()), ledger.Corrupt)
		})
	}
}

// TestExamineOfASoundFile: a row that cannot be trusted stops its own key alone.
func TestExamineOfASoundFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.db")
	l := newLedger(t, path)
	claimPlain(t, l, "odd")
	db := raw(t, path)
	run(t, db, "PRAGMA ignore_check_constraints = 1")
	run(t, db, "UPDATE claims SET state = 'paused'")
	if err := l.Examine(t.Context()); err != nil {
		t.Error(err)
	}
	if a := claimPlain(t, l, "other"); !a.Run {
		t.Errorf("%+v", a)
	}
}

// TestDamageStopsItsOwnGroup: what ran before it in the group is not written either,
// and nothing after it is.
func TestDamageStopsItsOwnGroup(t *testing.T) {
	const bad = "key-00000001"
	l := newLedger(t, damaged(t, bad))
	granted := make(chan string, 200)
	var wg sync.WaitGroup
	for i := range 50 {
		for _, key := range []string{bad, fmt.Sprint("new-", i)} {
			wg.Go(func() {
				a, err := l.Claim(t.Context(), ledger.ClaimRequest{Key: key})
				if err == nil && a.Run {
					granted <- key
				} else if ledger.CodeOf(err) != ledger.Corrupt {
					t.Errorf("%s: %+v, %v", key, a, err)
				}
			})
		}
	}
	wg.Wait()
	close(granted)
	for key := range granted {
		if life, err := l.Key(t.Context(), "", key); err != nil || life.Key.State != ledger.Claimed {
			t.Errorf("%s was granted and is not there: %v", key, err)
		}
	}
	_, err := l.Claim(t.Context(), ledger.ClaimRequest{Key: "after"})
	wantCode(t, err, ledger.Corrupt)
}
