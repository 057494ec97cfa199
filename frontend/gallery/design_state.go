package main

import (
	"strconv"

	"dedupedesk/frontend/page"
)

func designSteps(chosen string) []page.OptionView {
	out := []page.OptionView{
		{Value: "", Text: "as is"}, {Value: "lower", Text: "lower case"}, {Value: "fold", Text: "capitals do not count"}, {Value: "digest", Text: "as a short code"},
	}
	for i := range out {
		out[i].Chosen = out[i].Value == chosen
	}
	return out
}

func designBlocks(names ...string) []page.BlockView {
	values := map[string]string{"id": "evt_1001", "data.object.id": "in_77", "type": "invoice.paid", "created": "1760000000", "data.object.number": "A-0041"}
	out := []page.BlockView{{ID: "0", Was: `"stripe"`, Fixed: true, Text: "stripe", First: true, Last: len(names) == 0}}
	for i, name := range names {
		out = append(out, page.BlockView{ID: string(rune('1' + i)), Was: "body." + name, Name: name, Value: values[name], Steps: designSteps(""), Last: i == len(names)-1})
	}
	return out
}

func designFormula(text string) page.FormulaView {
	return page.FormulaView{ID: "formula", Place: "key", Name: "Formula of the key", Text: text, Like: `key("stripe", body.id)`}
}

func designSuggestion(same bool) *page.SuggestionView {
	return &page.SuggestionView{Ways: []page.WayView{
		{
			Title: "Stops repeats of one message", Formula: `key("stripe", body.id)`, Same: same,
			Why:    "The sender names its messages so. Here copies share a key, and different events do not.",
			Parts:  []page.WayPart{{Text: "stripe", Why: "Keeps events of different sources apart."}, {Text: "id", Why: "The same on every copy, different between events."}},
			Source: "Source: Stripe, Receive Stripe events in your webhook endpoint, 31 October 2026.",
		},
		{
			Title: "Once per order, charge or item, however many messages tell of it", Formula: `key("stripe", body.data.object.id, body.type)`,
			Why: "Names the thing that the message is about: it runs once, however many messages tell of it. Here copies share a key, and different events do not.",
			Parts: []page.WayPart{
				{Text: "stripe", Why: "Keeps events of different sources apart."},
				{Text: "data.object.id", Why: "The same on every copy, different between events."},
				{Text: "type", Why: "The same on every copy; it tells events apart together with the others."},
			},
			Source: "Source: Stripe, Receive Stripe events in your webhook endpoint, 31 October 2026.",
		},
	}}
}

func designOneSample() page.DesignView {
	v := designBase()
	v.Groups = []page.GroupView{{Name: "Event A", Samples: []page.SampleView{designSample("1", "", "A", "A")}}}
	v.Fields = designFields(false)
	v.Key = page.KeyFormView{Samples: true, Field: designFormula(""), Suggestion: designSuggestion(false)}
	v.Verdict = []page.VerdictView{{Tone: "info", Word: "Next", Text: "Click a field that names the event, or use the suggestion. Then each sample's key stands here."}}
	v.Use.Off = "The key has no part yet. Click a field, or use the suggestion."
	v.Sender = &page.SenderView{Title: "Stripe", Kind: "Stripe events", Notes: "Stripe sends an event again until it is answered with a 2xx.", Window: "3 days", Facts: []page.FactView{
		{Label: "Names an event", Text: "`id`, the same on every try", Source: "Source: Stripe, Receive Stripe events in your webhook endpoint, read 31 October 2026."},
		{Label: "Changes on another try", Text: "the header `Stripe-Signature`", Source: "Source: recalled from Stripe's documentation.", Doubtful: true},
		{Label: "Look out", Text: "Two events may tell of one payment: `charge.succeeded` and `payment_intent.succeeded`.", Source: "Source: Stripe, Types of events, read 31 October 2026."},
	}, KeepAdvice: "Events can be sent again by hand from the dashboard for 15 days."}
	return v
}

