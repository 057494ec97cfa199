package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	sqlite "modernc.org/sqlite"

	"dedupedesk/ledger"
)

const (
	// waitFor is how long a write, or the opening of a file, waits for its turn.
	waitFor = 10 * time.Second
	readers = 4
)

// A Store is a ledger's store in one SQLite file. It is safe for concurrent use.
type Store struct {
	path   string
	read   *sql.DB
	writer *writer
	damage damage
	place  *place
	closed func() error // closes once and tells every caller the same
}

// Open opens the file at path, creates it with mode 0600 where there is none, and
// brings it to this program's schema. A file that the seed article's dedupe.py made
// is taken over in place, after a copy of it was written beside it with .bak at the
// end of its name. Any number of processes may open one file at once.
//
// Open returns Busy where the file is locked for ten seconds, read-only, also if a
// file that SQLite keeps beside it is, cannot be created, is replaced meanwhile, has a
// second name (a hard link) or was written by a newer program, Corrupt where it is damaged or no
// database, and Invalid where it is the database of another program.
func Open(path string) (*Store, error) {
	s, err := open(path)
	if err != nil {
		return nil, fmt.Errorf("open ledger: %w", coded(err))
	}
	return s, nil
}

func open(path string) (*Store, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	if err := create(abs); err != nil {
		return nil, err
	}
	if err := mayWrite(abs); err != nil {
		return nil, err
	}
	before, err := os.Stat(abs)
	if err != nil {
		return nil, moved(err)
	}
	if err := oneName(abs, before); err != nil {
		return nil, err
	}
	all, err := migrations()
	if err != nil {
		return nil, err
	}
	s := &Store{path: abs}
	conn, err := prepare(abs)
	if err != nil {
		return nil, err
	}
	s.place = newPlace(abs)
	if s.place.opened[0] == nil || !os.SameFile(before, s.place.opened[0]) {
		return nil, errors.Join(moved(nil), conn.Close())
	}
	if s.read, err = sql.Open("sqlite", readDSN(abs)); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	s.read.SetMaxOpenConns(readers)
	s.read.SetMaxIdleConns(readers)
	s.writer = newWriter(newSession(conn), len(all), s.fit, s.damage.note)
	s.closed = sync.OnceValue(func() error {
		return errors.Join(s.read.Close(), s.writer.close())
	})
	return s, nil
}

// create makes an empty file that only its owner can read. SQLite gives the -wal
// and -shm files the mode of the file. An existing file is left alone: to open and
// close it here would drop the locks that this process holds on it.
func create(path string) error {
	if _, err := os.Lstat(path); err == nil {
		return nil
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	switch {
	case errors.Is(err, fs.ErrExist):
		return nil // another process was faster
	case err != nil:
		return busy("The ledger file cannot be created. Check that its folder exists and can be written to.", err)
	}
	return f.Close()
}

// fit returns why nothing may be written now.
func (s *Store) fit() error { return cmp.Or(s.damage.found(), s.place.check()) }

// prepare brings the file to the schema and returns the connection that writes. First
// starts of several processes get in each other's way where SQLite's own waiting does
// not help, so all of it is tried again.
func prepare(path string) (conn driver.Conn, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), waitFor)
	defer cancel()
	// As SQLite is built for every Linux: a sync leaves out the time of the last write.
	// Where the system knows no such sync, SQLite goes on with the other.
	if _, err := sqlite.Fdatasync(true); err != nil && !errors.Is(err, sqlite.ErrFdatasyncUnavailable) {
		return nil, err
	}
	db, err := sql.Open("sqlite", writeDSN(path))
	if err != nil {
		return nil, err
	}
	defer func() {
		if err = errors.Join(err, db.Close()); err != nil && conn != nil {
			err = errors.Join(err, conn.Close())
		}
	}()
	db.SetMaxOpenConns(1)
	err = patiently(ctx, func() error {
		first, err := db.Conn(ctx)
		if err != nil {
			return err
		}
		err = walEngaged(ctx, first)
		if err == nil {
			err = migrate(ctx, first, path)
		}
		if err = errors.Join(err, first.Close()); err == nil {
			// Before db is closed: the last connection to go takes the log with it.
			conn, err = db.Driver().Open(writeDSN(path))
		}
		return err
	})
	return conn, err
}

// patiently runs f until it no longer meets a lock.
func patiently(ctx context.Context, f func() error) error {
	for {
		err := f()
		if !locked(err) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(pause()):
		}
	}
}

// walEngaged checks that the file really is in WAL mode: on some network shares
// SQLite stays in another mode and says so only here.
func walEngaged(ctx context.Context, conn *sql.Conn) error {
	var mode string
	if err := conn.QueryRowContext(ctx, "PRAGMA journal_mode").Scan(&mode); err != nil {
		return err
	}
	if mode != "wal" {
		return busy("The ledger file cannot be used by several programs where it lies. Move it to a local disk.",
			fmt.Errorf("journal mode is %q", mode))
	}
	return nil
}

// Close waits for running calls and closes the file. Calls that come later are Busy.
func (s *Store) Close() error { return s.closed() }

// writeDSN spells out what the driver sets on every connection, since a PRAGMA sent
// through the pool reaches only one of them. The busy time-out comes first: what
// follows may have to wait. It is short because the writer tries again by itself, in
// short pauses of uneven length: SQLite's own waiting grows to 100 ms a step, which
// one looping program starves.
func writeDSN(path string) string {
	return dsn(path, "immediate",
		"busy_timeout(5)",
		"journal_mode(WAL)",
		"synchronous(FULL)", // a granted claim outlives a power cut
		"foreign_keys(1)",
		"cache_size(-16000)", // 16 MB: keys come in no order
		// In pages. A page that many claims write is brought to the file once for all of
		// them; a longer log makes a longer stop.
		"wal_autocheckpoint(2000)",
		"journal_size_limit(67108864)", // what a backup let the log grow to is given back
	)
}

func readDSN(path string) string {
	return dsn(path, "deferred", "busy_timeout(5000)", "foreign_keys(1)", "query_only(1)")
}

func dsn(path, lock string, pragmas ...string) string {
	q := url.Values{"_pragma": pragmas, "_txlock": {lock}}
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // C:/… is file:///C:/…
	}
	return "file://" + (&url.URL{Path: slashed}).EscapedPath() + "?" + q.Encode()
}

var _ ledger.Store = (*Store)(nil)
