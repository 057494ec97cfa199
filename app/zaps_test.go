package main_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"dedupedesk/exporters"
	"dedupedesk/exporters/zapier"
)

const zapRules = `rule: zap-orders
key: key("shop", body.order.id)
lease: 24h
`

// zapSteps are the steps of the checklist for zapRules by their id.
func zapSteps(t *testing.T, address, ask string) map[string]exporters.Step {
	t.Helper()
	c, err := zapier.New().Build(exporters.Setup{
		Rule: "zap-orders", Expressible: true, Lease: 24 * time.Hour, OnExpiry: "ask",
		Parts:   []exporters.Part{{Literal: "shop"}, {Path: []string{"body", "order", "id"}}},
		Details: map[string]string{"computer": "always", "address": address, "ask": ask, "retries": "nobody"},
	})
	if err != nil {
		t.Fatal(err)
	}
	steps := map[string]exporters.Step{}
	for _, s := range c.Steps {
		if s.Blocked != "" {
			t.Fatalf("step %s: %s", s.ID, s.Blocked)
		}
		steps[s.ID] = s
	}
	return steps
}

// A zap is a Zap built by hand from the checklist: what was pasted is sent as it is, and
// what was chosen from a list is looked up in the event.
type zap struct {
	h     *house
	steps map[string]exporters.Step
	owner string
}

var chosen = regexp.MustCompile(`choose "([^"]*)" of the trigger`)

// rows are the rows of Data of the claim. Zapier leaves empty ones out.
func (z zap) rows(event map[string]string) url.Values {
	form := url.Values{"rule": {z.steps["claim-rule"].Value}, z.steps["claim-owner"].Value: {z.owner}, "part.1": {z.steps["claim-part-1"].Value}}
	part := z.steps["claim-part-2"]
	field := chosen.FindStringSubmatch(part.Where)
	if field == nil {
		z.h.t.Errorf("no field in %q", part.Where)
		return form
	}
	if v := event[field[1]]; v != "" {
		form.Set(part.Value, v)
	}
	return form
}

func (z zap) post(step string, form url.Values) answer {
	path := strings.TrimPrefix(z.steps[step].Value, "https://dedupe.example.com")
	if z.steps["claim-password"].Value != "Bearer "+exporters.Placeholder {
		z.h.t.Errorf("header %q", z.steps["claim-password"].Value)
	}
	return z.h.call(http.MethodPost, path, "application/x-www-form-urlencoded", form.Encode())
}

// claim returns whether the run goes on behind the Filter, and its key. A call that is
// not answered with 2xx ends the run as Errored.
func (z zap) claim(event map[string]string) (goesOn bool, key, end string) {
	a := z.post("claim", z.rows(event))
	switch {
	case a.Code/100 != 2:
		return false, "", "Errored"
	case a.text("status") != z.steps["filter"].Value:
		return false, "", "Filtered"
	}
	return true, a.text("key"), ""
}

func (z zap) done(key, result string) string {
	if a := z.post("done", url.Values{"rule": {z.steps["claim-rule"].Value}, "key": {key}, "owner": {z.owner}, "result": {result}}); a.Code/100 != 2 {
		return "Errored"
	}
	return "Successful"
}

