package rules

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Table is rows as a spreadsheet or a CSV file has them. Each row is one event.
type Table struct {
	Names []string   // of the columns; A, B, C … where the rows have no header line
	Rows  [][]string // as many cells each as there are names
	Lines []int      // the line of each row, from 1
}

// NewTable names the columns by the first row if that reads as a header line: every
// cell has a text of its own that is no number or time. Else the columns are named as
// a spreadsheet does. A row with too few cells is filled up with empty ones; empty
// rows are left out. It returns a [*SyntaxError] for two columns of one name, for a
// row with more cells than names, and where there is no row.
func NewTable(rows [][]string) (*Table, error) {
	lines := make([]int, len(rows))
	for i := range lines {
		lines[i] = i + 1
	}
	return newTable(rows, lines)
}

func newTable(rows [][]string, lines []int) (*Table, error) {
	t := &Table{}
	for i, row := range rows {
		if strings.TrimSpace(strings.Join(row, "")) == "" {
			continue
		}
		if t.Names == nil {
			if isHeader(row) && len(rows) > 1 {
				if name, twice := repeated(row); twice {
					return nil, &SyntaxError{lines[i], 1, fmt.Sprintf("Two columns are named %q. Give one of them another name.", name)}
				}
				t.Names = columnNames(row)
				continue
			}
			t.Names = columnNames(make([]string, len(row)))
		}
		if len(row) > len(t.Names) {
			return nil, &SyntaxError{lines[i], 1, fmt.Sprintf("This row has %d cells, the first line has %d.", len(row), len(t.Names))}
		}
		full := make([]string, len(t.Names))
		copy(full, row)
		t.Rows, t.Lines = append(t.Rows, full), append(t.Lines, lines[i])
	}
	if len(t.Rows) == 0 {
		return nil, &SyntaxError{1, 1, "The table has a header line and no row below it."}
	}
	return t, nil
}

// valueLike tells a cell that no header has: a number, a sum or a time.
var valueLike = regexp.MustCompile(`^[-+]?[0-9][0-9., :/TZ+-]*%?$`)

// isHeader tells a line of names: at least one, and no values.
func isHeader(row []string) bool {
	named := 0
	for _, cell := range row {
		cell = strings.TrimSpace(cell)
		if valueLike.MatchString(cell) || utf8.RuneCountInString(cell) > 200 {
			return false
		}
		if cell != "" {
			named++
		}
	}
	return named*2 > len(row)
}

func repeated(row []string) (string, bool) {
	seen := map[string]bool{}
	for _, cell := range row {
		name := strings.TrimSpace(cell)
		if name != "" && seen[name] {
			return name, true
		}
		seen[name] = true
	}
	return "", false
}

// columnNames gives a column without a name that of a spreadsheet: A, B, …, AA.
func columnNames(row []string) []string {
	names := make([]string, len(row))
	for i, cell := range row {
		if names[i] = strings.TrimSpace(cell); names[i] == "" {
			for n := i + 1; n > 0; n = (n - 1) / 26 {
				names[i] = string(rune('A'+(n-1)%26)) + names[i]
			}
			if slices.Contains(row, names[i]) {
				names[i] = fmt.Sprintf("column %d", i+1)
			}
		}
	}
	return names
}

// Sample returns a row as an event: an object with the cells under the names of their
// columns, all of them text, in the order of the columns.
func (t *Table) Sample(row int) Sample {
	return Sample{Name: fmt.Sprintf("row %d", row+1), Body: t.object(row)}
}

func (t *Table) object(row int) string {
	out := []byte{'{'}
	for i, name := range t.Names {
		if i > 0 {
			out = append(out, ", "...)
		}
		out = append(appendQuoted(out, name), ": "...)
		out = appendQuoted(out, t.Rows[row][i])
	}
	return string(append(out, '}'))
}

// separators of cells, those that stand in a sentence last.
var separators = []rune{'\t', ';', '|', ','}

// ReadTable reads CSV with tabs, semicolons, bars or commas between cells, quoted
// cells and a byte order mark. It returns nil without an error for text that is no
// table: fewer than two columns, or a sentence. Where the text must be a table, sure is
// true, and what is not one is a [*SyntaxError].
func ReadTable(text string, sure bool) (*Table, error) {
	text = strings.TrimPrefix(text, "\ufeff")
	rows, lines, err := readRows(text)
	switch {
	case rows == nil && sure:
		return nil, asSyntax(err)
	case rows == nil || !sure && !tableLike(rows):
		return nil, nil
	}
	if !utf8.ValidString(text) {
		return nil, &SyntaxError{1, 1, "The table is not UTF-8. Save it as CSV UTF-8."}
	}
	return newTable(rows, lines)
}

// readRows reads with the separator that gives the first line the most cells and every
// line its quotes.
func readRows(text string) (rows [][]string, lines []int, err error) {
	first := map[rune]int{}
	for _, separator := range separators {
		if row, _, err := cellsOf(text, separator, 1); err == nil && len(row) > 0 {
			first[separator] = len(row[0])
		}
	}
	order := slices.SortedStableFunc(slices.Values(separators), func(a, b rune) int { return first[b] - first[a] })
	for _, separator := range order {
		var fault error
		if rows, lines, fault = cellsOf(text, separator, -1); fault == nil {
			return rows, lines, nil
		}
		if err == nil {
			err = fault
		}
	}
	return nil, nil, err
}

// cellsOf reads at most so many rows, all if negative, and where each begins.
func cellsOf(text string, separator rune, most int) (rows [][]string, lines []int, err error) {
	r := csv.NewReader(strings.NewReader(text))
	r.Comma, r.FieldsPerRecord = separator, -1
	for len(rows) != most {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, nil, err
		}
		line, _ := r.FieldPos(0)
		rows, lines = append(rows, row), append(lines, line)
	}
	return rows, lines, nil
}

func asSyntax(err error) error {
	if at, ok := errors.AsType[*csv.ParseError](err); ok {
		return &SyntaxError{at.Line, at.Column, "A quote stands where none can be. Or a cell that begins with one does not end. A cell that holds a quote is written \"like \"\"this\"\"\"."}
	}
	return &SyntaxError{1, 1, "There is no row in this table."}
}

// tableLike tells a table from prose: at least two columns, the same number in every
// line, and no blank after a separator. A single line needs three.
func tableLike(rows [][]string) bool {
	columns := len(rows[0])
	if columns < 2 || len(rows) == 1 && columns < 3 {
		return false
	}
	for i, row := range rows {
		for j, cell := range row {
			if i == 0 && j > 0 && strings.HasPrefix(cell, " ") {
				return false
			}
		}
		if len(row) > columns || len(row) != columns && len(rows) < 3 {
			return false
		}
	}
	return true
}
