// Package dataverse makes checklists for Dataverse: an alternate key of a table, so that
// the table itself refuses a second row for the same event, or a table of event keys that
// guards any work.
//
// # What it promises
//
// The rule's key is written so that Dataverse can look it up: its separator is a bar and
// not a colon, and no character that breaks such a look-up is left in it. Two different
// keys of the rule stay different. The keys of the person's samples are checked against
// the column before anything is offered for copying.
//
// # What it can not promise
//
// Nobody here could try anything in a live environment; each step says so. Sources
// disagree whether an alternate key tells capitals apart, so keys that differ in capitals
// alone are not offered.
//
// # Units
//
// Lengths are counted in UTF-16 units, of which an alternate key holds 450.
//
// # Errors, concurrency
//
// As package exporters has them.
package dataverse
