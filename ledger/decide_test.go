package ledger

import (
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// TestFirstMatchDecides checks the order of the table: mismatch, done, live, held,
// attempts used up, expired with ask, not due, grant. Each row fits its own line and
// every later one that it can.
func TestFirstMatchDecides(t *testing.T) {
	p := Policy{Lease: time.Minute, OnExpiry: Ask, MaxAttempts: 1}
	expired := noon.Add(-time.Second)
	for _, tt := range []struct {
		name string
		row  Row
		want Status
		left State
	}{
		{"mismatch before done", Row{State: Done, Fingerprint: "x", FirstSeen: noon, DoneAt: noon}, StatusMismatch, Done},
		{"mismatch before held", Row{State: Held, Fingerprint: "x", FirstSeen: noon}, StatusMismatch, Held},
		{"done", Row{State: Done, DoneAt: noon, Attempts: 1}, StatusDone, Done},
		{"live before used up", Row{State: Claimed, LeaseUntil: noon.Add(1), Attempts: 1}, StatusInProgress, Claimed},
		{"held", Row{State: Held, Attempts: 1}, StatusHeld, Held},
		{"used up before ask", Row{State: Claimed, LeaseUntil: expired, Attempts: 1}, StatusHeld, Held},
		{"used up before not due", Row{State: Retryable, NextTryAt: noon.Add(1), Attempts: 1}, StatusHeld, Held},
		{"ask", Row{State: Claimed, LeaseUntil: noon}, StatusHeld, Held},
		{"not due", Row{State: Retryable, NextTryAt: noon.Add(1)}, StatusInProgress, Retryable},
		{"due", Row{State: Retryable, NextTryAt: noon}, StatusClaimed, Claimed},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := decideClaim(tt.row, true, ClaimRequest{Key: "a", Fingerprint: "y"}, p, moment{now: noon}, "s")
			if o.answer.Status != tt.want || o.row.State != tt.left || o.refuse != nil {
				t.Errorf("got %q, row %q, %v", o.answer.Status, o.row.State, o.refuse)
			}
			if o.answer.Run != (tt.want == StatusClaimed) {
				t.Errorf("run %v", o.answer.Run)
			}
		})
	}
}

// TestPeers59UnknownStateIsNeverAFreeKey: every call but a person's act is refused.
func TestPeers59UnknownStateIsNeverAFreeKey(t *testing.T) {
	row := Row{State: "finished?", Token: "1.s", Owner: "me", LeaseUntil: noon.Add(-time.Hour)}
	id := Identity{Key: "a", Token: "1.s"}
	p := DefaultPolicy()
	for name, o := range map[string]outcome{
		"claim":   decideClaim(row, true, ClaimRequest{Key: "a", Owner: "me"}, p, moment{now: noon}, "s"),
		"done":    decideDone(row, true, DoneRequest{Identity: id}, p, noon),
		"release": decideRelease(row, true, ReleaseRequest{Identity: id}, p, noon),
		"renew":   decideRenew(row, true, RenewRequest{Identity: id}, p, noon),
	} {
		if CodeOf(o.refuse) != Corrupt || o.change != keep || o.answer.Run || o.answer.Token != "" {
			t.Errorf("%s: %+v", name, o)
		}
	}
	if k := row.key(noon); !k.Stuck || k.StuckWhy == "" {
		t.Errorf("people are not told: %+v", k)
	}
	o := decidePerson(row, true, DecideRequest{Decision: Block, By: "Ada", Why: "odd"}, p, noon)
	if o.refuse != nil || o.row.State != Held {
		t.Errorf("a person cannot get out of it: %+v", o)
	}
}

func TestWaitIsWholeSecondsFromOneToSixty(t *testing.T) {
	for left, want := range map[time.Duration]time.Duration{
		1: time.Second, time.Second: time.Second, time.Second + 1: 2 * time.Second,
		59*time.Second + 1: time.Minute, time.Hour: time.Minute, -time.Hour: time.Second,
	} {
		if got := wait(left); got != want {
			t.Errorf("wait(%v) = %v, want %v", left, got, want)
		}
	}
}

