package datafolder

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Database returns the name of the database that the folder's engine keeps its keys in,
// and whether it does. A command that opened the key file of such a folder would grant
// what the engine has granted.
func (f *Folder) Database() (name string, ok bool, err error) {
	data, err := os.ReadFile(f.DatabaseMark())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", false, nil
	case err != nil:
		return "", false, fmt.Errorf("look for the database of the data folder: %w", err)
	}
	return strings.TrimSpace(string(data)), true, nil
}

// KeepIn writes down that the folder's keys are in the database of that name, which
// must not hold a password.
func (f *Folder) KeepIn(name string) error {
	if was, ok, err := f.Database(); err == nil && ok && was == name {
		return nil
	}
	if err := os.WriteFile(f.DatabaseMark(), []byte(name+"\n"), 0o600); err != nil {
		return fmt.Errorf("write down the database of the data folder: %w", err)
	}
	return nil
}

// DatabaseMark returns the path of the file that says so. Without it the folder's keys
// are in its key file.
func (f *Folder) DatabaseMark() string { return filepath.Join(f.path, "database.txt") }
