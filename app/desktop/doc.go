// Package desktop is the native window, a Wails shell that shows the engine's
// pages. It exists in builds with the tag desktop; in all others [Available] is
// false and the program opens a browser instead.
//
// # What it promises
//
// The window owns nothing: each request is handed on to the engine with the
// engine's secret, so closing or killing the window never stops the protection.
// Where the engine is gone, the window says so and offers to start it again.
//
// # Limits of the window
//
// Its web view keeps no cookies, follows no redirects, and on Linux dies of a
// file in a request body. The pages need none of these, and a test holds them to
// it.
//
// # Concurrency
//
// Run must be called from the program's main goroutine and returns when the
// window is closed.
package desktop
