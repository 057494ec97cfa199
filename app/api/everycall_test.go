package api_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dedupedesk/app/api"
	"dedupedesk/ledger"
	"dedupedesk/ledger/ledgertest"
	"dedupedesk/ledger/sqlite"
)

// A scene is one call of a route, and what was called before it.
type scene struct {
	name   string
	route  string
	before []call
	wait   time.Duration
	call
	// once: the same call again is another call, which is not checked.
	once bool
	// gone: what the same call again may be answered where only the first answer was lost.
	gone int
}

const each = `{"rule":"lines","key":"key(item)","each":"body.lines"}`

// scenes cover every route of the endpoint that asks the ledger something.
var scenes = []scene{
	{name: "claim", route: "POST /v1/claim", call: call{path: "/v1/claim", body: `{"key":"a","owner":"o"}`}},
	{name: "claim of a copy", route: "POST /v1/claim", before: []call{claimA}, once: true, call: call{path: "/v1/claim", body: `{"key":"a","owner":"other"}`}},
	{name: "claim that takes over", route: "POST /v1/claim", before: []call{claimA}, wait: time.Hour, call: call{path: "/v1/claim", body: `{"key":"a","owner":"other"}`}},
	{name: "claim of an event", route: "POST /v1/rules/{rule}/claim", call: call{path: "/v1/rules/orders/claim?owner=o", body: `{"id":"a"}`}},
	{name: "claim of lines", route: "POST /v1/rules/{rule}/claim", call: call{path: "/v1/rules/lines/claim?owner=o", body: `{"lines":["a","b","c"]}`}},
	{name: "done", route: "POST /v1/done", before: []call{claimA}, call: call{path: "/v1/done", body: `{"key":"a","owner":"o","result":{"id":7}}`}},
	{name: "stale done", route: "POST /v1/done", before: []call{claimA}, once: true, call: call{path: "/v1/done", body: `{"key":"a","owner":"other"}`}},
	{name: "release", route: "POST /v1/release", before: []call{claimA}, call: call{path: "/v1/release", body: `{"key":"a","owner":"o","error":"it broke"}`}},
	{name: "renew", route: "POST /v1/renew", before: []call{claimA}, call: call{path: "/v1/renew", body: `{"key":"a","owner":"o"}`}},
	{name: "batch of claims", route: "POST /v1/batch", call: call{path: "/v1/batch", body: `{"op":"claim","items":[{"key":"a","owner":"o"},{"key":"b","owner":"o"}]}`}},
	{name: "batch of dones", route: "POST /v1/batch", before: []call{claimA, claimB}, call: call{path: "/v1/batch", body: `{"op":"done","items":[{"key":"a","owner":"o"},{"key":"b","owner":"o"}]}`}},
	{name: "batch of releases", route: "POST /v1/batch", before: []call{claimA, claimB}, call: call{path: "/v1/batch", body: `{"op":"release","items":[{"key":"a","owner":"o"},{"key":"b","owner":"o"}]}`}},
	{name: "caught event", route: "POST /v1/catch", call: call{path: "/v1/catch", body: `{"id":"a"}`}},
	{name: "keys", route: "GET /v1/keys", before: []call{claimA}, call: call{method: http.MethodGet, path: "/v1/keys?rule=default", as: "admin"}},
	{name: "one key", route: "GET /v1/keys/one", before: []call{claimA}, call: call{method: http.MethodGet, path: "/v1/keys/one?key=a", as: "admin"}},
	{name: "rules", route: "GET /v1/rules", call: call{method: http.MethodGet, path: "/v1/rules", as: "admin"}},
	{name: "one rule", route: "GET /v1/rules/{rule}", call: call{method: http.MethodGet, path: "/v1/rules/orders", as: "admin"}},
	{name: "new rule", route: "PUT /v1/rules/{rule}", call: call{method: http.MethodPut, path: "/v1/rules/new", body: `{"rule":"new","key":"key(body.id)"}`, as: "admin"}},
	{name: "changed rule", route: "PUT /v1/rules/{rule}", call: call{method: http.MethodPut, path: "/v1/rules/orders", body: `{"rule":"orders","key":"key(body.no)","lease":90}`, as: "admin"}},
	{name: "renamed rule", route: "PUT /v1/rules/{rule}", call: call{method: http.MethodPut, path: "/v1/rules/orders", body: `{"rule":"sales","key":"key(body.id)"}`, as: "admin"}},
	{name: "archived rule", route: "DELETE /v1/rules/{rule}", gone: http.StatusNotFound, call: call{method: http.MethodDelete, path: "/v1/rules/orders", as: "admin"}},
	{name: "ready", route: "GET /readyz", call: call{method: http.MethodGet, path: "/readyz", as: "none"}},
}

