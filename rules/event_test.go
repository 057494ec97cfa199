package rules

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestDecodeEvent(t *testing.T) {
	multi := "--x\r\nContent-Disposition: form-data; name=\"formID\"\r\n\r\n42\r\n" +
		"--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.png\"\r\n\r\n\x89PNG\r\n" +
		"--x\r\nContent-Disposition: form-data; name=\"tag\"\r\n\r\na\r\n" +
		"--x\r\nContent-Disposition: form-data; name=\"tag\"\r\n\r\nż\r\n--x--\r\n"
	for _, tt := range []struct {
		contentType, body string
		want              any
	}{
		{"application/json", `{"id":1}`, Object{"id": int64(1)}},
		{"application/json; charset=utf-8", `[1]`, []any{int64(1)}},
		{"application/cloudevents+json", `{}`, Object{}},
		{"text/plain", `{"id":1}`, Object{"id": int64(1)}},
		{"", `"x"`, "x"},
		{"application/json", "  \n", Object{}},
		{"text/xml", "", Object{}},
		{"application/x-www-form-urlencoded", "a=1&b=x+y%21&a=2&c&=z&", Object{"a": []any{"1", "2"}, "b": "x y!", "c": "", "": "z"}},
		{"multipart/form-data; boundary=x", multi, Object{"formID": "42", "tag": []any{"a", "ż"}}},
	} {
		e, err := DecodeEvent(tt.contentType, []byte(tt.body), nil, nil)
		if err != nil || !reflect.DeepEqual(e.Body, tt.want) {
			t.Errorf("%s %q: %#v, %v; want %#v", tt.contentType, tt.body, e.Body, err, tt.want)
		}
	}
	for _, tt := range []struct {
		contentType, body string
		broken            bool // a *SyntaxError, not an *UnsupportedError
	}{
		{"application/xml", "<a/>", false},
		{"text/plain", "hello", false},
		{"", "hello", false},
		{"image/png", "{}", false},
		{"multipart/form-data", "x", false},
		{"text/plain", `{"id":`, true},
		{"application/json", "hello", true},
		{"application/x-www-form-urlencoded", "a=%zz", true},
		{"application/x-www-form-urlencoded", "a=%ff", true},
		{"application/x-www-form-urlencoded", strings.Repeat("a&", 1001), true},
		{"multipart/form-data; boundary=x", "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nhalf", true},
	} {
		_, err := DecodeEvent(tt.contentType, []byte(tt.body), nil, nil)
		_, syntax := errors.AsType[*SyntaxError](err)
		_, kind := err.(*UnsupportedError)
		if tt.broken && (kind || !syntax) || !tt.broken && !kind {
			t.Errorf("%s %.20q: %T %v", tt.contentType, tt.body, err, err)
		}
	}
}

func TestHeaderNamesAreLowered(t *testing.T) {
	e, err := DecodeEvent("", nil, map[string]string{"X-A": "1", "x-a": "2", "Content-Type": "text/plain"}, nil)
	want := map[string]string{"x-a": "1, 2", "content-type": "text/plain"}
	if err != nil || !reflect.DeepEqual(e.Headers, want) {
		t.Errorf("%v, %v; want %v", e.Headers, err, want)
	}
}

func TestParseSampleReadsWhatPeoplePaste(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		headers    map[string]string
		body       any
		got        map[string]string // headers wanted
		query      map[string]string
	}{
		{"json", `{"id":1}`, nil, Object{"id": int64(1)}, map[string]string{}, nil},
		{"request", "POST /hook?source=a%20b HTTP/1.1\r\nHost: example.com\r\nX-Id: 7\r\n\r\n{\"id\":1}", nil,
			Object{"id": int64(1)}, map[string]string{"host": "example.com", "x-id": "7"}, map[string]string{"source": "a b"}},
		{"headers alone", "X-Id: 7\n\n[1]", map[string]string{"x-id": "8"}, []any{int64(1)}, map[string]string{"x-id": "8"}, nil},
		{"form request", "POST /\nContent-Type: application/x-www-form-urlencoded\n\na=1&b=2", nil,
			Object{"a": "1", "b": "2"}, map[string]string{"content-type": "application/x-www-form-urlencoded"}, nil},
		{"N10 form", "a=1&b=hello+world&id=77\n", nil, Object{"a": "1", "b": "hello world", "id": "77"}, map[string]string{}, nil},
		{"N10 form with brackets", "data%5Bid%5D=1&data[email]=&x=", nil, Object{"data[id]": "1", "data[email]": "", "x": ""}, map[string]string{}, nil},
		{"request without body", "GET /x?id=5 HTTP/1.1\nHost: a", nil, Object{}, map[string]string{"host": "a"}, map[string]string{"id": "5"}},
		{"trigger outputs", `{"headers":{"X-Id":"7","Length":12},"queries":{"Mode":"a"},"body":{"ID":42}}`, nil,
			Object{"ID": int64(42)}, map[string]string{"x-id": "7", "length": "12"}, map[string]string{"Mode": "a"}},
		{"only looks like outputs", `{"headers":{},"body":{},"id":1}`, nil,
			Object{"headers": Object{}, "body": Object{}, "id": int64(1)}, map[string]string{}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e, err := ParseSample(tt.text, tt.headers)
			if err != nil {
				t.Fatal(err)
			}
			if tt.query == nil {
				tt.query = map[string]string{}
			}
			if !reflect.DeepEqual(e.Body, tt.body) || !reflect.DeepEqual(e.Headers, tt.got) || !reflect.DeepEqual(e.Query, tt.query) {
				t.Errorf("%+v", e)
			}
		})
	}
	_, err := ParseSample("POST / HTTP/1.1\nHost: a\n\n{\n\"id\": tru}", nil)
	if at, ok := errors.AsType[*SyntaxError](err); !ok || at.Line != 5 || at.Column != 7 {
		t.Errorf("broken body of a request: %v, want line 5, column 7", err)
	}
	if _, err := ParseSample("<xml/>", map[string]string{"Content-Type": "text/xml"}); err == nil {
		t.Error("XML was read")
	}
}

