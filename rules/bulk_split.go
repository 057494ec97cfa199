package rules

import (
	"fmt"
	"slices"
	"strings"
)

// A Split says of a [Bulk] that its key stops next to nothing, though deliveries share
// the id of a thing: the key probably holds what is another one in each copy.
type Split struct {
	Field string    // the id that comes again, as it is called on a screen
	Again int       // deliveries with an id that came before, under another key
	Parts []string  // the parts of the key by which the two of Pair differ; none where that is not known
	Pair  [2]string // the places of two deliveries that share the id, the earlier one first
	Text  string    // in a sentence or two
}

const (
	fewStopped = 20 // one copy stopped for so many ids that came again is next to nothing
	maxSplitID = 6  // fields that are looked at
)

// Split looks for an id that comes again under another key, in all that was added. It
// returns nil where copies were stopped, where no id comes again, and for a rule with
// each, whose items share ids by nature. It is a guess from names: an order of which
// several different messages tell is no fault.
func (b *Bulk) Split() *Split {
	if b.program.HasEach() {
		return nil
	}
	var best *Split
	for _, id := range b.recordIDs() {
		s := b.splitBy(id)
		if s != nil && b.totals.Copies*fewStopped < s.Again && (best == nil || s.Again > best.Again) {
			best = s
		}
	}
	if best != nil {
		best.Text = b.splitText(best)
	}
	return best
}

// recordIDs are the first fields that hold the id of a thing.
func (b *Bulk) recordIDs() []*place {
	var out []*place
	for _, g := range b.groups[:min(len(b.groups), 100)] {
		for _, f := range g.ids {
			if f.place.record && len(out) < maxSplitID && !slices.Contains(out, f.place) {
				out = append(out, f.place)
			}
		}
	}
	return out
}

// splitBy counts the keys whose first delivery has an id that an earlier key's has too.
func (b *Bulk) splitBy(id *place) *Split {
	first := map[uint32]*Group{}
	var s *Split
	for _, g := range b.groups {
		at := slices.IndexFunc(g.ids, func(f idField) bool { return f.place == id })
		if at < 0 {
			continue
		}
		was := first[g.ids[at].value]
		switch {
		case was == nil:
			first[g.ids[at].value] = g
			continue
		case s == nil:
			s = &Split{Field: Part{Path: id.path}.Name(), Pair: [2]string{was.Places[0], g.Places[0]}, Parts: b.partsApart(was.Key, g.Key)}
		}
		s.Again++
	}
	if len(first) < 2 {
		return nil // the same in all is no id
	}
	return s
}

// partsApart names the fields by which two keys differ.
func (b *Bulk) partsApart(x, y string) []string {
	parts, _ := Parts(b.program.text)
	xs, ys := strings.Split(x, ":"), strings.Split(y, ":") // a colon in a value is written %3A
	if len(xs) != len(parts) || len(ys) != len(parts) {
		return nil
	}
	var out []string
	for i, p := range parts {
		if p.Path != nil && xs[i] != ys[i] {
			out = append(out, "`"+p.Name()+"`")
		}
	}
	return out
}

func (b *Bulk) splitText(s *Split) string {
	stopped := "stops nothing"
	if b.totals.Copies > 0 {
		stopped = fmt.Sprintf("stops %d", b.totals.Copies)
	}
	have := fmt.Sprintf("%d deliveries have", s.Again)
	if s.Again == 1 {
		have = "1 delivery has"
	}
	why := "the key holds what is another one in each copy"
	if s.Parts != nil {
		why = "take " + joinWords(s.Parts, "and") + " out of the key"
	}
	return fmt.Sprintf("This key %s, though %s the `%s` of an earlier one, and another key. If %s and %s are copies, %s.",
		stopped, have, s.Field, s.Pair[0], s.Pair[1], why)
}
