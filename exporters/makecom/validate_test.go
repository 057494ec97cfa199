package makecom

import (
	"fmt"
	"strings"
	"testing"

	"dedupedesk/exporters"
)

// whole wraps modules in an otherwise sound blueprint.
func whole(flow string) string {
	return `{"name":"x","flow":[` + flow + `],"metadata":{"version":1,"scenario":{},"designer":{"orphans":[]}}}`
}

// bubble is a sound module with more members.
func bubble(id int, module, more string) string {
	if more != "" {
		more = "," + more
	}
	return fmt.Sprintf(`{"id":%d,"module":%q,"version":1,"metadata":{"designer":{"x":0,"y":0}}%s}`, id, module, more)
}

// TestValidateForeignBlueprints: faults seen in public blueprints and those that
// Make's checker names, each in a small blueprint of our own.
func TestValidateForeignBlueprints(t *testing.T) {
	hook := bubble(1, "gateway:CustomWebHook", "")
	for _, tt := range []struct {
		name, blueprint, where, result, text string
	}{
		{"not JSON", "{", "", exporters.Fail, "no blueprint"},
		{"a list", "[]", "", exporters.Fail, "no blueprint"},
		{"modules instead of flow", `{"name":"x","modules":[],"metadata":{"version":1,"scenario":{},"designer":{"orphans":[]}}}`, "flow", exporters.Fail, "under modules"},
		{"no metadata", `{"name":"x","flow":[` + hook + `]}`, "metadata", exporters.Fail, "metadata"},
		{"no scenario", `{"name":"x","flow":[` + hook + `],"metadata":{"version":1,"designer":{"orphans":[]}}}`, "metadata.scenario", exporters.Fail, "missing"},
		{"no name", strings.Replace(whole(hook), `"x"`, `""`, 1), "name", exporters.Fail, "1 to 120"},
		{"an id twice, in an error route", whole(hook + "," + bubble(2, "http:MakeRequest", `"onerror":[`+bubble(1, "builtin:Ignore", "")+`]`)), "flow[1].onerror[0]", exporters.Fail, "stands twice"},
		{"no id", whole(`{"module":"a:B","version":1,"metadata":{"designer":{"x":0,"y":0}}}`), "flow[0]", exporters.Fail, "no id"},
		{"no version", whole(`{"id":1,"module":"a:B","metadata":{"designer":{"x":0,"y":0}}}`), "flow[0]", exporters.Fail, "no version"},
		{"no place", whole(`{"id":1,"module":"a:B","version":1}`), "flow[0]", exporters.Fail, "drawing"},
		{"a name without app", whole(bubble(1, "CustomWebHook", "")), "flow[0]", exporters.Fail, "no module name"},
		{"an invented directive", whole(hook + "," + bubble(2, "http:MakeRequest", `"onerror":[`+bubble(3, "builtin:IgnoreError", "")+`]`)), "flow[1].onerror[0]", exporters.Fail, "builtin:Ignore"},
		{"a filter on the first module", whole(bubble(1, "a:B", `"filter":{"name":"f","conditions":[[{"a":"x","o":"exist"}]]}`)), "flow[0]", exporters.Fail, "first module"},
		{"conditions without inner lists", whole(hook + "," + bubble(2, "a:B", `"filter":{"conditions":[{"a":"{{1.x}}","o":"text:equal","b":"y"}]}`)), "flow[1].filter", exporters.Fail, "list of lists"},
		{"an unknown operator", whole(hook + "," + bubble(2, "a:B", `"filter":{"conditions":[[{"a":"{{1.x}}","o":"text:equals","b":"y"}]]}`)), "flow[1].filter", exporters.Fail, "no operator"},
		{"a boolean as right side", whole(hook + "," + bubble(2, "a:B", `"filter":{"conditions":[[{"a":"{{1.x}}","o":"boolean:equal","b":true}]]}`)), "flow[1].filter", exporters.Warn, "as text"},
		{"a reference to nothing", whole(hook + "," + bubble(2, "a:B", `"mapper":{"v":"{{7.id}}"}`)), "flow[1]", exporters.Fail, "module 7, which does not exist"},
		{"a reference inside a function", whole(hook + "," + bubble(2, "a:B", `"mapper":{"v":"{{lower(trim(9.data.id))}}"}`)), "flow[1]", exporters.Fail, "module 9"},
		{"a reference to what comes later", whole(hook + "," + bubble(2, "a:B", `"mapper":{"v":"{{3.id}}"}`) + "," + bubble(3, "a:B", "")), "flow[1]", exporters.Warn, "does not come before"},
		{"a foreign connection", whole(bubble(1, "a:B", `"parameters":{"__IMTCONN__":12}`)), "flow[0]", exporters.Warn, "__IMTCONN__"},
		{"a password in a header", whole(bubble(1, "a:B", `"mapper":{"headers":[{"name":"Authorization","value":"Bearer abcdefghij0123456789abcd"}]}`)), "flow[0]", exporters.Warn, "password"},
		{"a form field twice", whole(bubble(1, "http:MakeRequest", `"mapper":{"urlEncodedBodyContent":[{"name":"part","value":"a"},{"name":"part","value":"b"}]}`)), "flow[0]", exporters.Warn, "field part stands twice"},
		{"a router with a mapper", whole(hook + "," + bubble(2, "builtin:BasicRouter", `"mapper":{},"routes":[{"flow":[`+bubble(3, "a:B", "")+`]}]`)), "flow[1]", exporters.Fail, "must be null"},
		{"an empty route", whole(hook + "," + bubble(2, "builtin:BasicRouter", `"mapper":null,"routes":[{"flow":[]}]`)), "flow[1]", exporters.Fail, "Route 1"},
		{"an error route on a directive", whole(hook + "," + bubble(2, "a:B", `"onerror":[`+bubble(3, "builtin:Rollback", `"onerror":[`+bubble(4, "a:B", "")+`]`)+`]`)), "flow[1].onerror[0]", exporters.Fail, "cannot have an error route"},
		{"an if/else in a branch", whole(hook + "," + bubble(2, "builtin:BasicIfElse", `"mapper":null,"branches":[{"type":"else","flow":[`+bubble(3, "builtin:BasicIfElse", `"mapper":null,"branches":[{"type":"else","flow":[`+bubble(4, "a:B", "")+`]}]`)+`]}]`)), "flow[1].branches[0].flow[0]", exporters.Fail, "inside a branch"},
		{"an else with conditions", whole(hook + "," + bubble(2, "builtin:BasicIfElse", `"mapper":null,"branches":[{"type":"else","conditions":[[{"a":"{{1.x}}","o":"exist"}]],"flow":[`+bubble(3, "a:B", "")+`]}]`)), "flow[1]", exporters.Fail, "else branch must not"},
		{"a branch without conditions", whole(hook + "," + bubble(2, "builtin:BasicIfElse", `"mapper":null,"branches":[{"type":"condition","flow":[`+bubble(3, "a:B", "")+`]}]`)), "flow[1]", exporters.Fail, "without a word"},
		{"a merge that is missing", whole(hook + "," + bubble(2, "builtin:BasicIfElse", `"mapper":null,"branches":[{"type":"else","merge":true,"flow":[`+bubble(3, "a:B", "")+`]}]`)), "flow[1]", exporters.Fail, "very next module"},
		{"a merge alone", whole(hook + "," + bubble(2, "builtin:BasicMerge", `"mapper":null,"outputs":[{"name":"a","mappings":[]}]`)), "flow[1]", exporters.Fail, "directly follow"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			findings := Validate([]byte(tt.blueprint))
			for _, f := range findings {
				if f.Where == tt.where && f.Result == tt.result && strings.Contains(f.Text, tt.text) {
					return
				}
			}
			t.Errorf("findings %+v, want %s at %q: … %s …", findings, tt.result, tt.where, tt.text)
		})
	}
}

