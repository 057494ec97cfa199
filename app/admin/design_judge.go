package admin

import (
	"slices"
	"strconv"
	"strings"

	"dedupedesk/frontend/page"
	"dedupedesk/rules"
)

// keyView is the key as blocks and formula, with its first fault.
func (p *designer) keyView(d *draft, j rules.Judgement) page.KeyFormView {
	parts, beyond := d.parts()
	tree := p.trees.of(d.seen())
	v := page.KeyFormView{Beyond: beyond, Field: formulaView(wordsAddress(d, tree), "key", d.Rule.Key, slices.Concat(j.Issues, j.Absent)), Samples: len(d.Rule.Samples) > 0}
	v.Field.Name, v.Field.Like = "Formula of the key", `key("stripe", body.id)`
	for i, part := range parts {
		v.Blocks = append(v.Blocks, blockView(d, i, part, len(parts), tree.Tree))
	}
	return v
}

func blockView(d *draft, i int, part rules.Part, n int, tree *rules.Tree) page.BlockView {
	v := page.BlockView{ID: strconv.Itoa(i), Was: part.Text(), Fixed: part.Path == nil, Text: part.Literal, Name: part.Name(), First: i == 0, Last: i == n-1}
	if v.Fixed {
		return v
	}
	if f, ok := tree.Find(outOfItem(d.Rule.Each, rules.Part{Path: part.Path}.Text())); ok {
		v.Value, _ = shownValue(d, f)
		v.Lacking = len(f.Missing) > 0
	}
	if part.Default != nil {
		v.Default = *part.Default
	}
	v.Steps = stepChoices(part.Steps)
	if n := len(part.Steps); n > 0 {
		v.Zone, v.Zoned = strings.CutPrefix(part.Steps[n-1], "day:")
		if !v.Zoned {
			v.Zone = ""
		}
	}
	return v
}

// stepChoices are the ways a field can be used, the present one among them. Any day
// is one choice, as its zone is chosen apart.
func stepChoices(now []string) []page.OptionView {
	chosen := strings.Join(now, stepSeparator)
	if zone, ok := strings.CutPrefix(chosen, "day:"); ok && !strings.Contains(zone, stepSeparator) {
		chosen = "day:UTC"
	}
	out := []page.OptionView{
		{Value: "", Text: "as it is, trimmed"}, {Value: "lower", Text: "lower case"}, {Value: "upper", Text: "upper case"},
		{Value: "fold", Text: "capitals do not count"}, {Value: "time", Text: "as a time, UTC"},
		{Value: "day:UTC", Text: "the day only"}, {Value: "digest", Text: "as a short code"},
		{Value: "secret", Text: "hidden, as a secret short code"},
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
		case v.Code == rules.VerdictStableOnResend:
			line.Tone, line.Word = "info", "Simulated"
		}
		if v.Fix != nil {
			line.Fix, line.Formula, line.Setting, line.Value = v.Fix.Label, v.Fix.Formula, v.Fix.Setting, v.Fix.Value
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
