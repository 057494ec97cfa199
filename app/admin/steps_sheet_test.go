package admin

import (
	"net/http"
	"strings"
	"testing"

	"dedupedesk/app/session"
	"dedupedesk/ledger"
)

// A rule that another version of the program kept may hold what this one cannot read.
func TestBrokenFormulaHasNoSteps(t *testing.T) {
	d := newDesk(t)
	if _, err := d.Ledger.PutRule(t.Context(), "", ledger.Rule{Name: "old", Doc: []byte(`{"rule":"old","key":"key(evnt.id)"}`), Policy: ledger.DefaultPolicy()}); err != nil {
		t.Fatal(err)
	}
	s := sit(t, d, "Ana", session.Change)
	wantWords(t, wantStatus(t, s.get("/steps?rule=old&tool=make"), http.StatusOK), "The formula of this rule has a fault", "evnt", `href="/design?rule=old"`)
	wantWords(t, wantStatus(t, s.get("/steps"), http.StatusOK), "old")
	form := tickForm("copies", "yes")
	form.Set("rule", "old")
	wantWords(t, wantStatus(t, s.post("/steps/tick", form), http.StatusConflict), "has a fault")
	wantStatus(t, s.get("/steps/file?rule=old&tool=make&name=x.json"), http.StatusConflict)
}

func TestTheConditionOfTheRuleIsAStep(t *testing.T) {
	d := newDesk(t)
	putRule(t, d, strings.Replace(paidRule, "lease: 15m", "lease: 15m\nwhen: 'body.type == \"invoice.paid\"'", 1))
	s := sit(t, d, "Ana", session.Change)
	wantWords(t, wantStatus(t, s.get("/steps?rule=paid-invoices&tool=sharepoint"), http.StatusOK),
		"Let only the right events in", `body.type == "invoice.paid"`)
}

// A rule that ignores capitals gives keys in small letters, so the tool's own
// expression has to as well.
func TestIgnoredCapitalsGoIntoTheExpression(t *testing.T) {
	d := newDesk(t)
	upper := strings.ReplaceAll(strings.Replace(paidRule, "lease: 15m", "lease: 15m\nfold_case: true", 1), `"in_7`, `"IN_7`)
	putRule(t, d, strings.Replace(upper, `key("stripe"`, `key("Stripe"`, 1))
	s := sit(t, d, "Ana", session.Change)
	part, _ := stepHTML(t, wantStatus(t, s.get("/steps?rule=paid-invoices&tool=sharepoint"), http.StatusOK), "key")
	if value := shown(t, part, "step-key-value"); !strings.Contains(value, "toLower(") {
		t.Errorf("the expression keeps capitals: %s", value)
	}
	wantWords(t, part, "stripe:in_77:invoice.paid, the same as the rule's.")
}
