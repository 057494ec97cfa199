package powerautomate

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"dedupedesk/exporters"
	"dedupedesk/exporters/flowdef"
	"dedupedesk/exporters/flowdef/flowtest"
)

// premium is a setup whose flow asks this program.
func premium(details map[string]string) exporters.Setup {
	s := exporters.Setup{Rule: "orders", Expressible: true, Lease: 3 * time.Hour,
		Parts:   []exporters.Part{{Literal: "shop"}, {Path: []string{"body", "id"}}},
		Details: map[string]string{"plan": "premium", "computer": "always", "address": "https://dedupe.example.com"}}
	for k, v := range details {
		s.Details[k] = v
	}
	return s
}

func flowOf(t interface{ Fatal(...any) }, s exporters.Setup) []byte {
	c, err := New().Build(s)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range c.Files {
		if strings.HasSuffix(f.Name, ".definition.json") {
			return f.Data
		}
	}
	reason, _ := c.Blocked()
	t.Fatal("no flow: ", reason)
	return nil
}

// A desk answers the calls of one run from a script, and notes them.
type desk struct {
	claim flowtest.Answer
	calls []string
	works int
	fail  bool
}

func (d *desk) send(r flowtest.Request) flowtest.Answer {
	path, _, _ := strings.Cut(strings.TrimPrefix(r.URI, "https://dedupe.example.com/v1/"), "?")
	d.calls = append(d.calls, path)
	if path == "claim" {
		return d.claim
	}
	return flowtest.Answer{Status: 200, Body: []byte(`{"status":"ok"}`)}
}

func (d *desk) work(any) (any, error) {
	d.works++
	if d.fail {
		return nil, errors.New("the work fails")
	}
	return "PO-1", nil
}

func answer(status int, body string) flowtest.Answer {
	return flowtest.Answer{Status: status, Body: []byte(body)}
}

// TestPeers71TheFlowIsDriven through every answer that can come, by a sender that waits
// and without one.
func TestPeers71TheFlowIsDriven(t *testing.T) {
	ours := answer(200, `{"status":"claimed","run":true,"key":"shop:1"}`)
	for _, tt := range []struct {
		name   string
		claim  flowtest.Answer
		fail   bool
		works  int
		calls  string
		status string
		code   string
		reply  int
	}{
		{"the key is ours", ours, false, 1, "claim done", "Succeeded", "", 200},
		{"the work fails", ours, true, 1, "claim release", "Failed", "work_failed", 500},
		{"a copy of finished work", answer(200, `{"status":"done","run":false,"key":"shop:1","result":"PO-1"}`), false, 0, "claim", "Cancelled", "", 200},
		{"another run is at it", answer(200, `{"status":"in_progress","run":false,"key":"shop:1"}`), false, 0, "claim", "Cancelled", "", 503},
		{"a person holds it", answer(200, `{"status":"held","run":false}`), false, 0, "claim", "Cancelled", "", 503},
		{"the same key for something else", answer(200, `{"status":"mismatch","run":false}`), false, 0, "claim", "Cancelled", "", 200},
		{"the rule ignores it", answer(200, `{"status":"ignored","run":false}`), false, 0, "claim", "Cancelled", "", 200},
		{"no answer at all", flowtest.Answer{Lost: true}, false, 0, "claim", "Failed", "no_answer", 503},
		{"the page of a dead tunnel", answer(200, `<html>status claimed</html>`), false, 0, "claim", "Failed", "no_answer", 503},
		{"a page with an error", answer(502, `<html>Bad gateway</html>`), false, 0, "claim", "Failed", "no_answer", 503},
		{"JSON of somebody else", answer(200, `{"ok":true}`), false, 0, "claim", "Failed", "no_answer", 503},
		{"the ledger is busy", answer(503, `{"status":503,"code":"busy","run":false}`), false, 0, "claim", "Failed", "no_answer", 503},
		{"an empty part", answer(400, `{"status":400,"code":"invalid","run":false}`), false, 0, "claim", "Failed", "no_answer", 503},
		{"a word in other capitals", answer(200, `{"status":"Claimed"}`), false, 0, "claim", "Failed", "no_answer", 503},
	} {
		for _, retries := range []string{exporters.RetriesSender, exporters.RetriesNobody, exporters.RetriesPlatform} {
			t.Run(tt.name+"/"+retries, func(t *testing.T) {
				flow := flowOf(t, premium(map[string]string{"retries": retries}))
				d := &desk{claim: tt.claim, fail: tt.fail}
				r := flowtest.Run{ID: "08585", Trigger: []byte(`{"headers":{},"body":{"id":1}}`), Send: d.send, Work: d.work}
				if err := r.Do(flow); err != nil {
					t.Fatal(err)
				}
				reply := tt.reply
				if retries != exporters.RetriesSender {
					reply = 0
				}
				if d.works != tt.works || strings.Join(d.calls, " ") != tt.calls || r.Status != tt.status || r.Error != tt.code || r.Replied != reply {
					t.Errorf("%d works, calls %v, run %s %s, reply %d; want %d, %s, %s %s, %d", d.works, d.calls, r.Status, r.Error, r.Replied, tt.works, tt.calls, tt.status, tt.code, reply)
				}
			})
		}
	}
}

