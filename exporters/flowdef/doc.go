// Package flowdef writes and checks flow definitions, the JSON in which Power
// Automate and Logic Apps keep a flow: a trigger, and actions that run after one
// another.
//
// # What it promises
//
// A definition is built from types. Text of people is written by [Text], so that
// the platform reads exactly that text and never an expression. [Validate] says of
// any definition, also of one that was made elsewhere, what the platform would
// refuse and what would run twice, in words and with the place.
//
// # What it can not promise
//
// Shapes follow Microsoft's schema reference for triggers and actions and public
// exports, as read on 2026-10-31 and 2026-12-01. No definition was imported by us.
//
// # Units
//
// Times are written in ISO 8601: PT10S is ten seconds.
//
// # Errors
//
// What Validate finds is a result and not an error.
//
// # Concurrency
//
// Everything here is a value or a pure function.
package flowdef
