package guard_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"dedupedesk/app/calls"
	"dedupedesk/app/guard"
)

// A gate is the claim endpoint's guard with a clock that stands still until it is
// moved, and a handler that counts.
type gate struct {
	t       *testing.T
	now     time.Time
	known   map[string]bool // the passwords that are right
	asked   int             // how often one was looked up
	reached int
	answer  http.HandlerFunc // nil = 200
	book    *calls.Book
	handler http.Handler
}

func newGate(t *testing.T) *gate {
	g := &gate{t: t, now: nowForever(), known: map[string]bool{"dd_a": true, "dd_b": true, "dd_c": true}}
	g.book = calls.NewBook(g.clock, time.Time{}, func(time.Time) {}, slog.New(slog.DiscardHandler))
	check := func(_ context.Context, secret string) (guard.Caller, bool, error) {
		g.asked++
		return guard.Caller{}, g.known[secret], nil
	}
	reach := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if g.reached++; g.answer != nil {
			g.answer(w, r)
		}
	})
	g.handler = guard.APIAt(g.clock, guard.Hosts{Port: "47821", Public: []string{"api.example.com"}}, check,
		[]guard.Route{{Pattern: "POST /claim", Access: guard.Claim, Published: true, Handler: reach}}, g.book)
	return g
}

func (g *gate) clock() time.Time { return g.now }

// send sends a request of a program on this computer, and returns its answer.
func (g *gate) send(secret string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, "/claim", nil)
	r.Host, r.RemoteAddr = "127.0.0.1:47821", "127.0.0.1:50000"
	r.Header.Set("X-Api-Key", secret)
	for i := 0; i+1 < len(header); i += 2 {
		switch header[i] {
		case "Host":
			r.Host = header[i+1]
		case "from":
			r.RemoteAddr = header[i+1]
		default:
			r.Header.Set(header[i], header[i+1])
		}
	}
	w := httptest.NewRecorder()
	g.handler.ServeHTTP(w, r)
	return w
}

// many sends n requests and returns how many were answered by each status.
func (g *gate) many(n int, secret string, header ...string) map[int]int {
	codes := map[int]int{}
	for range n {
		codes[g.send(secret, header...).Code]++
	}
	return codes
}

// want wants that many of each status.
func (g *gate) want(what string, got map[int]int, want string) {
	g.t.Helper()
	if fmt.Sprint(got) != want {
		g.t.Errorf("%s: %v, want %s", what, got, want)
	}
}

var published = []string{"Host", "api.example.com", "from", "203.0.113.9:4711"}

// TestRateOfATokenUnderAPublishedName: 300 a second, each token by itself, and nothing
// is reached by those beyond.
func TestRateOfATokenUnderAPublishedName(t *testing.T) {
	g := newGate(t)
	g.want("a second's worth at once", g.many(400, "dd_a", published...), "map[200:300 429:100]")
	g.want("another token", g.many(400, "dd_b", published...), "map[200:300 429:100]")
	if g.reached != 600 || g.asked != 600 {
		t.Errorf("the handler was reached %d times, and passwords were looked up %d times, want 600", g.reached, g.asked)
	}
	g.now = g.now.Add(100 * time.Millisecond)
	g.want("a tenth of a second later", g.many(60, "dd_a", published...), "map[200:30 429:30]")
	g.now = g.now.Add(time.Hour)
	g.want("an hour later", g.many(310, "dd_a", published...), "map[200:300 429:10]")
}

// TestNoRateOnThisComputer: what no proxy handed on is not counted, right or wrong.
func TestNoRateOnThisComputer(t *testing.T) {
	g := newGate(t)
	g.want("right", g.many(2000, "dd_a"), "map[200:2000]")
	g.want("wrong", g.many(2000, "dd_x"), "map[401:2000]")
}

// TestRateForWhatAProxyHandsOn, whatever name it keeps.
func TestRateForWhatAProxyHandsOn(t *testing.T) {
	for _, header := range [][]string{
		{"X-Forwarded-For", "203.0.113.9"}, {"Forwarded", "for=203.0.113.9"}, {"Via", "1.1 proxy"}, {"Cf-Ray", "1"}, {"Host", "api.example.com:443"},
	} {
		g := newGate(t)
		g.want(header[0], g.many(301, "dd_a", header...), "map[200:300 429:1]")
	}
}

// TestTooManyIsAProblemThatSaysWhen to come again, and never "run".
func TestTooManyIsAProblemThatSaysWhen(t *testing.T) {
	g := newGate(t)
	g.many(300, "dd_a", published...)
	g.many(20, "dd_x", published...)
	for _, secret := range []string{"dd_a", "dd_x"} {
		w := g.send(secret, published...)
		var p struct {
			Type, Code, Detail string
			Run                *bool
		}
		if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil || w.Header().Get("Content-Type") != "application/problem+json" {
			t.Fatalf("not problem details: %v %s", err, w.Body)
		}
		if w.Code != http.StatusTooManyRequests || p.Code != "too_many_requests" || p.Type != "urn:dedupe-desk:problem:too_many_requests" || p.Detail == "" || p.Run == nil || *p.Run {
			t.Errorf("%d %s", w.Code, w.Body)
		}
		if got := w.Header().Get("Retry-After"); got != "1" {
			t.Errorf("Retry-After is %q, want whole seconds", got)
		}
	}
}

