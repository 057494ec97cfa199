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

// behind puts modules behind a webhook.
func behind(flow ...string) string {
	return whole(bubble(1, "gateway:CustomWebHook", "") + "," + strings.Join(flow, ","))
}

// guarded is a module with one condition in its filter.
func guarded(condition string) string {
	return behind(bubble(2, "a:B", `"filter":{"name":"f","conditions":[[`+condition+`]]}`))
}

// forked is an if/else with these branches.
func forked(branches string) string {
	return bubble(2, "builtin:BasicIfElse", `"mapper":null,"branches":[`+branches+`]`)
}

// failing has an error route.
func failing(route ...string) string {
	return bubble(2, "a:B", `"onerror":[`+strings.Join(route, ",")+`]`)
}

// with writes other scenario settings.
func with(settings, blueprint string) string {
	return strings.Replace(blueprint, `"scenario":{}`, `"scenario":{`+settings+`}`, 1)
}

// A broken blueprint breaks one rule.
type broken struct {
	rule, blueprint, where, result, text string
}

const (
	fails = exporters.Fail
	warns = exporters.Warn
)

// topRules are about the file as a whole.
func topRules() []broken {
	hook := bubble(1, "gateway:CustomWebHook", "")
	return []broken{
		{"it is JSON", "{", "", fails, "no blueprint"},
		{"it is an object", "[]", "", fails, "no blueprint"},
		{"it has a name", strings.Replace(whole(hook), `"x"`, `""`, 1), "name", fails, "1 to 120"},
		{"the name has at most 120 characters", strings.Replace(whole(hook), `"x"`, `"`+strings.Repeat("ż", 121)+`"`, 1), "name", fails, "1 to 120"},
		{"the modules stand under flow", `{"name":"x","modules":[],"metadata":{"version":1,"scenario":{},"designer":{"orphans":[]}}}`, "flow", fails, "under modules"},
		{"there is a module", whole(""), "flow", fails, "list of modules"},
		{"there is metadata", `{"name":"x","flow":[` + hook + `]}`, "metadata", fails, "metadata"},
		{"the version is 1", strings.Replace(whole(hook), `"metadata":{"version":1,"sc`, `"metadata":{"version":2,"sc`, 1), "metadata.version", fails, "version is 1"},
		{"there are scenario settings", `{"name":"x","flow":[` + hook + `],"metadata":{"version":1,"designer":{"orphans":[]}}}`, "metadata.scenario", fails, "missing"},
		{"there is a list of loose modules", `{"name":"x","flow":[` + hook + `],"metadata":{"version":1,"scenario":{}}}`, "metadata.designer.orphans", fails, "missing"},
		{"a setting is true or false", with(`"sequential":"yes"`, whole(hook)), "metadata.scenario", fails, "sequential is true or false"},
		{"a count is a number", with(`"maxErrors":"3"`, whole(hook)), "metadata.scenario", fails, "maxErrors is a number"},
		{"in order and stored stop everything", with(`"sequential":true,"dlq":true`, whole(hook)), "metadata.scenario", warns, "one failed run stops"},
		{"a webhook is instant", strings.Replace(whole(hook), `"version":1,"scenario"`, `"version":1,"instant":false,"scenario"`, 1), "metadata.instant", warns, "instant"},
	}
}

