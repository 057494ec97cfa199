package main_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"dedupedesk/ledger/postgres/pgtest"
)

// The things that a log must not tell. Each is text that stands nowhere else.
const (
	secretKey     = "jane.doe@example.com/order-90210"
	secretPayload = "4111-1111-1111-1111"
	secretHeader  = "header-of-the-sender"
	secretResult  = "result-of-the-work"
	secretError   = "error-of-the-work"
	secretWhy     = "reason-of-a-person"
	secretGuess   = "dd_a-password-that-was-replaced-but-is-still-used"
)

// TestNoSecretIsLogged: all that callers and people do, done well and done wrong, with
// the log at its most talkative, and then a search through every word of it.
func TestNoSecretIsLogged(t *testing.T) { eachBackend(t, noSecretIsLogged) }

func noSecretIsLogged(t *testing.T, h *house) {
	h.stop()
	t.Setenv("DEDUPE_LOG", "debug")
	h.start()
	secrets := map[string]string{
		"the password": h.token, "the operator's password": h.admin, "the engine's secret": h.engine.Secret,
		"a key": secretKey, "a key in an address": url.QueryEscape(secretKey), "a payload": secretPayload, "a header": secretHeader,
		"a result": secretResult, "an error": secretError, "a reason": secretWhy, "a wrong password": secretGuess,
	}
	for i, token := range h.callAll() {
		secrets["token "+string(rune('a'+i))] = token
	}
	for name, text := range h.visitAll() {
		secrets[name] = text
	}
	h.breakStore()
	h.stop()
	log := h.log() + h.said.String()
	// That something is found shows that the search can find.
	for _, want := range []string{"status=200", "status=400", "status=401", "status=403", "status=404", "status=409", "status=413", "status=415", "status=421", "level=ERROR", "level=DEBUG"} {
		if !strings.Contains(log, want) {
			t.Errorf("nothing in the log is %s, so the scenario is not whole", want)
		}
	}
	for name, text := range secrets {
		if len(text) < 8 {
			t.Errorf("%s is %q, which is no secret", name, text)
			continue
		}
		if i := strings.Index(log, text); i >= 0 {
			t.Errorf("the log tells %s: …%s…", name, log[max(0, i-200):min(len(log), i+100)])
		}
	}
}

// callAll makes every kind of call to the endpoint, and returns the tokens of its grants.
func (h *house) callAll() (tokens []string) {
	h.t.Helper()
	const jsonType, formType = "application/json", "application/x-www-form-urlencoded"
	event := `{"id":"` + secretKey + `","card":"` + secretPayload + `"}`
	for _, file := range []string{`{"rule":"shop","key":"key(body.id)"}`, `{"rule":"lines","key":"key(item)","each":"body.lines"}`, `{"rule":"picky","key":"key(body.id + body.card * 2)"}`} {
		var rule struct{ Rule string }
		if err := json.Unmarshal([]byte(file), &rule); err != nil {
			h.t.Fatal(err)
		}
		h.call(http.MethodPut, "/v1/rules/"+rule.Rule, jsonType, file, "Authorization", "Bearer "+h.admin)
	}
	quoted := `"` + secretKey + `"`
	for _, c := range []struct {
		method, path, kind, body string
		header                   []string
	}{
		{path: "/v1/claim", kind: jsonType, body: `{"key":` + quoted + `,"owner":"run-1","fingerprint":"` + secretPayload + `"}`},
		{path: "/v1/claim?answer=strict", kind: jsonType, body: `{"key":` + quoted + `,"owner":"run-2","fingerprint":"other"}`},
		{path: "/v1/claim", kind: formType, body: url.Values{"key": {secretKey + "-form"}}.Encode()},
		{path: "/v1/claim?key=" + url.QueryEscape(secretKey+"-query")},
		{path: "/v1/claim", header: []string{"Idempotency-Key", secretKey + "-header"}},
		{path: "/v1/rules/shop/claim", kind: jsonType, body: event, header: []string{"X-Sender", secretHeader}},
		{path: "/v1/rules/lines/claim", kind: jsonType, body: `{"lines":[` + quoted + `,"` + secretPayload + `"]}`},
		{path: "/v1/rules/picky/claim", kind: jsonType, body: event},
		{path: "/v1/batch", kind: jsonType, body: `{"op":"claim","items":[{"key":` + quoted + `},{"key":"` + secretPayload + `"},{"kee":1}]}`},
		{path: "/v1/renew", kind: jsonType, body: `{"key":` + quoted + `,"owner":"run-1"}`},
		{path: "/v1/release", kind: jsonType, body: `{"key":` + quoted + `,"owner":"run-1","error":"` + secretError + `"}`},
		{path: "/v1/done", kind: jsonType, body: `{"key":"` + secretKey + `-form","token":"1.` + secretPayload + `"}`},
		{path: "/v1/done", kind: jsonType, body: `{"key":` + quoted + `,"owner":"nobody","result":{"id":"` + secretResult + `"}}`},
		{path: "/v1/done", kind: jsonType, body: `{"rule":"shop","key":` + quoted + `,"owner":"nobody"}`},
		{path: "/v1/claim", kind: jsonType, body: `{"key":` + quoted + `,}`},
		{path: "/v1/claim", kind: jsonType, body: `{` + quoted + `:1,"key":"a"}`},
		{path: "/v1/claim", kind: jsonType, body: strings.Repeat(secretPayload, 20_000)},
		{path: "/v1/claim", kind: "text/" + secretPayload, body: quoted},
		{path: "/v1/claim", kind: jsonType, body: quoted, header: []string{"Host", "jane.doe@example.com"}},
		{path: "/v1/claim", kind: jsonType, body: quoted, header: []string{"Authorization", "Bearer " + secretGuess}},
		{path: "/v1/claim?token=" + secretGuess + "&key=" + url.QueryEscape(secretKey), header: []string{"Authorization", ""}},
		{path: "/v1/rules/" + url.PathEscape(secretKey) + "/claim", kind: jsonType, body: event},
		{path: "/v1/rules/" + strings.ToLower(secretGuess) + "/claim", kind: jsonType, body: event},
		{path: "/v1/rules/" + secretPayload + "/claim", kind: jsonType, body: event},
		{path: "/v1/claims/" + url.PathEscape(secretKey)},
		{method: http.MethodGet, path: "/v1/claim?key=" + url.QueryEscape(secretKey)},
		{method: http.MethodGet, path: "/v1/keys?prefix=" + url.QueryEscape(secretKey), header: []string{"Authorization", "Bearer " + h.admin}},
		{method: http.MethodGet, path: "/v1/keys/one?key=" + url.QueryEscape(secretKey), header: []string{"Authorization", "Bearer " + h.admin}},
		{method: http.MethodGet, path: "/v1/keys?prefix=" + url.QueryEscape(secretKey)},
		{method: http.MethodGet, path: "/metrics", header: []string{"Authorization", "Bearer " + h.admin}},
	} {
		if c.method == "" {
			c.method = http.MethodPost
		}
		a := h.call(c.method, c.path, c.kind, c.body, c.header...)
		for _, found := range grantToken.FindAllStringSubmatch(a.Raw, -1) {
			tokens = append(tokens, found[1])
		}
	}
	if len(tokens) < 8 {
		h.t.Errorf("only %d grants", len(tokens))
	}
	return tokens
}

