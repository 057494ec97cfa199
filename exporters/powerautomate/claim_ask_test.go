package powerautomate

import (
	"strings"
	"testing"

	"dedupedesk/exporters"
)

func TestWhatCannotBeAskedIsSaid(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(*exporters.Setup)
		reason string
	}{
		"no address": {func(s *exporters.Setup) { delete(s.Details, "address") }, "public address"},
		"a header without a caller": {func(s *exporters.Setup) {
			s.Parts[1].Path = []string{"headers", "x"}
			s.Details["starts"] = OutlookMail
		}, "trigger that you chose has none"},
		"lines beyond fields": {func(s *exporters.Setup) { s.Each, s.Expressible = []string{"body", "x"}, false }, "cannot go through that list"},
		"lines of a header":   {func(s *exporters.Setup) { s.Each = []string{"headers", "x"} }, "not part of the event's body"},
		"lines with a step of our own": {func(s *exporters.Setup) {
			s.Each, s.Parts[1] = []string{"body", "x"}, exporters.Part{Path: []string{"item", "d"}, Steps: []string{"time"}}
		}, "which this language cannot do"},
	} {
		s := premium(nil)
		tt.change(&s)
		c, err := New().Build(s)
		if err != nil {
			t.Fatal(err)
		}
		if reason, _ := c.Blocked(); !strings.Contains(reason, tt.reason) || len(c.Files) > 0 {
			t.Errorf("%s: %q, %d files", name, reason, len(c.Files))
		}
	}
}

// TestAStandardPlanGoesToSharePoint: HTTP is premium there.
func TestAStandardPlanGoesToSharePoint(t *testing.T) {
	s := premium(map[string]string{"plan": "standard"})
	advised, ok := exporters.Advised(New().Ways(s))
	if !ok || advised.Platform != "sharepoint" || advised.Route != exporters.RouteStore {
		t.Errorf("%+v", advised)
	}
	s.Details["plan"] = "premium"
	if advised, _ = exporters.Advised(New().Ways(s)); advised.Route != exporters.RouteLedger {
		t.Errorf("%+v", advised)
	}
}

// TestOnlyWhatMattersIsAsked: a standard plan is asked for no computer, and nobody but a
// program that calls the flow waits for an answer.
func TestOnlyWhatMattersIsAsked(t *testing.T) {
	for _, tt := range []struct {
		details map[string]string
		asked   string
		not     string
	}{
		{map[string]string{"plan": "standard"}, "effect target plan", "computer retries reply starts address call"},
		{map[string]string{"plan": "premium", "computer": "sleeps"}, "plan computer", "retries reply starts address"},
		{map[string]string{}, "plan computer starts retries reply address call", "account recipe"},
		{map[string]string{"retries": "nobody"}, "starts retries address", "reply"},
		{map[string]string{"starts": OutlookMail}, "starts retries address", "reply"},
	} {
		asked := map[string]bool{}
		for _, f := range exporters.Asked(New(), premium(tt.details)) {
			asked[f.Name] = true
		}
		for _, name := range strings.Fields(tt.asked) {
			if !asked[name] {
				t.Errorf("%v: %s is not asked", tt.details, name)
			}
		}
		for _, name := range strings.Fields(tt.not) {
			if asked[name] {
				t.Errorf("%v: %s is asked", tt.details, name)
			}
		}
	}
}
