package transfer

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"dedupedesk/ledger"
	"dedupedesk/rules"
)

// maxRecord is the longest line, in bytes. The longest that a Writer makes, a key and
// a result all of which are escaped, is far below it.
const maxRecord = 512 << 10

// A Reader reads keys. Each key is as it stands in the file; what a claim allows is
// for [Check] to say.
type Reader struct {
	format Format
	lines  *bufio.Scanner // JSON lines and plain lines
	line   int

	csv    *csv.Reader
	ration *ration
	header []column // nil before the line of names was read

	ended bool
}

// NewReader returns a reader of a format. A byte order mark at the start is skipped.
func NewReader(in io.Reader, f Format) *Reader {
	start := bufio.NewReaderSize(in, 64<<10)
	if mark, err := start.Peek(3); err == nil && string(mark) == "\uFEFF" {
		_, _ = start.Discard(3) // it was just seen
	}
	r := &Reader{format: f}
	if f == CSV {
		r.ration = &ration{in: start}
		r.csv = csv.NewReader(r.ration)
		r.csv.ReuseRecord = true
		return r
	}
	r.lines = bufio.NewScanner(start)
	r.lines.Buffer(nil, maxRecord)
	return r
}

// Next returns the next key and its line. It returns io.EOF at the end, a [*Fault] for
// a line that is no key, after which the lines behind it can still be read where that
// is possible, and the error of reading.
func (r *Reader) Next() (ledger.Key, int, error) {
	if r.ended {
		return ledger.Key{}, r.line, io.EOF
	}
	var k ledger.Key
	var err error
	if r.format == CSV {
		k, err = r.nextRow()
	} else {
		k, err = r.nextLine()
	}
	var fault *Fault
	if err != nil && (!errors.As(err, &fault) || fault.fatal) {
		r.ended = true
	}
	return k, r.line, err
}

// fault returns a Fault of the line that was read last.
func (r *Reader) fault(column, msg string) *Fault {
	return &Fault{Line: r.line, Column: column, Msg: msg}
}

func (r *Reader) tooLong() *Fault {
	f := r.fault("", fmt.Sprintf("It is longer than %d KB. Is a quote missing?", maxRecord>>10))
	f.fatal = true
	return f
}

func (r *Reader) nextLine() (ledger.Key, error) {
	for r.lines.Scan() {
		r.line++
		line := r.lines.Bytes()
		switch {
		case len(bytes.TrimSpace(line)) == 0:
			continue
		case !utf8.Valid(line):
			return ledger.Key{}, r.fault("", "It is not text in UTF-8. Save the file in that coding.")
		case r.format == Lines:
			return ledger.Key{Key: string(line)}, nil
		}
		return r.object(line)
	}
	err := r.lines.Err()
	switch {
	case errors.Is(err, bufio.ErrTooLong):
		r.line++
		return ledger.Key{}, r.tooLong()
	case err != nil:
		return ledger.Key{}, err
	}
	return ledger.Key{}, io.EOF
}

// object reads a line of JSON.
func (r *Reader) object(line []byte) (k ledger.Key, err error) {
	d := json.NewDecoder(bytes.NewReader(line))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return k, r.fault("", "It is not one JSON object.")
	}
	given := map[string]bool{}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return k, r.fault("", "It is not valid JSON.")
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return k, r.fault("", "It is not valid JSON.")
		}
		if err := r.member(&k, given, fmt.Sprint(name), value); err != nil {
			return k, err
		}
	}
	if _, err := d.Token(); err != nil {
		return k, r.fault("", "It is not valid JSON.")
	}
	if _, err := d.Token(); err != io.EOF {
		return k, r.fault("", "There is something behind the JSON object. Each key needs a line of its own.")
	}
	return k, r.complete(&k, given)
}

