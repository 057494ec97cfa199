package admin

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"dedupedesk/frontend/page"
	"dedupedesk/rules"
	"dedupedesk/rules/presets"
)

// keyView is the key as blocks and formula, with its first fault.
func keyView(d *draft, j rules.Judgement, fields []rules.Field, judged *rules.Rule) page.KeyFormView {
	parts, beyond := d.parts()
	v := page.KeyFormView{Beyond: beyond, Field: formulaView(d, "key", d.Rule.Key, j.Issues), Samples: len(d.Rule.Samples) > 0}
	v.Field.Name, v.Field.Like = "Formula of the key", `key("stripe", body.id)`
	for i, part := range parts {
		v.Blocks = append(v.Blocks, blockView(d, i, part, len(parts), fields))
	}
	if len(judged.Samples) > 0 {
		v.Suggestion = suggestionView(d, judged.Samples, fields)
	}
	return v
}

func blockView(d *draft, i int, part rules.Part, n int, fields []rules.Field) page.BlockView {
	v := page.BlockView{ID: strconv.Itoa(i), Was: part.Text(), Fixed: part.Path == nil, Text: part.Literal, Name: part.Name(), First: i == 0, Last: i == n-1}
	if v.Fixed {
		return v
	}
	path := rules.Part{Path: part.Path}.Text()
	for _, f := range fields {
		if f.Text == path {
			v.Value, _ = shownValue(d, f)
		}
	}
	if part.Default != nil {
		v.Default = fmt.Sprintf("%q when it is missing", *part.Default)
	}
	v.Steps = stepChoices(part.Steps)
	return v
}

// stepChoices are the ways a field can be used, the present one among them.
func stepChoices(now []string) []page.OptionView {
	chosen := strings.Join(now, stepSeparator)
	out := []page.OptionView{
		{Value: "", Text: "as is"}, {Value: "lower", Text: "lower case"}, {Value: "upper", Text: "upper case"},
		{Value: "fold", Text: "capitals do not count"}, {Value: "time", Text: "as a time, UTC"},
		{Value: "day:UTC", Text: "the day, UTC"}, {Value: "digest", Text: "as a short code"},
	}
	found := false
	for i := range out {
		if out[i].Value == chosen {
			out[i].Chosen, found = true, true
		}
	}
	if !found {
		out = append(out, page.OptionView{Value: chosen, Text: strings.ReplaceAll(chosen, stepSeparator, ", then "), Chosen: true})
	}
	return out
}

// suggestionView is what the samples speak for, and what the sender's preset says
// about once per order.
func suggestionView(d *draft, samples []rules.Sample, fields []rules.Field) *page.SuggestionView {
	v := new(page.SuggestionView)
	parts := rules.Suggest(samples)
	sender := d.Rule.Sender
	if sender == "" && len(parts) > 0 {
		sender = parts[0].Literal
	}
	preset, known := presets.BySender(sender)
	if len(parts) > 0 {
		w := way(d, parts, fields)
		if known && sameFormula(rules.Formula(parts), preset.Rule.Key) {
			w.Title, w.Source = "Stops repeats of one message", sourceText(preset.Facts.EventID)
			ofSender(&w, parts, samples)
		}
		v.Ways = append(v.Ways, w)
	}
	if business, ok := rules.Parts(preset.Facts.BusinessKey); known && ok && allThere(business, fields) {
		w := way(d, business, fields)
		w.Title, w.Source = "Once per order, charge or item, however many messages tell of it", sourceText(preset.Facts.BusinessID)
		v.Ways = append(v.Ways, w)
	}
	if len(v.Ways) == 0 {
		v.None = noSuggestion(samples)
	}
	return v
}

// noSuggestion says why no key is suggested, and what to add.
func noSuggestion(samples []rules.Sample) string {
	switch {
	case isList(samples):
		return "This sample is a list of events, and a key for the list would stand for all of them. Paste one event of the list, or give the rule file each: body, which makes a key for each."
	case len(samples) < 2:
		return "No field of this sample surely names the event: ids of accounts, forms or records come again in other events. Add a copy of this event and a different event, then a key can be suggested."
	case countEvents(samples) < 2:
		return "Add a different event: with copies of one event alone every field that stays the same could be the key."
	}
	return "No field that names an event, nor two or three together, is the same on all copies and different between events. Check which event each sample belongs to, or click fields yourself."
}

// isList tells whether the first sample's body is a list.
func isList(samples []rules.Sample) bool {
	if len(samples) == 0 {
		return false
	}
	e, err := samples[0].Event()
	_, list := e.Body.([]any)
	return err == nil && list
}

// reasonFor says of a field by what it seems to hold why it is suggested, while no
// sample tells it from others.
func reasonFor(role rules.Role) string {
	more := " Add a copy and a different event to be sure."
	switch role {
	case rules.RoleMessage:
		return "By its name the id of this one message." + more
	case rules.RoleRecord:
		return "By its name the id of what the event is about; later events about it have the same." + more
	case rules.RoleKind:
		return "Says what happened, so that another kind of event about the same thing still runs."
	case rules.RoleChange:
		return "Moves with each change, so that a later change still runs."
	}
	return "From this one event nobody can tell." + more
}

