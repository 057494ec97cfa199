package alerts_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"dedupedesk/app/alerts"
	"dedupedesk/ledger"
	"dedupedesk/ledger/ledgertest"
	"dedupedesk/ledger/sqlite"
)

// A receiver answers as it is told to, and keeps what came.
type receiver struct {
	*httptest.Server
	mu     sync.Mutex
	came   []string
	status int
	header map[string]string
}

func newReceiver(t *testing.T) *receiver {
	r := &receiver{status: http.StatusOK}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		body, _ := io.ReadAll(q.Body)
		r.mu.Lock()
		defer r.mu.Unlock()
		r.came = append(r.came, string(body))
		for name, value := range r.header {
			w.Header().Set(name, value)
		}
		w.WriteHeader(r.status)
	}))
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) answer(status int, header map[string]string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.status, r.header = status, header
}

func (r *receiver) messages() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]string(nil), r.came...)
}

// A house is a ledger with the rule shop, whose keys get stuck when their time is over.
type house struct {
	t     *testing.T
	l     *ledger.Ledger
	clock *ledgertest.Clock
	rule  ledger.Rule
	log   bytes.Buffer
}

func newHouse(t *testing.T) *house {
	t.Helper()
	store, err := sqlite.Open(filepath.Join(t.TempDir(), "ledger.db"))
	if err != nil {
		t.Fatal(err)
	}
	h := &house{t: t, clock: ledgertest.NewClockAt(time.Date(2026, 11, 30, 14, 5, 0, 0, time.UTC))}
	h.l = ledger.New(store, h.clock, nil)
	t.Cleanup(func() {
		if err := h.l.Close(); err != nil {
			t.Error(err)
		}
	})
	h.rule, err = h.l.PutRule(t.Context(), "", ledger.Rule{Name: "shop", Title: "Paid <invoices> & more", Policy: ledger.DefaultPolicy()})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func (h *house) book() *alerts.Book {
	return alerts.NewBook(h.l, slog.New(slog.NewTextHandler(&h.log, nil)))
}

// stuck makes keys that need a decision.
func (h *house) stuck(keys ...string) {
	h.t.Helper()
	for _, key := range keys {
		if _, err := h.l.Claim(h.t.Context(), ledger.ClaimRequest{Rule: "shop", Key: key}); err != nil {
			h.t.Fatal(err)
		}
	}
	h.clock.Step(18 * time.Minute)
}

func (h *house) look(b *alerts.Book) {
	h.t.Helper()
	if err := b.Look(h.t.Context()); err != nil {
		h.t.Fatal(err)
	}
}

func (h *house) target(b *alerts.Book, t alerts.Target) {
	h.t.Helper()
	if err := b.SetTarget(h.t.Context(), h.rule.ID, t); err != nil {
		h.t.Fatal(err)
	}
}

// TestOneMessageForAllThatAreNew, a reminder a day while some are left, and a key that is
// stuck anew is told anew.
func TestOneMessageForAllThatAreNew(t *testing.T) {
	h, r := newHouse(t), newReceiver(t)
	b := h.book()
	h.target(b, alerts.Target{Kind: alerts.JSON, URL: r.URL})
	h.look(b)
	h.stuck("order:1", "order:2", "order:3")
	h.look(b)
	h.look(b)
	h.clock.Step(2 * time.Minute)
	h.look(b)
	if got := r.messages(); len(got) != 1 || !strings.Contains(got[0], `"need_decision":3`) || strings.Contains(got[0], "order:") {
		t.Fatalf("%q", got)
	}
	h.stuck("order:4")
	h.look(b)
	if got := r.messages(); len(got) != 2 || !strings.Contains(got[1], `"new":1`) || !strings.Contains(got[1], `"need_decision":4`) {
		t.Fatalf("%q", got)
	}
	life, err := h.l.Key(t.Context(), "shop", "order:1")
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range []ledger.Decision{ledger.Again, ledger.Block} { // decided, and stuck anew
		if _, err := h.l.Decide(t.Context(), ledger.DecideRequest{Rule: "shop", Key: life.Key.Key, Decision: d, By: "Ana", Why: "x"}); err != nil {
			t.Fatal(err)
		}
		h.clock.Step(2 * time.Minute)
		h.look(b)
	}
	if got := r.messages(); len(got) != 3 {
		t.Fatalf("a key that is stuck anew: %q", got[2:])
	}
	h.clock.Step(alerts.RemindAfter)
	h.look(b)
	if got := r.messages(); len(got) != 4 || !strings.Contains(got[3], `"new":0`) {
		t.Fatalf("no reminder: %q", got)
	}
}

// TestWhatIsNotTakenIsTriedAgain, later each time, also by an engine that starts anew, and
// no sooner than the answer asks for.
func TestWhatIsNotTakenIsTriedAgain(t *testing.T) {
	h, r := newHouse(t), newReceiver(t)
	h.target(h.book(), alerts.Target{Kind: alerts.Slack, URL: r.URL})
	h.stuck("order:1")
	r.answer(http.StatusServiceUnavailable, nil)
	h.look(h.book())
	h.look(h.book()) // too early
	h.clock.Step(11 * time.Second)
	r.answer(http.StatusTooManyRequests, map[string]string{"Retry-After": "600"})
	h.look(h.book())
	h.clock.Step(9 * time.Minute)
	h.look(h.book()) // it asked for ten
	if n := len(r.messages()); n != 2 {
		t.Fatalf("%d messages", n)
	}
	s, err := h.book().State(t.Context(), h.rule.ID)
	if err != nil || s.Tries != 2 || !strings.Contains(s.Failure, "429") {
		t.Fatalf("%+v %v", s, err)
	}
	h.clock.Step(2 * time.Minute)
	r.answer(http.StatusNotFound, nil)
	h.look(h.book())
	h.clock.Step(30 * time.Minute)
	h.look(h.book()) // nothing changes by itself so soon
	if s, _ := h.book().State(t.Context(), h.rule.ID); len(r.messages()) != 3 || !strings.Contains(s.Failure, "the hook is gone") {
		t.Fatalf("%d messages, %+v", len(r.messages()), s)
	}
	h.clock.Step(time.Hour)
	r.answer(http.StatusOK, nil)
	h.look(h.book())
	h.look(h.book())
	if s, _ := h.book().State(t.Context(), h.rule.ID); len(r.messages()) != 4 || s.Failure != "" || s.Tries != 0 {
		t.Fatalf("%d messages, %+v", len(r.messages()), s)
	}
	r.Close()
	h.stuck("order:2")
	h.clock.Step(time.Hour)
	h.look(h.book())
	if s, _ := h.book().State(t.Context(), h.rule.ID); !strings.Contains(s.Failure, "could not be reached") || strings.Contains(s.Failure, "http") {
		t.Errorf("%q", s.Failure)
	}
	if log := h.log.String(); strings.Contains(log, "order:") || strings.Contains(log, r.URL) {
		t.Errorf("the log tells too much: %s", log)
	}
}

// TestOfTwoEnginesOneSends.
func TestOfTwoEnginesOneSends(t *testing.T) {
	h, r := newHouse(t), newReceiver(t)
	one, two := h.book(), h.book()
	h.target(one, alerts.Target{Kind: alerts.JSON, URL: r.URL})
	for round := range 5 {
		h.stuck(fmt.Sprint("order:", round))
		var wg sync.WaitGroup
		for _, b := range []*alerts.Book{one, two} {
			wg.Go(func() {
				if err := b.Look(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		h.look(two)
	}
	if n := len(r.messages()); n != 5 {
		t.Errorf("%d messages of five", n)
	}
}

// TestEachKindIsWrittenInItsOwnWay, whatever a title or a key holds.
func TestEachKindIsWrittenInItsOwnWay(t *testing.T) {
	hostile := []string{"<!channel> [pay](http://x.example)", "طلب:٤٢", strings.Repeat("k", 255), "*b* _i_ `c`"}
	for kind, want := range map[string]string{alerts.Slack: "Paid &lt;invoices&gt; &amp; more", alerts.Teams: `Paid <invoices\>`, alerts.JSON: "Paid <invoices> & more"} {
		h, r := newHouse(t), newReceiver(t)
		b := h.book()
		h.target(b, alerts.Target{Kind: kind, URL: r.URL, Keys: true})
		h.stuck(hostile...)
		h.look(b)
		got := r.messages()
		if len(got) != 1 {
			t.Fatalf("%s: %q", kind, got)
		}
		var message map[string]any
		if err := json.Unmarshal([]byte(got[0]), &message); err != nil {
			t.Fatalf("%s: %v", kind, err)
		}
		text := fmt.Sprint(message)
		if !strings.Contains(text, want) || !strings.Contains(text, "طلب:٤٢") || !strings.Contains(text, strings.Repeat("k", 255)) {
			t.Errorf("%s: %s", kind, text)
		}
		if kind == alerts.Slack && strings.Contains(text, "<!channel>") || kind == alerts.Teams && strings.Contains(text, "[pay](http") {
			t.Errorf("%s: a key is read as more than text: %s", kind, text)
		}
	}
}

// TestATargetIsAnHTTPSAddress, or one of this computer, and is shown without its secret.
func TestATargetIsAnHTTPSAddress(t *testing.T) {
	for address, ok := range map[string]bool{
		"https://hooks.slack.com/services/T0/B0/secretsecret": true, "http://127.0.0.1:9/x": true, "http://localhost/x": true, "http://[::1]:9/": true,
		"": false, "http://example.com/x": false, "ftp://example.com": false, "https://": false, "https://user:pw@example.com/": false, "hello": false,
		"https://example.com/" + strings.Repeat("x", 2000): false,
	} {
		if err := (alerts.Target{Kind: alerts.JSON, URL: address}).Check(); (err == nil) != ok || err != nil && ledger.FieldOf(err) != "url" {
			t.Errorf("%q: %v", address, err)
		}
	}
	if err := (alerts.Target{Kind: "mail", URL: "https://example.com"}).Check(); ledger.FieldOf(err) != "kind" {
		t.Error(err)
	}
	masked := alerts.Target{Kind: alerts.Slack, URL: "https://hooks.slack.com/services/T0/B0/secretsecret"}.Masked()
	if masked != "https://hooks.slack.com/····cret" && masked != "https://hooks.slack.com/····"+"cret" || strings.Contains(masked, "services") {
		t.Errorf("%q", masked)
	}
}

// TestNoRedirectIsFollowed: a message goes where a person said, and nowhere else.
func TestNoRedirectIsFollowed(t *testing.T) {
	h, elsewhere, r := newHouse(t), newReceiver(t), newReceiver(t)
	r.answer(http.StatusTemporaryRedirect, map[string]string{"Location": elsewhere.URL})
	err := h.book().Send(t.Context(), alerts.Target{Kind: alerts.JSON, URL: r.URL}, alerts.Message{Test: true, Title: "Shop"})
	if err == nil || !strings.Contains(err.Error(), "not followed") || len(elsewhere.messages()) > 0 {
		t.Errorf("%v, %q", err, elsewhere.messages())
	}
}
