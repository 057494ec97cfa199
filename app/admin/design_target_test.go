package admin

import (
	"strings"
	"testing"

	"dedupedesk/app/session"
	"dedupedesk/app/setup"
)

// A rule whose checklist was begun is judged by what that place takes as a key.
func TestEditorKnowsWhereTheKeyWillBeStored(t *testing.T) {
	d := newDesk(t)
	putRule(t, d, "rule: paid\nkey: key(\"shop\", body.ref)\nsamples:\n  - {group: A, body: '{\"ref\":\"a/1\"}'}\n  - {group: B, body: '{\"ref\":\"b/2\"}'}\n")
	page := func() string { return sit(t, d, "Ana", session.Look).get("/design/rule?rule=paid").Body.String() }
	const lint = "Dataverse cannot look a row up by such a key"
	if strings.Contains(page(), lint) {
		t.Error("speaks of Dataverse before its checklist was begun")
	}
	lr, err := d.Ledger.Rule(t.Context(), "paid")
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Ledger.PutSetting(t.Context(), setup.RecordName(lr.ID, "dataverse"), "{}"); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(page(), lint) {
		t.Error("says nothing of Dataverse, whose checklist was begun")
	}
}
