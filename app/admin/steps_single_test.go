package admin

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"dedupedesk/app/session"
	"dedupedesk/exporters"
	"dedupedesk/exporters/catalog"
	"dedupedesk/frontend/page"
)

func TestSingleSettingsNeedNoRule(t *testing.T) {
	d := newDesk(t)
	s := sit(t, d, "Ana", session.Change)
	body := wantStatus(t, s.get("/steps?one=1"), http.StatusOK)
	wantWords(t, body, "Test a trigger condition", "/steps?one=condition", "/steps?one=file", "/steps?tool=power-automate", "/steps?tool=sharepoint", "#step-concurrency")
	for _, x := range catalog.All() {
		wantWords(t, wantStatus(t, s.get("/steps?tool="+x.Name()), http.StatusOK), "No rule, just this setting", "What this covers")
	}
	form := url.Values{"tool": {"sharepoint"}, "detail.column": {"OrderKey"}}
	wantStatus(t, s.post("/steps/details", form), http.StatusOK)
	part, _ := stepHTML(t, wantStatus(t, s.get("/steps?tool=sharepoint"), http.StatusOK), "column")
	if got := shown(t, part, "step-column-value"); got != "OrderKey" {
		t.Errorf("the column is %q", got)
	}
}

// What a rule decides is not asked without one.
func TestFieldsThatChangeNothingAreNotAsked(t *testing.T) {
	for _, x := range catalog.All() {
		for _, f := range (sheet{tool: x}).asked() {
			if f.WithRule {
				t.Errorf("%s asks for %s without a rule", x.Name(), f.Name)
			}
		}
	}
}

func TestEveryStepHasAnIDForThePage(t *testing.T) {
	plain := regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	for _, x := range catalog.All() {
		c, err := x.Build(exporters.Setup{})
		if err != nil {
			t.Fatalf("%s: %v", x.Name(), err)
		}
		for _, s := range c.Steps {
			if !plain.MatchString(s.ID) {
				t.Errorf("%s: the step id %q cannot stand in a page", x.Name(), s.ID)
			}
		}
	}
}

const outcomeRun, outcomeSkip, outcomeNo, outcomeEval, outcomeSyntax = "run", "skip", "not-boolean", "eval-error", "bad-syntax"

// The reference cases as a person would paste them.
func TestConditionCheckerOnReferenceCases(t *testing.T) {
	s := sit(t, newDesk(t), "Lou", session.Look) // it keeps nothing, so looking is enough
	for _, tt := range []struct {
		name, outputs, lines, outcome string
		words                         []string
	}{
		{"MS01OwnEditIsSkipped", `{"body":{"Editor":{"Email":"Flow.Bot@Example.com"}}}`,
			`@not(equals(toLower(coalesce(triggerOutputs()?['body/Editor/Email'],'')),'flow.bot@example.com'))`, outcomeSkip,
			[]string{"The flow does not run for this event.", "Flow.Bot@Example.com"}},
		{"MS03APersonsEditRuns", `{"body":{"Editor":{"Email":"ana@example.com"}}}`,
			`@not(equals(toLower(coalesce(triggerBody()?['Editor']?['Email'],'')),'flow.bot@example.com'))`, outcomeRun, []string{"The flow runs for this event."}},
		{"MS04ToLowerOfNullIsAnError", `{"body":{"Editor":{"Email":null}}}`,
			`@not(equals(toLower(triggerBody()?['Editor']?['Email']),'flow.bot@example.com'))`, outcomeEval, []string{"Error: cannot be worked out"}},
		{"MS05ChoiceColumnIsAnObject", `{"body":{"Status":{"Id":0,"Value":"New"}}}`,
			`@equals(triggerBody()?['Status'],'New')`, outcomeSkip, []string{"Did you mean its Value?", `{"Id":0,"Value":"New"}`}},
		{"MS23SecondAt", `{"body":{"Title":"x"}}`,
			`@equals(@triggerBody()?['Title'],'x')`, outcomeSyntax, []string{"(character 9)", "@equals(<mark>@</mark>triggerBody()"}},
		{"NotAYesNoAnswer", `{"body":{"Title":"x"}}`, `@triggerBody()?['Title']`, outcomeNo, []string{"Not a yes-no answer"}},
		{"SpaceBeforeTheAt", `{"body":{}}`, ` @equals(1,1)`, outcomeSyntax, []string{"There is a space before the @."}},
		{"WorstLineDecides", `{"body":{"Title":"x"}}`, "@equals(1,1)\r\n\r\n@equals(1,2)", outcomeSkip, []string{"The line is true", "The line is false"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			body := wantStatus(t, s.post("/steps/condition", url.Values{"lines": {tt.lines}, "outputs": {tt.outputs}}), http.StatusOK)
			_, verdict, found := strings.Cut(body, `class="condition-verdict"`)
			if !found {
				t.Fatal("no verdict")
			}
			if first := badgeWords(verdict); first != map[string]string{
				outcomeRun: "Run", outcomeSkip: "Skip", outcomeNo: "Not a yes-no answer", outcomeEval: "Error: cannot be worked out", outcomeSyntax: "Error: cannot be read",
			}[tt.outcome] {
				t.Errorf("the verdict is %q, want %s", first, tt.outcome)
			}
			wantWords(t, body, tt.words...)
		})
	}
}

