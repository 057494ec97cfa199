// Package admin is the pages' handlers: they ask the ledger, the rules and the
// exporters, turn what they get into views, and let frontend/page draw them.
//
// # What it promises
//
// A page never shows a password that was made earlier, nor the token of a grant.
// A change is a POST, answered by the part of the page that changed. There are
// no redirects, no cookies but the session's, and no files in bodies, so that
// the native window and a browser are served alike.
//
// # Errors
//
// Bad input is answered 422 with the form and a sentence at the field; what the
// house could not do is a notice with what it means for the automations.
//
// # Concurrency
//
// The handlers may serve any number of requests at once.
package admin
