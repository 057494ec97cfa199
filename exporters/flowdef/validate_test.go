package flowdef

import (
	"fmt"
	"strings"
	"testing"

	"dedupedesk/exporters"
)

// whole wraps a trigger and actions in an otherwise sound definition.
func whole(trigger, actions string) string {
	return `{"triggers":{"t":` + trigger + `},"actions":{` + actions + `}}`
}

const (
	request = `{"type":"Request","kind":"Http","inputs":{"schema":{}}}`
	fine    = `"a":{"type":"Compose","runAfter":{},"inputs":1}`
	claimed = `"c":{"type":"Http","runAfter":{},"inputs":{"method":"POST","uri":"https://x.example/v1/claim?answer=branch","body":{"part":["@triggerBody()?['id']"],"owner":"@workflow()?['run']?['name']"},"retryPolicy":{"type":"fixed","count":2,"interval":"PT10S"}}}`
	rescue  = `"r":{"type":"Compose","runAfter":{"c":["Failed"]},"inputs":1}`
)

// sharepoint is a trigger that is woken by changes of a list.
func sharepoint(more string) string {
	return `{"type":"OpenApiConnection","splitOn":"@triggerOutputs()?['body/value']",` + more + `"inputs":{"host":{"operationId":"GetOnUpdatedItems","apiId":"/providers/Microsoft.PowerApps/apis/shared_sharepointonline"},"parameters":{"table":"Orders"}}}`
}

// dataverse is a trigger that is woken by changes of accounts, and update a step that
// changes one.
func dataverse(more string) string {
	return `{"type":"OpenApiConnectionWebhook","inputs":{"host":{"operationId":"SubscribeWebhookTrigger"},"parameters":{"subscriptionRequest/entityname":"account",` + more + `}}}`
}

const update = `"u":{"type":"OpenApiConnection","runAfter":{},"inputs":{"host":{"operationId":"UpdateRecord"},"parameters":{"entityName":"accounts","recordId":"@triggerBody()?['accountid']"}}}`

func connector(name, operation, more string) string {
	return fmt.Sprintf(`%q:{"type":"OpenApiConnection","runAfter":{},"inputs":{"host":{"operationId":%q,"apiId":"/providers/Microsoft.PowerApps/apis/shared_sharepointonline"}%s}}`, name, operation, more)
}

func deep(n int) string {
	inside := fine
	for i := range n {
		inside = fmt.Sprintf(`"s%d":{"type":"Scope","runAfter":{},"actions":{%s}}`, i, inside)
	}
	return inside
}

