package api_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"dedupedesk/ledger"
)

// TestPeers69Passwords: none, wrong, too weak, replaced, taken back.
func TestPeers69Passwords(t *testing.T) {
	h, other := newHouse(t), newHouse(t)
	claim := call{path: "/v1/claim", body: `{"key":"$"}`}
	with := func(c call, as string, header ...string) call {
		c.as, c.header = as, header
		return c
	}
	drive(t, h, []row{
		{name: "none", call: with(claim, "none"), code: 401, want: `{"code":"no_token","run":false}`},
		{name: "wrong", call: with(claim, "dd_wrong"), code: 401, want: `{"code":"wrong_token","run":false}`},
		{name: "of another ledger", call: with(claim, other.claim), code: 401, want: `{"code":"wrong_token","run":false}`},
		{name: "the operator's of another ledger", call: with(claim, other.admin), code: 401, want: `{"code":"wrong_token","run":false}`},
		{name: "cut short", call: with(claim, h.claim[:len(h.claim)-1]), code: 401, want: `{"code":"wrong_token"}`},
		{name: "longer", call: with(claim, h.claim+"A"), code: 401, want: `{"code":"wrong_token"}`},
		{name: "very long", call: with(claim, "dd_"+strings.Repeat("A", 10_000)), code: 401, want: `{"code":"wrong_token"}`},
		{name: "another scheme", call: with(claim, "none", "Authorization", "Basic "+h.claim), code: 401, want: `{"code":"wrong_token"}`},
		{name: "in the address, where logs would keep it", call: with(call{path: "/v1/claim?token=" + h.claim, body: `{"key":"a"}`}, "none"), code: 401},
		{name: "as X-Api-Key", call: with(claim, "none", "X-Api-Key", h.claim), code: 200, want: `{"status":"claimed"}`},
		{name: "in small letters", call: with(claim, "none", "Authorization", "bearer "+h.claim), code: 200},
		{name: "the admin's may claim too", call: with(claim, h.admin), code: 200, want: `{"status":"claimed"}`},
	})
	for n, c := range []call{
		{method: http.MethodGet, path: "/v1/keys"}, {method: http.MethodGet, path: "/v1/keys/one?key=a"},
		{method: http.MethodGet, path: "/v1/rules"}, {method: http.MethodGet, path: "/v1/rules/default"},
		{method: http.MethodPut, path: "/v1/rules/x", body: `{"rule":"x","key":"key(body.id)"}`},
		{method: http.MethodDelete, path: "/v1/rules/x"},
	} {
		r := row{call: c, code: 403, want: `{"code":"not_allowed","run":false}`}
		t.Run("claim's on "+c.method+c.path, func(t *testing.T) { h.try(t, n, r) })
		r = row{call: with(c, "none"), code: 401, want: `{"code":"no_token"}`}
		t.Run("none on "+c.method+c.path, func(t *testing.T) { h.try(t, n, r) })
	}
	for n, path := range []string{"/healthz", "/readyz"} {
		r := row{call: call{method: http.MethodGet, path: path, as: "none"}, code: 200, want: `{"status":"*"}`}
		t.Run(path, func(t *testing.T) { h.try(t, n, r) })
	}
}

// TestPeers69Rotation: the old password works through the overlap and not after.
func TestPeers69Rotation(t *testing.T) {
	h := newHouse(t)
	if err := h.ledger.RevokeToken(t.Context(), "flow", 24*time.Hour); err != nil {
		t.Fatal(err)
	}
	fresh := h.password("flow", ledger.ScopeClaim)
	claim := func(as string) call { return call{path: "/v1/claim", body: `{"key":"$"}`, as: as} }
	drive(t, h, []row{
		{name: "old inside the overlap", wait: 24*time.Hour - time.Millisecond, call: claim(h.claim), code: 200},
		{name: "new inside the overlap", call: claim(fresh), code: 200},
		{name: "old after", wait: time.Millisecond, call: claim(h.claim), code: 401, want: `{"code":"wrong_token"}`},
		{name: "new after", call: claim(fresh), code: 200},
	})
	if err := h.ledger.RevokeToken(t.Context(), "flow", 0); err != nil {
		t.Fatal(err)
	}
	drive(t, h, []row{{name: "taken back", call: claim(fresh), code: 401, want: `{"code":"wrong_token"}`}})
}

