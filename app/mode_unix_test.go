//go:build unix

package main_test

import (
	"os"
	"path/filepath"
	"testing"
)

func TestFilesBelongToTheirUserAlone(t *testing.T) {
	h := newHouse(t)
	h.post("/v1/claim", map[string]any{"key": "a"})
	err := filepath.Walk(h.dir, func(path string, info os.FileInfo, err error) error {
		if err != nil {
			return err
		}
		want := os.FileMode(0o600)
		if info.IsDir() {
			want = 0o700
		}
		if info.Mode().Perm() != want {
			t.Errorf("%s has mode %o, want %o", filepath.Base(path), info.Mode().Perm(), want)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
