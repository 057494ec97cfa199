package rules

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// MaxBulk bounds the deliveries of one [Bulk].
const MaxBulk = 1_000_000

// maxPlaces is how many places a group and a refusal remember.
const maxPlaces = 20

// maxRefusals bounds the reasons that are told apart.
const maxRefusals = 200

// A Bulk runs many deliveries through a rule, one after the other, and groups them by
// key. It keeps keys, places and short codes of contents, no delivery: some hundred
// bytes for each key. It may be used by one goroutine at a time.
type Bulk struct {
	program  *Program
	contents contents
	byKey    map[string]int
	byText   map[uint64]int // the first group of a content
	groups   []*Group
	refused  map[refusal]*Refusal
	totals   Totals
	lacks    *Event // the first that lacks a field
}

// A Group is the deliveries that share a key. In a rule with each, the items.
type Group struct {
	Key     string
	Count   int
	Places  []string // of the first 20
	Suspect Suspect
	Text    string // why, in a sentence; "" where nothing is suspicious
	// Pair are the places of the two deliveries that Text speaks of, the earlier one
	// first; in a rule with each it may be one delivery twice.
	Pair [2]string

	ids []idField // of the first
}

// A Suspect says what is probably wrong with a group. It is a guess from contents:
// a file does not say which of its deliveries are copies.
type Suspect string

// The suspicions.
const (
	SuspectNone   Suspect = ""
	SuspectMerged Suspect = "merged" // one key, and an id or an amount differs: probably different events
	SuspectMissed Suspect = "missed" // the same contents stand under another key too: probably a copy
)

// A Refusal is a reason for which deliveries have no key.
type Refusal struct {
	Code   KeyCode
	Path   string // the field; "" if none is known
	Text   string // of the first
	Count  int
	Places []string // of the first 20
}

type refusal struct {
	code KeyCode
	path string
	part int
}

// Totals counts what a [Bulk] was given. Without each, Deliveries is the sum of Keys,
// Copies, Ignored and Refused.
type Totals struct {
	Deliveries int `json:"deliveries"`
	Keys       int `json:"keys"`    // different ones
	Copies     int `json:"copies"`  // deliveries, or items, whose key came before
	Ignored    int `json:"ignored"` // by the rule's condition
	Refused    int `json:"refused"` // without a key
	Merged     int `json:"merged"`  // suspicious groups
	Missed     int `json:"missed"`  // suspicious groups
}

// Suspicious tells whether something deserves a look.
func (t Totals) Suspicious() bool { return t.Merged+t.Missed > 0 }

// ErrBulkFull is what Add returns beyond [MaxBulk] deliveries.
var ErrBulkFull = fmt.Errorf("a test of many events takes %d deliveries at most", MaxBulk)

// NewBulk returns a bulk test of a compiled rule.
func NewBulk(p *Program) *Bulk {
	return &Bulk{program: p, contents: newContents(), byKey: map[string]int{}, byText: map[uint64]int{}, refused: map[refusal]*Refusal{}}
}

// Add runs one delivery through the rule. place says where it stands, such as line 12;
// fault, if not nil, says why it could not be read, and it counts as refused. It
// returns what became of it, one entry for each item of a rule with each. The error is
// that of ctx, [ErrBulkFull], or of the key of secret(x); then the delivery was not
// counted.
func (b *Bulk) Add(ctx context.Context, place string, s Sample, fault error) ([]Keyed, error) {
	if b.totals.Deliveries == MaxBulk {
		return nil, ErrBulkFull
	}
	var e Event
	if fault == nil {
		e, fault = s.Event()
	}
	if fault != nil {
		b.totals.Deliveries++
		return b.refuse(place, fault), nil
	}
	of, keyed, err := b.program.split(ctx, e)
	if err != nil {
		if _, ok := errors.AsType[*KeyError](err); !ok {
			return nil, err
		}
		b.totals.Deliveries++
		if lost, _ := errors.AsType[*KeyError](err); b.lacks == nil && lost.Code == KeyMissing {
			b.lacks = &e
		}
		return b.refuse(place, err), nil
	}
	for _, k := range keyed { // before anything is counted
		if _, ok := errors.AsType[*KeyError](k.Err); k.Err != nil && !ok {
			return nil, k.Err
		}
	}
	b.totals.Deliveries++
	whole := b.contents.of(e.Body)
	for i, k := range keyed {
		switch {
		case k.Err != nil:
			b.refuse(place, k.Err)
		case k.Ignored:
			b.totals.Ignored++
		case b.program.HasEach():
			// Two orders may hold the same line: an item is the same where its whole
			// delivery is.
			b.group(place, k.Key, content{whole.sum + uint64(i), b.contents.of(of[i]).ids})
		default:
			b.group(place, k.Key, whole)
		}
	}
	return keyed, nil
}