var badgeText = regexp.MustCompile(`(?s)<span class="badge[^"]*">.*?</svg>\s*([^<]*?)\s*</span>`)

func badgeWords(part string) string {
	m := badgeText.FindStringSubmatch(part)
	if m == nil {
		return ""
	}
	return m[1]
}

func TestConditionCheckerTellsWhatIsMissing(t *testing.T) {
	s := sit(t, newDesk(t), "Ana", session.Change)
	for name, tt := range map[string]struct{ lines, outputs, words string }{
		"NoLines":     {"\n \n", `{"body":{}}`, "Write at least one condition."},
		"NoOutputs":   {"@true", " ", "Paste what the trigger sent."},
		"BrokenJSON":  {"@true", `{"body":`, "We could not read this: line 1:"},
		"ListOutputs": {"@true", `[]`, "We could not read this:"},
		"ManyLines":   {strings.Repeat("@true\n", 51), `{"body":{}}`, "At most 50 conditions"},
	} {
		t.Run(name, func(t *testing.T) {
			body := wantStatus(t, s.post("/steps/condition", url.Values{"lines": {tt.lines}, "outputs": {tt.outputs}}), http.StatusUnprocessableEntity)
			wantWords(t, body, tt.words, `aria-invalid="true"`)
		})
	}
	if w := s.post("/steps/condition", url.Values{"lines": {"@true"}, "outputs": {strings.Repeat("x", 1<<20)}}); w.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("outputs of 1 MB: status %d, want 413", w.Code)
	}
}

func TestExampleConditionWorks(t *testing.T) {
	s := sit(t, newDesk(t), "Ana", session.Change)
	wantWords(t, wantStatus(t, s.get("/steps?one=test&example=1"), http.StatusOK), "Order 41")
	v := exampleCondition()
	body := wantStatus(t, s.post("/steps/condition", url.Values{"lines": {v.Lines}, "outputs": {v.Outputs}}), http.StatusOK)
	wantWords(t, body, "The flow does not run for this event.")
}

// Labels of the vendor's screen, as a page shows them in bold.
func TestPhrases(t *testing.T) {
	for where, want := range map[string]string{
		"Trigger conditions > Add > paste the line into the empty box. One line per box.": "[Trigger conditions] > [Add] > paste the line into the empty box. One line per box.",
		"New designer: click the trigger card > Settings > Trigger conditions > Add.":     "New designer: click the trigger card > [Settings] > [Trigger conditions] > [Add].",
		"method POST, Headers > name: paste":                                              "method POST, [Headers] > name: paste",
		"Click into Inputs > fx (Expression) > paste > Add.":                              "Click into [Inputs] > fx (Expression) > paste > [Add].",
		"Classic designer: Done. Then in both: Save.":                                     "Classic designer: Done. Then in both: Save.",
		"open the flow > 28-day run history > All runs, and choose Checks.":               "open the flow > [28-day run history] > [All runs], and choose Checks.",
		"Power Apps > Tables > the table. Open Power Apps > Keys.":                        "[Power Apps] > [Tables] > the table. Open [Power Apps] > [Keys].",
		"Press **Save as**, then **OK**.":                                                 "Press [Save as], then [OK].",
		"":                                                                                "",
	} {
		if got := bracketed(phrases(where)); got != want {
			t.Errorf("%q:\n got %s\nwant %s", where, got, want)
		}
	}
}

func bracketed(list []page.PhraseView) string {
	var b strings.Builder
	for _, p := range list {
		if p.Label {
			b.WriteString("[" + p.Text + "]")
		} else {
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

// No instruction loses a character on its way to the page.
func TestPhrasesKeepEveryWord(t *testing.T) {
	for _, x := range catalog.All() {
		c, err := x.Build(exporters.Setup{})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range c.Steps {
			var text strings.Builder
			for _, p := range phrases(s.Where) {
				text.WriteString(p.Text)
			}
			if text.String() != strings.ReplaceAll(s.Where, "**", "") {
				t.Errorf("%s, %s:\n got %q\nwant %q", x.Name(), s.ID, text.String(), s.Where)
			}
		}
	}
}
