package guard_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"dedupedesk/app/guard"
)

func itoa(n int) string { return strconv.Itoa(n) }

func nowForever() time.Time { return time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC) }

// A row is one raw request and the answer that it has to get.
type row struct {
	name  string
	lines []string
	body  string
	code  int
	says  string // the problem's code; "" where the handler is reached
}

const (
	asJSON  = "Content-Type: application/json"
	asForm  = "Content-Type: application/x-www-form-urlencoded"
	asClaim = "Authorization: Bearer dd_claim"
	asAdmin = "Authorization: Bearer dd_admin"
)

// drive wants each answer, and that a refused request reached no handler.
func drive(t *testing.T, h *house, rows []row) {
	t.Helper()
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			before := h.reached.Load()
			resp := h.send(t, r.lines, r.body)
			raw, _ := io.ReadAll(resp.Body)
			if resp.StatusCode != r.code {
				t.Fatalf("%d %s, want %d", resp.StatusCode, raw, r.code)
			}
			if n := h.reached.Load() - before; (n == 1) != (r.says == "") {
				t.Errorf("the handler was reached %d times", n)
			}
			if resp.Header.Get("X-Content-Type-Options") != "nosniff" {
				t.Error("the answer lacks nosniff")
			}
			for _, name := range []string{"Access-Control-Allow-Origin", "Access-Control-Allow-Credentials", "Set-Cookie", "Location"} {
				if got := resp.Header.Get(name); got != "" {
					t.Errorf("the answer has %s: %s", name, got)
				}
			}
			if r.says == "" {
				return
			}
			var p struct {
				Code, Type, Detail string
				Status             int
				Run                *bool
			}
			if err := json.Unmarshal(raw, &p); err != nil || resp.Header.Get("Content-Type") != "application/problem+json" {
				t.Fatalf("not problem details: %v %s", err, raw)
			}
			if p.Code != r.says || p.Type != "urn:dedupe-desk:problem:"+r.says || p.Detail == "" || p.Status != r.code || p.Run == nil || *p.Run {
				t.Errorf("%s, want the code %s and run false", raw, r.says)
			}
		})
	}
}

// TestAPIHosts: a name that was rebound to this computer reaches nothing.
func TestAPIHosts(t *testing.T) {
	h := newAPI(t)
	health := func(more ...string) []string { return append([]string{"GET /healthz"}, more...) }
	drive(t, h, []row{
		{name: "127.0.0.1", lines: health(), code: 200},
		{name: "localhost", lines: health("Host: localhost:$PORT"), code: 200},
		{name: "in capitals", lines: health("Host: LOCALHOST:$PORT"), code: 200},
		{name: "::1", lines: health("Host: [::1]:$PORT"), code: 200},
		{name: "published, without port", lines: health("Host: api.example.com"), code: 200},
		{name: "published, another port", lines: health("Host: Api.Example.com:8443"), code: 200},
		{name: "rebound", lines: health("Host: evil.example:$PORT"), code: 421, says: "wrong_host"},
		{name: "rebound, before the password", lines: []string{"POST /claim", "Host: evil.example", asClaim, asJSON}, body: "{}", code: 421, says: "wrong_host"},
		{name: "ends like a local name", lines: health("Host: evil.localhost:$PORT"), code: 421, says: "wrong_host"},
		{name: "begins like a local name", lines: health("Host: 127.0.0.1.evil.example:$PORT"), code: 421, says: "wrong_host"},
		{name: "below a published name", lines: health("Host: x.api.example.com"), code: 421, says: "wrong_host"},
		{name: "right name, wrong port", lines: health("Host: 127.0.0.1:1"), code: 421, says: "wrong_host"},
		{name: "right name, no port", lines: health("Host: 127.0.0.1"), code: 421, says: "wrong_host"},
		{name: "0.0.0.0", lines: health("Host: 0.0.0.0:$PORT"), code: 421, says: "wrong_host"},
		{name: "empty", lines: health("Host:"), code: 421, says: "wrong_host"},
		{name: "another host in the request line", lines: []string{"GET http://evil.example/healthz"}, code: 421, says: "wrong_host"},
		{name: "an address that is none, rebound", lines: []string{"GET /nope", "Host: evil.example"}, code: 421, says: "wrong_host"},
	})
}

