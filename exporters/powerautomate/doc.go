// Package powerautomate makes checklists for Power Automate: steps that reserve an
// event's key at this program and report the work, trigger conditions that decide which
// events start a flow, and a rule's event key written in the platform's own expression
// language.
//
// A condition is made from a [Trigger], a [Recipe] and a field, which [Detect] finds in
// what a person pastes. [Pick.Try] writes the line and works it out on the person's event
// and on made ones: an own change, a null, a missing field, another case, a list, text
// where an object should be.
//
// # What it promises
//
// Each expression is made by code and then worked out by package wdl, on the
// person's samples and on events made for the purpose. One that gives the wrong
// answer, or another key than the rule, is blocked and not offered for copying.
//
// The steps around the work are built from types by package flowdef and pass its
// validator. They go on only where the answer says claimed, in that spelling, or where
// the rule wants them to run although nobody could be asked. The same run asks again
// under the same owner, so a call that the platform repeats gets the same answer. What
// is pasted holds no password and never the token of a claim.
//
// # What it can not promise
//
// Nobody here could try anything in the live service; each step says so.
//
// # Units, errors, concurrency
//
// As package exporters has them.
package powerautomate
