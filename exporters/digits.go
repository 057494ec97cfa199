package exporters

import (
	"bytes"
	"encoding/json"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// LostDigits returns the first number that s's samples have in the key and that a
// platform which counts in doubles, as JavaScript does, would make another number of,
// with the sample's label. It returns false where there is none. Two events could get
// one key by it.
func (s Setup) LostDigits() (label, digits string, found bool) {
	for i, sample := range s.Samples {
		for _, p := range s.Parts {
			n, ok := sample.Value(p).(json.Number)
			if ok && !fitsDouble(n.String()) {
				return sample.Label(i), n.String(), true
			}
		}
	}
	return "", "", false
}

// Value returns what the sample has where p reads, with the digits of its numbers: nil
// where it has nothing, and for headers.
func (s Sample) Value(p Part) any {
	if len(p.Path) < 2 {
		return nil
	}
	root := s.Body
	if p.Path[0] == "item" {
		root = s.Item
	} else if p.Path[0] != "body" {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(root))
	d.UseNumber()
	var at any
	if d.Decode(&at) != nil {
		return nil
	}
	for _, name := range p.Path[1:] {
		switch here := at.(type) {
		case map[string]any:
			at = here[name]
		case []any:
			n, ok := Index(name)
			if !ok || n >= len(here) {
				return nil
			}
			at = here[n]
		default:
			return nil
		}
	}
	return at
}

// maxDigits is how many a number may have that is looked at; no double holds more.
const maxDigits = 400

// fitsDouble tells whether the double nearest to a number is written as that number.
func fitsDouble(text string) bool {
	if len(text) > maxDigits || strings.ContainsAny(text, "eE") {
		return false
	}
	near, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(near, 0) {
		return false
	}
	exact, ok := new(big.Rat).SetString(text)
	written, ok2 := new(big.Rat).SetString(strconv.FormatFloat(near, 'f', -1, 64))
	return ok && ok2 && exact.Cmp(written) == 0
}
