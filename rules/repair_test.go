package rules

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestRepairMendsCommasAndQuotes(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"comma too many", `{"a":1,"b":[1,2,],}`, `{"a":1,"b":[1,2]}`},
		{"comma missing at the end of a line", "{\n \"a\": 1\n \"b\": 2\n}", "{\n \"a\": 1,\n \"b\": 2\n}"},
		{"comma missing between objects", `[{"a":1} {"a":2}]`, `[{"a":1}, {"a":2}]`},
		{"comma twice", `{"a":1,,"b":2}`, `{"a":1,"b":2}`},
		{"curly quotes", `{“a”: “x”, „b“: "y"}`, `{"a": "x", "b": "y"}`},
		{"one curly quote", `{"a": "x”, "b": "y"}`, `{"a": "x", "b": "y"}`},
		{"Python", `{'a': None, 'b': True, 'c': False, 'd': "it's", 'e': 'say "x"', 'f': 'it\'s'}`, `{"a": null, "b": true, "c": false, "d": "it's", "e": "say \"x\"", "f": "it's"}`},
		{"JavaScript", "{a: 1, $b_2: 'x', // why\n c-d: [2] /* more\n lines */ };", "{\"a\": 1, \"$b_2\": \"x\", \n \"c-d\": [2] \n }"},
		{"fence", "```json\n{\"a\":1,}\n```\n", "\n{\"a\":1}\n\n"},
		{"odd spaces", "{\u00a0\"a\":\u00a01,}\ufeff", "{ \"a\": 1} "},
		{"tab in text", "{\"a\":\"x\ty\"}", `{"a":"x\ty"}`},
		{"digits are kept", `{'n': 12345678901234567890.10, 'm': 1e300,}`, `{"n": 12345678901234567890.10, "m": 1e300}`},
		{"comma after a comment", "{\"a\": 1 // one\n\"b\": 2}", "{\"a\": 1, \n\"b\": 2}"},
		{"request", "POST /x HTTP/1.1\nX-A: 'b,\n\n{'a':1,}", "POST /x HTTP/1.1\nX-A: 'b,\n\n{\"a\":1}"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got, ok := Repair(tt.text); got != tt.want || !ok {
				t.Errorf("Repair gives %q, %v\nwant %q", got, ok, tt.want)
			}
		})
	}
}

// What could mean two things is left to the person.
func TestRepairDoesNotGuess(t *testing.T) {
	for _, text := range []string{
		``, `{"a":1}`, `{"a":`, `{"a":1`, `{"a":"x`, `{"a":"say "x" to"}`, `[1,,2]`, `["a" "b"]`, `[1 2]`, `{"a":NaN}`, `{"a":abc}`,
		`{"a":01}`, `{"a":1,'a':2}`, `{"a":.5}`, `{'a':'\x41'}`, "{'a':'x\ny'}", `{"a":datetime(1)}`, `<a/>`, `a=1`, `{"a":undefined}`, `/* {`, `{,}`,
	} {
		if got, ok := Repair(text); ok || got != "" {
			t.Errorf("Repair(%q) gives %q", text, got)
		}
	}
}

