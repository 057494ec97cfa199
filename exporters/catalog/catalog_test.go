package catalog

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"dedupedesk/exporters"
	"dedupedesk/exporters/exporttest"
)

// setups are the situations in which every platform is asked for a checklist.
func setups() map[string]exporters.Setup {
	rule := exporters.Setup{
		Rule: "orders", Title: "Orders", Expressible: true, Lease: 10 * time.Hour,
		Parts: []exporters.Part{{Literal: "shop"}, {Path: []string{"body", "id"}}},
		Samples: []exporters.Sample{
			{Name: "a", Group: "A", Key: "shop:1", Body: []byte(`{"id":1}`)},
			{Name: "b", Group: "B", Key: "shop:2", Body: []byte(`{"id":2}`)},
		},
		Details: map[string]string{"account": "flows@example.com", "computer": "always", "address": "https://dedupe.example.com", "list": "Orders"},
	}
	beyond, odd, resumed := rule, rule, rule
	beyond.Expressible, beyond.Parts = false, nil
	odd.Rule = "it's a \"rule\"\nwith everything /\\{}"
	odd.Parts = []exporters.Part{{Literal: "it's \"so\"\n: 100%"}, {Path: []string{"headers", "x-id"}}}
	odd.Samples = nil
	resumed.Details = map[string]string{"retries": "platform", "computer": "always", "address": "dedupe.example.com", "generation": "classic"}
	return map[string]exporters.Setup{
		"nothing typed, no rule": {}, "a rule, nothing typed": {Rule: "orders", Expressible: true, Parts: rule.Parts},
		"all typed": rule, "beyond parts": beyond, "odd names": odd, "the other choices": resumed,
	}
}

func TestEveryChecklistKeepsItsPromises(t *testing.T) {
	for _, x := range All() {
		for name, s := range setups() {
			t.Run(x.Name()+"/"+name, func(t *testing.T) {
				details := map[string]string{}
				for _, f := range x.Fields() { // an exporter sees its own details only
					if v, ok := s.Details[f.Name]; ok {
						details[f.Name] = v
					}
				}
				s.Details = details
				c, err := x.Build(s)
				if err != nil {
					t.Fatal(err)
				}
				if c.Platform != x.Name() {
					t.Errorf("platform %q", c.Platform)
				}
				exporttest.Check(t, c)
			})
		}
	}
}

func TestBeyondPartsOffersNoKeyOfThePlatform(t *testing.T) {
	for _, x := range All() {
		c, err := x.Build(setups()["beyond parts"])
		if err != nil {
			t.Fatal(err)
		}
		if c.Route == exporters.RouteLedger && (len(c.Files) > 0 || hasStep(c, "claim-event")) {
			continue // the event goes to this program, which makes the key
		}
		reason, blocked := c.Blocked()
		if !blocked || !strings.Contains(reason, "formula") || len(c.Files) > 0 {
			t.Errorf("%s: blocked %v %q, %d files", x.Name(), blocked, reason, len(c.Files))
		}
	}
}

// TestTheConditionOfARuleIsSaid in every checklist that has to do with the rule: a filter
// of the platform's own is needed, or the event itself is sent.
func TestTheConditionOfARuleIsSaid(t *testing.T) {
	for _, x := range All() {
		base := setups()["all typed"]
		base.When = `body.status == "paid"`
		base.Details = maps.Clone(base.Details)
		base.Details["site"] = "https://yourcompany.sharepoint.com/sites/ops"
		barNoWay(x, base)
		for _, each := range [][]string{nil, {"body", "lines"}} {
			s := base
			if s.Each = each; each != nil {
				s.Parts, s.Samples, s.Splits = append(s.Parts[:2:2], exporters.Part{Path: []string{"item", "sku"}}), nil, true
			}
			for _, w := range x.Ways(s) {
				if w.Platform != "" || w.Blocked != "" || w.Route == exporters.RouteNone {
					continue
				}
				s.Details = maps.Clone(s.Details)
				s.Details[exporters.RouteDetail] = w.Route
				c, err := x.Build(s)
				if err != nil {
					t.Fatalf("%s, %s: %v", x.Name(), w.Route, err)
				}
				exporttest.Check(t, c)
				if !strings.Contains(c.Text(), s.When) {
					t.Errorf("%s, way %s, list %v: no word of the rule's condition", x.Name(), w.Route, each)
				}
			}
		}
	}
}

