package main_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"dedupedesk/exporters"
	"dedupedesk/ledger/postgres/pgtest"
	"dedupedesk/rules"
)

// oddTexts take what SQL, dollar quotes, psql and JavaScript take for their own.
var oddTexts = []string{
	"plain", "it's", `say "so"`, `back\slash\`, `\'; DROP SCHEMA dedupe CASCADE; --`, "' || '1'='1", `E'\n'`, "$$", "$dedupe$", ":name :'name' :\"name\"", "\\echo x", "{{x}} ${x} %s @{x}",
	"a;b -- c /* d */", "100%: or so", "  two   spaces ", "a\n\tb", "😀", "العربية שלום", "e\u0301", "‘curly’", "«.Rule»", "`id` $(id)", "\u00a0x\u2003y", "ß İ ı",
}

// TestExportedKeysHoldAnyText: texts, names of fields, stand-ins and rules with everything
// in them make the rule's key in PostgreSQL and in Apps Script.
func TestExportedKeysHoldAnyText(t *testing.T) {
	url := pgtest.New(t)
	var sql strings.Builder
	var asked []string
	var want []string
	var tried []string
	for i, text := range oddTexts {
		other := text
		s := exporters.Setup{
			Rule: text, Expressible: true, Details: map[string]string{"language": "postgres"},
			Parts: []exporters.Part{{Literal: text}, {Path: []string{"body", text, "[0]"}}, {Path: []string{"body", "gone"}, Default: &other}},
		}
		event, err := json.Marshal(map[string]any{text: []string{text}})
		if err != nil {
			t.Fatal(err)
		}
		key, err := rules.JoinParts([]any{text, text, text}, false, "")
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		want = append(want, key)
		file := string(checklistOf(t, s).Files[0].Data)
		name := nameOfKey(t, file)
		sql.WriteString(file)
		asked = append(asked, fmt.Sprintf("dedupe.%s($e%d$%s$e%d$)", name, i, event, i))

		s.Details = map[string]string{"language": "apps-script"}
		tried = append(tried, "(() => {"+string(checklistOf(t, s).Files[0].Data)+"\nreturn [RULE, keyOf("+string(event)+")]; })()")
	}
	var got []string
	printed := psql(t, url, sql.String()+"SELECT json_build_array("+strings.Join(asked, ", ")+");")
	if err := json.Unmarshal(printed, &got); err != nil {
		t.Fatalf("%v in %s", err, printed)
	}
	var script [][]string
	printed = appsScript(t, nil, "console.log(JSON.stringify(["+strings.Join(tried, ", ")+"]));")
	if err := json.Unmarshal(printed, &script); err != nil {
		t.Fatalf("%v in %s", err, printed)
	}
	for i, text := range oddTexts {
		if got[i] != want[i] {
			t.Errorf("PostgreSQL makes %q of %q, the rule %q", got[i], text, want[i])
		}
		if script[i][0] != text || script[i][1] != want[i] {
			t.Errorf("Apps Script makes %q of %q, the rule %q", script[i], text, want[i])
		}
	}
}

// nameOfKey finds the function of the key in a file.
func nameOfKey(t *testing.T, file string) string {
	t.Helper()
	_, rest, ok := strings.Cut(file, "FUNCTION dedupe.key_of_")
	end, _, ok2 := strings.Cut(rest, "(")
	if !ok || !ok2 {
		t.Fatal("there is no function of the key")
	}
	return "key_of_" + end
}
