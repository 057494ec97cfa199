package admin

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"

	"dedupedesk/frontend/page"
	"dedupedesk/rules"
)

// around is how many characters of a line are shown on each side of a fault.
const around = 60

// placeIn shows a place in a text. Line counts from 1, column and length count
// UTF-16 units, as browsers do.
func placeIn(text string, line, column, length int) *page.PlaceView {
	v := &page.PlaceView{Line: line, Column: column, Length: max(1, length)}
	units := utf16.Encode([]rune(lineOf(text, line)))
	start := min(max(0, column-1), len(units))
	end := min(start+v.Length, len(units))
	cut := func(from, to int) string { return strings.Trim(string(utf16.Decode(units[from:to])), "\r") }
	v.Before, v.Marked, v.After = cut(max(0, start-around), start), cut(start, end), cut(end, min(len(units), end+around))
	if start > around {
		v.Before = "…" + v.Before
	}
	if len(units) > end+around {
		v.After += "…"
	}
	return v
}

func lineOf(text string, line int) string {
	for ; line > 1; line-- {
		_, rest, ok := strings.Cut(text, "\n")
		if !ok {
			return ""
		}
		text = rest
	}
	text, _, _ = strings.Cut(text, "\n")
	return text
}

// utf16Column turns a column in code points into one in UTF-16 units.
func utf16Column(text string, line, column int) int {
	runes := []rune(lineOf(text, line))
	return len(utf16.Encode(runes[:min(max(0, column-1), len(runes))])) + 1
}

// sampleID names a sample in forms by its place and contents, so that a form of an
// older page does not hit another one.
func sampleID(i int, s rules.Sample) string {
	return fmt.Sprintf("%d-%x", i, sha256.Sum256([]byte(s.Name+"\x00"+s.Body)))[:16]
}

// sample returns the index of the sample that a form means.
func (t *turn) sample() (int, error) {
	for i, s := range t.draft.Rule.Samples {
		if t.form.Get("sample") == sampleID(i, s) {
			return i, nil
		}
	}
	return 0, errMoved
}

// groupSample says which event a sample is: one that there is, or "+" for another.
// With all it says that of every sample which nobody sorted: copies or events.
func groupSample(t *turn) error {
	if all := t.form.Get("all"); all != "" {
		t.draft.sortOpen(all == "copies")
		return nil
	}
	i, err := t.sample()
	if err != nil {
		return err
	}
	d := t.draft
	group := t.form.Get("group")
	known := slices.ContainsFunc(d.Rule.Samples, func(s rules.Sample) bool { return s.Group == group })
	switch {
	case group == "+":
		d.Rule.Samples[i].Group = ""
		group = d.freeGroup()
	case group != "" && !known:
		return errMoved
	}
	d.Rule.Samples[i].Group = group
	if i == len(d.Rule.Samples)-1 {
		d.Asked = false
	}
	return nil
}

// sortOpen puts every sample that shares an id and that nobody sorted to the event of that
// id, or each to an event of its own.
func (d *draft) sortOpen(copies bool) {
	samples := d.Rule.Samples
	for _, q := range rules.NewTree(d.judged().Samples).Doubts() {
		group := ""
		for _, i := range q.Samples {
			group = cmp.Or(group, samples[i].Group)
		}
		for _, i := range q.Samples {
			if samples[i].Group != "" {
				continue
			}
			if group == "" || !copies {
				group = d.freeGroup()
			}
			samples[i].Group = group
		}
	}
}

func removeSample(t *turn) error {
	i, err := t.sample()
	if err != nil {
		return err
	}
	d := t.draft
	if i == len(d.Rule.Samples)-1 {
		d.Asked = false
	}
	d.Rule.Samples = slices.Delete(slices.Clone(d.Rule.Samples), i, i+1)
	d.Shown = min(d.Shown, max(0, len(d.Rule.Samples)-1))
	t.said.toast = fmt.Sprintf("Sample %d is removed. Undo brings it back.", i+1)
	return nil
}

// showSample chooses the sample whose values the field list shows.
func showSample(t *turn) error {
	i, err := t.sample()
	if err != nil {
		return err
	}
	t.draft.Shown = i
	return nil
}
