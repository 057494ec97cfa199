package datafolder_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"dedupedesk/app/datafolder"
)

func open(t *testing.T, path string) *datafolder.Folder {
	t.Helper()
	f, err := datafolder.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestEnvironmentNamesTheFolder(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for name, want := range map[string]string{filepath.Join(dir, "abs"): filepath.Join(dir, "abs"), "rel": filepath.Join(dir, "rel")} {
		t.Setenv(datafolder.Env, name)
		got, err := datafolder.DefaultPath()
		if err != nil || !sameFolder(t, got, want) {
			t.Errorf("%s=%s gives %s, %v, want %s", datafolder.Env, name, got, err, want)
		}
		if f := open(t, ""); !sameFolder(t, f.Path(), want) {
			t.Errorf("Open gives %s, want %s", f.Path(), want)
		}
		if f := open(t, filepath.Join(dir, "named")); f.Path() != filepath.Join(dir, "named") {
			t.Errorf("--data gives %s", f.Path())
		}
	}
}

// sameFolder compares paths through links, as a temporary folder may be one.
func sameFolder(t *testing.T, a, b string) bool {
	t.Helper()
	if a == b {
		return true
	}
	for _, dir := range []string{a, b} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	x, errX := filepath.EvalSymlinks(a)
	y, errY := filepath.EvalSymlinks(b)
	return errX == nil && errY == nil && x == y
}

func TestTheUsersOwnPlaceIsTheDefault(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the XDG places are those of Linux; other systems name theirs by calls, not by the environment alone")
	}
	home := t.TempDir()
	t.Setenv(datafolder.Env, "")
	t.Setenv("HOME", home)
	for xdg, want := range map[string]string{
		"":                         filepath.Join(home, ".local", "share", "dedupe-desk"),
		filepath.Join(home, "x"):   filepath.Join(home, "x", "dedupe-desk"),
		"relative, which XDG bars": filepath.Join(home, ".local", "share", "dedupe-desk"),
	} {
		t.Setenv("XDG_DATA_HOME", xdg)
		if got, err := datafolder.DefaultPath(); err != nil || got != want {
			t.Errorf("XDG_DATA_HOME=%q gives %s, %v, want %s", xdg, got, err, want)
		}
	}
	t.Setenv("XDG_DATA_HOME", "")
	t.Setenv("HOME", "")
	if got, err := datafolder.DefaultPath(); err == nil || !strings.Contains(err.Error(), "--data") {
		t.Errorf("without a home: %q, %v, want an error that names --data", got, err)
	}
}

func TestFolderAndFilesBelongToTheirUser(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows keeps rights in access lists, which the user's profile folder sets")
	}
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

func TestAFileIsNoFolder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := datafolder.Open(path); err == nil || !strings.Contains(err.Error(), "--data needs a folder") {
		t.Errorf("Open of a file: %v", err)
	}
	if _, err := datafolder.Open(filepath.Join(path, "below")); err == nil {
		t.Error("a folder was made below a file")
	}
}

func TestFilesLieInTheFolder(t *testing.T) {
	dir := t.TempDir()
	f := open(t, dir)
	if f.Path() != dir || f.Ledger() != filepath.Join(dir, "ledger.db") || f.Log() != filepath.Join(dir, "engine.log") {
		t.Errorf("%s, %s, %s", f.Path(), f.Ledger(), f.Log())
	}
}

func TestSyncedFoldersAreWarnedOf(t *testing.T) {
	root := t.TempDir()
	for name, want := range map[string]string{
		"plain":                             "",
		"OneDrive - Contoso":                "OneDrive",
		"Dropbox":                           "Dropbox",
		"Dropbox (Personal)":                "Dropbox",
		"iCloudDrive":                       "iCloud",
		"Library/Mobile Documents/com~desk": "iCloud",
		"Google Drive":                      "Google Drive",
	} {
		got := open(t, filepath.Join(root, name, "data")).Warnings()
		if want == "" {
			if len(got) != 0 {
				t.Errorf("%s: %q", name, got)
			}
			continue
		}
		if len(got) != 1 || !strings.Contains(got[0], "lies in "+want+".") || !strings.Contains(got[0], "--data DIR") {
			t.Errorf("%s: %q, want a warning of %s that says what to do", name, got, want)
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
		t.Skipf("this system or user may not make links: %v", err)
	}
	if got := open(t, link).Warnings(); len(got) != 1 || !strings.Contains(got[0], "Dropbox") {
		t.Errorf("%q, want a warning of Dropbox", got)
	}
}
