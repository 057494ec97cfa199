package admin

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"dedupedesk/app/guard"
	"dedupedesk/app/problem"
	"dedupedesk/frontend/page"
	"dedupedesk/rules"
	"dedupedesk/rules/presets"
)

// What a form says of a paste that holds several deliveries, or has a fault.
const (
	takeAll   = "all"   // each is a sample
	takeFirst = "first" // the first alone
	takeOne   = "one"   // it is one delivery, which is a list
	takeFixed = "fixed" // with commas and quotes mended
)

// pasted returns the samples of a form: one, or as many as the person said that
// there are. Else it returns the form with its fault, or with the question.
func pasted(t *turn) ([]rules.Sample, page.PasteView, error) {
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
	text, take := paste.Text, t.form.Get("take")
	if fixed, ok := rules.Repair(text); ok && take == takeFixed {
		text = fixed
	}
	found, err := rules.ParseSamples(text, headers)
	if err != nil {
		paste.Fault, paste.Fix = sampleFault(text, err), fixView(text)
		return nil, paste, nil
	}
	return chooseSamples(found, listItems(text, headers), take, paste)
}

// chooseSamples takes what the person chose of several deliveries, or asks. items are
// those of a list, which may be one delivery as well.
func chooseSamples(found, items []rules.Sample, take string, paste page.PasteView) ([]rules.Sample, page.PasteView, error) {
	whole := found[0]
	if len(found) == 1 && len(items) > 1 && take != takeOne {
		found = items
	}
	switch {
	case len(found) == 1 || take == takeAll && len(found) <= rules.MaxSamples:
		return found, paste, nil
	case take == takeFirst:
		return found[:1], paste, nil
	}
	v := &page.SeveralView{Count: len(found), List: len(items) > 1, Most: rules.MaxSamples, Fixed: take == takeFixed}
	if of, ok := senderOfList(whole); ok && v.List {
		v.Of = of
	}
	for _, s := range found[:min(3, len(found))] {
		v.First = append(v.First, firstWords(s.Body))
	}
	paste.Several = v
	return nil, paste, nil
}

// senderOfList returns the title of the sender whose deliveries are such lists.
func senderOfList(whole rules.Sample) (string, bool) {
	e, err := whole.Event()
	if err != nil {
		return "", false
	}
	known, ok := presets.Known("", e)
	return known.Title, ok && known.Each != ""
}

// listItems returns the objects of a text that is a list of them, each as a sample.
func listItems(text string, headers map[string]string) []rules.Sample {
	var items []json.RawMessage
	if json.Unmarshal([]byte(text), &items) != nil {
		return nil
	}
	var out []rules.Sample
	for i, item := range items {
		if item[0] != '{' {
			return nil
		}
		out = append(out, rules.Sample{Name: fmt.Sprintf("item %d", i+1), Headers: headers, Body: string(item)})
	}
	return out
}

// firstWords is the beginning of a text in one line.
func firstWords(text string) string {
	const shown = 60
	runes := []rune(strings.Join(strings.Fields(text), " "))
	if len(runes) > shown {
		return string(runes[:shown]) + "…"
	}
	return string(runes)
}

// linesShown is how many mended lines a preview lists.
const linesShown = 6

// fixView shows what mending commas and quotes would change, nil where nothing can
// be mended.
func fixView(text string) *page.FixView {
	fixed, ok := rules.Repair(text)
	if !ok {
		return nil
	}
	v := new(page.FixView)
	before, after := strings.Split(text, "\n"), strings.Split(fixed, "\n")
	for i := range min(len(before), len(after)) {
		switch was, is := strings.TrimSpace(before[i]), strings.TrimSpace(after[i]); {
		case was == is:
		case len(v.Lines) == linesShown:
			v.More++
		default:
			v.Lines = append(v.Lines, changedLine(i+1, was, is))
		}
	}
	return v
}

// changedLine cuts a line around what was changed in it.
func changedLine(n int, was, is string) page.FixLineView {
	const around, most = 20, 100
	a, b := []rune(was), []rune(is)
	from := 0
	for from < min(len(a), len(b)) && a[from] == b[from] {
		from++
	}
	from = max(0, from-around)
	cut := func(r []rune) string {
		text, end := "", min(len(r), from+most)
		if from > 0 {
			text = "…"
		}
		text += string(r[min(from, len(r)):end])
		if end < len(r) {
			text += "…"
		}
		return text
	}
	return page.FixLineView{Line: n, Before: cut(a), After: cut(b)}
}

// sampleFault says what could not be read, and where.
func sampleFault(text string, err error) *page.PlaceView {
	if other, ok := errors.AsType[*rules.UnsupportedError](err); ok && other.Hint != "" {
		return &page.PlaceView{Text: "We could not read this sample. " + err.Error()}
	}
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
