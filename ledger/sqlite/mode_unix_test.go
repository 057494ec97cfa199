//go:build unix

package sqlite_test

import (
	"os"
	"path/filepath"
	"testing"

	"dedupedesk/ledger"
)

func TestFilesAreTheOwnersAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a b#%3F?&é.db")
	l := newLedger(t, path)
	if _, err := l.Claim(t.Context(), ledger.ClaimRequest{Key: "a"}); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(entries) != 3 {
		t.Fatalf("files: %v, %v", entries, err)
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: mode %v, %v", e.Name(), info.Mode(), err)
		}
	}
}
