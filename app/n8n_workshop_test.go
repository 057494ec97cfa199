//go:build n8n

package main_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// A workshop does the work of the workflows, and counts it.
type workshop struct {
	*httptest.Server
	mu   sync.Mutex
	done map[string]int // by workflow and event
	fail map[string]int // how often the work of an event still fails
}

func newWorkshop(t *testing.T) *workshop {
	w := &workshop{done: map[string]int{}, fail: map[string]int{}}
	w.Server = httptest.NewServer(http.HandlerFunc(w.work))
	t.Cleanup(w.Close)
	return w
}

// work takes {"event": …, "item": …}, names the work by the ids in it and answers with
// the id of a record.
func (w *workshop) work(rw http.ResponseWriter, r *http.Request) {
	var sent struct{ Event, Item map[string]any }
	if err := json.NewDecoder(r.Body).Decode(&sent); err != nil {
		http.Error(rw, err.Error(), http.StatusBadRequest)
		return
	}
	name := strings.TrimPrefix(r.URL.Path, "/") + " " + fmt.Sprint(sent.Event["id"])
	if sent.Item != nil {
		name += " " + fmt.Sprint(sent.Item["sku"])
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.fail[name] > 0 {
		w.fail[name]--
		http.Error(rw, "the shop is closed", http.StatusBadGateway)
		return
	}
	w.done[name]++
	rw.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(rw).Encode(map[string]string{"id": "record of " + name})
}

func (w *workshop) times(name string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.done[name]
}

func (w *workshop) failNext(name string, times int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.fail[name] = times
}

// byHand has a workflow started by a command instead of a clock.
func byHand(w map[string]any, trigger string) {
	for _, item := range w["nodes"].([]any) {
		if n := item.(map[string]any); n["name"] == trigger {
			n["type"], n["typeVersion"], n["parameters"] = "n8n-nodes-base.manualTrigger", 1, map[string]any{}
		}
	}
}

// giveRows puts in what a trigger that looks for new rows gives: three at once, two of
// them the same.
func giveRows(w map[string]any) {
	const trigger, list, split = "Put your trigger here", "Rows", "Each row"
	w["nodes"] = append(w["nodes"].([]any),
		map[string]any{"id": "r1", "name": list, "type": "n8n-nodes-base.set", "typeVersion": 3.4, "position": []int{0, 200},
			"parameters": map[string]any{"mode": "raw", "jsonOutput": `{"rows": [{"id": "1"}, {"id": "1"}, {"id": "2"}]}`, "options": map[string]any{}}},
		map[string]any{"id": "r2", "name": split, "type": "n8n-nodes-base.splitOut", "typeVersion": 1, "position": []int{0, 400},
			"parameters": map[string]any{"fieldToSplitOut": "rows", "options": map[string]any{}}})
	to := func(name string) any {
		return map[string]any{"main": [][]map[string]any{{{"node": name, "type": "main", "index": 0}}}}
	}
	links := w["connections"].(map[string]any)
	links[trigger], links[list], links[split] = to(list), to(split), to("Event arrives")
}
