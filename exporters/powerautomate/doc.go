// Package powerautomate makes checklists for Power Automate: a trigger condition
// that keeps a flow from starting itself, and a rule's event key written in the
// platform's own expression language.
//
// # What it promises
//
// Each expression is made by code and then worked out by package wdl, on the
// person's samples and on events made for the purpose. One that gives the wrong
// answer, or another key than the rule, is blocked and not offered for copying.
//
// # What it can not promise
//
// Nobody here could try anything in the live service; each step says so.
//
// # Units, errors, concurrency
//
// As package exporters has them.
package powerautomate
