package deliveries

import (
	"iter"
	"slices"
	"strings"

	"dedupedesk/rules"
)

// A row of a table.
type row struct {
	number int
	cells  []string
}

func tableRows(t *rules.Table) iter.Seq2[row, error] {
	return func(yield func(row, error) bool) {
		for i, cells := range t.Rows {
			if !yield(row{t.Lines[i], cells}, nil) {
				return
			}
		}
	}
}

// payloadNames are names of columns in which tools keep what came in, the surest
// first.
var payloadNames = strings.Fields(`payload body request_body requestbody data data_in datain input inputs trigger event bundle content json raw message`)

// looked is how many rows are looked at to find the column of the payload.
const looked = 20

// tableFile returns a file of rows.
func tableFile(kind string, names []string, rows iter.Seq2[row, error], opt Options) (*File, error) {
	f := &File{Kind: kind, Columns: names}
	next, stop := iter.Pull2(rows)
	var first []row
	var end error
	for len(first) < looked {
		r, err, ok := next()
		if !ok || err != nil {
			end = err
			break
		}
		first = append(first, r)
	}
	at, err := payloadColumn(names, first, opt.Column)
	if err != nil || len(first) == 0 && end != nil {
		stop()
		if err == nil {
			err = end
		}
		return nil, err
	}
	if at >= 0 {
		f.Column = names[at]
	}
	f.all = func(yield func(Delivery) bool) {
		defer stop()
		for _, r := range first {
			if !yield(rowDelivery(names, r, at)) {
				return
			}
		}
		last := row{}
		if len(first) > 0 {
			last = first[len(first)-1]
		}
		for end == nil {
			r, err, ok := next()
			if !ok {
				return
			}
			if end = err; err == nil {
				last = r
				if !yield(rowDelivery(names, r, at)) {
					return
				}
			}
		}
		yield(Delivery{Unit: "row", Number: last.number + 1, Fault: end})
	}
	return f, nil
}

// payloadColumn returns the place of the column that holds the payload, -1 for none.
func payloadColumn(names []string, first []row, wanted string) (int, error) {
	switch wanted {
	case "-":
		return -1, nil
	case "":
	default:
		if at := slices.Index(names, wanted); at >= 0 {
			return at, nil
		}
		return 0, fault("The table has no column %q. It has %s.", wanted, strings.Join(names, ", "))
	}
	best, rank := -1, len(payloadNames)+1
	for at, name := range names {
		good, bad := 0, 0
		for _, r := range first {
			switch {
			case holdsObject(r, at):
				good++
			case cell(r, at) != "":
				bad++
			}
		}
		plain := strings.ToLower(strings.NewReplacer(" ", "_", "-", "_").Replace(strings.TrimSpace(name)))
		here := slices.Index(payloadNames, plain)
		if here < 0 {
			here = len(payloadNames)
		}
		// Where the name says so too, a torn payload among good ones is a fault of its
		// row.
		named := here < len(payloadNames) && bad < good
		if good > 0 && (bad == 0 || named) && here < rank {
			best, rank = at, here
		}
	}
	return best, nil
}

func cell(r row, at int) string {
	if at >= len(r.cells) {
		return ""
	}
	return strings.TrimSpace(r.cells[at])
}

func holdsObject(r row, at int) bool {
	text := cell(r, at)
	return text != "" && isDocument(text)
}

// rowDelivery is the row itself, as an object of texts, or the payload in its cell.
func rowDelivery(names []string, r row, at int) Delivery {
	if at >= 0 {
		if cell(r, at) == "" {
			return Delivery{Unit: "row", Number: r.number, Fault: fault("The column %q is empty in this row.", names[at])}
		}
		return made("row", r.number, cell(r, at))
	}
	if len(r.cells) > len(names) {
		return Delivery{Unit: "row", Number: r.number, Fault: fault("This row has %d cells, the first line has %d.", len(r.cells), len(names))}
	}
	t := rules.Table{Names: names, Rows: [][]string{make([]string, len(names))}}
	copy(t.Rows[0], r.cells)
	return made("row", r.number, t.Sample(0).Body)
}
