// Package cause finds out why an automation ran twice, by questions that a person answers
// from the run history and the sender's log, and by comparing two events.
//
// # What it promises
//
// The tree is data: each answer keeps the causes that it leaves possible. The next question
// is the first that can still tell two of them apart, so every path ends, and *not sure*
// leaves all that is possible. A result that cannot be told says so: it names every cause
// that is left, and what would tell them apart.
//
// # Errors
//
// An answer that there is not is passed over, as if it had not been given.
//
// # Concurrency
//
// Everything here may be used by any number of goroutines at once.
//
// # Sources
//
// Six causes and the five checks are those of the article that this program came from,
// which read them in the vendors' documentation on 31 October 2026; double registration,
// double click, overlapping schedules and two paths to one effect are its sisters'.
package cause
