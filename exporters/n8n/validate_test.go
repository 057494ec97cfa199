package n8n

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"dedupedesk/exporters"
)

// step is a sound node with more members.
func step(name, kind, parameters string, more ...string) string {
	if parameters == "" {
		parameters = "{}"
	}
	return fmt.Sprintf(`{"id":%q,"name":%q,"type":%q,"typeVersion":1,"position":[0,0],"parameters":%s%s}`, "id-"+name, name, kind, parameters, strings.Join(append([]string{""}, more...), ","))
}

const hook = "n8n-nodes-base.webhook"

// flow wraps nodes and connections in an otherwise sound workflow.
func flow(connections string, nodes ...string) string {
	return `{"name":"x","active":false,"versionId":"v","settings":{"executionOrder":"v1"},"nodes":[` + strings.Join(nodes, ",") + `],"connections":` + connections + `}`
}

// to is what leads from each node to the next.
func to(names ...string) string {
	var list []string
	for i := 1; i < len(names); i++ {
		list = append(list, fmt.Sprintf(`%q:{"main":[[{"node":%q,"type":"main","index":0}]]}`, names[i-1], names[i]))
	}
	return "{" + strings.Join(list, ",") + "}"
}

func claimStep(body, options string, more ...string) string {
	quoted, _ := json.Marshal(body)
	return step("Claim", "n8n-nodes-base.httpRequest", `{"url":"https://d.example.com/v1/claim?answer=branch","jsonBody":`+string(quoted)+`,"options":`+options+`}`, more...)
}

const (
	owned     = `={{ JSON.stringify({ key: $json.body.id, owner: $execution.id }) }}`
	isClaimed = `{"conditions":{"options":{"version":2},"combinator":"and","conditions":[{"id":"1","leftValue":"={{ $json.status }}","rightValue":"claimed","operator":{"type":"string","operation":"equals"}}]}}`
)