// TestValidateTakesSoundOnes: also what only exports of the editor carry.
func TestValidateTakesSoundOnes(t *testing.T) {
	hook := bubble(1, "gateway:CustomWebHook", "")
	joined := `{"type":"condition","conditions":[[{"a":"{{1.p}}","o":"text:equal:ci","b":"high"}]],"merge":true,"flow":[` + bubble(3, "util:ComposeTransformer", `"mapper":{"value":"{{1.id}} costs {{2.5}} or {{get(map(1.list; \"value\"; \"name\"; \"9.x\"); 1)}}"}`) + `]}`
	for name, blueprint := range map[string]string{
		"two modules": whole(hook + "," + bubble(2, "http:MakeRequest", `"mapper":{"url":"{{1.url}}"},"onerror":[`+bubble(3, "util:Log", `"mapper":{"v":"{{2.error.message}}"}`)+","+bubble(4, "builtin:Ignore", "")+`]`)),
		"if/else with merge": whole(hook + "," + bubble(2, "builtin:BasicIfElse", `"mapper":null,"branches":[`+joined+`]`) + "," +
			bubble(5, "builtin:BasicMerge", `"mapper":null,"outputs":[{"name":"m","mappings":["{{3.value}}"]}]`)),
		"an export": strings.Replace(whole(bubble(1, "a:B", `"metadata":{"designer":{"x":1.5,"y":-2},"restore":{},"expect":[]}`)), `"name"`, `"scheduling":{"type":"immediately"},"io":{},"name"`, 1),
	} {
		if findings := Validate([]byte(blueprint)); len(findings) > 0 {
			t.Errorf("%s: %+v", name, findings)
		}
	}
}

// FuzzValidate: a foreign file must never stop the program.
func FuzzValidate(f *testing.F) {
	f.Add([]byte(whole(bubble(1, "gateway:CustomWebHook", ""))))
	f.Add([]byte(`{"flow":[{"branches":[{"flow":[1,{}]}],"onerror":{},"routes":[null]},null],"metadata":[]}`))
	f.Add([]byte(whole(bubble(2, "builtin:BasicMerge", `"filters":[],"outputs":[1]`))))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, finding := range Validate(data) {
			if finding.Text == "" || finding.Result != exporters.Fail && finding.Result != exporters.Warn {
				t.Fatalf("%+v", finding)
			}
		}
	})
}
