package admin

import (
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"dedupedesk/app/intake"
	"dedupedesk/app/session"
	"dedupedesk/app/setup"
	"dedupedesk/exporters"
	"dedupedesk/exporters/catalog"
	"dedupedesk/ledger"
	"dedupedesk/ledger/ledgertest"
	"dedupedesk/ledger/sqlite"
	"dedupedesk/rules"
)

// listRule is a SharePoint rule with two copies of one edit and another edit.
const listRule = `
rule: list-edits
title: List edits
key: 'key("list", body.ID, body["{VersionNumber}"])'
lease: 15m
samples:
  - {group: A, name: first, body: '{"ID":41,"{VersionNumber}":"3.0","Editor":{"Email":"ana@example.com"}}'}
  - {group: A, name: copy, body: '{"ID":41,"{VersionNumber}":"3.0","Editor":{"Email":"ana@example.com"}}'}
  - {group: B, name: other, body: '{"ID":41,"{VersionNumber}":"4.0","Editor":{"Email":"Flows@example.com"}}'}
`

// paidRule is one whose fields Make can name.
const paidRule = `
rule: paid-invoices
title: Paid invoices
sender: stripe
key: 'key("stripe", body.data.object.id, body.type)'
lease: 15m
samples:
  - {group: A, name: first, body: '{"id":"evt_1001","type":"invoice.paid","data":{"object":{"id":"in_77"}}}'}
  - {group: B, name: other, body: '{"id":"evt_1002","type":"invoice.paid","data":{"object":{"id":"in_78"}}}'}
`

func putRule(t *testing.T, d Desk, text string) {
	t.Helper()
	file, err := rules.Parse([]byte(text))
	if err != nil {
		t.Fatalf("rule: %v", err)
	}
	if _, err := d.Intake.PutRule(t.Context(), "", file); err != nil {
		t.Fatalf("put rule: %v", err)
	}
}

// again is another desk on the key file of d, as after a restart.
func again(t *testing.T, d Desk) Desk {
	t.Helper()
	store, err := sqlite.Open(d.KeyFile)
	if err != nil {
		t.Fatalf("open the key file: %v", err)
	}
	d.Ledger = ledger.New(store, d.Clock.(*ledgertest.Clock), nil)
	l := d.Ledger
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Errorf("close the key file: %v", err)
		}
	})
	d.Intake = intake.New(d.Ledger, d.Rules)
	return d
}

func wantStatus(t *testing.T, w *httptest.ResponseRecorder, status int) string {
	t.Helper()
	if w.Code != status {
		t.Fatalf("status %d, want %d: %s", w.Code, status, w.Body)
	}
	return w.Body.String()
}

func wantWords(t *testing.T, body string, words ...string) {
	t.Helper()
	for _, w := range words {
		if !strings.Contains(html.UnescapeString(body), w) {
			t.Errorf("%q is not on the page", w)
		}
	}
}

var stepStart = regexp.MustCompile(`<li class="step" id="step-([a-z0-9-]+)" data-state="([a-z]+)">`)

// stepHTML returns the part of a page that is one step, and its state.
func stepHTML(t *testing.T, body, id string) (part, state string) {
	t.Helper()
	all := stepStart.FindAllStringSubmatchIndex(body, -1)
	for i, m := range all {
		if body[m[2]:m[3]] != id {
			continue
		}
		end := len(body)
		if i+1 < len(all) {
			end = all[i+1][0]
		}
		return body[m[0]:end], body[m[4]:m[5]]
	}
	t.Fatalf("no step %q on the page", id)
	return "", ""
}

// shown returns the text of the element that a copy button names, as the browser
// would hand it out.
func shown(t *testing.T, part, element string) string {
	t.Helper()
	m := regexp.MustCompile(`<code id="` + regexp.QuoteMeta(element) + `">([^<]*)</code>`).FindStringSubmatch(part)
	if m == nil {
		t.Fatalf("no text %q", element)
	}
	return html.UnescapeString(m[1])
}

func account(address string) url.Values {
	return url.Values{"rule": {"list-edits"}, "tool": {"power-automate"}, "detail.account": {address}}
}

