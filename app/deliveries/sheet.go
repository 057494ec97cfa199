package deliveries

import (
	"bytes"
	"iter"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"dedupedesk/rules"

	"github.com/xuri/excelize/v2"
)

// openSheet reads a spreadsheet. Numbers keep the digits that the file has. Days and
// times, which the file has as counts of days, become 2026-01-31T15:04:05, to the
// millisecond, whatever of it the cell shows.
func openSheet(data []byte, opt Options) (*File, error) {
	book, err := excelize.OpenReader(bytes.NewReader(data), excelize.Options{UnzipSizeLimit: MaxUnpacked, UnzipXMLSizeLimit: 64 << 20})
	if err != nil {
		return nil, fault("This spreadsheet cannot be read: it is broken, has a password, or unpacks to more than %d MB. Save it anew as .xlsx, or as CSV UTF-8.", MaxUnpacked>>20)
	}
	sheet, err := sheetOf(book, opt.Sheet)
	if err != nil {
		return nil, err
	}
	rows := sheetRows(book, sheet)
	next, stop := iter.Pull2(rows)
	var head []row
	for len(head) < looked {
		r, err, ok := next()
		if err != nil {
			stop()
			return nil, err
		}
		if !ok {
			break
		}
		head = append(head, r)
	}
	stop()
	names, from, err := header(head)
	if err != nil {
		return nil, err
	}
	below := func(yield func(row, error) bool) {
		for r, err := range rows {
			if err == nil && r.number < from {
				continue
			}
			if !yield(r, err) {
				return
			}
		}
	}
	return tableFile("a spreadsheet", names, below, opt)
}

// sheetOf returns the sheet of that name, or the first one with a row.
func sheetOf(book *excelize.File, wanted string) (string, error) {
	all := book.GetSheetList()
	if wanted != "" {
		if slices.Contains(all, wanted) {
			return wanted, nil
		}
		return "", fault("The spreadsheet has no sheet %q. It has %s.", wanted, strings.Join(all, ", "))
	}
	for _, name := range all {
		for range sheetRows(book, name) {
			return name, nil
		}
	}
	return "", fault("There is no row in this spreadsheet.")
}

// header names the columns by the first row, or as a spreadsheet does, and returns the
// number of the first row below.
func header(head []row) ([]string, int, error) {
	cells := make([][]string, len(head))
	for i, r := range head {
		cells[i] = r.cells
	}
	t, err := rules.NewTable(widened(cells))
	if err != nil {
		return nil, 0, fault("%s", err)
	}
	return t.Names, head[t.Lines[0]-1].number, nil
}

// widened fills rows up, since a spreadsheet leaves empty cells at the end away.
func widened(rows [][]string) [][]string {
	width := 0
	for _, r := range rows {
		width = max(width, len(r))
	}
	for i, r := range rows {
		rows[i] = append(slices.Clone(r), make([]string, width-len(r))...)
	}
	return rows
}

// sheetRows returns the rows of a sheet that hold anything.
func sheetRows(book *excelize.File, sheet string) iter.Seq2[row, error] {
	return func(yield func(row, error) bool) {
		broken := fault("The sheet %q cannot be read further: the file is broken there.", sheet)
		plain, err := book.Rows(sheet)
		if err != nil {
			yield(row{}, broken)
			return
		}
		defer func() { _ = plain.Close() }() // it was only read
		shown, err := book.Rows(sheet)
		if err != nil {
			yield(row{}, broken)
			return
		}
		defer func() { _ = shown.Close() }()
		since1904 := false
		if props, err := book.GetWorkbookProps(); err == nil && props.Date1904 != nil {
			since1904 = *props.Date1904
		}
		for number := 1; plain.Next() && shown.Next(); number++ {
			raw, err := plain.Columns(excelize.Options{RawCellValue: true})
			seen, err2 := shown.Columns()
			if err != nil || err2 != nil {
				yield(row{}, broken)
				return
			}
			if strings.TrimSpace(strings.Join(raw, "")) != "" && !yield(row{number, cellTexts(raw, seen, since1904)}, nil) {
				return
			}
		}
		if plain.Error() != nil || shown.Error() != nil {
			yield(row{}, broken)
		}
	}
}

// faults are what a spreadsheet writes where a formula has no result.
var faults = map[string]bool{"#N/A": true, "#REF!": true, "#VALUE!": true, "#DIV/0!": true, "#NAME?": true, "#NUM!": true, "#NULL!": true, "#GETTING_DATA": true, "#SPILL!": true, "#CALC!": true}

var (
	count  = regexp.MustCompile(`^[0-9]+(\.[0-9]+)?$`)
	moment = regexp.MustCompile(`[0-9][-/:.][0-9]+[-/:. ]|[0-9]:[0-9]|[A-Za-z]{3}`)
)

// cellTexts takes a cell as it is written, but a count of days as a time, where the
// cell shows one. A time of day without a day stays as it is shown, as do yes and no. A
// cell that shows a fault of its formula has no value.
func cellTexts(raw, shown []string, since1904 bool) []string {
	for i := range raw {
		switch {
		case faults[raw[i]]:
			raw[i] = ""
			continue
		case i < len(shown) && (shown[i] == "TRUE" || shown[i] == "FALSE"):
			raw[i] = shown[i]
			continue
		}
		if i >= len(shown) || raw[i] == shown[i] || !count.MatchString(raw[i]) || !moment.MatchString(shown[i]) {
			continue
		}
		days, err := strconv.ParseFloat(raw[i], 64)
		at, err2 := excelize.ExcelDateToTime(days, since1904)
		if err != nil || err2 != nil || days < 1 {
			raw[i] = shown[i]
			continue
		}
		raw[i] = at.Round(time.Millisecond).Format("2006-01-02T15:04:05.999")
	}
	return raw
}
