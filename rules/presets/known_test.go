package presets

import (
	"slices"
	"strings"
	"testing"

	"dedupedesk/rules"
)

// TestNoFalseAlarmOnAPreset judges every preset's rules with what the preset tells:
// both levels are fit for use, and advice finds nothing wrong with them.
func TestNoFalseAlarmOnAPreset(t *testing.T) {
	e, err := rules.New(rules.WithSenders(Known))
	if err != nil {
		t.Fatal(err)
	}
	all, err := All()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range all {
		for _, d := range p.Deliveries() {
			business, hasBusiness := d.BusinessRule()
			for level, r := range map[string]rules.Rule{"message": d.Rule, "thing": business} {
				if level == "thing" && !hasBusiness {
					continue
				}
				j := e.Judge(t.Context(), &r)
				oneThing := level == "thing" && oneThing(d)
				for _, v := range j.Verdicts {
					switch v.Code {
					case rules.VerdictAllGood, rules.VerdictFewSamples, rules.VerdictStableOnResend:
					case rules.VerdictPersonalData: // true: senders of mails have nothing else
					case rules.VerdictTestButton, rules.VerdictSeveralHooks, rules.VerdictSameThing: // true of the samples, whatever the key
					case rules.VerdictEventsMerged:
						if !oneThing {
							t.Errorf("%s %s, %s: %s", p.Sender, d.Kind, level, v.Text)
						}
					default:
						t.Errorf("%s %s, %s: %s: %s", p.Sender, d.Kind, level, v.Code, v.Text)
					}
				}
			}
			suggestsItself(t, e, p, d)
		}
	}
}

// suggestsItself holds the first suggestion for the preset's samples to its rule.
func suggestsItself(t *testing.T, e *rules.Engine, p Preset, d Delivery) {
	t.Helper()
	tree := rules.NewTree(d.Rule.Samples)
	got := e.Suggestions(t.Context(), &rules.Rule{}, tree)
	if len(got) == 0 || got[0].Formula != d.Rule.Key || !got[0].Known || !got[0].Fits || strings.Contains(got[0].Why, "against") {
		t.Errorf("%s %s: suggestions are %+v", p.Sender, d.Kind, got)
	}
	if d.Facts.BusinessKey == "" || d.Facts.BusinessKey == d.Rule.Key {
		return
	}
	if len(got) < 2 || got[1].Formula != d.Facts.BusinessKey || got[1].Fits == oneThing(d) {
		t.Errorf("%s %s: once per thing is not suggested second: %+v", p.Sender, d.Kind, got)
	}
}

// oneThing tells whether the two events of a preset are about one thing.
func oneThing(d Delivery) bool {
	return slices.ContainsFunc(d.BusinessKeys, func(k string) bool { return slices.Contains(d.otherBusinessKeys, k) })
}
