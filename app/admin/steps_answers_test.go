package admin

import (
	"errors"
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"dedupedesk/app/intake"
	"dedupedesk/app/session"
	"dedupedesk/exporters"
	"dedupedesk/ledger"
	"dedupedesk/rules"
)

func answerForm(tool string, pairs ...string) url.Values {
	form := url.Values{"rule": {"list-edits"}, "tool": {tool}}
	for i := 0; i < len(pairs); i += 2 {
		form.Set(detailPrefix+pairs[i], pairs[i+1])
	}
	return form
}

// A person with a SharePoint list ends at the unique column, with the key tried.
func TestAListEndsAtTheUniqueColumn(t *testing.T) {
	d := newDesk(t)
	putRule(t, d, listRule)
	s := sit(t, d, "Ana", session.Change)
	body := wantStatus(t, s.post("/steps/answer", answerForm("power-automate", "target", exporters.TargetSharePoint)), http.StatusOK)
	wantWords(t, body, "Our advice", "A unique column is enough", "What it takes: No licence")
	m := regexp.MustCompile(`class="btn btn-primary" href="(/steps\?[^"]+)"`).FindStringSubmatch(body)
	if m == nil {
		t.Fatal("no link to the steps of the list")
	}
	body = wantStatus(t, s.get(html.UnescapeString(m[1])), http.StatusOK)
	wantWords(t, body, "You come from Power Automate: A unique column in the list", "The list itself refuses a second row")
	part, _ := stepHTML(t, body, "key")
	wantWords(t, part, "the same as the rule's.")
	shown(t, part, "step-key-value")
}

// The page sends the way that it shows with every answer; that is no choice of the
// person's, so the next answer moves on to the way that it makes the best.
func TestAnswersMoveTheWayUntilOneIsTaken(t *testing.T) {
	d := newDesk(t)
	putRule(t, d, listRule)
	s := sit(t, d, "Ana", session.Change)
	taken := func(body, route string) {
		t.Helper()
		if !regexp.MustCompile(`id="way-` + route + `"[^>]* checked`).MatchString(body) {
			t.Errorf("the way %s is not the one shown", route)
		}
	}
	taken(wantStatus(t, s.post("/steps/answer", answerForm("power-automate", "plan", "premium", "route", exporters.RouteNone)), http.StatusOK), exporters.RouteNone)
	taken(wantStatus(t, s.post("/steps/answer", answerForm("power-automate", "plan", "premium", "computer", exporters.ComputerAlways, "route", exporters.RouteNone)), http.StatusOK), exporters.RouteLedger)
	taken(wantStatus(t, s.post("/steps/answer", answerForm("power-automate", "route", exporters.RouteNone)), http.StatusOK), exporters.RouteNone)
	taken(wantStatus(t, s.post("/steps/answer", answerForm("power-automate", "retries", exporters.RetriesNobody, "route", exporters.RouteNone)), http.StatusOK), exporters.RouteNone)
}

func TestNoKeyIsNeededIsAResult(t *testing.T) {
	d := newDesk(t)
	putRule(t, d, listRule)
	s := sit(t, d, "Ana", session.Change)
	body := wantStatus(t, s.post("/steps/answer", answerForm("make", "effect", exporters.EffectSets)), http.StatusOK)
	wantWords(t, body, `<p class="advice-way">No key is needed</p>`, "twice comes to the same as once", "Prove")
	if strings.Contains(body, `role="alert"`) {
		t.Error("a result is shown as an error")
	}
	body = wantStatus(t, s.get("/steps?rule=list-edits&tool=power-automate"), http.StatusOK)
	wantWords(t, body, "No key is needed", "Still useful: ignore the flow's own edits", `id="step-account"`)
	for _, wrong := range []string{"When the sender sends an event again, the work is done again", `id="step-key"`, "Event key"} {
		if strings.Contains(body, wrong) {
			t.Errorf("no key is needed, and the page says %q", wrong)
		}
	}
}

// A way whose key the tool cannot make is shut with its reason, and not advised.
func TestAHiddenPartShutsTheStores(t *testing.T) {
	d := newDesk(t)
	putRule(t, d, strings.Replace(listRule, "body.ID", "secret(body.Editor.Email)", 1))
	s := sit(t, d, "Ana", session.Change)
	for _, tool := range []string{"make", "zapier", "power-automate"} {
		body := wantStatus(t, s.post("/steps/answer", answerForm(tool, "target", exporters.TargetSharePoint)), http.StatusOK)
		wantWords(t, body, "is hidden with secret(…). Only this program can do that")
		if strings.Contains(body, "This is another way") || strings.Contains(body, "A unique column is enough") {
			t.Errorf("%s: a way is advised whose key the tool cannot make", tool)
		}
		if regexp.MustCompile(`id="way-(store|destination)"[^>]* checked`).MatchString(body) {
			t.Errorf("%s: the steps go a way whose key the tool cannot make", tool)
		}
	}
}

