package recipes

import (
	"regexp"
	"strings"
	"testing"

	"dedupedesk/rules"
)

const shopOrder = `{"id": 820982911946154508, "order_number": 1234, "account_id": 7, "updated_at": "2026-11-30T14:00:00Z",
 "customer": {"id": 5, "email": "a@example.com"}, "line_items": [{"id": 866550311766439020, "sku": "IPOD", "quantity": 1}, {"id": 141249953214522974, "sku": "CASE", "quantity": 2}],
 "refund_id": 509562969, "scheduled_time": "2026-11-30T06:00:00Z", "record": {"id": "rec_7"}, "request_id": "f-77", "shipment_id": "s1", "sku": "IPOD", "payment_intent": "pi_1"}`

func TestRecipesGuessTheirParts(t *testing.T) {
	tree := rules.NewTree([]rules.Sample{{Group: "A", Body: shopOrder}})
	engine, err := rules.New()
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"supplier-order": `key("supplier-order", body.order_number, item.id) each body.line_items`,
		"refund":         `key("refund", body.refund_id)`,
		"charge":         `key("charge", body.order_number)`,
		"mail":           `key("mail", body.order_number, "confirmation")`,
		"stock":          `key("stock", body.order_number, body.sku)`,
		"row":            `key("row", body.record.id)`,
		"schedule":       `key("job", time(body.scheduled_time), "daily-report")`,
		"button":         `key("button", body.request_id)`,
	}
	for _, r := range All() {
		f := r.Fill(tree)
		got := rules.Formula(f.Parts)
		if f.Each != "" {
			got += " each " + f.Each
		}
		if got != want[r.ID] {
			t.Errorf("%s is %s, want %s", r.ID, got, want[r.ID])
		}
		rule := &rules.Rule{Rule: "r", Key: rules.Formula(f.Parts), Each: f.Each}
		program, issues := engine.Compile(rule)
		if len(issues) > 0 {
			t.Fatalf("%s: %v", r.ID, issues)
		}
		event, err := rules.ParseSample(shopOrder, nil)
		if err != nil {
			t.Fatal(err)
		}
		keys, err := program.Keys(t.Context(), event)
		if err != nil || len(keys) == 0 || keys[0].Err != nil || !strings.HasPrefix(keys[0].Key, r.Source+":") {
			t.Errorf("%s gives %+v, %v", r.ID, keys, err)
		}
	}
}

// Without its id a recipe gives no formula, and names what is missing.
func TestRecipeWithoutItsIDGivesNoFormula(t *testing.T) {
	tree := rules.NewTree([]rules.Sample{{Group: "A", Body: `{"total": 12, "email": "a@example.com", "line_items": []}`}})
	for _, r := range All() {
		f := r.Fill(tree)
		if f.Parts != nil || len(f.Found) != len(r.Wants) {
			t.Errorf("%s gives %v of %v", r.ID, f.Parts, f.Found)
		}
		for i, found := range f.Found {
			if found.Path != "" || found.Want.Title != r.Wants[i].Title {
				t.Errorf("%s found %+v", r.ID, found)
			}
		}
	}
	// A field that changes between copies is taken last.
	tree = rules.NewTree([]rules.Sample{{Group: "A", Body: `{"refund_id": 1, "refund": {"id": 7}}`}, {Group: "A", Body: `{"refund_id": 2, "refund": {"id": 7}}`}})
	r, _ := ByID("refund")
	if got := rules.Formula(r.Fill(tree).Parts); got != `key("refund", body.refund.id)` {
		t.Errorf("taken is %s", got)
	}
}

func TestRecipesAreWhole(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range All() {
		if seen[r.ID] || !regexp.MustCompile(`^[a-z-]+$`).MatchString(r.ID) || r.Title == "" || !strings.HasSuffix(r.About, ".") || len(r.Wants) == 0 || len(r.Warnings) == 0 {
			t.Errorf("%s lacks a part", r.ID)
		}
		seen[r.ID] = true
		if got, ok := ByID(r.ID); !ok || got.Title != r.Title {
			t.Errorf("%s is not found", r.ID)
		}
		for _, w := range r.Wants {
			if w.Title == "" || !strings.HasSuffix(w.Help, ".") || w.names == nil {
				t.Errorf("%s: a part lacks a word", r.ID)
			}
		}
	}
	if _, ok := ByID("nothing"); ok {
		t.Error("an unknown recipe is found")
	}
}
