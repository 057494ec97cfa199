package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"

	"dedupedesk/ledger"
)

// A turn is one call's part of a transaction.
type turn struct {
	w      *writer
	over   bool  // f has returned
	wrote  bool  // f may have written
	failed error // what SQLite refused; it may have ended the transaction
	loaded ledger.Row
}

// errOver is what a call gets that keeps its Tx and uses it later.
var errOver = errors.New("a transaction was used after its end")

// mayGoOn returns why nothing can be asked of SQLite any more in this turn. After a
// full disk or a damaged page SQLite has rolled back by itself: what came next would
// not be part of the transaction.
func (t *turn) mayGoOn() error {
	if t.over {
		return errOver
	}
	return t.failed
}

func (t *turn) note(err error) error {
	if err != nil && t.failed == nil {
		t.failed = err
	}
	return err
}

func (t *turn) query(_ context.Context, query string, args ...any) (rows, error) {
	if err := t.mayGoOn(); err != nil {
		return nil, err
	}
	c, err := t.w.session.query(query, args...)
	if err != nil {
		return nil, t.note(err)
	}
	return noted{c, t}, nil
}

func (t *turn) exec(query string, args ...any) (driver.Result, error) {
	if err := t.mayGoOn(); err != nil {
		return nil, err
	}
	t.wrote = true
	res, err := t.w.session.exec(query, args...)
	return res, t.note(err)
}

// noted tells the turn of an error that the walk over a result meets.
type noted struct {
	*cursor
	t *turn
}

func (n noted) Next() bool {
	more := n.cursor.Next()
	n.t.note(n.cursor.Err())
	return more
}

func (n noted) Close() error { return n.t.note(n.cursor.Close()) }

// A tx writes by a turn.
type tx struct {
	reading
	*turn
}

func newTx(t *turn) tx { return tx{reading{t}, t} }

// changed runs a statement and reports whether it changed a row.
func (t tx) changed(query string, args ...any) (bool, error) {
	res, err := t.exec(query, args...)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n > 0, err
}