// TestPublishedNameServesTheListedRoutesOnly: under another name, and under this
// computer's own where a proxy handed the call on.
func TestPublishedNameServesTheListedRoutesOnly(t *testing.T) {
	h := newHouse(t)
	h.rule(`{"rule":"shop","key":"key(body.id)"}`)
	ways := map[string][]string{
		"public name":           {"Host", "api.example.com"},
		"public name and port":  {"Host", "API.Example.com:8443"},
		"X-Forwarded-For":       {"X-Forwarded-For", "203.0.113.9"},
		"X-Forwarded-Host":      {"X-Forwarded-Host", "x.trycloudflare.com"},
		"X-Forwarded-Proto":     {"X-Forwarded-Proto", "https"},
		"Forwarded":             {"Forwarded", "for=203.0.113.9"},
		"Via":                   {"Via", "1.1 proxy"},
		"Cloudflare":            {"Cf-Connecting-Ip", "203.0.113.9"},
		"public name forwarded": {"Host", "api.example.com", "X-Forwarded-For", "203.0.113.9"},
	}
	n := 0
	for way, header := range ways {
		for _, r := range []row{
			{name: "claim", call: call{path: "/v1/claim", body: `{"key":"$"}`}, code: 200},
			{name: "rule's claim", call: call{path: "/v1/rules/shop/claim", body: `{"id":"$"}`}, code: 200},
			{name: "done", before: []call{{path: "/v1/claim", body: `{"key":"$"}`}}, call: call{path: "/v1/done", body: `{"key":"$","token":"{token}"}`}, code: 200},
			{name: "release", before: []call{{path: "/v1/claim", body: `{"key":"$"}`}}, call: call{path: "/v1/release", body: `{"key":"$","token":"{token}"}`}, code: 200},
			{name: "renew", before: []call{{path: "/v1/claim", body: `{"key":"$"}`}}, call: call{path: "/v1/renew", body: `{"key":"$","token":"{token}"}`}, code: 200},
			{name: "batch", call: call{path: "/v1/batch", body: `{"op":"claim","items":[{"key":"$"}]}`}, code: 200},
			{name: "healthz", call: call{method: http.MethodGet, path: "/healthz", as: "none"}, code: 200},
			{name: "still with a password", call: call{path: "/v1/claim", body: `{"key":"$"}`, as: "none"}, code: 401},
			{name: "readyz", call: call{method: http.MethodGet, path: "/readyz"}, code: 404, want: `{"code":"no_such_address"}`},
			{name: "keys", call: call{method: http.MethodGet, path: "/v1/keys", as: h.admin}, code: 404, want: `{"code":"no_such_address"}`},
			{name: "one key", call: call{method: http.MethodGet, path: "/v1/keys/one?key=a", as: h.admin}, code: 404},
			{name: "rules", call: call{method: http.MethodGet, path: "/v1/rules", as: h.admin}, code: 404},
			{name: "a rule", call: call{method: http.MethodGet, path: "/v1/rules/shop", as: h.admin}, code: 404},
			{name: "put", call: call{method: http.MethodPut, path: "/v1/rules/shop", body: `{}`, as: h.admin}, code: 404},
			{name: "archive", call: call{method: http.MethodDelete, path: "/v1/rules/shop", as: h.admin}, code: 404},
		} {
			n++
			r.header = header
			t.Run(way+" "+r.name, func(t *testing.T) { h.try(t, n, r) })
		}
	}
	if a := h.send(call{method: http.MethodGet, path: "/v1/rules/shop", as: h.admin}); a.code != 200 {
		t.Errorf("the rule is gone: %d %s", a.code, a.raw)
	}
}

// TestCallsAreRemembered without key, event and password, for the Connect page.
func TestCallsAreRemembered(t *testing.T) {
	h := newHouse(t)
	h.rule(`{"rule":"shop","key":"key(body.id)"}`)
	h.send(call{path: "/v1/rules/shop/claim", body: `{"id":"secret-key"}`})
	h.send(call{path: "/v1/claim", body: `{"key":" "}`})
	h.send(call{method: http.MethodGet, path: "/healthz", as: "none"})
	got := h.calls.Newest(2)
	if len(got) != 2 || got[0].Status != 400 || got[0].Answer != "invalid" || got[0].Route != "POST /v1/claim" {
		t.Errorf("the newest calls are %+v", got)
	}
	if got[1].Rule != "shop" || got[1].Answer != "claimed" || got[1].Status != 200 || !got[1].At.Equal(noon) {
		t.Errorf("the claim is remembered as %+v", got[1])
	}
	claimed := got[1].Code
	h.send(call{path: "/v1/done", body: `{"rule":"shop","key":"secret-key","token":"1.x"}`})
	h.send(call{path: "/v1/rules/shop/claim", body: `{"id":"another"}`})
	h.send(call{path: "/v1/batch", body: `{"op":"done","items":[{"rule":"shop","key":"secret-key","token":"1.x"}]}`})
	got = h.calls.Newest(3)
	if claimed == "" || got[2].Rule != "shop" || got[2].Answer != "stale" || got[2].Code != claimed {
		t.Errorf("a refused report on the same key is remembered as %+v, the claim under %q", got[2], claimed)
	}
	if got[1].Code == claimed || got[0].Code != "" {
		t.Errorf("another key and a batch are remembered as %+v", got[:2])
	}
}
