package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"

	lib "modernc.org/sqlite/lib"

	"dedupedesk/ledger"
)

var _ ledger.Backuper = (*Store)(nil)

// Backup writes a copy of the file, as of one moment, to a new file at path, which only
// its owner can read from its first byte on. Calls go on meanwhile. The copy has its
// name once it is whole and on the disk, and says in its setting backup.made_at that it
// was made at at.
//
// Until it ends, the write-ahead log grows by what is written meanwhile.
func (s *Store) Backup(ctx context.Context, path string, at time.Time) error {
	if err := s.backup(ctx, path, at); err != nil {
		if ctx.Err() != nil {
			err = coded(errors.Join(ctx.Err(), err))
		}
		return fmt.Errorf("backup: %w", s.damage.note(err))
	}
	return nil
}

func (s *Store) backup(ctx context.Context, path string, at time.Time) (err error) {
	if err := s.fit(); err != nil {
		return err
	}
	path, err = filepath.Abs(path)
	if err != nil {
		return err
	}
	if _, err := os.Lstat(path); err == nil {
		return backupExists()
	}
	temp := fmt.Sprintf("%s.part.%d.%d", path, os.Getpid(), time.Now().UnixNano())
	f, err := os.OpenFile(temp, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return busy("The backup cannot be written there. Check that its folder exists and can be written to.", err)
	}
	defer func() { err = errors.Join(err, withoutTrace(temp)) }()
	if err := f.Close(); err != nil {
		return err
	}
	if err := s.copyTo(ctx, temp); err != nil {
		return unwritten(err)
	}
	if err := signBackup(ctx, temp, at); err != nil {
		return unwritten(err)
	}
	// The file must be the one that was opened, to the end.
	if err := s.place.check(); err != nil {
		return err
	}
	return nameBackup(ctx, temp, path)
}

func backupExists() error {
	return &ledger.Error{Code: ledger.Invalid, Field: "file",
		Msg: "There is a file of that name already. Nothing was written. Choose another name for the backup."}
}

// withoutTrace removes a copy that did not get its name.
func withoutTrace(temp string) error {
	for _, name := range []string{temp, temp + "-journal"} {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// unwritten says what keeps a copy from being written, as far as that is not the fault
// of the file that is copied.
func unwritten(err error) error {
	switch primary(err) {
	case lib.SQLITE_FULL:
		return busy("The disk is too full for the backup. Nothing is left of it. Free some space, or choose another disk.", err)
	case lib.SQLITE_IOERR, lib.SQLITE_CANTOPEN, lib.SQLITE_READONLY:
		return busy("The backup cannot be written there. Nothing is left of it. Choose another place.", err)
	}
	return err
}

// copyTo fills the empty file at temp. SQLite leaves its mode alone.
func (s *Store) copyTo(ctx context.Context, temp string) (err error) {
	db, err := sql.Open("sqlite", dsn(s.path, "deferred", "busy_timeout(5000)"))
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1)
	defer func() { err = errors.Join(err, db.Close()) }()
	_, err = db.ExecContext(ctx, "VACUUM INTO ?", temp)
	return err
}

// signBackup writes into a copy that it is one, and reads all of it.
func signBackup(ctx context.Context, temp string, at time.Time) (err error) {
	db, err := sql.Open("sqlite", dsn(temp, "immediate", "journal_mode(MEMORY)", "synchronous(FULL)"))
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1)
	defer func() { err = errors.Join(err, db.Close()) }()
	_, err = db.ExecContext(ctx, "INSERT OR REPLACE INTO settings (name, value) VALUES ('backup.made_at', ?)",
		at.UTC().Format("2006-01-02T15:04:05.000Z07:00"))
	if err != nil {
		return err
	}
	var sound string
	if err := db.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&sound); err != nil {
		return err
	}
	if sound != "ok" {
		return busy("The backup did not come out whole. Nothing is left of it. Try again, on another disk.", errors.New(sound))
	}
	return nil
}

// nameBackup brings a copy to the disk and gives it its name, unless a file got that
// name meanwhile.
func nameBackup(ctx context.Context, temp, path string) error {
	if err := synced(temp); err != nil {
		return busy("The backup cannot be written there. Nothing is left of it. Choose another place.", err)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	err := os.Link(temp, path)
	if errors.Is(err, fs.ErrExist) {
		return backupExists()
	}
	if err != nil { // some disks know no second names
		if _, there := os.Lstat(path); there == nil {
			return backupExists()
		}
		err = os.Rename(temp, path)
	}
	if err != nil {
		return busy("The backup cannot be given its name. Nothing is left of it. Choose another place.", err)
	}
	if runtime.GOOS == "windows" { // which opens no folders
		return nil
	}
	return synced(filepath.Dir(path))
}