// moduleRules are about one module.
func moduleRules() []broken {
	return []broken{
		{"a module is an object", whole("7"), "flow[0]", fails, "an object"},
		{"a module has an id", whole(`{"module":"a:B","version":1,"metadata":{"designer":{"x":0,"y":0}}}`), "flow[0]", fails, "no id"},
		{"an id counts from 1", whole(bubble(0, "a:B", "")), "flow[0]", fails, "no id"},
		{"an id stands once, in error routes too", behind(failing(bubble(1, "builtin:Ignore", ""))), "flow[1].onerror[0]", fails, "stands twice"},
		{"an id stands once, in routes too", behind(bubble(2, "builtin:BasicRouter", `"mapper":null,"routes":[{"flow":[`+bubble(2, "a:B", "")+`]}]`)), "flow[1].routes[0].flow[0]", fails, "stands twice"},
		{"a module has a version", whole(`{"id":1,"module":"a:B","metadata":{"designer":{"x":0,"y":0}}}`), "flow[0]", fails, "no version"},
		{"a version counts from 1", whole(`{"id":1,"module":"a:B","version":0,"metadata":{"designer":{"x":0,"y":0}}}`), "flow[0]", fails, "no version"},
		{"a module has a place in the drawing", whole(`{"id":1,"module":"a:B","version":1}`), "flow[0]", fails, "drawing"},
		{"a module is named app:Name", whole(bubble(1, "CustomWebHook", "")), "flow[0]", fails, "no module name"},
		{"an app is in small letters", whole(bubble(1, "Gateway:CustomWebHook", "")), "flow[0]", fails, "no module name"},
		{"a placeholder is no module", whole(bubble(1, "placeholder:Placeholder", "")), "flow[0]", fails, "of your choice"},
		{"there is no builtin:IgnoreError", behind(failing(bubble(3, "builtin:IgnoreError", ""))), "flow[1].onerror[0]", fails, "builtin:Ignore"},
		{"there is no builtin:BasicIgnore", behind(failing(bubble(3, "builtin:BasicIgnore", ""))), "flow[1].onerror[0]", fails, "builtin:Ignore"},
		{"there is no builtin:ErrorHandler", behind(failing(bubble(3, "builtin:ErrorHandler", ""))), "flow[1].onerror[0]", fails, "called onerror"},
		{"there is no gateway:ErrorHandler", behind(bubble(2, "gateway:ErrorHandler", "")), "flow[1]", fails, "called onerror"},
		{"there is no builtin:Iterator", behind(bubble(2, "builtin:Iterator", "")), "flow[1]", fails, "builtin:BasicFeeder"},
		{"there is no builtin:Router", behind(bubble(2, "builtin:Router", "")), "flow[1]", fails, "builtin:BasicRouter"},
		{"there is no builtin:Filter", behind(bubble(2, "builtin:Filter", "")), "flow[1]", fails, "filter on the module"},
		{"what is read exists", behind(bubble(2, "a:B", `"mapper":{"v":"{{7.id}}"}`)), "flow[1]", fails, "module 7, which does not exist"},
		{"what a function reads exists", behind(bubble(2, "a:B", `"mapper":{"v":"{{lower(trim(9.data.id))}}"}`)), "flow[1]", fails, "module 9"},
		{"what a condition reads exists", guarded(`{"a":"{{8.x}}","o":"exist"}`), "flow[1]", fails, "module 8"},
		{"what a branch reads exists", behind(forked(`{"type":"condition","conditions":[[{"a":"{{8.x}}","o":"exist"}]],"flow":[` + bubble(3, "a:B", "") + `]}`)), "flow[1]", fails, "module 8"},
		{"what is read comes before", behind(bubble(2, "a:B", `"mapper":{"v":"{{3.id}}"}`), bubble(3, "a:B", "")), "flow[1]", warns, "does not come before"},
		{"a connection is not handed on", whole(bubble(1, "a:B", `"parameters":{"__IMTCONN__":12}`)), "flow[0]", warns, "__IMTCONN__"},
		{"a key is not handed on", whole(bubble(1, "a:B", `"parameters":{"__IMTKEY__":12}`)), "flow[0]", warns, "__IMTKEY__"},
		{"a webhook is not handed on", whole(bubble(1, "gateway:CustomWebHook", `"parameters":{"hook":12}`)), "flow[0]", warns, "hook belongs"},
		{"a data store is not handed on", behind(bubble(2, "datastore:DeleteRecord", `"parameters":{"datastore":12}`)), "flow[1]", warns, "datastore belongs"},
		{"a key chain is not handed on", behind(bubble(2, "http:MakeRequest", `"parameters":{"apiKeyKeychain":12}`)), "flow[1]", warns, "apiKeyKeychain belongs"},
		{"a password is not handed on", whole(bubble(1, "a:B", `"mapper":{"headers":[{"name":"Authorization","value":"Bearer abcdefghij0123456789abcd"}]}`)), "flow[0]", warns, "password"},
	}
}

