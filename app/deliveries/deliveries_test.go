package deliveries_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"dedupedesk/app/deliveries"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"
)

// read lists what a file holds: place, body or fault.
func read(t *testing.T, name, text string, opt deliveries.Options) (kind string, out []string) {
	t.Helper()
	f, err := deliveries.Open(name, []byte(text), opt)
	if err != nil {
		return "fault", []string{err.Error()}
	}
	for d := range f.All() {
		if d.Fault != nil {
			out = append(out, d.Place()+": FAULT "+d.Fault.Error())
			continue
		}
		out = append(out, d.Place()+": "+d.Sample.Body)
	}
	return f.Kind, out
}

func TestKinds(t *testing.T) {
	whole := deliveries.Options{Whole: true}
	for _, c := range []struct {
		name, file, text string
		opt              deliveries.Options
		kind             string
		want             []string
	}{
		{"lines", "a.jsonl", "{\"id\":1}\n\n{\"id\":2\n{\"id\":3}", deliveries.Options{}, "JSON lines", []string{`line 1: {"id":1}`, `line 3: {"id":2`, `line 4: {"id":3}`}},
		{"lines by contents", "-", "\ufeff{\"id\":1}\r\n{\"id\":2}\r\n", deliveries.Options{}, "JSON lines", []string{`line 1: {"id":1}`, `line 2: {"id":2}`}},
		{"a document of many lines", "a.json", "{\n \"id\": 1\n}", deliveries.Options{}, "one delivery", []string{"the file: {\n \"id\": 1\n}"}},
		{"a list", "a.json", `[{"id":1}, {"id":820982911946154508}]`, deliveries.Options{}, "a JSON list", []string{`item 1: {"id":1}`, `item 2: {"id":820982911946154508}`}},
		{"a list that the rule goes through", "a.json", `[{"id":1},{"id":2}]`, whole, "one delivery", []string{`the file: [{"id":1},{"id":2}]`}},
		{"a list cut off", "a.json", "[{\"id\":1},\n{\"id\":", deliveries.Options{}, "a JSON list", []string{`item 1: {"id":1}`, "item 2: FAULT The list ends in the middle, at line 2: the file is cut off. What stands before was read."}},
		{"a list with a fault", "a.json", "[{\"id\":1},\n{\"id\":x},{}]", deliveries.Options{}, "a JSON list", []string{`item 1: {"id":1}`, "item 2: FAULT The list is broken at line 2, so nothing after it can be read."}},
		{"CSV", "a.csv", "id;name\n1;\"a;b\"\n\n2;c\n", deliveries.Options{}, "a table", []string{`row 2: {"id": "1", "name": "a;b"}`, `row 4: {"id": "2", "name": "c"}`}},
		{"CSV with a payload", "a.csv", "run,started,payload\nr1,now,\"{\"\"id\"\":1}\"\nr2,now,\n", deliveries.Options{}, "a table", []string{`row 2: {"id":1}`, `row 3: FAULT The column "payload" is empty in this row.`}},
		{"CSV, the row itself", "a.csv", "run,payload\nr1,\"{\"\"id\"\":1}\"\n", deliveries.Options{Column: "-"}, "a table", []string{`row 2: {"run": "r1", "payload": "{\"id\":1}"}`}},
		{"CSV with a torn payload", "a.csv", "run,payload\nr1,\"{\"\"id\"\":1}\"\nr2,\"{\"\"id\"\":2}\"\nr3,oops\n", deliveries.Options{}, "a table", []string{`row 2: {"id":1}`, `row 3: {"id":2}`, `row 4: oops`}},
		{"forms", "a.txt", "id=1&a=x\nid=2&a=y\n", deliveries.Options{}, "forms", []string{"line 1: id=1&a=x", "line 2: id=2&a=y"}},
		{"no such column", "a.csv", "a,b\n1,2\n", deliveries.Options{Column: "c"}, "fault", []string{`The table has no column "c". It has a, b.`}},
		{"empty", "a.json", " \n", deliveries.Options{}, "fault", []string{"The file is empty, so there is no delivery in it."}},
		{"UTF-16", "a.csv", "\xff\xfea\x00", deliveries.Options{}, "fault", []string{`This file is UTF-16. Save it as UTF-8, in Excel as "CSV UTF-8".`}},
		{"Latin-1", "a.csv", "id,name\n1,Jos\xe9\n", deliveries.Options{}, "fault", []string{`This file is not UTF-8. Save it as UTF-8, in Excel as "CSV UTF-8".`}},
		{"old Excel", "a.xls", "\xD0\xCF\x11\xE0....", deliveries.Options{}, "fault", []string{"This is a spreadsheet in Excel's old form (.xls), or one with a password. Save it as .xlsx without a password."}},
		{"a broken spreadsheet", "a.xlsx", "PK\x03\x04....", deliveries.Options{}, "fault", []string{"This spreadsheet cannot be read: it is broken, has a password, or unpacks to more than 1024 MB. Save it anew as .xlsx, or as CSV UTF-8."}},
	} {
		t.Run(c.name, func(t *testing.T) {
			kind, got := read(t, c.file, c.text, c.opt)
			if d := cmp.Diff(append([]string{c.kind}, c.want...), append([]string{kind}, got...)); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestRequestsOneAfterTheOther(t *testing.T) {
	one := "POST /hook HTTP/1.1\r\nContent-Type: application/json\r\nX-Id: %d\r\n\r\n{\"id\":%d}\r\n"
	f, err := deliveries.Open("log.txt", fmt.Appendf(nil, one+one, 1, 1, 2, 2), deliveries.Options{})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for d := range f.All() {
		n++
		e, err := d.Sample.Event()
		if err != nil || e.Headers["x-id"] != fmt.Sprint(n) || d.Place() != fmt.Sprintf("request %d", n) {
			t.Errorf("%s: %v %v", d.Place(), e, err)
		}
	}
	if n != 2 {
		t.Errorf("%d requests", n)
	}
}

func TestABodyTooLargeIsOneFault(t *testing.T) {
	text := `{"a":"` + strings.Repeat("x", deliveries.MaxBody) + "\"}\n{\"id\":2}\n"
	_, got := read(t, "a.jsonl", text, deliveries.Options{})
	if d := cmp.Diff([]string{"line 1: FAULT This delivery has more than 1024 KB.", `line 2: {"id":2}`}, got); d != "" {
		t.Error(d)
	}
}

func book(t *testing.T, fill func(f *excelize.File)) string {
	t.Helper()
	f := excelize.NewFile()
	fill(f)
	var out bytes.Buffer
	if err := f.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func set(t *testing.T, f *excelize.File, cell string, v any) {
	t.Helper()
	if err := f.SetCellValue("Sheet1", cell, v); err != nil {
		t.Fatal(err)
	}
}

// A run history in a spreadsheet: numbers keep their digits, times their seconds, and
// rows are counted as the spreadsheet does.
func TestSpreadsheet(t *testing.T) {
	text := book(t, func(f *excelize.File) {
		for cell, v := range map[string]any{
			"A2": "Run", "B2": "Order", "C2": "Amount", "D2": "Started",
			"A3": "r1", "B3": "820982911946154508", "C3": 19.9, "D3": time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
			"A5": "r2", "B5": 1234567,
		} {
			set(t, f, cell, v)
		}
	})
	kind, got := read(t, "history.xlsx", text, deliveries.Options{})
	want := []string{"a spreadsheet",
		`row 3: {"Run": "r1", "Order": "820982911946154508", "Amount": "19.9", "Started": "2026-01-02T03:04:05"}`,
		`row 5: {"Run": "r2", "Order": "1234567", "Amount": "", "Started": ""}`}
	if d := cmp.Diff(want, append([]string{kind}, got...)); d != "" {
		t.Error(d)
	}
	if _, got := read(t, "history.xlsx", text, deliveries.Options{Sheet: "June"}); got[0] != `The spreadsheet has no sheet "June". It has Sheet1.` {
		t.Error(got)
	}
}

// Yes and no stay words, and a formula without a result is no value: two of them are no
// copies.
func TestSpreadsheetWithFaultsAndBooleans(t *testing.T) {
	text := book(t, func(f *excelize.File) {
		for cell, v := range map[string]any{"A1": "Paid", "B1": "Order", "A2": true, "B2": "#N/A", "A3": false, "B3": "x"} {
			set(t, f, cell, v)
		}
	})
	_, got := read(t, "history.xlsx", text, deliveries.Options{})
	if d := cmp.Diff([]string{`row 2: {"Paid": "TRUE", "Order": ""}`, `row 3: {"Paid": "FALSE", "Order": "x"}`}, got); d != "" {
		t.Error(d)
	}
}

func TestSpreadsheetWithPayload(t *testing.T) {
	text := book(t, func(f *excelize.File) {
		for cell, v := range map[string]any{"A1": "Run", "B1": "Trigger body", "A2": "r1", "B2": `{"id":1}`, "A3": "r2", "B3": `{"id":2}`} {
			set(t, f, cell, v)
		}
	})
	_, got := read(t, "history.xlsx", text, deliveries.Options{})
	if d := cmp.Diff([]string{`row 2: {"id":1}`, `row 3: {"id":2}`}, got); d != "" {
		t.Error(d)
	}
}

func FuzzOpen(f *testing.F) {
	for _, s := range []string{`[{"id":1}]`, "{\"a\":1}\n{\"a\":2}", "a,b\n1,2\n", "a=1\nb=2\n", "PK\x03\x04", "POST / HTTP/1.1\n\n{}", "[", "\ufeff[1,2"} {
		f.Add("x.json", []byte(s))
		f.Add("x.csv", []byte(s))
	}
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		file, err := deliveries.Open(name, data, deliveries.Options{})
		if err != nil {
			if err.Error() == "" {
				t.Error("a fault without words")
			}
			return
		}
		n := 0
		for d := range file.All() {
			if n++; d.Fault != nil && d.Fault.Error() == "" {
				t.Error("a fault without words")
			}
		}
		if n == 0 {
			t.Error("a file without a delivery and without a fault")
		}
	})
}