// TestValidateForeignFlows: faults seen in public flows, and what Microsoft's pages
// forbid, each in a small flow of our own.
func TestValidateForeignFlows(t *testing.T) {
	for _, tt := range []struct{ name, flow, where, result, text string }{
		{"not JSON", "{", "", exporters.Fail, "no flow"},
		{"something else", `{"flow":[]}`, "", exporters.Fail, "no flow"},
		{"two triggers", `{"triggers":{"a":` + request + `,"b":` + request + `},"actions":{}}`, "triggers", exporters.Fail, "exactly one trigger"},
		{"no trigger", `{"triggers":{},"actions":{}}`, "triggers", exporters.Fail, "here are 0"},
		{"conditions under a wrong name", whole(`{"type":"Request","triggerConditions":["@equals(1,1)"]}`, fine), "triggers.t", exporters.Fail, "triggerConditions"},
		{"the same below inputs", whole(`{"type":"Request","inputs":{"triggerConditions":[]}}`, fine), "triggers.t", exporters.Fail, "triggerConditions"},
		{"conditions as text", whole(`{"type":"Request","conditions":"@true"}`, fine), "triggers.t.conditions", exporters.Fail, "list of objects"},
		{"conditions as plain lines", whole(`{"type":"Request","conditions":["@true"]}`, fine), "triggers.t.conditions[0]", exporters.Fail, "with an expression"},
		{"no @", whole(`{"type":"Request","conditions":[{"expression":"equals(1,1)"}]}`, fine), "triggers.t.conditions[0]", exporters.Fail, "does not begin with @"},
		{"text left over", whole(`{"type":"Request","conditions":[{"expression":"@equals(1,1) && equals(2,2)"}]}`, fine), "triggers.t.conditions[0]", exporters.Fail, "would not start"},
		{"braces", whole(`{"type":"Request","conditions":[{"expression":"@{equals(1,1)}"}]}`, fine), "triggers.t.conditions[0]", exporters.Fail, "without the braces"},
		{"MS34 a function that is not there", whole(`{"type":"Request","conditions":[{"expression":"@equalsIgnoreCase(triggerBody()?['Title'],'X')"}]}`, fine), "triggers.t.conditions[0]", exporters.Warn, "no function called equalsIgnoreCase"},
		{"a condition on a step", whole(`{"type":"Request","conditions":[{"expression":"@equals(outputs('a'),1)"}]}`, fine), "triggers.t.conditions[0]", exporters.Fail, "reads a step of the flow"},
		{"a misnamed function in a step", whole(request, `"a":{"type":"Compose","runAfter":{},"inputs":"@lower('X')"}`), "actions.a", exporters.Warn, "no function called lower"},
		{"eleven conditions", whole(`{"type":"Request","conditions":[`+strings.Repeat(`{"expression":"@true"},`, 10)+`{"expression":"@true"}]}`, fine), "triggers.t.conditions", exporters.Warn, "at most 10"},
		{"one instance said twice", whole(`{"type":"Request","operationOptions":"SingleInstance","runtimeConfiguration":{"concurrency":{"runs":1}}}`, fine), "triggers.t", exporters.Fail, "two ways"},
		{"101 runs", whole(`{"type":"Request","runtimeConfiguration":{"concurrency":{"runs":101}}}`, fine), "triggers.t", exporters.Fail, "from 1 to 100"},
		{"concurrency without a number", whole(`{"type":"Request","runtimeConfiguration":{"concurrency":{}}}`, fine), "triggers.t", exporters.Warn, "25"},
		{"splitting with concurrency", whole(sharepoint(`"runtimeConfiguration":{"concurrency":{"runs":1}},`), fine), "triggers.t", exporters.Warn, "100 items"},
		{"a long name", whole(request, `"`+strings.Repeat("n", 81)+`":{"type":"Compose","runAfter":{}}`), "actions." + strings.Repeat("n", 81), exporters.Fail, "81 characters"},
		{"no type", whole(request, `"a":{"runAfter":{}}`), "actions.a", exporters.Fail, "no type"},
		{"a long note", whole(request, `"a":{"type":"Compose","description":"`+strings.Repeat("x", 257)+`"}`), "actions.a", exporters.Fail, "256"},
		{"nine deep", whole(request, deep(8)), "actions.s7.actions.s6.actions.s5.actions.s4.actions.s3.actions.s2.actions.s1.actions.s0.actions.a", exporters.Fail, "9 deep"},
		{"after nothing", whole(request, `"a":{"type":"Compose","runAfter":{"gone":["Succeeded"]}}`), "actions.a", exporters.Fail, `"gone"`},
		{"after no result", whole(request, fine+`,"b":{"type":"Compose","runAfter":{"a":[]}}`), "actions.b", exporters.Fail, "on which result"},
		{"after an invented result", whole(request, fine+`,"b":{"type":"Compose","runAfter":{"a":["Done"]}}`), "actions.b", exporters.Fail, `"done"`},
		{"Terminate in a loop", whole(request, `"l":{"type":"Foreach","foreach":"@triggerBody()","runAfter":{},"actions":{"i":{"type":"If","runAfter":{},"actions":{},"else":{"actions":{"e":{"type":"Terminate","runAfter":{},"inputs":{"runStatus":"Failed"}}}}}}}`), "actions.l.actions.i.else.actions.e", exporters.Fail, "Terminate cannot stand"},
		{"Response in a loop", whole(request, `"l":{"type":"Until","expression":"@true","runAfter":{},"actions":{"e":{"type":"Response","runAfter":{},"inputs":{"statusCode":200}}}}`), "actions.l.actions.e", exporters.Fail, "Response cannot stand"},
		{"Response without a caller", whole(sharepoint(""), `"e":{"type":"Response","runAfter":{},"inputs":{"statusCode":200}}`), "actions.e", exporters.Fail, "When an HTTP request is received"},
		{"Response behind a split", whole(`{"type":"Request","splitOn":"@triggerBody()"}`, `"e":{"type":"Response","runAfter":{},"inputs":{"statusCode":200}}`), "actions.e", exporters.Warn, "202"},
		{"a variable in a scope", whole(request, `"s":{"type":"Scope","runAfter":{},"actions":{"v":{"type":"InitializeVariable","runAfter":{}}}}`), "actions.s.actions.v", exporters.Fail, "at the top"},
		{"51 items at a time", whole(request, `"l":{"type":"Foreach","foreach":"@triggerBody()","runAfter":{},"actions":{},"runtimeConfiguration":{"concurrency":{"repetitions":51}}}`), "actions.l", exporters.Fail, "from 1 to 50"},
		{"one after the other, twice", whole(request, `"l":{"type":"Foreach","foreach":"@triggerBody()","runAfter":{},"actions":{},"operationOptions":"Sequential","runtimeConfiguration":{"concurrency":{"repetitions":1}}}`), "actions.l", exporters.Fail, "two ways"},
		{"an unreadable expression", whole(request, `"a":{"type":"Compose","runAfter":{},"inputs":{"x":["@concat('a'"]}}`), "actions.a", exporters.Fail, "cannot be read"},
		{"an expression of 8,193", whole(request, `"a":{"type":"Compose","runAfter":{},"inputs":"@concat('`+strings.Repeat("a", 8182)+`')"}`), "actions.a", exporters.Fail, "8192"},
		{"a claim without owner", whole(request, `"c":{"type":"Http","runAfter":{},"inputs":{"uri":"https://x.example/claim","body":{"key":"k"}}},`+rescue), "actions.c", exporters.Warn, "names no owner"},
		{"a claim with the default retries", whole(request, `"c":{"type":"Http","runAfter":{},"inputs":{"uri":"https://x.example/claim","body":{"key":"k","owner":"@workflow()?['run']?['name']"}}},`+rescue), "actions.c", exporters.Warn, "up to 12 times"},
		{"an owner that changes", whole(request, strings.Replace(claimed, "workflow()?['run']?['name']", "guid()", 1)+","+rescue), "actions.c", exporters.Warn, "another one at each try"},
		{"K11 a key that cannot repeat", whole(request, strings.Replace(claimed, "triggerBody()?['id']", "utcNow()", 1)+","+rescue), "actions.c", exporters.Warn, "no copy is ever found"},
		{"K09 a run as key", whole(request, strings.Replace(claimed, "triggerBody()?['id']", "workflow()?['run']?['name']", 1)+","+rescue), "actions.c", exporters.Warn, "no copy is ever found"},
		{"nothing after a failure", whole(request, claimed), "actions.c", exporters.Warn, "stays reserved"},
		{"every failure a copy", whole(request, claimed+`,"e":{"type":"Terminate","runAfter":{"c":["Failed"]},"inputs":{"runStatus":"Succeeded"}}`), "actions.e", exporters.Warn, "ends quietly"},
		{"a password", whole(request, `"h":{"type":"Http","runAfter":{},"inputs":{"method":"GET","headers":{"Authorization":"Bearer abcdefgh12345"}}}`), "actions.h", exporters.Warn, "password"},
		{"a request that makes something", whole(request, `"h":{"type":"Http","runAfter":{},"inputs":{"method":"POST","uri":"https://api.example.com/orders"}}`), "actions.h", exporters.Warn, "Idempotency-Key"},
		{"C1 Create item with retries", whole(request, connector("n", "PostItem", "")), "actions.n", exporters.Warn, "error 500"},
		{"ms01 changes what starts it", whole(sharepoint(""), connector("n", "PatchItem", `,"parameters":{"table":"Orders"}`)), "actions.n", exporters.Warn, "again and again"},
		{"K05 changes the row that starts it", whole(dataverse(`"subscriptionRequest/message":4`), update), "actions.u", exporters.Warn, "again and again"},
		{"an upsert as claim", whole(request, connector("n", "UpdateRecord", `,"parameters":{"recordId":"dd_key='x'"}`)), "actions.n", exporters.Warn, "two runs both go on"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			findings := Validate([]byte(tt.flow))
			for _, f := range findings {
				if f.Where == tt.where && f.Result == tt.result && strings.Contains(f.Text, tt.text) {
					return
				}
			}
			t.Errorf("findings %+v, want %s at %q: … %s …", findings, tt.result, tt.where, tt.text)
		})
	}
}

