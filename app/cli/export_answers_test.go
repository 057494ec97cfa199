package cli_test

import (
	"encoding/json"
	"strings"
	"testing"

	"dedupedesk/app/cli"
	"dedupedesk/app/setup"
)

// What was answered on the page decides the way of an export too, unless --set says
// otherwise.
func TestExportTakesTheAnswersOfThePage(t *testing.T) {
	newPlace(t)
	l, err := openLedger(t.Context(), cli.Target{Data: "data"})
	if err != nil {
		t.Fatal(err)
	}
	shop, err := l.Rule(t.Context(), "shop")
	if err != nil {
		t.Fatal(err)
	}
	if err := l.PutSetting(t.Context(), setup.AnswersName(shop.ID), `{"computer":"always"}`); err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ args, route, says string }{
		{"export make --json --rule shop --out a --set address=https://dedupe.firm.example", "ledger", "From the page Settings steps: computer=always."},
		{"export make --json --rule shop --out b --set computer=sleeps", "store", ""},
		{"export make --json --rule shop.yaml --out c", "store", ""},
	} {
		out, errs, code := said(t, strings.Fields(tt.args)...)
		var got struct{ Route string }
		if err := json.Unmarshal([]byte(out), &got); err != nil || got.Route != tt.route || !strings.Contains(errs, tt.says) {
			t.Errorf("%s: route %q, want %q; exit %d, %v, %s", tt.args, got.Route, tt.route, code, err, errs)
		}
		if tt.says == "" && strings.Contains(errs, "From the page") {
			t.Errorf("%s: %s", tt.args, errs)
		}
	}
}