func (b *Bulk) refuse(place string, err error) []Keyed {
	why, text := refusal{code: KeyBadSample}, err.Error()
	if fault, ok := errors.AsType[*KeyError](err); ok {
		why = refusal{fault.Code, fault.Path, fault.Part}
	}
	b.totals.Refused++
	r := b.refused[why]
	if r == nil {
		if len(b.refused) >= maxRefusals {
			why = refusal{code: KeyFormula}
			text = "For other reasons."
		}
		if r = b.refused[why]; r == nil {
			r = &Refusal{Code: why.code, Path: why.path, Text: text}
			b.refused[why] = r
		}
	}
	if r.Count++; len(r.Places) < maxPlaces {
		r.Places = append(r.Places, place)
	}
	return []Keyed{{Err: err}}
}

func (b *Bulk) group(place, key string, c content) {
	at, known := b.byKey[key]
	if !known {
		at = len(b.groups)
		b.byKey[key] = at
		b.groups = append(b.groups, &Group{Key: key, ids: c.ids})
		b.totals.Keys++
	} else {
		b.totals.Copies++
	}
	g := b.groups[at]
	if g.Count++; len(g.Places) < maxPlaces {
		g.Places = append(g.Places, place)
	}
	if field, differs := b.contents.differ(g.ids, c.ids); differs && g.Suspect == SuspectNone {
		b.totals.Merged++
		g.Pair = [2]string{g.Places[0], place}
		g.Suspect, g.Text = SuspectMerged, fmt.Sprintf("In %s `%s` is another than in %s, and the key is the same: probably different events.", place, field, g.Places[0])
	}
	first, seen := b.byText[c.sum]
	if !seen {
		b.byText[c.sum] = at
		return
	}
	if f := b.groups[first]; first != at && g.Suspect == SuspectNone {
		b.totals.Missed++
		g.Pair = [2]string{f.Places[0], place}
		g.Suspect, g.Text = SuspectMissed, fmt.Sprintf("%s holds the same as %s apart from what each try changes, and the keys differ: probably a copy.", capital(place), f.Places[0])
	}
}

func capital(s string) string {
	if s == "" || s[0] < 'a' || s[0] > 'z' {
		return s
	}
	return string(s[0]-'a'+'A') + s[1:]
}

// Totals returns the counts so far.
func (b *Bulk) Totals() Totals { return b.totals }

// Groups returns the groups: suspicious ones first, then those of most deliveries,
// then in the order of first sight. The caller must not change them.
func (b *Bulk) Groups() []*Group {
	out := slices.Clone(b.groups)
	slices.SortStableFunc(out, func(x, y *Group) int {
		if (x.Suspect == SuspectNone) != (y.Suspect == SuspectNone) {
			if x.Suspect != SuspectNone {
				return -1
			}
			return 1
		}
		return y.Count - x.Count
	})
	return out
}

// Refusals returns the reasons without a key, the most frequent first.
func (b *Bulk) Refusals() []*Refusal {
	var out []*Refusal
	for _, r := range b.refused {
		out = append(out, r)
	}
	slices.SortFunc(out, func(x, y *Refusal) int {
		if x.Count != y.Count {
			return y.Count - x.Count
		}
		return slices.Compare([]string{string(x.Code), x.Path, x.Text}, []string{string(y.Code), y.Path, y.Text})
	})
	return out
}

// PlacesText names the first of the places in which count deliveries stand, most of
// them at most: line 1, line 4 and 7 more.
func PlacesText(places []string, count, most int) string {
	shown := places[:min(len(places), most)]
	text := strings.Join(shown, ", ")
	if more := count - len(shown); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
