package page

import (
	"fmt"
	"unicode"
)

// A keyPart is a run of a key's text. Odd is set for one character that would draw
// nothing, or turn the text around it: it is shown by its number instead.
type keyPart struct {
	Text string
	Odd  bool
}

// keyParts cuts a key into what can be drawn as it is and what cannot.
func keyParts(key string) []keyPart {
	var parts []keyPart
	plain := 0
	for i, r := range key {
		if !unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) {
			continue
		}
		if plain < i {
			parts = append(parts, keyPart{Text: key[plain:i]})
		}
		parts = append(parts, keyPart{Text: fmt.Sprintf("U+%04X", r), Odd: true})
		plain = i + len(string(r))
	}
	if plain < len(key) {
		parts = append(parts, keyPart{Text: key[plain:]})
	}
	return parts
}

// hasOdd tells whether what is drawn differs from the key itself.
func hasOdd(parts []keyPart) bool {
	for _, p := range parts {
		if p.Odd {
			return true
		}
	}
	return false
}

// shortKey returns the start of a key, for the name of its button.
func shortKey(key string) string {
	const most = 40
	if runes := []rune(key); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return key
}
