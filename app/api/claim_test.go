package api_test

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestJSONFormAndQueryMeanTheSame: no-code tools make broken JSON by hand, so
// every field can be sent in three ways.
func TestJSONFormAndQueryMeanTheSame(t *testing.T) {
	h := newHouse(t)
	h.rule(`{"rule":"orders","key":"key(\"shop\", body.id)"}`)
	drive(t, h, []row{
		{name: "key in JSON", call: call{path: "/v1/claim", body: `{"key":"$","owner":"run 1","lease":90}`}, code: 200, want: `{"key":"$","rule":"default","lease_until":"2026-11-30T12:01:30.000Z"}`},
		{name: "key in a form", call: call{path: "/v1/claim", kind: form, body: "key=$&owner=run+1&lease=90"}, code: 200, want: `{"key":"$","rule":"default","lease_until":"2026-11-30T12:01:30.000Z"}`},
		{name: "key in the query", call: call{path: "/v1/claim?key=$&owner=run+1&lease=90s"}, code: 200, want: `{"key":"$","rule":"default","lease_until":"2026-11-30T12:01:30.000Z"}`},
		{name: "key in JSON, the rest in the query", call: call{path: "/v1/claim?lease=90", body: `{"key":"$"}`}, code: 200, want: `{"lease_until":"2026-11-30T12:01:30.000Z"}`},
		{name: "both, and the same", call: call{path: "/v1/claim?key=$", body: `{"key":"$"}`}, code: 200, want: `{"key":"$"}`},
		{name: "both, and the same number", call: call{path: "/v1/claim?lease=90", body: `{"key":"$","lease":90}`}, code: 200, want: `{"key":"$"}`},
		{name: "both, and different", call: call{path: "/v1/claim?owner=b", body: `{"key":"$","owner":"a"}`}, code: 400, want: `{"code":"invalid","field":"owner"}`},
		{name: "a form field twice", call: call{path: "/v1/claim", kind: form, body: "key=$&key=b"}, code: 400, want: `{"code":"invalid","field":"key"}`},
		{name: "a query field twice", call: call{path: "/v1/claim?key=$&owner=a&owner=b"}, code: 400, want: `{"field":"owner"}`},
		{name: "parts in JSON", call: call{path: "/v1/claim", body: `{"part":["$","a:b",42]}`}, code: 200, want: `{"key":"$:a%3Ab:42"}`},
		{name: "parts in a form", call: call{path: "/v1/claim", kind: form, body: "part=$&part=a%3Ab&part=42"}, code: 200, want: `{"key":"$:a%3Ab:42"}`},
		{name: "part[] in a form", call: call{path: "/v1/claim", kind: form, body: "part[]=$&part[]=a%3Ab&part[]=42"}, code: 200, want: `{"key":"$:a%3Ab:42"}`},
		{name: "parts in the query", call: call{path: "/v1/claim?part=$&part=a%3Ab&part=42"}, code: 200, want: `{"key":"$:a%3Ab:42"}`},
		{name: "one part that is no list", call: call{path: "/v1/claim", body: `{"part":"$"}`}, code: 200, want: `{"key":"$"}`},
		{name: "parts in body and query", call: call{path: "/v1/claim?part=b", body: `{"part":["$"]}`}, code: 400, want: `{"field":"part"}`},
		{name: "event in JSON", call: call{path: "/v1/claim", body: `{"rule":"orders","event":{"id":"$"}}`}, code: 200, want: `{"key":"shop:$","rule":"orders"}`},
		{name: "event in a form", call: call{path: "/v1/claim", kind: form, body: `rule=orders&event={"id":"$"}`}, code: 200, want: `{"key":"shop:$","rule":"orders"}`},
		{name: "event in the query", call: call{path: `/v1/claim?rule=orders&event=%7B%22id%22:%22$%22%7D`}, code: 200, want: `{"key":"shop:$","rule":"orders"}`},
		{name: "broken event in a form", call: call{path: "/v1/claim", kind: form, body: `rule=orders&event={"id":`}, code: 400, want: `{"field":"event"}`},
		{name: "JSON with a suffix", call: call{path: "/v1/claim", kind: "application/cloudevents+json; charset=utf-8", body: `{"key":"$"}`}, code: 200, want: `{"key":"$"}`},
		{name: "fields in multipart", call: call{path: "/v1/claim", kind: "multipart/form-data; boundary=x", body: "--x--"}, code: 400, want: `{"field":"body"}`},
		{name: "an empty body with the query", call: call{path: "/v1/claim?key=$", body: "  \n"}, code: 200, want: `{"key":"$"}`},
	})
}

