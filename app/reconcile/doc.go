// Package reconcile compares what a destination holds with the keys of a rule.
//
// # What it finds
//
// Rows whose key is not finished here: the work was done past this program, or its end
// was never reported. Finished keys without a row: the work is missing, or the file does
// not reach as far. Keys with several rows: the doubles.
//
// # What it promises
//
// It changes nothing. A row's key is made as the rule's own formula makes it, never by
// joining texts here. A row without a key is told with its place and reason. Memory
// grows with the rows of the file and with the finished keys that have none in the time
// asked for, not with the other keys of the ledger.
//
// # Errors
//
// What a person can mend is a [*deliveries.Fault]. Other errors are the ledger's.
//
// # Concurrency
//
// A [Rows] may be read by any number of goroutines once it is made.
package reconcile