// A rule that another process has just changed is shown as it is, not as it was.
func TestStepsShowTheRuleOfThisMoment(t *testing.T) {
	d := newDesk(t)
	putRule(t, d, listRule)
	s := sit(t, d, "Ana", session.Change)
	wantStatus(t, s.get("/steps?rule=list-edits&tool=sharepoint"), http.StatusOK)
	elsewhere := d
	engine, err := rules.New()
	if err != nil {
		t.Fatal(err)
	}
	elsewhere.Intake = intake.New(d.Ledger, engine)
	putRule(t, elsewhere, strings.Replace(listRule, `key("list"`, `key("orders"`, 1))
	part, _ := stepHTML(t, wantStatus(t, s.get("/steps?rule=list-edits&tool=sharepoint"), http.StatusOK), "key")
	wantWords(t, part, "orders:")
}

// Where the steps are not those that are advised, the advice stands before them and
// their heading says so.
func TestAnotherWayThanTheAdvisedSaysSo(t *testing.T) {
	d := newDesk(t)
	putRule(t, d, listRule)
	s := sit(t, d, "Ana", session.Change)
	body := wantStatus(t, s.get("/steps?rule=list-edits&tool=power-automate"), http.StatusOK)
	last := -1
	for _, part := range []string{"<h1", `id="advice"`, `id="questions"`, `id="ways"`, "This is another way: A trigger condition", `id="step-account"`} {
		at := strings.Index(body, part)
		if at <= last {
			t.Errorf("%s stands at %d, not behind what comes before it (%d)", part, at, last)
		}
		last = at
	}
	wantStatus(t, s.post("/steps/answer", answerForm("power-automate", "plan", "premium")), http.StatusOK)
	body = wantStatus(t, s.post("/steps/answer", answerForm("power-automate", "computer", exporters.ComputerAlways)), http.StatusOK)
	if strings.Contains(body, "This is another way") {
		t.Error("the advised way is called another one")
	}
}

// What is true of the rule and of this computer is asked once, not for each tool.
func TestAnswersAboutTheRuleHoldForEveryTool(t *testing.T) {
	d := newDesk(t)
	putRule(t, d, listRule)
	putRule(t, d, paidRule)
	s := sit(t, d, "Ana", session.Change)
	for _, answer := range [][]string{{"plan", "premium"}, {"computer", exporters.ComputerAlways}, {"retries", exporters.RetriesPlatform}} {
		wantStatus(t, s.post("/steps/answer", answerForm("power-automate", answer...)), http.StatusOK)
	}
	chosen := func(rule, id string) bool {
		body := wantStatus(t, s.get("/steps?rule="+rule+"&tool=make"), http.StatusOK)
		return regexp.MustCompile(`id="` + id + `"[^>]* checked`).MatchString(body)
	}
	if !chosen("list-edits", "detail-computer-always") {
		t.Error("Make asks again whether the computer sleeps")
	}
	if chosen("list-edits", "detail-retries-platform") {
		t.Error("who tries again in Power Automate is said of Make")
	}
	if chosen("paid-invoices", "detail-computer-always") {
		t.Error("another rule has the answer")
	}
}

// A shut way is refused with its reason, and one that an answer shuts is given up.
func TestAShutWayIsNotTaken(t *testing.T) {
	d := newDesk(t)
	putRule(t, d, listRule)
	s := sit(t, d, "Ana", session.Change)
	form := answerForm("make", "route", exporters.RouteLedger)
	wantWords(t, wantStatus(t, s.post("/steps/answer", form), http.StatusUnprocessableEntity), "This computer sleeps or is switched off at times")
	form.Set("detail.computer", exporters.ComputerAlways)
	body := wantStatus(t, s.post("/steps/answer", form), http.StatusOK)
	if !regexp.MustCompile(`id="way-ledger"[^>]* checked`).MatchString(body) {
		t.Error("the way is not taken although the computer is awake")
	}
	form.Set("detail.computer", exporters.ComputerSleeps)
	body = wantStatus(t, s.post("/steps/answer", form), http.StatusOK)
	if regexp.MustCompile(`id="way-ledger"[^>]* checked`).MatchString(body) || strings.Contains(body, "cannot reach this computer") {
		t.Error("a sleeping computer is still asked")
	}
	wantStatus(t, s.post("/steps/answer", answerForm("make", "effect", "abacus", "address", "typed")), http.StatusUnprocessableEntity)
	wantStatus(t, s.post("/steps/answer", answerForm("power-automate", "effect", "abacus", "account", "typed")), http.StatusUnprocessableEntity) // nothing kept yet
}

