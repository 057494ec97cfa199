package transfer

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"
)

func TestTableHoldsNoFormula(t *testing.T) {
	names := []string{"key", "deliveries"}
	rows := [][]any{{"=1+1", 2}, {"'@a", 1}, {"a<b\",\r\nc", -3}}
	write := func(f Format) []byte {
		var b bytes.Buffer
		if err := WriteTable(&b, f, names, slices.Values(rows)); err != nil {
			t.Fatalf("%s: %v", f, err)
		}
		return b.Bytes()
	}
	for f, want := range map[Format]string{
		CSV:   "key,deliveries\n'=1+1,2\n''@a,1\n\"a<b\"\",\r\nc\",-3\n",
		JSONL: `{"key":"=1+1","deliveries":2}` + "\n" + `{"key":"'@a","deliveries":1}` + "\n" + `{"key":"a<b\",\r\nc","deliveries":-3}` + "\n",
	} {
		if diff := cmp.Diff(want, string(write(f))); diff != "" {
			t.Errorf("%s: %s", f, diff)
		}
	}
	book, err := excelize.OpenReader(bytes.NewReader(write(XLSX)))
	if err != nil {
		t.Fatal(err)
	}
	got, err := book.GetRows("Sheet1")
	if err != nil {
		t.Fatal(err)
	}
	want := [][]string{{"key", "deliveries"}, {"'=1+1", "2"}, {"''@a", "1"}, {"a<b\",\r\nc", "-3"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if err := WriteTable(new(bytes.Buffer), Lines, names, slices.Values(rows)); err == nil || !strings.Contains(err.Error(), "lines") {
		t.Errorf("a table as lines: %v", err)
	}
}
