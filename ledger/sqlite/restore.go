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

const noLedgerText = "This file is no backup of a ledger, or it is damaged. Nothing was changed."

// Copy writes what the ledger file at from holds to a new file at to, which only its
// owner can read. The file at from is only read, through SQLite, so it may be in use.
//
// Copy returns Invalid where from is no ledger file or is damaged, where it is newer
// than this program, and where there is a file at to, and Busy where it is locked or to
// cannot be written. Then there is no file at to that was not there before.
func Copy(ctx context.Context, from, to string) error {
	if err := copyFile(ctx, from, to); err != nil {
		return fmt.Errorf("copy the ledger file: %w", coded(err))
	}
	return nil
}

func copyFile(ctx context.Context, from, to string) (err error) {
	info, err := os.Stat(from)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return noBackup("There is no such file. Nothing was changed.", err)
	case err != nil:
		return noBackup("The file cannot be read. Nothing was changed.", err)
	case !info.Mode().IsRegular() || info.Size() == 0:
		return noBackup(noLedgerText, nil)
	}
	abs, err := filepath.Abs(from)
	if err != nil {
		return err
	}
	db, err := sql.Open("sqlite", dsn(abs, "deferred", "busy_timeout(5000)")+"&mode=ro")
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1)
	defer func() { err = errors.Join(err, db.Close()) }()
	if err := soundLedger(ctx, db); err != nil {
		return err
	}
	f, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return noBackup("There is a file in the place of the copy already. Nothing was changed.", err)
	}
	if err != nil {
		return busy("A copy of the file cannot be written there. Nothing was changed.", err)
	}
	if err := f.Close(); err != nil {
		return err
	}
	// It fills an empty file that is there, and leaves its mode alone.
	if _, err := db.ExecContext(ctx, "VACUUM INTO ?", to); err != nil {
		return errors.Join(err, os.Remove(to))
	}
	return nil
}

func noBackup(msg string, err error) error {
	return &ledger.Error{Code: ledger.Invalid, Field: "file", Msg: msg, Err: err}
}

// soundLedger returns Invalid where db is no ledger of this program or is damaged.
func soundLedger(ctx context.Context, db *sql.DB) error {
	all, err := migrations()
	if err != nil {
		return err
	}
	var version, tables int
	err = db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version)
	if err == nil {
		err = db.QueryRowContext(ctx, `
			SELECT count(*) FROM sqlite_master
			WHERE type = 'table' AND name IN ('claims', 'events', 'rules', 'tokens', 'settings')`).Scan(&tables)
	}
	sound := "ok"
	if err == nil && version > 0 && version <= len(all) && tables == 5 {
		err = db.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&sound)
	}
	switch {
	case err != nil && ctx.Err() == nil && !locked(err):
		return noBackup(noLedgerText, err)
	case err != nil:
		return err
	case version > len(all):
		return noBackup("This file was written by a newer version of this program. Nothing was changed. Take that version.", nil)
	case version == 0 || tables != 5:
		return noBackup("This file is no backup of a ledger. Nothing was changed. A file of dedupe.py is not restored but opened with --db.", nil)
	case sound != "ok":
		return noBackup(noLedgerText, errors.New(sound))
	}
	return nil
}

// exchangeFor is how long Exchange waits until nobody has the file open.
const exchangeFor = 3 * time.Second

// Exchange puts the ledger file at with, which nobody has open, in the place of the one
// at path, and keeps that one as aside. At no moment is there no file at path. The new
// one gets the mode and owner of the old one.
//
// Symbolic links are not followed.
//
// Exchange returns Busy where another program has the file at path open, or a file
// cannot be moved. Then the file at path is the one that was there.
func Exchange(ctx context.Context, path, with, aside string) error {
	if err := exchange(ctx, path, with, aside); err != nil {
		return fmt.Errorf("exchange the ledger file: %w", coded(err))
	}
	return nil
}

func exchange(ctx context.Context, path, with, aside string) error {
	if _, err := os.Lstat(with + "-wal"); err == nil {
		return busy("The new ledger file is still in use. Nothing was changed.", nil)
	}
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return replace(path, with, aside, true)
	}
	if err := likeOld(path, with); err != nil {
		return busy("The new ledger file cannot be given the permissions of the old one. Nothing was changed.", err)
	}
	alone, err := openAlone(ctx, path)
	switch code := primary(err); {
	case code == lib.SQLITE_CORRUPT || code == lib.SQLITE_NOTADB:
		// Nobody works with a file that is so damaged. What belongs to it goes with it.
		if err := keepAside(path, aside); err != nil {
			return err
		}
		return replace(path, with, aside, true)
	case locked(err), ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded):
		// The wait may end between two tries, or in the middle of one.
		return busy("Another program has the ledger file open. Nothing was changed. Stop what uses it, then restore again.", err)
	case err != nil:
		return err
	}
	if runtime.GOOS == "windows" { // where a file that is open is not replaced
		err = alone.Close()
	} else {
		defer func() { _ = alone.Close() }() // nothing was written
	}
	if err == nil {
		err = keepAside(path, aside)
	}
	if err != nil {
		return err
	}
	return replace(path, with, aside, false)
}

