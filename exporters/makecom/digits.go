package makecom

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"

	"dedupedesk/exporters"
)

// longNumbers warns of numbers in the key that many programs cannot hold: whole
// ones beyond 2^53, which become the same as their neighbours.
func longNumbers(s exporters.Setup) []exporters.Check {
	for i, sample := range s.Samples {
		d := json.NewDecoder(bytes.NewReader(sample.Body))
		d.UseNumber()
		var body any
		if d.Decode(&body) != nil {
			continue
		}
		for _, p := range s.Parts {
			if len(p.Path) < 2 || p.Path[0] != "body" {
				continue
			}
			n, ok := valueAt(body, p.Path[1:]).(json.Number)
			if ok && tooLong(n) {
				return []exporters.Check{{Result: exporters.Warn, Text: fmt.Sprintf("%s has the number %s, longer than many programs can hold. Whether Make keeps all its digits is not known to us: compare the key of a real run with the rule's before you rely on it, or use a field that carries it as text.", sample.Label(i), n)}}
			}
		}
	}
	return nil
}

func tooLong(n json.Number) bool {
	whole, ok := new(big.Int).SetString(n.String(), 10)
	return ok && whole.BitLen() > 53
}

func valueAt(at any, path []string) any {
	for _, name := range path {
		switch here := at.(type) {
		case map[string]any:
			at = here[name]
		case []any:
			n, ok := exporters.Index(name)
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