// TestPeers60UnknownMembersAreRefusedByName on every route that takes members.
func TestPeers60UnknownMembersAreRefusedByName(t *testing.T) {
	h := newHouse(t)
	for n, path := range []string{"/v1/claim", "/v1/done", "/v1/release", "/v1/renew", "/v1/batch"} {
		for _, r := range []row{
			{name: "body", call: call{path: path, body: `{"leese":9}`}},
			{name: "query", call: call{path: path + "?leese=9", body: `{}`}},
			{name: "form", call: call{path: path, kind: form, body: "leese=9"}},
		} {
			r.code, r.want = 400, `{"code":"invalid","field":"leese"}`
			t.Run(path+" "+r.name, func(t *testing.T) { h.try(t, n, r) })
		}
	}
	for n, path := range []string{
		"GET /v1/keys?leese=9", "GET /v1/keys/one?key=a&leese=9", "GET /v1/rules?leese=9", "GET /v1/rules/default?leese=9",
		"PUT /v1/rules/new?leese=9", "DELETE /v1/rules/default?leese=9",
		"GET /healthz?leese=9", "GET /readyz?leese=9", "GET /openapi.json?leese=9", "GET /swagger.json?leese=9",
	} {
		method, at, _ := strings.Cut(path, " ")
		r := row{call: call{method: method, path: at, as: h.admin}, code: 400, want: `{"code":"invalid","field":"leese"}`}
		if method == http.MethodPut {
			r.body = `{"rule":"new","key":"key(body.id)"}`
		}
		t.Run(path, func(t *testing.T) { h.try(t, n, r) })
	}
	if n := h.count("default"); n != 0 {
		t.Errorf("%d keys were made by refused calls", n)
	}
}

// TestTextThatIsNotUTF8 is told as that, wherever it stands, and makes no key.
func TestTextThatIsNotUTF8(t *testing.T) {
	h := newHouse(t)
	h.rule(`{"rule":"orders","key":"key(\"shop\", body.id)"}`)
	for n, r := range []row{
		{name: "key in a form", call: call{path: "/v1/claim", kind: form, body: "key=caf%E9"}, want: `{"field":"key"}`},
		{name: "key in a form, as it is", call: call{path: "/v1/claim", kind: form, body: "key=caf\xe9"}, want: `{"field":"key"}`},
		{name: "key in the address", call: call{path: "/v1/claim?key=caf%E9"}, want: `{"field":"key"}`},
		{name: "a name in a form", call: call{path: "/v1/claim", kind: form, body: "caf%E9=1"}, want: `{"field":"caf\ufffd"}`},
		{name: "one of several parts", call: call{path: "/v1/claim", kind: form, body: "part=a&part=caf%E9"}, want: `{"field":"part"}`},
		{name: "a numbered part", call: call{path: "/v1/claim", kind: form, body: "part.1=a&part.2=caf%E9"}, want: `{"field":"part.2"}`},
		{name: "owner", call: call{path: "/v1/done", kind: form, body: "key=a&owner=caf%E9"}, want: `{"field":"owner"}`},
		{name: "the header", call: call{path: "/v1/claim", header: []string{"Idempotency-Key", "caf\xe9"}}, want: `{"field":"Idempotency-Key"}`},
		{name: "JSON", call: call{path: "/v1/claim", body: "{\"key\":\"caf\xe9\"}"}, want: `{"field":"body"}`},
		{name: "an event as a form", call: call{path: "/v1/rules/orders/claim", kind: form, body: "id=caf%E9"}, want: `{"field":"body"}`},
		{name: "an event's address", call: call{path: "/v1/rules/orders/claim?who=caf%E9", body: `{"id":1}`}, want: `{"field":"who"}`},
		{name: "a search", call: call{method: http.MethodGet, path: "/v1/keys?prefix=caf%E9", as: h.admin}, want: `{"field":"prefix"}`},
	} {
		r.code = 400
		t.Run(r.name, func(t *testing.T) {
			if a := h.try(t, n, r); !strings.Contains(a.text("detail"), "not UTF-8") {
				t.Errorf("it says %q", a.text("detail"))
			}
		})
	}
	if n := h.count("default") + h.count("orders"); n != 0 {
		t.Errorf("%d keys were made by refused calls", n)
	}
}

