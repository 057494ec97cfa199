package transfer

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"

	"dedupedesk/ledger"
)

// A Writer writes keys.
type Writer struct {
	out  *bufio.Writer
	csv  *csv.Writer // nil for JSON lines
	cell []string
	line bytes.Buffer
}

// NewWriter returns a writer of a format, [JSONL] or [CSV], whose file begins here.
func NewWriter(w io.Writer, f Format) (*Writer, error) {
	out := &Writer{out: bufio.NewWriterSize(w, 64<<10)}
	switch f {
	case JSONL:
		return out, nil
	case CSV:
		out.csv = csv.NewWriter(out.out)
		out.cell = make([]string, len(columns))
		for i, c := range columns {
			out.cell[i] = c.name
		}
		return out, out.csv.Write(out.cell)
	}
	return nil, fmt.Errorf("keys are not written as %q", f)
}

// Write adds one key.
func (w *Writer) Write(k ledger.Key) error {
	if w.csv != nil {
		for i, c := range columns {
			w.cell[i] = neutral(c.get(&k))
		}
		return w.csv.Write(w.cell)
	}
	w.line.Reset()
	for _, c := range columns {
		if err := w.member(c, c.get(&k)); err != nil {
			return err
		}
	}
	w.line.WriteString("}\n")
	_, err := w.out.Write(w.line.Bytes())
	return err
}

// member adds a member to a line of JSON, unless it is missing.
func (w *Writer) member(c column, value string) error {
	if value == "" {
		return nil
	}
	before := ","
	if w.line.Len() == 0 {
		before = "{"
	}
	w.line.WriteString(before + `"` + c.name + `":`)
	if c.kind == number || c.kind == raw {
		w.line.WriteString(value)
		return nil
	}
	e := json.NewEncoder(&w.line)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return err
	}
	w.line.Truncate(w.line.Len() - 1) // the encoder ends each value with a line break
	return nil
}

// Flush writes what is still in memory. Nothing of a file is whole before.
func (w *Writer) Flush() error {
	if w.csv != nil {
		w.csv.Flush()
		if err := w.csv.Error(); err != nil {
			return err
		}
	}
	return w.out.Flush()
}

// oneLine takes the white space out that stands between the members of JSON, line
// breaks included.
func oneLine(result []byte) string {
	var b bytes.Buffer
	if err := json.Compact(&b, result); err != nil {
		return string(result) // "", and what no ledger keeps
	}
	return b.String()
}