// TestWrongTokensCostLittle: an address that guesses gets few look-ups, whatever it
// sends, and shuts out nobody whose token was right before.
func TestWrongTokensCostLittle(t *testing.T) {
	g := newGate(t)
	tunnel := func(client string) []string { return []string{"X-Forwarded-For", client} }
	g.want("right, before", g.many(1, "dd_a", tunnel("203.0.113.9")...), "map[200:1]")
	g.asked = 0
	codes := map[int]int{}
	for i := range 1000 {
		codes[g.send(fmt.Sprintf("dd_guess%d", i), tunnel("198.51.100.1, 203.0.113.9")...).Code]++
	}
	// The right one was counted for this address once, before it was known.
	g.want("guesses", codes, "map[401:19 429:981]")
	if g.asked != 19 {
		t.Errorf("%d guesses were looked up, want 19", g.asked)
	}
	g.want("the right one, from the same address", g.many(100, "dd_a", tunnel("203.0.113.9")...), "map[200:100]")
	g.want("a new one, from another address", g.many(1, "dd_b", tunnel("203.0.113.10")...), "map[200:1]")
	g.want("a new one, from there", g.many(1, "dd_c", tunnel("203.0.113.9")...), "map[429:1]")
	g.now = g.now.Add(time.Second)
	g.want("a second later", g.many(10, "dd_x", tunnel("203.0.113.9")...), "map[401:5 429:5]")
}

// TestATokenThatWasTakenBackIsStrange, so that it costs as little as any wrong one.
func TestATokenThatWasTakenBackIsStrange(t *testing.T) {
	g := newGate(t)
	g.want("right", g.many(50, "dd_a", published...), "map[200:50]")
	delete(g.known, "dd_a")
	g.want("taken back", g.many(100, "dd_a", published...), "map[401:20 429:80]")
}

// TestNoTokenIsAStrangeOne: it costs no look-up, but a line in the log.
func TestNoTokenIsAStrangeOne(t *testing.T) {
	g := newGate(t)
	g.want("without", g.many(100, "", published...), "map[401:20 429:80]")
	g.want("here", g.many(100, ""), "map[401:100]")
}

// TestAFloodIsOneLineASecond, in the log as on the Connect page.
func TestAFloodIsOneLineASecond(t *testing.T) {
	g, lines := newGate(t), 0
	for range 3 {
		g.many(500, "dd_x", published...)
		g.now = g.now.Add(time.Second)
	}
	for _, c := range g.book.Newest(calls.Kept) {
		if c.Status == http.StatusTooManyRequests {
			lines++
		}
	}
	if lines != 3 {
		t.Errorf("%d lines for three seconds of a flood, want 3", lines)
	}
}

// TestWhatIsCountedIsBounded: who was not heard of for longest is forgotten, and who
// goes on is not.
func TestWhatIsCountedIsBounded(t *testing.T) {
	b := guard.NewBuckets()
	for i := range 3 * guard.MaxBuckets {
		b.Take(i, nowForever())
		b.Take(-1, nowForever())
	}
	if n := b.Len(); n != guard.MaxBuckets {
		t.Errorf("%d are remembered, want %d", n, guard.MaxBuckets)
	}
	if b.Take(-1, nowForever()) {
		t.Error("who sent all the time was forgotten")
	}
	if !b.Take(0, nowForever()) {
		t.Error("who sent once, long ago, is remembered")
	}
}

func TestRequestsAreCountedForTheirAddress(t *testing.T) {
	for _, tt := range []struct{ name, from, forwarded, want string }{
		{"directly", "203.0.113.9:4711", "", "203.0.113.9"},
		{"directly, with a header of its own", "203.0.113.9:4711", "192.0.2.1", "203.0.113.9"},
		{"by a tunnel", "127.0.0.1:4711", "203.0.113.9", "203.0.113.9"},
		{"by a tunnel, with a header of its own", "127.0.0.1:4711", "192.0.2.1, 203.0.113.9", "203.0.113.9"},
		{"by a tunnel that does not say", "127.0.0.1:4711", "", "127.0.0.1"},
		{"by a tunnel, unreadable", "127.0.0.1:4711", "unknown", "127.0.0.1"},
		{"IPv6", "[2001:db8:1:2:3:4:5:6]:4711", "", "2001:db8:1:2::"},
		{"IPv4 as IPv6", "[::ffff:203.0.113.9]:4711", "", "203.0.113.9"},
		{"a link's own", "[fe80::1%eth0]:4711", "", "fe80::"},
		{"an address that is none", "pipe", "", "invalid IP"},
	} {
		r := httptest.NewRequest(http.MethodPost, "/claim", nil)
		r.RemoteAddr = tt.from
		if tt.forwarded != "" {
			r.Header.Set("X-Forwarded-For", tt.forwarded)
		}
		if got := guard.Client(r); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}