// flowRules are about filters, branches and error routes.
func flowRules() []broken {
	branch := `{"type":"else","flow":[` + bubble(3, "a:B", "") + `]}`
	return []broken{
		{"the first module has no filter", whole(bubble(1, "a:B", `"filter":{"name":"f","conditions":[[{"a":"x","o":"exist"}]]}`)), "flow[0]", fails, "first module must not"},
		{"conditions are there", behind(bubble(2, "a:B", `"filter":{"name":"f","conditions":[]}`)), "flow[1].filter", fails, "without a word"},
		{"conditions are a list of lists", behind(bubble(2, "a:B", `"filter":{"conditions":[{"a":"{{1.x}}","o":"text:equal","b":"y"}]}`)), "flow[1].filter", fails, "list of lists"},
		{"a condition has a left side", guarded(`{"o":"text:equal","b":"y"}`), "flow[1].filter", fails, "left side"},
		{"a condition has a right side", guarded(`{"a":"{{1.x}}","o":"text:equal"}`), "flow[1].filter", fails, "right side"},
		{"exist has no right side", guarded(`{"a":"{{1.x}}","o":"exist","b":"y"}`), "flow[1].filter", warns, "takes no right side"},
		{"a text operator is known", guarded(`{"a":"{{1.x}}","o":"text:equals","b":"y"}`), "flow[1].filter", fails, "no operator"},
		{"a number operator is known", guarded(`{"a":"{{1.x}}","o":"number:more","b":"1"}`), "flow[1].filter", fails, "no operator"},
		{"an array operator is known", guarded(`{"a":"{{1.x}}","o":"array:has","b":"1"}`), "flow[1].filter", fails, "no operator"},
		{"a kind of operator is known", guarded(`{"a":"{{1.x}}","o":"eq","b":"1"}`), "flow[1].filter", fails, "no operator"},
		{"true is written as text", guarded(`{"a":"{{1.x}}","o":"boolean:equal","b":true}`), "flow[1].filter", warns, "as text"},
		{"a router has a null mapper", behind(bubble(2, "builtin:BasicRouter", `"mapper":{},"routes":[{"flow":[`+bubble(3, "a:B", "")+`]}]`)), "flow[1]", fails, "must be null"},
		{"a router has routes", behind(bubble(2, "builtin:BasicRouter", `"mapper":null,"routes":[]`)), "flow[1]", fails, "no routes"},
		{"a route is not empty", behind(bubble(2, "builtin:BasicRouter", `"mapper":null,"routes":[{"flow":[]}]`)), "flow[1]", fails, "Route 1"},
		{"a router has no filter", behind(bubble(2, "builtin:BasicRouter", `"mapper":null,"filter":{"name":"f","conditions":[[{"a":"{{1.x}}","o":"exist"}]]},"routes":[{"flow":[`+bubble(3, "a:B", "")+`]}]`)), "flow[1]", warns, "first module of each route"},
		{"a router has no error route", behind(bubble(2, "builtin:BasicRouter", `"mapper":null,"onerror":[`+bubble(4, "builtin:Ignore", "")+`],"routes":[{"flow":[`+bubble(3, "a:B", "")+`]}]`)), "flow[1]", fails, "cannot have an error route"},
		{"a directive has no error route", behind(failing(bubble(3, "builtin:Rollback", `"onerror":[`+bubble(4, "a:B", "")+`]`))), "flow[1].onerror[0]", fails, "cannot have an error route"},
		{"Throw has no error route", behind(bubble(2, "builtin:ThrowError", `"mapper":{"message":"x"},"onerror":[`+bubble(3, "builtin:Ignore", "")+`]`)), "flow[1]", fails, "cannot have an error route"},
		{"a directive ends an error route", behind(failing(bubble(3, "builtin:Ignore", ""), bubble(4, "a:B", ""))), "flow[1].onerror[0]", fails, "never runs"},
		{"a directive stands in an error route", behind(bubble(2, "builtin:Commit", "")), "flow[1]", fails, "error route only"},
		{"Break says how it tries again", behind(failing(bubble(3, "builtin:Break", `"mapper":{"retry":true}`))), "flow[1].onerror[0]", warns, "how often"},
		{"an if/else has a null mapper", behind(bubble(2, "builtin:BasicIfElse", `"branches":[`+branch+`]`)), "flow[1]", fails, "must be null"},
		{"an if/else has branches", behind(forked("")), "flow[1]", fails, "no branches"},
		{"a branch is not empty", behind(forked(`{"type":"else","flow":[]}`)), "flow[1]", fails, "Branch 1 is empty"},
		{"a branch is condition or else", behind(forked(`{"type":"if","flow":[` + bubble(3, "a:B", "") + `]}`)), "flow[1]", fails, `of type "if"`},
		{"a branch is not switched off", behind(forked(`{"type":"else","disabled":true,"flow":[` + bubble(3, "a:B", "") + `]}`)), "flow[1]", warns, "switched off"},
		{"there is one else", behind(forked(branch + `,{"type":"else","flow":[` + bubble(4, "a:B", "") + `]}`)), "flow[1]", fails, "more than one else"},
		{"else has no conditions", behind(forked(`{"type":"else","conditions":[[{"a":"{{1.x}}","o":"exist"}]],"flow":[` + bubble(3, "a:B", "") + `]}`)), "flow[1]", fails, "else branch must not"},
		{"a condition branch has conditions", behind(forked(`{"type":"condition","flow":[` + bubble(3, "a:B", "") + `]}`)), "flow[1]", fails, "without a word"},
		{"a branch does not begin with a filter", behind(forked(`{"type":"else","flow":[` + bubble(3, "a:B", `"filter":{"name":"f","conditions":[[{"a":"{{1.x}}","o":"exist"}]]}`) + `]}`)), "flow[1].branches[0].flow[0]", fails, "Make deletes it"},
		{"no if/else in a branch", behind(forked(`{"type":"else","flow":[` + bubble(3, "builtin:BasicIfElse", `"mapper":null,"branches":[{"type":"else","flow":[`+bubble(4, "a:B", "")+`]}]`) + `]}`)), "flow[1].branches[0].flow[0]", fails, "inside a branch"},
		{"no router in a branch", behind(forked(`{"type":"else","flow":[` + bubble(3, "builtin:BasicRouter", `"mapper":null,"routes":[{"flow":[`+bubble(4, "a:B", "")+`]}]`) + `]}`)), "flow[1].branches[0].flow[0]", fails, "inside a branch"},
		{"no router in the error route of a branch", behind(forked(`{"type":"else","flow":[` + bubble(3, "a:B", `"onerror":[`+bubble(4, "builtin:BasicRouter", `"mapper":null,"routes":[{"flow":[`+bubble(5, "builtin:Ignore", "")+`]}]`)+`]`) + `]}`)), "flow[1].branches[0].flow[0].onerror[0]", fails, "inside a branch"},
	}
}

