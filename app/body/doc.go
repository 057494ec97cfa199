// Package body holds the JSON bodies of the HTTP API: flat objects, the same
// whether the endpoint writes them, the command line prints them with --json, or
// the command line reads them from a remote engine.
//
// # What it promises
//
// Of makes a body of the ledger's value, and the body's own method makes the
// value again, without loss but for sub-millisecond time. The token of a grant
// is in the answer to its claim alone.
//
// # Units
//
// Times are RFC 3339, UTC, with milliseconds, "" for none. Durations are seconds.
//
// # Concurrency
//
// Bodies are values.
package body

import "time"

// Stamp returns t as the API writes it, "" for no time.
func Stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02T15:04:05.000Z")
}

// Moment reads what [Stamp] wrote. What is no time is the zero time.
func Moment(s string) time.Time {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return time.Time{}
	}
	return t.UTC()
}
