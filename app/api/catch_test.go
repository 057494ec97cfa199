package api_test

import (
	"net/http"
	"strings"
	"testing"

	"dedupedesk/app/catch"
	"dedupedesk/app/guard"
)

// askCatch brings about what the editor's own route answers beside its good answer.
func (h *fullHouse) askCatch() {
	h.t.Helper()
	h.serve()
	good := goodCalls["POST /v1/catch"]
	for range catch.MostDeliveries {
		h.ask(good, nil)
	}
	if a := h.ask(good, nil); a.code != http.StatusConflict || a.text("code") != "caught_enough" {
		h.t.Errorf("one too many: %d %s", a.code, a.raw)
	}
	h.caught.Stop("editor")
	if a := h.ask(good, nil); a.code != http.StatusConflict || a.text("code") != "nobody_waits" || a.members["run"] != false {
		h.t.Errorf("nobody waits: %d %s", a.code, a.raw)
	}
	good.body = `{"id":`
	if a := h.ask(good, nil); a.code != http.StatusBadRequest || a.members["run"] != false {
		h.t.Errorf("broken: %d %s", a.code, a.raw)
	}
}

// TestCaughtEventIsWhatARuleWouldSee: body, headers and address as they came, but for
// what proves the caller; and no call of it claims anything.
func TestCaughtEventIsWhatARuleWouldSee(t *testing.T) {
	h := newHouse(t)
	body := "{\"id\": 12345678901234567890,\r\n \"name\": \"é\"}"
	for _, c := range []call{
		{path: "/v1/catch?shop=7&shop=8", body: body, header: []string{"X-GitHub-Delivery", "72d3", "Stripe-Signature", "t=1", "Cookie", "a=b"}},
		{path: "/v1/catch", body: "id=7&name=a+b", kind: form},
		{path: "/v1/catch", body: "--b\r\nContent-Disposition: form-data; name=\"id\"\r\n\r\n7\r\n--b--\r\n", kind: "multipart/form-data; boundary=b"},
	} {
		a := h.send(c)
		if a.code != http.StatusOK || a.text("status") != "caught" || a.members["run"] != false || strings.Contains(a.raw, `"run":true`) {
			t.Errorf("%s: %d %s", c.kind, a.code, a.raw)
		}
	}
	d, _ := h.caught.Take("editor")
	if d.Body != "POST /v1/catch?shop=7&shop=8 HTTP/1.1\n\n"+body || d.Headers["X-Github-Delivery"] != "72d3" {
		t.Errorf("caught is %+v", d)
	}
	for _, name := range []string{"Authorization", "X-Api-Key"} {
		if _, there := d.Headers[name]; there {
			t.Errorf("%s was kept", name)
		}
	}
	if d.Headers["Stripe-Signature"] != catch.Mask || d.Headers["Cookie"] != catch.Mask {
		t.Errorf("secrets were kept: %v", d.Headers)
	}
	if d, _ := h.caught.Take("editor"); d.Body != "id=7&name=a+b" || d.Headers["Content-Type"] != form {
		t.Errorf("the form is %+v", d)
	}
	if counts, err := h.ledger.Counts(t.Context()); err != nil || counts.Total != 0 {
		t.Errorf("%d keys, %v", counts.Total, err)
	}
}

// TestCatchTakesOneMegabyteAndNoMore, of any kind that a claim takes.
func TestCatchTakesOneMegabyteAndNoMore(t *testing.T) {
	h := newHouse(t)
	text := func(n int) string { return `"` + strings.Repeat("x", n-2) + `"` }
	for _, tt := range []struct {
		c    call
		code int
	}{
		{call{path: "/v1/catch", body: text(guard.MaxSampleBody)}, 200},
		{call{path: "/v1/catch", body: text(guard.MaxSampleBody + 1)}, 413},
		{call{path: "/v1/catch", body: "a", kind: "text/plain"}, 415},
		{call{path: "/v1/catch", body: "a=\xff", kind: form}, 400},
	} {
		if a := h.send(tt.c); a.code != tt.code {
			t.Errorf("%d bytes of %q: %d %.200s", len(tt.c.body), tt.c.kind, a.code, a.raw)
		}
	}
}
