// Package postgres keeps a ledger in a PostgreSQL database, for engines on several
// servers.
//
// # What it promises
//
// What a write returned nil for was committed, and on the server's disk unless the
// server itself is set not to sync. A write is one READ COMMITTED transaction. It
// locks the row that it loads, and its last statement fails if a rule that it read was
// changed meanwhile: so two engines on one database never both grant a key, nor grant
// under two formulas. Conflicts that the server reports are tried again.
//
// A commit whose answer was lost is an error, never a grant. A write that was not
// committed because the connection was lost is tried again on another one.
//
// Everything is in one schema of the database, dedupe, or the first one of search_path
// where the address names that. Nothing but tables and indexes is used, and nothing
// that PostgreSQL does not share with CockroachDB and YugabyteDB.
//
// # Units
//
// Times are stored as Unix milliseconds, UTC; lengths of time as milliseconds. Keys
// are stored as bytes of UTF-8. The server's clock tells the time.
//
// # Errors
//
// Whatever keeps the database from answering is [ledger.Busy] with a sentence that
// says what to look at: it cannot be reached, stops, starts, is full, is read-only,
// refuses the password, or has no connection left. Damage that the server reports is
// [ledger.Corrupt]. Any other failure is a fault of the house. No error holds the
// password of the address.
//
// # Concurrency
//
// A [Store] may be used by any number of goroutines at once. They share [MaxConns]
// connections, and a call waits up to ten seconds for one and for the database.
package postgres
