package rules

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"
)

// Target is a place that holds keys by rules of its own. Any other than those below asks
// for nothing.
type Target string

// The targets. What they accept is from their makers' pages: Stripe takes an
// Idempotency-Key of at most 255 characters; a single line of text in SharePoint
// holds 255 and does not tell capitals apart; a Dataverse alternate key with one of
// / < > * % & : \ ? + can be unique, but not be looked up.
const (
	TargetStripe     Target = "stripe"
	TargetSharePoint Target = "sharepoint"
	TargetDataverse  Target = "dataverse"
)

const dataverseRefuses = `/<>*%&\?+` // and the colon, in place of which exporters put another

// fits finds keys that a target does not take.
func (t *trial) fits(targets []Target) {
	for i, row := range t.results {
		for _, key := range row.Keys {
			if n := len(utf16.Encode([]rune(key))); n > MaxKey {
				t.add(Verdict{Code: VerdictTooLong, Samples: []int{i}, Fix: t.shortLong(i),
					Text: fmt.Sprintf("The key of sample %d has %d characters as SharePoint and browsers count them; they take %d.", i+1, n, MaxKey)})
				return
			}
		}
	}
	if slices.Contains(targets, TargetDataverse) {
		t.fitsDataverse()
	}
}

func (t *trial) fitsDataverse() {
	for i, row := range t.results {
		for n, value := range row.PartValues {
			at := strings.IndexAny(value, dataverseRefuses)
			if at < 0 {
				continue
			}
			v := Verdict{Code: VerdictDataverse, Samples: []int{i},
				Text: fmt.Sprintf("The key of sample %d holds %q. Dataverse cannot look a row up by such a key, though it still refuses a second one.", i+1, value[at:at+1])}
			if n < len(t.parts) && t.parts[n].Path != nil {
				v.Path = pathText(t.parts[n].Path)
				v.Fix = t.change("Store a short code instead", n, func(p *Part) { p.Steps = append(p.Steps, "digest") })
			}
			t.add(v)
			return
		}
	}
}

// shortLong returns a fix for a sample's key that is too long: the longest field as a
// short code.
func (t *trial) shortLong(i int) *Fix {
	longest := -1
	for n, value := range t.results[i].PartValues {
		if n < len(t.parts) && t.parts[n].Path != nil && (longest < 0 || len(value) > len(t.results[i].PartValues[longest])) {
			longest = n
		}
	}
	if longest < 0 {
		return nil
	}
	return t.change("Store a short code instead", longest, func(p *Part) { p.Steps = append(p.Steps, "digest") })
}
