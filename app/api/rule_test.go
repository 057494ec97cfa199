package api_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"
)

func (h *house) put(path, body string) call {
	return call{method: http.MethodPut, path: "/v1/rules/" + path, body: body, as: h.admin}
}

// TestRules: PUT makes, changes and renames, DELETE archives, GET tells.
func TestRules(t *testing.T) {
	h := newHouse(t)
	get := func(path string) call { return call{method: http.MethodGet, path: "/v1/rules" + path, as: h.admin} }
	del := func(name string) call {
		return call{method: http.MethodDelete, path: "/v1/rules/" + name, as: h.admin}
	}
	drive(t, h, []row{
		{name: "make", call: h.put("shop", `{"rule":"shop","title":"Orders","key":"key(body.id)"}`), code: 200,
			want: `{"rule":"shop","title":"Orders","version":1,"changed_at":"2026-11-30T12:00:00.000Z","file":"*"}`},
		{name: "the same again", call: h.put("shop", `{"rule":"shop","title":"Orders","key":"key(body.id)"}`), code: 200, want: `{"version":1}`},
		{name: "change", wait: time.Second, call: h.put("shop", `{"rule":"shop","key":"key(\"shop\", body.id)","lease":"1h"}`), code: 200, want: `{"version":2}`},
		{name: "its lease holds", call: call{path: "/v1/rules/shop/claim", body: `{"id":1}`}, code: 200, want: `{"key":"shop:1","lease_until":"2026-11-30T13:00:01.000Z"}`},
		{name: "YAML", call: call{method: http.MethodPut, path: "/v1/rules/yaml", kind: "application/yaml", body: "rule: yaml\nkey: key(body.id)\n", as: h.admin}, code: 200, want: `{"rule":"yaml","version":1}`},
		{name: "a formula with a fault", call: h.put("shop", `{"rule":"shop","key":"key(bod.id)"}`), code: 400, want: `{"code":"faulty_formula","field":"key","issues":"*","run":false}`},
		{name: "a member that is none", call: h.put("shop", `{"rule":"shop","key":"key(body.id)","leese":9}`), code: 400, want: `{"code":"bad_rule_file","field":"leese"}`},
		{name: "no key", call: h.put("shop", `{"rule":"shop"}`), code: 400, want: `{"code":"bad_rule_file","field":"key"}`},
		{name: "no body", call: h.put("shop", ``), code: 400, want: `{"code":"bad_rule_file"}`},
		{name: "a name that is none", call: h.put("x", `{"rule":"Shop Orders","key":"key(body.id)"}`), code: 400, want: `{"field":"rule"}`},
		{name: "unknown", call: get("/nope"), code: 404, want: `{"code":"unknown_rule"}`},
		{name: "archive an unknown one", call: del("nope"), code: 404, want: `{"code":"unknown_rule"}`},
		{name: "archive default", call: del("default"), code: 400, want: `{"code":"invalid","field":"rule"}`},
		{name: "rename default", call: h.put("default", `{"rule":"mine","key":"key(body.id)"}`), code: 400, want: `{"code":"invalid","field":"rule"}`},
		{name: "rename an unknown one", call: h.put("nope", `{"rule":"mine","key":"key(body.id)"}`), code: 404, want: `{"code":"unknown_rule"}`},
		{name: "which made none", call: get("/mine"), code: 404},
		{name: "rename to a taken name", call: h.put("shop", `{"rule":"yaml","key":"key(body.id)"}`), code: 400, want: `{"field":"rule"}`},
		{name: "rename with settings that the ledger refuses", call: h.put("shop", `{"rule":"store","key":"key(body.id)","keep":"1m"}`), code: 400, want: `{"field":"keep"}`},
		{name: "keeps the old name", call: get("/shop"), code: 200, want: `{"rule":"shop"}`},
		{name: "archive", call: del("yaml"), code: 200, want: `{"rule":"yaml","archived":true}`},
		{name: "is gone", call: get("/yaml"), code: 404},
		{name: "and takes no claims", call: call{path: "/v1/rules/yaml/claim", body: `{"id":1}`}, code: 404, want: `{"code":"unknown_rule"}`},
		{name: "default is told", call: get("/default"), code: 200, want: `{"rule":"default"}`, lacks: []string{"file"}},
	})
	list := h.send(get(""))
	var names []string
	rules, _ := list.members["rules"].([]any)
	for _, r := range rules {
		names = append(names, fmt.Sprint(r.(map[string]any)["rule"]))
	}
	if fmt.Sprint(names) != "[default shop]" {
		t.Errorf("the list holds %v, want default and shop", names)
	}
}

