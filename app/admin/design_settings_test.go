package admin

import (
	"net/http"
	"net/url"
	"reflect"
	"testing"

	"dedupedesk/ledger"
	"dedupedesk/rules"
)

const order = `{"id":"o1","status":"paid","total":12.5,"test":false,"attempt":1,"note":"x",
	"lines":[{"sku":"A","n":2},{"sku":"B","n":1}],"my lines":[{"id":1}]}`

// TestSettingsOfARule: each is kept as it is made, alone, and touches no other.
func TestSettingsOfARule(t *testing.T) {
	d := newDesk(t)
	dr := startRule(t, d, url.Values{"text": {order}})
	for _, tt := range []struct {
		form []string
		want func(*rules.Rule)
	}{
		{[]string{"title", "Ship it"}, func(r *rules.Rule) { r.Title = "Ship it" }},
		{[]string{"lease", "1h"}, func(r *rules.Rule) { r.Lease = leases[3] }},
		{[]string{"max_attempts", "3"}, func(r *rules.Rule) { r.MaxAttempts = 3 }},
		{[]string{"keep_samples", "20"}, func(r *rules.Rule) { r.KeepSamples = 20 }},
		{[]string{"on_expiry", "ask"}, func(r *rules.Rule) { r.OnExpiry = "ask" }},
		{[]string{"answer", "wait"}, func(r *rules.Rule) { r.Answer = "wait" }},
		{[]string{"if_unreachable", "go_on"}, func(r *rules.Rule) { r.IfUnreachable = "go_on" }},
		{[]string{"keys", "1", "fold_case", "on"}, func(r *rules.Rule) { r.FoldCase = true }},
		{[]string{"keys", "1", "long_keys", "on"}, func(r *rules.Rule) { r.FoldCase, r.LongKeys = false, "sha256" }},
		{[]string{"cost", "12.50 EUR"}, func(r *rules.Rule) { r.CostPerDouble = "12.50 EUR" }},
		{[]string{"cost", ""}, func(r *rules.Rule) { r.CostPerDouble = "" }},
		{[]string{"print_add", "total"}, func(r *rules.Rule) { r.Fingerprint = []string{"body.total"} }},
		{[]string{"print_add", "body.note"}, func(r *rules.Rule) { r.Fingerprint = []string{"body.total", "body.note"} }},
		{[]string{"print_out", "body.total"}, func(r *rules.Rule) { r.Fingerprint = []string{"body.note"} }},
		{[]string{"each", "body.lines"}, func(r *rules.Rule) { r.Each = "body.lines" }},
	} {
		want := state(t, d, dr.draft)
		tt.want(&want)
		dr.do(http.StatusOK, "settings", tt.form...)
		if got := state(t, d, dr.draft); !reflect.DeepEqual(got, want) {
			t.Errorf("%v:\n got %+v\nwant %+v", tt.form, got, want)
		}
	}
	dr.wants("Ignore capitals", "Yes, one for each item of lines", "Same key, different contents", `value="go_on" checked`)
}

// TestSettingsThatCannotBeStayAsTyped: with a sentence beside them.
func TestSettingsThatCannotBeStayAsTyped(t *testing.T) {
	d := newDesk(t)
	dr := startRule(t, d, url.Values{"text": {order}})
	dr.do(http.StatusOK, "samples/add", "text", `{"id":"o1","attempt":2}`)
	dr.do(http.StatusOK, "samples/group", "sample", dr.sampleNo("1"), "group", "A")
	before := state(t, d, dr.draft)
	for _, tt := range []struct {
		path string
		form []string
		says []string
	}{
		{"settings", []string{"cost", "a lot"}, []string{"Write an amount", `value="a lot"`}},
		{"settings", []string{"max_attempts", "-1"}, []string{"How often"}},
		{"settings", []string{"keep_samples", "1001"}, []string{"Keep what came"}},
		{"settings", []string{"print_add", "totl"}, []string{"No sample has a field of this name", `value="totl"`}},
		{"settings", []string{"print_add", "lines"}, []string{"No sample has a field of this name"}},
		{"settings", []string{"print_add", "attempt"}, []string{"This field changes on each try"}},
		{"only", []string{"path", "status", "how", "is", "value", " "}, []string{"Write the value", `value="status"`}},
		{"only", []string{"path", "", "how", "is", "value", "paid"}, []string{"Write the name of a field", `value="paid"`}},
	} {
		dr.do(http.StatusUnprocessableEntity, tt.path, tt.form...)
		dr.wants(tt.says...)
	}
	if got := state(t, d, dr.draft); !reflect.DeepEqual(got, before) {
		t.Errorf("kept %+v", got)
	}
	dr.do(http.StatusConflict, "only", "path", "status", "how", "like", "value", "x")
}

