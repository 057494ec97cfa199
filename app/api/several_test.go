package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// shown returns the members of each result that a list of names picks, so that a
// row can say all of it at once.
func shown(t *testing.T, a answer, names ...string) []string {
	t.Helper()
	list, ok := a.members["results"].([]any)
	if !ok || a.code != http.StatusOK || len(a.members) != 1 {
		t.Fatalf("%d %s, want 200 with results alone", a.code, a.raw)
	}
	var out []string
	for _, item := range list {
		members, _ := item.(map[string]any)
		var words []string
		for _, name := range names {
			v := members[name]
			if p, isProblem := v.(map[string]any); isProblem {
				if p["run"] != false || p["status"] != members["http"] {
					t.Errorf("not whole problem details: %v", p)
				}
				v = fmt.Sprint(p["code"], ":", p["field"])
			}
			words = append(words, fmt.Sprint(v))
		}
		if members["run"] != nil && members["run"] != (members["status"] == "claimed") {
			t.Errorf("run is %v with status %v", members["run"], members["status"])
		}
		out = append(out, strings.Join(words, " "))
	}
	return out
}

// TestEachItemHasItsOwnAnswer: in the order of the list, with the http code that a
// call of its own would have had.
func TestEachItemHasItsOwnAnswer(t *testing.T) {
	h := newHouse(t)
	for _, profile := range []string{"branch", "strict"} {
		h.rule(`{"rule":"` + profile + `","key":"key(body.order, item.sku)","each":"body.lines","when":"item.qty > 0","answer":"` + profile + `"}`)
	}
	const lines = `{"order":"$","lines":[{"sku":"a","qty":1},{"sku":"b","qty":0},{"sku":"","qty":1},{"sku":"a","qty":2},{"qty":1},{"sku":"c"},{"sku":"d","qty":3}]}`
	want := func(claimed, copied string) []string {
		return []string{
			claimed + " claimed true key:a <nil>",
			"200 ignored false <nil> <nil>",
			"400 invalid false <nil> invalid:item.sku", // an empty part
			copied + " in_progress false key:a <nil>",  // the key comes twice in one request
			"400 invalid false <nil> invalid:item.sku", // a missing part
			"400 invalid false <nil> invalid:item.qty", // the condition fails to say yes or no
			claimed + " claimed true key:d <nil>",
		}
	}
	for name, tt := range map[string]struct {
		path string
		want []string
	}{
		"branch":      {"/v1/rules/branch/claim", want("200", "200")},
		"strict":      {"/v1/rules/strict/claim", want("201", "409")},
		"asked":       {"/v1/rules/branch/claim?answer=strict", want("201", "409")},
		"as a member": {"/v1/claim", want("200", "200")},
	} {
		for _, owner := range []string{"", "run 1"} {
			t.Run(name+" "+owner, func(t *testing.T) {
				body := strings.ReplaceAll(lines, "$", name+owner)
				c := call{path: tt.path, body: body}
				if tt.path == "/v1/claim" {
					c.body = `{"rule":"branch","owner":"` + owner + `","event":` + body + `}`
				} else if owner != "" {
					sep := "?"
					if strings.Contains(c.path, "?") {
						sep = "&"
					}
					c.path += sep + "owner=run+1"
				}
				got := shown(t, h.send(c), "http", "status", "run", "key", "problem")
				for i := range got {
					got[i] = strings.Replace(got[i], name+owner+":", "key:", 1)
				}
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Errorf("results (-want +got):\n%s", diff)
				}
			})
		}
	}
}

// TestEachOfOneItemIsStillAList, so that a tool's mapping never changes its shape.
func TestEachOfOneItemIsStillAList(t *testing.T) {
	h := newHouse(t)
	h.rule(`{"rule":"lines","key":"key(item)","each":"body.lines"}`)
	a := h.send(call{path: "/v1/rules/lines/claim", body: `{"lines":["a"]}`})
	if diff := cmp.Diff([]string{"200 claimed a"}, shown(t, a, "http", "status", "key")); diff != "" {
		t.Errorf("results (-want +got):\n%s", diff)
	}
	drive(t, h, []row{
		{name: "no list", call: call{path: "/v1/rules/lines/claim", body: `{}`}, code: 400, want: `{"code":"invalid","field":"body.lines"}`},
		{name: "an empty list", call: call{path: "/v1/rules/lines/claim", body: `{"lines":[]}`}, code: 400, want: `{"code":"invalid","field":"body.lines"}`},
		{name: "done by an event of several keys", call: call{path: "/v1/done", body: `{"rule":"lines","owner":"o","event":{"lines":["a","b"]}}`}, code: 400, want: `{"field":"event"}`},
	})
}

