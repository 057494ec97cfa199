package api_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"dedupedesk/app/api"
	"dedupedesk/app/calls"
	"dedupedesk/app/catch"
	"dedupedesk/app/describe/openapi/openapitest"
	"dedupedesk/app/guard"
	"dedupedesk/app/intake"
	"dedupedesk/app/kept"
	"dedupedesk/ledger"
	"dedupedesk/ledger/ledgertest"
	"dedupedesk/ledger/sqlite"
	"dedupedesk/rules"
)

// noon is when every house's clock starts. It stands still until it is moved.
var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// A house is the claim endpoint on a key file of its own, behind the real guard.
type house struct {
	t            *testing.T
	url          string
	clock        *ledgertest.Clock
	ledger       *ledger.Ledger
	calls        *calls.Book
	caught       *catch.Book // in which an editor waits
	kept         *kept.Book
	claim, admin string                    // passwords
	told         map[openapitest.Kind]bool // what was answered, where somebody asks
}

// newHouse returns a house whose API is also published as api.example.com.
func newHouse(t *testing.T) *house {
	t.Helper()
	store, err := sqlite.Open(filepath.Join(t.TempDir(), "ledger.db"))
	if err != nil {
		t.Fatalf("open the key file: %v", err)
	}
	return newHouseOn(t, store)
}

func newHouseOn(t *testing.T, store ledger.Store) *house {
	t.Helper()
	h := &house{t: t, clock: ledgertest.NewClockAt(noon)}
	h.ledger = ledger.New(store, h.clock, nil)
	t.Cleanup(func() {
		if err := h.ledger.Close(); err != nil {
			t.Errorf("close the key file: %v", err)
		}
	})
	h.claim, h.admin = h.password("flow", ledger.ScopeClaim), h.password("operator", ledger.ScopeAdmin)
	h.serve()
	return h
}

// ruleEngine holds nothing of a house, so all of them share one.
var ruleEngine = sync.OnceValues(func() (*rules.Engine, error) { return rules.New() })

// serve opens the endpoint on the house's ledger. Nothing is remembered yet that it
// keeps for a second.
func (h *house) serve() {
	t := h.t
	t.Helper()
	engine, err := ruleEngine()
	if err != nil {
		t.Fatalf("make the rules' engine: %v", err)
	}
	h.calls = calls.NewBook(h.clock.Now, time.Time{}, func(time.Time) {}, slog.New(slog.DiscardHandler))
	h.caught = catch.NewBook(h.clock.Now)
	h.kept = kept.NewBook()
	h.caught.Wait("editor")
	server := httptest.NewUnstartedServer(nil)
	_, port, err := net.SplitHostPort(server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	server.Config.Handler = guard.API(guard.Hosts{Port: port, Public: []string{"api.example.com"}}, h.check,
		h.routes(intake.New(h.ledger, engine)), h.calls)
	guard.Harden(server.Config)
	server.Start()
	t.Cleanup(server.Close)
	h.url = server.URL
}

// routes are the endpoint's and those of its description.
func (h *house) routes(in *intake.Intake) []guard.Route {
	h.t.Helper()
	tb, err := described()
	if err != nil {
		h.t.Fatalf("describe the routes: %v", err)
	}
	return append(api.Routes(in, h.ledger, h.caught, h.kept), tb.book.Routes()...)
}

func (h *house) check(ctx context.Context, secret string) (guard.Caller, bool, error) {
	t, ok, err := h.ledger.CheckToken(ctx, secret)
	return guard.Caller{Name: t.Name, Admin: t.Scope == ledger.ScopeAdmin}, ok, err
}

func (h *house) password(name string, scope ledger.Scope) string {
	h.t.Helper()
	secret, _, err := h.ledger.NewToken(h.t.Context(), name, scope)
	if err != nil {
		h.t.Fatalf("make a password: %v", err)
	}
	return secret
}

// rule keeps a rule, given as the members of its file.
func (h *house) rule(members string) {
	h.t.Helper()
	var file struct{ Rule string }
	if err := json.Unmarshal([]byte(members), &file); err != nil {
		h.t.Fatalf("%s: %v", members, err)
	}
	if a := h.send(call{method: http.MethodPut, path: "/v1/rules/" + file.Rule, body: members, as: h.admin}); a.code != http.StatusOK {
		h.t.Fatalf("keep the rule %s: %d %s", file.Rule, a.code, a.raw)
	}
}

// count returns how many keys a rule has.
func (h *house) count(rule string) int {
	h.t.Helper()
	page, err := h.ledger.Keys(h.t.Context(), ledger.KeyQuery{Rule: rule, Limit: 200})
	if err != nil {
		h.t.Fatalf("keys of %s: %v", rule, err)
	}
	return len(page.Keys)
}

// A call is one request. It is a POST of JSON with the claim password where
// nothing else is said.
type call struct {
	method, path, kind, body string
	as                       string   // password; "none" sends none
	header                   []string // name, value, name, value, …
}

// form says that the body is a form.
const form = "application/x-www-form-urlencoded"

// An answer is what came back.
type answer struct {
	code    int
	header  http.Header
	members map[string]any
	raw     string
}

func (a answer) text(name string) string { s, _ := a.members[name].(string); return s }

func (h *house) send(c call) answer {
	h.t.Helper()
	if c.method == "" {
		c.method = http.MethodPost
	}
	req, err := http.NewRequestWithContext(h.t.Context(), c.method, h.url+c.path, strings.NewReader(c.body))
	if err != nil {
		h.t.Fatal(err)
	}
	if c.kind == "" && c.body != "" {
		c.kind = "application/json"
	}
	if c.kind != "" {
		req.Header.Set("Content-Type", c.kind)
	}
	switch c.as {
	case "none":
	case "":
		req.Header.Set("Authorization", "Bearer "+h.claim)
	default:
		req.Header.Set("Authorization", "Bearer "+c.as)
	}
	for i := 0; i+1 < len(c.header); i += 2 {
		if c.header[i] == "Host" {
			req.Host = c.header[i+1]
			continue
		}
		req.Header.Add(c.header[i], c.header[i+1])
	}
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		h.t.Fatalf("%s %s: %v", c.method, c.path, err)
	}
	defer func() { _ = resp.Body.Close() }()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		h.t.Fatalf("%s %s: %v", c.method, c.path, err)
	}
	a := answer{code: resp.StatusCode, header: resp.Header, raw: string(raw)}
	if c.method != http.MethodHead && a.code != http.StatusRequestHeaderFieldsTooLarge {
		if err := json.Unmarshal(raw, &a.members); err != nil {
			h.t.Fatalf("%s %s: not an object: %s", c.method, c.path, raw)
		}
	}
	h.hold(c, a)
	return a
}

