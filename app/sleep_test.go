package main_test

import (
	"strings"
	"testing"
	"time"
)

// TestPeers50AnEngineThatSlept: on a key file the run that had the key gets time to
// report before anybody takes over. A server's clock goes on while engines sleep, so
// there the lease is over.
func TestPeers50AnEngineThatSlept(t *testing.T) { eachBackend(t, anEngineThatSlept) }

func anEngineThatSlept(t *testing.T, h *house) {
	claim := func(key string) answer { return h.post("/v1/claim", map[string]any{"key": key}) }
	for _, key := range []string{"a", "b"} {
		if a := claim(key); a.Body["run"] != true {
			t.Fatalf("claim: %s", a.Raw)
		}
	}
	h.shift("sleep +2h")
	a := claim("a")
	if h.url != "" {
		if a.Body["took_over"] != true {
			t.Errorf("by the server's clock the time is over: %s", a.Raw)
		}
		return
	}
	if a.text("status") != "in_progress" || !strings.Contains(a.text("reason"), "slept or was off") {
		t.Errorf("on wake: %s", a.Raw)
	}
	h.await("no key in its grace counts as stuck", func() bool {
		return strings.TrimSpace(h.must("keys", "--state", "stuck", "--json")) == `{"keys":[],"next":""}`
	})
	h.shift("+2h3m")
	for _, key := range []string{"a", "b"} {
		if a := claim(key); a.Body["took_over"] != true {
			t.Errorf("after the grace: %s", a.Raw)
		}
	}
}

// TestAnEngineWhoseClockWasSetBack goes on in its own time, says so on its pages and
// in doctor, and follows the clock once a person accepts it.
func TestAnEngineWhoseClockWasSetBack(t *testing.T) {
	h := newHouse(t)
	claim := func() answer {
		return h.post("/v1/claim", map[string]any{"key": "a", "lease": "10m"})
	}
	if a := claim(); a.Body["run"] != true {
		t.Fatalf("claim: %s", a.Raw)
	}
	h.shift("-1d")
	a := claim()
	if wait, _ := a.Body["retry_after"].(float64); a.text("status") != "in_progress" || wait > 60 {
		t.Errorf("a day back: %s", a.Raw)
	}
	const said = "behind the latest time that keys were claimed at"
	if page := h.page("GET", "/", nil).Raw; !strings.Contains(page, said) {
		t.Error("the pages do not say so")
	}
	h.stop()
	h.start()
	if out, _, code := h.run("doctor"); code != 1 || !strings.Contains(out, said) {
		t.Errorf("doctor after a restart: exit %d, %s", code, out)
	}
	if out, _, _ := h.run("doctor", "--accept-clock"); strings.Contains(out, said) {
		t.Errorf("accepted, and still said: %s", out)
	}
	h.await("the engine knows what another process accepted", func() bool {
		return !strings.Contains(h.page("GET", "/", nil).Raw, said)
	})
	if a := claim(); a.text("status") != "in_progress" {
		t.Errorf("a live key was given away: %s", a.Raw)
	}
	before := time.Now().Add(-24 * time.Hour)
	if e := h.rows()["a"]; e.LeaseUntil.Sub(before) > 11*time.Minute {
		t.Errorf("the wait was not shortened: %v from the accepted time", e.LeaseUntil.Sub(before))
	}
}
