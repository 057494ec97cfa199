package admin

import (
	"net/http"
	"strings"
	"testing"

	"dedupedesk/app/session"
	"dedupedesk/ledger"
	"dedupedesk/rules"
)

// TestWhyAFormulaIsChangedDecides: the answer is kept with the draft until the rule is
// put to use.
func TestWhyAFormulaIsChangedDecides(t *testing.T) {
	settings := []string{"title", "Paid", "lease", "15m", "keep", "35d", "on_expiry", "next"}
	for why, want := range map[string]ledger.Status{"copies": ledger.StatusInProgress, "merged": ledger.StatusClaimed, "because": ledger.StatusInProgress} {
		t.Run(why, func(t *testing.T) {
			d := newDesk(t)
			dr := putStripe(t, d)
			keyOf(t, d, "paid", stripe(t).Rule.Samples[0])
			dr.do(http.StatusOK, "field", "path", "body.type")
			dr.do(http.StatusOK, "settings", append([]string{"why", why}, settings...)...)
			dr.do(http.StatusOK, "field", "path", "body.created")
			merged := why == "merged"
			if got := strings.Contains(dr.shown, `value="merged" checked`); got != merged {
				t.Errorf("merged is chosen: %v", got)
			}
			dr.do(http.StatusOK, "use", settings...)
			if _, status := keyOf(t, d, "paid", stripe(t).Rule.Samples[0]); status != want {
				t.Errorf("after the change: %s, want %s", status, want)
			}
			versions, err := d.Ledger.Versions(t.Context(), "paid")
			if err != nil || len(versions) != 2 || versions[1].LookBack.IsZero() != merged {
				t.Errorf("versions %+v, %v", versions, err)
			}
		})
	}
}

// TestSamplesShowThatAFormulaMerged: then the answer is filled in.
func TestSamplesShowThatAFormulaMerged(t *testing.T) {
	d := newDesk(t)
	file, err := rules.Parse([]byte("rule: mails\nkey: key('mail', body.order)\nsamples:\n- group: A\n  body: {order: 1, message: 1}\n- group: B\n  body: {order: 1, message: 2}\n"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Intake.PutRule(t.Context(), "", file); err != nil {
		t.Fatal(err)
	}
	keyOf(t, d, "mails", file.Samples[0])
	dr := &drawer{seat: sit(t, d, "Robin", session.Change), draft: draftOf("mails")}
	dr.do(http.StatusOK, "field", "path", "body.message")
	dr.wants("Your samples show it", `value="merged" checked`)
}
