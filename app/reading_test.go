package main_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dedupedesk/app/guard"
	"dedupedesk/ledger"
)

// TestNothingIsChangedByAGET: every address of both listeners, those that change things
// by POST too, is asked by GET and HEAD with everything that a change would need. A
// link, a picture's address or a preview can send such a request without being asked.
func TestNothingIsChangedByAGET(t *testing.T) { eachBackend(t, nothingIsChangedByAGET) }

func nothingIsChangedByAGET(t *testing.T, h *house) {
	h.importRules("stripe.yaml")
	for _, key := range []string{"k", "finished"} {
		h.post("/v1/claim", map[string]any{"key": key, "owner": "o"})
	}
	h.post("/v1/done", map[string]any{"key": "finished", "owner": "o"})
	before := h.allKept()
	everything := url.Values{
		"rule": {"default"}, "key": {"k"}, "owner": {"o"}, "op": {"claim"}, "items": {`[{"key":"x"}]`}, "decision": {"finished"}, "why": {"a link said so"},
		"fence": {"1"}, "state": {"claimed"}, "act": {"new"}, "name": {"by a link"}, "role": {"change"}, "what": {"clock"}, "tool": {"make"},
		"step": {"1"}, "done": {"on"}, "title": {"x"}, "sender": {"stripe"}, "draft": {"1"}, "sample": {"{}"}, "code": {"x"}, "older": {"1"},
	}.Encode()
	asked := 0
	for base, routes := range map[string]string{h.engine.API: "api/testdata/routes.txt", h.engine.Admin: "admin/testdata/routes.txt"} {
		for _, address := range addresses(t, routes) {
			for _, method := range []string{http.MethodGet, http.MethodHead} {
				req, err := http.NewRequest(method, base+address+"?"+everything, nil)
				if err != nil {
					t.Fatal(err)
				}
				req.Header.Set("Authorization", "Bearer "+h.admin)
				req.Header.Set(guard.WindowHeader, h.engine.Secret)
				req.Header.Set("Idempotency-Key", "k")
				resp, err := http.DefaultTransport.RoundTrip(req)
				if err != nil {
					t.Fatal(err)
				}
				_ = resp.Body.Close()
				if asked++; resp.StatusCode >= http.StatusInternalServerError {
					t.Errorf("%s %s: %d", method, address, resp.StatusCode)
				}
				if cookie := resp.Header.Get("Set-Cookie"); cookie != "" {
					t.Errorf("%s %s opens a session: %s", method, address, cookie)
				}
			}
		}
	}
	if asked < 80 {
		t.Errorf("only %d requests were sent", asked)
	}
	if diff := cmp.Diff(before, h.allKept()); diff != "" {
		t.Errorf("reading changed what is kept (-before +after):\n%s", diff)
	}
	if a := h.post("/v1/claim", map[string]any{"key": "new"}); a.text("status") != "claimed" {
		t.Errorf("the engine does not go on: %d %s", a.Code, a.Raw)
	}
}

// addresses returns the addresses of a golden list of routes, each once.
func addresses(t *testing.T, path string) []string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	seen := map[string]bool{}
	for line := range strings.Lines(string(data)) {
		for _, field := range strings.Fields(line) {
			if strings.HasPrefix(field, "/") {
				at := strings.NewReplacer("{rule}", "stripe-events", "{file}", "app.css", "{$}", "").Replace(field)
				if !seen[at] {
					all = append(all, at)
				}
				seen[at] = true
			}
		}
	}
	if len(all) < 10 {
		t.Fatalf("%s lists %v", path, all)
	}
	return all
}

// ownMarks begin the settings that an engine writes by itself as time goes by.
var ownMarks = []string{"clock.", "calls/last", "ledger."}

// allKept returns everything that a house keeps, but for the times that tell when it
// was last used.
func (h *house) allKept() map[string]string {
	h.t.Helper()
	store, err := h.open()
	if err != nil {
		h.t.Fatal(err)
	}
	defer func() {
		if err := store.Close(); err != nil {
			h.t.Error(err)
		}
	}()
	all := map[string]string{}
	keep := func(name string, v any) {
		data, err := json.Marshal(v)
		if err != nil {
			h.t.Fatal(err)
		}
		all[name] = string(data)
	}
	rows := allRows(h.t, store)
	ctx := h.t.Context()
	err = store.Read(ctx, func(r ledger.Reader) error {
		for name, row := range rows {
			keep("row "+name, row)
			events, err := r.Events(ctx, row.RuleID, row.Key)
			if err != nil {
				return err
			}
			keep("events "+name, events)
		}
		rules, err := r.AllRules(ctx)
		if err != nil {
			return err
		}
		for _, rule := range rules {
			keep("rule "+rule.Name, rule)
		}
		tokens, err := r.AllTokens(ctx)
		if err != nil {
			return err
		}
		for _, token := range tokens {
			token.UsedAt = time.Time{}
			keep(fmt.Sprint("password ", token.ID), token)
		}
		settings, err := r.Settings(ctx, "")
		for name, value := range settings {
			if !hasAnyPrefix(name, ownMarks) {
				keep("setting "+name, value)
			}
		}
		return err
	})
	if err != nil {
		h.t.Fatal(err)
	}
	if len(rows) == 0 || len(all) < 8 {
		h.t.Fatalf("only %d things are kept", len(all))
	}
	return all
}

func hasAnyPrefix(s string, prefixes []string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}
