package cli

import (
	"slices"

	"dedupedesk/exporters"
)

// A wayBody is one way as JSON. One that has a platform is exported there.
type wayBody struct {
	Route    string     `json:"route"`
	Platform string     `json:"platform,omitempty"`
	Title    string     `json:"title"`
	Reason   string     `json:"reason"`
	Cost     string     `json:"cost"`
	Blocked  string     `json:"blocked,omitempty"`
	Chosen   bool       `json:"chosen"`
	Wants    []wantBody `json:"wants,omitempty"`
}

// A wantBody is a setting that the rule should have for a way.
type wantBody struct {
	Setting string `json:"setting"`
	Value   string `json:"value"`
	Why     string `json:"why"`
}

// waysOf lists the ways in the order of advice, with the one that the steps go.
func waysOf(e exporters.Exporter, s exporters.Setup) []wayBody {
	chosen, err := exporters.Chosen(e, s)
	found := false
	list := []wayBody{}
	for _, w := range e.Ways(s) {
		b := wayBody{Route: w.Route, Platform: w.Platform, Title: w.Title, Reason: w.Reason, Cost: w.Cost, Blocked: w.Blocked}
		for _, want := range w.Wants {
			b.Wants = append(b.Wants, wantBody(want))
		}
		b.Chosen = !found && err == nil && w.Platform == "" && w.Route == chosen.Route
		found = found || b.Chosen
		list = append(list, b)
	}
	return list
}

// A stepBody is one step as JSON. Its value stands there only where it may be copied.
type stepBody struct {
	ID      string `json:"id"`
	Title   string `json:"title"`
	Value   string `json:"value,omitempty"`
	File    string `json:"file,omitempty"`
	Blocked string `json:"blocked,omitempty"`
	Warning string `json:"warning,omitempty"`
	Prove   bool   `json:"prove,omitempty"`
}

func stepsOf(list exporters.Checklist) []stepBody {
	steps := []stepBody{}
	for _, s := range list.Steps {
		b := stepBody{ID: s.ID, Title: s.Title, Value: s.Value, File: s.File, Blocked: s.Blocked, Warning: s.Warning, Prove: s.Prove}
		if b.Blocked != "" {
			b.Value, b.File = "", ""
		}
		steps = append(steps, b)
	}
	return steps
}

// sayUnused names the details that were given and that the steps have no use for,
// since they go another way.
func (x *exportCommand) sayUnused(c *call, e exporters.Exporter, s exporters.Setup) {
	asked := exporters.Asked(e, s)
	chosen, err := exporters.Chosen(e, s)
	if err != nil {
		return
	}
	for _, f := range e.Fields() {
		if s.Details[f.Name] == "" || slices.ContainsFunc(asked, func(o exporters.Field) bool { return o.Name == f.Name }) {
			continue
		}
		c.say("--set %s is not used: these steps go another way (%s).", f.Name, chosen.Title)
		for _, w := range e.Ways(s) {
			if w.Platform == "" && w.Route != chosen.Route && slices.Contains(f.Routes, w.Route) {
				c.say("It belongs to --set route=%s (%s). %s", w.Route, w.Title, w.Blocked)
			}
		}
	}
}
