package zapier

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"dedupedesk/exporters"
	"dedupedesk/rules"
)

// harness is the stand-in for Code by Zapier: each job is a piece of code with its
// input data, and all jobs share one store.
const harness = `
import json, sys, textwrap
counts = {}
class StoreClient:
    def __init__(self, secret): self.secret = secret
    def increment_by(self, key, amount):
        assert len(key) < 32
        counts[self.secret + key] = counts.get(self.secret + key, 0) + amount
        return counts[self.secret + key]
def run(code, input_data):
    names = {"StoreClient": StoreClient}
    exec("def step(input_data):\n" + "".join("    " + line + "\n" for line in code.split("\n")) , names)
    return names["step"](input_data)
out = []
for job in json.load(sys.stdin):
    try:
        out.append({"ok": run(job["code"], job["input"])})
    except Exception as e:
        out.append({"error": str(e) or repr(e)})
json.dump(out, sys.stdout)
`

type job struct {
	Code  string            `json:"code"`
	Input map[string]string `json:"input"`
}

type outcome struct {
	OK    map[string]any `json:"ok"`
	Error string         `json:"error"`
}

// python runs the jobs one after the other.
func python(t interface{ Fatalf(string, ...any) }, jobs ...job) []outcome {
	in, err := json.Marshal(jobs)
	if err != nil {
		t.Fatalf("%v", err)
	}
	cmd := exec.Command("python3", "-c", harness)
	cmd.Stdin = bytes.NewReader(in)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	text, err := cmd.Output()
	if err != nil {
		t.Fatalf("python3, which build/test needs: %v\n%s", err, stderr.String())
	}
	var out []outcome
	if err := json.Unmarshal(text, &out); err != nil || len(out) != len(jobs) {
		t.Fatalf("python3 said %q: %v", text, err)
	}
	return out
}

// ready puts a secret of the person's own in place of the placeholder.
func ready(code string) string {
	return strings.ReplaceAll(code, `"`+exporters.Placeholder+`"`, `"own"`)
}

// stepOf returns a step of the checklist for s.
func stepOf(t interface{ Fatalf(string, ...any) }, s exporters.Setup, id string) exporters.Step {
	c, err := New().Build(s)
	if err != nil {
		t.Fatalf("%v", err)
	}
	for _, step := range c.Steps {
		if step.ID == id {
			return step
		}
	}
	t.Fatalf("no step %s", id)
	return exporters.Step{}
}

func counterSetup(parts ...exporters.Part) exporters.Setup {
	return exporters.Setup{Rule: "orders", Expressible: true, Lease: time.Hour, Parts: parts}
}

// TestTheCounterLetsTheFirstRunPass, makes the rule's own key and stops a hole.
func TestTheCounterLetsTheFirstRunPass(t *testing.T) {
	s := counterSetup(exporters.Part{Literal: "a:b"}, exporters.Part{Path: []string{"body", "id"}, Steps: []string{"lower"}})
	code := ready(stepOf(t, s, "count").Value)
	done := ready(stepOf(t, s, "done").Value)
	out := python(t, job{code, map[string]string{"part2": " X\n y "}}, job{code, map[string]string{"part2": "x Y"}}, job{code, map[string]string{}}, job{code, map[string]string{"part2": "\u00a0"}},
		job{stepOf(t, s, "count").Value, map[string]string{"part2": "x"}})
	if out[0].OK["status"] != "claimed" || out[0].OK["key"] != "a%3Ab:x y" || !strings.Contains(out[1].Error, "a%3Ab:x y and has not finished it") {
		t.Errorf("first %+v, second %+v", out[0], out[1])
	}
	for i, o := range out[2:4] {
		if o.Error == "" {
			t.Errorf("hole %d went through: %+v", i, o)
		}
	}
	if !strings.Contains(out[4].Error, "placeholder") {
		t.Errorf("without a secret: %+v", out[4])
	}
	short, _ := out[0].OK["short"].(string)
	out = python(t, job{code, map[string]string{"part2": "x Y"}}, job{done, map[string]string{"status": "claimed", "short": short}}, job{code, map[string]string{"part2": "x Y"}}, job{done, map[string]string{"status": "copy", "short": short}}, job{code, map[string]string{"part2": "z"}})
	if out[2].OK["status"] != "copy" || out[3].OK["status"] != "nothing to report" || out[4].OK["status"] != "claimed" {
		t.Errorf("behind the end: %+v", out)
	}
}