// TestTokenIsNotShownToPeople looks for the secret in everything a person sees.
func TestTokenIsNotShownToPeople(t *testing.T) {
	const secret = "TOPSECRET"
	o := firstGrant(Row{Key: "a", Rule: "r"}, ClaimRequest{Key: "a"}, DefaultPolicy(), noon, secret)
	if o.answer.Token != "1."+secret {
		t.Fatalf("token %q", o.answer.Token)
	}
	stale := decideDone(o.row, true, DoneRequest{Identity: Identity{Token: "1.x" + secret}}, DefaultPolicy(), noon)
	shown := []string{o.answer.Reason, MessageOf(stale.refuse), stale.events[0].Text, stale.events[0].Owner, o.row.stuckWhy(noon.Add(time.Hour))}
	for _, text := range shown {
		if text == "" && text != stale.events[0].Owner || strings.Contains(text, secret) {
			t.Errorf("shown: %q", text)
		}
	}
}

func TestSpansReadLikePeopleSayThem(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "just now", 40 * time.Second: "40 s ago", 3 * time.Minute: "3 min ago",
		47 * time.Hour: "47 h ago", 72 * time.Hour: "3 days ago", -time.Minute: "just now",
	} {
		if got := ago(d); got != want {
			t.Errorf("ago(%v) = %q, want %q", d, got, want)
		}
	}
}

// FuzzKey: a key that may be claimed is short, visible text, and one that is refused
// names the member.
func FuzzKey(f *testing.F) {
	for _, seed := range []string{"evt_1", "", " ", "a\nb", "é😀", "\xff", "a\u202eb", strings.Repeat("x", 256), "evt_1 ", "\u200bevt_1", "\ufeff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, key string) {
		if err := validKey(key); err != nil {
			if CodeOf(err) != Invalid || FieldOf(err) != "key" || MessageOf(err) == "" {
				t.Errorf("%q: %v", key, err)
			}
			return
		}
		if !utf8.ValidString(key) || utf8.RuneCountInString(key) > MaxKeyRunes || key == "" || strings.Trim(key, " \u00a0\u200b\ufeff") != key ||
			strings.ContainsFunc(key, unicode.IsControl) {
			t.Errorf("%q may be claimed", key)
		}
	})
}

// FuzzErrorText: whatever a caller sends, what is kept is one short clean line, and
// cleaning it again changes nothing.
func FuzzErrorText(f *testing.F) {
	for _, seed := range []string{"it broke", "\x1b[31m", "a\r\nb", "\u202e", "\xff\xfe", strings.Repeat("é", 600)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		clean := cleanError(text)
		if !utf8.ValidString(clean) || utf8.RuneCountInString(clean) > maxError ||
			strings.ContainsFunc(clean, unicode.IsControl) || clean != cleanError(clean) {
			t.Errorf("%q became %q", text, clean)
		}
	})
}

// FuzzCursor: no text is taken for a place unless this order wrote it.
func FuzzCursor(f *testing.F) {
	for o := ByChange; o <= ByKey; o++ {
		f.Add(o.cursor(Row{ID: 7, Key: "a", ChangedAt: noon, StuckAt: noon}))
	}
	f.Add("e30")
	f.Add("eyJrIjoi0CIsImkiOjZ9") // a key in an order that has none, and not UTF-8
	f.Fuzz(func(t *testing.T, cursor string) {
		for o := ByChange; o <= ByKey; o++ {
			p, err := o.position(cursor)
			if err != nil {
				if CodeOf(err) != Invalid || FieldOf(err) != "cursor" {
					t.Errorf("%q: %v", cursor, err)
				}
				continue
			}
			row := Row{ID: p.ID, Key: p.Key, ChangedAt: p.At, StuckAt: p.At}
			if again := o.cursor(row); again != cursor {
				t.Errorf("%q is taken for %+v, whose cursor is %q", cursor, p, again)
			}
		}
	})
}

// FuzzShift: a shift is bounded, and bad text shifts nothing.
func FuzzShift(f *testing.F) {
	for _, seed := range []string{"+901s", "-1d", "sleep +2h", "+1d2h", "+NaNd", "+infd"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := parseShift(text)
		if by := s.by; err != nil && by != 0 || by.Abs() > 2*36500*24*time.Hour {
			t.Errorf("%q shifts by %v, %v", text, s.by, err)
		}
	})
}
