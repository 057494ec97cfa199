package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"dedupedesk/app/api"
	"dedupedesk/app/describe"
	"dedupedesk/app/guard"
	"dedupedesk/ledger"
	"dedupedesk/ledger/ledgertest"
	"dedupedesk/ledger/sqlite"
)

// A told is one example to come: a call, and its name and title in the description.
type told struct {
	name, title string
	wait        time.Duration // passes before it
	call
}

// story is the calls whose answers are the examples, one after the other.
var story = []told{
	{name: "orders", title: "A rule for orders that are paid", call: call{method: http.MethodPut, path: "/v1/rules/orders", as: "admin", body: `{"rule":"orders","title":"Paid orders","key":"key(\"shop\", body.id)","when":"body.status == \"paid\"","on_expiry":"ask"}`}},
	{name: "lines", title: "A rule that makes a key for each line", call: call{method: http.MethodPut, path: "/v1/rules/lines", as: "admin", body: `{"rule":"lines","key":"key(\"line\", body.id, item.sku)","each":"body.lines"}`}},
	{name: "faulty", title: "A formula with a fault", call: call{method: http.MethodPut, path: "/v1/rules/refunds", as: "admin", body: `{"rule":"refunds","key":"key(body.id"}`}},
	{name: "claimed", title: "The first to ask gets it", call: call{path: "/v1/claim", body: `{"key":"stripe:evt_1","owner":"run-1"}`}},
	{name: "repeated", title: "The same run asks again after a lost answer", wait: time.Second, call: call{path: "/v1/claim", body: `{"key":"stripe:evt_1","owner":"run-1"}`}},
	{name: "in_progress", title: "A copy comes meanwhile", wait: time.Second, call: call{path: "/v1/claim", body: `{"key":"stripe:evt_1","owner":"run-2"}`}},
	{name: "in_progress_wait", title: "A copy comes, under the profile wait", call: call{path: "/v1/claim", body: `{"key":"stripe:evt_1","owner":"run-3","answer":"wait"}`}},
	{name: "in_progress_strict", title: "A copy comes, under the profile strict", call: call{path: "/v1/claim", body: `{"key":"stripe:evt_1","owner":"run-4","answer":"strict"}`}},
	{name: "renewed", title: "The work takes longer", wait: time.Minute, call: call{path: "/v1/renew", body: `{"key":"stripe:evt_1","owner":"run-1","lease":"30m"}`}},
	{name: "stale", title: "Somebody reports who does not hold it", call: call{path: "/v1/done", body: `{"key":"stripe:evt_1","owner":"run-2"}`}},
	{name: "finished", title: "The work is done", wait: time.Minute, call: call{path: "/v1/done", body: `{"key":"stripe:evt_1","owner":"run-1","result":{"invoice":"in_7"}}`}},
	{name: "already", title: "The same is said again", call: call{path: "/v1/done", kind: form, body: `key=stripe:evt_1&owner=run-1`}},
	{name: "done", title: "A copy comes after the work", wait: time.Second, call: call{path: "/v1/claim", body: `{"key":"stripe:evt_1","owner":"run-5"}`}},
	{name: "form", title: "As a form, the key made of parts", call: call{path: "/v1/claim", kind: form, body: `part=order&part=1042&owner=run-6&fingerprint=19.90`}},
	{name: "mismatch", title: "The same key with other contents", call: call{path: "/v1/claim", body: `{"key":"order:1042","owner":"run-7","fingerprint":"29.90","answer":"strict"}`}},
	{name: "claimed_strict", title: "The first to ask, under the profile strict", call: call{path: "/v1/claim?answer=strict", body: `{"key":"mail:88","owner":"run-8"}`}},
	{name: "blank", title: "The step before gave no value", call: call{path: "/v1/claim", body: `{"key":" ","owner":"run-9"}`}},
	{name: "given_back", title: "The work failed", call: call{path: "/v1/release", body: `{"key":"mail:88","owner":"run-8","error":"the mail server did not answer","retry_after":"90s"}`}},
	{name: "not_due", title: "Nobody may take it before the wait is over", call: call{path: "/v1/claim", body: `{"key":"mail:88","owner":"run-10"}`}},
	{name: "event", title: "The event itself", call: call{path: "/v1/rules/orders/claim?owner=run-11", body: `{"id":1042,"status":"paid","total":19.90}`}},
	{name: "ignored", title: "An event that the rule does not want", call: call{path: "/v1/rules/orders/claim?owner=run-12", body: `{"id":1043,"status":"draft"}`}},
	{name: "each", title: "One key for each line", call: call{path: "/v1/rules/lines/claim?owner=run-13", body: `{"id":1042,"lines":[{"sku":"A"},{"sku":"B"},{"sku":""}]}`}},
	{name: "held", title: "The run before never reported, and the rule asks a person", wait: time.Hour, call: call{path: "/v1/rules/orders/claim?owner=run-14", body: `{"id":1042,"status":"paid","total":19.90}`}},
	{name: "several", title: "Three claims, one of them wrong", call: call{path: "/v1/batch", body: `{"op":"claim","items":[{"key":"row:1","owner":"run-15"},{"key":"row:1","owner":"run-15"},{"key":""}]}`}},
	{name: "several_done", title: "Reported together", call: call{path: "/v1/batch", body: `{"op":"done","items":[{"key":"row:1","owner":"run-15"},{"key":"row:2","owner":"run-15"}]}`}},
	{name: "caught", title: "An editor waits for an event", call: call{path: "/v1/catch", body: `{"id":1042,"status":"paid","total":19.90}`}},
	{name: "page", title: "Keys that begin so", call: call{method: http.MethodGet, path: "/v1/keys?prefix=stripe:&limit=10", as: "admin"}},
	{name: "life", title: "A key with its history", call: call{method: http.MethodGet, path: "/v1/keys/one?key=stripe:evt_1", as: "admin"}},
	{name: "nobody", title: "A key that nobody asked for", call: call{method: http.MethodGet, path: "/v1/keys/one?key=nope", as: "admin"}},
	{name: "rule", title: "A rule with its file", call: call{method: http.MethodGet, path: "/v1/rules/orders", as: "admin"}},
	{name: "archived", title: "A rule ends", call: call{method: http.MethodDelete, path: "/v1/rules/lines", as: "admin"}},
	{name: "alive", title: "It answers", call: call{method: http.MethodGet, path: "/healthz", as: "none"}},
	{name: "ready", title: "It protects", call: call{method: http.MethodGet, path: "/readyz", as: "none"}},
}

