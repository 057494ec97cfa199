// Package zapier makes checklists for Zapier. Zapier has no supported way to make a
// Zap from a file, so everything is steps with values to paste.
//
// # What it promises
//
// Values go to this program as rows of a form, which Zapier encodes by itself, so
// quotes and line breaks in an event cannot break a call. The server makes the key,
// from the parts (part.1, part.2 and so on) or, where Zapier cannot pick them exactly,
// from the event as it was written. Code to paste is Python that carries names and
// literals as quoted text; the tests run it. Only a status of exactly claimed lets a
// run go on to its work.
//
// A run cannot hand a failure back: Zapier answers the sender before it works. So
// nobody is told that the sender tries again.
//
// # What it can not promise
//
// Nothing was tried in a Zapier account. Labels are those of the vendor's help pages.
//
// # Units, errors, concurrency
//
// As package exporters has them.
package zapier
