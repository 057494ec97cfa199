package rules

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// The verdicts of advice and of the files lint_… warn of what the samples do not
// show. None of them fails.

func (t *trial) advice(targets []Target) {
	t.testButton()
	t.severalHooks()
	t.sameThing()
	t.wholeBody()
	t.noSource()
	if t.parts != nil {
		t.onlyTime()
		t.onlyChance()
		for n, p := range t.parts {
			if p.Path != nil {
				t.changesOnTry(n, p)
				t.deliveryID(n, p)
				t.place(n, p)
				t.personal(n, p)
				t.freeText(n, p)
			}
		}
	}
	t.personalBeyond()
	t.joined()
	t.onlyCase()
	t.fits(targets)
}

// noSource finds a key that begins with a field, also where the field alone is the key.
// Where nothing is known of the source, the rule's own name stands for it.
func (t *trial) noSource() {
	parts := t.parts
	if parts == nil {
		parts, _ = Parts("key(" + t.rule.Key + ")")
	}
	if len(parts) == 0 || parts[0].Path == nil {
		return
	}
	source := cmp.Or(t.sender.Name, t.rule.Sender, t.rule.Rule, NameOf(t.rule.Title), "event")
	t.add(Verdict{Code: VerdictNoSourcePrefix, Text: "Start the key with the name of its source, so that two senders never share a key.",
		Fix: &Fix{Label: fmt.Sprintf("Start with %q", source), Formula: Formula(slices.Insert(slices.Clone(parts), 0, Part{Literal: source}))}})
}

// field returns what is known of a block's field.
func (t *trial) field(p Part) (Field, bool) {
	text := pathText(p.Path)
	if f, ok := t.tree.Find(text); ok {
		return f, true
	}
	return Field{Path: p.Path, Text: text, Name: p.Path[len(p.Path)-1]}, false
}

func (t *trial) onlyTime() {
	last := ""
	for _, p := range t.parts {
		if p.Path == nil {
			continue
		}
		f, _ := t.field(p)
		day := slices.ContainsFunc(p.Steps, func(s string) bool { return strings.HasPrefix(s, "day:") })
		if day || !timeLike(f.Name, f.whole) {
			return
		}
		last = f.Text
	}
	if last != "" {
		t.add(Verdict{Code: VerdictOnlyTime, Path: last, Text: "A time alone is risky: two events can happen in the same second.", Fix: t.suggestion("Use another field")})
	}
}

// onlyChance finds a key that two events can share by chance: of amounts and
// states, or of what many events have in common.
func (t *trial) onlyChance() {
	roles := map[Role]Field{}
	for _, p := range t.parts {
		if p.Path == nil {
			continue
		}
		f, _ := t.field(p)
		r := f.Role()
		if r != RoleAmount && r != RoleKind && r != RolePlace || t.inSenderKey(f.Text) {
			return
		}
		if _, ok := roles[r]; !ok {
			roles[r] = f
		}
	}
	v := Verdict{Fix: t.suggestion("Use another field")}
	amount, hasAmount := roles[RoleAmount]
	kind, hasKind := roles[RoleKind]
	place, hasPlace := roles[RolePlace]
	switch {
	case hasAmount:
		v.Code, v.Path = VerdictOnlyAmount, amount.Text
		v.Text = fmt.Sprintf("Two different orders can have the same `%s`. Add the id of the event or of the order.", shortPath(amount.Text))
		if amountOfMoney(amount) {
			v.Text = "Two different orders can have the same amount. Add the id of the event or of the order."
		}
	case hasKind && !hasPlace:
		v.Code, v.Path = VerdictOnlyAmount, kind.Text
		v.Text = fmt.Sprintf("Many events have the same `%s`. Add the id of the event or of the order.", shortPath(kind.Text))
	case hasPlace && !hasKind:
		v.Code, v.Path = VerdictOnlyPlace, place.Text
		v.Text = fmt.Sprintf("All events with the same `%s` share this key, so only the first of them would run. Add the id of the event, unless you want that.", shortPath(place.Text))
	default:
		return // one event of each kind for each account may be what is meant
	}
	t.add(v)
}

// inSenderKey tells the fields by which the sender's own documents name an event or
// the thing that it is about.
func (t *trial) inSenderKey(text string) bool {
	return slices.Contains(fieldsIn(t.sender.Key), text) || slices.Contains(fieldsIn(t.sender.BusinessKey), text)
}

func amountOfMoney(f Field) bool {
	return slices.ContainsFunc(nameOf(f.Path).own, func(w string) bool {
		return w == "amount" || w == "total" || w == "subtotal" || w == "price" || w == "sum"
	})
}

// onlyCase finds two keys that differ in capitals alone.
func (t *trial) onlyCase() {
	seen := map[string]int{}
	for i, row := range t.results {
		for _, k := range row.Keys {
			folded := foldText(k)
			at, ok := seen[folded]
			if !ok {
				seen[folded] = i
				continue
			}
			if slices.Contains(t.results[at].Keys, k) || t.groups[at] == t.groups[i] {
				continue
			}
			t.add(Verdict{Code: VerdictOnlyCase, Samples: []int{at, i}, Fix: t.shortCode(at, i),
				Text: fmt.Sprintf("Sample %d differs from %d only in capitals. SharePoint treats them as equal.", i+1, at+1)})
			return
		}
	}
}

// shortCode returns a fix by which a field whose values differ in capitals alone
// stays apart where capitals do not count.
func (t *trial) shortCode(samples ...int) *Fix {
	for n, p := range t.parts {
		if p.Path != nil && !allEqual(t.partValues(n, samples)) {
			return t.change("Store a short code instead", n, func(p *Part) { p.Steps = append(p.Steps, "digest") })
		}
	}
	return nil
}
