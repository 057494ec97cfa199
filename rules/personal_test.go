package rules_test

import (
	"slices"
	"strings"
	"testing"

	"dedupedesk/rules"
)

// An address in a key is told of wherever in a formula it stands, with a button where
// that is plain; what a formula only compares or hides is no address in the key.
func TestPersonalDataBeyondBlocks(t *testing.T) {
	e := corpusEngine(t)
	samples := []rules.Sample{{Group: "A", Body: `{"id":"1","type":"paid","customer":{"email":"ana@example.com","phone":"+49 30 123456"}}`}}
	for _, tt := range []struct {
		key   string
		paths []string
		fix   string // of the first
	}{
		{`string(body.id) + body.customer.email`, []string{"body.customer.email"}, `string(body.id) + digest(body.customer.email)`},
		{`lower(body.customer.email)`, []string{"body.customer.email"}, `digest(lower(body.customer.email))`},
		{`body.id + ":" + lower(string(body.customer["email"])) + "-" + body.type`, []string{"body.customer.email"}, `body.id + ":" + digest(lower(string(body.customer["email"]))) + "-" + body.type`},
		{`key(body.id, either(body.customer.email, ")") + "x")`, []string{"body.customer.email"}, `key(body.id, digest(either(body.customer.email, ")")) + "x")`},
		{`body.customer.email`, []string{"body.customer.email"}, `digest(body.customer.email)`},
		{`key(body.id, body.customer.email.trim())`, []string{"body.customer.email"}, `key(body.id, digest(body.customer.email).trim())`},
		{`body.customer.email + body.customer.phone`, []string{"body.customer.email", "body.customer.phone"}, `digest(body.customer.email) + body.customer.phone`},
		{`body.type == "paid" ? body.id : body.customer.email`, []string{"body.customer.email"}, `body.type == "paid" ? body.id : digest(body.customer.email)`},
		{`body.customer.email == "x" ? body.id : body.type`, nil, ""},
		{`body.id + digest(lower(body.customer.email))`, nil, ""},
		{`body.id + string(size(body.customer.email))`, nil, ""},
		{`key("a", body.id, body.customer.email)`, []string{"body.customer.email"}, `key("a", body.id, digest(body.customer.email))`},
	} {
		t.Run(tt.key, func(t *testing.T) {
			j := e.Judge(t.Context(), &rules.Rule{Key: tt.key, Samples: samples})
			if len(j.Issues) > 0 {
				t.Fatal(j.Issues)
			}
			var paths []string
			fix := ""
			for _, v := range j.Verdicts {
				if v.Code != rules.VerdictPersonalData {
					continue
				}
				if paths == nil {
					fix = formulaOf(v.Fix)
				}
				paths = append(paths, v.Path)
				if v.Path == "body.customer.email" && !strings.HasPrefix(v.Text, "Email addresses do not belong in keys.") {
					t.Errorf("says %q", v.Text)
				}
			}
			if !slices.Equal(paths, tt.paths) || fix != tt.fix {
				t.Errorf("told of %v, fix %q, want %q", paths, fix, tt.fix)
			}
		})
	}
}

func TestPersonalDataOfAnItem(t *testing.T) {
	j := corpusEngine(t).Judge(t.Context(), &rules.Rule{Key: `key("crm", item.id, item.email)`, Each: "body.people",
		Samples: []rules.Sample{{Group: "A", Body: `{"people":[{"id":"1","email":"ana@example.com"}]}`}}})
	if v, ok := verdict(j, rules.VerdictPersonalData); !ok || v.Path != "item.email" || formulaOf(v.Fix) != `key("crm", item.id, digest(item.email))` {
		t.Errorf("%+v", j.Verdicts)
	}
}