// ofSender gives the parts of a sender's own id its word instead of a guess.
func ofSender(w *page.WayView, parts []rules.Part, samples []rules.Sample) {
	if countEvents(samples) > 1 {
		return
	}
	for i, p := range parts {
		if p.Path != nil {
			w.Parts[i].Why = "The sender names its events so. Add a copy and a different event to be sure."
		}
	}
}

func allThere(parts []rules.Part, fields []rules.Field) bool {
	for _, p := range parts {
		if p.Path == nil {
			continue
		}
		text := rules.Part{Path: p.Path}.Text()
		if !slices.ContainsFunc(fields, func(f rules.Field) bool { return f.Text == text && len(f.Missing) == 0 }) {
			return false
		}
	}
	return true
}

// way shows one key with a reason for each part.
func way(d *draft, parts []rules.Part, fields []rules.Field) page.WayView {
	w := page.WayView{Formula: rules.Formula(parts), Same: sameFormula(rules.Formula(parts), d.Rule.Key)}
	one := countEvents(d.judged().Samples) < 2
	for _, p := range parts {
		if p.Path == nil {
			w.Parts = append(w.Parts, page.WayPart{Text: p.Literal, Why: "Keeps events of different sources apart."})
			continue
		}
		text := rules.Part{Path: p.Path}.Text()
		why := reasonFor(rules.RoleOther)
		for _, f := range fields {
			switch {
			case f.Text != text:
			case f.Has(rules.BadgeGood):
				why = "The same on every copy, different between events."
			case f.Has(rules.BadgeChanges):
				why = "Careful: it differs between copies of one event."
			case one:
				why = reasonFor(f.Role())
			default:
				why = "The same on every copy; it tells events apart together with the others."
			}
		}
		w.Parts = append(w.Parts, page.WayPart{Text: p.Name(), Why: why})
	}
	return w
}

func sourceText(f presets.Fact) string {
	text := "Source: " + f.Source
	if f.Read != "" {
		if day, err := time.Parse(time.DateOnly, f.Read); err == nil {
			text += ", " + day.Format("2 January 2006")
		}
	}
	if !f.Confirmed {
		text += ". Not tried by us"
	}
	return text + "."
}

// senderView is what a preset knows of its sender, nil where there is none.
func senderView(name string) *page.SenderView {
	preset, ok := presets.BySender(name)
	if name == "" || !ok {
		return nil
	}
	v := &page.SenderView{Title: preset.Title, Notes: preset.Notes}
	for _, f := range []struct {
		label string
		fact  presets.Fact
	}{
		{"Names an event", preset.Facts.EventID}, {"Names the thing", preset.Facts.BusinessID},
		{"Changes between tries", preset.Facts.Changes}, {"Tries again", preset.Facts.Retries},
	} {
		if f.fact.Text != "" {
			v.Facts = append(v.Facts, page.FactView{Label: f.label, Text: f.fact.Text, Source: sourceText(f.fact)})
		}
	}
	return v
}

// resultViews shows what each sample gets. Equal keys have equal numbers.
func resultViews(j rules.Judgement) []page.ResultView {
	var out []page.ResultView
	boxes := map[string]int{}
	for _, s := range j.Samples {
		v := page.ResultView{Number: strconv.Itoa(s.Index + 1), Event: s.Group, Key: s.Key, Outcome: page.Outcome(string(s.Outcome), strconv.Itoa(s.Same+1))}
		switch {
		case s.Err != nil:
			v.Key, v.Why = "", s.Err.Msg
		case s.Key != "":
			if boxes[s.Key] == 0 {
				boxes[s.Key] = len(boxes) + 1
			}
			v.Box = strconv.Itoa(boxes[s.Key])
		case s.Ignored:
			v.Why = "The rule's condition leaves this event out."
		}
		out = append(out, v)
	}
	return out
}

// verdictViews turns what the rules found into lines with a word before each.
func verdictViews(j rules.Judgement, r *rules.Rule) []page.VerdictView {
	if strings.TrimSpace(r.Key) == "" {
		return []page.VerdictView{{Tone: "info", Word: "Next", Text: nextStep(r)}}
	}
	var out []page.VerdictView
	for _, v := range j.Verdicts {
		line := page.VerdictView{Tone: "warn", Word: "Careful", Text: v.Text}
		switch {
		case v.Fail:
			line.Tone, line.Word = "error", "Wrong"
		case v.Code == rules.VerdictAllGood:
			line.Tone, line.Word = "ok", "OK"
		case v.Code == rules.VerdictFewSamples:
			line.Tone, line.Word = "info", "Note"
		}
		if v.Fix != nil {
			line.Fix, line.Formula = v.Fix.Label, v.Fix.Formula
		}
		out = append(out, line)
	}
	return out
}

func nextStep(r *rules.Rule) string {
	if len(r.Samples) == 0 {
		return "Add a sample of your event first."
	}
	return "Click a field that names the event, or use the suggestion. Then each sample's key stands here."
}