// TestPeers44RenamingKeepsHistory, and so does archiving: the name used again is
// the same rule.
func TestPeers44RenamingKeepsHistory(t *testing.T) {
	h := newHouse(t)
	h.rule(`{"rule":"shop","key":"key(body.id)"}`)
	first := h.send(call{path: "/v1/rules/shop/claim", body: `{"id":"a"}`})
	h.send(call{path: "/v1/done", body: `{"rule":"shop","key":"a","token":"` + first.text("token") + `"}`})
	rename := h.put("shop", `{"rule":"store","key":"key(body.id)"}`)
	for _, attempt := range []string{"first", "after a lost answer"} {
		if a := h.send(rename); a.code != 200 || a.text("rule") != "store" {
			t.Fatalf("%s: rename: %d %s", attempt, a.code, a.raw)
		}
	}
	if a := h.send(call{path: "/v1/rules/store/claim", body: `{"id":"a"}`}); a.text("status") != "done" {
		t.Errorf("after renaming: %s", a.raw)
	}
	if a := h.send(call{path: "/v1/rules/shop/claim", body: `{"id":"a"}`}); a.code != 404 {
		t.Errorf("the old name answers %d %s", a.code, a.raw)
	}
	h.send(call{method: http.MethodDelete, path: "/v1/rules/store", as: h.admin})
	h.rule(`{"rule":"store","key":"key(body.id)"}`)
	if a := h.send(call{path: "/v1/rules/store/claim", body: `{"id":"a"}`}); a.text("status") != "done" {
		t.Errorf("after archiving and coming back: %s", a.raw)
	}
}

// TestPeers43RulesAreApart: the same key under two rules is two keys.
func TestPeers43RulesAreApart(t *testing.T) {
	h := newHouse(t)
	for _, name := range []string{"shop", "crm"} {
		h.rule(`{"rule":"` + name + `","key":"key(body.id)"}`)
		if a := h.send(call{path: "/v1/claim", body: `{"rule":"` + name + `","key":"a"}`}); a.text("status") != "claimed" {
			t.Errorf("%s: %s", name, a.raw)
		}
	}
}

// TestKeysAreListedAndTold, page by page, and one with its history. The token of
// a grant is in none of it.
func TestKeysAreListedAndTold(t *testing.T) {
	h := newHouse(t)
	var token string
	for i := range 5 {
		a := h.send(call{path: "/v1/claim", body: fmt.Sprintf(`{"key":"a%d","owner":"run 1"}`, i)})
		token = a.text("token")
		h.clock.Step(time.Second)
	}
	h.send(call{path: "/v1/done", body: `{"key":"a4","owner":"run 1","result":{"id":7}}`})
	h.send(call{path: "/v1/claim", body: `{"key":"a4","owner":"run 2"}`})
	get := func(path string) call { return call{method: http.MethodGet, path: path, as: h.admin} }
	drive(t, h, []row{
		{name: "one", call: get("/v1/keys/one?key=a4"), code: 200, lacks: []string{"token"},
			want: `{"rule":"default","key":"a4","state":"done","owner":"run 1","result":{"id":7},"copies":1,"fence":1,"attempts":1,"first_seen":"2026-11-30T12:00:04.000Z","done_at":"2026-11-30T12:00:05.000Z","history":"*","arrivals":"*"}`},
		{name: "one unknown", call: get("/v1/keys/one?key=never"), code: 404, want: `{"code":"not_found"}`},
		{name: "one of an unknown rule", call: get("/v1/keys/one?rule=nope&key=a"), code: 404, want: `{"code":"unknown_rule"}`},
		{name: "one without a key", call: get("/v1/keys/one"), code: 400, want: `{"field":"key"}`},
		{name: "a state that is none", call: get("/v1/keys?state=free"), code: 400, want: `{"field":"state"}`},
		{name: "a limit that is none", call: get("/v1/keys?limit=0"), code: 400, want: `{"field":"limit"}`},
		{name: "a limit over 200", call: get("/v1/keys?limit=201"), code: 400, want: `{"field":"limit"}`},
		{name: "a time that is none", call: get("/v1/keys?since=yesterday"), code: 400, want: `{"field":"since"}`},
		{name: "a cursor that is none", call: get("/v1/keys?cursor=xyz"), code: 400, want: `{"field":"cursor"}`},
		{name: "no keys is an empty list", call: get("/v1/keys?prefix=never"), code: 200, want: `{"keys":[],"next":""}`},
	})
	seen, cursor := []string{}, ""
	for range 5 {
		a := h.send(get("/v1/keys?limit=2&cursor=" + cursor))
		checkPromises(t, a)
		keys, _ := a.members["keys"].([]any)
		for _, k := range keys {
			seen = append(seen, fmt.Sprint(k.(map[string]any)["key"]))
		}
		if cursor = a.text("next"); cursor == "" {
			break
		}
	}
	if fmt.Sprint(seen) != "[a4 a3 a2 a1 a0]" {
		t.Errorf("page by page the keys are %v, newest first wanted", seen)
	}
	for query, want := range map[string]string{"state=done": "[a4]", "state=claimed&prefix=a1": "[a1]", "since=2026-11-30T12:00:03Z": "[a4 a3]"} {
		a := h.send(get("/v1/keys?" + query))
		var got []string
		for _, k := range a.members["keys"].([]any) {
			got = append(got, fmt.Sprint(k.(map[string]any)["key"]))
			if _, there := k.(map[string]any)["token"]; there {
				t.Errorf("%s: a grant's token is in the list", query)
			}
		}
		if fmt.Sprint(got) != want {
			t.Errorf("%s: %v, want %s", query, got, want)
		}
	}
	if a := h.send(get("/v1/keys/one?key=a3")); token == "" || a.members["token"] != nil {
		t.Errorf("one key tells a token: %s", a.raw)
	}
}
