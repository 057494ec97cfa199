package rules

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"
)

func mustDecode(tb testing.TB, text string) []any {
	tb.Helper()
	v, err := DecodeJSON([]byte(text))
	if err != nil {
		tb.Fatal(err)
	}
	return v.([]any)
}

func TestJoinParts(t *testing.T) {
	for _, tt := range []struct {
		name, parts, key, code string
		part                   int
	}{
		{"peers 31, empty", `["a",""]`, "", "empty", 2},
		{"peers 31, only spaces", `["a"," \t "]`, "", "spaces", 2},
		{"peers 31, null", `[null]`, "", "null", 1},
		{"peers 31, list", `["a",[]]`, "", "list", 2},
		{"peers 31, map", `["a",{}]`, "", "map", 2},
		{"peers 31, nothing", `[]`, "", "empty", 0},
		{"peers 33, nought", `["a",0]`, "a:0", "", 0},
		{"peers 33, false", `["a",false]`, "a:false", "", 0},
		{"peers 36, 30 digits", `[123456789012345678901234567890]`, "123456789012345678901234567890", "", 0},
		{"peers 36, the last differs", `[123456789012345678901234567891]`, "123456789012345678901234567891", "", 0},
		{"peers 38, decomposed and spaces", `["Jose\u0301 \t"]`, "José", "", 0},
		{"peers 38, tab inside", `["a\tb"]`, "a b", "", 0},
		{"no-break space", `["a\u00a0 b"]`, "a b", "", 0},
		{"a million stays digits", `[1000000, 1234567.5, 1e21]`, "1000000:1234567.5:1000000000000000000000", "", 0},
		{"money", `[19.90]`, "19.9", "", 0},
		{"separator left", `["a:b","c"]`, "a%3Ab:c", "", 0},
		{"separator right", `["a","b:c"]`, "a:b%3Ac", "", 0},
		{"percent", `["100%"]`, "100%25", "", 0},
		{"peers 42, NUL", `["a\u0000b"]`, "", "control", 1},
		{"peers 42, right to left", `["a\u202eb"]`, "", "control", 1},
		{"byte order mark", `["\ufeffa"]`, "", "control", 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			key, err := JoinParts(mustDecode(t, tt.parts), false, "")
			if tt.code == "" {
				if err != nil || key != tt.key {
					t.Fatalf("%q, %v; want %q", key, err, tt.key)
				}
				return
			}
			fault, ok := errors.AsType[*KeyError](err)
			if !ok || string(fault.Code) != tt.code || fault.Part != tt.part {
				t.Fatalf("%q, %v; want part %d, %s", key, err, tt.part, tt.code)
			}
		})
	}
}

func TestPeers42TheLengthOfAKey(t *testing.T) {
	for _, tt := range []struct {
		key, code string
	}{
		{strings.Repeat("é", 255), ""},
		{strings.Repeat("é", 256), "too_long"},
		{strings.Repeat("😀", 255), ""},
		{"a\nb", "control"}, {"a\x00", "control"}, {"\u202eabc", "control"}, {"a\xff", "control"},
		{"", "empty"}, {"  ", "spaces"},
		{" a ", "ends"}, {"a ", "ends"}, {"\u200ba", "ends"}, {"a\u00a0", "ends"}, {"\u200b\u2060", "spaces"},
	} {
		key, err := CheckKey(tt.key)
		switch {
		case tt.code == "" && (err != nil || key != tt.key):
			t.Errorf("%.20q: %q, %v; want it as it is", tt.key, key, err)
		case tt.code != "" && (err == nil || codeOf(t, err) != tt.code):
			t.Errorf("%.20q: %v, want %s", tt.key, err, tt.code)
		}
	}
	long := []any{strings.Repeat("k", 300)}
	if _, err := JoinParts(long, false, ""); codeOf(t, err) != "too_long" {
		t.Errorf("a part of 300: %v", err)
	}
	short, err := JoinParts(long, false, "sha256")
	if err != nil || !strings.HasPrefix(short, "sha256:") || len(short) != 71 {
		t.Errorf("long_keys sha256 gives %q, %v", short, err)
	}
	other, _ := JoinParts([]any{strings.Repeat("k", 301)}, false, "sha256")
	if other == short {
		t.Error("two long keys have one short code")
	}
	same, _ := JoinParts([]any{strings.Repeat("k", 255)}, false, "sha256")
	if same != strings.Repeat("k", 255) {
		t.Errorf("a key of 255 became %q", same)
	}
}

func TestPeers39CapitalsCountUnlessFolded(t *testing.T) {
	upper, lower := []any{"evt_A", "É", "STRASSE"}, []any{"evt_a", "é", "straße"}
	a, _ := JoinParts(upper, false, "")
	b, _ := JoinParts(lower, false, "")
	if a == b {
		t.Errorf("capitals do not count: %q", a)
	}
	a, _ = JoinParts(upper, true, "")
	b, _ = JoinParts(lower, true, "")
	if a != b {
		t.Errorf("folded %q and %q differ", a, b)
	}
}

// FuzzJoinParts: no two different lists of texts share a key, and every key is
// within its bounds.
func FuzzJoinParts(f *testing.F) {
	f.Add("a:b", "c", "a", "b:c")
	f.Add("100%", "3A", "100", "%3A")
	f.Add("é", " x", "é", "x")
	f.Fuzz(func(t *testing.T, a, b, c, d string) {
		for _, s := range []string{a, b, c, d} {
			if !utf8.ValidString(s) {
				return // the decoder lets none through
			}
		}
		one, errOne := JoinParts([]any{a, b}, false, "")
		two, errTwo := JoinParts([]any{c, d}, false, "")
		if errOne != nil || errTwo != nil {
			return
		}
		if _, err := CheckKey(one); err != nil {
			t.Fatalf("%q: %v", one, err)
		}
		norm := func(s string) string { text, _ := keyText(s); return text }
		equal := norm(a) == norm(c) && norm(b) == norm(d)
		if (one == two) != equal {
			t.Fatalf("%q, %q and %q, %q give %q and %q", a, b, c, d, one, two)
		}
	})
}
