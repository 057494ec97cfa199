package main_test

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"dedupedesk/exporters"
	"dedupedesk/exporters/flowdef/flowtest"
	"dedupedesk/exporters/powerautomate"
)

const flowRules = `rule: flow-orders
key: key("shop", body.id)
lease: 15m
`

// flowSetup is the rule of flowRules with a premium plan, as the pages hand it over.
func flowSetup(change func(*exporters.Setup)) exporters.Setup {
	s := exporters.Setup{Rule: "flow-orders", Expressible: true, Lease: 15 * time.Minute,
		Parts:   []exporters.Part{{Literal: "shop"}, {Path: []string{"body", "id"}}},
		Details: map[string]string{"plan": "premium", "computer": "always", "address": "https://dedupe.example.com", "retries": "sender"}}
	change(&s)
	return s
}

func flowFile(t *testing.T, s exporters.Setup) []byte {
	t.Helper()
	c, err := powerautomate.New().Build(s)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(c.Files, func(f exporters.File) bool { return strings.HasSuffix(f.Name, ".definition.json") })
	if i < 0 {
		t.Fatalf("no flow among %d files", len(c.Files))
	}
	return c.Files[i].Data
}

// sendFlow sends what a flow sends to the engine. With lost, each call is sent twice and
// the first answer is thrown away, as where Power Automate tries again after a time-out.
func (h *house) sendFlow(lost bool) func(flowtest.Request) flowtest.Answer {
	return func(r flowtest.Request) flowtest.Answer {
		path := strings.TrimPrefix(r.URI, "https://dedupe.example.com")
		if r.Headers["Authorization"] != "Bearer "+exporters.Placeholder {
			h.t.Errorf("%s: header %q", path, r.Headers["Authorization"])
		}
		if lost {
			h.call(r.Method, path, r.Headers["Content-Type"], string(r.Body))
		}
		a := h.call(r.Method, path, r.Headers["Content-Type"], string(r.Body))
		return flowtest.Answer{Status: a.Code, Body: []byte(a.Raw)}
	}
}

func (h *house) flowRule(text string) {
	h.t.Helper()
	path := filepath.Join(h.t.TempDir(), "rule.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		h.t.Fatal(err)
	}
	h.must("rule", "import", path)
}

