package presets

import "dedupedesk/rules"

// Known tells the rules' engine of a sender: use it as rules.New(rules.WithSenders(
// presets.Known)). The sender is the one named; where name is "" or no preset's, the
// one that the event is recognised by. It returns false where there is none.
func Known(name string, e rules.Event) (rules.Sender, bool) {
	p, ok := BySender(name)
	if !ok {
		if name, ok = Recognise(e); !ok {
			return rules.Sender{}, false
		}
		p, _ = BySender(name)
	}
	d := p.For(e)
	s := rules.Sender{
		Name: p.Sender, Title: p.Name,
		Key: d.Rule.Key, BusinessKey: d.Facts.BusinessKey, Choose: d.Facts.Choose, Each: d.Rule.Each, When: d.Rule.When,
		Changed: d.Facts.Changed,
	}
	for _, id := range d.Facts.TestIDs {
		s.TestIDs = append(s.TestIDs, rules.TestID(id))
	}
	return s, true
}