func TestExactlyOneOfKeyPartEvent(t *testing.T) {
	h := newHouse(t)
	h.rule(`{"rule":"orders","key":"key(\"shop\", body.id)"}`)
	drive(t, h, []row{
		{name: "none", call: call{path: "/v1/claim"}, code: 400, want: `{"field":"key"}`},
		{name: "key and part", call: call{path: "/v1/claim", body: `{"key":"a","part":["b"]}`}, code: 400, want: `{"field":"key"}`},
		{name: "key and event", call: call{path: "/v1/claim", body: `{"rule":"orders","key":"a","event":{"id":1}}`}, code: 400, want: `{"field":"key"}`},
		{name: "headers without event", call: call{path: "/v1/claim", body: `{"key":"a","headers":{"X-A":"1"}}`}, code: 400, want: `{"field":"headers"}`},
		{name: "headers that are no object", call: call{path: "/v1/claim", body: `{"rule":"orders","event":{"id":1},"headers":["X-A"]}`}, code: 400, want: `{"field":"headers"}`},
		{name: "an empty list of parts", call: call{path: "/v1/claim", body: `{"part":[]}`}, code: 400, want: `{"field":"part"}`},
		{name: "parts as an object", call: call{path: "/v1/claim", body: `{"part":{"a":"b"}}`}, code: 400, want: `{"field":"part"}`},
		{name: "event for a rule without a formula", call: call{path: "/v1/claim", body: `{"event":{"id":1}}`}, code: 400, want: `{"field":"event"}`},
		{name: "a body that is no object", call: call{path: "/v1/claim", body: `["a"]`}, code: 400, want: `{"field":"body"}`},
		{name: "a query that cannot be read", call: call{path: "/v1/claim?key=%zz"}, code: 400, want: `{"field":"query"}`},
	})
	if n := h.count("default") + h.count("orders"); n != 0 {
		t.Errorf("%d keys were made by refused calls", n)
	}
}

// TestPeers31EmptyPartsNameThemselves: nothing that is empty is a key, and the
// two values that other tools take for empty are.
func TestPeers31EmptyPartsNameThemselves(t *testing.T) {
	h := newHouse(t)
	var rows []row
	for _, v := range []string{`""`, `"  "`, `null`, `[]`, `{}`} {
		rows = append(rows,
			row{name: "part " + v, call: call{path: "/v1/claim", body: `{"part":["shop",` + v + `]}`}, code: 400, want: `{"code":"invalid","field":"part 2"}`},
			row{name: "key " + v, call: call{path: "/v1/claim", body: `{"key":` + v + `}`}, code: 400, want: `{"code":"invalid","field":"key"}`})
	}
	drive(t, h, append(rows,
		row{name: "Peers33 id 0", call: call{path: "/v1/claim", body: `{"part":["$",0]}`}, code: 200, want: `{"key":"$:0"}`},
		row{name: "Peers33 id false", call: call{path: "/v1/claim", body: `{"part":["$",false]}`}, code: 200, want: `{"key":"$:false"}`},
	))
	if n := h.count("default"); n != 2 {
		t.Errorf("%d keys are there, want the two of 0 and false", n)
	}
}

// TestNumbersKeepTheirDigits is Peers36.
func TestNumbersKeepTheirDigits(t *testing.T) {
	h := newHouse(t)
	drive(t, h, []row{
		{name: "30 digits as key", call: call{path: "/v1/claim", body: `{"key":123456789012345678901234567891}`}, code: 200, want: `{"key":"123456789012345678901234567891","status":"claimed"}`},
		{name: "the last one differs", call: call{path: "/v1/claim", body: `{"key":123456789012345678901234567892}`}, code: 200, want: `{"key":"123456789012345678901234567892","status":"claimed"}`},
		{name: "above 2^53 as part", call: call{path: "/v1/claim", body: `{"part":["$",9007199254740993]}`}, code: 200, want: `{"key":"$:9007199254740993"}`},
		{name: "a decimal as part", call: call{path: "/v1/claim", body: `{"part":["$",19.90]}`}, code: 200, want: `{"key":"$:19.9"}`},
	})
}

