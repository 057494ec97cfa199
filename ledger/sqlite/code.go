package sqlite

import (
	"context"
	"errors"

	driver "modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"dedupedesk/ledger"
)

// primary returns SQLite's primary result code of err, or 0 where err is not
// SQLite's. The low byte of an extended code is the primary one, see
// https://sqlite.org/rescode.html (read 2026-11-30).
func primary(err error) int {
	if e, ok := errors.AsType[*driver.Error](err); ok {
		return e.Code() & 0xff
	}
	return 0
}

// locked reports whether another writer is in the way, so that waiting helps.
func locked(err error) bool {
	switch primary(err) {
	case lib.SQLITE_BUSY, lib.SQLITE_LOCKED, lib.SQLITE_PROTOCOL:
		return true
	}
	return false
}

// coded gives err the code and the sentence that callers act on. An error that has
// one keeps it; a fault of the house stays as it is.
func coded(err error) error {
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*ledger.Error](err); ok {
		return err
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return busy("The call was given up before the ledger could answer. Try again.", err)
	}
	switch primary(err) {
	case lib.SQLITE_BUSY, lib.SQLITE_LOCKED, lib.SQLITE_PROTOCOL:
		return busy("The ledger file is locked by another program. Nothing was granted. Try again in a moment.", err)
	case lib.SQLITE_FULL:
		return busy("The disk is full, so the ledger cannot write. Nothing was granted. Free some space.", err)
	case lib.SQLITE_READONLY, lib.SQLITE_PERM, lib.SQLITE_AUTH:
		return busy("The ledger file is read-only. Nothing was granted. Check its permissions.", err)
	case lib.SQLITE_CANTOPEN:
		return busy("The ledger file cannot be opened. Nothing was granted. Check that its folder exists and can be written to.", err)
	case lib.SQLITE_IOERR:
		return busy("The disk reported an error, so the ledger cannot write. Nothing was granted.", err)
	case lib.SQLITE_INTERRUPT:
		return busy("The call was given up before the ledger could answer. Try again.", err)
	case lib.SQLITE_CORRUPT:
		return corrupt(damagedText, err)
	case lib.SQLITE_NOTADB:
		return corrupt("The ledger file is not a database. Nothing was granted. Check which file was chosen.", err)
	}
	return err
}

const damagedText = "The ledger file is damaged. Nothing was granted. Stop the program and restore a backup."

func busy(msg string, err error) error {
	return &ledger.Error{Code: ledger.Busy, Msg: msg, Err: err}
}

func corrupt(msg string, err error) error {
	return &ledger.Error{Code: ledger.Corrupt, Msg: msg, Err: err}
}
