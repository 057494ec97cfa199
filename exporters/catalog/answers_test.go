package catalog

import (
	"strings"
	"testing"

	"dedupedesk/exporters"
)

// TestWhichStepsStopCopies: Home and the head of a checklist say it by this.
func TestWhichStepsStopCopies(t *testing.T) {
	for name, want := range map[string]struct{ withRule, without bool }{
		"power-automate": {false, false}, "make": {true, false}, "zapier": {true, false}, "n8n": {true, false}, "scripts": {true, false}, "sharepoint": {true, true}, "dataverse": {true, true}, "destinations": {false, false},
	} {
		x, _ := ByName(name)
		for _, s := range []exporters.Setup{setups()["all typed"], {}} {
			s.Details = map[string]string{"computer": "always"}
			c, err := x.Build(s)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			stops := want.without
			if s.Rule != "" {
				stops = want.withRule
			}
			if c.StopsCopies() != stops || c.StopsRepeats() != stops {
				t.Errorf("%s for rule %q: stops copies %v, repeats %v, want %v", name, s.Rule, c.StopsCopies(), c.StopsRepeats(), stops)
			}
			if said := strings.Contains(c.Text(), exporters.NotStopped); said == stops {
				t.Errorf("%s for rule %q: that it stops no copy is said: %v", name, s.Rule, said)
			}
		}
	}
}

// TestAListHasNoSenderThatHears: a rule of SharePoint starts with its trigger, and nobody
// there hears of a failure.
func TestAListHasNoSenderThatHears(t *testing.T) {
	for _, name := range []string{"power-automate", "make", "zapier", "n8n"} {
		x, _ := ByName(name)
		s := setups()["all typed"]
		s.Sender, s.Details = "sharepoint", map[string]string{"computer": "always", "plan": "premium", "route": exporters.RouteLedger}
		asked := map[string]exporters.Field{}
		for _, f := range exporters.Asked(x, s) {
			asked[f.Name] = f
		}
		starts, ok := asked["trigger"]
		if !ok {
			starts = asked["starts"]
		}
		if got := s.Answered(starts); got == starts.Choices[0].Value {
			t.Errorf("%s starts with %q", name, got)
		}
		for _, c := range asked["retries"].Choices {
			if c.Value == exporters.RetriesSender && name != "n8n" {
				t.Errorf("%s offers a sender that hears of a failure", name)
			}
		}
	}
}

// TestNoKeyIsNeededAndNothingStopsNothing: where the work may be done again, neither the
// text nor the file for a colleague warns that a copy is not stopped.
func TestNoKeyIsNeededAndNothingStopsNothing(t *testing.T) {
	none := 0
	for _, x := range All() {
		s := setups()["all typed"]
		s.Details = map[string]string{"effect": exporters.EffectSets}
		c, err := x.Build(s)
		if err != nil {
			t.Fatalf("%s: %v", x.Name(), err)
		}
		if c.Route != exporters.RouteNone || x.Name() == "destinations" {
			continue
		}
		none++
		page, err := exporters.Handout{Checklist: c}.HTML()
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(c.Text()+string(page), exporters.NotStopped) {
			t.Errorf("%s warns although no key is needed", x.Name())
		}
	}
	if none < 5 {
		t.Errorf("%d platforms say that no key is needed", none)
	}
}
