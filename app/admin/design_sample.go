package admin

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"dedupedesk/app/guard"
	"dedupedesk/app/problem"
	"dedupedesk/frontend/page"
	"dedupedesk/rules"
)

// addSample reads what was pasted. What cannot be read stays in the form, with the
// place of the fault.
func (p *designer) addSample(t *turn) error {
	s, paste, err := pasted(t)
	if err != nil {
		return err
	}
	if s == nil {
		t.said.refused, t.said.paste = true, paste
		return nil
	}
	d := t.draft
	before := *d
	before.Rule.Samples = slices.Clone(d.Rule.Samples)
	d.add(*s)
	text, err := d.write()
	if err != nil {
		return err
	}
	if len(text) > maxDraft || len(d.Rule.Samples) > rules.MaxSamples {
		*d = before
		paste.Fault = &page.PlaceView{Text: fmt.Sprintf("This rule has as many samples as it can keep: %d, or nearly 4 MB together. Remove one first.", rules.MaxSamples)}
		t.said.refused, t.said.paste = true, paste
		return nil
	}
	d.recognise()
	return nil
}

// add appends a sample. The first is event A; any other waits for the question
// which event it is.
func (d *draft) add(s rules.Sample) {
	d.settle()
	d.Rule.Samples = append(d.Rule.Samples, s)
	last := len(d.Rule.Samples) - 1
	if last == 0 {
		d.Rule.Samples[0].Group = "A"
	}
	d.Asked, d.Shown = last > 0, last
	d.Added++
}

// settle makes a sample that still waits for the question a different event.
func (d *draft) settle() {
	if d.Asked {
		d.Rule.Samples[len(d.Rule.Samples)-1].Group = d.freeGroup()
		d.Asked = false
	}
}

// freeGroup is the first of A, B, … Z, A2, B2, … that no sample has.
func (d *draft) freeGroup() string {
	for n := 0; ; n++ {
		name := string(rune('A' + n%26))
		if n >= 26 {
			name += strconv.Itoa(n/26 + 1)
		}
		if !slices.ContainsFunc(d.Rule.Samples, func(s rules.Sample) bool { return s.Group == name }) {
			return name
		}
	}
}

// pasted returns the sample of a form, or nil and the form with its fault.
func pasted(t *turn) (*rules.Sample, page.PasteView, error) {
	paste := page.PasteView{Text: t.form.Get("text"), Headers: t.text("headers")}
	if len(paste.Text) > guard.MaxSampleBody {
		return nil, paste, problem.TooLarge(guard.MaxSampleBody)
	}
	headers, fault := readHeaders(paste.Headers)
	switch {
	case fault != "":
		paste.HeadersFault = fault
		return nil, paste, nil
	case strings.TrimSpace(paste.Text) == "" && len(headers) == 0:
		paste.Fault = &page.PlaceView{Text: "Paste a sample first: what your automation received when it was triggered."}
		return nil, paste, nil
	case !utf8.ValidString(paste.Text):
		paste.Fault = &page.PlaceView{Text: "This is not UTF-8 text. Copy it from your tool again."}
		return nil, paste, nil
	}
	s := &rules.Sample{Headers: headers, Body: paste.Text}
	if _, err := s.Event(); err != nil {
		paste.Fault = sampleFault(paste.Text, err)
		return nil, paste, nil
	}
	return s, paste, nil
}

// sampleFault says what could not be read, and where.
func sampleFault(text string, err error) *page.PlaceView {
	if at, ok := errors.AsType[*rules.SyntaxError](err); ok {
		v := placeIn(text, at.Line, utf16Column(text, at.Line, at.Column), 1)
		v.Text = "We could not read this sample. " + at.Msg
		return v
	}
	return &page.PlaceView{Text: "We could not read this sample. " + err.Error()}
}

// readHeaders reads lines such as X-GitHub-Delivery: 72d3162e.
func readHeaders(text string) (map[string]string, string) {
	headers := map[string]string{}
	for n, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		name, value, ok := strings.Cut(line, ":")
		name = strings.TrimSpace(name)
		if !ok || name == "" || strings.ContainsAny(name, " \t\"{}") {
			return nil, fmt.Sprintf("Line %d is not a header. Write one a line, as Name: value.", n+1)
		}
		headers[name] = strings.TrimSpace(value)
	}
	if len(headers) > rules.MaxHeaders {
		return nil, fmt.Sprintf("A sample has at most %d headers.", rules.MaxHeaders)
	}
	return headers, ""
}

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
func groupSample(t *turn) error {
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
