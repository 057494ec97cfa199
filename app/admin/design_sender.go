package admin

import (
	"strings"
	"time"

	"dedupedesk/frontend/page"
	"dedupedesk/rules"
	"dedupedesk/rules/presets"
)

// deliveryOf is what is known of the draft's sender, for the kind of delivery that
// its first sample is.
func deliveryOf(d *draft, tree *rules.Tree) (presets.Delivery, bool) {
	preset, ok := presets.BySender(d.Rule.Sender)
	if d.Rule.Sender == "" || !ok {
		return presets.Delivery{}, false
	}
	if len(d.Rule.Samples) > 0 {
		if e, err := tree.Event(0); err == nil {
			return preset.For(e), true
		}
	}
	return preset.Delivery, true
}

func sourceText(f presets.Fact) string {
	text := "Source: " + f.Source
	if f.Read != "" {
		if day, err := time.Parse(time.DateOnly, f.Read); err == nil {
			text += ", read " + day.Format("2 January 2006")
		}
	}
	return strings.TrimSuffix(text, ".") + "."
}

// senderView is what is known of the draft's sender, nil where nothing is.
func senderView(d *draft, tree *rules.Tree) *page.SenderView {
	delivery, ok := deliveryOf(d, tree)
	if !ok {
		return nil
	}
	preset, _ := presets.BySender(d.Rule.Sender)
	facts := delivery.Facts
	v := &page.SenderView{Title: preset.Name, Kind: delivery.Title, Notes: preset.Notes}
	add := func(label string, fact presets.Fact) {
		if fact.Text != "" {
			v.Facts = append(v.Facts, page.FactView{Label: label, Text: fact.Text, Source: sourceText(fact), Doubtful: !fact.Confirmed})
		}
	}
	add("Names an event", facts.EventID)
	add("Names the thing", facts.BusinessID)
	add("Changes on another try", facts.Changes)
	add("Tries again", facts.Retries)
	add("Waits for the answer", facts.Waits)
	add("Several hooks", facts.Hooks)
	add("Its test button", facts.TestButton)
	for _, pitfall := range facts.Pitfalls {
		add("Look out", pitfall)
	}
	if facts.RetryWindow > 0 {
		v.Window = inWords(facts.RetryWindow)
	}
	v.KeepAdvice = facts.KeepAdvice
	return v
}
