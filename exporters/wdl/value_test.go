package wdl

import (
	"testing"

	"pgregory.net/rapid"
)

// TestNumberTextIsTheNumber writes a number in any form and compares its plain
// text with exact arithmetic.
func TestNumberTextIsTheNumber(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringMatching(`-?(0|[1-9][0-9]{0,20})(\.[0-9]{1,20})?([eE][+-]?[0-9]{1,2})?`).Draw(t, "number")
		n, ok := parseNumber(s)
		if !ok {
			t.Fatalf("%s was refused", s)
		}
		if want := fromRat(n.rat).text; n.text != want {
			t.Fatalf("%s is written %s, want %s", s, n.text, want)
		}
	})
}

func TestNumbersThatAreRefused(t *testing.T) {
	for _, s := range []string{"", "-", "1e", "1e5000", "1/2", "0x1", "1_0", "Inf", "NaN", "1..2", "--1"} {
		if n, ok := parseNumber(s); ok {
			t.Errorf("%q became %s", s, n.text)
		}
	}
}