var grantToken = regexp.MustCompile(`"token":"([^"]+)"`)

// visitAll does what people do on the pages, and returns the secrets that they are given.
func (h *house) visitAll() map[string]string {
	h.t.Helper()
	key := url.QueryEscape(secretKey)
	for _, path := range []string{"/", "/connect", "/keys?q=" + key, "/keys/one?rule=shop&key=" + key, "/keys/one?rule=nope&key=" + key, "/nowhere/" + key} {
		h.page(http.MethodGet, path, nil)
	}
	tried := h.page(http.MethodPost, "/connect/try", url.Values{"act": {"reserve"}, "rule": {"default"}, "key": {secretKey + "-page"}})
	made := h.page(http.MethodPost, "/connect/token", url.Values{"act": {"new"}, "name": {"from the page"}})
	if tried.Code != http.StatusOK || made.Code != http.StatusOK {
		h.t.Fatalf("the pages answered %d and %d", tried.Code, made.Code)
	}
	decided := h.page(http.MethodPost, "/keys/decide", url.Values{"rule": {"shop"}, "key": {secretKey}, "decision": {"finished"}, "why": {secretWhy}, "fence": {"1"}, "state": {"claimed"}})
	if decided.Code != http.StatusOK {
		h.t.Fatalf("decide: %d %.500s", decided.Code, decided.Raw)
	}
	code := strings.TrimSpace(h.must("open", "--print", "--name", "Ana", "--role", "look"))
	code = code[strings.Index(code, "#code=")+len("#code="):]
	req, err := http.NewRequest(http.MethodPost, h.engine.Admin+"/session", strings.NewReader("code="+code))
	if err != nil {
		h.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	opened := h.send(req)
	_, cookie, _ := strings.Cut(opened.Header.Get("Set-Cookie"), "=")
	cookie, _, _ = strings.Cut(cookie, ";")
	return map[string]string{
		"a password made on the page": regexp.MustCompile(`dd_[A-Za-z0-9_-]{43}`).FindString(made.Raw),
		"a one-time code":             code, "a session's cookie": cookie, "a session's header": opened.text("header"),
	}
}

// breakStore has the ledger meet a fault whose cause is logged, with a key in the row
// that it is about.
func (h *house) breakStore() {
	h.t.Helper()
	if h.url == "" {
		if _, err := h.raw().Exec("CREATE TRIGGER no_more BEFORE INSERT ON claims BEGIN SELECT RAISE(ABORT, 'no more'); END"); err != nil {
			h.t.Fatal(err)
		}
	} else {
		pgtest.Exec(h.t, h.url, "ALTER TABLE dedupe.claims ADD CONSTRAINT no_more CHECK (id < 0) NOT VALID")
	}
	if a := h.post("/v1/claim", map[string]any{"key": secretKey + "-fault", "owner": secretPayload}); a.Code < http.StatusInternalServerError || strings.Contains(a.Raw, `"run":true`) {
		h.t.Errorf("a ledger that takes no row: %d %s", a.Code, a.Raw)
	}
}
