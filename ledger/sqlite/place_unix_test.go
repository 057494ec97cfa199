//go:build unix

package sqlite_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestASymbolicLinkIsFollowed: SQLite keeps its files beside the file, not the link.
func TestASymbolicLinkIsFollowed(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(dir, "link.db")
	if err := os.Symlink(filepath.Join(t.TempDir(), "ledger.db"), link); err != nil {
		t.Fatal(err)
	}
	target, err := os.Readlink(link)
	if err != nil {
		t.Fatal(err)
	}
	claimPlain(t, newLedger(t, target), "a")
	l := newLedger(t, link)
	time.Sleep(1100 * time.Millisecond)
	if a := claimPlain(t, l, "b"); !a.Run {
		t.Errorf("%+v", a)
	}
}
