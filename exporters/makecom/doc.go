// Package makecom makes checklists and importable blueprints for Make. (The
// name make is a builtin of Go.)
//
// # What it promises
//
// A blueprint is built from types and passes [Validate], which applies the
// structural rules that Make's own public checker and documents give. It is
// exported for blueprints of other people, which a later page will check.
//
// Every value travels as a field of a form: Make encodes each one by itself, so
// quotes and line breaks in an event cannot break the call. (A JSON body is typed
// as text in Make, with the values pasted between quotes, and breaks on the first
// quote in a value.) The server makes the key from the parts, which are named
// part.1, part.2 and so on; Make never joins them.
//
// # What it can not promise
//
// No blueprint was imported into a Make account by us. The form fields of the
// HTTP module (contentType urlEncoded, urlEncodedBodyContent) were seen in three
// public scenarios on 2026-11-30 and in no page of Make.
//
// # Units, errors, concurrency
//
// As package exporters has them. Lengths of time are durations; Make's own
// settings count minutes and seconds, and say so where they stand.
package makecom
