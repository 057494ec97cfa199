package rules_test

import (
	"slices"
	"strings"
	"testing"

	"dedupedesk/rules"
)

// TestSuggestionsOfKnownSenders: the sender's own key comes first, that of the thing
// second; and where the samples speak against a key, it comes last and says so.
func TestSuggestionsOfKnownSenders(t *testing.T) {
	e := corpusEngine(t)
	for _, tt := range []struct {
		name    string
		samples string // as in TestLints
		want    []string
		why     string // of the first
		doubt   string // of the last that does not fit
	}{
		{"stripe, one delivery", "stripe/charge.succeeded", []string{`key("stripe", body.id)`, `key("stripe", body.data.object.id, body.type)`},
			"The sender names its messages so. Add a copy and a different event to be sure.", ""},
		{"github", "github/issues.opened", []string{`key("github", headers["x-github-delivery"])`, `key("github", body.repository.id, body.issue.id, body.action, body.issue.updated_at)`},
			"The sender names its messages so.", ""},
		{"an item of a list", "hubspot/contact-events", []string{`key("hubspot", item.portalId, item.subscriptionId, item.eventId)`}, "The sender names its messages so.", ""},
		{"two messages about one charge, as one event", "A:pairs/stripe-two-events-one-object/first A:pairs/stripe-two-events-one-object/second",
			[]string{`key("stripe", body.data.object.id, body.type)`, `key("stripe", body.id)`}, "Names the thing that the message is about",
			"These samples speak against it: copies 1 and 2 of event A get different keys."},
		{"two messages about one charge, as two events", "A:pairs/stripe-two-events-one-object/first B:pairs/stripe-two-events-one-object/second",
			[]string{`key("stripe", body.id)`, `key("stripe", body.data.object.id, body.type)`}, "The samples differ; add a copy of one to be sure.",
			"These samples speak against it: different events get one key."},
		{"bug 28, two hooks", "A:pairs/github-org-and-repo-hook/first A:pairs/github-org-and-repo-hook/second",
			[]string{`key("github", body.repository.id, body.ref, body.before, body.after)`, `key("github", headers["x-github-delivery"])`}, "Names the thing", "copies 1 and 2 of event A get different keys"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var s []rules.Sample
			for file := range strings.FieldsSeq(tt.samples) {
				group, name, ok := strings.Cut(file, ":")
				if !ok {
					group, name = "A", file
				}
				s = append(s, corpusSample(t, name, group))
			}
			got := e.Suggestions(t.Context(), &rules.Rule{}, rules.NewTree(s))
			var formulas []string
			for _, g := range got {
				formulas = append(formulas, g.Formula)
			}
			if len(formulas) < len(tt.want) || !slices.Equal(formulas[:len(tt.want)], tt.want) {
				t.Fatalf("%q, want %q first", formulas, tt.want)
			}
			if !strings.Contains(got[0].Why, tt.why) || !got[0].Fits || !got[0].Known {
				t.Errorf("the first is %+v", got[0])
			}
			if last := got[len(got)-1]; last.Fits != (tt.doubt == "") || !strings.Contains(last.Why, tt.doubt) {
				t.Errorf("the last is %+v", last)
			}
		})
	}
}

// TestSuggestionsWithoutASender rank fields by the groups and by their names.
func TestSuggestionsWithoutASender(t *testing.T) {
	e := corpusEngine(t)
	for _, tt := range []struct {
		name   string
		bodies []string // the group, then the body
		want   []string // level and formula
		why    string
	}{
		{"message and thing by name", []string{`A{"event_id":"e1","type":"order.paid","order_id":7}`},
			[]string{`message key("event", body.event_id)`, `thing key("event", body.order_id, body.type)`}, "By name, `event_id` is what names this one message."},
		{"two that differ", []string{`A{"ref":"p","no":"p-1","n":1}`, `A{"ref":"p","no":"p-1","n":2}`, `B{"ref":"q","no":"q-1","n":2}`},
			[]string{` key("event", body.ref)`, `thing key("event", body.no)`}, "`ref` is the same on every copy, and different between events."},
		{"only together", []string{`A{"shop":"x","no":1}`, `B{"shop":"x","no":2}`, `C{"shop":"y","no":1}`},
			[]string{`thing key("event", body.shop, body.no)`}, "`shop` and `no` are together different between events. No event has a copy here"},
		{"nothing", []string{`A{"status":"paid"}`, `B{"status":"open"}`}, nil, ""},
		{"nothing that can be read", []string{`A{"status":`}, nil, ""},
	} {
		var s []rules.Sample
		for _, b := range tt.bodies {
			s = append(s, rules.Sample{Group: b[:1], Body: b[1:]})
		}
		got := e.Suggestions(t.Context(), &rules.Rule{}, rules.NewTree(s))
		var lines []string
		for _, g := range got {
			lines = append(lines, string(g.Level)+" "+g.Formula)
		}
		if !slices.Equal(lines, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, lines, tt.want)
		} else if len(got) > 0 && (!strings.Contains(got[0].Why, tt.why) || got[0].Known) {
			t.Errorf("%s: %+v", tt.name, got[0])
		}
	}
}

// A key that moves with each update of an order does not run once per order, and no
// sentence or button says so.
func TestLevelOfKeysThatMove(t *testing.T) {
	e := corpusEngine(t)
	body := `{"id":"o-1","status":"open","updated_at":"2026-01-02T03:04:05Z"}`
	got := e.Suggestions(t.Context(), &rules.Rule{}, rules.NewTree([]rules.Sample{{Group: "A", Body: body}}))
	if len(got) == 0 || !strings.Contains(got[0].Formula, "updated_at") || got[0].Level != rules.LevelChange {
		t.Errorf("guessed is %+v", got)
	}
	known := e.Suggestions(t.Context(), &rules.Rule{}, rules.NewTree([]rules.Sample{corpusSample(t, "github/issues.opened", "A")}))
	for _, s := range known {
		if moves := strings.Contains(s.Formula, "updated_at"); moves != (s.Level == rules.LevelChange) || strings.Contains(s.Why, "it runs once") {
			t.Errorf("documented is %+v", s)
		}
	}
	if len(known) != 2 {
		t.Errorf("%d suggestions", len(known))
	}
}
