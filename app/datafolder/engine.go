package datafolder

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// An Engine says how to reach the engine that runs on a folder. It is what
// engine.json holds.
type Engine struct {
	PID       int       `json:"pid"`
	Version   string    `json:"version"`
	API       string    `json:"api"`   // full URL of the claim endpoint's listener
	Admin     string    `json:"admin"` // full URL of the pages' listener
	StartedAt time.Time `json:"started_at"`
	Secret    string    `json:"secret"` // lets this user's own window and commands in
}

// ErrRunning is returned by [Folder.Lock] while another engine owns the folder.
var ErrRunning = errors.New("another engine is already running on this data folder")

// lockPatience covers the moment in which [Folder.Running] tries the lock.
const lockPatience = 2 * time.Second

// A Lock is an engine's ownership of its folder, until Unlock or the end of the
// process.
type Lock struct{ file *flock.Flock }

// Lock takes the folder for an engine. It returns [ErrRunning] where one has it. The
// address that a killed engine left is gone then.
func (f *Folder) Lock(ctx context.Context) (*Lock, error) {
	file := flock.New(f.lockPath(), flock.SetPermissions(0o600))
	ctx, cancel := context.WithTimeout(ctx, lockPatience)
	defer cancel()
	ok, err := file.TryLockContext(ctx, 25*time.Millisecond)
	switch {
	case ok:
		if err := f.Withdraw(); err != nil {
			return nil, errors.Join(err, file.Unlock())
		}
		return &Lock{file: file}, nil
	case errors.Is(err, context.DeadlineExceeded):
		return nil, ErrRunning
	case err != nil:
		return nil, fmt.Errorf("lock the data folder: %w", err)
	}
	return nil, ErrRunning
}

// Unlock gives the folder back.
func (l *Lock) Unlock() error { return l.file.Unlock() }

// Running returns the engine that owns the folder now. ok is false where none
// does, and also for the moment between an engine's lock and its engine.json.
func (f *Folder) Running() (e Engine, ok bool, err error) {
	if owned, err := f.Owned(); err != nil || !owned {
		return Engine{}, false, err
	}
	return f.readEngine()
}

// Owned tells whether an engine has the folder, also one that is still starting
// or stopping.
func (f *Folder) Owned() (bool, error) {
	probe := flock.New(f.lockPath(), flock.SetPermissions(0o600))
	free, err := probe.TryRLock()
	if err = errors.Join(err, probe.Close()); err != nil {
		return false, fmt.Errorf("look at the engine's lock: %w", err)
	}
	return !free, nil
}

func (f *Folder) readEngine() (e Engine, ok bool, err error) {
	data, err := os.ReadFile(f.enginePath())
	if errors.Is(err, fs.ErrNotExist) {
		return Engine{}, false, nil
	}
	if err != nil {
		return Engine{}, false, fmt.Errorf("read engine.json: %w", err)
	}
	if err := json.Unmarshal(data, &e); err != nil {
		return Engine{}, false, fmt.Errorf("read engine.json: %w", err)
	}
	return e, true, nil
}

// Announce writes engine.json, whole or not at all. Only the holder of the lock
// may call it.
func (f *Folder) Announce(e Engine) error {
	data, err := json.MarshalIndent(e, "", "  ")
	if err != nil {
		return fmt.Errorf("write engine.json: %w", err)
	}
	tmp := f.enginePath() + ".new"
	// What a crash left there would keep its own mode.
	if err := os.Remove(tmp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("write engine.json: %w", err)
	}
	if err := os.WriteFile(tmp, append(data, '\n'), 0o600); err != nil {
		return fmt.Errorf("write engine.json: %w", err)
	}
	if err := os.Rename(tmp, f.enginePath()); err != nil {
		return fmt.Errorf("write engine.json: %w", err)
	}
	return nil
}

// Withdraw removes engine.json at the engine's end.
func (f *Folder) Withdraw() error {
	if err := os.Remove(f.enginePath()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove engine.json: %w", err)
	}
	return nil
}

func (f *Folder) lockPath() string   { return filepath.Join(f.path, "engine.lock") }
func (f *Folder) enginePath() string { return filepath.Join(f.path, "engine.json") }
