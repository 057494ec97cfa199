// Package datafolder knows where Dedupe Desk keeps its files and which engine
// owns them.
//
// # What lies in the folder
//
// ledger.db (with SQLite's -wal and -shm), engine.lock, engine.log and, while
// an engine runs, engine.json. The folder has mode 0700 and every file 0600; on
// Windows the user's own profile folder gives the same by its access list.
//
// # What it promises
//
// engine.lock, held by the operating system for as long as the engine's process
// lives, is the proof that an engine runs. engine.json only says how to reach
// it, and is never believed without the lock.
//
// # Concurrency
//
// A [Folder] may be used by any number of goroutines and processes at once.
package datafolder

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// Env is the environment variable that names the data folder where --data does not.
const Env = "DEDUPE_DATA"

// A Folder is one data folder.
type Folder struct{ path string }

// DefaultPath returns the folder that DEDUPE_DATA names, or else the place where
// this operating system keeps a user's application data. It fails only where the
// user has no home folder.
func DefaultPath() (string, error) {
	if dir := os.Getenv(Env); dir != "" {
		return filepath.Abs(dir)
	}
	switch runtime.GOOS {
	case "windows":
		if dir := os.Getenv("LocalAppData"); dir != "" {
			return filepath.Join(dir, "Dedupe Desk"), nil
		}
	case "darwin":
		if home, err := os.UserHomeDir(); err == nil {
			return filepath.Join(home, "Library", "Application Support", "Dedupe Desk"), nil
		}
	}
	if dir := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "dedupe-desk"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("find the data folder: %w; name one with --data DIR", err)
	}
	return filepath.Join(home, ".local", "share", "dedupe-desk"), nil
}

// Open returns the folder at path, "" meaning [DefaultPath]. It makes the folder
// where there is none and takes other users' rights away where they had some.
func Open(path string) (*Folder, error) {
	if path == "" {
		dir, err := DefaultPath()
		if err != nil {
			return nil, err
		}
		path = dir
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("data folder: %w", err)
	}
	if info, err := os.Stat(path); err == nil && !info.IsDir() {
		return nil, errors.New(path + " is a file; --data needs a folder")
	}
	if err := os.MkdirAll(path, 0o700); err != nil {
		return nil, fmt.Errorf("make the data folder: %w", err)
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("data folder: %w", err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		if err := os.Chmod(path, 0o700); err != nil {
			return nil, fmt.Errorf("close the data folder to other users: %w", err)
		}
	}
	return &Folder{path: path}, nil
}

// Path returns the folder's absolute path.
func (f *Folder) Path() string { return f.path }

// Ledger returns the path of the key file, which may not exist yet.
func (f *Folder) Ledger() string { return filepath.Join(f.path, "ledger.db") }

// Log returns the path of the engine's log.
func (f *Folder) Log() string { return filepath.Join(f.path, "engine.log") }
