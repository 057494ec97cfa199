package api_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"dedupedesk/app/api"
	"dedupedesk/app/describe/openapi/openapitest"
	"dedupedesk/app/guard"
	"dedupedesk/ledger"
	"dedupedesk/ledger/ledgertest"
	"dedupedesk/ledger/sqlite"
)

// goodCalls are a call of each route that succeeds. A $ is a key of its own.
var goodCalls = map[string]row{
	"POST /v1/claim":              {call: call{path: "/v1/claim", body: `{"key":"$","owner":"o"}`}},
	"POST /v1/rules/{rule}/claim": {call: call{path: "/v1/rules/orders/claim?owner=o", body: `{"id":"$"}`}},
	"POST /v1/done":               {before: own, call: call{path: "/v1/done", body: `{"key":"$","owner":"o","result":7}`}},
	"POST /v1/release":            {before: own, call: call{path: "/v1/release", body: `{"key":"$","owner":"o"}`}},
	"POST /v1/renew":              {before: own, call: call{path: "/v1/renew", body: `{"key":"$","owner":"o"}`}},
	"POST /v1/batch":              {call: call{path: "/v1/batch", body: `{"op":"claim","items":[{"key":"$"}]}`}},
	"POST /v1/catch":              {call: call{path: "/v1/catch", body: `{"id":"$"}`}},
	"GET /v1/keys":                {before: own, call: call{method: http.MethodGet, path: "/v1/keys", as: "admin"}},
	"GET /v1/keys/one":            {before: own, call: call{method: http.MethodGet, path: "/v1/keys/one?key=$", as: "admin"}},
	"GET /v1/rules":               {call: call{method: http.MethodGet, path: "/v1/rules", as: "admin"}},
	"GET /v1/rules/{rule}":        {call: call{method: http.MethodGet, path: "/v1/rules/orders", as: "admin"}},
	"PUT /v1/rules/{rule}":        {call: call{method: http.MethodPut, path: "/v1/rules/new", body: `{"rule":"new","key":"key(body.id)"}`, as: "admin"}},
	"DELETE /v1/rules/{rule}":     {before: []call{{method: http.MethodPut, path: "/v1/rules/gone", body: `{"rule":"gone","key":"key(body.id)"}`, as: "admin"}}, call: call{method: http.MethodDelete, path: "/v1/rules/gone", as: "admin"}},
	"GET /healthz":                {call: call{method: http.MethodGet, path: "/healthz", as: "none"}},
	"GET /readyz":                 {call: call{method: http.MethodGet, path: "/readyz", as: "none"}},
	"GET /openapi.json":           {call: call{method: http.MethodGet, path: "/openapi.json", as: "none"}},
	"GET /swagger.json":           {call: call{method: http.MethodGet, path: "/swagger.json", as: "none"}},
}

var own = []call{{path: "/v1/claim", body: `{"key":"$","owner":"o"}`}}

// otherCalls bring about what is particular to a route.
var otherCalls = slices.Concat(
	decisionCalls("/v1/claim?", `"rule":"orders","key":"$"`),
	decisionCalls("/v1/rules/orders/claim?", `"id":"$"`),
	reportCalls("/v1/done"), reportCalls("/v1/release"), reportCalls("/v1/renew"),
	[]row{
		{call: call{path: "/v1/claim", body: `{"key":""}`}, code: 400},
		{call: call{path: "/v1/claim", body: `{"rule":"nope","key":"a"}`}, code: 404},
		{call: call{path: "/v1/claim", body: `{"rule":"brokenfile","key":"a"}`}, code: 400},
		{call: call{path: "/v1/claim", body: `{"rule":"brokenformula","key":"a"}`}, code: 400},
		{call: call{path: "/v1/rules/orders/claim", body: `{}`}, code: 400},
		{call: call{path: "/v1/rules/nope/claim", body: `{}`}, code: 404},
		{call: call{path: "/v1/rules/brokenfile/claim", body: `{}`}, code: 400},
		{call: call{path: "/v1/rules/brokenformula/claim", body: `{}`}, code: 400},
		{call: call{path: "/v1/batch", body: `{"op":"claim"}`}, code: 400},
		{call: call{method: http.MethodGet, path: "/v1/keys?limit=0", as: "admin"}, code: 400},
		{call: call{method: http.MethodGet, path: "/v1/keys?rule=nope", as: "admin"}, code: 404},
		{call: call{method: http.MethodGet, path: "/v1/keys/one", as: "admin"}, code: 400},
		{call: call{method: http.MethodGet, path: "/v1/keys/one?key=nope", as: "admin"}, code: 404},
		{call: call{method: http.MethodGet, path: "/v1/keys/one?rule=nope&key=a", as: "admin"}, code: 404},
		{call: call{method: http.MethodGet, path: "/v1/rules/nope", as: "admin"}, code: 404},
		{call: call{method: http.MethodGet, path: "/v1/rules/brokenfile", as: "admin"}, code: 400},
		{call: call{method: http.MethodGet, path: "/v1/rules/brokenformula", as: "admin"}, code: 400},
		{call: call{method: http.MethodPut, path: "/v1/rules/default", body: `{"rule":"other","key":"key(body.id)"}`, as: "admin"}, code: 400},
		{call: call{method: http.MethodPut, path: "/v1/rules/x", body: `{"rule":"x"}`, as: "admin"}, code: 400},
		{call: call{method: http.MethodPut, path: "/v1/rules/x", body: `{"rule":"x","key":"key("}`, as: "admin"}, code: 400},
		{call: call{method: http.MethodPut, path: "/v1/rules/nope", body: `{"rule":"x","key":"key(body.id)"}`, as: "admin"}, code: 404},
		{call: call{method: http.MethodDelete, path: "/v1/rules/default", as: "admin"}, code: 400},
		{call: call{method: http.MethodDelete, path: "/v1/rules/nope", as: "admin"}, code: 404},
	},
)