// designThree is three samples, two of them copies, under a good key.
func designThree() page.DesignView {
	v := designBase()
	v.Groups = []page.GroupView{
		{Name: "Event A", Note: "2 copies", Samples: []page.SampleView{designSample("1", "first try", "A", "A", "B"), designSample("2", "2nd try", "A", "A", "B")}},
		{Name: "Event B", Samples: []page.SampleView{designSample("3", "", "B", "A", "B")}},
	}
	v.Fields, v.Chosen = designFields(true), []string{"body.id"}
	v.Key = page.KeyFormView{Samples: true, Blocks: designBlocks("id"), Field: designFormula(`key("stripe", body.id)`), Suggestion: designSuggestion(true)}
	return v
}

func designGood() page.DesignView {
	v := designThree()
	v.Results = []page.ResultView{
		{Number: "1", Event: "A", Key: "stripe:evt_1001", Box: "1", Outcome: page.Outcome("first", ""), Parts: designParts("id", "evt_1001")},
		{Number: "2", Event: "A", Key: "stripe:evt_1001", Box: "1", Outcome: page.Outcome("copy_stopped", "1"), Parts: designParts("id", "evt_1001")},
		{Number: "3", Event: "B", Key: "stripe:evt_1002", Box: "2", Outcome: page.Outcome("kept_apart", ""), Parts: designParts("id", "evt_1002")},
	}
	v.Grid = page.GridView{Boxes: []page.BoxView{{Number: "1", Samples: []string{"A1", "A2"}}, {Number: "2", Samples: []string{"B1"}}}}
	v.Verdict = []page.VerdictView{
		{Tone: "ok", Word: "OK", Text: "Both copies of A share one key. A and B differ."},
		{Tone: "info", Word: "Note", Text: "Only two events so far. Add one more different event."},
	}
	return v
}

// designMany is more samples than stand open, one of them not sorted yet.
func designMany() page.DesignView {
	v := designGood()
	v.Groups = nil
	var events []string
	for n := range 15 {
		events = append(events, string(rune('A'+n)))
	}
	for n, event := range events {
		g := page.GroupView{Name: "Event " + event, Events: 1}
		for copy := range 2 {
			s := designSample(strconv.Itoa(2*n+copy+1), "", event)
			s.Choice, s.Shown, s.Words = nil, n == 7 && copy == 1, "sample "+s.Number+" event "+event
			if s.Shown {
				s.Choice = []page.OptionView{{Value: event, Text: "Event " + event, Chosen: true}, {Value: "+", Text: "Another event"}}
			}
			g.Samples = append(g.Samples, s)
		}
		v.Groups = append(v.Groups, g)
	}
	v.Groups = append(v.Groups, page.GroupView{Name: "Not sorted yet", Samples: []page.SampleView{designSample("31", "", "", events...)}})
	v.Ask = &page.AskView{Sample: "30-0badc0ffee0badc", Name: "Sample 31", Groups: events, Guess: "B", Hint: "It has the same id as sample 3, so it is probably a copy."}
	v.Verdict = []page.VerdictView{
		{Tone: "error", Word: "Wrong", Text: "Samples 3, 4, 5 and 9 others have no `id`. These events would be refused with an error, not skipped."},
		{Tone: "info", Word: "Next", Text: "Say which event sample 31 is. Until then it is not judged."},
	}
	return v
}

// designManyOpen is many samples of which most share an id and wait to be sorted.
func designManyOpen() page.DesignView {
	v := designMany()
	v.Ask = nil
	v.AskAll = &page.AskAllView{Count: "15", Field: "order_id", Differ: []string{"attempt", "sent_at"}}
	open := page.GroupView{Name: "Not sorted yet"}
	for n := range v.Groups[:15] {
		second := &v.Groups[n].Samples[1]
		second.Shown, second.Choice = false, []page.OptionView{{Text: "Not sorted yet", Chosen: true}, {Value: "A", Text: "Event A"}, {Value: "+", Text: "Another event"}}
		open.Samples = append(open.Samples, *second)
		v.Groups[n].Samples = v.Groups[n].Samples[:1]
	}
	v.Groups[15] = open
	v.Verdict = []page.VerdictView{{Tone: "warn", Word: "Careful", Text: "Samples 1 and 2, 3 and 4, 5 and 6, and 12 more like them, share `order_id` and differ elsewhere: are they copies of one event, or different events? Say it beside the samples."}}
	return v
}