// An aloneFile is a ledger file that no other program can read or write.
type aloneFile struct {
	db   *sql.DB
	conn *sql.Conn
}

// openAlone waits until nobody else has the file open and keeps others out. The file is
// left without a write-ahead log. Whoever waits for it meanwhile finds that it was
// moved: without a log, SQLite looks whether the file still is where it was.
func openAlone(ctx context.Context, path string) (_ *aloneFile, err error) {
	ctx, cancel := context.WithTimeout(ctx, exchangeFor)
	defer cancel()
	db, err := sql.Open("sqlite", dsn(path, "exclusive", "busy_timeout(5)")+"&mode=rw")
	if err != nil {
		return nil, err
	}
	a := &aloneFile{db: db}
	defer func() {
		if err != nil {
			_ = a.Close()
		}
	}()
	if a.conn, err = db.Conn(ctx); err != nil {
		return nil, err
	}
	err = patiently(ctx, func() error { return a.take(ctx) })
	return a, err
}

// take is to be tried again where it meets a lock.
func (a *aloneFile) take(ctx context.Context) error {
	for range 10 {
		if _, err := a.conn.ExecContext(ctx, "PRAGMA journal_mode = DELETE"); err != nil {
			return err
		}
		if _, err := a.conn.ExecContext(ctx, "BEGIN EXCLUSIVE"); err != nil {
			return err
		}
		var mode string
		if err := a.conn.QueryRowContext(ctx, "PRAGMA journal_mode").Scan(&mode); err != nil {
			return err
		}
		if mode == "delete" {
			return nil
		}
		// Another program was in between and brought the log back.
		if _, err := a.conn.ExecContext(ctx, "ROLLBACK"); err != nil {
			return err
		}
	}
	return busy("Another program keeps opening the ledger file. Nothing was changed. Stop it, then restore again.", nil)
}

// Close lets others in again.
func (a *aloneFile) Close() error {
	if a.conn != nil {
		_, _ = a.conn.ExecContext(context.Background(), "ROLLBACK") // nothing was written
		return errors.Join(a.conn.Close(), a.db.Close())
	}
	return a.db.Close()
}

// keepAside gives the file at path a second name, so that there is one at path all the
// time. Where the disk knows no second names, it is moved.
func keepAside(path, aside string) error {
	if _, err := os.Lstat(aside); err == nil {
		return busy("There is a file in the place where the old ledger file would be kept. Nothing was changed.", nil)
	}
	err := os.Link(path, aside)
	if err != nil {
		err = os.Rename(path, aside)
	}
	if err != nil {
		return busy("The old ledger file cannot be kept beside the new one. Nothing was changed.", err)
	}
	return nil
}

// moveBeside moves what SQLite keeps beside a file with it.
func moveBeside(path, aside string) error {
	for _, end := range []string{"-wal", "-shm"} {
		err := os.Rename(path+end, aside+end)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return busy("What belongs to the old ledger file cannot be moved. Nothing was restored.", err)
		}
	}
	return nil
}

// replace puts the file at with in the place of the one at path, which is kept as
// aside, with what SQLite keeps beside it where beside is set. Where that fails, all is
// as it was: a file with two names would be granted from by each.
func replace(path, with, aside string, beside bool) error {
	var err error
	if beside {
		err = moveBeside(path, aside)
	}
	if err == nil {
		err = synced(with)
	}
	if err == nil {
		err = putInPlace(with, path)
	}
	if err == nil {
		return syncedFolder(filepath.Dir(path))
	}
	err = errors.Join(err, takeBack(path, aside))
	if beside {
		err = errors.Join(err, moveBeside(aside, path))
	}
	return err
}

// takeBack undoes keepAside.
func takeBack(path, aside string) error {
	kept, err := os.Lstat(aside)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // there was no file
	}
	if err != nil {
		return err
	}
	is, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return os.Rename(aside, path)
	case err != nil || !os.SameFile(kept, is):
		return err
	}
	return os.Remove(aside)
}

// putInPlace moves a file to path, over what is there.
func putInPlace(with, path string) error {
	if err := os.Rename(with, path); err != nil {
		return busy("The new ledger file cannot be put in its place. Nothing was restored.", err)
	}
	return nil
}

// syncedFolder makes a move in the folder outlive a power cut.
func syncedFolder(path string) error {
	if runtime.GOOS == "windows" { // which opens no folders
		return nil
	}
	return synced(path)
}

// synced brings a file or folder to the disk.
func synced(path string) error {
	f, err := os.OpenFile(path, os.O_RDONLY, 0)
	if runtime.GOOS == "windows" {
		f, err = os.OpenFile(path, os.O_RDWR, 0)
	}
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
