package admin

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"dedupedesk/frontend/page"
	"dedupedesk/rules"
)

const notSorted = "Not sorted yet"

// groupViews lists the samples by event, and asks about one that nobody sorted. In a
// long list only what is shown or waits can be put to another event: each choice names
// all events.
func (p *designer) groupViews(ctx context.Context, d *draft, j rules.Judgement) ([]page.GroupView, *page.AskView, *page.AskAllView) {
	var groups []page.GroupView
	var ask *page.AskView
	names := groupNames(d.Rule.Samples)
	at := map[string]int{}
	open := map[int]bool{}
	judged := p.trees.of(d.judged().Samples)
	doubts := judged.Doubts()
	for _, q := range doubts {
		for _, i := range q.Samples {
			open[i] = d.Rule.Samples[i].Group == ""
		}
	}
	for i, s := range d.Rule.Samples {
		waits := d.Asked && i == len(d.Rule.Samples)-1
		name := upperFirst(page.GroupName(s.Group))
		if waits || open[i] {
			name = notSorted
		}
		if waits {
			seems := p.guess(ctx, d)
			ask = &page.AskView{Sample: sampleID(i, s), Name: fmt.Sprintf("Sample %d", i+1), Groups: names, Guess: seems.group, Hint: seems.why}
		}
		if _, ok := at[name]; !ok {
			at[name] = len(groups)
			groups = append(groups, page.GroupView{Name: name})
		}
		g := &groups[at[name]]
		line := sampleView(d, i, names, waits || open[i])
		if err := whyUnread(judged, i, s); err != nil {
			line.Fault = "We could not read this sample. " + err.Error()
		}
		if len(d.Rule.Samples) > page.ManySamples {
			line.Words = "sample " + line.Number + " " + s.Name + " " + name
			if i < len(j.Samples) {
				line.Words += " " + j.Samples[i].Key
			}
			if !line.Shown && name != notSorted {
				line.Choice = nil
			}
		}
		g.Samples = append(g.Samples, line)
		if g.Events = min(1, len(g.Samples)); s.Group == "" {
			g.Events = len(g.Samples)
		}
		if name == notSorted {
			g.Events = 0
		}
		if n := len(g.Samples); n > 1 && s.Group != "" {
			g.Note = fmt.Sprintf("%d copies", n)
		}
	}
	return groups, ask, askAll(doubts, open)
}

// askAll asks about all samples at once that share an id and that nobody sorted; nil for
// fewer than two.
func askAll(doubts []rules.Doubt, open map[int]bool) *page.AskAllView {
	n := 0
	for _, waits := range open {
		if waits {
			n++
		}
	}
	if n < 2 {
		return nil
	}
	v := &page.AskAllView{Count: page.Count(int64(n)), Field: rules.Part{Path: doubts[0].Field.Path}.Name()}
	for _, q := range doubts {
		for _, f := range q.Differ {
			if name := (rules.Part{Path: f.Path}).Name(); !slices.Contains(v.Differ, name) && len(v.Differ) < 3 {
				v.Differ = append(v.Differ, name)
			}
		}
	}
	return v
}

func upperFirst(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// groupNames lists the events that samples were put to, in order of first sight.
func groupNames(samples []rules.Sample) []string {
	var out []string
	for _, s := range samples {
		if s.Group != "" && !slices.Contains(out, s.Group) {
			out = append(out, s.Group)
		}
	}
	return out
}

func sampleView(d *draft, i int, groups []string, waits bool) page.SampleView {
	s := d.Rule.Samples[i]
	v := page.SampleView{Sample: sampleID(i, s), Number: fmt.Sprint(i + 1), Name: s.Name, Size: sizeInWords(len(s.Body)), Shown: i == d.Shown}
	if s.Group == "" {
		own := "Event of its own"
		if waits {
			own = notSorted
		}
		v.Choice = append(v.Choice, page.OptionView{Value: "", Text: own, Chosen: true})
	}
	for _, g := range groups {
		v.Choice = append(v.Choice, page.OptionView{Value: g, Text: upperFirst(page.GroupName(g)), Chosen: g == s.Group})
	}
	v.Choice = append(v.Choice, page.OptionView{Value: "+", Text: "Another event"})
	return v
}

func sizeInWords(n int) string {
	switch {
	case n < 1000:
		return page.Count(int64(n)) + " B"
	case n < 1000*1000:
		return fmt.Sprintf("%.1f KB", float64(n)/1000)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}

// whyUnread returns why the i-th sample cannot be read, nil where it can. The one that
// waits to be sorted is not among those that are judged.
func whyUnread(judged readSamples, i int, s rules.Sample) error {
	if i < len(judged.samples) {
		_, err := judged.Event(i)
		return err
	}
	_, err := s.Event()
	return err
}