// loose writes a value as hands and programs write it.
func loose(t *rapid.T, b *strings.Builder, v any) {
	draw := func(name string, of ...string) string { return rapid.SampledFrom(of).Draw(t, name) }
	text := func(s string) {
		s = strings.ReplaceAll(s, `\`, `\\`)
		switch draw("quote", `"`, "'", "“") {
		case "'":
			b.WriteString("'" + strings.ReplaceAll(s, "'", `\'`) + "'")
		case "“":
			b.WriteString("“" + strings.NewReplacer("“", `\“`, "”", `\”`, "„", `\„`, "‟", `\‟`, `"`, `\"`).Replace(s) + "”")
		default:
			b.WriteString(`"` + strings.ReplaceAll(s, `"`, `\"`) + `"`)
		}
	}
	gap := func() { b.WriteString(draw("gap", "", " ", "\n", "// ', {\n", "/* \" ] */", "\u00a0")) }
	switch v := v.(type) {
	case nil:
		b.WriteString(draw("null", "null", "None"))
	case bool:
		b.WriteString(map[bool]string{true: draw("true", "true", "True"), false: draw("false", "false", "False")}[v])
	case string:
		text(v)
	case []any:
		b.WriteString("[")
		for i, item := range v {
			gap()
			loose(t, b, item)
			if gap(); i < len(v)-1 {
				b.WriteString(",")
			} else {
				b.WriteString(draw("end", "", ","))
			}
		}
		gap()
		b.WriteString("]")
	case Object:
		b.WriteString("{")
		names := make([]string, 0, len(v))
		for name := range v {
			names = append(names, name)
		}
		slices.Sort(names)
		for i, name := range names {
			gap()
			if n := nameLength(name); n == len(name) && n > 0 && draw("bare", "yes", "no") == "yes" {
				b.WriteString(name)
			} else {
				text(name)
			}
			gap()
			b.WriteString(":")
			gap()
			loose(t, b, v[name])
			if gap(); i < len(names)-1 {
				b.WriteString(draw("comma", ",", ",", "\n", ",,"))
			} else {
				b.WriteString(draw("end", "", ","))
			}
		}
		gap()
		b.WriteString("}")
	default:
		b.Write(EncodeJSON(v))
	}
}

func looseValue(depth int) *rapid.Generator[any] {
	leaf := rapid.OneOf(
		rapid.Just[any](nil), rapid.Bool().AsAny(), rapid.Int64().AsAny(),
		rapid.StringMatching(`[a-z0-9 '"“”‘{}\[\],:\\é/#-]{0,12}`).AsAny(),
	)
	if depth == 0 {
		return leaf
	}
	name := rapid.OneOf(rapid.StringMatching(`[a-z_$][a-z0-9-]{0,5}`), rapid.StringMatching(`[a-z '"”:,]{0,5}`))
	list := rapid.Custom(func(t *rapid.T) any { return rapid.SliceOfN(looseValue(depth-1), 0, 4).Draw(t, "list") })
	object := rapid.Custom(func(t *rapid.T) any {
		return rapid.MapOfN(name, looseValue(depth-1), 0, 4).Draw(t, "object")
	})
	return rapid.OneOf(leaf, list, object)
}

// Whatever is mended has the very values that were written.
func TestRepairChangesNoValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := looseValue(3).Draw(t, "value")
		var b strings.Builder
		loose(t, &b, want)
		text := b.String()
		got, err := DecodeJSON([]byte(text))
		if err != nil {
			fixed, ok := Repair(text)
			if !ok {
				t.Fatalf("not mended: %s", text)
			}
			if strings.Count(fixed, "\n") != strings.Count(text, "\n") {
				t.Fatalf("another number of lines: %q from %q", fixed, text)
			}
			if got, err = DecodeJSON([]byte(fixed)); err != nil {
				t.Fatal(err)
			}
		}
		if a, b := string(EncodeJSON(got)), string(EncodeJSON(want)); a != b {
			t.Fatalf("%s\nwas written as %s\nand read as %s", b, text, a)
		}
	})
}

// FuzzRepair: what comes out is valid or nothing, of the same lines, and good.
func FuzzRepair(f *testing.F) {
	for _, text := range []string{`{'a':1,}`, "{a:“x”\nb:None}", "```\n[1,]\n```", "// x\n{'a':'\\u00e9'}", "POST / HTTP/1.1\nA: b\n\n{a:1}", `{"a":"x”,}`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		fixed, ok := Repair(text)
		if !ok {
			if fixed != "" {
				t.Fatalf("text without a repair: %q", fixed)
			}
			return
		}
		body := fixed
		if r, isRequest := splitRequest(text); isRequest {
			body = strings.TrimPrefix(fixed, text[:len(text)-len(r.body)])
		}
		if _, err := DecodeJSON([]byte(body)); err != nil || !utf8.ValidString(body) {
			t.Fatalf("%q is mended to %q, which cannot be read: %v", text, fixed, err)
		}
		if strings.Count(fixed, "\n") != strings.Count(text, "\n") {
			t.Fatalf("%q is mended to %q, which has other lines", text, fixed)
		}
	})
}
