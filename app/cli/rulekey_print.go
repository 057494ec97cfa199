package cli

import (
	"fmt"

	"dedupedesk/app/deliveries"
	"dedupedesk/rules"
)

// A keyPrinter prints what became of deliveries, each at once or as groups at the end.
type keyPrinter struct {
	call   *call
	groups bool
	many   bool // several files
	bulk   *rules.Bulk
	lines  []keyLine // under --json
}

// A keyLine is what became of one event, or of one item of it.
type keyLine struct {
	File    string `json:"file"`
	Line    int    `json:"line,omitempty"`    // in a file of lines
	Item    int    `json:"item,omitempty"`    // of a JSON list
	Row     int    `json:"row,omitempty"`     // of a table
	Request int    `json:"request,omitempty"` // of requests one after the other
	Key     string `json:"key,omitempty"`
	Ignored bool   `json:"ignored,omitempty"`
	Error   string `json:"error,omitempty"`
}

func (p *keyPrinter) add(file string, d deliveries.Delivery) error {
	short, long := file, d.Place()
	switch {
	case d.Unit == "":
		long = file
	case d.Unit == "line":
		short = fmt.Sprintf("%s:%d", file, d.Number)
	default:
		short = file + ", " + d.Place()
	}
	if p.many && d.Unit != "" {
		long = short
	}
	keyed, err := p.bulk.Add(p.call.ctx, long, d.Sample, d.Fault)
	if err != nil || p.groups {
		return err
	}
	for _, k := range keyed {
		if err := p.line(file, short, d, k); err != nil {
			return err
		}
	}
	return nil
}

func (p *keyPrinter) line(file, place string, d deliveries.Delivery, k rules.Keyed) error {
	switch {
	case k.Err != nil:
		p.call.say("%s: %s", place, k.Err)
	case k.Ignored:
		p.call.say("%s: The rule ignores this event.", place)
	case !p.call.flags.JSON:
		return p.call.print("%s", k.Key)
	}
	if !p.call.flags.JSON {
		return nil
	}
	l := keyLine{File: file, Key: k.Key, Ignored: k.Ignored}
	if k.Err != nil {
		l.Error = k.Err.Error()
	}
	for unit, at := range map[string]*int{"line": &l.Line, "item": &l.Item, "row": &l.Row, "request": &l.Request} {
		if d.Unit == unit {
			*at = d.Number
		}
	}
	p.lines = append(p.lines, l)
	return nil
}

// end prints what is left. One event without a key makes the whole an error, after all
// keys are printed; suspicious groups alone are a no.
func (p *keyPrinter) end() error {
	totals := p.bulk.Totals()
	var err error
	switch {
	case p.groups && p.call.flags.JSON:
		err = p.call.printJSON(p.groupsBody())
	case p.groups:
		err = p.printGroups()
	case p.call.flags.JSON:
		err = p.call.printJSON(map[string]any{"keys": p.lines})
	}
	switch {
	case err != nil:
		return err
	case totals.Refused > 0:
		return &exitError{fault}
	case p.groups && totals.Suspicious():
		return &exitError{no}
	}
	return nil
}

// groupsShown and placesShown are how many a person reads; --json has more.
const (
	groupsShown = 40
	placesShown = 3
)

func (p *keyPrinter) printGroups() error {
	totals := p.bulk.Totals()
	rows := [][]string{{"DELIVERIES", "KEYS", "COPIES", "IGNORED", "REFUSED", "SUSPICIOUS"},
		{fmt.Sprint(totals.Deliveries), fmt.Sprint(totals.Keys), fmt.Sprint(totals.Copies), fmt.Sprint(totals.Ignored), fmt.Sprint(totals.Refused), fmt.Sprint(totals.Merged + totals.Missed)}}
	if err := p.call.table(rows); err != nil {
		return err
	}
	rows = [][]string{{"", ""}, {"COUNT", "KEY", "WHERE", ""}}
	groups := p.bulk.Groups()
	for _, g := range groups[:min(len(groups), groupsShown)] {
		if g.Count == 1 && g.Suspect == rules.SuspectNone {
			break // the rest came once
		}
		rows = append(rows, []string{fmt.Sprint(g.Count), g.Key, rules.PlacesText(g.Places, g.Count, placesShown), g.Text})
	}
	if len(rows) > 2 {
		if err := p.call.table(rows); err != nil {
			return err
		}
	}
	if s := p.bulk.Split(); s != nil {
		p.call.say("%s", s.Text)
	}
	if l := p.bulk.Lacking(); l != nil {
		p.call.say("%s", l.Text)
	}
	for _, r := range p.bulk.Refusals() {
		p.call.say("%d without a key (%s): %s", r.Count, rules.PlacesText(r.Places, r.Count, placesShown), r.Text)
	}
	return nil
}

type groupBody struct {
	Key     string   `json:"key"`
	Count   int      `json:"count"`
	Places  []string `json:"places"`
	Suspect string   `json:"suspect,omitempty"`
	Reason  string   `json:"reason,omitempty"`
}

type refusalBody struct {
	Code   string   `json:"code"`
	Path   string   `json:"path,omitempty"`
	Count  int      `json:"count"`
	Places []string `json:"places"`
	Error  string   `json:"error"`
}

func (p *keyPrinter) groupsBody() map[string]any {
	groups, refused := []groupBody{}, []refusalBody{}
	for _, g := range p.bulk.Groups() {
		groups = append(groups, groupBody{g.Key, g.Count, g.Places, string(g.Suspect), g.Text})
	}
	for _, r := range p.bulk.Refusals() {
		refused = append(refused, refusalBody{string(r.Code), r.Path, r.Count, r.Places, r.Text})
	}
	return map[string]any{"totals": p.bulk.Totals(), "groups": groups, "refused": refused}
}
