package rules_test

import (
	"strings"
	"testing"

	"dedupedesk/rules"
)

// Other tools join fields with a dash or a plus. Here they are parts of key(…): offered
// in the place of what gives no key, and advised where values could run into one another.
func TestFieldsJoinedByHandBecomeParts(t *testing.T) {
	e := corpusEngine(t)
	samples := []rules.Sample{{Group: "A", Body: `{"id":"evt_1","type":"paid","n":7,"m":3}`}, {Group: "B", Body: `{"id":"evt_2","type":"paid","n":8,"m":3}`}}
	for _, tt := range []struct {
		key  string
		code rules.VerdictCode // "" for nothing to say
		fix  string
	}{
		{`body.id-body.type`, rules.VerdictBadPart, `key(body.id, body.type)`},
		{`body.id - "x" - body.n`, rules.VerdictFormulaError, ""}, // the checker says it
		{`key("shop", body.id-body.type)`, rules.VerdictBadPart, `key("shop", body.id, body.type)`},
		{`body.id + "-" + body.n`, rules.VerdictBadPart, `key(body.id, body.n)`},
		{`"shop:" + body.id + "-" + body.type`, rules.VerdictJoined, `key("shop", body.id, body.type)`},
		{`string(body.n) + "-" + lower(body.type)`, rules.VerdictJoined, `key(body.n, lower(body.type))`},
		{`body.id + body.type`, rules.VerdictJoined, `key(body.id, body.type)`},
		{`key(body.n, body.type + "." + body.id)`, "", ""},
		{`key("shop", body.n - body.m)`, "", ""},
		{`key("shop", body.n + body.m)`, "", ""},
		{`"shop:" + body.id`, "", ""},
		{`key("shop", body.id, body.type)`, "", ""},
	} {
		t.Run(tt.key, func(t *testing.T) {
			j := e.Judge(t.Context(), &rules.Rule{Key: tt.key, Samples: samples})
			if tt.code == "" {
				for _, v := range j.Verdicts {
					if v.Code == rules.VerdictJoined || v.Fix != nil && v.Fix.Label == "Use key(…)" {
						t.Errorf("says %q", v.Text)
					}
				}
				return
			}
			v, ok := verdict(j, tt.code)
			if !ok || formulaOf(v.Fix) != tt.fix {
				t.Fatalf("fix %q, want %q; %+v", formulaOf(v.Fix), tt.fix, j.Verdicts)
			}
			if tt.code != rules.VerdictBadPart {
				return
			}
			if len(j.Absent) != 1 || j.Absent[0].Mend(tt.key) != tt.fix || !strings.Contains(v.Text, "Parts of a key stand side by side") {
				t.Errorf("marked %+v; says %q", j.Absent, v.Text)
			}
		})
	}
}
