package rules

import (
	"fmt"
	"slices"
	"strings"
)

// Doubt is a question that samples leave open: they share the id of a thing, nobody
// said which event one of them is, and nothing in them says what happened. They may be
// copies of one event, or events of one thing.
type Doubt struct {
	Field   Field
	Samples []int // in their order, two at least
	Differ  []Field
}

// Doubts returns the questions that the samples leave open. A key is not proved, and
// none is guessed, before a person has given each of them a group.
func (t *Tree) Doubts() []Doubt { return t.guessed().doubts }

// doubts finds samples that share an id and differ elsewhere, one of them in no group.
func (t *Tree) doubts(named oneEvent) []Doubt {
	if !slices.ContainsFunc(t.samples, func(s Sample) bool { return s.Group == "" }) {
		return nil
	}
	id, ok := named.message()
	by := []Field{id}
	if !ok {
		if id, ok = named.thing(); !ok {
			return nil
		}
		by = named.add(named.add([]Field{id}, named.kind(id, true)), named.change(id, false))
	}
	var order []string
	alike := map[string][]int{}
	for i := range t.samples {
		if t.errs[i] != nil {
			continue
		}
		var values strings.Builder
		for _, f := range by {
			values.WriteString(escapePart(f.whole[i]) + ":")
		}
		at := values.String()
		if alike[at] == nil {
			order = append(order, at)
		}
		alike[at] = append(alike[at], i)
	}
	var out []Doubt
	for _, at := range order {
		d := Doubt{Field: id, Samples: alike[at]}
		unsorted := slices.ContainsFunc(d.Samples, func(i int) bool { return t.samples[i].Group == "" })
		if d.Differ = t.differing(d.Samples); unsorted && len(d.Differ) > 0 {
			out = append(out, d)
		}
	}
	return out
}

// differing lists the fields, without lists and objects, that samples do not share.
func (t *Tree) differing(samples []int) []Field {
	var out []Field
	for _, f := range t.fields {
		if f.Kind != "object" && f.Kind != "list" &&
			slices.ContainsFunc(samples, func(i int) bool { return f.whole[i] != f.whole[samples[0]] }) {
			out = append(out, f)
		}
	}
	return out
}

// Text asks the question.
func (d Doubt) Text() string {
	var names []string
	for _, f := range d.Differ[:min(len(d.Differ), 3)] {
		names = append(names, "`"+Part{Path: f.Path}.Name()+"`")
	}
	if more := len(d.Differ) - 3; more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	which := fmt.Sprintf("%d samples", len(d.Samples))
	if len(d.Samples) < 5 {
		which = "Samples " + numbers(d.Samples)
	}
	return fmt.Sprintf("%s share `%s` %s but differ in %s: are they copies of one event, or different events?",
		which, Part{Path: d.Field.Path}.Name(), d.Field.Values[d.Samples[0]], joinWords(names, "and"))
}

// doubted tells whether two samples are in one open question.
func (t *trial) doubted(a, b int) bool {
	return (t.tree.samples[a].Group == "" || t.tree.samples[b].Group == "") &&
		slices.ContainsFunc(t.tree.Doubts(), func(d Doubt) bool { return slices.Contains(d.Samples, a) && slices.Contains(d.Samples, b) })
}

// openQuestions asks what nobody has said yet, and says what this key takes for it.
func (t *trial) openQuestions() {
	open := t.tree.Doubts()
	if len(open) > fewQuestions {
		t.manyQuestions(open)
		return
	}
	for _, d := range open {
		text := d.Text() + " Say it beside the samples."
		same := t.sameKeys(d.Samples)
		switch {
		case slices.ContainsFunc(d.Samples, func(i int) bool { return len(t.results[i].Keys) == 0 }):
		case same:
			text += " This key takes them for copies: only the first would run."
		default:
			text += " This key takes them for different events: each would run."
		}
		t.add(Verdict{Code: VerdictSharedID, Samples: d.Samples, Path: d.Field.Text, Text: text})
	}
}

// fewQuestions is how many open questions are asked one by one.
const fewQuestions = 3

// manyQuestions asks them together.
func (t *trial) manyQuestions(open []Doubt) {
	v := Verdict{Code: VerdictSharedID, Path: open[0].Field.Text}
	var which []string
	copies := true
	for _, d := range open {
		which = append(which, numbers(d.Samples))
		v.Samples = append(v.Samples, d.Samples...)
		copies = copies && t.sameKeys(d.Samples)
	}
	v.Text = fmt.Sprintf("Samples %s, and %d more like them, share `%s` and differ elsewhere: are they copies of one event, or different events? Say it beside the samples.",
		strings.Join(which[:fewQuestions], ", "), len(which)-fewQuestions, Part{Path: open[0].Field.Path}.Name())
	if copies {
		v.Text += " This key takes them for copies: only the first of each would run."
	}
	t.add(v)
}