func tickForm(step, done string) url.Values {
	return url.Values{"rule": {"list-edits"}, "tool": {"power-automate"}, "step": {step}, "done": {done}}
}

const listSteps = "/steps?rule=list-edits&tool=power-automate"

func TestStepsWithoutARuleLeadToDesign(t *testing.T) {
	s := sit(t, newDesk(t), "Ana", session.Change)
	body := wantStatus(t, s.get("/steps"), http.StatusOK)
	wantWords(t, body, "No rule yet", `href="/design"`, `href="/steps?one=1"`)
}

func TestStepsAskForRuleThenTool(t *testing.T) {
	d := newDesk(t)
	putRule(t, d, listRule)
	s := sit(t, d, "Ana", session.Change)
	wantWords(t, wantStatus(t, s.get("/steps"), http.StatusOK), "List edits", `href="/steps?rule=list-edits"`, "no tool chosen")
	body := wantStatus(t, s.get("/steps?rule=list-edits"), http.StatusOK)
	for _, x := range catalog.All() {
		wantWords(t, body, x.Title(), "tool="+x.Name())
	}
}

func TestUnknownRuleOrToolIsAPage404(t *testing.T) {
	d := newDesk(t)
	putRule(t, d, listRule)
	s := sit(t, d, "Ana", session.Change)
	for _, path := range []string{"/steps?rule=nobody", "/steps?rule=nobody&tool=make", "/steps?rule=list-edits&tool=abacus", "/steps/file?tool=make&name=x.json"} {
		w := s.get(path)
		body := wantStatus(t, w, http.StatusNotFound)
		if !strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") || !strings.Contains(body, "<main") {
			t.Errorf("%s: not a page", path)
		}
	}
	if w := s.post("/steps/tick", url.Values{"rule": {"list-edits"}, "tool": {"abacus"}, "step": {"line"}, "done": {"yes"}}); w.Code != http.StatusNotFound {
		t.Errorf("tick for an unknown tool: status %d", w.Code)
	}
	if w := s.post("/steps/tick", tickForm("no-such-step", "yes")); w.Code != http.StatusNotFound {
		t.Errorf("tick of an unknown step: status %d", w.Code)
	}
}

// The value on the page is the value that the exporter made, character for character,
// and the copy button names just that element.
func TestValueShownIsTheValueCopied(t *testing.T) {
	d := newDesk(t)
	putRule(t, d, listRule)
	s := sit(t, d, "Ana", session.Change)
	details := map[string]string{"account": "o'brien+flows@example.com", "field": "Editor/Email"}
	form := account(details["account"])
	form.Set("detail.field", details["field"])
	wantStatus(t, s.post("/steps/details", form), http.StatusOK)
	body := wantStatus(t, s.get(listSteps), http.StatusOK)

	r, err := d.Intake.Rule(t.Context(), "list-edits")
	if err != nil {
		t.Fatal(err)
	}
	told := setup.Of(t.Context(), r)
	told.Details = details
	x, _ := catalog.ByName("power-automate")
	want, err := x.Build(told)
	if err != nil {
		t.Fatal(err)
	}
	values := 0
	for _, step := range want.Steps {
		part, _ := stepHTML(t, body, step.ID)
		if step.Value == "" || step.Blocked != "" {
			continue
		}
		values++
		id := "step-" + step.ID + "-value"
		if got := shown(t, part, id); got != step.Value {
			t.Errorf("step %s shows %q, want %q", step.ID, got, step.Value)
		}
		if n := strings.Count(part, `<copy-button for="`+id+`">`); n != 1 {
			t.Errorf("step %s has %d copy buttons for its value, want 1", step.ID, n)
		}
	}
	if values < 3 {
		t.Errorf("only %d values on the page: the condition, the key and the degree are missing", values)
	}
	if got := shown(t, body, "all-text"); got != want.Text() {
		t.Errorf("copy all differs from the checklist's text:\n%s", got)
	}
}