func hasStep(c exporters.Checklist, id string) bool {
	return slices.ContainsFunc(c.Steps, func(s exporters.Step) bool { return s.ID == id })
}

func TestByName(t *testing.T) {
	for _, want := range []string{"power-automate", "sharepoint", "dataverse", "make", "zapier", "n8n", "scripts", "destinations"} {
		if x, ok := ByName(want); !ok || x.Name() != want || x.Title() == "" || x.About() == "" {
			t.Errorf("%s: %v", want, ok)
		}
	}
	if _, ok := ByName("excel"); ok {
		t.Error("excel is there")
	}
}

func TestFieldsAreComplete(t *testing.T) {
	for _, x := range All() {
		seen := map[string]bool{}
		for _, f := range x.Fields() {
			if f.Name == "" || f.Label == "" || f.Help == "" || seen[f.Name] {
				t.Errorf("%s: field %+v", x.Name(), f)
			}
			if f.Example == "" && len(f.Choices) == 0 {
				t.Errorf("%s: field %s has neither example nor choices", x.Name(), f.Name)
			}
			seen[f.Name] = true
		}
	}
}

// TestFieldsWithARuleMatterWithARuleAlone: without one, no answer to them changes
// the checklist.
func TestFieldsWithARuleMatterWithARuleAlone(t *testing.T) {
	for _, x := range All() {
		plain, err := x.Build(exporters.Setup{})
		if err != nil {
			t.Fatalf("%s: %v", x.Name(), err)
		}
		for _, f := range x.Fields() {
			for _, answer := range append(values(f), f.Example) {
				c, err := x.Build(exporters.Setup{Details: map[string]string{f.Name: answer}})
				if err != nil {
					t.Fatalf("%s: %s %q: %v", x.Name(), f.Name, answer, err)
				}
				if f.WithRule && c.Text() != plain.Text() {
					t.Errorf("%s: %s %q changes a checklist without a rule", x.Name(), f.Name, answer)
				}
			}
		}
	}
}

// TestStepsNameTheDetailsTheyAreMadeOf: a page keeps a step back by these names
// while one of the details is wrong. Each way of a platform has its own steps.
func TestStepsNameTheDetailsTheyAreMadeOf(t *testing.T) {
	for _, x := range All() {
		base := setups()["all typed"]
		base.Details = map[string]string{}
		for _, f := range x.Fields() {
			base.Details[f.Name] = f.Example
		}
		base.Details[exporters.ComputerQuestion().Name] = exporters.ComputerAlways
		barNoWay(x, base)
		checkDetails(t, x, base, true)
		for _, w := range x.Ways(base) {
			if w.Platform == "" && w.Blocked == "" {
				s := base
				s.Details = maps.Clone(base.Details)
				s.Details[exporters.RouteDetail] = w.Route
				checkDetails(t, x, s, false)
			}
		}
	}
}

// barNoWay answers which plan the person has so that the most ways are open.
func barNoWay(x exporters.Exporter, s exporters.Setup) {
	most, best := -1, ""
	for _, f := range x.Fields() {
		for _, plan := range values(f) {
			if f.Name != "plan" {
				continue
			}
			s.Details["plan"] = plan
			open := 0
			for _, w := range x.Ways(s) {
				if w.Blocked == "" {
					open++
				}
			}
			if open > most {
				most, best = open, plan
			}
		}
	}
	if most >= 0 {
		s.Details["plan"] = best
	}
}

// checkDetails changes one detail after the other and looks which steps change. all
// tells that these answers bring out all that a detail can change.
func checkDetails(t *testing.T, x exporters.Exporter, base exporters.Setup, all bool) {
	t.Helper()
	where, used, first := x.Name()+", "+routeOf(t, x, base), map[string]bool{}, handedOver(t, x, base)
	for _, f := range x.Fields() {
		for _, answer := range append(values(f), "", f.Example+"x") {
			if len(f.Choices) > 0 && !slices.Contains(values(f), answer) {
				continue
			}
			s := base
			s.Details = maps.Clone(base.Details)
			s.Details[f.Name] = answer
			if way, err := exporters.Chosen(x, s); err != nil || way.Route != routeOf(t, x, base) {
				continue // another checklist
			}
			for id, now := range handedOver(t, x, s) {
				named := slices.Contains(now.details, f.Name)
				used[id+" "+f.Name] = used[id+" "+f.Name] || (named && now.text != first[id].text)
				if !named && now.text != first[id].text {
					t.Errorf("%s: step %s does not name %s, but with %q it hands over %q instead of %q", where, id, f.Name, answer, now.text, first[id].text)
				}
			}
		}
	}
	for id, step := range first {
		for _, name := range step.details {
			if all && !used[id+" "+name] {
				t.Errorf("%s: step %s names %s, which changes nothing of it", where, id, name)
			}
		}
	}
}

