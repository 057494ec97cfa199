package main_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// TestBadInputOverHTTP: each fault is answered as documented, names the field,
// never says run, and leaves no key behind.
func TestBadInputOverHTTP(t *testing.T) { eachBackend(t, badInputOverHTTP) }

func badInputOverHTTP(t *testing.T, h *house) {
	h.importRules("stripe.yaml")
	big := `{"key":"` + strings.Repeat("a", 1<<20) + `"}`
	const jsonType = "application/json"
	for _, tt := range []struct {
		name, method, path, kind, body string
		header                         []string
		code                           int
		problem, field                 string
	}{
		{name: "Peers31 empty key", path: "/v1/claim", kind: jsonType, body: `{"key":""}`, code: 400, problem: "invalid", field: "key"},
		{name: "Peers31 only spaces", path: "/v1/claim", kind: jsonType, body: `{"key":"   "}`, code: 400, problem: "invalid", field: "key"},
		{name: "Peers31 null key", path: "/v1/claim", kind: jsonType, body: `{"key":null}`, code: 400, problem: "invalid", field: "key"},
		{name: "Peers31 no key", path: "/v1/claim", kind: jsonType, body: `{}`, code: 400, problem: "invalid", field: "key"},
		{name: "empty body is an empty object", path: "/v1/claim", code: 400, problem: "invalid", field: "key"},
		{name: "Peers31 list as key", path: "/v1/claim", kind: jsonType, body: `{"key":[]}`, code: 400, problem: "invalid", field: "key"},
		{name: "Peers31 object as key", path: "/v1/claim", kind: jsonType, body: `{"key":{}}`, code: 400, problem: "invalid", field: "key"},
		{name: "null part", path: "/v1/claim", kind: jsonType, body: `{"part":["shop",null]}`, code: 400, problem: "invalid", field: "part 2"},
		{name: "empty part", path: "/v1/claim", kind: "application/x-www-form-urlencoded", body: "part=shop&part=", code: 400, problem: "invalid", field: "part 2"},
		{name: "event without its id", path: "/v1/rules/stripe-events/claim", kind: jsonType, body: `{"type":"invoice.paid"}`, code: 400, problem: "invalid"},
		{name: "event with a null id", path: "/v1/rules/stripe-events/claim", kind: jsonType, body: `{"id":null}`, code: 400, problem: "invalid"},
		{name: "Peers42 key of 256", path: "/v1/claim", kind: jsonType, body: `{"key":"` + strings.Repeat("é", 256) + `"}`, code: 400, problem: "invalid", field: "key"},
		{name: "Peers42 newline in key", path: "/v1/claim", kind: jsonType, body: `{"key":"a\nb"}`, code: 400, problem: "invalid", field: "key"},
		{name: "Peers42 right-to-left override", path: "/v1/claim", kind: jsonType, body: `{"key":"a\u202eb"}`, code: 400, problem: "invalid", field: "key"},
		{name: "Peers70 body of a megabyte", path: "/v1/claim", kind: jsonType, body: big, code: 413, problem: "too_large"},
		{name: "Peers54 batch of 101", path: "/v1/batch", kind: jsonType, body: `{"op":"claim","items":[` + strings.Repeat(`{"key":"a"},`, 100) + `{"key":"a"}]}`, code: 400, problem: "invalid", field: "items"},
		{name: "Peers54 empty batch", path: "/v1/batch", kind: jsonType, body: `{"op":"claim","items":[]}`, code: 400, problem: "invalid", field: "items"},
		{name: "broken JSON", path: "/v1/claim", kind: jsonType, body: `{"key":"a",}`, code: 400, problem: "invalid", field: "body"},
		{name: "JSON made by hand with a quote inside", path: "/v1/claim", kind: jsonType, body: `{"key":"say "hi""}`, code: 400, problem: "invalid", field: "body"},
		{name: "duplicate member", path: "/v1/claim", kind: jsonType, body: `{"key":"a","key":"b"}`, code: 400, problem: "invalid", field: "body"},
		{name: "Peers60 misspelt member", path: "/v1/claim", kind: jsonType, body: `{"key":"a","leese":9}`, code: 400, problem: "invalid", field: "leese"},
		{name: "Peers21 lease 0", path: "/v1/claim", kind: jsonType, body: `{"key":"a","lease":0}`, code: 400, problem: "invalid", field: "lease"},
		{name: "Peers21 lease -1", path: "/v1/claim", kind: jsonType, body: `{"key":"a","lease":-1}`, code: 400, problem: "invalid", field: "lease"},
		{name: "Peers21 lease NaN", path: "/v1/claim?lease=NaN", kind: jsonType, body: `{"key":"a"}`, code: 400, problem: "invalid", field: "lease"},
		{name: "Peers21 lease abc", path: "/v1/claim", kind: jsonType, body: `{"key":"a","lease":"abc"}`, code: 400, problem: "invalid", field: "lease"},
		{name: "Peers21 lease 1e9", path: "/v1/claim", kind: jsonType, body: `{"key":"a","lease":1e9}`, code: 400, problem: "invalid", field: "lease"},
		{name: "unknown rule", path: "/v1/claim", kind: jsonType, body: `{"rule":"nope","key":"a"}`, code: 404, problem: "unknown_rule"},
		{name: "unknown answer profile", path: "/v1/claim?answer=loud", kind: jsonType, body: `{"key":"a"}`, code: 400, problem: "invalid", field: "answer"},
		{name: "Peers61 two keys that differ", path: "/v1/claim", kind: jsonType, body: `{"key":"a"}`, header: []string{"Idempotency-Key", "b"}, code: 400, problem: "invalid", field: "key"},
		{name: "no token", path: "/v1/claim", kind: jsonType, body: `{"key":"a"}`, header: []string{"Authorization", ""}, code: 401, problem: "no_token"},
		{name: "wrong token", path: "/v1/claim", kind: jsonType, body: `{"key":"a"}`, header: []string{"Authorization", "Bearer dd_wrong"}, code: 401, problem: "wrong_token"},
		{name: "Peers69 claim token on an admin route", method: http.MethodGet, path: "/v1/keys", code: 403, problem: "not_allowed"},
		{name: "wrong Host", path: "/v1/claim", kind: jsonType, body: `{"key":"a"}`, header: []string{"Host", "evil.example"}, code: 421, problem: "wrong_host"},
		{name: "right name, wrong port", path: "/v1/claim", kind: jsonType, body: `{"key":"a"}`, header: []string{"Host", "127.0.0.1:1"}, code: 421, problem: "wrong_host"},
		{name: "foreign Origin", path: "/v1/claim", kind: jsonType, body: `{"key":"a"}`, header: []string{"Origin", "https://evil.example"}, code: 403, problem: "cross_origin"},
		{name: "Peers68 text body of another site", path: "/v1/claim", kind: "text/plain", body: `{"key":"a"}`, code: 415, problem: "wrong_type"},
		{name: "done on an unknown key (Peers13)", path: "/v1/done", kind: jsonType, body: `{"key":"never","token":"1.x"}`, code: 404, problem: "not_found"},
		{name: "done without token or owner", path: "/v1/done", kind: jsonType, body: `{"key":"never"}`, code: 400, problem: "invalid", field: "token"},
		{name: "wrong method", method: http.MethodGet, path: "/v1/claim", code: 405, problem: "wrong_method"},
		{name: "no such address", method: http.MethodGet, path: "/v2/claim", code: 404, problem: "no_such_address"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			method := tt.method
			if method == "" {
				method = http.MethodPost
			}
			a := h.call(method, tt.path, tt.kind, tt.body, tt.header...)
			if a.Code != tt.code || a.text("code") != tt.problem {
				t.Fatalf("%d %s, want %d %s", a.Code, a.Raw, tt.code, tt.problem)
			}
			if tt.field != "" && a.text("field") != tt.field {
				t.Errorf("field %q, want %q", a.text("field"), tt.field)
			}
			if a.Body["run"] != false || a.text("detail") == "" || a.Header.Get("Content-Type") != "application/problem+json" {
				t.Errorf("not whole problem details: %s", a.Raw)
			}
		})
	}
	for _, rule := range []string{"default", "stripe-events"} {
		if n := h.keys(rule); n != 0 {
			t.Errorf("%d keys of %s are in the ledger after refusals only", n, rule)
		}
	}
}