func (r *Reader) member(k *ledger.Key, given map[string]bool, name string, value json.RawMessage) error {
	c, known := columnNamed(name)
	switch {
	case !known:
		return r.fault(shown(name), unknownColumn)
	case given[name]:
		return r.fault(name, "It is there twice.")
	case string(value) == "null" && c.kind != raw: // null is a result
		return nil
	}
	given[name] = true
	said := string(value)
	quoted := said[0] == '"'
	switch {
	case c.kind == text && !quoted:
		return r.fault(name, name+" must be text, in quotes.")
	case c.kind == number && quoted:
		return r.fault(name, name+" must be a whole number, without quotes.")
	case quoted && c.kind != raw:
		// The exact decoder refuses what encoding/json would turn into another text.
		decoded, err := rules.DecodeJSON(value)
		if err != nil {
			return r.fault(name, name+" is no valid text.")
		}
		said, _ = decoded.(string)
	}
	if problem := c.set(k, said); problem != "" {
		return r.fault(name, problem)
	}
	return nil
}

const unknownColumn = "There is no such column. Known are rule, key, state, fence, attempts, generation, owner, first_seen, claimed_at, " +
	"lease_until, done_at, next_try_at, last_error, result, fingerprint, copies, mismatches and stale_calls."

// shown cuts what a file calls a column.
func shown(name string) string {
	if r := []rune(name); len(r) > 40 {
		name = string(r[:40]) + "…"
	}
	return name
}

// complete refuses a key that is missing, and fills in what follows from the rest.
func (r *Reader) complete(k *ledger.Key, given map[string]bool) error {
	if !given["key"] {
		return r.fault("key", "The key is missing.")
	}
	if problem := infer(k, given); problem != "" {
		return r.fault("state", problem)
	}
	return nil
}

func (r *Reader) nextRow() (k ledger.Key, err error) {
	if r.header == nil {
		if err := r.readHeader(); err != nil {
			return k, err
		}
	}
	cells, err := r.record()
	if err != nil {
		return k, err
	}
	given := map[string]bool{}
	for i, c := range r.header {
		cell := plain(cells[i])
		if cell == "" {
			continue
		}
		given[c.name] = true
		if problem := c.set(&k, cell); problem != "" {
			return k, r.fault(c.name, problem)
		}
	}
	return k, r.complete(&k, given)
}

func (r *Reader) readHeader() error {
	names, err := r.record()
	if err == io.EOF {
		r.line = 1
		return r.headerFault("", "The file is empty. Its first line has to name the columns.")
	}
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	header := make([]column, len(names))
	for i, name := range names {
		name = strings.TrimSpace(name)
		c, known := columnNamed(name)
		switch {
		case !known:
			return r.headerFault(shown(name), unknownColumn)
		case seen[name]:
			return r.headerFault(name, "It is there twice.")
		}
		seen[name], header[i] = true, c
	}
	if !seen["key"] {
		return r.headerFault("key", "It is missing. The first line has to name the columns, and key must be one of them.")
	}
	r.header = header
	return nil
}

func (r *Reader) headerFault(column, msg string) *Fault {
	f := r.fault(column, msg)
	f.fatal = true
	return f
}

// record reads one line of cells, which may have line breaks in them.
func (r *Reader) record() ([]string, error) {
	r.ration.left = maxRecord
	cells, err := r.csv.Read()
	var bad *csv.ParseError
	switch {
	case errors.As(err, &bad) && errors.Is(err, csv.ErrFieldCount):
		r.line = bad.Line
		return nil, r.fault("", fmt.Sprintf("It has %d cells; the first line has %d.", len(cells), len(r.header)))
	case errors.Is(err, errRation):
		r.line++
		return nil, r.tooLong()
	case errors.As(err, &bad):
		r.line = bad.Line
		f := r.fault("", "A quote is missing or misplaced.")
		f.fatal = true
		return nil, f
	case err != nil:
		return nil, err
	}
	r.line, _ = r.csv.FieldPos(0)
	for i, cell := range cells {
		if !utf8.ValidString(cell) {
			name := ""
			if r.header != nil {
				name = r.header[i].name
			}
			f := r.fault(name, "It is not text in UTF-8. Save the file in that coding.")
			f.fatal = r.header == nil
			return nil, f
		}
	}
	return cells, nil
}

var errRation = errors.New("the record is too long")

// A ration bounds what is read for one record, since csv.Reader does not.
type ration struct {
	in   io.Reader
	left int
}

func (r *ration) Read(p []byte) (int, error) {
	if r.left <= 0 {
		return 0, errRation
	}
	n, err := r.in.Read(p[:min(len(p), r.left)])
	r.left -= n
	return n, err
}