// TestValidateForeignWorkflows: what n8n does not take or silently misreads, and what lets
// copies through, each in a small workflow.
func TestValidateForeignWorkflows(t *testing.T) {
	first := step("Hook", hook, "")
	guard := step("If", "n8n-nodes-base.if", isClaimed)
	whole := flow("{}", first)
	for _, tt := range []struct{ name, workflow, where, result, text string }{
		{"not JSON", "{", "", exporters.Fail, "no JSON"},
		{"a text", `"x"`, "", exporters.Fail, "no JSON object"},
		{"a list of two", "[" + whole + "," + whole + "]", "", exporters.Fail, "list of 2"},
		{"a list of one", "[" + whole + "]", "", exporters.Warn, "list of one"},
		{"no name", strings.Replace(whole, `"name":"x"`, `"name":""`, 1), "name", exporters.Fail, "1 to 128"},
		{"no active", strings.Replace(whole, `"active":false,`, "", 1), "active", exporters.Warn, "Write false"},
		{"active", strings.Replace(whole, `"active":false`, `"active":true`, 1), "active", exporters.Warn, "publish it yourself"},
		{"both exits", flow(to("Hook", "W"), first, step("W", "n8n-nodes-base.noOp", "", `"onError":"continueErrorOutput"`, `"alwaysOutputData":true`)), "nodes[1]", exporters.Warn, "both exits"},
		{"no versionId", strings.Replace(whole, `"versionId":"v",`, "", 1), "versionId", exporters.Warn, "no versionId"},
		{"an id", strings.Replace(whole, `{"name"`, `{"id":"w1","name"`, 1), "id", exporters.Warn, "writes over"},
		{"pinned data", strings.Replace(whole, `{"name"`, `{"pinData":{"Hook":[]},"name"`, 1), "pinData", exporters.Warn, "pinned"},
		{"no nodes", strings.Replace(whole, first, "", 1), "nodes", exporters.Fail, "no node yet"},
		{"nodes that are no list", strings.Replace(whole, `"nodes":[`+first+`]`, `"nodes":{}`, 1), "nodes", exporters.Fail, "list of nodes"},
		{"no connections", strings.Replace(whole, `"connections":{}`, `"connections":[]`, 1), "connections", exporters.Fail, "grouped by the name"},
		{"a node that is none", flow("{}", first, "7"), "nodes[1]", exporters.Fail, "is an object"},
		{"no name of a node", flow("{}", first, step("", "a.b", "")), "nodes[1]", exporters.Fail, "no name"},
		{"a name twice", flow("{}", first, step("Hook", "a.b", "")), "nodes[1]", exporters.Fail, "stands twice"},
		{"no type", flow("{}", first, step("A", "webhook", "")), "nodes[1]", exporters.Fail, "no type"},
		{"no typeVersion", flow("{}", strings.Replace(first, `"typeVersion":1,`, "", 1)), "nodes[0]", exporters.Fail, "typeVersion"},
		{"no position", flow("{}", strings.Replace(first, "[0,0]", "{}", 1)), "nodes[0]", exporters.Fail, "position"},
		{"no parameters", flow("{}", strings.Replace(first, `"parameters":{}`, `"p":1`, 1)), "nodes[0]", exporters.Fail, "parameters"},
		{"no id of a node", flow("{}", strings.Replace(first, `"id":"id-Hook",`, "", 1)), "nodes[0]", exporters.Warn, "no id"},
		{"foreign credentials", flow("{}", step("Hook", hook, "", `"credentials":{"x":{"id":"1"}}`)), "nodes[0]", exporters.Warn, "Choose your own"},
		{"an unknown onError", flow("{}", step("Hook", hook, "", `"onError":"ignore"`)), "nodes[0]", exporters.Fail, "onError"},
		{"nine tries", flow("{}", step("Hook", hook, "", `"retryOnFail":true,"maxTries":9`)), "nodes[0]", exporters.Warn, "2 to 5"},
		{"a minute between tries", flow("{}", step("Hook", hook, "", `"retryOnFail":true,"waitBetweenTries":60000`)), "nodes[0]", exporters.Warn, "5000"},
		{"no trigger", flow("{}", step("A", "a.b", "")), "nodes", exporters.Warn, "no trigger"},
		{"a connection by id", flow(to("id-Hook", "A"), first, step("A", "a.b", "")), "connections.id-Hook", exporters.Fail, "go by name"},
		{"a connection from nowhere", flow(to("X", "Hook"), first), "connections.X", exporters.Fail, "no node"},
		{"a connection to nowhere", flow(to("Hook", "X"), first), "connections.Hook.main[0]", exporters.Fail, "leads to \"X\""},
		{"a flat connection", flow(`{"Hook":{"main":[{"node":"Hook","type":"main","index":0}]}}`, first), "connections.Hook.main[0]", exporters.Fail, "list of lists"},
		{"a connection without kind", flow(`{"Hook":[]}`, first), "connections.Hook", exporters.Fail, "kind"},
		{"a connection without exits", flow(`{"Hook":{"main":{}}}`, first), "connections.Hook.main", exporters.Fail, "list of nodes for each exit"},
		{"reads a node that is not there", flow("{}", first, step("A", "a.b", `{"v":"={{ $('Gone').item.json.id }}"}`)), "nodes[1]", exporters.Fail, `"Gone"`},
		{"reads one by the old way", flow("{}", first, step("A", "a.b", `{"v":"={{ $node[\"Gone\"].json }}"}`)), "nodes[1]", exporters.Fail, `"Gone"`},
		{"an unknown operator", flow("{}", first, step("If", "n8n-nodes-base.if", strings.Replace(isClaimed, `"equals"`, `"equal"`, 1))), "nodes[1]", exporters.Fail, "counts the condition as false"},
		{"an unknown type of operator", flow("{}", first, step("If", "n8n-nodes-base.if", strings.Replace(isClaimed, `"string"`, `"text"`, 1))), "nodes[1]", exporters.Fail, "no operator"},
		{"no operator", flow("{}", first, step("If", "n8n-nodes-base.if", `{"conditions":{"combinator":"and","conditions":[{"leftValue":1}]}}`)), "nodes[1]", exporters.Fail, "no operator"},
		{"an unknown combinator", flow("{}", first, step("If", "n8n-nodes-base.if", strings.Replace(isClaimed, `"and"`, `"xor"`, 1))), "nodes[1]", exporters.Fail, "joined by"},
		{"Remove Duplicates as a lock", flow("{}", first, step("R", "n8n-nodes-base.removeDuplicates", `{"operation":"removeItemsSeenInPreviousExecutions"}`)), "nodes[1]", exporters.Warn, "no lock"},
		{"Redis GET then SET", flow(to("Hook", "Get", "If", "Set"), first, step("Get", "n8n-nodes-base.redis", `{"operation":"get"}`), guard, step("Set", "n8n-nodes-base.redis", `{"operation":"set"}`)), "nodes[1]", exporters.Warn, "Increment"},
		{"Never Error on the claim", flow(to("Hook", "Claim", "If"), first, claimStep(owned, `{"response":{"response":{"neverError":true}}}`), guard), "nodes[1]", exporters.Warn, "Never Error"},
		{"errors of the claim go on", flow(to("Hook", "Claim", "If"), first, claimStep(owned, "{}", `"onError":"continueRegularOutput"`), guard), "nodes[1]", exporters.Warn, "as if it had been answered"},
		{"no owner", flow(to("Hook", "Claim", "If"), first, claimStep(`={{ JSON.stringify({ key: $json.body.id }) }}`, "{}"), guard), "nodes[1]", exporters.Warn, "no owner"},
		{"the run in the key", flow(to("Hook", "Claim", "If"), first, claimStep(`={{ JSON.stringify({ key: 'a' + $execution.id, owner: $execution.id }) }}`, "{}"), guard), "nodes[1]", exporters.Warn, "$execution.id"},
		{"the time in a part", flow(to("Hook", "Claim", "If"), first, claimStep(`={{ JSON.stringify({ part: ['a', $now.toISO()], owner: 1 }) }}`, "{}"), guard), "nodes[1]", exporters.Warn, "$now"},
		{"nobody looks at the status", flow(to("Hook", "Claim", "A"), first, claimStep(owned, "{}"), step("A", "a.b", "")), "nodes[1]", exporters.Warn, "copies go on"},
		{"a password in a header", flow("{}", first, step("H", "n8n-nodes-base.httpRequest", `{"headerParameters":{"parameters":[{"name":"X-Api-Key","value":"abc"}]}}`)), "nodes[1]", exporters.Warn, "password"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			findings := Validate([]byte(tt.workflow))
			for _, f := range findings {
				if f.Where == tt.where && f.Result == tt.result && strings.Contains(f.Text, tt.text) {
					return
				}
			}
			t.Errorf("findings %+v, want %s at %q: … %s …", findings, tt.result, tt.where, tt.text)
		})
	}
}

