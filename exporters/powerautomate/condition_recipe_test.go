package powerautomate

import (
	"strings"
	"testing"
	"time"

	"dedupedesk/exporters/wdl"
)

// typed is a fitting value for each recipe of each trigger.
func typed(r Recipe) string {
	switch {
	case r.Value.Name == "":
		return ""
	case len(r.Value.Choices) > 0:
		return r.Value.Choices[0].Value
	}
	return r.Value.Example
}

// clicked is the field that a person would pick in the trigger's example.
func clicked(trigger string, r Recipe) string {
	if r.Field != "" || r.NoField {
		return ""
	}
	return map[string]map[string]string{
		SharePointItem: {ValueIs: "Status/Value", NotYes: "FlowDone", HasValue: "Title", AmountAbove: "Amount"},
		SharePointFile: {ValueIs: "Status/Value", NotYes: "FlowDone", HasValue: "Title"},
		OutlookMail:    {ValueIs: "importance", Yes: "hasAttachments", HasValue: "bodyPreview"},
		DataverseRow:   {ValueIs: "name", HasValue: "telephone1", AmountAbove: "revenue"},
		TeamsMessage:   {IsEmpty: "replyToId", ValueIs: "messageType", HasValue: "subject"},
		HTTPRequest:    {ValueIs: "type", HasValue: "data/object/id", IsEmpty: "data/object/customer_email", AmountAbove: "data/object/amount_paid", Yes: "livemode", NotYes: "livemode"},
	}[trigger][r.Name]
}

// TestEachRecipeDoesWhatItSays writes every recipe of every trigger in both kinds of
// triggers, with a sample and without, and works it out on all made events.
func TestEachRecipeDoesWhatItSays(t *testing.T) {
	now := time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)
	for _, trigger := range Triggers() {
		if len(Recipes(trigger.Name)) == 0 {
			t.Errorf("%s has no recipe", trigger.Name)
		}
		for _, r := range Recipes(trigger.Name) {
			for _, outputs := range [][]byte{nil, trigger.Example} {
				for _, isClassic := range []bool{false, true} {
					p := Pick{Trigger: trigger.Name, Recipe: r.Name, Field: clicked(trigger.Name, r), Value: typed(r), Classic: isClassic}
					trial, err := p.Try(outputs, now)
					if err != nil {
						t.Errorf("%+v: %v", p, err)
						continue
					}
					for _, v := range trial.Variants {
						if !v.OK() {
							t.Errorf("%s %s, %s: %s, want %s: %s\n%s\n%s", trigger.Name, r.Name, v.Name, v.Result.Outcome, v.Want, v.Result.Reason, trial.Nested, v.Outputs)
						}
						for _, w := range v.Result.Warnings {
							if r.Name != WorkingDays && v.Want != wdl.EvalError {
								t.Errorf("%s %s, %s warns: %s", trigger.Name, r.Name, v.Name, w)
							}
						}
					}
					if len(trial.Variants) < 3 {
						t.Errorf("%s %s: %d made events", trigger.Name, r.Name, len(trial.Variants))
					}
					if trial.Words == "" || (trial.Slashed == "") != (isClassic || r.NoField) {
						t.Errorf("%s %s: %+v", trigger.Name, r.Name, trial.Line)
					}
				}
			}
		}
	}
}

// TestTriggersAreComplete: each says in sentences what a condition sees and which
// event key is good, and its recipes exist.
func TestTriggersAreComplete(t *testing.T) {
	for _, trigger := range Triggers() {
		sentences := []string{trigger.Starts, trigger.Splits, trigger.Sees, trigger.Blind}
		for _, k := range trigger.Keys {
			sentences = append(sentences, k.Sentence())
		}
		for _, s := range sentences {
			if len(s) < 10 || !strings.HasSuffix(s, ".") || s[0] < 'A' || s[0] > 'Z' {
				t.Errorf("%s: %q is no sentence", trigger.Name, s)
			}
		}
		if trigger.Title == "" || trigger.Vendor == "" || len(trigger.Keys) == 0 || len(trigger.Sources) == 0 || len(Recipes(trigger.Name)) != len(trigger.Recipes) {
			t.Errorf("%s is not complete: %+v", trigger.Name, trigger)
		}
		for _, r := range Recipes(trigger.Name) {
			if r.Name == "" || r.Title == "" || !strings.HasSuffix(r.About, ".") {
				t.Errorf("%s: recipe %+v", trigger.Name, r)
			}
		}
	}
}
