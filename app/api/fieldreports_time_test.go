package api_test

import (
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"dedupedesk/ledger"
)

// stuck returns the keys of a rule that need a person, as the API lists them.
func (h *house) stuck(rule string) []string {
	h.t.Helper()
	a := h.send(call{method: http.MethodGet, path: "/v1/keys?state=stuck&rule=" + rule, as: h.admin})
	list, ok := a.members["keys"].([]any)
	if !ok {
		h.t.Fatalf("%d %s", a.code, a.raw)
	}
	var keys []string
	for _, entry := range list {
		members, _ := entry.(map[string]any)
		key, _ := members["key"].(string)
		keys = append(keys, key)
	}
	return keys
}

// TestBug16ATimeoutIsNoFailure: the run hangs after its claim, so nobody knows whether
// the work happened. The key is neither free nor finished; a person says which.
func TestBug16ATimeoutIsNoFailure(t *testing.T) {
	h := newHouse(t)
	h.rule(`{"rule":"orders","key":"key(body.id)","on_expiry":"ask"}`)
	claim := func(id string) call { return call{path: "/v1/rules/orders/claim", body: `{"id":"` + id + `"}`} }
	for _, id := range []string{"worked", "did-not"} {
		h.send(claim(id))
	}
	h.clock.Step(ledger.DefaultPolicy().Lease + ledger.StuckGrace)
	if got := h.stuck("orders"); len(got) != 2 {
		t.Fatalf("%v need a person, want both", got)
	}
	for id, want := range map[string]struct {
		decision ledger.Decision
		status   string
	}{"worked": {ledger.Finished, "done"}, "did-not": {ledger.Again, "claimed"}} {
		if a := h.send(claim(id)); a.text("status") != "held" {
			t.Errorf("%s: a copy is answered %s before anybody decided", id, a.raw)
		}
		if _, err := h.ledger.Decide(t.Context(), ledger.DecideRequest{Rule: "orders", Key: id, Decision: want.decision, By: "Ada", Why: "looked in the shop"}); err != nil {
			t.Fatal(err)
		}
		if a := h.send(claim(id)); a.text("status") != want.status {
			t.Errorf("%s: %s, want %s", id, a.raw, want.status)
		}
	}
}

// TestBug26ARetryMayBeTheFirstThatWorks: nothing is dropped for its retry header.
func TestBug26ARetryMayBeTheFirstThatWorks(t *testing.T) {
	h := newHouse(t)
	h.rule(`{"rule":"slack","key":"key(body.event_id)"}`)
	first := call{path: "/v1/rules/slack/claim?owner=first", body: `{"event_id":"$"}`}
	retry := call{path: "/v1/rules/slack/claim?owner=second", body: `{"event_id":"$"}`, header: []string{"X-Slack-Retry-Num", "1", "X-Slack-Retry-Reason", "http_error"}}
	failed := call{path: "/v1/release", body: `{"rule":"slack","key":"$","owner":"first","error":"503"}`}
	drive(t, h, []row{
		{name: "the first failed", before: []call{first, failed}, call: retry, code: 200, want: `{"status":"claimed","attempt":2}`},
		{name: "the first never came", call: retry, code: 200, want: `{"status":"claimed","attempt":1}`},
	})
}

// TestBug39ClaimedIsNotDone: a run that dies before its work loses no event in silence.
func TestBug39ClaimedIsNotDone(t *testing.T) {
	h := newHouse(t)
	claim := call{path: "/v1/claim", body: `{"key":"evt_1"}`}
	h.send(claim)
	if a := h.send(claim); a.text("status") != "in_progress" {
		t.Errorf("a copy is told %s", a.raw)
	}
	h.clock.Step(ledger.DefaultPolicy().Lease + ledger.StuckGrace)
	if got := h.stuck("default"); !slices.Equal(got, []string{"evt_1"}) {
		t.Errorf("%v need a person, want the key whose run died", got)
	}
	if a := h.send(claim); a.text("status") != "claimed" || a.members["took_over"] != true {
		t.Errorf("the next delivery is told %s", a.raw)
	}
}