// TestValidateTakesSoundOnes: nodes that nobody knows, exits without connection, other
// kinds of connections, and what only the editor writes.
func TestValidateTakesSoundOnes(t *testing.T) {
	first := step("Hook", hook, "")
	for name, workflow := range map[string]string{
		"a claim": flow(to("Hook", "Claim", "If"), first, claimStep(owned, "{}"), step("If", "n8n-nodes-base.if", isClaimed)),
		"unknown nodes": flow(`{"Agent Trigger":{"main":[null,[{"node":"it's \"so\"","type":"main","index":0}]],"ai_tool":[[{"node":"it's \"so\"","type":"ai_tool","index":0}]]}}`,
			step("Agent Trigger", "@n8n/n8n-nodes-langchain.chatTrigger", ""),
			step(`it's "so"`, "n8n-nodes-community.thing", `{"v":"={{ $('Agent Trigger').item.json.x + $(\"it's \\\"so\\\"\").first().json.y }}","plain":"$('Nobody')"}`)),
		"an export":         strings.Replace(flow("{}", strings.Replace(first, `"typeVersion":1`, `"typeVersion":2.1`, 1)), `{"name"`, `{"meta":{"instanceId":"x"},"tags":[],"staticData":null,"name"`, 1),
		"redis that counts": flow(to("Hook", "R"), first, step("R", "n8n-nodes-base.redis", `{"operation":"incr"}`)),
		"items of one run":  flow(to("Hook", "R"), first, step("R", "n8n-nodes-base.removeDuplicates", `{"operation":"removeDuplicateInputItems"}`)),
		"another claim":     flow("{}", first, step("H", "n8n-nodes-base.httpRequest", `{"url":"https://d.example.com/claims"}`)),
	} {
		if findings := Validate([]byte(workflow)); len(findings) > 0 {
			t.Errorf("%s: %+v", name, findings)
		}
	}
}

// FuzzValidate: a foreign file must never stop the program.
func FuzzValidate(f *testing.F) {
	f.Add([]byte(flow(to("Hook", "Claim"), step("Hook", hook, ""), claimStep(owned, "{}"))))
	f.Add([]byte(`{"nodes":[{"type":7,"position":[1],"parameters":{"conditions":{"combinator":"and","conditions":[null]}}},null],"connections":{"":{"main":[[null]]}}}`))
	f.Add([]byte(`[{"nodes":{},"connections":{"a":{"b":[1,[2]]}}}]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, finding := range Validate(data) {
			if finding.Text == "" || finding.Result != exporters.Fail && finding.Result != exporters.Warn {
				t.Fatalf("%+v", finding)
			}
		}
	})
}