// TestPeers42KeyBounds over HTTP.
func TestPeers42KeyBounds(t *testing.T) {
	h := newHouse(t)
	drive(t, h, []row{
		{name: "255", call: call{path: "/v1/claim", body: `{"key":"` + strings.Repeat("é", 255) + `"}`}, code: 200, want: `{"status":"claimed"}`},
		{name: "256", call: call{path: "/v1/claim", body: `{"key":"` + strings.Repeat("é", 256) + `"}`}, code: 400, want: `{"field":"key"}`},
		{name: "newline", call: call{path: "/v1/claim", body: `{"key":"a\nb"}`}, code: 400, want: `{"field":"key"}`},
		{name: "NUL", call: call{path: "/v1/claim", body: `{"key":"a\u0000b"}`}, code: 400, want: `{"field":"key"}`},
		{name: "right-to-left override", call: call{path: "/v1/claim", body: `{"key":"a\u202eb"}`}, code: 400, want: `{"field":"key"}`},
	})
}

// TestPeers21Leases: everything but a missing lease that is no time is refused.
func TestPeers21Leases(t *testing.T) {
	h := newHouse(t)
	var rows []row
	for _, v := range []string{`0`, `-1`, `"NaN"`, `"abc"`, `1e9`, `4`, `"4s"`, `"8d"`, `""`, `null`, `true`, `[]`} {
		rows = append(rows, row{name: "claim " + v, call: call{path: "/v1/claim", body: `{"key":"$","lease":` + v + `}`}, code: 400, want: `{"code":"invalid","field":"lease"}`})
	}
	held := []call{{path: "/v1/claim", body: `{"key":"$"}`}}
	for _, v := range []string{`0`, `-1`, `"NaN"`, `1e9`} {
		rows = append(rows, row{name: "renew " + v, before: held, call: call{path: "/v1/renew", body: `{"key":"$","token":"{token}","lease":` + v + `}`}, code: 400, want: `{"field":"lease"}`})
	}
	for v, until := range map[string]string{`5`: "12:00:05.000", `"90s"`: "12:01:30.000", `"15m"`: "12:15:00.000", `7.5`: "12:00:07.500", `"1h30m"`: "13:30:00.000"} {
		rows = append(rows, row{name: "good " + v, call: call{path: "/v1/claim", body: `{"key":"$","lease":` + v + `}`}, code: 200, want: `{"lease_until":"2026-11-30T` + until + `Z"}`})
	}
	drive(t, h, append(rows,
		row{name: "missing", call: call{path: "/v1/claim", body: `{"key":"$"}`}, code: 200, want: `{"lease_until":"2026-11-30T12:15:00.000Z"}`},
		row{name: "7d", call: call{path: "/v1/claim", body: `{"key":"$","lease":"7d"}`}, code: 200, want: `{"lease_until":"2026-12-07T12:00:00.000Z"}`}))
}

// TestPeers61IdempotencyKey: the header is a ready key and never argues with the
// body.
func TestPeers61IdempotencyKey(t *testing.T) {
	h := newHouse(t)
	h.rule(`{"rule":"orders","key":"key(\"shop\", body.id)"}`)
	claim := []call{{path: "/v1/claim", header: []string{"Idempotency-Key", "$"}}}
	drive(t, h, []row{
		{name: "alone", call: claim[0], code: 200, want: `{"key":"$","status":"claimed"}`},
		{name: "in quotes", call: call{path: "/v1/claim", header: []string{"Idempotency-Key", `"$"`}}, code: 200, want: `{"key":"$"}`},
		{name: "beside other members", call: call{path: "/v1/claim", body: `{"rule":"orders"}`, header: []string{"Idempotency-Key", "$"}}, code: 200, want: `{"key":"$","rule":"orders"}`},
		{name: "the same as the body's", call: call{path: "/v1/claim", body: `{"key":"$"}`, header: []string{"Idempotency-Key", "$"}}, code: 200, want: `{"key":"$"}`},
		{name: "the same as the body's number", call: call{path: "/v1/claim", body: `{"key":42}`, header: []string{"Idempotency-Key", "42"}}, code: 200, want: `{"key":"42"}`},
		{name: "another than the body's", call: call{path: "/v1/claim", body: `{"key":"a"}`, header: []string{"Idempotency-Key", "b"}}, code: 400, want: `{"code":"invalid","field":"key"}`},
		{name: "a body's null", call: call{path: "/v1/claim", body: `{"key":null}`, header: []string{"Idempotency-Key", "b"}}, code: 400, want: `{"field":"key"}`},
		{name: "twice", call: call{path: "/v1/claim", header: []string{"Idempotency-Key", "a", "Idempotency-Key", "a"}}, code: 400, want: `{"field":"Idempotency-Key"}`},
		{name: "empty", call: call{path: "/v1/claim", header: []string{"Idempotency-Key", ""}}, code: 400, want: `{"field":"Idempotency-Key"}`},
		{name: "empty quotes", call: call{path: "/v1/claim", header: []string{"Idempotency-Key", `""`}}, code: 400, want: `{"field":"Idempotency-Key"}`},
		{name: "an open quote", call: call{path: "/v1/claim", header: []string{"Idempotency-Key", `"a`}}, code: 400, want: `{"field":"Idempotency-Key"}`},
		{name: "with part", call: call{path: "/v1/claim", body: `{"part":["a"]}`, header: []string{"Idempotency-Key", "a"}}, code: 400, want: `{"field":"Idempotency-Key"}`},
		{name: "with event", call: call{path: "/v1/claim", body: `{"rule":"orders","event":{"id":1}}`, header: []string{"Idempotency-Key", "a"}}, code: 400, want: `{"field":"Idempotency-Key"}`},
		{name: "done by it", before: claim, call: call{path: "/v1/done", body: `{"token":"{token}"}`, header: []string{"Idempotency-Key", "$"}}, code: 200, want: `{"key":"$","status":"done"}`},
	})
}