// designParts is where the parts of a key came from, after its fixed text.
func designParts(named ...string) []page.ResultPartView {
	out := []page.ResultPartView{{Value: "stripe", Text: true}}
	for i := 0; i < len(named); i += 2 {
		out = append(out, page.ResultPartView{From: named[i], Value: named[i+1]})
	}
	return out
}

func designAsk() page.DesignView {
	v := designGood()
	v.Groups = append(v.Groups, page.GroupView{Name: "Not sorted yet", Samples: []page.SampleView{designSample("4", "", "", "A", "B")}})
	v.Verdict = append([]page.VerdictView{{Tone: "info", Word: "Next", Text: "Say which event sample 4 is. Until then it is not judged."}}, v.Verdict...)
	v.Ask = &page.AskView{Sample: "3-0badc0ffee0badc", Name: "Sample 4", Groups: []string{"A", "B"}, Guess: "B", Hint: "It has the same id as sample 3, so it is probably a copy."}
	return v
}

func designCopiesMissed() page.DesignView {
	v := designThree()
	v.Fields, v.Chosen = designFields(true), []string{"body.id", "body.created"}
	v.Key.Blocks, v.Key.Field = designBlocks("id", "created"), designFormula(`key("stripe", body.id, body.created)`)
	v.Results = []page.ResultView{
		{Number: "1", Event: "A", Key: "stripe:evt_1001:1760000000", Box: "1", Outcome: page.Outcome("first", "")},
		{Number: "2", Event: "A", Key: "stripe:evt_1001:1760000060", Box: "2", Outcome: page.Outcome("missed", "")},
		{Number: "3", Event: "B", Key: "stripe:evt_1002:1760000300", Box: "3", Outcome: page.Outcome("kept_apart", "")},
	}
	wrong := "copies of event A have different keys"
	v.Grid = page.GridView{Boxes: []page.BoxView{{Number: "1", Samples: []string{"A1"}, Wrong: wrong}, {Number: "2", Samples: []string{"A2"}, Wrong: wrong}, {Number: "3", Samples: []string{"B1"}}}}
	v.Results[0].Parts = designParts("id", "evt_1001", "created", "1760000000")
	v.Results[1].Parts = designParts("id", "evt_1001", "created", "1760000060")
	v.Results[1].Parts[2].Differs = true
	v.Verdict = []page.VerdictView{
		{Tone: "error", Word: "Wrong", Text: "Copies 1 and 2 of event A get different keys, because `created` changes on each try.", Fix: "Remove it", Formula: `key("stripe", body.id)`},
		{Tone: "info", Word: "Note", Text: "Only two events so far. Add one more different event."},
	}
	v.Use.Doubt = "Copies 1 and 2 of event A get different keys, because created changes on each try."
	return v
}

func designEventsMerged() page.DesignView {
	v := designThree()
	v.Fields, v.Chosen = designFields(true), []string{"body.type"}
	v.Key.Blocks, v.Key.Field = designBlocks("type"), designFormula(`key("stripe", body.type)`)
	v.Results = []page.ResultView{
		{Number: "1", Event: "A", Key: "stripe:invoice.paid", Box: "1", Outcome: page.Outcome("first", "")},
		{Number: "2", Event: "A", Key: "stripe:invoice.paid", Box: "1", Outcome: page.Outcome("copy_stopped", "1")},
		{Number: "3", Event: "B", Key: "stripe:invoice.paid", Box: "1", Outcome: page.Outcome("merged", "1")},
	}
	v.Grid = page.GridView{Boxes: []page.BoxView{{Number: "1", Samples: []string{"A1", "A2", "B1"}, Wrong: "different events share this key"}}}
	v.Verdict = []page.VerdictView{{Tone: "error", Word: "Wrong", Text: "Events A and B would share one key, so B would be dropped. Add a field that differs: `id`.", Fix: "Add it", Formula: `key("stripe", body.type, body.id)`}}
	v.Use.Doubt = "Events A and B would share one key, so B would be dropped."
	return v
}