// storyHouse returns the house in which the story is told: its tokens are the same each
// time.
func storyHouse(t *testing.T) *house {
	t.Helper()
	store, err := sqlite.Open(filepath.Join(t.TempDir(), "ledger.db"))
	if err != nil {
		t.Fatal(err)
	}
	h := &house{t: t, clock: ledgertest.NewClockAt(noon)}
	h.ledger = ledger.New(store, h.clock, rand.NewChaCha8([32]byte{}))
	t.Cleanup(func() {
		if err := h.ledger.Close(); err != nil {
			t.Errorf("close the key file: %v", err)
		}
	})
	h.claim, h.admin = h.password("flow", ledger.ScopeClaim), h.password("operator", ledger.ScopeAdmin)
	h.serve()
	return h
}

// TestExamplesAreReal tells the story again and wants the same answers, byte by byte.
func TestExamplesAreReal(t *testing.T) {
	h := storyHouse(t)
	tb, err := described()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][]describe.Example{}
	for _, s := range story {
		h.clock.Step(s.wait)
		c := s.call
		if c.method == "" {
			c.method = http.MethodPost
		}
		if c.as == "admin" {
			c.as = h.admin
		}
		a := h.send(c)
		if c.kind == "" && c.body != "" {
			c.kind = "application/json"
		}
		route := tb.routeOf(c.method, c.path)
		got[route] = append(got[route], describe.Example{Name: s.name, Title: s.title, Path: c.path, Kind: c.kind, Body: c.body, Status: a.code, Answer: string(bytes.TrimSpace([]byte(a.raw)))})
	}
	if *update {
		var b bytes.Buffer
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		if err := enc.Encode(got); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("examples.json", b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	for _, rt := range api.Routes(nil, nil, nil, nil) {
		was := rt.Operation.Examples
		if len(was) == 0 && rt.Operation.ID != "ListRules" { // whose default rule tells the machine's time
			t.Errorf("%s has no example", rt.Pattern)
		}
		if len(was) != len(got[rt.Pattern]) {
			t.Errorf("%s has %d examples, the story tells %d; run with -update", rt.Pattern, len(was), len(got[rt.Pattern]))
			continue
		}
		for i, e := range got[rt.Pattern] {
			if e != was[i] {
				t.Errorf("%s: the story tells\n%+v, the example\n%+v; run with -update", rt.Pattern, e, was[i])
			}
		}
	}
}

// TestExamplesWorkAsCopied tells the story by the very commands that the page shows,
// in a real shell, and wants the same answers.
func TestExamplesWorkAsCopied(t *testing.T) {
	h := storyHouse(t)
	tb, err := described()
	if err != nil {
		t.Fatal(err)
	}
	routes := map[string]guard.Route{}
	for _, rt := range api.Routes(nil, nil, nil, nil) {
		routes[rt.Pattern] = rt
	}
	for _, s := range story {
		h.clock.Step(s.wait)
		method := s.method
		if method == "" {
			method = http.MethodPost
		}
		rt := routes[tb.routeOf(method, s.path)]
		for _, e := range rt.Operation.Examples {
			if e.Name != s.name {
				continue
			}
			cmd := exec.CommandContext(t.Context(), "sh", "-c", e.Curl(h.url, method, rt.Access != guard.Open)+` -w '\n%{http_code}'`)
			cmd.Env = append(os.Environ(), "DEDUPE_PASSWORD="+h.claim)
			if s.as == "admin" {
				cmd.Env = append(os.Environ(), "DEDUPE_PASSWORD="+h.admin)
			}
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("%s: %v (build/test installs curl)", cmd.Args[2], err)
			}
			if want := fmt.Sprintf("%s\n\n%d", e.Answer, e.Status); string(out) != want {
				t.Errorf("%s\nanswers %s\nwant %s", cmd.Args[2], out, want)
			}
		}
	}
}