func TestBlockedStepHasNoCopyAndNoTick(t *testing.T) {
	d := newDesk(t)
	putRule(t, d, listRule)
	s := sit(t, d, "Ana", session.Change)
	body := wantStatus(t, s.get(listSteps), http.StatusOK)
	part, _ := stepHTML(t, body, "line")
	wantWords(t, part, "Wait with this step", "Type the flow account first.", "disabled")
	if strings.Contains(part, "copy-button") {
		t.Error("a blocked step has a copy button")
	}
	wantWords(t, wantStatus(t, s.post("/steps/tick", tickForm("line", "yes")), http.StatusUnprocessableEntity), "This step cannot be ticked yet.", `data-state="open"`)
}

// A key that Power Automate would make differently is not offered.
func TestKeyThatCannotBeSaidIsBlocked(t *testing.T) {
	d := newDesk(t)
	putRule(t, d, strings.Replace(listRule, `'key("list", body.ID, body["{VersionNumber}"])'`, `'key("list", digest(body.Editor))'`, 1))
	s := sit(t, d, "Ana", session.Change)
	wantStatus(t, s.post("/steps/details", account("flows@example.com")), http.StatusOK)
	part, _ := stepHTML(t, wantStatus(t, s.get(listSteps), http.StatusOK), "key")
	if strings.Contains(part, "copy-button") || !strings.Contains(part, "Wait with this step") {
		t.Errorf("the key is offered:\n%s", part)
	}
}

func TestWarningComesBeforeCopy(t *testing.T) {
	d := newDesk(t)
	putRule(t, d, listRule)
	s := sit(t, d, "Ana", session.Change)
	part, _ := stepHTML(t, wantStatus(t, s.get(listSteps), http.StatusOK), "concurrency")
	warning, copying := strings.Index(part, "Before you do this"), strings.Index(part, "copy-button")
	if warning < 0 || copying < warning {
		t.Errorf("the warning stands at %d, the copy button at %d", warning, copying)
	}
	off := regexp.MustCompile(`<copy-button[^>]*><button[^>]* disabled`)
	if !off.MatchString(part) {
		t.Error("copy works before the warning was understood")
	}
	form := url.Values{"rule": {"list-edits"}, "tool": {"power-automate"}, "step": {"concurrency"}}
	part = wantStatus(t, s.post("/steps/understood", form), http.StatusOK)
	if off.MatchString(part) {
		t.Error("copy does not work after the warning was understood")
	}
	wantWords(t, part, "Understood", "by Ana")
	part, _ = stepHTML(t, wantStatus(t, sit(t, again(t, d), "Bo", session.Look).get(listSteps), http.StatusOK), "concurrency")
	if off.MatchString(part) {
		t.Error("that the warning was understood did not stay")
	}
	form.Set("step", "copies")
	wantStatus(t, s.post("/steps/understood", form), http.StatusUnprocessableEntity)
}

func TestLookersChangeNothing(t *testing.T) {
	d := newDesk(t)
	putRule(t, d, listRule)
	s := sit(t, d, "Lou", session.Look)
	for path, form := range map[string]url.Values{"/steps/details": account("flows@example.com"), "/steps/tick": tickForm("copies", "yes"), "/steps/understood": tickForm("concurrency", "")} {
		if w := s.post(path, form); w.Code != http.StatusForbidden {
			t.Errorf("%s: status %d, want 403", path, w.Code)
		}
	}
	kept, err := d.Ledger.SettingsWithPrefix(t.Context(), "steps/")
	if err != nil || len(kept) > 0 {
		t.Errorf("kept %v, %v", kept, err)
	}
}

// Green checks on samples without a key would say that all is well.
func TestARuleWithoutAnyKeySaysSo(t *testing.T) {
	d := newDesk(t)
	putRule(t, d, strings.Replace(listRule, "body.ID", "body.missing", 1))
	s := sit(t, d, "Ana", session.Look)
	for _, tool := range []string{"power-automate", "make", "n8n"} {
		wantWords(t, wantStatus(t, s.get("/steps?rule=list-edits&tool="+tool), http.StatusOK), "No sample gets a key", exporters.NoSampleKeyed)
	}
}

