package api_test

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestReportsNameTheKeyAsTheClaimDid: by the key as answered, by the same parts,
// by the same event.
func TestReportsNameTheKeyAsTheClaimDid(t *testing.T) {
	h := newHouse(t)
	h.rule(`{"rule":"orders","key":"key(\"shop\", body.id, header(\"X-Shop\"))"}`)
	claims := map[string]call{
		"key":   {path: "/v1/claim", body: `{"rule":"orders","event":{"id":"$"},"headers":{"x-shop":"eu"}}`},
		"part":  {path: "/v1/claim", body: `{"rule":"orders","part":["shop","$","eu"]}`},
		"event": {path: "/v1/rules/orders/claim", body: `{"id":"$"}`, header: []string{"X-Shop", "eu"}},
	}
	names := map[string]string{
		"key":   `"rule":"orders","key":"shop:$:eu"`,
		"part":  `"rule":"orders","part":["shop","$","eu"]`,
		"event": `"rule":"orders","event":{"id":"$"},"headers":{"X-Shop":"eu"}`,
	}
	wants := map[string]string{
		"done":    `{"status":"done","late":false,"already":false,"key":"shop:$:eu","rule":"orders"}`,
		"release": `{"status":"released","already":false,"key":"shop:$:eu","rule":"orders"}`,
		"renew":   `{"status":"claimed","lease_until":"*","key":"shop:$:eu","rule":"orders"}`,
	}
	n := 0
	for claimed, claim := range claims {
		for named, identity := range names {
			for op, want := range wants {
				n++
				r := row{before: []call{claim}, call: call{path: "/v1/" + op, body: "{" + identity + `,"token":"{token}"}`}, code: 200, want: want, lacks: []string{"token", "run"}}
				t.Run(claimed+" then "+op+" by "+named, func(t *testing.T) { h.try(t, n, r) })
			}
		}
	}
}

// TestReportsAsFormAndQuery: the finish step of a no-code tool sends fields too.
func TestReportsAsFormAndQuery(t *testing.T) {
	h := newHouse(t)
	claim := []call{{path: "/v1/claim", body: `{"key":"$","owner":"run 1"}`}}
	finish := func(c call) []call { return append(claim[:1:1], c) }
	drive(t, h, []row{
		{name: "done as form", before: claim, call: call{path: "/v1/done", kind: form, body: `key=$&owner=run+1&result={"id":7}`}, code: 200, want: `{"status":"done"}`},
		{name: "done in the query", before: claim, call: call{path: "/v1/done?key=$&owner=run+1&result=A-7"}, code: 200, want: `{"status":"done"}`},
		{name: "a form's JSON is kept as JSON", before: finish(call{path: "/v1/done", kind: form, body: `key=$&owner=run+1&result={"id":7}`}), call: claim[0], code: 200, want: `{"status":"done","result":{"id":7}}`},
		{name: "a form's text is kept as text", before: finish(call{path: "/v1/done", kind: form, body: `key=$&owner=run+1&result=A-7`}), call: claim[0], code: 200, want: `{"status":"done","result":"A-7"}`},
		{name: "a big number keeps its digits", before: finish(call{path: "/v1/done", body: `{"key":"$","owner":"run 1","result":"x"}`}), call: claim[0], code: 200, want: `{"result":"x"}`},
		{name: "release as form", before: claim, call: call{path: "/v1/release", kind: form, body: `key=$&owner=run+1&error=no+stock&retry_after=60s`}, code: 200, want: `{"status":"released"}`},
		{name: "renew in the query", before: claim, call: call{path: "/v1/renew?key=$&owner=run+1&lease=1h"}, code: 200, want: `{"status":"claimed","lease_until":"2026-11-30T13:00:00.000Z"}`},
	})
	h.send(call{path: "/v1/claim", body: `{"key":"digits","owner":"o"}`})
	h.send(call{path: "/v1/done", body: `{"key":"digits","owner":"o","result":{"id":12345678901234567890123}}`})
	if a := h.send(call{path: "/v1/claim", body: `{"key":"digits"}`}); !strings.Contains(a.raw, `"result":{"id":12345678901234567890123}`) {
		t.Errorf("the stored result came back as %s", a.raw)
	}
}

