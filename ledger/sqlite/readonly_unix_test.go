//go:build unix

// A file that may not be written to needs the modes of Unix.

package sqlite_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"dedupedesk/ledger"
)

// dropRights makes root nobody: modes do not bind root.
func dropRights() error {
	if os.Getuid() != 0 {
		return nil
	}
	return syscall.Setuid(65534)
}

func TestPeers58ReadOnlyFileIsBusy(t *testing.T) {
	for name, modes := range map[string]struct{ file, folder os.FileMode }{
		"file":            {0o444, 0o777},
		"file and folder": {0o444, 0o555},
		"unreadable":      {0o000, 0o777},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "ledger.db")
			l := ledger.New(open(t, path), ledger.SystemClock(), nil)
			if _, err := l.Claim(t.Context(), ledger.ClaimRequest{Key: "old"}); err != nil {
				t.Fatal(err)
			}
			if err := l.Close(); err != nil {
				t.Fatal(err)
			}
			for name, mode := range map[string]os.FileMode{path: modes.file, filepath.Dir(dir): 0o755, dir: modes.folder} {
				if err := os.Chmod(name, mode); err != nil {
					t.Fatal(err)
				}
			}
			t.Cleanup(func() { _ = os.Chmod(dir, 0o700) })
			out, err := child(t, "write", path).CombinedOutput()
			got := strings.TrimSpace(string(out))
			if err != nil || (got != "open busy" && got != "claim busy false") {
				t.Errorf("got %q, %v", got, err)
			}
		})
	}
}