// mergeRules are about branches that come together.
func mergeRules() []broken {
	joined := forked(`{"type":"else","merge":true,"flow":[` + bubble(3, "a:B", "") + `]}`)
	merge := func(more string) string { return bubble(9, "builtin:BasicMerge", more) }
	sound := `"outputs":[{"name":"a","mappings":["{{3.v}}"]}]`
	return []broken{
		{"branches that merge are joined next", behind(joined), "flow[1]", fails, "very next module"},
		{"a merge follows an if/else", behind(merge(`"mapper":null,` + sound)), "flow[1]", fails, "directly follow"},
		{"a merge has something to join", behind(forked(`{"type":"else","flow":[`+bubble(3, "a:B", "")+`]}`), merge(`"mapper":null,"outputs":[{"name":"a","mappings":[]}]`)), "flow[2]", fails, "comes together here"},
		{"a merge has a null mapper", behind(joined, merge(`"mapper":{},`+sound)), "flow[2]", fails, "must be null"},
		{"a merge has outputs", behind(joined, merge(`"mapper":null,"outputs":[]`)), "flow[2]", fails, "no outputs"},
		{"an output has a name", behind(joined, merge(`"mapper":null,"outputs":[{"mappings":["{{3.v}}"]}]`)), "flow[2]", fails, "no name"},
		{"an output has a value for each branch", behind(joined, merge(`"mapper":null,"outputs":[{"name":"a","mappings":["{{3.v}}","x"]}]`)), "flow[2]", fails, "needs 1 values"},
		{"a merge has a filter for each branch", behind(joined, merge(`"mapper":null,"filters":[null,null],`+sound)), "flow[2]", fails, "1 filters"},
	}
}