// TestStaleTokenIsRefusedAndRecorded is Peers09: a late done after a takeover is
// a sign of a double run, and changes nothing.
func TestStaleTokenIsRefusedAndRecorded(t *testing.T) { eachBackend(t, staleTokenIsRefusedAndRecorded) }

func staleTokenIsRefusedAndRecorded(t *testing.T, h *house) {
	first := h.post("/v1/claim", map[string]any{"key": "k", "owner": "A"})
	h.shift("+901s")
	second := h.post("/v1/claim", map[string]any{"key": "k", "owner": "B"})
	if second.Body["took_over"] != true {
		t.Fatalf("no takeover: %s", second.Raw)
	}
	late := h.post("/v1/done", map[string]any{"key": "k", "token": first.text("token")})
	if late.Code != http.StatusConflict || late.text("code") != "stale" {
		t.Errorf("late done: %d %s, want 409 stale", late.Code, late.Raw)
	}
	if a := h.post("/v1/claim", map[string]any{"key": "k", "owner": "C"}); a.text("status") != "in_progress" {
		t.Errorf("after the late done: %s", a.Raw)
	}
	if d := h.post("/v1/done", map[string]any{"key": "k", "token": second.text("token")}); d.Code != http.StatusOK {
		t.Errorf("the holder's done: %s", d.Raw)
	}
	life := h.call(http.MethodGet, "/v1/keys/one?key=k", "", "", "Authorization", "Bearer "+h.admin)
	if !strings.Contains(life.Raw, "stale_done") {
		t.Errorf("the late done is not in the history: %s", life.Raw)
	}
	if strings.Contains(life.Raw, first.text("token")) || strings.Contains(life.Raw, second.text("token")) {
		t.Error("the history shows a grant's token")
	}
}

