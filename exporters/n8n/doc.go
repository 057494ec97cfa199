// Package n8n makes checklists and importable workflows for n8n.
//
// # What it promises
//
// A workflow is built from types and passes [Validate], which applies the rules that
// n8n's own import and editor have, and finds in workflows of other people what lets
// a copy through. It holds no password and no id of an account, is switched off, and is
// the same for the same rule whenever it is made.
//
// The event key is made by this program: the workflow sends the fields that the rule
// reads, or the whole event where the rule does more with them. Each item is reserved
// under an owner of its own, which is made once in a node before the call, so that a
// repeated call gets the same answer and two items never share one.
//
// Only the status claimed leads to the work. A status that is not known, a page
// instead of an answer, and no answer at all end the run with an error, so that nobody
// takes them for a copy.
//
// # What it cannot promise
//
// n8n reads numbers as JavaScript does: whole ones beyond 2^53 lose digits before the
// workflow sees them. A sample with one blocks the file. A node of the person's own that
// breaks n8n's pairing of items cannot be reported behind; n8n says so in an error.
//
// # Units, errors, concurrency
//
// As package exporters has them. n8n counts waits in milliseconds; such fields say so.
package n8n
