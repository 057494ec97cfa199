package rules

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// The verdicts of this file are arithmetic: they follow from the samples' groups.

func (t *trial) arithmetic() {
	t.unreadable()
	t.copiesMissed()
	if !t.constantKey() {
		t.eventsMerged()
	}
	t.itemsMerged()
	t.batch()
	t.refused()
	t.openQuestions()
	t.fewSamples()
}

// copiesMissed finds events whose copies get different keys. Those that differ for one
// reason are told of together.
func (t *trial) copiesMissed() {
	var found []Verdict
	for _, samples := range t.keyedEvents() {
		differ := []int{samples[0]}
		for _, i := range samples[1:] {
			if !slices.Equal(t.results[i].Keys, t.results[samples[0]].Keys) {
				differ = append(differ, i)
			}
		}
		if len(differ) == 1 || t.results[samples[0]].Group == "" {
			continue // an event of its own has no copies
		}
		v := Verdict{Code: VerdictCopiesMissed, Fail: true, Samples: differ}
		t.blame(&v)
		found = append(found, v)
	}
	for _, same := range alikeVerdicts(found) {
		v := same[0]
		what := fmt.Sprintf("Copies %s of event %s", numbers(v.Samples), t.eventName(v.Samples[0]))
		if len(same) > 1 {
			var names []string
			for n, one := range same {
				names = append(names, t.eventName(one.Samples[0]))
				if n > 0 {
					v.Samples = append(v.Samples, one.Samples...)
				}
			}
			what = "Copies of events " + someOf(names)
		}
		v.Text = what + " get different keys" + v.Text
		t.add(v)
	}
}

// blame says which parts differ between the samples of a verdict, and offers to
// take them out, or to make their spellings equal.
func (t *trial) blame(v *Verdict) {
	var at []int
	for n, p := range t.parts {
		values := t.partValues(n, v.Samples)
		if p.Path != nil && !allEqual(values) {
			at = append(at, n)
		}
	}
	if len(at) == 0 {
		t.blameKey(v)
		return
	}
	p := t.parts[at[0]]
	v.Path = pathText(p.Path)
	values := t.partValues(at[0], v.Samples)
	switch {
	case len(at) == 1 && allEqual(mapped(values, foldText)):
		v.Text += fmt.Sprintf(", because `%s` differs in capitals.", p.Name())
		v.Fix = t.change("Ignore capitals", at[0], func(p *Part) { p.Steps = append(p.Steps, "fold") })
	case len(at) == 1 && allEqual(mapped(values, instant)):
		v.Text += fmt.Sprintf(", because `%s` writes the same time in different ways.", p.Name())
		v.Fix = t.change("Compare as a time", at[0], func(p *Part) { p.Steps = append(p.Steps, "time") })
	case len(at) == 1 && allEqual(mapped(values, lookalike)):
		v.Text += fmt.Sprintf(", because `%s` is written with other characters that look the same, such as wide letters or ones that cannot be seen.", p.Name())
		v.Fix = t.without("Remove it", at)
	case t.namesMessage(p) && t.thing.same(v.Samples):
		v.Text += fmt.Sprintf(", because each message has its own `%s`. They tell of one thing: use a key for that.", p.Name())
		v.Fix = &Fix{Label: thingLevel(t.thing.formula).use(), Formula: t.thing.formula}
	default:
		v.Text += fmt.Sprintf(", because `%s` changes on each try.", p.Name())
		v.Fix = t.without("Remove it", at)
	}
}

// namesMessage tells a part by which the sender, or its name, tells messages apart.
func (t *trial) namesMessage(p Part) bool {
	f, _ := t.field(p)
	return f.Role() == RoleMessage || slices.Contains(fieldsIn(t.message.formula), f.Text)
}

