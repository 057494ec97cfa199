//go:build n8n

package main_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// An exportedWorkflow is one that `dedupe export n8n` wrote and a person finished.
type exportedWorkflow struct{ id, hook string }

// exported exports the rule and does to the file what its checklist asks for: choose the
// credential, and put the work in.
func exported(t *testing.T, h *house, shop *workshop, id, rule string, set ...string) (map[string]any, exportedWorkflow) {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "rule.yaml")
	if err := os.WriteFile(file, []byte(rule), 0o600); err != nil {
		t.Fatal(err)
	}
	h.must("rule", "import", file)
	name, _, _ := strings.Cut(strings.TrimPrefix(rule, "rule: "), "\n")
	args := []string{"export", "n8n", "--rule", name, "--out", dir}
	if !slices.ContainsFunc(set, func(s string) bool { return strings.HasPrefix(s, "address=") }) {
		args = append(args, "--set", "address="+h.engine.API)
	}
	for _, s := range set {
		args = append(args, "--set", s)
	}
	h.must(args...)
	data, err := os.ReadFile(filepath.Join(dir, "n8n-"+name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var w map[string]any
	if err := json.Unmarshal(data, &w); err != nil {
		t.Fatal(err)
	}
	w["id"] = id // so that the test may name it
	made := exportedWorkflow{id: id}
	for _, item := range w["nodes"].([]any) {
		n := item.(map[string]any)
		parameters := n["parameters"].(map[string]any)
		if n["name"] == "Your work" {
			parameters["url"] = shop.URL + "/" + name
		}
		if parameters["genericAuthType"] == "httpHeaderAuth" {
			n["credentials"] = map[string]any{"httpHeaderAuth": map[string]string{"id": "dedupecredential", "name": "Dedupe Desk"}}
		}
		if n["type"] == "n8n-nodes-base.webhook" {
			made.hook = "/webhook/" + parameters["path"].(string)
		}
	}
	return w, made
}

// TestN8NExported imports what `dedupe export n8n` writes into a real n8n and drives it
// with copies side by side, work that fails and a ledger that is gone.
func TestN8NExported(t *testing.T) {
	program := n8nProgram(t)
	h := prepareHouse(t, "")
	h.api = "127.0.0.1:" + freePort(t)
	h.start()
	t.Cleanup(h.stop)
	h.token = strings.TrimSpace(h.must("token", "new", "tests"))
	h.admin = strings.TrimSpace(h.must("token", "new", "operator", "--scope", "admin"))
	shop := newWorkshop(t)
	var files []map[string]any
	add := func(id, rule string, set ...string) exportedWorkflow {
		w, made := exported(t, h, shop, id, rule, set...)
		files = append(files, w)
		return made
	}
	orders := add("orders0000000001", "rule: orders\nkey: key(\"it's \\\"so\\\" \\\\ }} 😀\", body.id, header(\"X-Shop\"))\n", "retries=sender")
	once := add("once000000000001", "rule: once\nkey: key(body.id)\n", "retries=nobody", "reply=at_once")
	lines := add("lines00000000001", "rule: lines\nkey: key(body.id, lower(item.sku))\neach: body.lines\n", "retries=sender")
	resumed := add("resumed000000001", "rule: resumed\nkey: key(body.id)\nlease: 8h\non_expiry: ask\n", "retries=platform")
	rather := add("rather0000000001", "rule: rather\nkey: key(body.id)\nif_unreachable: go_on\n", "retries=sender")
	daily := add("daily00000000001", "rule: daily\nkey: key(\"daily\", body.run.slot)\n", "trigger=schedule", "every=days", "retries=nobody")
	rows := add("rows000000000001", "rule: rows\nkey: key(body.id)\n", "trigger=other", "retries=nobody")
	byHand(files[len(files)-2], "On schedule")
	giveRows(files[len(files)-1])
	beyond := add("beyond0000000001", "rule: beyond\nkey: key(body.id + \"/\" + header(\"X-Shop\"))\nwhen: body.kind == \"order\"\n", "retries=sender")

	somebody := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprint(w, map[bool]string{true: `[]`, false: `{"status":200}`}[strings.HasPrefix(r.URL.Path, "/empty")])
	}))
	t.Cleanup(somebody.Close)
	empty := add("empty00000000001", "rule: empty\nkey: key(body.id)\n", "retries=sender", "address="+somebody.URL+"/empty")
	number := add("number0000000001", "rule: number\nkey: key(body.id)\nif_unreachable: go_on\n", "retries=sender", "address="+somebody.URL)

	n := newN8N(t, program)
	credential, err := json.Marshal([]any{map[string]any{"id": "dedupecredential", "name": "Dedupe Desk", "type": "httpHeaderAuth", "data": map[string]string{"name": "X-Api-Key", "value": h.token}}})
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(files)
	if err != nil {
		t.Fatal(err)
	}
	n.must("import:credentials", "--input="+n.file("credentials.json", credential))
	n.must("import:workflow", "--input="+n.file("workflows.json", data))
	d := &n8nDrive{t: t, h: h, n: n, shop: shop}
	t.Run("a schedule", func(t *testing.T) { d.scheduled(t, daily) })
	t.Run("several items at once", func(t *testing.T) { d.rows(t, rows) })
	for _, w := range []exportedWorkflow{orders, once, lines, resumed, rather, beyond, empty, number} {
		n.must("publish:workflow", "--id="+w.id)
	}
	n.start(orders.hook, once.hook, lines.hook, resumed.hook, rather.hook, beyond.hook, empty.hook, number.hook)
	t.Run("copies side by side", func(t *testing.T) { d.copies(t, orders) })
	t.Run("answered at once", func(t *testing.T) { d.atOnce(t, once) })
	t.Run("work that fails", func(t *testing.T) { d.fails(t, orders) })
	t.Run("no key", func(t *testing.T) { d.noKey(t, orders, rather) })
	t.Run("beyond parts", func(t *testing.T) { d.beyond(t, beyond) })
	t.Run("lines", func(t *testing.T) { d.lines(t, lines) })
	t.Run("started again by a person", func(t *testing.T) { d.resumed(t, resumed) })
	t.Run("somebody else answers", func(t *testing.T) { d.strange(t, empty, number) })
	t.Run("the ledger is gone", func(t *testing.T) { d.gone(t, orders, rather) })
}

