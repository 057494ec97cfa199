// Package launch starts the engine in the background and brings the pages to the
// person: in a browser, or by printing their address.
//
// # What it promises
//
// [Engine] returns an engine that answers, whether it ran already or was started
// now; two starts at once end with one engine, because the engine's own lock
// decides. The started engine outlives the program that started it.
//
// # Errors
//
// An engine that ends at once is reported with what it said last.
//
// # Concurrency
//
// The functions may be called from any goroutine.
package launch