// An answer keeps what is typed below it, and does not save it.
func TestAnAnswerLosesNothingTyped(t *testing.T) {
	d := newDesk(t)
	putRule(t, d, listRule)
	s := sit(t, d, "Ana", session.Change)
	wantStatus(t, s.post("/steps/answer", answerForm("make", "computer", exporters.ComputerAlways, "route", exporters.RouteLedger)), http.StatusOK)
	body := wantStatus(t, s.post("/steps/answer", answerForm("make", "retries", exporters.RetriesPlatform, "address", `half "typed`)), http.StatusOK)
	wantWords(t, body, `value="half "typed"`)
	if body = wantStatus(t, s.get("/steps?rule=list-edits&tool=make"), http.StatusOK); strings.Contains(body, "half &#34;typed") {
		t.Error("a detail was saved with an answer")
	}
}

// The rule is changed as the way needs it, as long as it is the rule that was seen.
func TestAWayChangesTheRule(t *testing.T) {
	d := newDesk(t)
	putRule(t, d, listRule)
	s := sit(t, d, "Ana", session.Change)
	form := answerForm("make", "computer", exporters.ComputerAlways, "route", exporters.RouteLedger, "retries", exporters.RetriesPlatform)
	body := wantStatus(t, s.post("/steps/answer", form), http.StatusOK)
	wantWords(t, body, "For this way the rule should say: time allowed 10 hours (now 15 minutes).", "Set time allowed to 10 hours", "if a run dies half way ask a person", "The rule is in use.")
	want := url.Values{"rule": {"list-edits"}, "tool": {"make"}, "setting": {"lease"}, "value": {"10h"}, "version": {"99"}}
	wantWords(t, wantStatus(t, s.post("/steps/want", want), http.StatusUnprocessableEntity), "This rule was changed elsewhere meanwhile.")
	want.Set("version", regexp.MustCompile(`name="version" value="(\d+)"`).FindStringSubmatch(body)[1])
	for _, foreign := range []url.Values{{"setting": {"key"}, "value": {`"x"`}}, {"setting": {"lease"}, "value": {"5s"}}} {
		form := url.Values{"rule": want["rule"], "tool": want["tool"], "version": want["version"], "setting": foreign["setting"], "value": foreign["value"]}
		wantWords(t, wantStatus(t, s.post("/steps/want", form), http.StatusUnprocessableEntity), "do not ask for this change")
	}
	want.Set("detail.address", "https://half.typed")
	body = wantStatus(t, s.post("/steps/want", want), http.StatusOK)
	wantWords(t, body, `value="https://half.typed"`)
	wantWords(t, body, "The rule says it now: time allowed 10 hours.")
	if strings.Contains(body, "For this way the rule should say: time allowed") {
		t.Error("the page still asks for what the rule says")
	}
	rule, err := d.Intake.Rule(t.Context(), "list-edits")
	if err != nil || rule.Policy.Lease.Hours() != 10 || rule.File.Key == "" || len(rule.File.Samples) != 3 {
		t.Errorf("rule %+v, %v", rule, err)
	}
}

func TestTheWindowPrintsInTheBrowser(t *testing.T) {
	d := newDesk(t)
	putRule(t, d, listRule)
	var opened string
	d.Browse = func(address string) error { opened = address; return nil }
	form := url.Values{"rule": {"list-edits"}, "tool": {"make"}}
	post := func(window bool) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodPost, "/steps/browser", strings.NewReader(form.Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		if window {
			r.Header.Set("X-Dedupe-Window", "window-secret")
		}
		return sit(t, d, "Ana", session.Change).send(r)
	}
	if w := post(false); w.Code == http.StatusOK || opened != "" {
		t.Errorf("a page in a browser opens another one: %d, %q", w.Code, opened)
	}
	wantWords(t, wantStatus(t, post(true), http.StatusOK), "The steps open in your browser.")
	code, ok := strings.CutPrefix(opened, "http://127.0.0.1:47820/steps?rule=list-edits&tool=make#code=")
	if _, _, good := d.Sessions.Open(code); !ok || !good {
		t.Errorf("opened %q", opened)
	}
	d.Browse = func(string) error { return errors.New("no display") }
	wantWords(t, wantStatus(t, post(true), http.StatusOK), "No browser could be opened here", "#code=")
}

