package api_test

import (
	"net/http"
	"testing"

	"dedupedesk/app/catch"
)

// TestAnEventIsKeptWhereTheRuleSaysSo: the first of its copies, for each of its keys; none
// of an event that was refused or ignored, and none of another rule.
func TestAnEventIsKeptWhereTheRuleSaysSo(t *testing.T) {
	h := newHouse(t)
	h.rule(`{"rule":"lines","key":"key(\"l\", body.id, item.n)","each":"body.lines","when":"item.n > 0","keep_samples":2}`)
	h.rule(`{"rule":"plain","key":"key(\"p\", body.id)"}`)
	send := func(path, body string) {
		t.Helper()
		if a := h.send(call{path: path, body: body, header: []string{"X-Hmac", "s", "X-Id", "7"}}); a.code >= http.StatusInternalServerError {
			t.Fatalf("%d %s", a.code, a.raw)
		}
	}
	send("/v1/rules/lines/claim?shop=7&owner=a", `{"id":1,"lines":[{"n":1},{"n":2},{"n":0}],"total":19.90}`)
	send("/v1/rules/lines/claim?owner=b", `{"id":1,"lines":[{"n":1}]}`)
	send("/v1/rules/lines/claim", `{"id":2,"lines":"oops"}`)
	send("/v1/rules/plain/claim", `{"id":1}`)
	rule := func(name string) int64 {
		r, err := h.ledger.Rule(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		return r.ID
	}
	for _, key := range []string{"l:1:1", "l:1:2"} {
		d, ok := h.kept.Of(rule("lines"), key)
		if !ok || d.Body != "POST /v1/rules/lines/claim?shop=7 HTTP/1.1\n\n"+`{"id":1,"lines":[{"n":1},{"n":2},{"n":0}],"total":19.90}` || !d.At.Equal(noon) {
			t.Errorf("%s: %+v, %v", key, d, ok)
		}
		if d.Headers["X-Hmac"] != catch.Mask || d.Headers["X-Id"] != "7" || d.Headers["Authorization"] != "" {
			t.Errorf("%s: headers %v", key, d.Headers)
		}
	}
	for _, key := range []string{"l:1:0", "l:2:1"} {
		if _, ok := h.kept.Of(rule("lines"), key); ok {
			t.Errorf("%s is kept", key)
		}
	}
	if _, ok := h.kept.Of(rule("plain"), "p:1"); ok {
		t.Error("an event of a rule that keeps none is kept")
	}
}
