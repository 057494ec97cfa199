package sqlite_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dedupedesk/ledger"
)

// TestAFileThatIsNotThereAnyMoreGrantsNothing: whoever opens the path now grants, so
// whoever has the old file open must not.
func TestAFileThatIsNotThereAnyMoreGrantsNothing(t *testing.T) {
	remove := func(t *testing.T, path string) {
		files, err := filepath.Glob(path + "*")
		if err != nil || len(files) != 3 {
			t.Fatalf("%v, %v", files, err)
		}
		for _, name := range files {
			if err := os.Remove(name); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, change := range map[string]func(t *testing.T, path string){
		"removed": remove,
		"replaced": func(t *testing.T, path string) {
			other := filepath.Join(t.TempDir(), "other.db")
			if err := open(t, other).Close(); err != nil {
				t.Fatal(err)
			}
			if err := os.Rename(other, path); err != nil {
				t.Fatal(err)
			}
		},
		"log removed": func(t *testing.T, path string) {
			if err := os.Remove(path + "-wal"); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "ledger.db")
			l := newLedger(t, path)
			if err := l.Check(t.Context()); err != nil {
				t.Fatal(err)
			}
			claimPlain(t, l, "before")
			change(t, path)
			time.Sleep(1100 * time.Millisecond) // a look stands for a second
			if name != "log removed" {
				if a := claimPlain(t, newLedger(t, path), "after"); !a.Run {
					t.Errorf("the file that is there now: %+v", a)
				}
			}
			a, err := l.Claim(t.Context(), ledger.ClaimRequest{Key: "after"})
			wantCode(t, err, ledger.Busy)
			if a.Run || !strings.Contains(ledger.MessageOf(err), "replaced") {
				t.Errorf("%+v, %v", a, err)
			}
			wantCode(t, l.Check(t.Context()), ledger.Busy)
			_, err = l.Counts(t.Context())
			wantCode(t, err, ledger.Busy)
		})
	}
}

func TestAFileThatIsPutBackGrantsAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.db")
	l := newLedger(t, path)
	claimPlain(t, l, "before")
	if err := os.Rename(path, path+".away"); err != nil {
		t.Fatal(err)
	}
	time.Sleep(1100 * time.Millisecond)
	_, err := l.Claim(t.Context(), ledger.ClaimRequest{Key: "after"})
	wantCode(t, err, ledger.Busy)
	if err := os.Rename(path+".away", path); err != nil {
		t.Fatal(err)
	}
	if a := claimPlain(t, l, "after"); !a.Run {
		t.Errorf("%+v", a)
	}
	if err := l.Check(t.Context()); err != nil {
		t.Error(err)
	}
}
