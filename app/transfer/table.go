package transfer

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"iter"

	"github.com/xuri/excelize/v2"
)

// MaxSheetRows is how many rows a spreadsheet holds below its head.
const MaxSheetRows = 1<<20 - 1

// WriteTable writes rows as a file of a format, [JSONL], [CSV] or [XLSX], whose columns
// have the names; each row has a text or an int for each. In CSV and XLSX no text
// begins as a formula does: where one would, a ' stands before it. JSON lines are
// objects with the names in their order. A spreadsheet holds 1,048,575 rows below its
// head; more are an error.
func WriteTable(w io.Writer, f Format, names []string, rows iter.Seq[[]any]) error {
	switch f {
	case JSONL:
		return writeObjects(w, names, rows)
	case CSV:
		return writeCSV(w, names, rows)
	case XLSX:
		return writeSheet(w, names, rows)
	}
	return fmt.Errorf("a table is not written as %q", f)
}

func writeObjects(w io.Writer, names []string, rows iter.Seq[[]any]) error {
	var line bytes.Buffer
	e := json.NewEncoder(&line)
	e.SetEscapeHTML(false)
	for row := range rows {
		line.Reset()
		for i, cell := range row {
			before := byte(',')
			if i == 0 {
				before = '{'
			}
			line.WriteByte(before)
			for j, v := range []any{names[i], cell} {
				if err := e.Encode(v); err != nil {
					return err
				}
				line.Truncate(line.Len() - 1) // the encoder ends each value with a line break
				if j == 0 {
					line.WriteByte(':')
				}
			}
		}
		line.WriteString("}\n")
		if _, err := w.Write(line.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

func writeCSV(w io.Writer, names []string, rows iter.Seq[[]any]) error {
	out := csv.NewWriter(w)
	if err := out.Write(names); err != nil {
		return err
	}
	cells := make([]string, len(names))
	for row := range rows {
		for i, cell := range row {
			cells[i] = fmt.Sprint(neutralCell(cell))
		}
		if err := out.Write(cells); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func writeSheet(w io.Writer, names []string, rows iter.Seq[[]any]) error {
	book := excelize.NewFile()
	defer func() { _ = book.Close() }() // it removes files that held what memory did not
	sheet, err := book.NewStreamWriter(book.GetSheetName(0))
	if err != nil {
		return err
	}
	head := make([]any, len(names))
	for i, name := range names {
		head[i] = name
	}
	n := 1
	if err := sheet.SetRow("A1", head); err != nil {
		return err
	}
	for row := range rows {
		cells := make([]any, len(row))
		for i, cell := range row {
			cells[i] = neutralCell(cell)
		}
		n++
		if err := sheet.SetRow(fmt.Sprintf("A%d", n), cells); err != nil {
			return err
		}
	}
	if err := sheet.Flush(); err != nil {
		return err
	}
	return book.Write(w)
}

// neutralCell is neutral for texts; a number is none that a spreadsheet works out.
func neutralCell(cell any) any {
	if text, ok := cell.(string); ok {
		return neutral(text)
	}
	return cell
}
