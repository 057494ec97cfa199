// Package flowtest runs flow definitions in tests, so that a generated flow can be
// driven with copies and failures without an account of the platform.
//
// It knows the actions that the exporters generate: HTTP, Compose, Scope, If, Foreach,
// Response and Terminate, with what runs after what. Expressions are worked out by
// package wdl. How results become the result of a scope follows Microsoft's page on
// errors: a scope fails where its last steps failed, or were left out after a failure.
//
// It is for tests alone. A run belongs to one goroutine; many runs may go at once.
package flowtest