// TestConditionFromLists: what is put together is a formula that works, and an event
// that fails it is ignored.
func TestConditionFromLists(t *testing.T) {
	for _, tt := range []struct {
		form []string
		when string
		runs bool
	}{
		{[]string{"path", "status", "how", "is", "value", "paid"}, `body.status == "paid"`, true},
		{[]string{"path", "status", "how", "not", "value", `pa"id`}, `body.status != "pa\"id"`, true},
		{[]string{"path", "total", "how", "more", "value", "12.5"}, `body.total > 12.5`, false},
		{[]string{"path", "lines[0].n", "how", "less", "value", "3"}, `body.lines[0].n < 3`, true},
		{[]string{"path", "test", "how", "is", "value", "true"}, `body.test == true`, false},
		{[]string{"path", `["my lines"][0].id`, "how", "is", "value", "1"}, `body["my lines"][0].id == 1`, true},
		{[]string{"path", "note", "how", "has", "value", "y"}, `body.note.contains("y")`, false},
	} {
		d := newDesk(t)
		dr := startRule(t, d, url.Values{"text": {order}})
		dr.do(http.StatusOK, "formula", "formula", "key(body.id)")
		dr.do(http.StatusOK, "only", tt.form...)
		if got := state(t, d, dr.draft).When; got != tt.when {
			t.Errorf("%v makes %s, want %s", tt.form, got, tt.when)
		}
		dr.lacks("formula-when-fault\"")
		if tt.runs {
			dr.wants("First, runs")
		} else {
			dr.wants("Ignored")
		}
	}
}

// TestConditionsAreJoined: the second one holds beside the first, whatever it is made of.
func TestConditionsAreJoined(t *testing.T) {
	d := newDesk(t)
	dr := startRule(t, d, url.Values{"text": {order}})
	dr.do(http.StatusOK, "formula", "place", "when", "formula", `body.status == "a" || body.status == "b"`)
	dr.do(http.StatusOK, "settings", "each", "body.lines")
	dr.do(http.StatusOK, "only", "path", "lines[0].n", "how", "more", "value", "0")
	if got, want := state(t, d, dr.draft).When, `(body.status == "a" || body.status == "b") && item.n > 0`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestListOfItemsByClicks: the fields of the first item stand for those of each.
func TestListOfItemsByClicks(t *testing.T) {
	d := newDesk(t)
	dr := startRule(t, d, url.Values{"text": {order}})
	dr.do(http.StatusOK, "settings", "each", "body.lines")
	dr.do(http.StatusOK, "field", "path", "body.id")
	dr.do(http.StatusOK, "field", "path", "body.lines[0].sku")
	if got := dr.formula(); got != "key(body.id, item.sku)" {
		t.Errorf("formula %s", got)
	}
	dr.wants("o1:A · o1:B")
	dr.do(http.StatusOK, "field", "path", "body.lines[0].sku")
	if got := dr.formula(); got != "key(body.id)" {
		t.Errorf("formula %s after the second click", got)
	}
	dr.do(http.StatusOK, "field", "path", "body.lines[0].sku")
	dr.do(http.StatusOK, "use", "title", "Lines")
	if _, err := d.Ledger.Rule(t.Context(), "lines"); ledger.CodeOf(err) != "" {
		t.Error(err)
	}
}
