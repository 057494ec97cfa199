package admin

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"dedupedesk/rules"
)

// TestFormulaFaultIsMendedWithTheNearestName: the place counts UTF-16 units, so wide
// characters before it move nothing.
func TestFormulaFaultIsMendedWithTheNearestName(t *testing.T) {
	for _, tt := range []struct{ text, line, column, fixed string }{
		{`key("stripe", bdy.id)`, "1", "15", `key("stripe", body.id)`},
		{`key("größer 🎉", bdy.id)`, "1", "18", `key("größer 🎉", body.id)`},
		{"key(\"a\",\n  haeders[\"x\"])", "2", "3", "key(\"a\",\n  headers[\"x\"])"},
	} {
		dr := startRule(t, newDesk(t), url.Values{"start": {"empty"}})
		dr.do(http.StatusOK, "formula", "formula", tt.text)
		dr.wants(`data-line="`+tt.line+`"`, `data-column="`+tt.column+`"`, `name="formula" value="`+tt.fixed+`"`)
		dr.do(http.StatusOK, "formula", "formula", tt.fixed)
		dr.lacks("I do not know the field")
	}
}

// A field that no sample has is marked in its place, and one press writes the one that
// was meant.
func TestFieldThatNoSampleHasIsMended(t *testing.T) {
	for _, slip := range []string{"body.idd", "body.ID"} {
		dr := startRule(t, newDesk(t), url.Values{"start": {"paste"}, "text": {`{"id":"evt_1","n":1}`}})
		dr.do(http.StatusOK, "formula", "formula", `key("stripe", `+slip+`)`)
		dr.wants(`data-column="15"`, "Did you mean <code>body.id</code>?", `name="formula" value="key("stripe", body.id)"`)
		dr.do(http.StatusOK, "formula", "formula", `key("stripe", body.id)`)
		dr.lacks("Did you mean")
	}
}

// Two fields as another tool joins them become two parts of a key, press by press.
func TestFieldsJoinedAsElsewhereBecomeParts(t *testing.T) {
	dr := startRule(t, newDesk(t), url.Values{"start": {"paste"}, "text": {`{"id":"evt_1","type":"paid"}`}})
	dr.do(http.StatusOK, "formula", "formula", "{{1.id}}-{{1.type}}")
	dr.wants("That is Make's way to write it.")
	dr.do(http.StatusOK, "formula", "formula", "body.id-body.type")
	dr.wants("<code>-</code> takes one number from another.", "Write <code>key(body.id, body.type)</code>", `name="formula" value="key(body.id, body.type)"`, "Use key(…)")
	dr.do(http.StatusOK, "formula", "fix", "1", "formula", "key(body.id, body.type)")
	dr.wants("evt_1:paid")
	dr.lacks("takes one number from another")
}

// TestWordsOfAFormula: the editor is offered every field with its value, and every
// function with a sentence.
func TestWordsOfAFormula(t *testing.T) {
	dr := startRule(t, newDesk(t), url.Values{"start": {"paste"}, "text": {`{"id":"evt_1","order no":{"x":["` + strings.Repeat("ä", 90) + `"]}}`}})
	w := dr.get("/design/words?draft=" + dr.draft)
	var got words
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != http.StatusOK {
		t.Fatalf("%d, %v: %s", w.Code, err, w.Body)
	}
	values := map[string]string{}
	for _, f := range got.Fields {
		values[f.Text] = f.Value
	}
	if values["body.id"] != "evt_1" || values[`body["order no"].x[0]`] != strings.Repeat("ä", maxOfferedValue)+"…" {
		t.Errorf("fields %q", values)
	}
	if len(got.Functions) != len(rules.Functions()) || got.Functions[0].Help == "" || got.Functions[0].Signature == "" {
		t.Errorf("%d functions, want %d; the first is %+v", len(got.Functions), len(rules.Functions()), got.Functions[0])
	}
	if w := dr.get("/design/words?draft=new-0000000000000000"); w.Code != http.StatusNotFound {
		t.Errorf("words of no draft: %d", w.Code)
	}
}

func TestFormulaOfNoPlaceIsRefused(t *testing.T) {
	dr := startRule(t, newDesk(t), url.Values{"start": {"empty"}})
	dr.do(http.StatusBadRequest, "formula", "formula", "key(body.id)", "place", "lease")
}