type handed struct {
	text    string
	details []string
}

// handedOver returns what each step of x gives for s, by the step's id.
func handedOver(t *testing.T, x exporters.Exporter, s exporters.Setup) map[string]handed {
	t.Helper()
	c, err := x.Build(s)
	if err != nil {
		t.Fatalf("%s: %v", x.Name(), err)
	}
	out := map[string]handed{}
	for _, step := range c.Steps {
		text := strings.Trim(step.Value+"\n"+step.Blocked, "\n")
		for _, check := range step.Checks {
			text += "\n" + check.Text
		}
		for _, f := range c.Files {
			if f.Name == step.File {
				text += "\n" + string(f.Data)
			}
		}
		out[step.ID] = handed{text, step.Details}
	}
	return out
}

// TestStepsNameOnlyWhatIsThere: people were sent to pages and words of this program
// that do not exist.
func TestStepsNameOnlyWhatIsThere(t *testing.T) {
	for _, x := range All() {
		c, err := x.Build(setups()["all typed"])
		if err != nil {
			t.Fatalf("%s: %v", x.Name(), err)
		}
		text := c.Text()
		for _, f := range x.Fields() {
			text += "\n" + f.Help
		}
		for _, gone := range []string{"lab of this program", "as Connect shows", "Take it back under"} {
			if strings.Contains(text, gone) {
				t.Errorf("%s: %q is nothing that a person can find", x.Name(), gone)
			}
		}
	}
}

func routeOf(t *testing.T, x exporters.Exporter, s exporters.Setup) string {
	t.Helper()
	way, err := exporters.Chosen(x, s)
	if err != nil {
		t.Fatalf("%s: %v", x.Name(), err)
	}
	return way.Route
}

// values are the answers that f offers.
func values(f exporters.Field) []string {
	var list []string
	for _, c := range f.Choices {
		list = append(list, c.Value)
	}
	return list
}

// TestASleepingLaptopIsNeverAsked by a platform in the cloud, whatever else is
// answered, and the person always has a way of the platform's own.
func TestASleepingLaptopIsNeverAsked(t *testing.T) {
	for _, x := range All() {
		if !x.Cloud() {
			continue
		}
		for name, s := range setups() {
			s.Details = maps.Clone(s.Details)
			delete(s.Details, exporters.ComputerQuestion().Name)
			way, err := exporters.Chosen(x, s)
			if err != nil || way.Route == exporters.RouteLedger {
				t.Errorf("%s, %s: way %+v, %v", x.Name(), name, way, err)
			}
			if s.Details == nil {
				s.Details = map[string]string{}
			}
			s.Details[exporters.RouteDetail] = exporters.RouteLedger
			if c, err := x.Build(s); err == nil && c.Route == exporters.RouteLedger {
				t.Errorf("%s, %s: a sleeping laptop is asked", x.Name(), name)
			}
		}
	}
}

// TestWaysSayWhyAndWhatTheyTake, and lead to platforms that there are.
func TestWaysSayWhyAndWhatTheyTake(t *testing.T) {
	targets := append(values(exporters.TargetQuestion()), "")
	effects := append(values(exporters.EffectQuestion()), "")
	for _, x := range All() {
		for name, s := range setups() {
			for i := range len(targets) * len(effects) {
				details := map[string]string{"target": targets[i%len(targets)], "effect": effects[i/len(targets)]}
				maps.Copy(details, s.Details)
				s.Details = details
				for _, w := range x.Ways(s) {
					if w.Title == "" || w.Reason == "" || w.Cost == "" {
						t.Errorf("%s, %s: way %+v", x.Name(), name, w)
					}
					if _, ok := ByName(w.Platform); w.Platform != "" && !ok {
						t.Errorf("%s, %s: leads to %q", x.Name(), name, w.Platform)
					}
				}
			}
		}
	}
}
