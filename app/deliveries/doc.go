// Package deliveries reads files that hold many deliveries: what a sender sent, or
// the run history of a tool.
//
// # What it reads
//
// JSON lines, a JSON list of deliveries, one JSON document, CSV, a spreadsheet
// (.xlsx), forms line by line, and HTTP requests one after the other. Of a table each
// row is a delivery; where one of its columns holds the payload as JSON, that is the
// delivery. The kind is told by the contents; the file's name decides only between
// kinds that look alike.
//
// # What it promises
//
// Every delivery has its place, counted from 1 as an editor or a spreadsheet does. One
// that cannot be read is given with its fault, and the others go on. The bounds are
// [MaxFile], [MaxRows] and [MaxBody]; what is beyond them is told, never cut silently.
// An archive that unpacks to more than [MaxUnpacked] bytes is refused.
//
// # Errors
//
// What a person can mend is a [*Fault], whose text is made to be shown.
//
// # Concurrency
//
// A [File] may be read by one goroutine at a time.
package deliveries