func designEmptyPart() page.DesignView {
	v := designThree()
	v.Fields, v.Chosen = designFields(true), []string{"body.data.object.number"}
	v.Key.Blocks, v.Key.Field = designBlocks("data.object.number"), designFormula(`key("stripe", body.data.object.number)`)
	v.Results = []page.ResultView{
		{Number: "1", Event: "A", Key: "stripe:A-0041", Box: "1", Outcome: page.Outcome("first", "")},
		{Number: "2", Event: "A", Key: "stripe:A-0041", Box: "1", Outcome: page.Outcome("copy_stopped", "1")},
		{Number: "3", Event: "B", Why: "Part 2, data.object.number, is null. Use another field, or say what stands in for it.", Outcome: page.Outcome("refused", "")},
	}
	v.Grid = page.GridView{Boxes: []page.BoxView{{Number: "1", Samples: []string{"A1", "A2"}}}, None: []string{"B1"}}
	v.Verdict = []page.VerdictView{
		{Tone: "error", Word: "Wrong", Text: "Sample 3 has no `data.object.number`. This event would be refused with an error, not skipped.", Fix: "Use another field", Formula: `key("stripe", body.id)`},
		{Tone: "warn", Word: "Careful", Text: "Email addresses do not belong in keys."},
		{Tone: "warn", Word: "Careful", Text: "A time alone is risky: two events can happen in the same second."},
		{Tone: "info", Word: "Note", Text: "Only two events so far. Add one more different event."},
	}
	v.Use.Doubt = "Sample 3 has no data.object.number."
	v.Use.NameFault, v.Use.Name = "There is a rule of this name already. Choose another name.", "paid-invoices"
	return v
}

func designFormulaError() page.DesignView {
	v := designThree()
	v.Fields = designFields(true)
	v.Key.Beyond, v.Key.Field = true, designFormula(`key("stripe", bdy.id)`)
	v.Key.Field.Issue = &page.PlaceView{Text: "I do not know the field `bdy`.", Hint: "Did you mean `body`?", Line: 1, Column: 15, Length: 3, Before: `key("stripe", `, Marked: "bdy", After: ".id)"}
	v.Key.Field.Write, v.Key.Field.Fixed = "body", `key("stripe", body.id)`
	v.Key.Field.Marks = []page.MarkView{{Line: 1, Column: 15, Length: 3, Text: "I do not know the field bdy. Did you mean body?", Instead: "body"}}
	v.Results = []page.ResultView{{Number: "1", Event: "A", Why: "The formula has an error.", Outcome: page.Outcome("refused", "")}}
	v.Verdict = []page.VerdictView{{Tone: "error", Word: "Wrong", Text: "I do not know the field `bdy`. Did you mean `body`?"}}
	v.Use.Off = "The formula has an error. It is marked above."
	return v
}

func designBeyond() page.DesignView {
	v := designGood()
	v.Fields = designFields(true)
	v.Key.Beyond, v.Key.Field = true, designFormula(`"stripe:" + (body.type.startsWith("invoice.") ? string(body.data.object.id) : string(body.id))`)
	return v
}

func designInUse() page.DesignView {
	v := designGood()
	v.Draft, v.Unsaved, v.Saved = "rule.paid-invoices", false, page.TimeView{}
	v.InUse = &page.InUseView{Name: "paid-invoices", Formula: v.Key.Field.Text, Keys: "1,204", Just: true, Called: true}
	v.Use.NameFixed, v.Use.Name, v.Use.Verb = true, "paid-invoices", "Use the changed rule"
	return v
}

func designInUseChanged() page.DesignView {
	v := designGood()
	v.Draft = "rule.paid-invoices"
	v.InUse = &page.InUseView{Name: "paid-invoices", Formula: `key("stripe", body.data.object.id, body.type)`, Keys: "1,204", Called: true, Changed: true}
	v.Use.NameFixed, v.Use.Name, v.Use.Verb, v.Settings.Ask = true, "paid-invoices", "Use the changed rule", true
	v.Use.Why = page.WhyView{Keys: "1,204", Keep: "35 days", Items: true, Proposed: "Filled in as the safer answer: your samples do not show that different events share a key."}
	v.Use.Fault = "This rule was changed elsewhere since your draft began. Look at the version in use, or press the button again to put yours in its place."
	return v
}

func designInUseMerged() page.DesignView {
	v := designInUseChanged()
	v.Use.Fault = ""
	v.Use.Why = page.WhyView{Keys: "1", Keep: "35 days", Merged: true, Proposed: "Your samples show it: the formula in use gives different events one key."}
	return v
}
