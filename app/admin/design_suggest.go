package admin

import (
	"context"
	"strings"

	"dedupedesk/frontend/page"
	"dedupedesk/rules"
	"dedupedesk/rules/presets"
)

// suggestionView is what the sender documents and the samples speak for, at both
// levels, the best first.
func (p *designer) suggestionView(ctx context.Context, d *draft, samples []rules.Sample) *page.SuggestionView {
	v, tree := new(page.SuggestionView), p.trees.of(samples)
	one := countEvents(samples) < 2
	for _, s := range p.Rules.Suggestions(ctx, &d.Rule, tree.Tree) {
		w := page.WayView{
			Title: levelTitle(s.Level), Why: s.Why, Formula: s.Formula, Each: s.Each, When: s.When,
			Same: sameFormula(s.Formula, d.Rule.Key) && s.Each == d.Rule.Each, Parts: partReasons(s, tree.Tree, one),
			Against: !s.Fits && !one,
		}
		if s.Known {
			nameSource(&w, d.Rule.Sender, tree.Tree, s.Level)
		}
		v.Ways = append(v.Ways, w)
	}
	if len(v.Ways) == 0 {
		v.None = noSuggestion(tree.Tree, samples)
	}
	return v
}

func levelTitle(l rules.Level) string {
	switch l {
	case rules.LevelMessage:
		return "Stops repeats of one message"
	case rules.LevelThing:
		return "Once per order, charge or item, however many messages tell of it"
	case rules.LevelChange:
		return "Once per change of an order, charge or item: each update runs"
	}
	return ""
}

// nameSource says on which page a documented key stands, and when to take it.
func nameSource(w *page.WayView, sender string, tree *rules.Tree, l rules.Level) {
	event, err := tree.Event(0)
	if err != nil {
		return
	}
	known, ok := presets.Known(sender, event)
	if !ok {
		return
	}
	preset, _ := presets.BySender(known.Name)
	facts := preset.For(event).Facts
	fact := facts.EventID
	if l != rules.LevelMessage {
		fact = facts.BusinessID
	}
	w.Source, w.Doubtful = sourceText(fact), !fact.Confirmed
}

// useSuggestion takes a suggested key with the list and the condition that go with it.
func useSuggestion(t *turn) error {
	if err := typeFormula(t); err != nil || t.said.refused {
		return err
	}
	t.draft.Rule.Each = t.text("each")
	if when := t.text("when"); when != "" {
		t.draft.Rule.When = when
	}
	return nil
}

// noSuggestion says why no key is suggested, and what to add.
func noSuggestion(tree *rules.Tree, samples []rules.Sample) string {
	doubts := tree.Doubts()
	switch {
	case len(doubts) > 0:
		return strings.ReplaceAll(doubts[0].Text(), "`", "") + " Say it beside the samples, then a key can be suggested."
	case isList(tree):
		return "This sample is a list of events, and a key for the list would stand for all of them. Paste one event of the list, or choose under Which events it is about that each item of the list gets a key."
	case len(samples) < 2:
		return "No field of this sample surely names the event: ids of accounts, forms or records come again in other events. Add a copy of this event and a different event, then a key can be suggested."
	case countEvents(samples) < 2:
		return "Add a different event: with copies of one event alone every field that stays the same could be the key."
	}
	return "No field that names an event, nor two or three together, is the same on all copies and different between events. Check which event each sample belongs to, or click fields yourself."
}

// isList tells whether the first sample's body is a list.
func isList(tree *rules.Tree) bool {
	e, err := tree.Event(0)
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

// partReasons gives each part of a suggested key the reason why it is there. Those of
// a documented key have its sentence already.
func partReasons(s rules.Suggestion, tree *rules.Tree, one bool) []page.WayPart {
	var out []page.WayPart
	for _, p := range s.Parts {
		if p.Path == nil {
			out = append(out, page.WayPart{Text: p.Literal, Why: "Keeps events of different sources apart."})
			continue
		}
		why := ""
		if f, ok := tree.Find(rules.Part{Path: p.Path}.Text()); ok {
			switch {
			case f.Has(rules.BadgeGood):
				why = "The same on every copy, different between events."
			case f.Has(rules.BadgeChanges):
				why = "Careful: it differs between copies of one event."
			case one && !s.Known:
				why = reasonFor(f.Role())
			case !one:
				why = "The same on every copy; it tells events apart together with the others."
			}
		}
		out = append(out, page.WayPart{Text: p.Name(), Why: why})
	}
	return out
}