// appRules are about the modules that a key needs.
func appRules() []broken {
	return []broken{
		{"errors of HTTP 4 are on", behind(bubble(2, "http:MakeRequest", `"mapper":{"method":"post","stopOnHttpError":false}`)), "flow[1]", warns, "looks like a success"},
		{"errors of HTTP 3 are on", behind(bubble(2, "http:ActionSendData", `"parameters":{"handleErrors":false},"mapper":{"method":"post"}`)), "flow[1]", warns, "looks like a success"},
		{"errors of HTTP 3 with a password are on", behind(bubble(2, "http:ActionSendDataBasicAuth", `"parameters":{"handleErrors":false}`)), "flow[1]", warns, "looks like a success"},
		{"a method is in small letters", behind(bubble(2, "http:MakeRequest", `"mapper":{"method":"POST"}`)), "flow[1]", warns, "small letters: post"},
		{"a form field stands once", behind(bubble(2, "http:MakeRequest", `"mapper":{"urlEncodedBodyContent":[{"name":"part","value":"a"},{"name":"part","value":"b"}]}`)), "flow[1]", warns, "field part stands twice"},
		{"the status of an answer is text", behind(bubble(2, "gateway:WebhookRespond", `"mapper":{"status":200}`)), "flow[1]", fails, "is text"},
		{"the headers of an answer have a key", behind(bubble(2, "gateway:WebhookRespond", `"mapper":{"status":"200","headers":[{"name":"a","value":"b"}]}`)), "flow[1]", fails, "a key and a value"},
		{"an aggregator names its feeder", behind(bubble(2, "builtin:BasicAggregator", `"parameters":{"feeder":"1"}`)), "flow[1]", fails, "feeder"},
		{"an aggregator's feeder exists", behind(bubble(2, "builtin:BasicAggregator", `"parameters":{"feeder":7}`)), "flow[1]", fails, "feeder"},
		{"an iterator has a list", behind(bubble(2, "builtin:BasicFeeder", `"mapper":{}`)), "flow[1]", fails, "no list"},
		{"a record is read with returnWrapped", behind(bubble(2, "datastore:GetRecord", `"mapper":{"key":"{{1.id}}"}`)), "flow[1]", fails, "returnWrapped"},
		{"a record has a key", behind(bubble(2, "datastore:AddRecord", `"mapper":{"data":{}}`)), "flow[1]", warns, "invents one"},
		{"look first, then write, is not safe", behind(bubble(2, "datastore:ExistRecord", `"mapper":{"key":"{{1.id}}"}`)), "flow[1]", warns, "both find nothing"},
		{"exist is the output's name", behind(bubble(2, "datastore:ExistRecord", `"mapper":{"key":"{{1.id}}"}`), bubble(3, "a:B", `"filter":{"name":"f","conditions":[[{"a":"{{2.exists}}","o":"boolean:equal","b":"false"}]]}`)), "flow[2]", warns, "exist, not exists"},
		{"a key does not hold the run", behind(bubble(2, "datastore:AddRecord", `"mapper":{"key":"{{1.id}}:{{executionId}}"}`)), "flow[1]", warns, "executionId"},
		{"a key does not hold the time", behind(bubble(2, "http:MakeRequest", `"mapper":{"urlEncodedBodyContent":[{"name":"part.2","value":"{{formatDate(now; \"X\")}}"}]}`)), "flow[1]", warns, "holds now"},
		{"a key does not hold chance", behind(bubble(2, "http:ActionSendData", `"parameters":{"handleErrors":true},"mapper":{"fields":[{"name":"key","value":"{{uuid}}"}]}`)), "flow[1]", warns, "holds uuid"},
	}
}

