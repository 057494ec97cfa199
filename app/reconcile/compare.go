package reconcile

import (
	"context"
	"slices"
	"strings"
	"time"

	"dedupedesk/app/deliveries"
	"dedupedesk/ledger"
	"dedupedesk/rules"
)

// A Missing is a key with a row that is not finished here.
type Missing struct {
	Row
	State string // how it stands here in words, "" where there is no such key
	Near  string // a key here without a row that differs only in capitals or spaces, or ""
}

// An Extra is a finished key without a row.
type Extra struct {
	Key    string
	DoneAt time.Time
	Result string // what the run stored, JSON; "" for none
}

// A Found is what a comparison found, each list in a settled order.
type Found struct {
	Rows     *Rows
	Matched  int       // keys that are finished here and have a row
	Missing  []Missing // in the order of the file
	Extra    []Extra   // by key
	Doubles  []Row     // keys with several rows, the most first
	Finished int       // finished keys of the rule within the time
}

// Unknown tells whether nothing here can be meant by the row: neither its key nor one that
// is nearly the same.
func (m Missing) Unknown() bool { return m.State == "" && m.Near == "" }

// Clean tells whether nothing has to be looked at.
func (f *Found) Clean() bool {
	return len(f.Missing)+len(f.Extra)+len(f.Doubles)+len(f.Rows.Refused) == 0
}

// Compare holds rows against the keys of rule. A finished key without a row is told only
// if it was finished at or after since. It returns the errors of [ledger.Ledger.Export].
func Compare(ctx context.Context, l *ledger.Ledger, rule string, rows *Rows, since time.Time) (*Found, error) {
	f := &Found{Rows: rows}
	states := make([]string, len(rows.Keys))
	done := make([]bool, len(rows.Keys))
	near, like := make([]string, len(rows.Keys)), map[string]int{}
	for i, row := range rows.Keys {
		like[loose(row.Key)] = i
	}
	err := l.Export(ctx, ledger.KeyQuery{Rule: rule}, func(k ledger.Key) error {
		i, has := rows.at[k.Key]
		switch {
		case has && k.State == ledger.Done:
			done[i] = true
			f.Matched++
		case has:
			states[i] = k.Word()
		default:
			if i, ok := like[loose(k.Key)]; ok {
				near[i] = k.Key
			}
		}
		if k.State != ledger.Done || k.DoneAt.Before(since) {
			return nil
		}
		f.Finished++
		if !has {
			f.Extra = append(f.Extra, Extra{Key: k.Key, DoneAt: k.DoneAt, Result: string(k.Result)})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for i, row := range rows.Keys {
		if !done[i] {
			m := Missing{Row: row, State: states[i]}
			if m.State == "" {
				m.Near = near[i]
			}
			f.Missing = append(f.Missing, m)
		}
		if row.Count > 1 {
			f.Doubles = append(f.Doubles, row)
		}
	}
	slices.SortStableFunc(f.Doubles, func(a, b Row) int { return b.Count - a.Count })
	return f, nil
}

// loose makes keys equal that differ only in capitals or spaces.
func loose(key string) string {
	return strings.ToLower(strings.Join(strings.Fields(key), " "))
}

// guessed is how many rows are looked at to guess a column.
const guessed = 50

// Guess returns the column of a table that holds keys of rule most often among its first
// rows, with how many of how many do; "" where none does. It reads file.
func Guess(ctx context.Context, l *ledger.Ledger, rule string, file *deliveries.File) (column string, hits, of int, err error) {
	var rows []rules.Object
	for d := range file.All() {
		if e, err := d.Sample.Event(); err == nil && d.Fault == nil {
			if row, ok := e.Body.(rules.Object); ok {
				rows = append(rows, row)
			}
		}
		if len(rows) == guessed {
			break
		}
	}
	for _, name := range file.Columns {
		n := 0
		for _, row := range rows {
			key, _ := row[name].(string)
			_, err := l.Key(ctx, rule, strings.TrimSpace(key))
			switch ledger.CodeOf(err) {
			case "":
				n++
			case ledger.NotFound, ledger.Invalid:
			default:
				return "", 0, 0, err
			}
		}
		if n > hits {
			column, hits = name, n
		}
	}
	return column, hits, len(rows), nil
}
