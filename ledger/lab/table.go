package lab

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// A table is the destination of one method: a file of its own.
type table struct{ db *sql.DB }

// errRefused is what a unique column says to the second of an event.
var errRefused = errors.New("the event is there")

func openTable(ctx context.Context, dir, name string, unique bool) (*table, error) {
	// What happens to the file when the power goes is of no interest here.
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, name+".db")+"?_pragma=journal_mode(WAL)&_pragma=synchronous(OFF)&_pragma=busy_timeout(10000)&_txlock=immediate")
	if err != nil {
		return nil, err
	}
	made := "CREATE TABLE rows (event TEXT NOT NULL, run TEXT NOT NULL); CREATE INDEX rows_event ON rows (event); CREATE TABLE marks (event TEXT NOT NULL UNIQUE);"
	if unique {
		made = "CREATE TABLE rows (event TEXT NOT NULL UNIQUE, run TEXT NOT NULL);"
	}
	if _, err := db.ExecContext(ctx, made); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return &table{db}, nil
}

func (t *table) close() error { return t.db.Close() }

// has looks whether an event has a row.
func (t *table) has(ctx context.Context, d delivery) (bool, error) {
	var n int
	err := t.db.QueryRowContext(ctx, "SELECT count(*) FROM rows WHERE event = ?", d.key()).Scan(&n)
	return n > 0, err
}

// mark marks an event. It returns errRefused where it is marked.
func (t *table) mark(ctx context.Context, d delivery) error {
	_, err := t.db.ExecContext(ctx, "INSERT INTO marks (event) VALUES (?)", d.key())
	return refusal(err)
}

// write adds a row. It returns errRefused where the table takes one row an event.
func (t *table) write(ctx context.Context, d delivery) error {
	_, err := t.db.ExecContext(ctx, "INSERT INTO rows (event, run) VALUES (?, ?)", d.key(), d.run())
	return refusal(err)
}

func refusal(err error) error {
	if fault, ok := errors.AsType[*sqlite.Error](err); ok && fault.Code() == sqlite3.SQLITE_CONSTRAINT_UNIQUE {
		return errRefused
	}
	return err
}

// count returns the rows beyond the first of each event, and the events that have one.
func (t *table) count(ctx context.Context) (extra, events int, err error) {
	err = t.db.QueryRowContext(ctx, "SELECT count(*) - count(DISTINCT event), count(DISTINCT event) FROM rows").Scan(&extra, &events)
	return extra, events, err
}
