//go:build n8n

// The tag n8n adds the test by the n8n whose bin/n8n DEDUPE_N8N names; build/long installs
// one and sets it.

package main_test

import (
	"bytes"
	"encoding/json"
	"testing"
)

// TestN8N: a workflow of n8n's own nodes goes through the scenario. Its If nodes compare
// the text field status, as people would: claimed goes on to the work, a copy does not.
func TestN8N(t *testing.T) {
	program := n8nProgram(t)
	h := newHouse(t)
	h.importStripe()
	w := newWorkflow()
	w.call(h, "claim", h.token, "/v1/claim", "key", "n8n:1", "owner", "run-1")
	w.branch("is-mine", 0)
	w.call(h, "copy", h.token, "/v1/claim", "key", "n8n:1", "owner", "run-2")
	w.branch("is-no-copy", 1)
	w.call(h, "done", h.token, "/v1/done", "key", "n8n:1", "owner", "run-1", "result", `{"id": 7}`)
	w.call(h, "late-copy", h.token, "/v1/claim", "key", "n8n:1", "owner", "run-2")
	w.call(h, "claim-2", h.token, "/v1/claim", "key", "n8n:2", "owner", "run-1")
	w.call(h, "release", h.token, "/v1/release", "key", "n8n:2", "owner", "run-1", "error", "Postfach überfüllt")
	w.call(h, "next-try", h.token, "/v1/claim", "key", "n8n:2", "owner", "run-2")
	w.call(h, "no-key", h.token, "/v1/rules/stripe-events/claim")
	w.call(h, "wrong-password", "dd_wrong", "/v1/claim", "key", "n8n:3")

	answers := w.run(t, program)
	for _, s := range scenario("n8n") {
		a, ok := answers[s.name]
		if !ok {
			t.Errorf("the step %s was not done", s.name)
			continue
		}
		s.check(t, s.name, a.StatusCode, a.Body)
	}
	h.checkScenario(t, "n8n")
}

// A workflow is a chain of n8n's nodes in its own format.
type workflow struct {
	nodes []map[string]any
	links map[string]any
	last  string // node
	exit  int    // of the last node
}

func newWorkflow() *workflow {
	w := &workflow{links: map[string]any{}}
	w.add("start", "n8n-nodes-base.manualTrigger", 1, map[string]any{})
	return w
}

func (w *workflow) add(name, kind string, version float64, parameters map[string]any) {
	w.nodes = append(w.nodes, map[string]any{
		"id": name, "name": name, "type": kind, "typeVersion": version,
		"position": []int{200 * len(w.nodes), 0}, "parameters": parameters,
	})
	if w.last != "" {
		exits := make([][]map[string]any, w.exit+1)
		for i := range exits {
			exits[i] = []map[string]any{}
		}
		exits[w.exit] = []map[string]any{{"node": name, "type": "main", "index": 0}}
		w.links[w.last] = map[string]any{"main": exits}
	}
	w.last, w.exit = name, 0
}

// call adds an HTTP Request node that sends pairs as a form, or without pairs an event
// that has no key.
func (w *workflow) call(h *house, name, password, path string, pairs ...string) {
	type pair struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	parameters := map[string]any{
		"method": "POST", "url": h.engine.API + path,
		"sendHeaders": true, "headerParameters": map[string]any{"parameters": []pair{{"X-Api-Key", password}}},
		"sendBody": true,
		"options": map[string]any{"response": map[string]any{"response": map[string]any{
			"fullResponse": true, "neverError": true, "responseFormat": "json",
		}}},
	}
	if len(pairs) == 0 {
		parameters["specifyBody"], parameters["jsonBody"] = "json", `{"object": "event", "id": null}`
	} else {
		var form []pair
		for i := 0; i+1 < len(pairs); i += 2 {
			form = append(form, pair{pairs[i], pairs[i+1]})
		}
		parameters["contentType"], parameters["bodyParameters"] = "form-urlencoded", map[string]any{"parameters": form}
	}
	w.add(name, "n8n-nodes-base.httpRequest", 4.2, parameters)
}

// branch adds an If node on status; the chain goes on at its exit: 0 where that is
// claimed, 1 where it is not.
func (w *workflow) branch(name string, exit int) {
	w.add(name, "n8n-nodes-base.if", 2.2, map[string]any{"options": map[string]any{}, "conditions": map[string]any{
		"options":    map[string]any{"caseSensitive": true, "leftValue": "", "typeValidation": "strict", "version": 2},
		"combinator": "and",
		"conditions": []map[string]any{{
			"id": name, "leftValue": "={{ $json.body.status }}", "rightValue": "claimed",
			"operator": map[string]any{"type": "string", "operation": "equals"},
		}},
	}})
	w.exit = exit
}

// An n8nAnswer is what an HTTP Request node puts out.
type n8nAnswer struct {
	StatusCode int            `json:"statusCode"`
	Body       map[string]any `json:"body"`
}

// run imports the workflow into a new n8n, executes it and returns each node's output.
func (w *workflow) run(t *testing.T, program string) map[string]n8nAnswer {
	t.Helper()
	const id = "dedupescenario01"
	data, err := json.Marshal(map[string]any{
		"id": id, "name": "dedupe", "nodes": w.nodes, "connections": w.links, "active": false,
		"settings": map[string]any{"executionOrder": "v1"},
	})
	if err != nil {
		t.Fatal(err)
	}
	n := newN8N(t, program)
	n.must("import:workflow", "--input="+n.file("workflow.json", data))
	out := n.must("execute", "--id="+id, "--rawOutput")
	return outputs(t, out[max(bytes.Index(out, []byte("{\n")), 0):])
}

// outputs reads the first output of each node that put one out.
func outputs(t *testing.T, raw []byte) map[string]n8nAnswer {
	t.Helper()
	type item struct {
		JSON n8nAnswer `json:"json"`
	}
	var told struct {
		Data struct {
			ResultData struct {
				RunData map[string][]struct {
					Data struct {
						Main [][]item `json:"main"`
					} `json:"data"`
				} `json:"runData"`
			} `json:"resultData"`
		} `json:"data"`
		Status string `json:"status"`
	}
	if err := json.NewDecoder(bytes.NewReader(raw)).Decode(&told); err != nil {
		t.Fatalf("%v in %s", err, raw)
	}
	if told.Status != "success" {
		t.Errorf("the workflow ended with %q", told.Status)
	}
	answers := map[string]n8nAnswer{}
	for name, runs := range told.Data.ResultData.RunData {
		for _, exit := range runs[0].Data.Main {
			for _, i := range exit {
				answers[name] = i.JSON
			}
		}
	}
	return answers
}
