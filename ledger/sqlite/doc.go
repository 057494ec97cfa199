// Package sqlite keeps a ledger in one SQLite file.
//
// # What it promises
//
// What a write returned nil for is on disk: the file is in WAL mode with
// synchronous FULL. Writers take turns by BEGIN IMMEDIATE, so several processes may
// use one file at once: engine, command line and the seed article's dedupe.py,
// which finds its table seen as a view of the rule default. A file is created with
// mode 0600. The file is never opened but through SQLite.
//
// Nothing is granted from a file that is found damaged, nor while another file, or
// none, is in the place of the one that was opened; that is looked at once a second.
//
// # Units
//
// Times are stored as Unix milliseconds, UTC; lengths of time as milliseconds.
//
// # Errors
//
// SQLite's result codes become [ledger.Busy] where the file is locked, full,
// read-only or cannot be reached, and [ledger.Corrupt] where it is damaged or no
// database. Any other failure is a fault of the house.
//
// # Concurrency
//
// A [Store] may be used by any number of goroutines at once. There is one writer:
// calls that come at once share a transaction and its sync of the disk, each all or
// nothing by itself, and a call that comes alone does not wait for company. Others
// read meanwhile. A write waits up to ten seconds for its turn.
package sqlite
