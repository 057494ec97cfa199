// Package transfer writes keys into files and reads them back: JSON lines, CSV, and
// for reading also plain text with one key a line.
//
// # What it promises
//
// What a [Writer] wrote, a [Reader] reads as the same keys, to the last character;
// only the white space between the members of a result goes. A file never holds a
// token. No cell of a CSV file begins as a formula does: where one would, a ' stands
// before it, and one more where there were some already, which a Reader takes away
// again. [WriteTable] writes other tables, and keeps to the same.
//
// A Reader needs the column key alone. A column that it does not know is refused by
// its name, so that nothing is lost unseen. It also takes what the article's dedupe.py
// keeps: key, state, claimed_at and done_at, with times in Unix seconds.
//
// # Units
//
// Times are RFC 3339 in UTC with milliseconds. A line of a file counts from 1.
//
// # Errors
//
// What is wrong with a file is a [*Fault], which names line and column. Other errors
// are those of reading and writing.
//
// # Concurrency
//
// A Reader or Writer serves one goroutine. Both hold one key at a time in memory,
// however many there are; [Check] also holds a short code of each.
package transfer

import (
	"fmt"
	"path/filepath"
	"strings"
)

// A Format is how a file holds keys.
type Format string

// The formats.
const (
	JSONL Format = "jsonl" // an object a line
	CSV   Format = "csv"   // with a line of names at the top
	Lines Format = "lines" // a key a line; for reading alone
	XLSX  Format = "xlsx"  // a spreadsheet; for [WriteTable] alone
)

// FormatOf returns the format that the end of a file's name tells, false for none.
func FormatOf(name string) (Format, bool) {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".jsonl", ".ndjson":
		return JSONL, true
	case ".csv":
		return CSV, true
	}
	return "", false
}

// A Fault is what is wrong with one place of a file.
type Fault struct {
	Line   int
	Column string // the column's name; "" = the line as a whole
	Msg    string // a sentence
	fatal  bool   // what follows cannot be read either
}

// Error returns the place and the sentence.
func (f *Fault) Error() string {
	if f.Column == "" {
		return fmt.Sprintf("Line %d: %s", f.Line, f.Msg)
	}
	return fmt.Sprintf("Line %d, column %s: %s", f.Line, f.Column, f.Msg)
}
