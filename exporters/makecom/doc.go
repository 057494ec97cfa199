// Package makecom makes checklists and importable blueprints for Make. (The
// name make is a builtin of Go.)
//
// # What it promises
//
// There are three ways: a scenario that asks this program for the key, one that
// reserves the key in a data store of Make, and the scenario settings alone. A
// blueprint is built from types and passes [Validate], which applies the structural
// rules that Make's own public checker and documents give, to blueprints of other
// people too.
//
// On the way by this program every value travels as a field of a form: Make encodes
// each one by itself, so quotes and line breaks in an event cannot break the call. (A
// JSON body is typed as text in Make, with the values pasted between quotes, and
// breaks on the first quote in a value.) The server makes the key from the parts,
// which are named part.1, part.2 and so on; Make never joins them. A run works only
// where the answer says claimed, and only the ledger's own words end an event as a
// copy; an error page of a tunnel ends none.
//
// On the way by a data store Make writes the key itself. What its functions cannot do
// as the rule does blocks the file in words, or is said beside it. A part that is
// empty leaves a record behind and does no work. A failure that is not told as a
// duplicate stops the run.
//
// # What it can not promise
//
// No blueprint was imported into a Make account by us; the tests run them on a small
// model of what Make's documents say. Not confirmed, and said in the steps: that the
// form fields of the HTTP module (contentType urlEncoded, urlEncodedBodyContent), seen
// in three public scenarios on 2026-11-30, are all it takes; which error a data store
// gives for a key that is there; that two additions in the same instant are told
// apart; that the whole text of an event is called value; that a resumed run keeps
// its id.
//
// # Units, errors, concurrency
//
// As package exporters has them. Lengths of time are durations; Make's own
// settings count minutes and seconds, and say so where they stand.
package makecom