// blameKey looks at keys as a whole, of a formula that blocks cannot show. Only key(…)
// makes spellings equal that look the same.
func (t *trial) blameKey(v *Verdict) {
	keys := make([]string, len(v.Samples))
	for n, i := range v.Samples {
		keys[n] = t.results[i].Key
	}
	plain := func(k string) string { text, _ := keyText(k); return text }
	switch {
	case allEqual(mapped(keys, plain)):
		v.Text += ", because spaces or accents are stored in different ways. key(…) makes them equal."
		v.Fix = &Fix{Label: "Use key(…)", Formula: "key(" + t.rule.Key + ")"}
	case allEqual(mapped(keys, foldText)) && !t.rule.FoldCase:
		v.Text += ", which differ in capitals."
		v.Fix = &Fix{Label: "Ignore capitals", Formula: t.rule.Key, Setting: "fold_case", Value: "true"}
	default:
		v.Text += "."
	}
}

// lookalike makes spellings equal that a reader takes for one.
func lookalike(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= utf8.RuneSelf && blank(r) {
			return -1
		}
		return r
	}, norm.NFKC.String(s))
}

func (t *trial) partValues(n int, samples []int) []string {
	var out []string
	for _, i := range samples {
		if row := t.results[i]; n < len(row.PartValues) {
			out = append(out, row.PartValues[n])
		}
	}
	return out
}

func allEqual(values []string) bool {
	for _, v := range values {
		if v != values[0] {
			return false
		}
	}
	return true
}

func mapped(values []string, f func(string) string) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = f(v)
	}
	return out
}

// instant writes a time part in UTC, and what is none as it is.
func instant(v string) string {
	plain := strings.ReplaceAll(v, "%3A", ":")
	if moment, err := ReadTime(plain); err == nil && strings.ContainsAny(plain, "-:") {
		return timeText(moment)
	}
	return v
}

// change returns a fix that changes one block.
func (t *trial) change(label string, n int, f func(*Part)) *Fix {
	parts := slices.Clone(t.parts)
	parts[n].Steps = slices.Clone(parts[n].Steps)
	f(&parts[n])
	return &Fix{Label: label, Formula: Formula(parts)}
}

// without returns a fix that takes blocks out, nil if no field would be left.
func (t *trial) without(label string, at []int) *Fix {
	var parts []Part
	fields := 0
	for n, p := range t.parts {
		if slices.Contains(at, n) {
			continue
		}
		parts = append(parts, p)
		if p.Path != nil {
			fields++
		}
	}
	if fields == 0 {
		return t.suggestion("Use another field")
	}
	return &Fix{Label: label, Formula: Formula(parts)}
}

// suggestion returns a fix that replaces the formula by the suggested one.
func (t *trial) suggestion(label string) *Fix {
	if t.rule.Each != "" {
		return nil
	}
	parts := t.better()
	if parts == nil || Formula(parts) == Formula(t.parts) {
		return nil
	}
	return &Fix{Label: label, Formula: Formula(parts)}
}

// constantKey finds a key that is the same whatever the event.
func (t *trial) constantKey() bool {
	tree, _ := plainTree(t.rule.Key)
	reads := false
	for _, p := range pathsIn(tree.Expr()) {
		reads = reads || roots[p[0]]
	}
	events := t.keyedEvents()
	same := len(events) > 2 && len(t.tree.Doubts()) == 0
	for _, samples := range events {
		same = same && t.results[samples[0]].Key == t.results[events[0][0]].Key
	}
	if reads && !same {
		return false
	}
	t.add(Verdict{Code: VerdictConstantKey, Fail: true, Samples: slices.Concat(events...),
		Text: "This key is the same for every event, so only the first one would ever run. Use a field that differs between events.",
		Fix:  t.suggestion("Use another field")})
	return true
}

