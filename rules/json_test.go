package rules

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func TestDecodeJSONKeepsEveryDigit(t *testing.T) {
	for _, tt := range []struct {
		text string
		want any
	}{
		{"0", int64(0)}, {"-0", int64(0)}, {"-0.0", int64(0)}, {"0e5", int64(0)}, {"0e999999999999", int64(0)},
		{"42", int64(42)}, {"-7", int64(-7)}, {"1e3", int64(1000)}, {"1.0", int64(1)}, {"12.50e2", int64(1250)},
		{"9007199254740993", int64(9007199254740993)},
		{"820982911946154508", int64(820982911946154508)},
		{"9223372036854775807", int64(9223372036854775807)},
		{"-9223372036854775808", int64(-9223372036854775808)},
		{"9223372036854775808", uint64(9223372036854775808)},
		{"18446744073709551615", uint64(18446744073709551615)},
		{"18446744073709551616", Number("18446744073709551616")},
		{"-9223372036854775809", Number("-9223372036854775809")},
		{"19.9", 19.9}, {"19.90", 19.9}, {"-0.05", -0.05}, {"1e-7", 1e-7}, {"1e21", 1e21},
		{"0.1000000000000000055", Number("0.1000000000000000055")},
		{"123456789012345678.5", Number("123456789012345678.5")},
		{"123456789012345678901234567890", Number("123456789012345678901234567890")},
		{"1e-400", nil}, {"1e400", nil}, {"1e-396", Number("0." + strings.Repeat("0", 395) + "1")},
	} {
		got, err := DecodeJSON([]byte(tt.text))
		if tt.want == nil {
			if err == nil {
				t.Errorf("%s was accepted as %v; it has more than 400 digits", tt.text, got)
			}
			continue
		}
		if err != nil || !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s is %T %v, %v; want %T %v", tt.text, got, got, err, tt.want, tt.want)
		}
	}
}

func TestDecodeJSONSaysWhere(t *testing.T) {
	for _, tt := range []struct {
		text         string
		line, column int
		says         string
	}{
		{`{"id":"first","id":"second"}`, 1, 15, "twice"},
		{"{\n  \"é😀\": tru\n}", 2, 9, "double quotes"},
		{`{"a":1,}`, 1, 8, "comma too many"},
		{`[1,2,]`, 1, 6, "comma too many"},
		{`[1 2]`, 1, 4, "comma or ] is missing"},
		{`{"a":1 "b":2}`, 1, 8, "comma or } is missing"},
		{`{"a" 1}`, 1, 6, "colon"},
		{`{a:1}`, 1, 2, "A name in double quotes"},
		{`{'a':1}`, 1, 2, "A name in double quotes"},
		{`['a']`, 1, 2, "straight double quotes"},
		{`[NaN]`, 1, 2, "not a number"},
		{`[-Infinity]`, 1, 2, "digit"},
		{`[None]`, 1, 2, "null"},
		{`[01]`, 1, 2, "does not start with 0"},
		{`[1.]`, 1, 2, "after the point"},
		{`[.5]`, 1, 2, "before the point"},
		{`[+5]`, 1, 2, "plus"},
		{`[1e]`, 1, 2, "exponent"},
		{`"\ud83d"`, 1, 2, "half of a character"},
		{`"\ud83d\u0041"`, 1, 2, "half of a character"},
		{`"\x"`, 1, 2, "no escape"},
		{`"\u12g4"`, 1, 2, "hexadecimal"},
		{"\"a\nb\"", 1, 1, "closing quote"},
		{"\"a\tb\"", 1, 3, "control"},
		{"\"a\xff\"", 1, 3, "UTF-8"},
		{`"abc`, 1, 1, "closing quote"},
		{`{} {}`, 1, 4, "after the end"},
		{`// note`, 1, 1, "comments"},
		{``, 1, 1, "too early"},
		{`{"a":`, 1, 6, "too early"},
		{strings.Repeat("[", 65) + strings.Repeat("]", 65), 1, 65, "64 deep"},
		{"[" + strings.Repeat("1", 401) + "]", 1, 2, "400 digits"},
		{"[1e401]", 1, 2, "400 digits"},
	} {
		_, err := DecodeJSON([]byte(tt.text))
		at, ok := errors.AsType[*SyntaxError](err)
		if !ok {
			t.Errorf("%.40q was accepted", tt.text)
			continue
		}
		if at.Line != tt.line || at.Column != tt.column || !strings.Contains(at.Msg, tt.says) {
			t.Errorf("%.40q: %v; want line %d, column %d, %q", tt.text, at, tt.line, tt.column, tt.says)
		}
	}
}