// TestOwnersRepeatTheirGrant: an answer may be lost on the way, and the caller
// that sends its own id again gets the same token.
func TestOwnersRepeatTheirGrant(t *testing.T) {
	h := newHouse(t)
	claim := call{path: "/v1/claim?answer=strict", body: `{"key":"$","owner":"run 1"}`}
	drive(t, h, []row{
		{name: "the same", before: []call{claim}, wait: time.Second, call: claim, code: 201, want: `{"status":"claimed","run":true,"repeated":true,"token":"{token}","fence":1,"attempt":1}`},
		{name: "another", before: []call{claim}, call: call{path: "/v1/claim", body: `{"key":"$","owner":"run 2"}`}, code: 200, want: `{"status":"in_progress"}`, lacks: []string{"token"}},
		{name: "nobody", before: []call{claim}, call: call{path: "/v1/claim", body: `{"key":"$"}`}, code: 200, want: `{"status":"in_progress"}`, lacks: []string{"token"}},
	})
}

func TestUnknownThingsAreNotFound(t *testing.T) {
	h := newHouse(t)
	h.rule(`{"rule":"old","key":"key(body.id)"}`)
	if a := h.send(call{method: http.MethodDelete, path: "/v1/rules/old", as: h.admin}); a.code != 200 {
		t.Fatalf("archive: %d %s", a.code, a.raw)
	}
	drive(t, h, []row{
		{name: "rule of claim", call: call{path: "/v1/claim", body: `{"rule":"nope","key":"a"}`}, code: 404, want: `{"code":"unknown_rule"}`},
		{name: "archived rule of claim", call: call{path: "/v1/claim", body: `{"rule":"old","key":"a"}`}, code: 404, want: `{"code":"unknown_rule"}`},
		{name: "rule of an event", call: call{path: "/v1/rules/nope/claim", body: `{"id":1}`}, code: 404, want: `{"code":"unknown_rule"}`},
		{name: "rule of done", call: call{path: "/v1/done", body: `{"rule":"nope","key":"a","token":"1.x"}`}, code: 404, want: `{"code":"unknown_rule"}`},
		{name: "Peers13 key of done", call: call{path: "/v1/done", body: `{"key":"never","token":"1.x"}`}, code: 404, want: `{"code":"not_found"}`},
		{name: "key of release", call: call{path: "/v1/release", body: `{"key":"never","owner":"o"}`}, code: 404, want: `{"code":"not_found"}`},
		{name: "key of renew", call: call{path: "/v1/renew", body: `{"key":"never","owner":"o"}`}, code: 404, want: `{"code":"not_found"}`},
		{name: "a profile that is none, before any grant", call: call{path: "/v1/claim?answer=loud", body: `{"key":"never"}`}, code: 400, want: `{"field":"answer"}`},
		{name: "an address", call: call{path: "/v1/claims", body: `{}`}, code: 404, want: `{"code":"no_such_address"}`},
		{name: "a method", call: call{method: http.MethodGet, path: "/v1/claim"}, code: 405, want: `{"code":"wrong_method"}`, headers: []string{"Allow", "POST"}},
	})
	if n := h.count("default"); n != 0 {
		t.Errorf("%d keys were made by refused calls", n)
	}
}