// TestEachRuleHasAFileThatBreaksIt: the rules of Make's public checker and of its
// documents on filters, branches, directives, data stores and calls.
func TestEachRuleHasAFileThatBreaksIt(t *testing.T) {
	for name, rules := range map[string][]broken{"file": topRules(), "module": moduleRules(), "flow": flowRules(), "merge": mergeRules(), "app": appRules()} {
		for _, tt := range rules {
			t.Run(name+"/"+tt.rule, func(t *testing.T) {
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
}

// TestValidateTakesSoundOnes: also what only exports of the editor carry.
func TestValidateTakesSoundOnes(t *testing.T) {
	hook := bubble(1, "gateway:CustomWebHook", "")
	joined := `{"type":"condition","conditions":[[{"a":"{{1.p}}","o":"text:equal:ci","b":"high"}]],"merge":true,"flow":[` + bubble(3, "util:ComposeTransformer", `"mapper":{"value":"{{1.id}} costs {{2.5}} or {{get(map(1.list; \"value\"; \"name\"; \"9.x\"); 1)}}"}`) + `]}`
	for name, blueprint := range map[string]string{
		"two modules": whole(hook + "," + bubble(2, "http:MakeRequest", `"mapper":{"url":"{{1.url}}"},"onerror":[`+bubble(3, "util:Log", `"mapper":{"v":"{{2.error.message}}"}`)+","+bubble(4, "builtin:Ignore", "")+`]`)),
		"if/else with merge": whole(hook + "," + bubble(2, "builtin:BasicIfElse", `"mapper":null,"branches":[`+joined+`]`) + "," +
			bubble(5, "builtin:BasicMerge", `"mapper":null,"outputs":[{"name":"m","mappings":["{{3.value}}"]}]`)),
		"an export": strings.Replace(with(`"roundtrips":1,"slots":null,"dlq":true,"extra":[]`, whole(bubble(1, "a:B", `"metadata":{"designer":{"x":1.5,"y":-2,"name":"n"},"restore":{},"expect":[],"interface":[],"parameters":[],"advanced":true},"filter":null,"disabled":false`))),
			`"name"`, `"scheduling":{"type":"immediately"},"io":{},"interface":null,"subflows":[],"name"`, 1),
		"a loop": behind(bubble(2, "builtin:BasicFeeder", `"mapper":{"array":"{{1.items}}"}`), bubble(3, "builtin:BasicAggregator", `"parameters":{"feeder":2},"mapper":{"line":"{{2.sku}}"}`)),
		"a router in an error route": behind(failing(bubble(3, "builtin:BasicRouter", `"mapper":null,"routes":[{"flow":[`+
			bubble(4, "builtin:Resume", `"mapper":{},"filter":{"name":"f","conditions":[[{"a":"{{2.error.type}}","o":"text:equal","b":"DataError"}]]}`)+`]},{"flow":[`+bubble(5, "builtin:Break", `"mapper":{"retry":true,"count":"3","interval":"15"}`)+`]}]`))),
		"look first, one at a time":              with(`"sequential":true`, behind(bubble(2, "datastore:ExistRecord", `"mapper":{"key":"{{1.id}}"}`), bubble(3, "a:B", `"filter":{"name":"f","conditions":[[{"a":"{{2.exist}}","o":"boolean:equal","b":"false"}]]}`))),
		"words in a key that look like the time": behind(bubble(2, "datastore:AddRecord", `"mapper":{"key":"{{1.now}}:{{lower(1.uuid)}}:{{trim(\"now\")}} now","overwrite":false}`)),
		"a field that ends in a number":          behind(bubble(2, "builtin:BasicFeeder", `"mapper":{"array":"{{1.`+"`"+`ǅ0`+"`"+`}}"}`)),
		"errors off, and the code is read":       behind(bubble(2, "http:MakeRequest", `"mapper":{"method":"post","stopOnHttpError":false}`), bubble(3, "a:B", `"filter":{"name":"f","conditions":[[{"a":"{{2.data.code}}","o":"text:equal","b":"busy"}]]}`)),
		"throw":                                  behind(bubble(2, "builtin:ThrowError", `"mapper":{"message":"x"}`)),
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
	f.Add([]byte(whole(bubble(2, "gateway:WebhookRespond", `"mapper":{"headers":[1],"status":{}}`))))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, finding := range Validate(data) {
			if finding.Text == "" || finding.Result != exporters.Fail && finding.Result != exporters.Warn {
				t.Fatalf("%+v", finding)
			}
		}
	})
}
