package exporters_test

import (
	"testing"

	"dedupedesk/exporters"
)

func TestKeyLiteral(t *testing.T) {
	for text, want := range map[string]string{
		"shop": "shop", "  a\n\tb ": "a b", "100%: all": "100%25%3A all", "%3A": "%253A", "e\u0301": "\u00e9", " \u00a0\n": "", "": "",
	} {
		if got := exporters.KeyLiteral(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