// TestPeers71ZapStopsDuplicates: many runs of one event end with one write, a copy ends
// quietly, and a step that fails is replayed behind the reservation.
func TestPeers71ZapStopsDuplicates(t *testing.T) {
	h := newHouse(t)
	h.flowRule(zapRules)
	steps := zapSteps(t, "https://dedupe.example.com", "webhooks")
	event := map[string]string{"order id": " A:7 "}
	var works atomic.Int32
	var all sync.WaitGroup
	ends := make([]string, 12)
	for i := range ends {
		all.Go(func() {
			z := zap{h, steps, fmt.Sprintf("run-%d", i)}
			goesOn, key, end := z.claim(event)
			if goesOn {
				works.Add(1)
				end = z.done(key, "INV-1")
			}
			ends[i] = end
		})
	}
	all.Wait()
	count := map[string]int{}
	for _, end := range ends {
		count[end]++
	}
	if works.Load() != 1 || count["Successful"] != 1 || count["Filtered"] != 11 {
		t.Errorf("%d works, runs %v", works.Load(), count)
	}
	if a := h.post("/v1/claim", map[string]any{"rule": "zap-orders", "event": map[string]any{"order": map[string]any{"id": "A:7"}}, "owner": "x"}); a.text("status") != "done" || a.text("result") != "INV-1" {
		t.Errorf("the rule's own key is another: %s", a.Raw)
	}

	broken := zap{h, steps, "run-broken"}
	goesOn, key, _ := broken.claim(map[string]string{"order id": "B"})
	if again, _, _ := broken.claim(map[string]string{"order id": "B"}); !goesOn || !again {
		t.Error("the claim of a run whose answer was lost is taken for a copy")
	}
	if other, _, end := (zap{h, steps, "run-copy"}).claim(map[string]string{"order id": "B"}); other || end != "Filtered" {
		t.Errorf("a copy works while the failed run waits for its replay: %v %s", other, end)
	}
	if end := broken.done(key, "INV-2"); end != "Successful" {
		t.Errorf("the replayed run: %s", end)
	}
	if goesOn, _, end := (zap{h, steps, "run-empty"}).claim(map[string]string{}); goesOn || end != "Errored" {
		t.Errorf("an empty part: %v %s", goesOn, end)
	}
}

// zapCode is Code by Zapier: it runs one step's Python with its input data.
const zapCode = `
import json, sys
job = json.load(sys.stdin)
names = {}
exec("def step(input_data):\n" + "".join("    " + line + "\n" for line in job["code"].split("\n")), names)
json.dump(names["step"](job["input"]), sys.stdout)
`

func (h *house) runZapCode(t *testing.T, code string, input map[string]string) map[string]string {
	t.Helper()
	in, err := json.Marshal(map[string]any{"code": code, "input": input})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("python3", "-c", zapCode)
	cmd.Stdin = bytes.NewReader(in)
	var said bytes.Buffer
	cmd.Stderr = &said
	text, err := cmd.Output()
	if err != nil {
		return map[string]string{"error": said.String()}
	}
	out := map[string]string{}
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return out
}

// TestGeneratedZapCodeStopsDuplicates runs the Python of the checklist on a real engine.
func TestGeneratedZapCodeStopsDuplicates(t *testing.T) {
	h := newHouse(t)
	h.flowRule(zapRules)
	steps := zapSteps(t, "https://dedupe.example.com", "code")
	turned := strings.NewReplacer("https://dedupe.example.com", h.engine.API, exporters.Placeholder, h.token)
	claim, done := turned.Replace(steps["claim"].Value), turned.Replace(steps["done"].Value)
	release := turned.Replace(steps["release"].Value)
	first := h.runZapCode(t, claim, map[string]string{"owner": "r1", "part2": "7"})
	if first["status"] != "claimed" || first["key"] != "shop:7" {
		t.Fatalf("%v", first)
	}
	if busy := h.runZapCode(t, claim, map[string]string{"owner": "r2", "part2": "7"}); busy["status"] != "in_progress" {
		t.Errorf("%v", busy)
	}
	if end := h.runZapCode(t, done, map[string]string{"status": "claimed", "key": first["key"], "owner": "r1", "result": "INV-7"}); end["status"] != "done" {
		t.Errorf("%v", end)
	}
	if copied := h.runZapCode(t, claim, map[string]string{"owner": "r3", "part2": "7"}); copied["status"] != "done" {
		t.Errorf("%v", copied)
	}
	if got := h.runZapCode(t, claim, map[string]string{"owner": "r6", "part2": "8"}); got["status"] != "claimed" {
		t.Errorf("%v", got)
	}
	if back := h.runZapCode(t, release, map[string]string{"status": "claimed", "key": "shop:8", "owner": "r6"}); back["status"] != "released" {
		t.Errorf("%v", back)
	}
	if got := h.runZapCode(t, claim, map[string]string{"owner": "r7", "part2": "8"}); got["status"] != "claimed" {
		t.Errorf("behind the release: %v", got)
	}
	if hole := h.runZapCode(t, claim, map[string]string{"owner": "r4"}); !strings.Contains(hole["error"], "Refused") {
		t.Errorf("an empty part: %v", hole)
	}
}
