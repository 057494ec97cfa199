// Package ledger remembers which keys have been claimed, so that work which is
// asked for twice is done once.
//
// # Life of a key
//
//	absent --claim--> claimed --done--> done
//	                   |  ^
//	           release |  | claim, when due
//	                   v  |
//	                retryable          held (a person has to decide)
//
// An open claim whose lease has run out may be taken over by the next claim, or
// becomes held, as the rule's policy says. A key is stuck when nothing will move
// it on by itself; that is derived from the row and the clock, never written by a
// background job, so the viewer tells the truth although no job ran.
//
// # What it promises
//
// For one rule and key, one claim is granted at a time, whatever the number of
// goroutines and processes asking at once. A granted claim is on disk before
// Claim returns. Where the ledger cannot say, it returns an error and grants
// nothing. It cannot promise that the holder did its work: it promises that
// nobody else was told to.
//
// A person may pause all grants. From when [Ledger.Pause] has returned nothing is
// granted, by no process on the store, until [Ledger.EndPause].
//
// Where the formula of a rule changed because copies got through, a claim whose key has
// no row goes on with the row of the key that a former formula made of the same event,
// and its key means that row from then on: see [ClaimRequest.Former].
//
// The rules of the game are pure functions, in the decide files: a row, a request,
// a policy and a time go in; a new row, an answer and history come out. A [Store]
// only keeps them, and ledgertest is what a store has to pass. One place says some
// of them again: the view seen of package sqlite, by which the seed article's
// script works on the same file without this program. Its triggers repeat the
// grant, the takeover, the release, the pause and when a key is stuck, in SQL. Whoever
// changes one changes both; the tests of that package run the script.
//
// # Units
//
// Times are UTC and cut to whole milliseconds, in memory as in the database. A
// claim is expired when now >= LeaseUntil. Leases last from [MinLease] to
// [MaxLease]. Keys are counted in Unicode code points, results in bytes.
//
// # Time
//
// The time told never goes back: where the machine's clock was set back, time goes on
// from the highest one told until a person accepts the clock. Grants that were live
// when the machine fell asleep or the engine stopped get two minutes, or their lease
// where that is shorter, before anybody may take them over. Where the store is a
// server, its clock rules and none of this is needed.
//
// # Errors
//
// A failure that the caller can act on is an [*Error], told apart by [CodeOf].
// Any other error is a fault of the house and counts as [Internal].
//
// # Concurrency
//
// A [Ledger] may be used by any number of goroutines at once, and several
// processes may use one store at once.
package ledger
