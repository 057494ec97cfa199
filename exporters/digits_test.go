package exporters_test

import (
	"testing"

	"dedupedesk/exporters"
)

// TestLostDigits: doubles hold whole numbers up to 2^53, and decimals of some 15 digits.
func TestLostDigits(t *testing.T) {
	for number, lost := range map[string]bool{
		"1": false, "9007199254740992": false, "9007199254740993": true, "820982911946154508": true, "-5": false,
		"19.90": false, "0.1": false, "0.12345678901234567890": true, "1e400": true, `"820982911946154508"`: false, "true": false, "null": false,
	} {
		s := exporters.Setup{
			Parts:   []exporters.Part{{Literal: "shop"}, {Path: []string{"headers", "x-id"}}, {Path: []string{"body", "lines", "[0]", "id"}}},
			Samples: []exporters.Sample{{Body: []byte(`{"lines":[]}`)}, {Name: "two", Body: []byte(`{"lines":[{"id":` + number + `}]}`)}},
		}
		label, digits, found := s.LostDigits()
		if found != lost || (lost && (label != `Sample "two"` || digits != number)) {
			t.Errorf("%s: %q %q %v, want %v", number, label, digits, found, lost)
		}
		s.Parts = []exporters.Part{{Path: []string{"item", "id"}}}
		s.Samples[1].Item = []byte(`{"id":` + number + `}`)
		if _, _, found := s.LostDigits(); found != lost {
			t.Errorf("item %s: %v, want %v", number, found, lost)
		}
	}
}
