package admin

import (
	"net/http"
	"strings"
	"testing"

	"dedupedesk/app/session"
	"dedupedesk/ledger"
)

func TestPurseAddsByCurrency(t *testing.T) {
	for _, tt := range []struct {
		name  string
		in    map[string]int64
		wants string
	}{
		{"none", nil, ""},
		{"no copies", map[string]int64{"12.50 EUR": 0}, ""},
		{"cents", map[string]int64{"12.50 EUR": 41}, "512.50 EUR"},
		{"a comma", map[string]int64{"12,5 EUR": 1, "0.10 EUR": 3}, "12.80 EUR"},
		{"a sign before", map[string]int64{"€20": 2}, "€40"},
		{"a word before", map[string]int64{"EUR 1000": 2}, "EUR 2,000"},
		{"two currencies", map[string]int64{"$1": 2, "5 CHF": 1}, "$2 and 5 CHF"},
		{"no currency", map[string]int64{"7": 3}, "21"},
		{"no amount", map[string]int64{"a lot": 3}, ""},
		{"more than a number holds", map[string]int64{"999999999999": 1 << 40}, "1099511627774900488372224"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := purse{}
			for amount, times := range tt.in {
				p.add(amount, times)
			}
			if got := p.String(); got != tt.wants {
				t.Errorf("got %q, want %q", got, tt.wants)
			}
		})
	}
}

// Home says what the stopped copies of a week would have cost, where a rule says what
// a double costs.
func TestHomeSaysWhatWasNotSpentTwice(t *testing.T) {
	d := newDesk(t)
	putRule(t, d, "rule: paid\nkey: key(\"stripe\", body.id)\ncost_per_double: 12.50 EUR\n")
	home := func() string {
		t.Helper()
		w := sit(t, d, "Ana", session.Look).get("/")
		if w.Code != http.StatusOK {
			t.Fatalf("status %d", w.Code)
		}
		return w.Body.String()
	}
	if text := home(); strings.Contains(text, "not spent twice") {
		t.Error("says so before a copy came")
	}
	for range 3 {
		if _, err := d.Ledger.Claim(t.Context(), ledger.ClaimRequest{Rule: "paid", Key: "stripe:evt_1"}); err != nil {
			t.Fatal(err)
		}
	}
	if text := home(); !strings.Contains(text, "25 EUR not spent twice") {
		t.Errorf("does not say what two copies would have cost")
	}
}
