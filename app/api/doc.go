// Package api is the claim endpoint: the HTTP routes that automations and
// scripts call.
//
// # What it promises
//
// A decision is always a claim answer and an error is always problem details,
// whatever the status code. run is true only for a grant that is on disk. A
// member that a route does not know is refused by its name, so that a misspelt
// option is never silently ignored.
//
// # Units
//
// Times are RFC 3339, UTC, with milliseconds. Durations are seconds as a number,
// or text such as 90s, 15m, 35d.
//
// # Errors
//
// One table turns the ledger's codes into statuses; see status.go.
//
// # Concurrency
//
// The handlers may serve any number of requests at once.
package api