var (
	claimA = call{path: "/v1/claim", body: `{"key":"a","owner":"o"}`}
	claimB = call{path: "/v1/claim", body: `{"key":"b","owner":"o"}`}
)

// asksNothing are the routes that no failure of a store can reach.
var asksNothing = []string{"GET /healthz"}

// TestEveryStoreCallFails lets each call of the store fail in turn, under each route.
// Nobody is told to run, or given a token, unless the grant is stored; what is stored
// is untouched or whole, key by key; and the same call again ends as if nothing had
// failed.
func TestEveryStoreCallFails(t *testing.T) {
	for _, rt := range api.Routes(nil, nil, nil, nil) {
		listed := slices.ContainsFunc(scenes, func(s scene) bool { return s.route == rt.Pattern })
		if !listed && !slices.Contains(asksNothing, rt.Pattern) {
			t.Errorf("no scene calls %s", rt.Pattern)
		}
	}
	for _, s := range scenes {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			s.play(t)
		})
	}
}

// A stage is a house whose store can fail.
type stage struct {
	*house
	store *ledgertest.FailingStore
}

// stage sets the scene on a house of its own.
func (s scene) stage(t *testing.T) stage {
	t.Helper()
	file, err := sqlite.Open(filepath.Join(t.TempDir(), "ledger.db"))
	if err != nil {
		t.Fatal(err)
	}
	store := ledgertest.Failing(file)
	h := newHouseOn(t, store)
	h.rule(each)
	h.rule(`{"rule":"orders","key":"key(body.id)"}`)
	for _, c := range s.before {
		if a := h.send(c); a.code != http.StatusOK {
			t.Fatalf("before: %s: %d %s", c.path, a.code, a.raw)
		}
	}
	h.clock.Step(s.wait)
	h.ledger = ledger.New(store, h.clock, nil)
	h.serve()
	return stage{h, store}
}

// tell sends the scene's call.
func (st stage) tell(s scene) answer {
	st.t.Helper()
	c := s.call
	if c.as == "admin" {
		c.as = st.admin
	}
	return st.send(c)
}

func (s scene) play(t *testing.T) {
	clean := s.stage(t)
	before := clean.stored()
	clean.store.Watch()
	want := clean.tell(s)
	points, after := clean.store.Points(), clean.stored()
	if want.code >= http.StatusInternalServerError || len(points) == 0 {
		t.Fatalf("without a failure: %d %s at %v", want.code, want.raw, points)
	}
	for i, p := range points {
		s.fail(t, p, failures[i%len(failures)], want, before, after)
	}
}

var errStore = errors.New("/secret/path: wanted by the test")

// failures are taken in turn: a store that says why, and one that just breaks, are told
// apart by the endpoint.
var failures = [...]error{&ledger.Error{Code: ledger.Busy, Msg: "The test wants this call to fail.", Err: errStore}, errStore}

// fail plays the scene with a failure at p. That a password was used is noted only if
// there is time for it, so on a slow machine it tries until p is met.
func (s scene) fail(t *testing.T, p ledgertest.Point, err error, want answer, before, after map[string]string) {
	t.Helper()
	at := fmt.Sprintf("%s at %s", ledger.CodeOf(err), p)
	for range 10 {
		st := s.stage(t)
		st.store.FailAt(p, err)
		got := st.tell(s)
		if st.store.Failed() {
			st.store.Watch()
			s.judge(st, at, got, want, before, after)
			return
		}
	}
	t.Errorf("%s: it was not reached", at)
}