// TestGoOnRunsOnlyWhereNobodyCouldBeAsked: a refused call still stops the run.
func TestGoOnRunsOnlyWhereNobodyCouldBeAsked(t *testing.T) {
	s := premium(map[string]string{"retries": "nobody"})
	s.IfUnreachable = "go_on"
	flow := flowOf(t, s)
	for _, tt := range []struct {
		name  string
		claim flowtest.Answer
		works int
		calls string
	}{
		{"ours", answer(200, `{"status":"claimed"}`), 1, "claim done"},
		{"no answer", flowtest.Answer{Lost: true}, 1, "claim"},
		{"a dead tunnel", answer(404, `<html>`), 1, "claim"},
		{"the page of a gateway", answer(503, `<html>`), 1, "claim"},
		{"busy", answer(503, `{"status":503,"code":"busy","run":false}`), 0, "claim"},
		{"all grants are paused", answer(503, `{"status":503,"code":"paused","run":false}`), 0, "claim"},
		{"a fault in words of tomorrow", answer(503, `{"code":"new"}`), 0, "claim"},
		{"a wrong password", answer(401, `{"status":401,"run":false}`), 0, "claim"},
		{"an empty part", answer(400, `{"status":400,"run":false}`), 0, "claim"},
		{"a copy", answer(200, `{"status":"done"}`), 0, "claim"},
	} {
		d := &desk{claim: tt.claim}
		r := flowtest.Run{ID: "1", Trigger: []byte(`{"body":{"id":1}}`), Send: d.send, Work: d.work}
		if err := r.Do(flow); err != nil {
			t.Fatal(err)
		}
		if d.works != tt.works || strings.Join(d.calls, " ") != tt.calls {
			t.Errorf("%s: %d works, calls %v", tt.name, d.works, d.calls)
		}
	}
}

// TestGoOnWithLines: each line is worked at, and nothing is reported of a key that nobody
// gave.
func TestGoOnWithLines(t *testing.T) {
	s := premium(map[string]string{"retries": "nobody"})
	s.IfUnreachable, s.Each = "go_on", []string{"body", "lines"}
	s.Parts = []exporters.Part{{Path: []string{"item", "sku"}}}
	d := &desk{claim: flowtest.Answer{Lost: true}}
	r := flowtest.Run{ID: "1", Trigger: []byte(`{"body":{"lines":[{"sku":"A"},{"sku":"B"}]}}`), Send: d.send, Work: d.work}
	if err := r.Do(flowOf(t, s)); err != nil {
		t.Fatal(err)
	}
	if d.works != 2 || strings.Join(d.calls, " ") != "claim claim" || r.Status != "Succeeded" {
		t.Errorf("%d works, calls %v, run %s", d.works, d.calls, r.Status)
	}
}

// TestASenderThatHungUpLeavesNoKeyBehind: an answer that nobody takes fails, and the
// report still comes.
func TestASenderThatHungUpLeavesNoKeyBehind(t *testing.T) {
	for reply, want := range map[string]string{"after": "claim done", "at_once": "claim done"} {
		d := &desk{claim: answer(200, `{"status":"claimed"}`)}
		r := flowtest.Run{ID: "1", Trigger: []byte(`{"body":{"id":1}}`), Send: d.send, Work: d.work}
		r.HangUp()
		if err := r.Do(flowOf(t, premium(map[string]string{"retries": "sender", "reply": reply}))); err != nil {
			t.Fatal(err)
		}
		if strings.Join(d.calls, " ") != want {
			t.Errorf("%s: calls %v", reply, d.calls)
		}
	}
}

