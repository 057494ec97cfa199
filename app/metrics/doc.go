// Package metrics tells Prometheus what an engine does: calls, decisions, keys, and
// whether the ledger can be written to.
//
// # What it promises
//
// No figure carries a key, an event, an owner or a password. The number of series is
// bounded: routes are those of the table, and rules beyond the first [MaxRules] are
// counted together as [OtherRules]. A name is added, never changed.
//
// Counters begin at 0 with the engine, except copies stopped, which the ledger keeps
// for all time. Where the ledger cannot be read, the figures that come from it are
// missing, and dedupe_ledger_up is 0.
//
// # Units
//
// Seconds, and names that end in their unit, as Prometheus asks for.
//
// # Errors
//
// There are none: what cannot be told is missing.
//
// # Concurrency
//
// All of it may be used by any number of goroutines at once.
package metrics