// TestGeneratedFlowStopsDuplicates drives the exported flow on a real engine: many runs of
// one event at once, with every call of a run sent twice.
func TestGeneratedFlowStopsDuplicates(t *testing.T) {
	h := newHouse(t)
	h.flowRule(flowRules)
	flow := flowFile(t, flowSetup(func(*exporters.Setup) {}))
	var works atomic.Int32
	runs := make([]*flowtest.Run, 12)
	var all sync.WaitGroup
	for i := range runs {
		runs[i] = &flowtest.Run{ID: "0858" + string(rune('A'+i)), Trigger: []byte(`{"headers":{},"body":{"id":9007199254740993}}`), Send: h.sendFlow(true),
			Work: func(any) (any, error) { works.Add(1); return "PO-1", nil }}
		all.Go(func() {
			if err := runs[i].Do(flow); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	won := 0
	for _, r := range runs {
		switch {
		case r.Status == "Succeeded" && r.Replied == http.StatusOK:
			won++
		case r.Status == "Cancelled" && (r.Replied == http.StatusOK || r.Replied == http.StatusServiceUnavailable):
		default:
			t.Errorf("run %s: %s %s, answered %d", r.ID, r.Status, r.Error, r.Replied)
		}
	}
	if works.Load() != 1 || won != 1 {
		t.Errorf("%d works, %d runs that worked", works.Load(), won)
	}
	if a := h.post("/v1/claim", map[string]any{"rule": "flow-orders", "key": "shop:9007199254740993", "owner": "x"}); a.text("status") != "done" || a.text("result") != "PO-1" {
		t.Errorf("key: %s", a.Raw)
	}
}

// TestGeneratedFlowGivesAFailedEventBack, so that the sender's next try runs; an event
// with an empty part never does.
func TestGeneratedFlowGivesAFailedEventBack(t *testing.T) {
	h := newHouse(t)
	h.flowRule(flowRules)
	flow := flowFile(t, flowSetup(func(*exporters.Setup) {}))
	works := 0
	run := func(id, body string, fails bool) *flowtest.Run {
		r := &flowtest.Run{ID: id, Trigger: []byte(`{"headers":{},"body":` + body + `}`), Send: h.sendFlow(false), Work: func(any) (any, error) {
			works++
			if fails {
				return nil, errors.New("the work fails")
			}
			return "PO-2", nil
		}}
		if err := r.Do(flow); err != nil {
			t.Fatal(err)
		}
		return r
	}
	for _, tt := range []struct {
		id, body string
		fails    bool
		status   string
		replied  int
		works    int
	}{
		{"r1", `{"id":"a"}`, true, "Failed", 500, 1},
		{"r2", `{"id":"a"}`, false, "Succeeded", 200, 2},
		{"r3", `{"id":"a"}`, false, "Cancelled", 200, 2},
		{"r4", `{"id":null}`, false, "Failed", 503, 2},
		{"r5", `{}`, false, "Failed", 503, 2},
		{"r6", `{"id":" "}`, false, "Failed", 503, 2},
	} {
		if r := run(tt.id, tt.body, tt.fails); r.Status != tt.status || r.Replied != tt.replied || works != tt.works {
			t.Errorf("%s: %s, answered %d, %d works; want %s, %d, %d", tt.id, r.Status, r.Replied, works, tt.status, tt.replied, tt.works)
		}
	}
}

// TestGeneratedFlowSendsTheEvent where the formula is more than fields, and a key for each
// line where there is one.
func TestGeneratedFlowSendsTheEvent(t *testing.T) {
	h := newHouse(t)
	h.flowRule("rule: flow-events\nkey: key(\"h\", digest(body.order), header(\"X-Shop\"))\nlease: 15m\n")
	h.flowRule("rule: flow-lines\nkey: key(body.id, item.sku)\neach: body.lines\nlease: 15m\n")
	event := flowFile(t, flowSetup(func(s *exporters.Setup) { s.Rule, s.Expressible, s.Parts = "flow-events", false, nil }))
	lines := flowFile(t, flowSetup(func(s *exporters.Setup) {
		s.Rule, s.Each = "flow-lines", []string{"body", "lines"}
		s.Parts = []exporters.Part{{Path: []string{"body", "id"}}, {Path: []string{"item", "sku"}}}
	}))
	works := 0
	run := func(flow []byte, id, trigger string) *flowtest.Run {
		r := &flowtest.Run{ID: id, Trigger: []byte(trigger), Send: h.sendFlow(true), Work: func(any) (any, error) { works++; return works, nil }}
		if err := r.Do(flow); err != nil {
			t.Fatal(err)
		}
		return r
	}
	one := `{"headers":{"X-Shop":"a"},"body":{"order":{"b":1,"a":"ż"},"try":1}}`
	if r := run(event, "e1", one); r.Status != "Succeeded" || works != 1 {
		t.Errorf("first event: %s %s, %d works", r.Status, r.Error, works)
	}
	if r := run(event, "e2", strings.Replace(one, `"try":1`, `"try":2`, 1)); r.Status != "Cancelled" || works != 1 {
		t.Errorf("its copy: %s, %d works", r.Status, works)
	}
	h.flowRule("rule: flow-paid\nkey: key(\"shop\", body.id)\nwhen: body.status == \"paid\"\nlease: 15m\n")
	paid := flowFile(t, flowSetup(func(s *exporters.Setup) { s.Rule, s.When = "flow-paid", `body.status == "paid"` }))
	works = 0
	if r := run(paid, "p1", `{"headers":{},"body":{"id":8,"status":"draft"}}`); r.Status != "Cancelled" || works != 0 {
		t.Errorf("an event that the rule ignores: %s, %d works", r.Status, works)
	}
	if r := run(paid, "p2", `{"headers":{},"body":{"id":8,"status":"paid"}}`); r.Status != "Succeeded" || works != 1 {
		t.Errorf("one that it looks at: %s %s, %d works", r.Status, r.Error, works)
	}
	works = 0
	if r := run(lines, "l1", `{"headers":{},"body":{"id":1,"lines":[{"sku":"A"},{"sku":"B"},{"sku":"A"}]}}`); r.Status != "Succeeded" || r.Replied != 200 || works != 2 {
		t.Errorf("lines: %s, answered %d, %d works", r.Status, r.Replied, works)
	}
	if r := run(lines, "l2", `{"headers":{},"body":{"id":1,"lines":[{"sku":"C"},{"sku":"B"}]}}`); r.Status != "Succeeded" || works != 3 {
		t.Errorf("the same order with one more line: %s, %d works", r.Status, works)
	}
}