func decisionCalls(path, key string) []row {
	claim := func(profile, more string) call {
		return call{path: path + "answer=" + profile + more, body: "{" + key + "}"}
	}
	return []row{
		{call: claim("strict", ""), code: 201},
		{before: []call{claim("wait", "")}, call: claim("strict", ""), code: 409},
		{before: []call{claim("wait", "")}, call: claim("wait", ""), code: 429},
		{before: []call{claim("branch", "&fingerprint=1")}, call: claim("wait", "&fingerprint=2"), code: 422},
	}
}

func reportCalls(path string) []row {
	rows := []row{
		{call: call{path: path, body: `{"key":"$"}`}, code: 400},
		{call: call{path: path, body: `{"key":"$","owner":"o"}`}, code: 404},
		{call: call{path: path, body: `{"rule":"nope","key":"$","owner":"o"}`}, code: 404},
		{call: call{path: path, body: `{"rule":"brokenfile","event":{},"owner":"o"}`}, code: 400},
		{call: call{path: path, body: `{"rule":"brokenformula","event":{},"owner":"o"}`}, code: 400},
		{before: own, call: call{path: path, body: `{"key":"$","owner":"p"}`}, code: 409},
	}
	if path == "/v1/done" {
		return rows // it may be said again
	}
	finished := []call{own[0], {path: "/v1/done", body: `{"key":"$","owner":"o"}`}}
	return append(rows, row{before: finished, call: call{path: path, body: `{"key":"$","owner":"o"}`}, code: 409})
}

// A full house has a store that fails when it is told to.
type fullHouse struct {
	*house
	store  *ledgertest.FailingStore
	points []ledgertest.Point // that the last call of [fullHouse.ask] passed
	n      int
	floods int // addresses from which too many calls came
}

func newFullHouse(t *testing.T) *fullHouse {
	t.Helper()
	file, err := sqlite.Open(filepath.Join(t.TempDir(), "ledger.db"))
	if err != nil {
		t.Fatal(err)
	}
	store := ledgertest.Failing(file)
	h := &fullHouse{house: newHouseOn(t, store), store: store}
	h.told = map[openapitest.Kind]bool{}
	h.rule(`{"rule":"orders","key":"key(body.id)"}`)
	for name, doc := range map[string]string{"brokenfile": `{"rule":"brokenfile"}`, "brokenformula": `{"rule":"brokenformula","key":"key("}`} {
		if _, err := h.ledger.PutRule(t.Context(), "", ledger.Rule{Name: name, Doc: []byte(doc), Policy: ledger.DefaultPolicy()}); err != nil {
			t.Fatal(err)
		}
	}
	return h
}

// ask sends what stands before r and then its call, each with one key that is new.
func (h *fullHouse) ask(r row, meanwhile func()) answer {
	h.t.Helper()
	h.n++
	key := "k" + strconv.Itoa(h.n)
	fill := func(c call) call {
		c.path, c.body = strings.ReplaceAll(c.path, "$", key), strings.ReplaceAll(c.body, "$", key)
		if c.as == "admin" {
			c.as = h.admin
		}
		return c
	}
	for _, c := range r.before {
		if a := h.send(fill(c)); a.code >= http.StatusInternalServerError {
			h.t.Fatalf("before %s: %d %s", r.path, a.code, a.raw)
		}
	}
	if meanwhile != nil {
		meanwhile()
	}
	a := h.send(fill(r.call))
	h.points = h.store.Points()
	h.store.Watch()
	return a
}

// TestEveryDescribedAnswerIsGiven walks the description: each status of each route,
// and each code of a problem, is really given. That no other is given, each answer of
// each test proves; see hold.
func TestEveryDescribedAnswerIsGiven(t *testing.T) {
	tb, err := described()
	if err != nil {
		t.Fatal(err)
	}
	h := newFullHouse(t)
	for _, r := range otherCalls {
		if a := h.ask(r, nil); a.code != r.code {
			t.Errorf("%s %s: %d %s, want %d", r.path, r.body, a.code, a.raw, r.code)
		}
	}
	h.askPaused()
	h.askCatch()
	for _, rt := range append(api.Routes(nil, nil, nil, nil), tb.book.Routes()...) {
		good, there := goodCalls[rt.Pattern]
		if !there {
			t.Errorf("no call of %s is tried", rt.Pattern)
			continue
		}
		h.refuseAtTheDoor(good, rt)
		h.failWithin(good)
		h.ruleGoesOnChanging(good, rt)
	}
	for _, route := range tb.contract.Routes() {
		for _, kind := range tb.contract.Kinds(route) {
			if !h.told[kind] {
				t.Errorf("%s is described as answering %d %s, and nothing brings that about", route, kind.Status, kind.Code)
			}
		}
	}
}