// TestReportAnswers: DESIGN 3.1's table as far as reports go, with its codes.
func TestReportAnswers(t *testing.T) {
	h := newHouse(t)
	claim := call{path: "/v1/claim", body: `{"key":"$","owner":"A"}`}
	other := call{path: "/v1/claim", body: `{"key":"$","owner":"B"}`}
	report := func(op, more string) call {
		return call{path: "/v1/" + op, body: `{"key":"$","owner":"A"` + more + `}`}
	}
	const lease = 900 * time.Second
	drive(t, h, []row{
		{name: "Peers11 done twice keeps the first result", before: []call{claim, report("done", `,"result":1`)}, call: report("done", `,"result":2`), code: 200, want: `{"status":"done","already":true,"result":1}`},
		{name: "done late", before: []call{claim}, wait: lease, call: report("done", ""), code: 200, want: `{"status":"done","late":true,"already":false}`},
		{name: "Peers12 release twice", before: []call{claim, report("release", "")}, call: report("release", ""), code: 200, want: `{"status":"released","already":true,"attempt":1}`},
		{name: "Peers15 release after done", before: []call{claim, report("done", "")}, call: report("release", ""), code: 409, want: `{"code":"closed"}`},
		{name: "renew after done", before: []call{claim, report("done", "")}, call: report("renew", ""), code: 409, want: `{"code":"closed"}`},
		{name: "Peers14 the token of another key", before: []call{claim}, call: call{path: "/v1/done", body: `{"key":"$","token":"1.AAAAAAAAAAAAAAAAAAAAAA"}`}, code: 409, want: `{"code":"stale"}`},
		{name: "another owner", before: []call{claim}, call: call{path: "/v1/release", body: `{"key":"$","owner":"B"}`}, code: 409, want: `{"code":"stale"}`},
		{name: "neither token nor owner", before: []call{claim}, call: call{path: "/v1/done", body: `{"key":"$"}`}, code: 400, want: `{"code":"invalid","field":"token"}`},
		{name: "no key", call: call{path: "/v1/done", body: `{"owner":"A"}`}, code: 400, want: `{"field":"key"}`},
		{name: "a wait that is no time", before: []call{claim}, call: report("release", `,"retry_after":-1`), code: 400, want: `{"field":"retry_after"}`},
		{name: "an error that is null", before: []call{claim}, call: report("release", `,"error":null`), code: 200, want: `{"status":"released"}`},
		{name: "a result over 8 KB", before: []call{claim}, call: report("done", `,"result":"`+strings.Repeat("a", 8<<10)+`"`), code: 400, want: `{"field":"result"}`},
		{name: "renew from now", before: []call{claim}, call: report("renew", `,"lease":"2m"`), code: 200, want: `{"status":"claimed","already":false,"lease_until":"*","fence":1,"attempt":1}`, lacks: []string{"token"}},
		{name: "done after a takeover", before: []call{claim}, wait: lease, call: other, code: 200, want: `{"took_over":true}`},
	})
	h.send(call{path: "/v1/claim", body: `{"key":"over","owner":"A"}`})
	h.clock.Step(lease)
	h.send(call{path: "/v1/claim", body: `{"key":"over","owner":"B"}`})
	for _, op := range []string{"done", "release", "renew"} {
		a := h.send(call{path: "/v1/" + op, body: `{"key":"over","owner":"A"}`})
		if a.code != http.StatusConflict || a.text("code") != "stale" || a.members["run"] != false {
			t.Errorf("Peers09 %s by the one who lost it: %d %s", op, a.code, a.raw)
		}
	}
}

// TestWorkBegunBeforeItsRuleWasArchivedIsReported: the work did happen.
func TestWorkBegunBeforeItsRuleWasArchivedIsReported(t *testing.T) {
	h := newHouse(t)
	h.rule(`{"rule":"orders","key":"key(body.id)"}`)
	a := h.send(call{path: "/v1/claim", body: `{"rule":"orders","key":"a"}`})
	h.send(call{method: http.MethodDelete, path: "/v1/rules/orders", as: h.admin})
	if d := h.send(call{path: "/v1/done", body: `{"rule":"orders","key":"a","token":"` + a.text("token") + `"}`}); d.code != 200 || d.text("status") != "done" {
		t.Errorf("done under an archived rule: %d %s", d.code, d.raw)
	}
}