// TestAnEventWithAFieldTwiceStops, as the rule refuses it: nobody knows which is meant.
func TestAnEventWithAFieldTwiceStops(t *testing.T) {
	s := counterSetup(exporters.Part{Path: []string{"headers", "x-id"}}, exporters.Part{Path: []string{"body", "id"}})
	code := ready(stepOf(t, s, "count").Value)
	out := python(t, job{code, map[string]string{"header1": "h", "body": `{"id":1,"id":2}`}}, job{code, map[string]string{"header1": "h", "body": `{"id":1.50}`}})
	if out[0].Error == "" || out[1].OK["key"] != "h:1.5" {
		t.Errorf("%+v", out)
	}
}

// TestACountThatDoesNotComeBackStopsTheRun: the vendor does not say what the call gives.
func TestACountThatDoesNotComeBackStopsTheRun(t *testing.T) {
	code := ready(stepOf(t, counterSetup(exporters.Part{Path: []string{"body", "id"}}), "count").Value)
	code = strings.Replace(code, ".increment_by(short, amount)", ".__class__ and None", 1)
	if o := python(t, job{code, map[string]string{"part1": "1"}})[0]; !strings.Contains(o.Error, "no count") {
		t.Errorf("%+v", o)
	}
}

// ruleKey is the key that the rules' own code makes of a literal and a value in JSON.
func ruleKey(literal, value string, steps []string, fold bool) (string, error) {
	v, err := rules.DecodeJSON([]byte(value))
	if err != nil {
		return "", err
	}
	if text, ok := v.(string); ok {
		for _, step := range steps {
			text = map[string]func(string) string{"lower": strings.ToLower, "upper": strings.ToUpper, "fold": rules.FoldKey}[step](text)
		}
		v = text
	}
	return rules.JoinParts([]any{literal, v}, fold, "")
}

// TestTheCodesKeyIsTheRulesKey on many events: the same key, or no run. What the event
// holds comes back out of the code as it went in.
func TestTheCodesKeyIsTheRulesKey(t *testing.T) {
	odd := rapid.StringOfN(rapid.OneOf(rapid.Rune(), rapid.RuneFrom([]rune("aÄßſİςΣᾳŉ e\u0301%:\"'\\\n\t{}@$ \u00a0\u200b\u2028\u3164\u202e😀א"))), 1, 12, -1)
	number := rapid.StringMatching(`-?(0|[1-9][0-9]{0,25})(\.[0-9]{1,6})?`)
	field := rapid.StringOfN(rapid.RuneFrom([]rune("ab \"'\\{}é😀.")), 1, 5, -1)
	var jobs []job
	var want []string
	for i := range 400 {
		literal, name := odd.Example(i), field.Example(i)
		value, _ := json.Marshal(odd.Example(1000 + i))
		if i%3 == 0 {
			value = []byte(number.Example(i))
		}
		steps := [][]string{nil, {"lower"}, {"upper"}, {"fold"}, {"upper", "lower"}}[i%5]
		if i%3 == 0 {
			steps = nil
		}
		s := counterSetup(exporters.Part{Literal: literal}, exporters.Part{Path: []string{"body", name, "[1]"}, Steps: steps})
		s.FoldCase = i%7 == 0
		key, err := ruleKey(literal, string(value), steps, s.FoldCase)
		code, cannot := counterCode(s, wish{raw: true})
		if cannot != nil {
			continue // said in words instead of code
		}
		if strings.Contains(code, "{{") || strings.Contains(code, "}}") {
			t.Fatalf("Zapier may take this for a field:\n%s", code)
		}
		body, _ := json.Marshal(map[string]any{name: []any{0, json.RawMessage(value)}})
		jobs, want = append(jobs, job{ready(code), map[string]string{"body": string(body)}}), append(want, key)
		if (err == nil) != (key != "") {
			t.Fatalf("%q: %v", key, err)
		}
	}
	keys := 0
	for i, o := range python(t, jobs...) {
		got, _ := o.OK["key"].(string)
		if got != want[i] {
			t.Errorf("body %s: key %q (%s), want %q\n%s", jobs[i].Input["body"], got, o.Error, want[i], jobs[i].Code[strings.Index(jobs[i].Code, "KEY ="):])
		}
		if got != "" {
			keys++
		}
	}
	if len(jobs) < 200 || keys < 150 {
		t.Errorf("%d jobs, %d keys: too few to say anything", len(jobs), keys)
	}
}

// answers is a made-up engine: it notes what came and answers as told.
func answers(t *testing.T, status int, text string) (string, *http.Request) {
	seen := &http.Request{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := r.ParseForm(); err != nil {
			t.Error(err)
		}
		*seen = *r
		w.WriteHeader(status)
		_, _ = w.Write([]byte(text))
	}))
	t.Cleanup(server.Close)
	return server.URL, seen
}