// TestAtMost500Items: one more is refused whole, and nothing of it is claimed.
func TestAtMost500Items(t *testing.T) {
	h := newHouse(t)
	h.rule(`{"rule":"lines","key":"key(item)","each":"body.lines"}`)
	event := func(n int) string {
		ids := make([]int, n)
		for i := range ids {
			ids[i] = i
		}
		data, err := json.Marshal(map[string]any{"lines": ids})
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	drive(t, h, []row{{name: "501", call: call{path: "/v1/rules/lines/claim", body: event(501)}, code: 400, want: `{"code":"invalid","field":"body.lines"}`}})
	if n := h.count("lines"); n != 0 {
		t.Errorf("%d keys of a refused event are claimed", n)
	}
	a := h.send(call{path: "/v1/rules/lines/claim", body: event(500)})
	for i, line := range shown(t, a, "status", "key") {
		if want := fmt.Sprint("claimed ", i); line != want {
			t.Fatalf("item %d: %s, want %s", i, line, want)
		}
	}
}

// TestIgnoredEvents: a condition that says no is a decision, in every profile.
func TestIgnoredEvents(t *testing.T) {
	h := newHouse(t)
	h.rule(`{"rule":"paid","key":"key(body.id)","when":"body.state == \"paid\""}`)
	var rows []row
	for _, profile := range []string{"branch", "wait", "strict"} {
		rows = append(rows, row{name: profile, call: call{path: "/v1/rules/paid/claim?answer=" + profile, body: `{"id":"$","state":"open"}`}, code: 200,
			want: `{"status":"ignored","run":false,"rule":"paid","reason":"*"}`, lacks: []string{"token", "key", "retry_after", "problem"}})
	}
	drive(t, h, append(rows,
		row{name: "the condition fails", call: call{path: "/v1/rules/paid/claim", body: `{"id":"$"}`}, code: 400, want: `{"code":"invalid","field":"body.state"}`},
		row{name: "done of an ignored event", call: call{path: "/v1/done", body: `{"rule":"paid","owner":"o","event":{"id":1,"state":"open"}}`}, code: 400, want: `{"field":"event"}`}))
	if n := h.count("paid"); n != 0 {
		t.Errorf("%d keys of ignored events are there", n)
	}
}

// TestPeers54BatchLimits: from 1 to 100.
func TestPeers54BatchLimits(t *testing.T) {
	h := newHouse(t)
	batch := func(n int) string {
		items := make([]string, n)
		for i := range items {
			items[i] = fmt.Sprintf(`{"key":"k%d"}`, i)
		}
		return `{"op":"claim","items":[` + strings.Join(items, ",") + `]}`
	}
	drive(t, h, []row{
		{name: "101", call: call{path: "/v1/batch", body: batch(101)}, code: 400, want: `{"code":"invalid","field":"items"}`},
		{name: "0", call: call{path: "/v1/batch", body: batch(0)}, code: 400, want: `{"field":"items"}`},
		{name: "no items", call: call{path: "/v1/batch", body: `{"op":"claim"}`}, code: 400, want: `{"field":"items"}`},
		{name: "an empty body", call: call{path: "/v1/batch"}, code: 400, want: `{"field":"items"}`},
		{name: "items that are no list", call: call{path: "/v1/batch", body: `{"op":"claim","items":{"key":"a"}}`}, code: 400, want: `{"field":"items"}`},
		{name: "no op", call: call{path: "/v1/batch", body: `{"items":[{"key":"a"}]}`}, code: 400, want: `{"field":"op"}`},
		{name: "an op that is none", call: call{path: "/v1/batch", body: `{"op":"renew","items":[{"key":"a"}]}`}, code: 400, want: `{"field":"op"}`},
		{name: "a profile that is none", call: call{path: "/v1/batch?answer=loud", body: batch(1)}, code: 400, want: `{"field":"answer"}`},
	})
	if n := h.count("default"); n != 0 {
		t.Errorf("%d keys were made by refused batches", n)
	}
	if got := shown(t, h.send(call{path: "/v1/batch", body: batch(100)}), "status"); len(got) != 100 || got[99] != "claimed" {
		t.Errorf("100 items: %v", got)
	}
}

// TestBatchItems: each item is answered as a call of its own would be, in order,
// and one that is refused stops none of the others.
func TestBatchItems(t *testing.T) {
	h := newHouse(t)
	h.rule(`{"rule":"orders","key":"key(\"shop\", body.id)","answer":"strict","when":"body.id != \"no\""}`)
	h.rule(`{"rule":"lines","key":"key(item)","each":"body.lines"}`)
	a := h.send(call{path: "/v1/batch", body: `{"op":"claim","items":[
		{"key":"a","owner":"run 1"}, {"key":"a","owner":"run 1"}, {"rule":"default","part":["a"],"owner":"run 1"},
		{"rule":"orders","event":{"id":"7"}}, {"rule":"orders","key":"shop:7","owner":"x"}, {"rule":"orders","event":{"id":"no"}},
		{"rule":"nope","key":"a"}, {"key":" "}, {"key":"b","lease":0}, {"key":"b","leese":9}, "b", {}, {"key":"a","part":["b"]},
		{"rule":"lines","event":{"lines":["x","y"]}}, {"key":"b","lease":"90s"}]}`})
	want := []string{
		"200 claimed a <nil>", "200 in_progress a <nil>", "200 in_progress a <nil>",
		"201 claimed shop:7 <nil>", "409 in_progress shop:7 <nil>", "200 ignored <nil> <nil>",
		"404 invalid <nil> unknown_rule:<nil>", "400 invalid <nil> invalid:key", "400 invalid <nil> invalid:lease",
		"400 invalid <nil> invalid:leese", "400 invalid <nil> invalid:items", "400 invalid <nil> invalid:key", "400 invalid <nil> invalid:key",
		"400 invalid <nil> invalid:event", "200 claimed b <nil>",
	}
	if diff := cmp.Diff(want, shown(t, a, "http", "status", "key", "problem")); diff != "" {
		t.Errorf("results (-want +got):\n%s", diff)
	}
	if n := h.count("lines"); n != 0 {
		t.Errorf("a batch claimed %d keys of an event that it refused", n)
	}
	asked := h.send(call{path: "/v1/batch?answer=strict", kind: form, body: `op=claim&items=[{"key":"c"},{"key":"c"}]`})
	if diff := cmp.Diff([]string{"201 claimed", "409 in_progress"}, shown(t, asked, "http", "status")); diff != "" {
		t.Errorf("a form that asks for strict (-want +got):\n%s", diff)
	}
}

// TestBatchOfReports: done and release of several keys.
func TestBatchOfReports(t *testing.T) {
	h := newHouse(t)
	for _, key := range []string{"a", "b", "c"} {
		h.send(call{path: "/v1/claim", body: `{"key":"` + key + `","owner":"o"}`})
	}
	done := h.send(call{path: "/v1/batch", body: `{"op":"done","items":[{"key":"a","owner":"o","result":{"id":1}},{"key":"a","owner":"o"},{"key":"b","owner":"p"},{"key":"never","owner":"o"},{"key":"b"}]}`})
	if diff := cmp.Diff([]string{
		"200 done a false <nil>", "200 done a true <nil>", "409 invalid <nil> <nil> stale:<nil>", "404 invalid <nil> <nil> not_found:<nil>", "400 invalid <nil> <nil> invalid:token",
	}, shown(t, done, "http", "status", "key", "already", "problem")); diff != "" {
		t.Errorf("done (-want +got):\n%s", diff)
	}
	released := h.send(call{path: "/v1/batch", body: `{"op":"release","items":[{"key":"b","owner":"o","error":"500","retry_after":60},{"key":"a","owner":"o"},{"key":"c","owner":"o","result":1}]}`})
	if diff := cmp.Diff([]string{
		"200 released b <nil>", "409 invalid <nil> closed:<nil>", "400 invalid <nil> invalid:result",
	}, shown(t, released, "http", "status", "key", "problem")); diff != "" {
		t.Errorf("release (-want +got):\n%s", diff)
	}
	h.clock.Step(time.Minute)
	if a := h.send(call{path: "/v1/claim", body: `{"key":"b"}`}); a.text("status") != "claimed" {
		t.Errorf("after its wait the released key answers %s", a.raw)
	}
}