// TestBug44TheTimeAllowedIsNotTheKeepTime: five minutes for the work, a day of memory.
func TestBug44TheTimeAllowedIsNotTheKeepTime(t *testing.T) {
	h := newHouse(t)
	h.rule(`{"rule":"pay","key":"key(body.id)","lease":"5m","keep":"24h"}`)
	claim := call{path: "/v1/rules/pay/claim?owner=o", body: `{"id":1}`}
	status := func(want string) {
		t.Helper()
		if _, err := h.ledger.Prune(t.Context(), ledger.PruneRequest{BelowFloor: true}); err != nil {
			t.Fatal(err)
		}
		a := h.send(claim)
		if a.text("status") != want || (a.text("kept_until") == "2026-12-01T12:00:00.000Z") != (want == "done") {
			t.Errorf("%s, want %s", a.raw, want)
		}
	}
	if a := h.send(claim); a.text("lease_until") != "2026-11-30T12:05:00.000Z" {
		t.Errorf("%s, want five minutes", a.raw)
	}
	if a := h.send(call{path: "/v1/done", body: `{"rule":"pay","key":"1","owner":"o"}`}); a.text("kept_until") != "2026-12-01T12:00:00.000Z" {
		t.Errorf("%s, want a day", a.raw)
	}
	h.clock.Step(23*time.Hour + 59*time.Minute)
	status("done")
	h.clock.Step(2 * time.Minute)
	status("claimed")
}

// TestBug45GapsBeforeDuplicates, or the reverse: what happens after the time allowed is
// the rule's choice.
func TestBug45GapsBeforeDuplicates(t *testing.T) {
	h := newHouse(t)
	h.rule(`{"rule":"withdrawal","key":"key(body.id)","on_expiry":"ask"}`)
	h.rule(`{"rule":"newsletter","key":"key(body.id)"}`)
	claim := func(rule string) call { return call{path: "/v1/rules/" + rule + "/claim", body: `{"id":"$"}`} }
	drive(t, h, []row{
		{name: "hold for a person", before: []call{claim("withdrawal")}, wait: time.Hour, call: claim("withdrawal"), code: 200, want: `{"status":"held"}`, lacks: []string{"token"}},
		{name: "let the next one run", before: []call{claim("newsletter")}, wait: time.Hour, call: claim("newsletter"), code: 200, want: `{"status":"claimed","took_over":true}`},
	})
}

// TestBug47TheSecondComesBeforeTheFirstEnds: it has an answer of its own, and under the
// profiles that have one, a status of its own.
func TestBug47TheSecondComesBeforeTheFirstEnds(t *testing.T) {
	h := newHouse(t)
	first := []call{{path: "/v1/claim", body: `{"key":"$"}`}}
	var rows []row
	for profile, code := range map[string]int{"branch": 200, "wait": 429, "strict": 409} {
		rows = append(rows, row{name: profile, before: first, call: call{path: "/v1/claim?answer=" + profile, body: `{"key":"$"}`}, code: code,
			want: `{"status":"in_progress","run":false,"retry_after":60}`, lacks: []string{"token", "result"}})
	}
	drive(t, h, rows)
}

// TestBug48ACopyIsNotToldDoneTooEarly: the first may still fail, and then the copy is
// what saves the event.
func TestBug48ACopyIsNotToldDoneTooEarly(t *testing.T) {
	h := newHouse(t)
	claim := call{path: "/v1/claim?answer=wait", body: `{"key":"$","owner":"second"}`}
	first := call{path: "/v1/claim", body: `{"key":"$","owner":"first"}`}
	drive(t, h, []row{
		{name: "while the first runs", before: []call{first}, call: claim, code: 429, want: `{"status":"in_progress"}`, headers: []string{"Retry-After", "60"}},
		{name: "once the first failed", before: []call{first, {path: "/v1/release", body: `{"key":"$","owner":"first"}`}}, call: claim, code: 200, want: `{"status":"claimed"}`},
	})
}

// TestBug41NobodyLooksUpFirst: a password that claims cannot ask whether a key is there,
// so no flow can be built that looks and then adds.
func TestBug41NobodyLooksUpFirst(t *testing.T) {
	h := newHouse(t)
	h.send(call{path: "/v1/claim", body: `{"key":"a"}`})
	for n, path := range []string{"/v1/keys", "/v1/keys/one?key=a", "/v1/keys/one?key=b"} {
		h.try(t, n, row{call: call{method: http.MethodGet, path: path}, code: 403, want: `{"code":"not_allowed"}`})
	}
}

// TestBug53And54FiftyWorkersMeetNoBusyFile: each claim begins as a writer, so none finds
// that the file moved on since it read.
func TestBug53And54FiftyWorkersMeetNoBusyFile(t *testing.T) {
	h := newHouse(t)
	var workers sync.WaitGroup
	runs := make([]int, 50)
	for w := range runs {
		workers.Go(func() {
			for i := range 20 {
				a := h.send(call{path: "/v1/claim?answer=branch", body: fmt.Sprintf(`{"key":"order:%d"}`, i)})
				if a.code != http.StatusOK {
					t.Errorf("worker %d: %d %s", w, a.code, a.raw)
				}
				if a.members["run"] == true {
					runs[w]++
				}
			}
		})
	}
	workers.Wait()
	total := 0
	for _, n := range runs {
		total += n
	}
	if total != 20 {
		t.Errorf("%d runs of 20 orders", total)
	}
}