// TestN10WhatIsNotReadYetIsNamed: the sentence says what it is and what to paste.
func TestN10WhatIsNotReadYetIsNamed(t *testing.T) {
	for _, tt := range []struct{ text, says string }{
		{"<?xml version=\"1.0\"?><a/>", "This is XML"},
		{"<soapenv:Envelope xmlns:soapenv=\"x\"><a/></soapenv:Envelope>", "This is XML"},
		{"id,total,paid\n7,19.90,yes\n8,1.00,no\n", "a table of 2 rows"},
		{"id,id,paid\n7,19.90,yes\n", "Two columns are named \"id\""},
		{"[{\"json\":{\"id\":1}},{\"json\":{\"id\":2}}]", "holds 2 events"},
		{"{\"id\":1}\n{\"id\":2}\n", "more text after the end"},
		{"Hello, a\nBye, b", "This is plain text. Dedupe Desk reads JSON, forms, CSV rows and requests"},
		{"curl https://example.com -d @event.json", "sends what is not in it"},
		{"Invoke-RestMethod -Uri https://example.com -Body ($e | ConvertTo-Json)", "sends what is not in it"},
		{"curl --version", "sends what is not in it"},
		{"<!DOCTYPE html><html><body>x</body></html>", "This is HTML"},
		{"\"id\": 1, \"n\": 2", "The braces around this JSON are missing."},
		{"Output: {\"id\": 1}", "Text stands before the JSON."},
		{"hello there", "This is plain text. Dedupe Desk reads JSON, forms, CSV rows and requests"},
		{"Dear Robin, your order, number 7, is paid.", "This is plain text. Dedupe Desk reads JSON, forms, CSV rows and requests"},
		{"a=1 and b=2", "This is plain text. Dedupe Desk reads JSON, forms, CSV rows and requests"},
		{"{\"id\": <a>}", "value is missing"},
		{"a=%zz&b=1", "hexadecimal"},
	} {
		_, err := ParseSample(tt.text, nil)
		if err == nil || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%q: %v, want %q", tt.text, err, tt.says)
		}
	}
}

// FuzzForm: no form panics, and every text it gives is UTF-8.
func FuzzForm(f *testing.F) {
	f.Add("a=1&b=x+y%21&a=2&c&=z&")
	f.Add("payload=%7B%22id%22%3A1%7D")
	f.Add("%=%&%%")
	f.Fuzz(func(t *testing.T, text string) {
		e, err := DecodeEvent("application/x-www-form-urlencoded", []byte(text), nil, nil)
		if err != nil {
			if _, ok := err.(*SyntaxError); !ok {
				t.Fatalf("error is %T", err)
			}
			return
		}
		for name, v := range e.Body.(Object) {
			values, many := v.([]any)
			if !many {
				values = []any{v}
			}
			for _, v := range values {
				if s, ok := v.(string); !ok || !utf8.ValidString(s) || !utf8.ValidString(name) {
					t.Fatalf("%q: %q is %T", name, v, v)
				}
			}
		}
	})
}

// FuzzParseSample: no pasted text panics, with or without a type.
func FuzzParseSample(f *testing.F) {
	f.Add("POST / HTTP/1.1\nA: b\n\n{}", "")
	f.Add(`{"headers":{"a":"b"},"body":null}`, "application/json")
	f.Add("--x\r\nContent-Disposition: form-data; name=a\r\n\r\nb\r\n--x--", "multipart/form-data; boundary=x")
	f.Add("id;name\n7;\"a;b\"\n8;\"x\"\"y\"", "")
	f.Add("\ufeffa\tb\n1\t2", "text/csv")
	f.Add(`[{"json":{"id":1}},{"json":{"id":2},"pairedItem":{"item":0}}]`, "")
	f.Add("{\"a\":1}\n{\"a\":2}", "")
	f.Add("> POST / HTTP/1.1\n> Transfer-Encoding: chunked\n>\n3\n[1]\n0\n", "")
	f.Add("POST /a HTTP/1.1\n\n{}\nPOST /b HTTP/1.1\n\n[]", "")
	f.Add(`[{"__IMTHEADERS__":[{"name":"a","value":"b"}],"id":{}}]`, "")
	f.Fuzz(func(t *testing.T, text, contentType string) {
		s := Sample{Body: text}
		if contentType != "" {
			s.Headers = map[string]string{"Content-Type": contentType}
		}
		_, err := s.Event()
		if many, fault := ParseSamples(text, s.Headers); fault == nil {
			for _, one := range many {
				if _, err := one.Event(); err != nil {
					t.Fatalf("%q of %q: %v", one.Body, text, err)
				}
			}
		} else if many != nil {
			t.Fatalf("%v and %v", many, fault)
		}
		fields, fault := fieldsOf([]Sample{s, {Body: `{"a":{"b":1}}`}})
		if (err == nil) != (fault == nil) {
			t.Fatalf("Event says %v, Fields says %v", err, fault)
		}
		for _, field := range fields {
			if len(field.Values) != 2 {
				t.Fatalf("%+v", field)
			}
		}
	})
}
