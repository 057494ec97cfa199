package reconcile

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"dedupedesk/app/deliveries"
	"dedupedesk/rules"
)

// A How tells how a row's key is made. With neither Column nor Columns it is what the
// rule's formula makes of the row.
type How struct {
	Column  string   // holds the whole key
	Prefix  string   // a fixed text before Columns, or ""
	Columns []string // whose values are the parts of the key, in their order
}

// placed is how many places of a key are kept. All of its rows are counted.
const placed = 20

// A Row is a key with the rows that have it.
type Row struct {
	Key    string
	Count  int
	Places []string // the first ones: "row 7"
}

// Refused is a reason for which rows have no key.
type Refused struct {
	Why    string
	Count  int
	Places []string
}

// Rows are the keys of a file.
type Rows struct {
	Kind    string   // of the file, in words
	Columns []string // of a table
	Count   int      // rows read
	Keys    []Row    // in the order of the file
	Refused []Refused
	at      map[string]int
}

// Read makes the keys of all rows of file for the rule of program. It returns a Fault for
// a column that the file does not have, and ctx's error where ctx ends.
func Read(ctx context.Context, file *deliveries.File, rule *rules.Rule, program *rules.Program, how How) (*Rows, error) {
	for _, name := range append(slices.Clone(how.Columns), how.Column) {
		if name != "" && file.Columns != nil && !slices.Contains(file.Columns, name) {
			return nil, &deliveries.Fault{Msg: fmt.Sprintf("The file has no column %q. It has %s.", name, strings.Join(file.Columns, ", "))}
		}
	}
	r := &Rows{Kind: file.Kind, Columns: file.Columns, at: map[string]int{}}
	for d := range file.All() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		r.Count++
		if d.Fault != nil {
			r.refuse(d, d.Fault)
			continue
		}
		keys, err := how.keys(ctx, d.Sample, rule, program)
		if err != nil {
			r.refuse(d, err)
		}
		for _, key := range keys {
			r.add(d, key)
		}
	}
	return r, nil
}

func (r *Rows) add(d deliveries.Delivery, key string) {
	i, ok := r.at[key]
	if !ok {
		i = len(r.Keys)
		r.at[key], r.Keys = i, append(r.Keys, Row{Key: key})
	}
	row := &r.Keys[i]
	row.Count++
	if len(row.Places) < placed {
		row.Places = append(row.Places, d.Place())
	}
}

func (r *Rows) refuse(d deliveries.Delivery, why error) {
	i := slices.IndexFunc(r.Refused, func(f Refused) bool { return f.Why == why.Error() })
	if i < 0 {
		i = len(r.Refused)
		r.Refused = append(r.Refused, Refused{Why: why.Error()})
	}
	f := &r.Refused[i]
	f.Count++
	if len(f.Places) < placed {
		f.Places = append(f.Places, d.Place())
	}
}

// keys returns the keys of a row: one, or those of the items that the rule goes through.
// A row that the rule ignores has none.
func (h How) keys(ctx context.Context, s rules.Sample, rule *rules.Rule, program *rules.Program) ([]string, error) {
	e, err := s.Event()
	if err != nil {
		return nil, err
	}
	row, _ := e.Body.(rules.Object)
	switch {
	case h.Column != "":
		key, err := wholeKey(row[h.Column], rule)
		return one(key, err, h.Column)
	case len(h.Columns) > 0:
		key, err := h.joined(row, rule)
		return one(key, err, "")
	}
	made, err := program.Keys(ctx, e)
	if err != nil {
		return nil, err
	}
	var keys []string
	for _, k := range made {
		if k.Err != nil {
			return keys, k.Err
		}
		if !k.Ignored {
			keys = append(keys, k.Key)
		}
	}
	return keys, nil
}

func one(key string, err error, column string) ([]string, error) {
	if err == nil {
		return []string{key}, nil
	}
	if column != "" {
		return nil, fmt.Errorf("%s: %w", column, err)
	}
	return nil, err
}

// wholeKey is a cell that holds a key as it stands in the ledger.
func wholeKey(v any, rule *rules.Rule) (string, error) {
	text, ok := v.(string)
	if !ok {
		return rules.JoinParts([]any{v}, rule.FoldCase, rule.LongKeys)
	}
	// Only the white space around it is the cell's and not the key's.
	return rules.ReadyKey(strings.TrimSpace(text), rule.FoldCase, rule.LongKeys)
}

func (h How) joined(row rules.Object, rule *rules.Rule) (string, error) {
	var parts []any
	if h.Prefix != "" {
		parts = append(parts, h.Prefix)
	}
	for _, name := range h.Columns {
		parts = append(parts, row[name])
	}
	key, err := rules.JoinParts(parts, rule.FoldCase, rule.LongKeys)
	if fault, ok := errors.AsType[*rules.KeyError](err); ok && fault.Part > 0 {
		at := fault.Part - 1 - (len(parts) - len(h.Columns))
		if at >= 0 {
			return "", fmt.Errorf("column %s: %w", h.Columns[at], err)
		}
	}
	return key, err
}