// TestAPIForwardedMeansPublished, whatever the proxy calls it.
func TestAPIForwardedMeansPublished(t *testing.T) {
	h := newAPI(t)
	var rows []row
	for _, mark := range []string{
		"X-Forwarded-For: 203.0.113.9", "X-Forwarded-Host: a.example", "X-Forwarded-Proto: https", "x-forwarded-server: a", "X-Forwarded: for=203.0.113.9",
		"Forwarded: for=203.0.113.9", "Via: 1.1 proxy", "X-Real-IP: 203.0.113.9", "X-Original-Host: a.example", "CF-Connecting-IP: 203.0.113.9",
		"CF-Ray: 1", "Ngrok-Trace-Id: 1", "True-Client-IP: 203.0.113.9", "Tailscale-User-Login: a", "Host: api.example.com",
	} {
		rows = append(rows,
			row{name: "claim " + mark, lines: []string{"POST /claim", asClaim, asJSON, mark}, body: "{}", code: 200},
			row{name: "health " + mark, lines: []string{"GET /healthz", mark}, code: 200},
			row{name: "keys " + mark, lines: []string{"GET /keys", asAdmin, mark}, code: 404, says: "no_such_address"},
			row{name: "rule " + mark, lines: []string{"PUT /rule", asAdmin, asJSON, mark}, body: "{}", code: 404, says: "no_such_address"})
	}
	drive(t, h, append(rows, row{name: "keys here", lines: []string{"GET /keys", asAdmin}, code: 200}))
}

// TestPeers68CrossSite: no page of another site gets anything done, with or
// without a preflight.
func TestPeers68CrossSite(t *testing.T) {
	h := newAPI(t)
	claim := func(more ...string) []string { return append([]string{"POST /claim", asClaim}, more...) }
	drive(t, h, []row{
		{name: "no preflight, text", lines: claim("Content-Type: text/plain", "Origin: https://evil.example", "Sec-Fetch-Site: cross-site"), body: `{"key":"a"}`, code: 403, says: "cross_origin"},
		{name: "text without the browser's headers", lines: claim("Content-Type: text/plain"), body: `{"key":"a"}`, code: 415, says: "wrong_type"},
		{name: "form", lines: claim(asForm, "Origin: https://evil.example"), body: "key=a", code: 403, says: "cross_origin"},
		{name: "null origin", lines: claim(asForm, "Origin: null"), body: "key=a", code: 403, says: "cross_origin"},
		{name: "same site", lines: claim(asForm, "Sec-Fetch-Site: same-site"), body: "key=a", code: 403, says: "cross_origin"},
		{name: "cross site without an origin", lines: claim(asForm, "Sec-Fetch-Site: cross-site"), body: "key=a", code: 403, says: "cross_origin"},
		{name: "a page of another port here", lines: claim(asForm, "Origin: http://127.0.0.1:1"), body: "key=a", code: 403, says: "cross_origin"},
		{name: "preflight", lines: []string{"OPTIONS /claim", "Origin: https://evil.example", "Access-Control-Request-Method: POST"}, code: 403, says: "cross_origin"},
		{name: "reading", lines: []string{"GET /keys", asAdmin, "Origin: https://evil.example"}, code: 403, says: "cross_origin"},
		{name: "a program", lines: claim(asForm), body: "key=a", code: 200},
	})
}

