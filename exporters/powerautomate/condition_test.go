package powerautomate

import (
	"errors"
	"strings"
	"testing"

	"dedupedesk/exporters"
	"dedupedesk/exporters/wdl"
)

func build(t *testing.T, s exporters.Setup) map[string]exporters.Step {
	t.Helper()
	c, err := New().Build(s)
	if err != nil {
		t.Fatal(err)
	}
	steps := map[string]exporters.Step{}
	for _, step := range c.Steps {
		steps[step.ID] = step
	}
	return steps
}

// TestMS01SelfEditLine checks the generated line on the cases that the reference
// gives for it, in both generations of triggers.
func TestMS01SelfEditLine(t *testing.T) {
	for _, generation := range []string{current, classic} {
		line := build(t, exporters.Setup{Details: map[string]string{"account": "Flow.Bot@Example.com", "generation": generation}})["line"].Value
		if line != "@not(equals(toLower(coalesce(triggerBody()?['Editor']?['Email'],'')),'flow.bot@example.com'))" {
			t.Fatalf("%s: %s", generation, line)
		}
		for outputs, want := range map[string]wdl.Outcome{
			`{"body":{"Editor":{"Email":"Flow.Bot@Example.com"}}}`: wdl.Skip,
			`{"body":{"Editor":{"Email":"FLOW.BOT@EXAMPLE.COM"}}}`: wdl.Skip,
			`{"body":{"Editor":{"Email":"ana@example.com"}}}`:      wdl.Run,
			`{"body":{"Editor":{"Email":null}}}`:                   wdl.Run,
			`{"body":{"Editor":null}}`:                             wdl.Run,
			`{"body":null}`:                                        wdl.Run,
			`{"body":{"Editor":"flow.bot@example.com"}}`:           wdl.EvalError,
		} {
			r, err := wdl.Test([]byte(outputs), []string{line}, wdl.Options{Classic: generation == classic})
			if err != nil {
				t.Fatal(err)
			}
			if r.Outcome != want || len(r.Lines[0].Warnings) > 0 {
				t.Errorf("%s %s: %s, want %s, warnings %q", generation, outputs, r.Outcome, want, r.Lines[0].Warnings)
			}
		}
	}
}

// TestMS05EditorIsAnObject: a path that ends at the person, not at the address.
func TestMS05EditorIsAnObject(t *testing.T) {
	for name, tt := range map[string]struct {
		editor string
		body   string
		reason string
	}{
		"the person itself":       {"Editor", `{"Editor":{"Email":"a@b.example"}}`, "Editor is an object. Take what lies inside it"},
		"MS07 column is text":     {"Editor/Email", `{"Editor":"a@b.example"}`, "leave this step of the path out"},
		"a list of persons":       {"Editors", `{"Editors":["a@b.example"]}`, "Editors is a list"},
		"body came as plain text": {"Editor/Email", `"{\"Editor\":{\"Email\":\"a@b.example\"}}"`, "not an object"},
	} {
		t.Run(name, func(t *testing.T) {
			step := build(t, exporters.Setup{
				Details: map[string]string{"account": "flows@example.com", "field": tt.editor},
				Samples: []exporters.Sample{{Name: "s", Body: []byte(tt.body)}},
			})["line"]
			if !strings.Contains(step.Blocked, tt.reason) {
				t.Errorf("blocked %q, want … %s …", step.Blocked, tt.reason)
			}
		})
	}
}

func TestPathNotInSampleIsAWarningOnly(t *testing.T) {
	step := build(t, exporters.Setup{
		Details: map[string]string{"account": "flows@example.com"},
		Samples: []exporters.Sample{{Name: "a charge", Body: []byte(`{"id":"evt_1"}`)}},
	})["line"]
	if step.Blocked != "" || step.Value == "" {
		t.Errorf("blocked: %q", step.Blocked)
	}
	warned := false
	for _, c := range step.Checks {
		warned = warned || c.Result == exporters.Warn && strings.Contains(c.Text, "Show raw outputs")
	}
	if !warned {
		t.Errorf("nothing tells how to find the path: %+v", step.Checks)
	}
}

func TestAccounts(t *testing.T) {
	for typed, want := range map[string]string{
		" Flows@YourCompany.com ":                "flows@yourcompany.com",
		"o'brien@example.com":                    "o'brien@example.com",
		"ana_x.com#EXT#@contoso.onmicrosoft.com": "ana_x.com#ext#@contoso.onmicrosoft.com",
		"żak@example.com":                        "żak@example.com",
	} {
		if got, wrong := checkAccount(typed); wrong != "" || got != want {
			t.Errorf("%q: %q, %s", typed, got, wrong)
		}
	}
	for _, typed := range []string{"flows", "flows@", "@example.com", "flows@localhost", "a b@example.com", "Ana <ana@example.com>", "a@b@example.com", "a@example.com\n@and()", strings.Repeat("a", 250) + "@example.com"} {
		_, err := New().Build(exporters.Setup{Details: map[string]string{"account": typed}})
		var input *exporters.InputError
		if !errors.As(err, &input) || input.Field != "account" {
			t.Errorf("%q: %v", typed, err)
		}
	}
}

func TestFieldPaths(t *testing.T) {
	for typed, want := range map[string]string{
		"Editor/Email":                                 "body|Editor|Email",
		"body/Editor/Email":                            "body|Editor|Email",
		"triggerOutputs()?['body/Editor/Email']":       "body|Editor|Email",
		"triggerBody()?['Editor']?['Email']":           "body|Editor|Email",
		"triggerBody()?['a/b']":                        "body|a/b",
		"@triggerOutputs()?['body']?['Editor#Claims']": "body|Editor#Claims",
		"triggerOutputs()?['headers']?['X-Id']":        "headers|X-Id",
		"headers/X-Id":                                 "headers|X-Id",
		"body":                                         "body|body",
	} {
		got, err := readPath("field", typed)
		if err != nil || strings.Join(got, "|") != want {
			t.Errorf("%q: %q, %v", typed, got, err)
		}
	}
	for _, typed := range []string{"/", "Editor//Email", "a\nb", "triggerBody()", "a/b/c/d/e/f/g/h/i", "toLower(triggerBody()?['a'])", "triggerBody()?['a'][0]"} {
		if got, err := readPath("field", typed); err == nil {
			t.Errorf("%q became %q", typed, got)
		}
	}
}
