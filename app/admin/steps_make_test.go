package admin

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"dedupedesk/app/session"
	"dedupedesk/exporters/powerautomate"
)

const listOutputs = `{"headers":{},"body":{"ID":41,"{VersionNumber}":"3.0","Title":"Order 41","Editor":{"Email":"Flows@Example.com","DisplayName":"Flows"}}}`

// From a paste to a line that is tried: the trigger is told by the paste, the field is
// clicked, and the line is worked out on the event and on made ones.
func TestAConditionIsMadeFromAPaste(t *testing.T) {
	s := sit(t, newDesk(t), "Lou", session.Look) // it keeps nothing, so looking is enough
	form := url.Values{"outputs": {listOutputs}}
	body := wantStatus(t, s.post("/steps/condition/make", form), http.StatusOK)
	wantWords(t, body, "This looks like the trigger ", "Ignore the flow's own changes")
	m := regexp.MustCompile(`<option value="([^"]+)" selected>`).FindStringSubmatch(body)
	if m == nil || m[1] != powerautomate.SharePointItem {
		t.Fatalf("the trigger is %v", m)
	}
	form.Set("trigger", m[1])
	form.Set("recipe", powerautomate.OwnEdits)
	body = wantStatus(t, s.post("/steps/condition/make", form), http.StatusOK)
	wantWords(t, body, "Flow account", "Use an account that no person works with.", "Fill in: Flow account.")
	if strings.Contains(body, `role="alert"`) {
		t.Error("what nobody typed yet is called a fault")
	}
	path := regexp.MustCompile(`name="field" value="([^"]*Email[^"]*)"`).FindStringSubmatch(body)
	if path == nil {
		t.Fatal("the editor's address cannot be clicked")
	}
	form.Set("field", html.UnescapeString(path[1]))
	form.Set("value", "flows@example.com")
	body = wantStatus(t, s.post("/steps/condition/make", form), http.StatusOK)
	line := shown(t, body, "made-nested")
	if !strings.HasPrefix(line, "@") || !strings.Contains(line, "flows@example.com") {
		t.Errorf("the line is %q", line)
	}
	if slashed := shown(t, body, "made-slashed"); !strings.Contains(slashed, "body/Editor/Email") {
		t.Errorf("with slashes it is %q", slashed)
	}
	sample := body[strings.Index(body, "made-sample-title"):]
	if got := badgeWords(sample); got != "Skip" {
		t.Errorf("on the flow's own edit: %s", got)
	}
	wantWords(t, body, "The line does what is right on all of them.")

	// The checker says the same of the line.
	body = wantStatus(t, s.post("/steps/condition", url.Values{"lines": {line}, "outputs": {listOutputs}}), http.StatusOK)
	wantWords(t, body, "The flow does not run for this event.")
}

func TestTheMakerSaysWhatIsMissingOrWrong(t *testing.T) {
	s := sit(t, newDesk(t), "Lou", session.Look)
	own := url.Values{"trigger": {powerautomate.SharePointItem}, "recipe": {powerautomate.OwnEdits}}
	for name, tt := range map[string]struct {
		form  url.Values
		words []string
	}{
		"nothing":         {url.Values{}, []string{"Choose, or paste an event and we look"}},
		"no trigger":      {url.Values{"trigger": {"abacus"}, "recipe": {"own-edits"}}, []string{"Choose, or paste an event and we look"}},
		"no account":      {url.Values{"make": {"yes"}}, []string{`aria-invalid="true"`}},
		"no address":      {url.Values{"value": {"flows"}}, []string{`aria-invalid="true"`, `value="flows"`}},
		"a broken path":   {url.Values{"value": {"flows@example.com"}, "typed": {"Editor//Email"}}, []string{`aria-invalid="true"`, `value="Editor//Email"`}},
		"a broken paste":  {url.Values{"outputs": {`{"body":`}}, []string{"We could not read this:", "Mend the event above"}},
		"another trigger": {url.Values{"trigger": {powerautomate.OutlookMail}, "outputs": {listOutputs}}, []string{"looks like another trigger"}},
		"without a paste": {url.Values{"value": {"flows@example.com"}}, []string{"Not tried: no event was pasted.", "On made events"}},
	} {
		t.Run(name, func(t *testing.T) {
			form := url.Values{}
			if len(tt.form) > 0 {
				form = url.Values{"trigger": own["trigger"], "recipe": own["recipe"]}
			}
			for k, v := range tt.form {
				form[k] = v
			}
			wantWords(t, wantStatus(t, s.post("/steps/condition/make", form), http.StatusOK), tt.words...)
		})
	}
	if w := s.post("/steps/condition/make", url.Values{"outputs": {strings.Repeat("x", 1<<20)}}); w.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("an event of 1 MB: status %d, want 413", w.Code)
	}
}