// scheduled: two starts within one planned time are one event.
func (d *n8nDrive) scheduled(t *testing.T, w exportedWorkflow) {
	d.n.must("execute", "--id="+w.id)
	d.n.must("execute", "--id="+w.id)
	if n := d.h.keys("daily"); n != 1 {
		t.Errorf("%d keys, want 1, unless midnight came in between", n)
	}
	if state, _ := d.key(t, "daily", "daily:"); state != "done" {
		t.Errorf("the key is %s", state)
	}
	d.wantWork(t, "daily <nil>", 1)
}

func (d *n8nDrive) rows(t *testing.T, w exportedWorkflow) {
	d.n.must("execute", "--id="+w.id)
	d.wantWork(t, "rows 1", 1)
	d.wantWork(t, "rows 2", 1)
	if state, result := d.key(t, "rows", "2"); state != "done" || result != "record of rows 2" {
		t.Errorf("2 is %s with %q", state, result)
	}
}

type n8nDrive struct {
	t    *testing.T
	h    *house
	n    *n8n
	shop *workshop
}

type orderEvent struct {
	ID    string           `json:"id"`
	Kind  string           `json:"kind,omitempty"`
	Lines []map[string]any `json:"lines,omitempty"`
}

// want sends an event and wants its answer.
func (d *n8nDrive) want(t *testing.T, w exportedWorkflow, e orderEvent, code int) {
	t.Helper()
	got, told := d.n.post(w.hook, e, "X-Shop", "eu")
	if got != code {
		t.Errorf("event %s was answered %d %s, want %d", e.ID, got, told, code)
	}
}

func (d *n8nDrive) wantWork(t *testing.T, name string, times int) {
	t.Helper()
	if got := d.shop.times(name); got != times {
		t.Errorf("the work %s was done %d times, want %d", name, got, times)
	}
}