// askPaused asks every route while a person keeps all grants paused.
func (h *fullHouse) askPaused() {
	h.t.Helper()
	if err := h.ledger.Pause(h.t.Context(), "Ada"); err != nil {
		h.t.Fatal(err)
	}
	for pattern, good := range goodCalls {
		good.before = nil
		a := h.ask(good, nil)
		if stopped := a.text("code") == string(ledger.Paused); stopped != pausedRoutes[pattern] || stopped != (a.header.Get("Retry-After") == "60") {
			h.t.Errorf("%s in a pause: %d %s", pattern, a.code, a.raw)
		}
	}
	if err := h.ledger.EndPause(h.t.Context()); err != nil {
		h.t.Fatal(err)
	}
}

// pausedRoutes are those that a pause stops.
var pausedRoutes = map[string]bool{"POST /v1/claim": true, "POST /v1/rules/{rule}/claim": true, "POST /v1/batch": true, "GET /readyz": true}

// refuseAtTheDoor brings about what the guard answers.
func (h *fullHouse) refuseAtTheDoor(good row, rt guard.Route) {
	h.t.Helper()
	with := func(change func(*call)) {
		r := good
		r.before = nil
		change(&r.call)
		h.ask(r, nil)
	}
	if a := h.ask(good, nil); a.code != http.StatusOK {
		h.t.Errorf("%s: %d %s", rt.Pattern, a.code, a.raw)
	}
	with(func(c *call) { c.as = "none" })
	with(func(c *call) {
		c.path += map[bool]string{true: "&", false: "?"}[strings.Contains(c.path, "?")] + "leese=9"
	})
	with(func(c *call) { c.as = "dd_wrong" })
	with(func(c *call) { c.as = h.claim })
	with(func(c *call) { c.header = []string{"Origin", "https://evil.example"} })
	with(func(c *call) { c.header = []string{"Host", "evil.example"} })
	with(func(c *call) { c.header = []string{"X-Forwarded-For", "203.0.113.9"} })
	if rt.Published && rt.Access != guard.Open {
		h.floods++
		from := fmt.Sprint("198.51.100.", h.floods)
		for range 25 {
			with(func(c *call) { c.as, c.header = "dd_guessed", []string{"X-Forwarded-For", from} })
		}
	}
	with(func(c *call) { c.header = []string{"X-Long", tooLong} })
	with(func(c *call) { c.body = strings.Repeat(" ", guard.MaxSampleBody+1) })
	with(func(c *call) { c.kind, c.body = "text/plain", "key=a" })
}

// forget opens the endpoint anew, which has looked up neither password nor rule yet,
// nor whether all is well.
func (h *fullHouse) forget() {
	h.t.Helper()
	h.ledger = ledger.New(h.store, h.clock, nil)
	h.serve()
}

// failWithin lets each store call under a good call fail, in three ways.
func (h *fullHouse) failWithin(good row) {
	h.t.Helper()
	h.forget()
	h.ask(good, h.store.Watch)
	points := h.points
	for _, err := range []error{errors.New("wanted by the test"), &ledger.Error{Code: ledger.Corrupt, Msg: "Wanted by the test."}, &ledger.Error{Code: ledger.Busy, Msg: "Wanted by the test."}} {
		for _, p := range points {
			h.forget()
			h.ask(good, func() { h.store.FailAt(p, err) })
		}
	}
}

// A restlessStore says of every write that the rule has changed.
type restlessStore struct{ ledger.Store }

func (restlessStore) Write(context.Context, func(ledger.Tx) error) error {
	return &ledger.Error{Code: ledger.RuleChanged, Msg: "Wanted by the test."}
}

// ruleGoesOnChanging tries a claim whose rule is changed again and again meanwhile.
func (h *fullHouse) ruleGoesOnChanging(good row, rt guard.Route) {
	h.t.Helper()
	if !strings.HasSuffix(rt.Pattern, "claim") && rt.Operation.ID != "DoSeveral" {
		return
	}
	calm := h.ledger
	h.ledger = ledger.New(restlessStore{h.store}, h.clock, nil)
	h.serve()
	if a := h.ask(good, nil); a.code != http.StatusServiceUnavailable || a.text("code") != string(ledger.RuleChanged) {
		h.t.Errorf("%s: %s", rt.Pattern, fmt.Sprint(a.code, a.raw))
	}
	h.ledger = calm
	h.serve()
}
