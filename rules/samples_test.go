package rules

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestWhatAPasteHolds: the bodies that come out of a paste, each as canonical JSON, and
// their headers and queries where they have any.
func TestWhatAPasteHolds(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       []string // body, then headers and query if any
	}{
		{"a row with its header line", "order,total\n7,19.90\n", []string{`{"order":"7","total":"19.90"}`}},
		{"semicolons, a mark, quotes and CRLF", "\ufefforder;note;total\r\n7;\"a; \"\"b\"\"\nc\";19,90\r\n", []string{`{"note":"a; \"b\"\u000ac","order":"7","total":"19,90"}`}},
		{"tabs, as copied from a spreadsheet", "order\tDue date\n7\t2026-01-31", []string{`{"Due date":"2026-01-31","order":"7"}`}},
		{"a bare row", "7;Robin;19,90", []string{`{"A":"7","B":"Robin","C":"19,90"}`}},
		{"bare rows", "7,1\n8,1\n", []string{`{"A":"7","B":"1"}`, `{"A":"8","B":"1"}`}},
		{"rows, one without its last cells", "id,name,mail\n7,Ann,a@b\n8,Bob\n\n9,,c@d\n", []string{
			`{"id":"7","mail":"a@b","name":"Ann"}`, `{"id":"8","mail":"","name":"Bob"}`, `{"id":"9","mail":"c@d","name":""}`}},
		{"a column without a name", "id,,name,x\n7,1,Ann,2", []string{`{"B":"1","id":"7","name":"Ann","x":"2"}`}},
		{"JSON lines", "{\"id\":1}\n\n{\"id\":2}\r\n", []string{`{"id":1}`, `{"id":2}`}},
		{"one object on many lines", "{\n\"id\":1\n}", []string{`{"id":1}`}},
		{"a list that a sender sends", `[{"id":1},{"id":2}]`, []string{`[{"id":1},{"id":2}]`}},
		{"items of n8n", `[{"json":{"id":1},"pairedItem":{"item":0}},{"json":{"id":2}}]`, []string{`{"id":1}`, `{"id":2}`}},
		{"one item of n8n", ` [ {"json":{"id":12345678901234567890123} } ] `, []string{`{"id":12345678901234567890123}`}},
		{"what n8n's Webhook node shows", `[{"headers":{"X-Id":"7"},"params":{},"query":{"a":"b"},"body":{"id":1},"webhookUrl":"https://n8n.example/webhook/x","executionMode":"production"}]`,
			[]string{`{"id":1}`, `{"x-id":"7"}`, `{"a":"b"}`}},
		{"a bundle of Make's webhook", `[{"__IMTHEADERS__":[{"name":"X-Id","value":"7"}],"__IMTMETHOD__":"POST","id":1,"b":{"c":2}}]`, []string{`{"b":{"c":2},"id":1}`, `{"x-id":"7"}`}},
		{"bundles of a row", `[{"__ROW_NUMBER__":2,"0":"a"},{"__ROW_NUMBER__":3,"0":"b"}]`, []string{`{"0":"a","__ROW_NUMBER__":2}`, `{"0":"b","__ROW_NUMBER__":3}`}},
		{"trigger outputs", `{"statusCode":200,"headers":{"X-Id":"7"},"body":{"ID":42}}`, []string{`{"ID":42}`, `{"x-id":"7"}`}},
		{"requests", "POST /a?x=1 HTTP/1.1\nHost: h\n\n{\"id\":1}\n\nPOST /b HTTP/1.1\nHost: h\n\n{\"id\":2}\n",
			[]string{`{"id":1}`, `{"host":"h"}`, `{"x":"1"}`, `{"id":2}`, `{"host":"h"}`}},
		{"chunks as sent", "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n7\r\n{\"id\":1\r\n4;x=y\r\n,\n2}\r\n0\r\n\r\n", nil},
		{"chunks", "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n7\r\n{\"id\":1\r\n8;x=y\r\n,\n\"b\":2}\r\n0\r\n\r\n", []string{`{"b":2,"id":1}`, `{"transfer-encoding":"chunked"}`}},
		{"chunks whose line breaks were shortened", "POST / HTTP/1.1\nTransfer-Encoding: chunked\n\nA\n{\n\"id\":1}\n0\n", []string{`{"id":1}`, `{"transfer-encoding":"chunked"}`}},
		{"chunked, already put together", "POST / HTTP/1.1\nTransfer-Encoding: chunked\n\n{\"id\":1}", []string{`{"id":1}`, `{"transfer-encoding":"chunked"}`}},
		{"what curl -v prints", "*   Trying 127.0.0.1:80...\n* Connected to h\n> POST /a HTTP/1.1\n> Host: h\n> X-Id: 7\n>\n* upload done\n{\"id\":1}\n< HTTP/1.1 200 OK\n", []string{`{"id":1}`, `{"host":"h","x-id":"7"}`}},
		{"a multipart request with line feeds", "POST / HTTP/1.1\nContent-Type: multipart/form-data; boundary=XyZ\n\n--XyZ\nContent-Disposition: form-data; name=\"id\"\n\n7\n--XyZ--\n",
			[]string{`{"id":"7"}`, `{"content-type":"multipart/form-data; boundary=XyZ"}`}},
		{"a form", "id=1&a=b+c", []string{`{"a":"b c","id":"1"}`}},
		{"nothing", " \n", []string{`{}`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			samples, err := ParseSamples(tt.text, nil)
			if tt.want == nil {
				if err == nil {
					t.Errorf("%v was read", samples)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, s := range samples {
				e, err := s.Event()
				if err != nil {
					t.Fatalf("%q: %v", s.Body, err)
				}
				got = append(got, string(EncodeJSON(e.Body)))
				for _, m := range []map[string]string{e.Headers, e.Query} {
					if text, _ := json.Marshal(m); len(m) > 0 {
						got = append(got, string(text))
					}
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAPasteNamesItsPieces(t *testing.T) {
	for text, want := range map[string]string{
		"id,b\n1,2\n3,4":                     "row 1, row 2",
		"{\"a\":1}\n\n{\"a\":2}":             "line 1, line 3",
		`[{"json":{}},{"json":{}}]`:          "item 1, item 2",
		"{\"a\":1}":                          "",
		"GET / HTTP/1.1\n\nPUT / HTTP/1.1\n": "request 1, request 2",
	} {
		samples, err := ParseSamples(text, map[string]string{"X-Id": "7"})
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		var names []string
		for _, s := range samples {
			names = append(names, s.Name)
			if s.Headers["X-Id"] != "7" {
				t.Errorf("%q: %q lost its headers", text, s.Name)
			}
		}
		if got := strings.Join(names, ", "); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if _, err := ParseSamples("POST / HTTP/1.1\nA: b\n\n{}\nPOST / HTTP/1.1\nA: b\n\n{\"id\":\n", nil); err == nil || !strings.HasPrefix(err.Error(), "request 2: line 4") {
		t.Errorf("%v does not name the piece", err)
	}
}

// TestTheOrderOfFieldsSurvivesTheWrapping: the field tree shows them as the sender wrote.
func TestTheOrderOfFieldsSurvivesTheWrapping(t *testing.T) {
	for _, text := range []string{
		`{"z":1,"a":{"y":1,"b":2}}`,
		`{"headers":{"q":"1"},"body":{"z":1,"a":{"y":1,"b":2}}}`,
		`[{"json":{"z":1,"a":{"y":1,"b":2}}}]`,
		`[{"__IMTMETHOD__":"POST","z":1,"a":{"y":1,"b":2}}]`,
		`[{"json":{"headers":{},"params":{},"query":{},"body":{"z":1,"a":{"y":1,"b":2}},"webhookUrl":"x"}}]`,
	} {
		_, order, err := parseSample(text, nil)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, object := range order {
			for _, m := range object {
				names = append(names, m.name)
			}
		}
		if got := strings.Join(names, " "); got != "z a y b" {
			t.Errorf("%s: %s", text, got)
		}
	}
	if _, order, _ := parseSample("z;a\n1;2", nil); len(order) != 1 || order[0][0].name != "z" {
		t.Errorf("a row: %v", order)
	}
}

func TestTables(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		sure       bool
		says       string // "" = no table, no error
	}{
		{"a word", "hello", false, ""},
		{"a sentence", "Dear Robin, your order, number 7, is paid.", false, ""},
		{"a quote where none can be, and not sure", "a\"b,c,d", false, ""},
		{"a quote where none can be", "a,b\n1,\"x\"y\n", true, "line 2, column 5: A quote stands where none can be."},
		{"more cells than names", "a,b\n1,2\n1,2,3\n", true, "line 3, column 1: This row has 3 cells, the first line has 2."},
		{"a header line and empty rows", "id,name\n,\n", true, "no row below"},
		{"nothing", "", true, "no row in this table"},
		{"not UTF-8", "id,n\xfcme\n1,2\n", true, "not UTF-8"},
	} {
		table, err := ReadTable(tt.text, tt.sure)
		if table != nil || (err == nil) != (tt.says == "") || err != nil && !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: %v, %v; want %q", tt.name, table, err, tt.says)
		}
	}
	wide, err := ReadTable(strings.Repeat("x;", 30)+"x\n1;"+strings.Repeat("2;", 29)+"3\n", true)
	if err == nil {
		t.Errorf("31 columns of one name: %v", wide)
	}
	wide, err = NewTable([][]string{make([]string, 30), append(make([]string, 29), "7")})
	if err != nil || wide.Names[25] != "Z" || wide.Names[29] != "AD" || wide.Lines[0] != 2 {
		t.Errorf("%+v, %v", wide, err)
	}
}
