package datafolder_test

import (
	"path/filepath"
	"strings"
	"testing"

	"dedupedesk/app/datafolder"
)

func TestTheUsersOwnPlaceIsTheDefault(t *testing.T) {
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