// Every trigger and purpose that the page offers comes to an answer in words.
func TestEveryPurposeCanBeChosen(t *testing.T) {
	d := stepsDesk{Desk: newDesk(t)}
	for _, trigger := range powerautomate.Triggers() {
		for _, r := range powerautomate.Recipes(trigger.Name) {
			for _, outputs := range []string{"", string(trigger.Example)} {
				value := r.Value.Example
				if len(r.Value.Choices) > 0 {
					value = r.Value.Choices[0].Value
				}
				v := d.making(making{outputs: outputs, pressed: true, pick: powerautomate.Pick{Trigger: trigger.Name, Recipe: r.Name, Value: value}})
				if v.Made == nil && v.Waits == "" && v.FieldFault == "" && v.OutputsFault == "" && (v.Value == nil || v.Value.Fault == "") {
					t.Errorf("%s, %s: neither a line nor a word on what is missing", trigger.Name, r.Name)
				}
				if v.Made != nil && !v.Made.OK {
					t.Errorf("%s, %s: the line is wrong on a made event: %s", trigger.Name, r.Name, v.Made.Nested)
				}
			}
		}
	}
}

// The checklist of a rule leads to the builder, with the rule's sample in it.
func TestARulesSampleGoesAlong(t *testing.T) {
	d := newDesk(t)
	putRule(t, d, listRule)
	s := sit(t, d, "Ana", session.Change)
	wantWords(t, wantStatus(t, s.get(listSteps), http.StatusOK), `href="/steps?one=condition&rule=list-edits"`)
	body := wantStatus(t, s.get("/steps?one=condition&rule=list-edits"), http.StatusOK)
	wantWords(t, body, `"{VersionNumber}": "3.0"`, "Back to the steps of List edits")
	wantStatus(t, s.get("/steps?one=condition&rule=nobody"), http.StatusNotFound)
}

func TestAFileIsCheckedInWords(t *testing.T) {
	s := sit(t, newDesk(t), "Lou", session.Look)
	for name, tt := range map[string]struct {
		text   string
		status int
		words  []string
	}{
		"a blueprint": {`{"name":"x","flow":[{"id":1},{"id":1}]}`, http.StatusOK, []string{"mine.json is a blueprint of Make", "Fault", "Place:"}},
		"a flow":      {`{"definition":{"triggers":{},"actions":{}}}`, http.StatusOK, []string{"a flow of Power Automate", "exactly one trigger"}},
		"a workflow":  {`{"nodes":[],"connections":{}}`, http.StatusOK, []string{"a workflow of n8n"}},
		"no file":     {`{"x":"</textarea><script>"}`, http.StatusUnprocessableEntity, []string{"none of the files that we know", `"</textarea><script>"`}},
		"cut off":     {`{"flow":[`, http.StatusUnprocessableEntity, []string{"line 1, character"}},
	} {
		t.Run(name, func(t *testing.T) {
			body := wantStatus(t, s.post("/steps/check", url.Values{"text": {tt.text}, "name": {"mine.json"}}), tt.status)
			wantWords(t, body, tt.words...)
			if strings.Contains(body, "<script>") {
				t.Error("the file's text is part of the page")
			}
		})
	}
}