// A row is one request and what has to come back. A $ in path, body and header
// stands for a key that no other row uses, {token} for the token of the last
// answer of before.
type row struct {
	name   string
	before []call        // each has to be a success
	wait   time.Duration // passes after before
	call
	code    int
	want    string   // members as JSON; "*" is any value but nothing
	lacks   []string // members that must not be there
	headers []string // name, value, …; "" says not there
}

// try sends a row and checks its answer, and the promises that hold for all.
func (h *house) try(t *testing.T, n int, r row) answer {
	t.Helper()
	key, token := t.Name()+strconv.Itoa(n), ""
	key = strings.Map(func(c rune) rune {
		if c <= ' ' || strings.ContainsRune(`/\"&?#%=+:`, c) {
			return '-'
		}
		return c
	}, key)
	fill := func(c call) call {
		full := strings.NewReplacer("$", key, "{token}", token)
		c.path, c.body = full.Replace(c.path), full.Replace(c.body)
		header := make([]string, len(c.header))
		for i, s := range c.header {
			header[i] = full.Replace(s)
		}
		c.header = header
		return c
	}
	inner := *h
	inner.t = t
	for _, c := range r.before {
		a := inner.send(fill(c))
		if a.code >= 300 {
			t.Fatalf("before: %s %s: %d %s", c.path, c.body, a.code, a.raw)
		}
		if text := a.text("token"); text != "" {
			token = text
		}
	}
	h.clock.Step(r.wait)
	a := inner.send(fill(r.call))
	if a.code != r.code {
		t.Fatalf("%d %s, want %d", a.code, a.raw, r.code)
	}
	if r.want != "" {
		compare(t, a, strings.NewReplacer("$", key, "{token}", token).Replace(r.want))
	}
	for _, name := range r.lacks {
		if v, there := a.members[name]; there {
			t.Errorf("%s is %v, want none", name, v)
		}
	}
	for i := 0; i+1 < len(r.headers); i += 2 {
		if got := a.header.Get(r.headers[i]); got != r.headers[i+1] {
			t.Errorf("header %s is %q, want %q", r.headers[i], got, r.headers[i+1])
		}
	}
	checkPromises(t, a)
	return a
}

// compare wants each member of want in a.
func compare(t *testing.T, a answer, want string) {
	t.Helper()
	var members map[string]any
	if err := json.Unmarshal([]byte(want), &members); err != nil {
		t.Fatalf("the row's want is no JSON: %v: %s", err, want)
	}
	for name, w := range members {
		got, there := a.members[name]
		if w == "*" && there && got != "" && got != nil {
			continue
		}
		g, _ := json.Marshal(got)
		if e, _ := json.Marshal(w); !there || string(g) != string(e) {
			t.Errorf("%s is %s, want %s in %s", name, g, e, a.raw)
		}
	}
}

// checkPromises wants what DESIGN 4 says of every answer: an error is whole
// problem details with run false, run is true only with status claimed, a time
// is RFC 3339 in UTC with milliseconds, and nothing is to be stored by a cache.
func checkPromises(t *testing.T, a answer) {
	t.Helper()
	if a.code == http.StatusAccepted {
		t.Error("202 says nothing that a tool could branch on")
	}
	if got := a.header.Get("Cache-Control"); got != "no-store" {
		t.Errorf("Cache-Control is %q, want no-store", got)
	}
	if _, isDecision := a.members["status"].(string); a.code >= 400 && !isDecision {
		if a.header.Get("Content-Type") != "application/problem+json" {
			t.Errorf("an error of type %q, want application/problem+json", a.header.Get("Content-Type"))
		}
		compare(t, a, `{"type":"*","title":"*","code":"*","detail":"*","run":false,"status":`+strconv.Itoa(a.code)+`}`)
		if want := "urn:dedupe-desk:problem:" + a.text("code"); a.text("type") != want {
			t.Errorf("type is %q, want %q", a.text("type"), want)
		}
	}
	if run, there := a.members["run"].(bool); there && run != (a.members["status"] == "claimed") {
		t.Errorf("run is %v with status %v", run, a.members["status"])
	}
	for _, name := range []string{"lease_until", "first_seen", "claimed_at", "done_at", "changed_at", "next_try_at", "kept_until"} {
		text, there := a.members[name]
		if !there {
			continue
		}
		s, _ := text.(string)
		if _, err := time.Parse("2006-01-02T15:04:05.000Z", s); err != nil {
			t.Errorf("%s is %v, want RFC 3339 in UTC with milliseconds", name, text)
		}
	}
}

// drive tries rows one after the other on h.
func drive(t *testing.T, h *house, rows []row) {
	t.Helper()
	for n, r := range rows {
		t.Run(r.name, func(t *testing.T) { h.try(t, n, r) })
	}
}
