package zapier

import (
	"strings"
	"testing"

	"dedupedesk/exporters"
)

// TestWhatCannotBeSentBlocksTheCall: a stand-in would hide that it is missing, and each
// event would get one key.
func TestWhatCannotBeSentBlocksTheCall(t *testing.T) {
	none := "none"
	for name, tt := range map[string]struct {
		change  func(*exporters.Setup)
		blocked string
	}{
		"the address":                {func(s *exporters.Setup) { s.Parts[1] = exporters.Part{Path: []string{"query", "id"}, Default: &none} }, "query.id"},
		"any header":                 {func(s *exporters.Setup) { s.Expressible, s.Parts, s.Outside = false, nil, [][]string{{"headers"}} }, "a header of the call (headers)"},
		"the address in a condition": {func(s *exporters.Setup) { s.When, s.Outside = "query.a == body.b", [][]string{{"query", "a"}} }, "query.a"},
		"a list that is no path":     {func(s *exporters.Setup) { s.Expressible, s.Parts, s.Splits = false, nil, true }, "goes through a list"},
		"one header": {func(s *exporters.Setup) {
			s.Expressible, s.Parts, s.Outside = false, nil, [][]string{{"headers", "x-id"}}
		}, ""},
	} {
		for _, ask := range []string{"webhooks", "code"} {
			s := codeSetup("stop")
			s.Details["ask"] = ask
			tt.change(&s)
			step := stepOf(t, s, "claim")
			if (step.Blocked == "") != (tt.blocked == "") || !strings.Contains(step.Blocked, tt.blocked) {
				t.Errorf("%s, %s: blocked %q", name, ask, step.Blocked)
			}
			if tt.blocked == "" && ask == "code" && !strings.Contains(step.Value, `"x-id": input_data.get("header1"`) {
				t.Errorf("%s: the header is not sent:\n%s", name, step.Value)
			}
		}
	}
}

// TestAConditionIsJudgedByTheWholeEvent, or by a filter where Zapier has no such event.
func TestAConditionIsJudgedByTheWholeEvent(t *testing.T) {
	s := codeSetup("stop")
	s.When = "body.paid"
	if step := stepOf(t, s, "claim"); !strings.Contains(step.Value, `"event"`) || len(step.Checks) != 1 || step.Checks[0].Result != exporters.OK {
		t.Errorf("%+v\n%s", step.Checks, step.Value)
	}
	s.Details["trigger"] = "instant"
	stepOf(t, s, exporters.WhenStepID)
	s.Details["route"] = exporters.RouteStore
	for _, store := range []string{"counter", "tables"} {
		s.Details["store"] = store
		stepOf(t, s, exporters.WhenStepID)
	}
}

// TestTheCodesStandInIsTheRules: for what is missing, empty or of spaces, and for nothing
// else.
func TestTheCodesStandInIsTheRules(t *testing.T) {
	other := "it's \"none\" \\"
	s := counterSetup(exporters.Part{Path: []string{"body", "a", "[0]"}, Default: &other})
	code := ready(stepOf(t, s, "count").Value)
	s.Parts[0].Path = []string{"body", "a"}
	picked := ready(stepOf(t, s, "count").Value)
	var jobs []job
	for _, v := range []string{`null`, `""`, `" \u00a0\u3000"`, `0`, `false`, `"x"`} {
		jobs = append(jobs, job{code, map[string]string{"body": `{"a":[` + v + `]}`}})
	}
	jobs = append(jobs, job{code, map[string]string{"body": `{}`}}, job{picked, map[string]string{"part1": " "}}, job{picked, map[string]string{}})
	want := []string{other, other, other, "0", "false", "x", other, other, other}
	for i, o := range python(t, jobs...) {
		if got, _ := o.OK["key"].(string); got != want[i] && !strings.Contains(o.Error, "the event "+want[i]+" and") {
			t.Errorf("%v: key %q (%s), want %q", jobs[i].Input, got, o.Error, want[i])
		}
	}
	s.Details = map[string]string{"computer": "always", "address": "https://dedupe.example.com", "trigger": "instant", "retries": "nobody"}
	if step := stepOf(t, s, "format-1-1"); step.Value != other {
		t.Errorf("to paste: %q", step.Value)
	}
}