func TestAColleagueIsHandedOneFile(t *testing.T) {
	d := newDesk(t)
	putRule(t, d, strings.Replace(paidRule, "title: Paid invoices", "title: 'Paid <b>\"invoices\"'", 1))
	s := sit(t, d, "Ana", session.Change)
	form := url.Values{"rule": {"paid-invoices"}, "tool": {"make"}, "detail.computer": {"always"}, "detail.route": {"ledger"}, "detail.address": {"https://dedupe.example.com"}}
	wantStatus(t, s.post("/steps/answer", form), http.StatusOK)
	wantStatus(t, s.post("/steps/details", form), http.StatusOK)
	for format, words := range map[string][]string{
		"md":   {"# Make", "Rule: Paid <b>\"invoices\" (paid-invoices).", "https://dedupe.example.com/v1/claim", "2026-11-30"},
		"html": {"<!doctype html>", "Rule: Paid &lt;b&gt;", "make-paid-invoices.blueprint.json", "read 2026-"},
	} {
		w := s.get("/steps/sheet?rule=paid-invoices&tool=make&format=" + format)
		body := wantStatus(t, w, http.StatusOK)
		for _, word := range words {
			if !strings.Contains(body, word) {
				t.Errorf("%s: %q is missing", format, word)
			}
		}
		if got := w.Header().Get("Content-Disposition"); got != "attachment; filename=paid-invoices-make."+format || strings.Contains(w.Header().Get("Content-Type"), "html") {
			t.Errorf("%s: %q, %q", format, got, w.Header().Get("Content-Type"))
		}
	}
	wantStatus(t, s.get("/steps/sheet?rule=paid-invoices&tool=make&format=pdf"), http.StatusBadRequest)
}

// Home names what stops the copies of a rule, and when it was proved.
func TestHomeNamesEachGuardAndItsProof(t *testing.T) {
	d := newDesk(t)
	putRule(t, d, listRule)
	s := sit(t, d, "Ana", session.Change)
	tick := func(step string) {
		t.Helper()
		form := tickForm(step, "yes")
		form.Set("tool", "sharepoint")
		wantStatus(t, s.post("/steps/tick", form), http.StatusOK)
	}
	wantWords(t, wantStatus(t, s.get("/"), http.StatusOK), "none yet")
	tick("column")
	wantWords(t, wantStatus(t, s.get("/"), http.StatusOK), "SharePoint list: a unique column in the list", "not proved yet")
	tick("prove")
	move(d, 18*24*time.Hour)
	body := wantStatus(t, s.get("/"), http.StatusOK)
	if !regexp.MustCompile(`proved\s+<time-ago><time datetime="2026-11-30T14:05:00.000Z">30 Nov 2026`).MatchString(body) || strings.Contains(body, "changed since then") {
		t.Error("the day of the proof is not on Home")
	}
	putRule(t, d, strings.Replace(listRule, `key("list",`, `key("orders",`, 1))
	wantWords(t, wantStatus(t, s.get("/"), http.StatusOK), "changed since then")
}

// A tick alone does not prove that this program is asked: a call does.
func TestHomeHoldsATickedProofAgainstTheCalls(t *testing.T) {
	d := newDesk(t)
	putRule(t, d, listRule)
	s := sit(t, d, "Ana", session.Change)
	form := tickForm("prove", "yes")
	form.Set("tool", "scripts")
	wantStatus(t, s.post("/steps/tick", form), http.StatusOK)
	body := wantStatus(t, s.get("/"), http.StatusOK)
	wantWords(t, body, "This program, asked by Scripts and databases", "ticked as proved by Ana", "but no call came yet")
	if _, err := d.Ledger.Claim(t.Context(), ledger.ClaimRequest{Rule: "list-edits", Key: "list:1:2"}); err != nil {
		t.Fatal(err)
	}
	if body = wantStatus(t, s.get("/"), http.StatusOK); strings.Contains(body, "no call came yet") {
		t.Error("a call came, and Home says that none did")
	}
}

// A way that another tool walks can be one that this tool does not advise: the person
// takes it there with one press.
func TestTheWayThatWasMeantIsTakenThere(t *testing.T) {
	d := newDesk(t)
	putRule(t, d, listRule)
	s := sit(t, d, "Ana", session.Change)
	body := wantStatus(t, s.get("/steps?rule=list-edits&tool=power-automate"), http.StatusOK)
	link := regexp.MustCompile(`<a class="way-name" href="(/steps\?[^"]*tool=sharepoint[^"]*way=store[^"]*)"`).FindStringSubmatch(body)
	if link == nil {
		t.Fatal("no link to the list of keys")
	}
	body = wantStatus(t, s.get(html.UnescapeString(link[1])), http.StatusOK)
	wantWords(t, body, "You come from Power Automate: A list of keys in SharePoint", "Take this way here", `name="detail.route" value="store"`)
	form := answerForm("sharepoint", "route", exporters.RouteStore)
	body = wantStatus(t, s.post("/steps/answer", form), http.StatusOK)
	if !regexp.MustCompile(`id="way-store"[^>]* checked`).MatchString(body) {
		t.Error("the way is not taken")
	}
	if body = wantStatus(t, s.get(html.UnescapeString(link[1])), http.StatusOK); strings.Contains(body, "Take this way here") {
		t.Error("a way that is taken is offered again")
	}
}
