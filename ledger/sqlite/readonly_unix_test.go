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

const nobody = 65534

// dropRights makes root nobody: modes do not bind root.
func dropRights() error {
	if os.Getuid() != 0 {
		return nil
	}
	return syscall.Setuid(nobody)
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
			out, err := child(t, "write", path).Output()
			got := strings.TrimSpace(string(out))
			if err != nil || (got != "open busy" && got != "claim busy false") {
				t.Errorf("got %q, %v", got, err)
			}
		})
	}
}

// TestASpellOfReadOnlyLeavesNothingBehind: SQLite would make its files beside the
// file with the mode of it, and they would stand in the way afterwards.
func TestASpellOfReadOnlyLeavesNothingBehind(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "ledger.db")
	if err := open(t, path).Close(); err != nil {
		t.Fatal(err)
	}
	give(t, dir)
	for _, tt := range []struct {
		mode os.FileMode
		want string
	}{{0o400, "open busy"}, {0o600, "claim  true"}} {
		if err := os.Chmod(path, tt.mode); err != nil {
			t.Fatal(err)
		}
		out, err := child(t, "write", path).Output()
		if got := strings.TrimSpace(string(out)); err != nil || got != tt.want {
			t.Errorf("mode %v: %q, %v, want %q", tt.mode, got, err, tt.want)
		}
		if files, err := filepath.Glob(path + "*"); err != nil || len(files) != 1 {
			t.Errorf("mode %v: it left %v, %v", tt.mode, files, err)
		}
	}
}

// TestAReadOnlyFileBesideIsNamed: another program may have left one all the same.
func TestAReadOnlyFileBesideIsNamed(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "ledger.db")
	if err := open(t, path).Close(); err != nil {
		t.Fatal(err)
	}
	for _, end := range []string{"-wal", "-shm"} {
		if err := os.WriteFile(path+end, nil, 0o400); err != nil {
			t.Fatal(err)
		}
		give(t, dir)
		out, err := child(t, "write", path).CombinedOutput()
		if got := string(out); err != nil || !strings.Contains(got, "open busy") || !strings.Contains(got, "ledger.db"+end+",") {
			t.Errorf("%s: %q, %v", end, got, err)
		}
		if err := os.Remove(path + end); err != nil {
			t.Fatal(err)
		}
	}
}

// give hands a folder and what is in it to the user that dropRights makes root.
func give(t *testing.T, dir string) {
	t.Helper()
	if err := os.Chmod(filepath.Dir(dir), 0o755); err != nil {
		t.Fatal(err)
	}
	if os.Getuid() != 0 {
		return
	}
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(files, dir) {
		if err := os.Chown(name, nobody, nobody); err != nil {
			t.Fatal(err)
		}
	}
}