func (s scene) judge(st stage, at string, got, want answer, before, after map[string]string) {
	t := st.t
	t.Helper()
	stored := st.stored()
	tokens := st.tokens()
	for name, is := range stored {
		if is != before[name] && is != after[name] {
			t.Errorf("%s: %s is neither untouched nor whole:\n%s\n%s", at, name, is, cmp.Diff(after[name], is))
		}
	}
	for name := range before {
		if _, there := stored[name]; !there && after[name] != "" {
			t.Errorf("%s: %s is gone", at, name)
		}
	}
	for _, part := range partsOf(got) {
		token, _ := part["token"].(string)
		if (part["run"] == true) != (token != "") || (token != "" && !slices.Contains(tokens, token)) {
			t.Errorf("%s: told run %v with a token that is stored: %v", at, part["run"], slices.Contains(tokens, token))
		}
		if part["status"] == "done" || part["status"] == "released" {
			if key, _ := part["key"].(string); stored["default/"+key] != after["default/"+key] {
				t.Errorf("%s: told %v, and %s is not", at, part["status"], key)
			}
		}
	}
	checkPromises(t, got)
	switch {
	case strings.Contains(got.raw, "/secret"):
		t.Errorf("%s: the fault is told: %s", at, got.raw)
	case got.code >= http.StatusInternalServerError:
		if got.members["results"] != nil || got.text("token") != "" {
			t.Errorf("%s: %d with an answer: %s", at, got.code, got.raw)
		}
		if got.code == http.StatusServiceUnavailable && got.header.Get("Retry-After") == "" {
			t.Errorf("%s: 503 without Retry-After", at)
		}
	case got.code != want.code:
		t.Errorf("%s: %d %s, want %d or a failure", at, got.code, got.raw, want.code)
	case got.members["results"] == nil && !same(stored, after):
		t.Errorf("%s: told %d, and what is stored is not whole", at, got.code)
	}
	if !s.once {
		s.again(st, at, want, after)
	}
}

// again makes the same call, as its sender does after a failure.
func (s scene) again(st stage, at string, want answer, after map[string]string) {
	st.t.Helper()
	a := st.tell(s)
	if a.code != want.code && a.code != s.gone {
		st.t.Errorf("%s: again: %d %s, want %d", at, a.code, a.raw, want.code)
	}
	tokens, runs := st.tokens(), 0
	for _, part := range partsOf(a) {
		if part["run"] == true {
			runs++
		}
		if token, _ := part["token"].(string); token != "" && !slices.Contains(tokens, token) {
			st.t.Errorf("%s: again: the token that was told is not stored", at)
		}
	}
	wanted := 0
	for _, part := range partsOf(want) {
		if part["run"] == true {
			wanted++
		}
	}
	if runs != wanted {
		st.t.Errorf("%s: again: %d may run, want %d: %s", at, runs, wanted, a.raw)
	}
	if stored := st.stored(); !same(stored, after) {
		st.t.Errorf("%s: again (-want +stored):\n%s", at, cmp.Diff(after, stored))
	}
}

// partsOf returns the answers in a, one or several.
func partsOf(a answer) []map[string]any {
	results, ok := a.members["results"].([]any)
	if !ok {
		return []map[string]any{a.members}
	}
	var all []map[string]any
	for _, r := range results {
		part, _ := r.(map[string]any)
		all = append(all, part)
	}
	return all
}

func same(a, b map[string]string) bool { return cmp.Equal(a, b) }

// stored is all that is stored of rules and keys, by name, without secrets.
func (st stage) stored() map[string]string {
	st.t.Helper()
	all := map[string]string{}
	err := st.store.Read(st.t.Context(), func(r ledger.Reader) error {
		ctx := st.t.Context()
		rules, err := r.AllRules(ctx)
		if err != nil {
			return err
		}
		for _, rule := range rules {
			if rule.Name == ledger.DefaultRule {
				rule.CreatedAt, rule.ChangedAt = time.Time{}, time.Time{} // when the file was made
			}
			all[fmt.Sprint("rule ", rule.ID)] = text(rule)
		}
		rows, err := r.Rows(ctx, ledger.RowQuery{Order: ledger.ByKey, Limit: 100})
		for _, row := range rows {
			events, err := r.Events(ctx, row.RuleID, row.Key)
			if err != nil {
				return err
			}
			arrivals, err := r.Arrivals(ctx, row.ID)
			if err != nil {
				return err
			}
			if row.Token != "" {
				row.Token = "a token"
			}
			row.ID, row.Version = 0, 0 // in which order, and how often written, is nobody's matter
			all[row.Rule+"/"+row.Key] = text(row, events, arrivals)
		}
		return err
	})
	if err != nil {
		st.t.Fatalf("read what is stored: %v", err)
	}
	return all
}

func text(v ...any) string {
	data, _ := json.Marshal(v) // plain values always encode
	return string(data)
}

// tokens are the tokens of the grants that are stored.
func (st stage) tokens() (all []string) {
	st.t.Helper()
	err := st.store.Read(st.t.Context(), func(r ledger.Reader) error {
		rows, err := r.Rows(st.t.Context(), ledger.RowQuery{Order: ledger.ByKey, Limit: 100})
		for _, row := range rows {
			all = append(all, row.Token)
		}
		return err
	})
	if err != nil {
		st.t.Fatalf("read the tokens: %v", err)
	}
	return all
}