// TestValidateTakesSoundOnes in each form in which people have them.
func TestValidateTakesSoundOnes(t *testing.T) {
	sound := whole(request, claimed+","+rescue)
	for name, flow := range map[string]string{
		"code view":             sound,
		"a package":             `{"name":"x","properties":{"displayName":"y","definition":` + sound + `,"connectionReferences":{}}}`,
		"a solution":            `{"schemaVersion":"1.0.0.0","properties":{"definition":` + sound + `}}`,
		"logic app":             `{"definition":` + sound + `,"kind":"Stateful"}`,
		"classic clipboard":     `{"operationName":"s","operationDefinition":{"type":"Scope","runAfter":{},"actions":{` + claimed + "," + rescue + `}}}`,
		"new clipboard":         `{"nodeId":"s","mslaNode":true,"serializedOperation":{"type":"Scope","runAfter":{},"actions":{` + claimed + "," + rescue + `}}}`,
		"own edits ignored":     whole(sharepoint(`"conditions":[{"expression":"@not(equals(toLower(coalesce(triggerBody()?['Editor']?['Email'],'')),'f@example.com'))"}],`), connector("n", "PatchItem", `,"parameters":{"table":"Orders"}`)),
		"Dataverse, new rows":   whole(dataverse(`"subscriptionRequest/message":1`), update),
		"Dataverse, one column": whole(dataverse(`"subscriptionRequest/message":3,"subscriptionRequest/filteringattributes":"statuscode"`), update),
		"another list":          whole(sharepoint(""), connector("n", "PatchItem", `,"parameters":{"table":"Claims"}`)),
		"create without tries":  whole(request, connector("n", "PostItem", `,"retryPolicy":{"type":"none"}`)),
		"capital results":       whole(request, fine+`,"b":{"type":"Compose","runAfter":{"a":["SUCCEEDED"]}}`),
		"designer's members":    whole(`{"type":"Request","metadata":{"operationMetadataId":"x"},"correlation":{}}`, `"a":{"type":"Compose","runAfter":{},"metadata":{},"inputs":"@@literal @{utcNow()}"}`),
	} {
		if !Recognise([]byte(flow)) {
			t.Errorf("%s: not recognised", name)
		}
		if findings := Validate([]byte(flow)); len(findings) > 0 {
			t.Errorf("%s: %+v", name, findings)
		}
	}
}

// TestOtherFilesAreNoFlow: a page tells by it what somebody pasted.
func TestOtherFilesAreNoFlow(t *testing.T) {
	for _, other := range []string{`{"name":"x","flow":[],"metadata":{}}`, `{"nodes":[],"connections":{}}`, `[]`, `"x"`, ``} {
		if Recognise([]byte(other)) {
			t.Errorf("%s is taken for a flow", other)
		}
	}
}

// FuzzValidate: a foreign file must never stop the program.
func FuzzValidate(f *testing.F) {
	f.Add([]byte(whole(request, claimed)))
	f.Add([]byte(`{"triggers":{"a":null},"actions":{"b":1,"c":{"runAfter":{"d":1},"cases":{"x":null},"else":[]}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, finding := range Validate(data) {
			if finding.Text == "" || finding.Result != exporters.Fail && finding.Result != exporters.Warn {
				t.Fatalf("%+v", finding)
			}
		}
	})
}