// key returns the state and result of a key.
func (d *n8nDrive) key(t *testing.T, rule, key string) (state, result string) {
	t.Helper()
	req, err := http.NewRequest(http.MethodGet, d.h.engine.API+"/v1/keys?rule="+rule+"&limit=200", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("X-Api-Key", d.h.admin)
	list, _ := d.h.send(req).Body["keys"].([]any)
	for _, item := range list {
		if k := item.(map[string]any); strings.HasPrefix(k["key"].(string), key) {
			result, _ := k["result"].(string)
			return k["state"].(string), result
		}
	}
	return "none", ""
}

// copies: 100 events four times each, 16 calls at a time.
func (d *n8nDrive) copies(t *testing.T, w exportedWorkflow) {
	const events, copies, callers = 100, 4, 16
	calls := make(chan string)
	var wait sync.WaitGroup
	var mu sync.Mutex
	codes := map[int]int{}
	for range callers {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for id := range calls {
				code, told := d.n.post(w.hook, orderEvent{ID: id}, "X-Shop", "eu")
				mu.Lock()
				codes[code]++
				mu.Unlock()
				if code != http.StatusOK && code != http.StatusInternalServerError {
					t.Errorf("event %s: %d %s", id, code, told)
				}
			}
		}()
	}
	for i := range events * copies {
		calls <- fmt.Sprintf("c%d", i/copies)
	}
	close(calls)
	wait.Wait()
	t.Logf("%d events %d times, %d side by side: answers by status code %v", events, copies, callers, codes)
	for i := range events {
		d.wantWork(t, fmt.Sprintf("orders c%d", i), 1)
	}
	if n := d.h.keys("orders"); n != events {
		t.Errorf("%d keys, want %d", n, events)
	}
	key := "it's \"so\" \\ }} 😀:c0:eu"
	if state, result := d.key(t, "orders", key); state != "done" || result != "record of orders c0" {
		t.Errorf("%s is %s with %q", key, state, result)
	}
}

func (d *n8nDrive) atOnce(t *testing.T, w exportedWorkflow) {
	for range 3 {
		d.want(t, w, orderEvent{ID: "a1"}, http.StatusOK)
	}
	d.until(t, "a1 is finished", func() bool { state, _ := d.key(t, "once", "a1"); return state == "done" })
	d.shop.failNext("once a2", 1)
	d.want(t, w, orderEvent{ID: "a2"}, http.StatusOK)
	d.until(t, "a2 was given back", func() bool { state, _ := d.key(t, "once", "a2"); return state == "retryable" })
	d.wantWork(t, "once a1", 1)
	d.wantWork(t, "once a2", 0)
	d.n.logIn()
	d.retry(t, w)
	d.until(t, "a2 is finished", func() bool { state, _ := d.key(t, "once", "a2"); return state == "done" })
	d.retry(t, w) // nothing is done twice
	d.wantWork(t, "once a2", 1)
}

// retry starts the failed run again, as a person does.
func (d *n8nDrive) retry(t *testing.T, w exportedWorkflow) {
	t.Helper()
	failed := d.n.failed(w.id)
	if len(failed) == 0 {
		t.Fatal("no execution failed")
	}
	if code, told := d.n.post("/rest/executions/"+failed[0]+"/retry", map[string]bool{"loadWorkflow": true}); code != http.StatusOK {
		t.Fatalf("started again: %d %s", code, told)
	}
}

func (d *n8nDrive) until(t *testing.T, what string, true func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		if true() {
			return
		}
	}
	t.Errorf("it did not come to: %s", what)
}

func (d *n8nDrive) fails(t *testing.T, w exportedWorkflow) {
	d.shop.failNext("orders f1", 1)
	d.want(t, w, orderEvent{ID: "f1"}, http.StatusInternalServerError)
	d.until(t, "f1 was given back", func() bool {
		state, _ := d.key(t, "orders", "it's \"so\" \\ }} 😀:f1")
		return state == "retryable"
	})
	d.want(t, w, orderEvent{ID: "f1"}, http.StatusOK)
	d.want(t, w, orderEvent{ID: "f1"}, http.StatusOK)
	d.wantWork(t, "orders f1", 1)
}

// noKey: an event without a key is refused, whatever the rule says of a ledger out of
// reach.
func (d *n8nDrive) noKey(t *testing.T, all ...exportedWorkflow) {
	for _, w := range all {
		d.want(t, w, orderEvent{ID: " "}, http.StatusInternalServerError)
	}
	d.wantWork(t, "orders  ", 0)
	d.wantWork(t, "rather  ", 0)
}

