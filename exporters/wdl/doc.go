// Package wdl reads and works out expressions of the workflow definition
// language, in which Power Automate writes trigger conditions and field values.
//
// # What it promises
//
// [Test] tells for each line of a trigger condition whether the flow would run,
// and why: the value of every part of the line, the place of a fault, and what
// to write instead. A line is read to its end; text left over is a fault, though
// Microsoft's own designer lets it pass. Numbers keep all their digits.
//
// Names of functions and properties are matched without regard to case, the
// exact spelling first. The string, collection, logic, conversion, math, date and
// object functions of Microsoft's reference are worked out, in American English; the
// time is [Options].Now. A function that exists but that this package cannot work
// out (bytes, XML, random values, what only the service knows) is reported as such
// and never guessed.
//
// # What it can not promise
//
// Nobody here could try an expression against the live service. Grammar and
// meaning follow Microsoft's function reference, its open-source designer and
// the open simulator IllogicApps, as read on 2026-11-30 and 2026-12-01. Where these disagree the
// result carries a warning.
//
// # Units
//
// Offsets count code points from 0. Lengths and indexes inside the language
// count UTF-16 units, as the service does. A line has at most 8,192 code points, a
// result at most 131,072 characters.
//
// # Errors
//
// A faulty line is a result, not an error. The errors of this package are about
// the trigger outputs: text that is not JSON, or is no object.
//
// # Concurrency
//
// All functions are pure and may be called by any number of goroutines at once.
package wdl

// Bounds of the service, from "Limits of automated, scheduled, and instant
// flows" in the Power Automate documentation, read 2026-11-30.
const (
	maxLine   = 8192    // code points of one expression
	maxResult = 131_072 // characters of a result
	maxLines  = 10      // condition lines that the designer shows
)

// maxOutputs bounds the bytes of trigger outputs.
const maxOutputs = 1 << 20