func TestDecodeJSONAcceptsWhatIsJSON(t *testing.T) {
	deep := strings.Repeat("[", 64) + strings.Repeat("]", 64)
	for _, text := range []string{deep, "\xef\xbb\xbf{}", ` { "" : 2 } `, `"\ud83d\ude00\u0000\/"`, "[[{}],[]]", "\"\u007f\""} {
		if _, err := DecodeJSON([]byte(text)); err != nil {
			t.Errorf("%.40q: %v", text, err)
		}
	}
	v, err := DecodeJSON([]byte(`"\ud83d\ude00\b\f\n\r\t\"\\\/\u00e9"`))
	if want := "😀\b\f\n\r\t\"\\/é"; err != nil || v != want {
		t.Errorf("escapes give %q, %v; want %q", v, err, want)
	}
}

// TestEdgeBodies runs key("e", …) on each hand-written body.
func TestEdgeBodies(t *testing.T) {
	e := newEngine(t)
	want := map[string]struct{ formula, key, code string }{
		"bare-string.json":               {`key("e", body)`, "e:just text", ""},
		"duplicate-member.json":          {`key("e", body.id)`, "", "bad_sample"},
		"empty-array.json":               {`key("e", body)`, "", "list"},
		"id-above-int64.json":            {`key("e", body.id)`, "e:18446744073709551615", ""},
		"id-above-uint64.json":           {`key("e", body.id)`, "e:184467440737095516150", ""},
		"id-empty-string.json":           {`key("e", body.id)`, "", "empty"},
		"id-exponent.json":               {`key("e", body.id)`, "e:1000000000000000000000", ""},
		"id-missing.json":                {`key("e", body.id)`, "", "missing"},
		"id-negative-zero.json":          {`key("e", body.id)`, "e:0", ""},
		"id-null.json":                   {`key("e", body.id)`, "", "null"},
		"id-number-and-text.json":        {`key("e", body.a.id, body.b.id)`, "e:42:42", ""},
		"id-only-spaces.json":            {`key("e", body.id)`, "", "spaces"},
		"key-with-newline.json":          {`key("e", body.id)`, "e:line1 line2", ""},
		"key-with-separator.json":        {`key("e", body.a, body.b)`, "e:x%3Ay:z", ""},
		"member-names-need-quoting.json": {`key("e", body["First Name"], body["event-data"].id, body["{VersionNumber}"], body["Editor#Claims"], body["a.b"], body[""])`, "e:A:x y:3.0:c:1:2", ""},
		"nested-array.json":              {`key("e", body[1][0].id)`, "e:2", ""},
		"very-long-id.json":              {`key("e", body.id)`, "", "too_long"},
	}
	files, err := filepath.Glob("testdata/edge/*.json")
	if err != nil || len(files) != len(want) {
		t.Fatalf("%d edge bodies, %v; want %d", len(files), err, len(want))
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		w := want[filepath.Base(file)]
		key, fault := keyOf(t, e, &Rule{Key: w.formula}, Sample{Body: string(data)})
		if key != w.key || fault != w.code {
			t.Errorf("%s: key %q, code %q; want %q, %q", file, key, fault, w.key, w.code)
		}
	}
}

// FuzzDecodeJSON: no input panics, and what is accepted survives being written
// in canonical form and read again.
func FuzzDecodeJSON(f *testing.F) {
	files, _ := filepath.Glob("testdata/*/*/*.json")
	edges, _ := filepath.Glob("testdata/edge/*.json")
	for _, file := range append(files, edges...) {
		if data, err := os.ReadFile(file); err == nil {
			f.Add(data)
		}
	}
	for _, s := range []string{`[1e-396,-0.0,1e21,"\ud83d\ude00"]`, `{"a":{"b":[null,true,"` + "\u2028" + `"]}}`, "[-1.50e+2]"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		v, orders, err := decodeOrdered(data, true)
		if err != nil {
			if _, ok := errors.AsType[*SyntaxError](err); !ok {
				t.Fatalf("error is %T", err)
			}
			return
		}
		if !json.Valid(bytes.TrimPrefix(data, []byte("\ufeff"))) {
			t.Fatalf("%q is no JSON, and was read as %v", data, v)
		}
		text := appendCanonical(nil, v)
		again, err := DecodeJSON(text)
		if err != nil || !reflect.DeepEqual(v, again) {
			t.Fatalf("%q became %q: %v, %v", data, text, again, err)
		}
		for _, order := range orders {
			for _, m := range order {
				if _, err := DecodeJSON(data[m.from:m.to]); err != nil && m.to-m.from > 0 {
					t.Fatalf("member %q does not stand at %d to %d: %v", m.name, m.from, m.to, err)
				}
			}
		}
	})
}
