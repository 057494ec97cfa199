package calls

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"
)

func TestBookKeepsTheNewestAndTheLastTime(t *testing.T) {
	now := time.Date(2026, 11, 30, 8, 0, 0, 0, time.UTC)
	var kept []time.Time
	b := NewBook(func() time.Time { return now }, time.Time{}, func(at time.Time) { kept = append(kept, at) }, slog.New(slog.DiscardHandler))
	b.Note(t.Context(), Call{Status: 401})
	b.Note(t.Context(), Call{Status: 400, LetIn: true})
	if !b.Last().IsZero() {
		t.Fatal("a call that was refused counts as one that came in")
	}
	for i := range Kept + 10 {
		b.Note(t.Context(), Call{Status: 200 + i, LetIn: true})
		now = now.Add(time.Second)
	}
	got := b.Newest(3)
	if len(got) != 3 || got[0].Status != 200+Kept+9 || got[2].Status != 200+Kept+7 {
		t.Errorf("Newest(3) = %+v", got)
	}
	if n := len(b.Newest(1000)); n != Kept {
		t.Errorf("%d calls are kept, want %d", n, Kept)
	}
	if len(kept) != 1 {
		t.Errorf("the last time was written down %d times in a minute, want 1", len(kept))
	}
	if want := now.Add(-time.Second); !b.Last().Equal(want) {
		t.Errorf("Last = %v, want %v", b.Last(), want)
	}
}

// TestAKeyIsAShortCode: the same for one key of one rule, another for every other, in
// every engine, and nowhere the key itself.
func TestAKeyIsAShortCode(t *testing.T) {
	var log bytes.Buffer
	codes := map[string]bool{}
	for range 2 {
		b := NewBook(time.Now, time.Time{}, func(time.Time) {}, slog.New(slog.NewTextHandler(&log, nil)))
		b.Note(t.Context(), Call{Rule: "orders", Key: "jane@example.com"})
		b.Note(t.Context(), Call{Rule: "orders", Key: "jane@example.com"})
		b.Note(t.Context(), Call{Rule: "mails", Key: "jane@example.com"})
		b.Note(t.Context(), Call{Rule: "orders"})
		got := b.Newest(4)
		if got[0].Code != "" || len(got[1].Code) != 8 || got[2].Code != got[3].Code || got[1].Code == got[2].Code {
			t.Errorf("codes of %+v", got)
		}
		for _, c := range got {
			if c.Key != "" {
				t.Error("a key is remembered")
			}
		}
		codes[got[3].Code] = true
	}
	if len(codes) != 2 {
		t.Error("two engines make the same code")
	}
	if strings.Contains(log.String(), "jane@") || strings.Count(log.String(), " key=") != 6 {
		t.Errorf("the log says:\n%s", log.String())
	}
}

func TestCauseIsLoggedForFaultsOfTheHouseOnly(t *testing.T) {
	var log bytes.Buffer
	b := NewBook(time.Now, time.Time{}, func(time.Time) {}, slog.New(slog.NewTextHandler(&log, nil)))
	b.Note(t.Context(), Call{Status: 400, Answer: "invalid", Cause: errors.New("quotes jane@example.com")})
	b.Note(t.Context(), Call{Status: 503, Answer: "busy", Cause: errors.New("disk is full")})
	if got := log.String(); strings.Contains(got, "jane@") || !strings.Contains(got, "disk is full") {
		t.Errorf("the log says:\n%s", got)
	}
	for _, c := range b.Newest(2) {
		if c.Cause != nil {
			t.Error("a cause is remembered")
		}
	}
}

func TestContextCarriesTheCall(t *testing.T) {
	var c Call
	Of(With(t.Context(), &c)).Rule = "orders"
	if c.Rule != "orders" {
		t.Error("what was said of the call is lost")
	}
	Of(context.Background()).Rule = "nobody reads this"
}

// TestQuietCallsAreOnlyCounted: machines that ask all day would push out what people
// look for.
func TestQuietCallsAreOnlyCounted(t *testing.T) {
	var log bytes.Buffer
	b := NewBook(time.Now, time.Time{}, func(time.Time) {}, slog.New(slog.NewTextHandler(&log, nil)))
	var told []Call
	b.Observe(func(c Call) { told = append(told, c) })
	b.Note(t.Context(), Call{Route: "GET /healthz", Status: 200, LetIn: true, Quiet: true, Began: time.Now().Add(-time.Minute)})
	b.Note(t.Context(), Call{Route: "POST /v1/claim", Status: 200, LetIn: true, Claims: []Claim{{Rule: "shop", Status: "claimed"}}})
	if len(told) != 2 || told[0].Took < time.Minute || len(told[1].Claims) != 1 {
		t.Errorf("the observer is told %+v", told)
	}
	if got := b.Newest(10); len(got) != 1 || got[0].Route != "POST /v1/claim" || got[0].Claims != nil {
		t.Errorf("remembered are %+v", got)
	}
	if strings.Contains(log.String(), "healthz") || !strings.Contains(log.String(), "POST /v1/claim") {
		t.Errorf("the log says:\n%s", log.String())
	}
}
