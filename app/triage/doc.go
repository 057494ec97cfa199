// Package triage carries one decision of a person out on many keys.
//
// # What it promises
//
// A [Selection] is fixed when it is made: the keys that were there then, each with how it
// stood. A [Job] decides on exactly these. A key that changed meanwhile is left alone and
// reported, never overwritten, and a key that came later is not touched.
//
// A job goes on when nobody looks, and a cancelled one leaves the keys that it did not
// reach as they were. Each key is decided on in a transaction of its own, signed with the
// person's name, so claims go on meanwhile. Where the engine stops, what was decided
// stays and the rest is untouched. Selections and jobs live as long as the engine.
//
// # Units
//
// A selection holds 1 to [MaxItems] keys and is forgotten after an hour. The newest
// [Kept] jobs are remembered.
//
// # Errors
//
// What a person can mend is a [ledger.Error]. What went wrong with a key stands in
// [Progress.Left].
//
// # Concurrency
//
// A [Book] and a [Job] may be used by any number of goroutines at once.
package triage
