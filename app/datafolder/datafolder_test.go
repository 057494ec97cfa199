package datafolder_test

import (
	"os"
	"path/filepath"
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
