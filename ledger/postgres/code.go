package postgres

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"dedupedesk/ledger"
)

// The SQLSTATE codes that are acted on, see
// https://www.postgresql.org/docs/current/errcodes-appendix.html (read 2026-11-30).
const (
	serializationFailure = "40001"
	deadlockDetected     = "40P01"
	completionUnknown    = "40003"
	resolutionUnknown    = "08007"
	uniqueViolation      = "23505"
	notNullViolation     = "23502"
	duplicateTable       = "42P07"
	duplicateSchema      = "42P06"
	duplicateObject      = "42710"
	concurrentUpdate     = "XX000" // of the server's own tables; it has no code of its own
	undefinedTable       = "42P01"
	undefinedColumn      = "42703"
	insufficientRights   = "42501"
	readOnlyTransaction  = "25006"
	idleInTransaction    = "25P03"
	diskFull             = "53100"
	outOfMemory          = "53200"
	tooManyConnections   = "53300"
	lockNotAvailable     = "55P03"
	queryCanceled        = "57014"
	adminShutdown        = "57P01"
	crashShutdown        = "57P02"
	cannotConnectNow     = "57P03"
	databaseDropped      = "57P04"
	ioError              = "58030"
	undefinedFile        = "58P01"
	dataCorrupted        = "XX001"
	indexCorrupted       = "XX002"
	wrongPassword        = "28P01"
	wrongAuthorization   = "28000"
	wrongParameter       = "22023"
	noSuchParameter      = "42704"
	noSuchDatabase       = "3D000"
)

// state returns the SQLSTATE of err, "" where err is not the server's.
func state(err error) string {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		return e.Code
	}
	return ""
}

// severe reports whether the server ended the connection with err.
func severe(err error) bool {
	e, ok := errors.AsType[*pgconn.PgError](err)
	return ok && e.SeverityUnlocalized != "ERROR" && e.Severity != "ERROR"
}

// conflict reports whether another transaction was in the way, so that the same one
// may go through when it is tried again. Nothing of it was kept.
func conflict(err error) bool {
	switch state(err) {
	case serializationFailure, deadlockDetected, uniqueViolation, lockNotAvailable:
		return true
	case notNullViolation:
		return guarded(err)
	}
	return false
}

// guarded reports whether a statement failed because what it was decided by had
// changed: it sets a column that must not be NULL to NULL then.
func guarded(err error) bool {
	e, ok := errors.AsType[*pgconn.PgError](err)
	return ok && e.Code == notNullViolation && (e.ColumnName == "edition" || e.ColumnName == "version")
}

// lost reports whether the connection is gone, or is one to a server that cannot write.
func lost(err error) bool {
	if err == nil {
		return false
	}
	switch code := state(err); code {
	case "":
	case adminShutdown, crashShutdown, cannotConnectNow, databaseDropped, readOnlyTransaction, idleInTransaction:
		return true
	default:
		return strings.HasPrefix(code, "08") || severe(err)
	}
	_, network := errors.AsType[net.Error](err)
	return network || errors.Is(err, pgconn.ErrConnClosed) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed)
}

// coded gives err the code and the sentence that callers act on. An error that has one
// keeps it; a fault of the house stays as it is.
func coded(err error) error {
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*ledger.Error](err); ok {
		return err
	}
	if code := state(err); code != "" {
		if msg, ok := sentences[code]; ok {
			return busy(msg, err)
		}
		switch {
		case conflict(err):
			return busy(sentences[serializationFailure], err)
		case code == dataCorrupted || code == indexCorrupted:
			return &ledger.Error{Code: ledger.Corrupt, Msg: damagedText, Err: err}
		case severe(err) || strings.HasPrefix(code, "08"):
			return busy(unreachable, err)
		case strings.HasPrefix(code, "53"):
			return busy("The database has no room left to work. Nothing was granted. Try again in a moment.", err)
		}
		return err
	}
	switch {
	case isConnecting(err):
		return busy(unreachable, err)
	case errors.Is(err, context.Canceled):
		return busy(givenUp, err)
	case errors.Is(err, context.DeadlineExceeded):
		return busy(sentences[queryCanceled], err)
	case lost(err):
		return busy(unreachable, err)
	}
	return err
}

// told is coded for a call whose caller may have gone.
func told(ctx context.Context, err error) error {
	if cause := ctx.Err(); err != nil && cause != nil {
		if _, ok := errors.AsType[*ledger.Error](err); !ok {
			return busy(givenUp, errors.Join(cause, err))
		}
	}
	return coded(err)
}

const (
	givenUp          = "The call was given up before the ledger could answer. Try again."
	damagedText      = "The database reports that it is damaged. Nothing was granted. Stop all engines and restore a backup."
	refusedParameter = "The database refuses a parameter of the address, which stands behind its question mark. Nothing was granted."

	unreachable = "The database cannot be reached. Nothing was granted. Check that its server runs and that the network is up."
	unknown     = "The connection to the database was lost before it confirmed, so it is not known whether this was written. " +
		"Do not do the work. Ask again with the same owner to find out."
)

// sentences says what to look at, by SQLSTATE.
var sentences = map[string]string{
	serializationFailure: "Too many calls for the same event keys at once. Nothing was granted. Try again in a moment.",
	deadlockDetected:     "Too many calls for the same event keys at once. Nothing was granted. Try again in a moment.",
	uniqueViolation:      "Too many calls for the same event keys at once. Nothing was granted. Try again in a moment.",
	readOnlyTransaction:  "The database is read-only. Nothing was granted. Check that the address names the primary server.",
	insufficientRights:   "The database refuses: its user lacks rights. Nothing was granted. The user needs CREATE on the database for the first start, and must own the tables.",
	diskFull:             "The disk of the database server is full. Nothing was granted. Free some space.",
	outOfMemory:          "The database server is out of memory. Nothing was granted. Try again in a moment.",
	tooManyConnections:   "The database server takes no more connections. Nothing was granted. Raise its max_connections, or lower pool_max_conns in the address.",
	lockNotAvailable:     "The event key is locked in the database by another program. Nothing was granted. Try again in a moment.",
	queryCanceled:        "The database took too long to answer. Nothing was granted. Try again in a moment.",
	idleInTransaction:    "The database took too long to answer. Nothing was granted. Try again in a moment.",
	adminShutdown:        "The database server is stopping. Nothing was granted. Try again when it is back.",
	crashShutdown:        "The database server has crashed and starts again. Nothing was granted. Try again in a moment.",
	cannotConnectNow:     "The database server is starting or stopping. Nothing was granted. Try again in a moment.",
	databaseDropped:      "The database was removed. Nothing was granted.",
	ioError:              "The disk of the database server reported an error. Nothing was granted.",
	undefinedFile:        "The database server misses one of its files. Nothing was granted. Look at its log.",
	wrongPassword:        "The database refuses the user or the password of the address. Nothing was granted.",
	wrongAuthorization:   "The database refuses the user of the address. Nothing was granted. Look at its pg_hba.conf.",
	wrongParameter:       refusedParameter,
	noSuchParameter:      refusedParameter,
	noSuchDatabase:       "There is no database of that name on the server. Nothing was granted. Make it, or check the address.",
	undefinedTable:       "The tables of the ledger are gone from the database. Nothing was granted. Check the address, or restore a backup.",
}

func busy(msg string, err error) error {
	return &ledger.Error{Code: ledger.Busy, Msg: msg, Err: err}
}