func TestBadInputOnTheCommandLine(t *testing.T) { eachBackend(t, badInputOnTheCommandLine) }

func badInputOnTheCommandLine(t *testing.T, h *house) {
	for _, tt := range []struct {
		name string
		args []string
		says string
	}{
		{"empty key", []string{"claim", ""}, "key"},
		{"only spaces", []string{"claim", "  "}, "key"},
		{"negative lease", []string{"claim", "k", "--lease=-1"}, "lease"},
		{"lease that is no number", []string{"claim", "k", "--lease", "NaN"}, "lease"},
		{"negative prune", []string{"prune", "--", "-1"}, ""},
		{"prune of no number", []string{"prune", "x"}, ""},
		{"unknown rule", []string{"claim", "k", "--rule", "nope"}, "nope"},
		{"unknown command", []string{"clam", "k"}, "clam"},
		{"done on an unknown key", []string{"done", "never"}, "does not know"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			out, errs, code := h.run(tt.args...)
			if code != 2 || out != "" || !strings.HasPrefix(errs, "dedupe: ") || !strings.Contains(errs, tt.says) {
				t.Errorf("exit %d, stdout %q, stderr %q", code, out, errs)
			}
		})
	}
	if n := h.keys("default"); n != 0 {
		t.Errorf("%d keys are in the ledger after refusals only", n)
	}
}

func TestBadInputInThePages(t *testing.T) { eachBackend(t, badInputInThePages) }

func badInputInThePages(t *testing.T, h *house) {
	for _, tt := range []struct {
		name, method, path string
		form               url.Values
		header             []string
		code               int
		says               string
	}{
		{name: "empty key in Try it now", method: http.MethodPost, path: "/connect/try", form: url.Values{"act": {"reserve"}, "key": {""}}, code: 422, says: "key"},
		{name: "password without a name", method: http.MethodPost, path: "/connect/token", form: url.Values{"act": {"new"}, "name": {""}}, code: 422, says: "name"},
		{name: "a megabyte in a small form", method: http.MethodPost, path: "/connect/try", form: url.Values{"key": {strings.Repeat("a", 1<<20)}}, code: 413, says: "larger"},
		{name: "a page that is not there", method: http.MethodGet, path: "/nowhere", code: 404, says: "nothing"},
		{name: "a key that is not there", method: http.MethodGet, path: "/keys/one?rule=default&key=never", code: 404, says: "never"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := h.page(tt.method, tt.path, tt.form)
			if a.Code != tt.code || !strings.Contains(a.Raw, tt.says) {
				t.Errorf("%d, want %d with %q:\n%.400s", a.Code, tt.code, tt.says, a.Raw)
			}
		})
	}
	if n := h.keys("default"); n != 0 {
		t.Errorf("%d keys are in the ledger after refusals only", n)
	}
}

// TestPagesNeedASession: no page shows anything, and nothing changes, without
// the session that a one-time address opens.
func TestPagesNeedASession(t *testing.T) {
	h := newHouse(t)
	h.must("claim", "secret-key")
	get := func(path, host string) answer {
		req, err := http.NewRequest(http.MethodGet, h.engine.Admin+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Accept", "text/html")
		if host != "" {
			req.Host = host
		}
		return h.send(req)
	}
	for _, path := range []string{"/", "/keys", "/design", "/steps", "/connect", "/status"} {
		if a := get(path, ""); a.Code != http.StatusUnauthorized || strings.Contains(a.Raw, h.engine.API) || strings.Contains(a.Raw, "secret-key") {
			t.Errorf("GET %s without a session: %d", path, a.Code)
		}
	}
	if a := get("/", "evil.example"); a.Code != http.StatusMisdirectedRequest {
		t.Errorf("a rebound name: %d", a.Code)
	}
	req, err := http.NewRequest(http.MethodPost, h.engine.Admin+"/connect/try", strings.NewReader("act=reserve&key=k&rule=default"))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if a := h.send(req); a.Code != http.StatusUnauthorized {
		t.Errorf("a change without a session: %d", a.Code)
	}
	if n := h.keys("default"); n != 1 {
		t.Errorf("%d keys are there, want the one made before", n)
	}
}