// TestLinesAreClaimedOneByOne: a line that fails is given back and the others are done.
func TestLinesAreClaimedOneByOne(t *testing.T) {
	s := premium(map[string]string{"retries": "sender"})
	s.Each = []string{"body", "lines"}
	s.Parts = []exporters.Part{{Path: []string{"body", "id"}}, {Path: []string{"item", "sku"}}}
	flow := flowOf(t, s)
	for name, tt := range map[string]struct {
		status string // of the claim of the second line
		fails  string
		calls  string
		run    string
		reply  int
	}{
		"all new":                  {"claimed", "", "claim:A done:A claim:B done:B", "Succeeded", 200},
		"one is done already":      {"done", "", "claim:A done:A claim:B", "Succeeded", 200},
		"another run is at one":    {"in_progress", "", "claim:A done:A claim:B", "Failed", 503},
		"a person decides on one":  {"held", "", "claim:A done:A claim:B", "Failed", 503},
		"the work of one fails":    {"claimed", "A", "claim:A release:A claim:B done:B", "Failed", 503},
		"the work of both":         {"claimed", "AB", "claim:A release:A claim:B release:B", "Failed", 503},
		"the ledger refuses a key": {"", "", "claim:A done:A claim:B", "Failed", 503},
	} {
		var calls []string
		r := flowtest.Run{ID: "1", Trigger: []byte(`{"body":{"id":7,"lines":[{"sku":"A"},{"sku":"B"}]}}`)}
		r.Send = func(q flowtest.Request) flowtest.Answer {
			var body struct {
				Part []any
				Key  string
			}
			if err := json.Unmarshal(q.Body, &body); err != nil {
				t.Fatal(err)
			}
			what, _, _ := strings.Cut(strings.TrimPrefix(q.URI, "https://dedupe.example.com/v1/"), "?")
			line := strings.TrimPrefix(body.Key, "7:")
			if what == "claim" {
				line = fmt.Sprint(body.Part[1])
			}
			calls = append(calls, what+":"+line)
			status := "claimed"
			if line == "B" {
				status = tt.status
			}
			return answer(200, fmt.Sprintf(`{"status":%q,"key":"7:%s"}`, status, line))
		}
		r.Work = func(item any) (any, error) {
			sku, _ := item.(map[string]any)["sku"].(string)
			if strings.Contains(tt.fails, sku) {
				return nil, errors.New("fails")
			}
			return sku, nil
		}
		if err := r.Do(flow); err != nil {
			t.Fatal(err)
		}
		if strings.Join(calls, " ") != tt.calls || r.Status != tt.run || r.Replied != tt.reply {
			t.Errorf("%s: calls %v, run %s, reply %d", name, calls, r.Status, r.Replied)
		}
	}
}

// TestEveryTextSurvivesTheFlow: whatever stands in a rule's name, a literal, a default or
// a field's name comes out of the flow as it was.
func TestEveryTextSurvivesTheFlow(t *testing.T) {
	text := rapid.StringOfN(rapid.OneOf(rapid.Rune(), rapid.RuneFrom([]rune("\"'\n\r\\{}<>&:%@$ \u202eא🙂"))), 1, 20, -1)
	rapid.Check(t, func(t *rapid.T) {
		rule, literal, field, stand := text.Draw(t, "rule"), text.Draw(t, "literal"), text.Draw(t, "field"), text.Draw(t, "default")
		s := premium(nil)
		s.Rule = rule
		s.Parts = []exporters.Part{{Literal: literal}, {Path: []string{"body", field}}, {Path: []string{"body", "gone"}, Default: &stand}}
		body, err := json.Marshal(map[string]any{"body": map[string]any{field: literal, "gone": nil}})
		if err != nil {
			t.Fatal(err)
		}
		want := []string{literal, literal, stand}
		if strings.EqualFold(field, "gone") {
			return
		}
		var got struct {
			Rule string
			Part []string
		}
		r := flowtest.Run{ID: "1", Trigger: body, Send: func(q flowtest.Request) flowtest.Answer {
			if err := json.Unmarshal(q.Body, &got); err != nil {
				t.Fatal(err)
			}
			return flowtest.Answer{Lost: true}
		}}
		flow := flowOf(t, s)
		if findings := flowdef.Validate(flow); len(findings) > 0 {
			t.Fatal(findings)
		}
		if err := r.Do(flow); err != nil {
			t.Fatal(err)
		}
		if got.Rule != rule || strings.Join(got.Part, "\x00") != strings.Join(want, "\x00") {
			t.Fatalf("rule %q became %q, parts %q became %q", rule, got.Rule, want, got.Part)
		}
	})
}

// TestBothPastesAreTheScope of the definition, and the validator reads them.
func TestBothPastesAreTheScope(t *testing.T) {
	c, err := New().Build(premium(nil))
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range c.Steps {
		if !strings.HasPrefix(step.ID, "paste-") {
			continue
		}
		if !flowdef.Recognise([]byte(step.Value)) || len(flowdef.Validate([]byte(step.Value))) > 0 {
			t.Errorf("%s: %v", step.ID, flowdef.Validate([]byte(step.Value)))
		}
		var pasted struct {
			Operation, Value json.RawMessage
			Definition       json.RawMessage `json:"operationDefinition"`
			Serialized       json.RawMessage `json:"serializedOperation"`
			Older            json.RawMessage `json:"serializedValue"`
		}
		if err := json.Unmarshal([]byte(step.Value), &pasted); err != nil {
			t.Fatal(err)
		}
		if step.ID == "paste-new" && string(pasted.Serialized) != string(pasted.Older) {
			t.Error("the two keys of the new designer differ")
		}
	}
}