func (d *n8nDrive) beyond(t *testing.T, w exportedWorkflow) {
	d.want(t, w, orderEvent{ID: "b1", Kind: "order"}, http.StatusOK)
	d.want(t, w, orderEvent{ID: "b1", Kind: "order"}, http.StatusOK)
	d.want(t, w, orderEvent{ID: "b2", Kind: "offer"}, http.StatusOK) // the rule ignores it
	d.wantWork(t, "beyond b1", 1)
	d.wantWork(t, "beyond b2", 0)
	if state, _ := d.key(t, "beyond", "b1/eu"); state != "done" {
		t.Errorf("b1/eu is %s", state)
	}
}

func (d *n8nDrive) lines(t *testing.T, w exportedWorkflow) {
	line := func(sku string) map[string]any { return map[string]any{"sku": sku} }
	order := orderEvent{ID: "l1", Lines: []map[string]any{line("A"), line("B"), line("a"), line("C")}}
	d.shop.failNext("lines l1 B", 1)
	d.want(t, w, order, http.StatusInternalServerError)
	d.wantWork(t, "lines l1 A", 1)
	d.wantWork(t, "lines l1 B", 0)
	d.wantWork(t, "lines l1 C", 1)
	d.retry(t, w)
	d.until(t, "B is finished", func() bool { state, _ := d.key(t, "lines", "l1:b"); return state == "done" })
	d.want(t, w, order, http.StatusOK)
	d.want(t, w, order, http.StatusOK)
	for sku, times := range map[string]int{"A": 1, "a": 0, "B": 1, "C": 1} {
		d.wantWork(t, "lines l1 "+sku, times)
	}
	d.want(t, w, orderEvent{ID: "l2"}, http.StatusInternalServerError) // there is no list
	if code, told := d.n.post(w.hook, map[string]any{"id": "l3", "lines": []any{}}); code != http.StatusInternalServerError {
		t.Errorf("an empty list: %d %s", code, told)
	}
	d.want(t, w, orderEvent{ID: "l4", Lines: []map[string]any{line("A"), line("")}}, http.StatusInternalServerError)
	d.wantWork(t, "lines l4 A", 1)
}

// resumed: the failed run keeps its key; a person starts it again, and it reports under
// its old owner.
func (d *n8nDrive) resumed(t *testing.T, w exportedWorkflow) {
	d.shop.failNext("resumed r1", 5) // as often as n8n tries
	d.want(t, w, orderEvent{ID: "r1"}, http.StatusInternalServerError)
	if state, _ := d.key(t, "resumed", "r1"); state != "claimed" {
		t.Errorf("after the failure the key is %s, want claimed", state)
	}
	d.want(t, w, orderEvent{ID: "r1"}, http.StatusOK)
	d.wantWork(t, "resumed r1", 0)
	d.retry(t, w)
	d.until(t, "r1 is finished", func() bool { state, _ := d.key(t, "resumed", "r1"); return state == "done" })
	d.wantWork(t, "resumed r1", 1)
}

// strange: what somebody else answers is no answer, an empty list and a number included.
func (d *n8nDrive) strange(t *testing.T, empty, number exportedWorkflow) {
	d.want(t, empty, orderEvent{ID: "s1"}, http.StatusInternalServerError)
	d.wantWork(t, "empty s1", 0)
	d.want(t, number, orderEvent{ID: "s1"}, http.StatusOK)
	d.wantWork(t, "number s1", 1)
}

// gone: without the ledger nothing is done, but where the rule rather runs twice.
func (d *n8nDrive) gone(t *testing.T, stops, rather exportedWorkflow) {
	d.h.stop()
	d.want(t, stops, orderEvent{ID: "g1"}, http.StatusInternalServerError)
	d.want(t, rather, orderEvent{ID: "g1"}, http.StatusOK)
	d.wantWork(t, "orders g1", 0)
	d.wantWork(t, "rather g1", 1)
	d.h.start()
	d.retry(t, stops) // it asks anew
	d.until(t, "g1 is done", func() bool { return d.shop.times("orders g1") == 1 })
	d.want(t, stops, orderEvent{ID: "g1"}, http.StatusOK)
	d.wantWork(t, "orders g1", 1)
	d.want(t, rather, orderEvent{ID: "g2"}, http.StatusOK)
	d.want(t, rather, orderEvent{ID: "g2"}, http.StatusOK)
	d.wantWork(t, "rather g2", 1)
}