func TestAPIProof(t *testing.T) {
	h := newAPI(t)
	drive(t, h, []row{
		{name: "open", lines: []string{"GET /healthz"}, code: 200},
		{name: "no password", lines: []string{"POST /claim"}, code: 401, says: "no_token"},
		{name: "an empty one", lines: []string{"POST /claim", "X-Api-Key:  "}, code: 401, says: "no_token"},
		{name: "a wrong one", lines: []string{"POST /claim", "Authorization: Bearer dd_other"}, code: 401, says: "wrong_token"},
		{name: "another scheme", lines: []string{"POST /claim", "Authorization: Basic dd_claim"}, code: 401, says: "wrong_token"},
		{name: "bearer alone", lines: []string{"POST /claim", "Authorization: Bearer"}, code: 401, says: "no_token"},
		{name: "in the address", lines: []string{"POST /claim?token=dd_claim&key=dd_claim"}, code: 401, says: "no_token"},
		{name: "claim's", lines: []string{"POST /claim", asClaim}, code: 200},
		{name: "as X-Api-Key", lines: []string{"POST /claim", "X-Api-Key: dd_claim"}, code: 200},
		{name: "admin's claims too", lines: []string{"POST /claim", asAdmin}, code: 200},
		{name: "Peers69 claim's on an admin route", lines: []string{"GET /keys", asClaim}, code: 403, says: "not_allowed"},
		{name: "admin's", lines: []string{"GET /keys", asAdmin}, code: 200},
		{name: "that cannot be looked up", lines: []string{"POST /claim", "Authorization: Bearer dd_broken"}, code: 503, says: "busy"},
		{name: "wrong method", lines: []string{"GET /claim", asClaim}, code: 405, says: "wrong_method"},
		{name: "no such address", lines: []string{"GET /claims", asClaim}, code: 404, says: "no_such_address"},
		{name: "the password before the body", lines: []string{"POST /claim", "Content-Type: text/plain"}, body: "x", code: 401, says: "no_token"},
	})
	if resp := h.send(t, []string{"POST /claim", "Authorization: Bearer dd_broken"}, ""); resp.Header.Get("Retry-After") != "2" {
		t.Errorf("Retry-After is %q", resp.Header.Get("Retry-After"))
	}
	if resp := h.send(t, []string{"PATCH /rule", asAdmin}, ""); resp.Header.Get("Allow") != "PUT" {
		t.Errorf("Allow is %q", resp.Header.Get("Allow"))
	}
}

// chunked returns body in chunks of 1 KB, so that its length is not told before.
func chunked(body string) string {
	var b strings.Builder
	for len(body) > 0 {
		n := min(1024, len(body))
		fmt.Fprintf(&b, "%x\r\n%s\r\n", n, body[:n])
		body = body[n:]
	}
	return b.String() + "0\r\n\r\n"
}

// TestPeers70Bodies: the limit, one more, and one more that does not say so.
func TestPeers70Bodies(t *testing.T) {
	h := newAPI(t)
	const inChunks = "Transfer-Encoding: chunked"
	claim, rule := []string{"POST /claim", asClaim, asJSON}, []string{"PUT /rule", asAdmin, asJSON}
	full, sample := strings.Repeat("a", guard.MaxClaimBody), strings.Repeat("a", guard.MaxSampleBody)
	drive(t, h, []row{
		{name: "limit", lines: claim, body: full, code: 200},
		{name: "limit+1", lines: claim, body: full + "a", code: 413, says: "too_large"},
		{name: "limit in chunks", lines: append(claim, inChunks), body: chunked(full), code: 200},
		{name: "sample's limit", lines: rule, body: sample, code: 200},
		{name: "sample's limit+1", lines: rule, body: sample + "a", code: 413, says: "too_large"},
		{name: "no type", lines: []string{"POST /claim", asClaim}, body: "{}", code: 415, says: "wrong_type"},
		{name: "XML", lines: []string{"POST /claim", asClaim, "Content-Type: application/xml"}, body: "<a/>", code: 415, says: "wrong_type"},
		{name: "no type in chunks", lines: []string{"POST /claim", asClaim, inChunks}, body: chunked("{}"), code: 415, says: "wrong_type"},
		{name: "no body, no type", lines: []string{"POST /claim", asClaim}, code: 200},
		{name: "event type", lines: []string{"POST /claim", asClaim, "Content-Type: application/cloudevents+json; charset=utf-8"}, body: "{}", code: 200},
	})
	// In chunks the size shows only while the handler reads.
	for name, lines := range map[string][]string{"claim": append(claim, inChunks), "rule": append(rule, inChunks)} {
		if resp := h.send(t, lines, chunked(sample+"a")); resp.StatusCode != http.StatusRequestEntityTooLarge {
			t.Errorf("%s, a body too large in chunks: %d", name, resp.StatusCode)
		}
	}
}
