package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"dedupedesk/app/cli"
	"dedupedesk/app/datafolder"
	"dedupedesk/ledger"
	"dedupedesk/ledger/sqlite"
)

// restore puts what the backup at file holds in the place of the key file of t, and
// keeps that one beside it.
func restore(ctx context.Context, t cli.Target, file string) (done cli.Restored, err error) {
	if t.DatabaseURL != "" {
		return done, &ledger.Error{Code: ledger.Invalid, Field: "database_url",
			Msg: "A database is restored by the tools of PostgreSQL, such as pg_restore, while no engine runs on it."}
	}
	path := t.DB
	if path == "" {
		folder, err := datafolder.Open(t.Data)
		if err != nil {
			return done, err
		}
		if err := inFile(folder); err != nil {
			return done, err
		}
		lock, err := folder.Lock(ctx)
		if errors.Is(err, datafolder.ErrRunning) {
			return done, &ledger.Error{Code: ledger.Busy, Err: err,
				Msg: "An engine runs on this data folder. Nothing was changed. Stop it with " + command(folder, "stop") + ", then restore again."}
		}
		if err != nil {
			return done, err
		}
		defer func() { err = errors.Join(err, lock.Unlock()) }()
		path = folder.Ledger()
	}
	if path, err = filepath.Abs(path); err != nil {
		return done, err
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	if same(path, file) {
		return done, &ledger.Error{Code: ledger.Invalid, Field: "file", Msg: "This is the key file itself. Nothing was changed. Name a backup of it."}
	}
	return exchange(ctx, path, file)
}

func same(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

// exchange makes the new key file beside the old one and lets them change places.
func exchange(ctx context.Context, path, file string) (done cli.Restored, err error) {
	fresh := fmt.Sprintf("%s.restoring-%d", path, os.Getpid())
	defer func() {
		for _, end := range []string{"", "-wal", "-shm"} {
			if gone := os.Remove(fresh + end); gone != nil && !errors.Is(gone, fs.ErrNotExist) {
				err = errors.Join(err, gone)
			}
		}
	}()
	if err := sqlite.Copy(ctx, file, fresh); err != nil {
		return done, err
	}
	if done, err = marked(ctx, fresh, file); err != nil {
		return done, err
	}
	done.Path = path
	if _, err := os.Lstat(path); err == nil {
		done.Aside = path + ".before-restore-" + time.Now().UTC().Format("20060102T150405Z")
	}
	// Where there is no old file, what is left of one is still set aside.
	aside := orDefault(done.Aside, path+".before-restore")
	return done, sqlite.Exchange(ctx, path, fresh, aside)
}

// marked brings the new key file to this program's schema, reads all of it and writes
// into it that it was restored.
func marked(ctx context.Context, fresh, file string) (done cli.Restored, err error) {
	info, err := os.Stat(file)
	if err != nil {
		return done, err
	}
	store, err := sqlite.Open(fresh)
	if err != nil {
		return done, err
	}
	c, _ := clock()
	l := ledger.New(store, c, rand.Reader)
	defer func() { err = errors.Join(err, l.Close()) }()
	if err := l.Examine(ctx); err != nil {
		return done, err
	}
	counts, err := l.Counts(ctx)
	if err != nil {
		return done, err
	}
	done.Keys = counts.Total
	done.Since, err = l.MarkRestored(ctx, madeAt(info.ModTime(), counts.LastCallAt))
	return done, err
}

// madeAt returns when a file was made that does not tell: a plain copy is given the
// time of copying, and may lack the write-ahead log, in which the newest keys were. So
// nothing is certain after the last call that it knows. Without any call it is not
// known, which is the zero time.
func madeAt(written, lastCall time.Time) time.Time {
	if lastCall.Before(written) {
		return lastCall
	}
	return written
}
