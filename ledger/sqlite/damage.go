package sqlite

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	lib "modernc.org/sqlite/lib"
)

// A damage remembers that the file was found damaged. Pages that still can be read
// prove nothing about the rest: an index that lost its entries would let a finished
// key run again. So nothing is written any more until the program starts anew.
type damage struct{ first atomic.Pointer[error] }

// found returns the Corrupt error that was met first, or nil.
func (d *damage) found() error {
	if err := d.first.Load(); err != nil {
		return *err
	}
	return nil
}

// note returns err as callers are told it, and keeps it if it tells of damage.
func (d *damage) note(err error) error {
	told := coded(err)
	switch primary(err) {
	case lib.SQLITE_CORRUPT, lib.SQLITE_NOTADB:
		d.first.CompareAndSwap(nil, &told)
	}
	return told
}

// Examine reads the whole file and returns Corrupt where it is damaged, after which
// nothing is granted any more. It takes a few seconds for a million keys; calls go on
// meanwhile.
func (s *Store) Examine(ctx context.Context) error {
	if err := s.damage.found(); err != nil {
		return err
	}
	text, err := s.quickCheck(ctx)
	switch {
	case err != nil && ctx.Err() != nil:
		return coded(errors.Join(ctx.Err(), err))
	case err != nil:
		return s.damage.note(err)
	case text != "ok":
		told := corrupt(damagedText, errors.New(text))
		s.damage.first.CompareAndSwap(nil, &told)
		return told
	}
	return nil
}

// quickCheck returns what SQLite finds first, or "ok". It looks at pages alone: a row
// in a state that nobody knows is answered Corrupt by itself and stops no other key.
func (s *Store) quickCheck(ctx context.Context) (text string, err error) {
	conn, err := s.read.Conn(ctx)
	if err != nil {
		return "", err
	}
	defer func() {
		_, undo := conn.ExecContext(context.WithoutCancel(ctx), "PRAGMA ignore_check_constraints = 0")
		err = errors.Join(err, undo, conn.Close())
	}()
	if _, err := conn.ExecContext(ctx, "PRAGMA ignore_check_constraints = 1"); err != nil {
		return "", err
	}
	if err := conn.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&text); err != nil {
		return "", fmt.Errorf("quick check: %w", err)
	}
	return text, nil
}
