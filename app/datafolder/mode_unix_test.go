//go:build unix

package datafolder_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dedupedesk/app/datafolder"
)

func TestFolderAndFilesBelongToTheirUser(t *testing.T) {
	root := t.TempDir()
	wide := filepath.Join(root, "wide")
	if err := os.Mkdir(wide, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{filepath.Join(root, "a", "new"), wide} {
		f := open(t, dir)
		// A crash left a half of it, and others may read that.
		if err := os.WriteFile(filepath.Join(dir, "engine.json.new"), []byte("{"), 0o644); err != nil {
			t.Fatal(err)
		}
		lock, err := f.Lock(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Announce(datafolder.Engine{PID: 1, Secret: "s"}); err != nil {
			t.Fatal(err)
		}
		for path, want := range map[string]os.FileMode{dir: 0o700, filepath.Join(dir, "engine.json"): 0o600, filepath.Join(dir, "engine.lock"): 0o600} {
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			if got := info.Mode().Perm(); got != want {
				t.Errorf("%s has the mode %o, want %o", filepath.Base(path), got, want)
			}
		}
		if err := lock.Unlock(); err != nil {
			t.Error(err)
		}
	}
}

// TestALinkIntoASyncedFolderIsWarnedOf: what counts is where the file lies.
func TestALinkIntoASyncedFolderIsWarnedOf(t *testing.T) {
	root := t.TempDir()
	real := filepath.Join(root, "Dropbox", "desk")
	if err := os.MkdirAll(real, 0o700); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(root, "desk")
	if err := os.Symlink(real, link); err != nil {
		t.Fatal(err)
	}
	if got := open(t, link).Warnings(); len(got) != 1 || !strings.Contains(got[0], "Dropbox") {
		t.Errorf("%q, want a warning of Dropbox", got)
	}
}