// eventsMerged finds different events that share a key. Those that one fix tells apart
// are told of together.
func (t *trial) eventsMerged() {
	owners := map[string][]int{} // key to the first sample of each event
	var keys []string
	var found []Verdict
	for _, samples := range t.keyedEvents() {
		mine := map[string]bool{}
		for _, i := range samples {
			for _, k := range t.results[i].Keys {
				if !mine[k] {
					mine[k] = true
					if owners[k] == nil {
						keys = append(keys, k)
					}
					if !slices.ContainsFunc(owners[k], func(other int) bool { return t.doubted(other, i) }) {
						owners[k] = append(owners[k], i)
					}
				}
			}
		}
	}
	told := map[string]bool{}
	for _, k := range keys {
		if at := owners[k]; len(at) > 1 && !told[fmt.Sprint(at)] {
			told[fmt.Sprint(at)] = true
			found = append(found, t.merged(at))
		}
	}
	for _, same := range alikeVerdicts(found) {
		v := same[0]
		what := t.mergedWords(v.Samples)
		if len(same) > 1 {
			var pairs []string
			for n, one := range same {
				pairs = append(pairs, t.eventName(one.Samples[0])+" with "+t.eventName(one.Samples[1]))
				if n > 0 {
					v.Samples = append(v.Samples, one.Samples...)
				}
			}
			what = fmt.Sprintf("Different events would share a key, %s, so all but the first of each would be dropped.", someOf(pairs))
		}
		v.Text = what + v.Text
		t.add(v)
	}
}

func (t *trial) mergedWords(at []int) string {
	names := make([]string, len(at))
	for n, i := range at {
		names[n] = t.eventName(i)
	}
	last := names[len(names)-1]
	if len(names) > 2 {
		last = "all but the first"
	}
	return fmt.Sprintf("Events %s would share one key, so %s would be dropped.", someOf(names), last)
}

// merged says how different events that share a key could be told apart. Its text
// follows on that of mergedWords.
func (t *trial) merged(at []int) Verdict {
	v := Verdict{Code: VerdictEventsMerged, Fail: true, Samples: at}
	if t.message.formula != t.rule.Key && t.message.apart(at) && (t.thing.same(at) || t.sender.Name != "") {
		v.Text += " A key that every message has for itself keeps them apart."
		v.Fix = &Fix{Label: LevelMessage.use(), Formula: t.message.formula}
		return v
	}
	if t.parts == nil || t.rule.Each != "" {
		return v
	}
	t.addDifference(&v)
	return v
}

// alike tells whether the samples have the same value in every field that a key may
// hold.
func (t *trial) alike(samples []int) bool {
	return !slices.ContainsFunc(t.tree.fields, func(f Field) bool {
		return f.Kind != "object" && f.Kind != "list" && !rowName(nameOf(f.Path).own) && !changesByName(f, false) &&
			slices.ContainsFunc(samples, func(i int) bool { return f.whole[i] != f.whole[samples[0]] })
	})
}

// shortPath drops the body in front of a field, as the screen does.
func shortPath(text string) string { return strings.TrimPrefix(text, "body.") }

// fewSamples says what the samples cannot prove yet.
func (t *trial) fewSamples() {
	events := t.keyedEvents()
	copies := slices.ContainsFunc(events, func(s []int) bool { return len(s) > 1 })
	refused := slices.ContainsFunc(t.results, func(row SampleResult) bool { return row.Err != nil })
	v := Verdict{Code: VerdictFewSamples}
	switch {
	case len(t.results) == 0:
		v.Text = "There is no sample yet. Add a copy and a different event; without samples nothing can be proved."
	case len(t.results) == 1:
		v.Text = "With one sample nothing can be proved. Add a copy of it and a different event."
	case len(events) < 3 && refused:
		return // the other events may be there, and get no key
	case len(events) == 1:
		v.Text = "Add a different event; with one event alone nobody sees what would be dropped."
	case len(events) > 1 && !copies:
		v.Text = "No event has a copy yet. Add a second delivery of one of them."
	case len(events) == 2:
		v.Text = "Only two events so far. Add one more different event."
	default:
		return
	}
	t.add(v)
}
