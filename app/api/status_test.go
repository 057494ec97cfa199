package api_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"
)

// TestPeers57StatusTable: each decision under each profile, whether the rule
// names the profile or the call does. The lease is 900 s, so a copy is told to
// wait for the 60 s that are the most.
func TestPeers57StatusTable(t *testing.T) {
	h := newHouse(t)
	for _, name := range []string{"branch", "wait", "strict"} {
		h.rule(`{"rule":"` + name + `","key":"key(body.id)","answer":"` + name + `","on_expiry":"ask"}`)
	}
	claim := func(rule, more string) call {
		return call{path: "/v1/claim", body: `{"rule":"` + rule + `","key":"$"` + more + `}`}
	}
	done := func(rule string) call {
		return call{path: "/v1/done", body: `{"rule":"` + rule + `","key":"$","token":"{token}","result":{"id":7}}`}
	}
	situations := []struct {
		name   string
		before func(rule string) []call
		wait   time.Duration
		more   string // members of the claim
		want   string
		lacks  []string
		codes  map[string]int
		waits  map[string]string // Retry-After
	}{
		{name: "claimed", want: `{"status":"claimed","run":true,"token":"*","fence":1,"attempt":1,"lease_until":"2026-11-30T12:15:00.000Z","repeated":false,"took_over":false,"reason":"*"}`,
			lacks: []string{"retry_after", "result", "http", "problem"},
			codes: map[string]int{"branch": 200, "wait": 200, "strict": 201}},
		{name: "done", before: func(rule string) []call { return []call{claim(rule, ""), done(rule)} },
			want:  `{"status":"done","run":false,"result":{"id":7},"reason":"*","first_seen":"2026-11-30T12:00:00.000Z"}`,
			lacks: []string{"token", "retry_after", "http"},
			codes: map[string]int{"branch": 200, "wait": 200, "strict": 200}},
		{name: "in_progress", before: func(rule string) []call { return []call{claim(rule, "")} },
			want:  `{"status":"in_progress","run":false,"retry_after":60,"reason":"*"}`,
			lacks: []string{"token", "result", "http"},
			codes: map[string]int{"branch": 200, "wait": 429, "strict": 409},
			waits: map[string]string{"wait": "60", "strict": "60"}},
		{name: "mismatch", before: func(rule string) []call { return []call{claim(rule, `,"fingerprint":"10"`)} }, more: `,"fingerprint":"11"`,
			want:  `{"status":"mismatch","run":false,"reason":"*","first_seen":"2026-11-30T12:00:00.000Z"}`,
			lacks: []string{"token", "result", "retry_after", "http"},
			codes: map[string]int{"branch": 200, "wait": 422, "strict": 422}},
		// The last one, because its clock moves.
		{name: "held", before: func(rule string) []call { return []call{claim(rule, "")} }, wait: 900 * time.Second,
			want:  `{"status":"held","run":false,"reason":"*"}`,
			lacks: []string{"token", "retry_after", "http"},
			codes: map[string]int{"branch": 200, "wait": 200, "strict": 409}},
	}
	n := 0
	for _, s := range situations {
		for _, profile := range []string{"branch", "wait", "strict"} {
			for rule, path := range map[string]string{profile: "/v1/claim", "branch": "/v1/claim?answer=" + profile} {
				n++
				r := row{wait: s.wait, call: claim(rule, s.more), code: s.codes[profile], want: s.want, lacks: s.lacks}
				if s.before != nil {
					r.before = s.before(rule)
				}
				r.path = path
				replayed := ""
				if s.name == "done" && profile == "strict" {
					replayed = "true"
				}
				r.headers = []string{"Content-Type", "application/json", "Retry-After", s.waits[profile], "Idempotent-Replayed", replayed}
				t.Run(fmt.Sprintf("%s %s %s", s.name, profile, path), func(t *testing.T) { h.try(t, n, r) })
			}
		}
	}
}

// TestRetryAfterIsWholeSeconds: from 1 to 60, never 0, and no later than the key
// may be free again.
func TestRetryAfterIsWholeSeconds(t *testing.T) {
	h := newHouse(t)
	claim := call{path: "/v1/claim?answer=wait", body: `{"key":"$","lease":"5s"}`}
	for n, tt := range []struct {
		wait time.Duration
		want string
	}{{0, "5"}, {2500 * time.Millisecond, "3"}, {4999 * time.Millisecond, "1"}} {
		r := row{before: []call{claim}, wait: tt.wait, call: claim, code: http.StatusTooManyRequests, headers: []string{"Retry-After", tt.want}}
		r.want = `{"status":"in_progress","retry_after":` + tt.want + `}`
		t.Run(tt.wait.String(), func(t *testing.T) { h.try(t, n, r) })
	}
}

// TestPeers07TakeoverAtTheBoundary over HTTP: expired is now ≥ lease_until.
func TestPeers07TakeoverAtTheBoundary(t *testing.T) {
	h := newHouse(t)
	claim := call{path: "/v1/claim?answer=strict", body: `{"key":"$"}`}
	drive(t, h, []row{
		{name: "a millisecond before", before: []call{claim}, wait: 899999 * time.Millisecond, call: claim, code: 409,
			want: `{"status":"in_progress","retry_after":1}`},
		{name: "at lease_until", before: []call{claim}, wait: 900 * time.Second, call: claim, code: 201,
			want: `{"status":"claimed","took_over":true,"repeated":false,"fence":2,"attempt":2,"token":"*"}`},
	})
}

// TestReleaseWithAWaitIsInProgress is Peers26.
func TestReleaseWithAWaitIsInProgress(t *testing.T) {
	h := newHouse(t)
	claim := call{path: "/v1/claim?answer=wait", body: `{"key":"$"}`}
	before := []call{claim, {path: "/v1/release", body: `{"key":"$","token":"{token}","error":"500 from the shop","retry_after":"60s"}`}}
	drive(t, h, []row{
		{name: "30 s after", before: before, wait: 30 * time.Second, call: claim, code: 429,
			want: `{"status":"in_progress","retry_after":30}`, headers: []string{"Retry-After", "30"}},
		{name: "60 s after", before: before, wait: 60 * time.Second, call: claim, code: 200,
			want: `{"status":"claimed","fence":2,"attempt":2,"took_over":false}`},
	})
}

// TestMaxAttemptsHolds is Peers25.
func TestMaxAttemptsHolds(t *testing.T) {
	h := newHouse(t)
	h.rule(`{"rule":"thrice","key":"key(body.id)","max_attempts":3,"answer":"strict"}`)
	claim := call{path: "/v1/claim", body: `{"rule":"thrice","key":"$"}`}
	release := call{path: "/v1/release", body: `{"rule":"thrice","key":"$","token":"{token}"}`}
	drive(t, h, []row{{name: "the fourth", before: []call{claim, release, claim, release, claim, release}, call: claim,
		code: http.StatusConflict, want: `{"status":"held","run":false,"reason":"*"}`, headers: []string{"Retry-After", ""}}})
}