// Who may not change sees what is there, and nothing that would refuse after the press.
func TestWhoMayNotChangeFindsEverythingSwitchedOff(t *testing.T) {
	d := newDesk(t)
	putRule(t, d, listRule)
	control := regexp.MustCompile(`(?s)<(?:button|input|select|textarea)[^>]*>`)
	for role, off := range map[session.Role]bool{session.Look: true, session.Decide: true, session.Change: false} {
		body := wantStatus(t, sit(t, d, "Lou", role).get(listSteps), http.StatusOK)
		switches := 0
		for _, form := range regexp.MustCompile(`(?s)<form[^>]* hx-post="/steps/.*?</form>`).FindAllString(body, -1) {
			for _, c := range control.FindAllString(form, -1) {
				if strings.Contains(c, `id="way-ledger"`) {
					continue // shut for a computer that sleeps
				}
				if strings.Contains(c, `type="hidden"`) || strings.Contains(form, `value="line"`) {
					continue // the line waits for the account, whoever looks
				}
				switches++
				if strings.Contains(c, " disabled") != off {
					t.Errorf("%s: disabled is %v for %s", role, !off, c)
				}
			}
		}
		if switches < 10 {
			t.Errorf("%s: only %d controls were found", role, switches)
		}
		if said := strings.Contains(body, "Only somebody who may change settings can tick steps."); said != off {
			t.Errorf("%s: the reason is said: %v", role, said)
		}
	}
}

// Whoever follows steps that stop no copy is told so, and where the ones are that do.
func TestStepsThatStopNoCopySaySo(t *testing.T) {
	d := newDesk(t)
	putRule(t, d, paidRule)
	s := sit(t, d, "Ana", session.Change)
	for _, answer := range []url.Values{{"detail.computer": {"always"}}, {"detail.route": {exporters.RouteNone}}} {
		answer["rule"], answer["tool"] = []string{"paid-invoices"}, []string{"make"}
		wantStatus(t, s.post("/steps/answer", answer), http.StatusOK)
	}
	body := wantStatus(t, s.get("/steps?rule=paid-invoices&tool=make"), http.StatusOK)
	wantWords(t, body, exporters.NotStopped, "When the sender sends an event again, the work is done again.",
		`<a href="/steps?rule=paid-invoices&tool=sharepoint">SharePoint list</a>`)
	if strings.Contains(wantStatus(t, s.get("/steps?rule=paid-invoices&tool=sharepoint"), http.StatusOK), exporters.NotStopped) {
		t.Error("a unique column is said to stop no copy")
	}
	wantStatus(t, s.post("/steps/answer", url.Values{"rule": {"paid-invoices"}, "tool": {"make"}, "detail.route": {exporters.RouteLedger}}), http.StatusOK)
	if strings.Contains(wantStatus(t, s.get("/steps?rule=paid-invoices&tool=make"), http.StatusOK), exporters.NotStopped) {
		t.Error("the way by this program is said to stop no copy")
	}
	// Without a rule Make's steps stop none either, so they are not recommended.
	body = wantStatus(t, s.get("/steps?tool=power-automate"), http.StatusOK)
	wantWords(t, body, exporters.NotStopped, `<a href="/steps?tool=sharepoint">SharePoint list</a>`)
	if strings.Contains(html.UnescapeString(body), `<a href="/steps?tool=make">Make</a>, `) {
		t.Error("Make's settings without a rule are recommended")
	}
}

func TestCloudToolsSayWhoMustReachWhom(t *testing.T) {
	d := newDesk(t)
	putRule(t, d, listRule)
	s := sit(t, d, "Ana", session.Change)
	awake := url.Values{"rule": {"list-edits"}, "tool": {"make"}, "detail.computer": {"always"}, "detail.route": {exporters.RouteLedger}}
	wantStatus(t, s.post("/steps/answer", awake), http.StatusOK)
	for tool, words := range map[string]string{
		"make": "Make cannot reach this computer", "sharepoint": "They are settings of the tool itself, in the cloud",
	} {
		wantWords(t, wantStatus(t, s.get("/steps?rule=list-edits&tool="+tool), http.StatusOK), words, "What this covers", "A step repeats inside one run")
	}
}
