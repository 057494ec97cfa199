package rules

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"unicode/utf8"
)

// shapeOf writes a value without its contents: kinds, lengths and names.
func shapeOf(v any) string {
	switch v := v.(type) {
	case Object:
		out := "{"
		for _, name := range slices.Sorted(maps.Keys(v)) {
			out += fmt.Sprintf("%d:%s,", utf8.RuneCountInString(name), shapeOf(v[name]))
		}
		return out + "}"
	case []any:
		out := "["
		for _, item := range v {
			out += shapeOf(item) + ","
		}
		return out + "]"
	}
	return kindOf(v)
}

// FuzzMask: whatever JSON comes in, valid JSON of the same shape comes out.
func FuzzMask(f *testing.F) {
	for _, text := range []string{
		`{"id":12345678901234567890,"a@b.com":[1,-0.5,1e30,true,null],"at":"2026-11-30T14:00:00Z","s":"é\"x\\ud83d\\ude00"}`,
		`[{"created":1760000000,"n":18446744073709551615},"https://x.example/a?b=c"]`, `"0"`, `{"created_at":"2026-99-30"}`,
		`{"00112233445566778899":{"x":1},"type":"a.b"}`, "{\n\t\"a\" : [ ]\n}",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		was, err := DecodeJSON([]byte(text))
		if err != nil {
			return
		}
		masked := newMask(&Rule{}).json(text)
		is, err := DecodeJSON([]byte(masked))
		if err != nil {
			t.Fatalf("%s is masked to %s, which cannot be read: %v", text, masked, err)
		}
		if len(shapeOf(was)) != len(shapeOf(is)) {
			t.Fatalf("%s is masked to %s, of another shape", text, masked)
		}
	})
}
