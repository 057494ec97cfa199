package sqlite

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// TestAnExchangeThatFailsLeavesOneName: the old file was given a second one already
// when the new file turns out not to be movable.
func TestAnExchangeThatFailsLeavesOneName(t *testing.T) {
	for name, with := range map[string]func(t *testing.T, path string){
		"no new file": func(*testing.T, string) {},
		"a folder": func(t *testing.T, path string) {
			if err := os.Mkdir(path, 0o700); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path, fresh := filepath.Join(dir, "ledger.db"), filepath.Join(dir, "fresh.db")
			filled(t, path, "a")
			with(t, fresh)
			// Past what Exchange asks of the new file before it touches the old one.
			if err := keepAside(path, path+".aside"); err != nil {
				t.Fatal(err)
			}
			if err := replace(path, fresh, path+".aside", false); err == nil {
				t.Fatal("it did not fail")
			}
			if _, err := os.Lstat(path + ".aside"); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("the second name: %v", err)
			}
			holds(t, path, "[a]")
			if err := Exchange(t.Context(), path, fresh, path+".aside"); err == nil {
				t.Fatal("it did not fail")
			}
			if _, err := os.Lstat(path + ".aside"); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("the second name after Exchange: %v", err)
			}
			holds(t, path, "[a]")
		})
	}
}

// TestAnExchangeOfADamagedFileThatFails puts back what was moved with the file, also
// where the disk knows no second names.
func TestAnExchangeOfADamagedFileThatFails(t *testing.T) {
	dir := t.TempDir()
	path, aside := filepath.Join(dir, "ledger.db"), filepath.Join(dir, "aside.db")
	for _, name := range []string{path, path + "-wal"} {
		if err := os.WriteFile(name, []byte("damaged"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, keep := range map[string]func(string, string) error{"linked": keepAside, "moved": os.Rename} {
		if err := keep(path, aside); err != nil {
			t.Fatal(err)
		}
		if err := replace(path, filepath.Join(dir, "none.db"), aside, true); err == nil {
			t.Fatal("it did not fail")
		}
		left, err := filepath.Glob(filepath.Join(dir, "*"))
		if err != nil || len(left) != 2 || left[0] != path || left[1] != path+"-wal" {
			t.Errorf("%s: %v, %v", name, left, err)
		}
		if err := oneNameAt(path); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestAnExchangeKeepsTheOldFileUnderOneName: what was set aside can be opened again.
func TestAnExchangeKeepsTheOldFileUnderOneName(t *testing.T) {
	dir := t.TempDir()
	path, with := filepath.Join(dir, "ledger.db"), filepath.Join(dir, "new.db")
	filled(t, path, "old")
	filled(t, with, "new")
	if err := Exchange(t.Context(), path, with, path+".aside"); err != nil {
		t.Fatal(err)
	}
	holds(t, path, "[new]")
	holds(t, path+".aside", "[old]")
}

func oneNameAt(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	return oneName(path, info)
}
