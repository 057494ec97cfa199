package deliveries

import (
	"bytes"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"dedupedesk/rules"
)

// The bounds of a file.
const (
	MaxFile     = 200 << 20 // bytes
	MaxUnpacked = 1 << 30   // bytes of a spreadsheet
	MaxRows     = rules.MaxBulk
	MaxBody     = 1 << 20 // bytes of one delivery
)

// A Fault says why a file cannot be read. Its text is made to be shown.
type Fault struct{ Msg string }

// Error returns the message.
func (f *Fault) Error() string { return f.Msg }

func fault(format string, args ...any) error { return &Fault{fmt.Sprintf(format, args...)} }

// A Delivery is one of a file.
type Delivery struct {
	Unit   string // line, item, row or request; "" where the file is one delivery
	Number int    // from 1; of a row as the spreadsheet counts, its header line included
	Sample rules.Sample
	Fault  error // why it cannot be read; then Sample is empty
}

// Place names where a delivery stands, such as line 12.
func (d Delivery) Place() string {
	if d.Unit == "" {
		return "the file"
	}
	return fmt.Sprintf("%s %d", d.Unit, d.Number)
}

// A File is deliveries in the order in which they stand.
type File struct {
	Kind    string   // in words: JSON lines, a JSON list, one delivery, a table, a spreadsheet …
	Columns []string // of a table
	Column  string   // the one that holds the payload; "" where the row itself is the delivery
	all     iter.Seq[Delivery]
}

// All returns the deliveries. It may be called once.
func (f *File) All() iter.Seq[Delivery] { return f.all }

// Options say how to read what a file does not tell.
type Options struct {
	Whole  bool   // a JSON list is one delivery: the rule goes through it
	Column string // the column that holds the payload; "" looks for one, "-" takes the row itself
	Sheet  string // of a spreadsheet; "" is the first that holds rows
}

// Open finds out what data is. name is the file's name, "" if unknown. It returns a
// [*Fault] for a file that is empty, too large, of a kind that is not read, or that
// lacks the column or sheet asked for.
func Open(name string, data []byte, opt Options) (*File, error) {
	switch {
	case len(data) > MaxFile:
		return nil, fault("The file has %d MB; at most %d MB are read. Cut it in two.", len(data)>>20, MaxFile>>20)
	case bytes.HasPrefix(data, []byte("PK\x03\x04")):
		return openSheet(data, opt)
	case bytes.HasPrefix(data, []byte("\xD0\xCF\x11\xE0")):
		return nil, fault("This is a spreadsheet in Excel's old form (.xls), or one with a password. Save it as .xlsx without a password.")
	case bytes.HasPrefix(data, []byte("\xFF\xFE")) || bytes.HasPrefix(data, []byte("\xFE\xFF")):
		return nil, fault("This file is UTF-16. Save it as UTF-8, in Excel as \"CSV UTF-8\".")
	}
	text := string(bytes.TrimPrefix(data, []byte("\uFEFF")))
	ext := strings.ToLower(filepath.Ext(name))
	head := strings.TrimSpace(text[:min(len(text), 4096)])
	switch {
	case strings.TrimSpace(text) == "":
		return nil, fault("The file is empty, so there is no delivery in it.")
	case ext == ".jsonl" || ext == ".ndjson":
		return lines(text, "JSON lines"), nil
	case strings.HasPrefix(head, "[") && !opt.Whole && !linesOfJSON(text):
		return list(text), nil
	case strings.HasPrefix(head, "[") || strings.HasPrefix(head, "{"):
		if linesOfJSON(text) {
			return lines(text, "JSON lines"), nil
		}
		return one(text), nil
	}
	return openText(text, ext, opt)
}

// openText reads what is no JSON.
func openText(text, ext string, opt Options) (*File, error) {
	if !utf8.ValidString(text) {
		return nil, fault("This file is not UTF-8. Save it as UTF-8, in Excel as \"CSV UTF-8\".")
	}
	table := ext == ".csv" || ext == ".tsv"
	if !table && strings.Contains(text, "=") && everyLine(text, formLike) {
		return lines(text, "forms"), nil
	}
	if found, err := rules.ReadTable(text, table); err != nil {
		return nil, fault("The table cannot be read: %s", err)
	} else if found != nil && (table || len(found.Rows) > 1) {
		return tableFile("a table", found.Names, tableRows(found), opt)
	}
	samples, err := rules.ParseSamples(text, nil)
	if err != nil {
		return nil, fault("No delivery can be read from this file: %s", err)
	}
	if len(samples) == 1 {
		return one(text), nil
	}
	return &File{Kind: "requests", all: func(yield func(Delivery) bool) {
		for i, s := range samples {
			if !yield(Delivery{Unit: "request", Number: i + 1, Sample: s}) {
				return
			}
		}
	}}, nil
}

func formLike(line string) bool {
	return strings.Contains(line, "=") && !strings.ContainsAny(line, " ,;\t\"{")
}

// everyLine tells whether f holds for each line with text, of which there are two.
func everyLine(text string, f func(string) bool) bool {
	n := 0
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if !f(line) {
			return false
		}
		n++
	}
	return n > 1
}

// linesOfJSON tells lines of which each is a document from a document of many lines,
// by its first two lines with text.
func linesOfJSON(text string) bool {
	n := 0
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if n++; n > 2 {
			break
		}
		if !isDocument(line) {
			return n == 2 // the first one was: the second is a faulty line
		}
	}
	return n > 1
}

func isDocument(line string) bool {
	_, err := rules.DecodeJSON([]byte(line))
	return err == nil && slices.Contains([]byte("{["), line[0])
}
