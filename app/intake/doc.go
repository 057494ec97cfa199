// Package intake is the one place where rules and the ledger meet: a rule turns
// what came in into event keys, and the ledger says who may do the work.
//
// # What it promises
//
// An event that gives no key reaches no ledger and grants nothing. A key is
// claimed under the version of the rule that built it: where the rule changed in
// between, the key is built again. The keys that former formulas made of the event are
// handed on with it, for as long as the ledger looks for them: a formula that fails on the
// event made none, and where what fails is not of the event, nothing is claimed.
//
// # Errors
//
// What a caller can act on is a [*ledger.Error] with a code, the field at fault
// and a sentence. Any other error is a fault of the house.
//
// # Concurrency
//
// An [Intake] may be used by any number of goroutines at once. What another
// process changes in a rule holds here within a second.
package intake