func codeSetup(unreachable string) exporters.Setup {
	return exporters.Setup{Rule: "it's \"so\" 😀", Expressible: true, Lease: 25 * time.Hour, IfUnreachable: unreachable,
		Details: map[string]string{"computer": "always", "address": "https://dedupe.example.com", "ask": "code"},
		Parts:   []exporters.Part{{Literal: "say \"hi\" \\"}, {Path: []string{"body", "id"}}}}
}

// codeOf is a Code step of the checklist, turned to the made-up engine at address.
func codeOf(t *testing.T, s exporters.Setup, id, address string) string {
	return strings.Replace(ready(stepOf(t, s, id).Value), `"https://dedupe.example.com"`, py(address), 1)
}

func TestTheCodeAsksAndReports(t *testing.T) {
	address, seen := answers(t, http.StatusOK, `{"status":"claimed","run":true,"key":"k:1"}`)
	s := codeSetup("stop")
	s.Details["retries"] = exporters.RetriesNobody
	o := python(t, job{codeOf(t, s, "claim", address), map[string]string{"owner": "run-1", "part2": "é&=1"}})[0]
	if o.OK["status"] != "claimed" || o.OK["key"] != "k:1" {
		t.Errorf("%+v", o)
	}
	for name, want := range map[string]string{"rule": s.Rule, "owner": "run-1", "part.1": "say \"hi\" \\", "part.2": "é&=1", "answer": "branch"} {
		if got := seen.Form[name]; len(got) != 1 || got[0] != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if seen.URL.Path != "/v1/claim" || seen.Header.Get("Authorization") != "Bearer own" {
		t.Errorf("%s, %q", seen.URL.Path, seen.Header.Get("Authorization"))
	}
	if o := python(t, job{codeOf(t, s, "claim", address), map[string]string{"owner": "", "part2": "1"}})[0]; !strings.Contains(o.Error, "Run id") {
		t.Errorf("a run without an id: %+v", o)
	}
	ended := map[string]string{"status": "claimed", "key": "k:1", "owner": "run-1", "result": "inv_9"}
	if o := python(t, job{codeOf(t, s, "done", address), ended})[0]; o.Error == "" {
		t.Errorf("another answer is taken for done: %+v", o)
	}
	address, seen = answers(t, http.StatusOK, `{"status":"released"}`)
	out := python(t, job{codeOf(t, s, "release", address), ended}, job{codeOf(t, s, "release", address), map[string]string{"status": "unreachable", "key": ""}})
	if seen.URL.Path != "/v1/release" || seen.Form.Get("rule") != s.Rule || seen.Form.Get("key") != "k:1" || seen.Form.Get("owner") != "run-1" || seen.Form.Get("error") == "" || out[0].OK["status"] != "released" || out[1].OK["status"] != "nothing to report" {
		t.Errorf("release: %s %v %+v", seen.URL.Path, seen.Form, out)
	}
	address, seen = answers(t, http.StatusOK, `{"status":"done"}`)
	out = python(t, job{codeOf(t, s, "done", address), ended},
		job{codeOf(t, s, "done", address), map[string]string{"status": "unreachable", "key": ""}})
	if seen.URL.Path != "/v1/done" || seen.Form.Get("result") != "inv_9" || seen.Form.Get("key") != "k:1" || out[0].OK["status"] != "done" {
		t.Errorf("done: %s %v %+v", seen.URL.Path, seen.Form, out[0])
	}
	if out[1].OK["status"] != "nothing to report" {
		t.Errorf("a run without a key reports %+v", out[1])
	}
}

// TestOnlyAnEngineOutOfReachIsRunAnyway, and only where the rule wants it. A refusal and
// a redirect never are.
func TestOnlyAnEngineOutOfReachIsRunAnyway(t *testing.T) {
	cases := []struct {
		name   string
		status int
		text   string
		away   bool
	}{
		{"the page of a dead tunnel", http.StatusNotFound, "<html>no tunnel</html>", true},
		{"somebody else's JSON", http.StatusOK, `{"message":"Tunnel not found"}`, true},
		{"somebody else's status", http.StatusOK, `{"status":null}`, true},
		{"a list", http.StatusOK, `[]`, true},
		{"somebody else's refusal", http.StatusUnauthorized, `{"message":"who?"}`, true},
		{"busy", http.StatusServiceUnavailable, `{"run":false,"detail":"busy"}`, false},
		{"paused", http.StatusServiceUnavailable, `{"run":false,"code":"paused","status":503,"detail":"Paused."}`, false},
		{"an event that is split", http.StatusOK, `{"results":[]}`, false},
		{"a redirect", http.StatusFound, "", true},
		{"an empty part", http.StatusBadRequest, `{"run":false,"detail":"Part 2 is empty."}`, false},
		{"a wrong password", http.StatusUnauthorized, `{"run":false,"detail":"No such password."}`, false},
	}
	var jobs []job
	for _, tt := range cases {
		address, _ := answers(t, tt.status, tt.text)
		for _, rule := range []string{"stop", "go_on"} {
			jobs = append(jobs, job{codeOf(t, codeSetup(rule), "claim", address), map[string]string{"owner": "o", "part2": "1"}})
		}
	}
	out := python(t, jobs...)
	for i, tt := range cases {
		stops, anyway := out[2*i], out[2*i+1]
		if stops.Error == "" {
			t.Errorf("%s: the run goes on: %+v", tt.name, stops)
		}
		if (anyway.OK["status"] == "unreachable") != tt.away || (anyway.Error == "") != tt.away {
			t.Errorf("%s, run anyway: %+v", tt.name, anyway)
		}
	}
}

// TestTheWholeEventIsSent where a part is a header: body as written, headers as JSON.
func TestTheWholeEventIsSent(t *testing.T) {
	address, seen := answers(t, http.StatusOK, `{"status":"done","key":"k"}`)
	s := codeSetup("stop")
	s.Parts = append(s.Parts, exporters.Part{Path: []string{"headers", "X-Id"}})
	body := `{"id": 90071992547409931234, "q": "\""}`
	o := python(t, job{codeOf(t, s, "claim", address), map[string]string{"owner": "o", "body": body, "header1": `a"b`}})[0]
	if o.OK["status"] != "done" || seen.Form.Get("event") != body || seen.Form.Get("headers") != `{"x-id": "a\"b"}` || seen.Form.Has("part.1") {
		t.Errorf("%+v %v", o, seen.Form)
	}
}

// TestTheSmallCodesRun: the run's id, and the fields of a raw body.
func TestTheSmallCodesRun(t *testing.T) {
	s := codeSetup("stop")
	s.Parts = []exporters.Part{{Path: []string{"headers", "x-id"}}}
	id, fields := stepOf(t, s, "owner").Value, stepOf(t, s, "work").Value
	s.Details["ask"] = "webhooks"
	check := stepOf(t, s, "answered").Value
	var jobs []job
	answered := []struct {
		input map[string]string
		fault string
	}{
		{map[string]string{"owner": "o"}, "not from this program"}, {map[string]string{"owner": "o", "status": "ok"}, "not from this program"}, {map[string]string{"status": "claimed"}, "Run id"},
		{map[string]string{"owner": "o", "status": "claimed"}, ""}, {map[string]string{"owner": "o", "status": "held"}, ""},
	}
	for _, a := range answered {
		jobs = append(jobs, job{check, a.input})
	}
	for i, o := range python(t, jobs...) {
		if (o.Error == "") != (answered[i].fault == "") || !strings.Contains(o.Error, answered[i].fault) {
			t.Errorf("%v: %+v", jobs[i].Input, o)
		}
	}
	out := python(t, job{id, nil}, job{id, nil}, job{fields, map[string]string{"body": `{"a":{"b":1}}`}})
	if out[0].OK["id"] == out[1].OK["id"] || len(out[0].OK["id"].(string)) != 36 || out[2].OK["a"] == nil {
		t.Errorf("%+v", out)
	}
}

// TestRowsCarryTheText: what is pasted into a box is the rule's name or the literal, or
// the step says in words why it is not.
func TestRowsCarryTheText(t *testing.T) {
	text := rapid.StringOfN(rapid.OneOf(rapid.Rune(), rapid.RuneFrom([]rune("\"'\n\\{} @$א😀\u202e"))), 1, 15, -1)
	rapid.Check(t, func(t *rapid.T) {
		s := codeSetup("stop")
		s.Rule, s.Details["ask"] = text.Draw(t, "rule"), "webhooks"
		literal := text.Draw(t, "literal")
		s.Parts[0].Literal = literal
		rule := stepOf(t, s, "claim-rule")
		if rule.Blocked == "" && rule.Value != s.Rule || strings.Contains(rule.Value, "{{") && rule.Blocked == "" {
			t.Fatalf("rule %q became %q, %q", s.Rule, rule.Value, rule.Blocked)
		}
		if claim := stepOf(t, s, "claim"); claim.Blocked != "" {
			return // no row is shown for a literal that cannot be pasted
		}
		row := stepOf(t, s, "claim-part-1")
		if row.Value != strings.Join(strings.Fields(literal), " ") || strings.Contains(row.Value, "{{") || strings.Contains(row.Value, "}}") {
			t.Fatalf("literal %q became %q", literal, row.Value)
		}
	})
}
