package main_test

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestABegunChecklistRaisesTheFloor: a person can run an event of 27 days ago again, so
// a prune after three days, which the sender alone would allow, is refused.
func TestABegunChecklistRaisesTheFloor(t *testing.T) {
	h := newHouse(t)
	file := filepath.Join(t.TempDir(), "mails.yaml")
	if err := os.WriteFile(file, []byte("rule: mails\nkey: key(\"mail\", body.id)\nkeep: 7d\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	h.must("rule", "import", file)
	h.must("prune", "3")
	if out, _, code := h.run("doctor"); code != 0 {
		t.Fatalf("before: doctor ended with %d\n%s", code, out)
	}
	form := url.Values{"rule": {"mails"}, "tool": {"power-automate"}, "detail.account": {"flows@example.com"}}
	if a := h.page(http.MethodPost, "/steps/details", form); a.Code != http.StatusOK {
		t.Fatalf("begin the checklist: %d\n%s", a.Code, a.Raw)
	}

	const why = "Power Automate can run an event of its run history again for 28 days"
	_, errs, code := h.run("prune", "34.99")
	if code != 2 || !strings.Contains(errs, `The rule "mails" must keep finished keys for 35 days or longer, since its platform can run an event again for 28 days`) {
		t.Errorf("prune: %d %s", code, errs)
	}
	h.must("prune", "35")
	if out := h.must("rule", "show", "mails"); !strings.Contains(out, why) {
		t.Errorf("rule show:\n%s", out)
	}
	if out, _, code := h.run("doctor"); code != 1 || !strings.Contains(out, "fault  The rule mails: Finished keys are forgotten after 7 days, but "+why) {
		t.Errorf("doctor: %d\n%s", code, out)
	}
	if a := h.page(http.MethodGet, "/design?rule=mails", nil); !strings.Contains(a.Raw, why) {
		t.Errorf("the rule's page does not say why: %d", a.Code)
	}
}
