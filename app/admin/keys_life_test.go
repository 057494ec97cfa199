package admin

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dedupedesk/app/session"
	"dedupedesk/ledger"
)

func TestProbablyRanTwiceNamesBoth(t *testing.T) {
	d := newDesk(t)
	first := grantKey(t, d, "a:1", "8841")
	move(d, 16*time.Minute)
	second := grantKey(t, d, "a:1", "8842") // takes over
	move(d, time.Minute)
	req := ledger.DoneRequest{Identity: ledger.Identity{Key: "a:1", Token: first.Token}}
	if _, err := d.Ledger.Done(t.Context(), req); ledger.CodeOf(err) != ledger.Stale {
		t.Fatalf("done after a takeover: %v, want stale", err)
	}
	finishKey(t, d, "a:1", second.Token)
	body := sit(t, d, "Mira", session.Look).get(oneKey + "a:1").Body.String()
	wantTold(t, body, "This probably ran twice", "Probably ran twice: by run 8841 and by run 8842",
		"Taken over by run 8842", "Finished by run 8842", "Late reports refused")
	wantAbsent(t, body, first.Token, second.Token)
}

func TestImportedKeysSayWhereTheyCameFrom(t *testing.T) {
	d := newDesk(t)
	_, err := d.Ledger.Import(t.Context(), ledger.ImportRequest{By: "Ada", Keys: []ledger.Key{
		{Key: "a:1", State: ledger.Claimed, Owner: "8841", Fence: 1, Attempts: 1},
	}})
	if err != nil {
		t.Fatal(err)
	}
	body := sit(t, d, "Mira", session.Look).get(oneKey + "a:1").Body.String()
	wantTold(t, body, "Ada imported it", "Was in progress where it came from")
}

func TestReportAfterADecisionIsNoDoubleRun(t *testing.T) {
	d := newDesk(t)
	a := grantKey(t, d, "a:1", "8841")
	move(d, 18*time.Minute)
	at := sit(t, d, "Mira", session.Decide)
	at.post("/keys/decide", drawnForm(t, at.get(oneKey+"a:1").Body.String(), "block"))
	req := ledger.DoneRequest{Identity: ledger.Identity{Key: "a:1", Token: a.Token}}
	if _, err := d.Ledger.Done(t.Context(), req); ledger.CodeOf(err) != ledger.Stale {
		t.Fatalf("done after a decision: %v, want stale", err)
	}
	body := at.get(oneKey + "a:1").Body.String()
	wantTold(t, body, "Run 8841 reported it finished after a person had decided")
	wantAbsent(t, body, "ran twice")
}

func TestLifeTellsCopiesReleaseAndTakeover(t *testing.T) {
	d := newDesk(t)
	a := grantKey(t, d, "a:1", "8841")
	move(d, time.Second)
	askFor(t, d, "a:1", "8842")
	move(d, time.Second)
	giveBack(t, d, "a:1", a.Token, "HTTP 503 from the invoice service")
	move(d, time.Minute)
	b := grantKey(t, d, "a:1", "run-8843")
	finishKey(t, d, "a:1", b.Token)
	move(d, time.Minute)
	askFor(t, d, "a:1", "")
	body := sit(t, d, "Mira", session.Look).get(oneKey + "a:1").Body.String()
	wantTold(t, body, "HTTP 503 from the invoice service")
	last := 0
	for _, line := range []string{"Reserved by run 8841", "Copy stopped (run 8842)", "Given back by run 8841", "Reserved by run-8843", "Finished by run-8843", "Copy stopped, it was finished already"} {
		at := strings.Index(body[last:], line)
		if at < 0 {
			t.Fatalf("%q is missing or out of order", line)
		}
		last += at
	}
}

func TestLifeCountsCopiesBeyondTheListed(t *testing.T) {
	d := newDesk(t)
	finishKey(t, d, "a:1", grantKey(t, d, "a:1", "").Token)
	for range ledger.MaxArrivals + 7 {
		askFor(t, d, "a:1", "")
	}
	body := sit(t, d, "Mira", session.Look).get(oneKey + "a:1").Body.String()
	wantTold(t, body, "Copies before these, counted and no longer listed: 7.")
	if got := strings.Count(body, "Copy stopped, it was finished already"); got != ledger.MaxArrivals {
		t.Errorf("%d copies listed, want %d", got, ledger.MaxArrivals)
	}
}

func TestRuleThatAsksHoldsTheKey(t *testing.T) {
	d := newDesk(t)
	policy := ledger.DefaultPolicy()
	policy.OnExpiry = ledger.Ask
	if _, err := d.Ledger.PutRule(t.Context(), "", ledger.Rule{Name: "mails", Title: "Mails", Policy: policy}); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := d.Ledger.Claim(t.Context(), ledger.ClaimRequest{Rule: "mails", Key: "m:1"}); err != nil {
			t.Fatal(err)
		}
		move(d, 16*time.Minute)
	}
	at := sit(t, d, "Mira", session.Decide)
	body := at.get("/keys/one?rule=mails&key=m:1").Body.String()
	wantTold(t, body, "Rule Mails", "It is blocked until somebody decides.", "Until you answer, copies are stopped.", "A person is asked", "Set aside for a decision", "Reserved by a run without a name")
	if got := keysOn(at.get("/keys?view=stuck").Body.String()); len(got) != 1 || got[0] != "m:1" {
		t.Errorf("needs a decision: %v, want m:1", got)
	}
}

// hostile is what a sender may put into any text. In a page it is text.
const hostile = `<img src=x onerror=alert(1)>`

func TestPeers63HostileTextIsShownAsText(t *testing.T) {
	d := newDesk(t)
	keys := []string{
		hostile, `=HYPERLINK("http://example.org")`, `"><script>alert(1)</script>`, "'--", "طلب:٤٢",
		strings.Repeat("k", ledger.MaxKeyRunes), strings.Repeat("漢", ledger.MaxKeyRunes), "a%3Ab:c&d=e+f#g?h",
	}
	for _, key := range keys {
		a := grantKey(t, d, key, hostile)
		move(d, time.Second)
		giveBack(t, d, key, a.Token, hostile)
	}
	move(d, 2*time.Hour)
	at := sit(t, d, hostile, session.Change)
	body := at.get("/keys?q=" + url.QueryEscape(`"><script>`)).Body.String()
	wantAbsent(t, body, "<img", "<script>alert")
	body = at.get("/keys").Body.String()
	wantAbsent(t, body, "<img", "<script>alert")
	if got := len(keysOn(body)); got != len(keys) {
		t.Errorf("%d keys listed, want %d", got, len(keys))
	}
	for _, key := range keys {
		w := at.get(keyHref("default", key))
		wantCode(t, w.Code, http.StatusOK, w.Body.String())
		wantAbsent(t, w.Body.String(), "<img", "<script>alert")
		form := drawnForm(t, w.Body.String(), "block")
		if form.Get("key") != key {
			t.Fatalf("the form names %q, want %q", form.Get("key"), key)
		}
		form.Set("why", hostile)
		w = at.post("/keys/decide", form)
		wantCode(t, w.Code, http.StatusOK, w.Body.String())
		wantAbsent(t, w.Body.String(), "<img", "<script>alert")
	}
}

func TestLookForNamesTheTellingPart(t *testing.T) {
	for key, want := range map[string]string{
		"stripe:in_77:invoice.paid": "in_77",
		"shopify:5678901234567":     "5678901234567",
		"only-words":                "only-words",
		"list:a%3A1%25:row":         "a:1%",
		"sha256:00ff":               "sha256:00ff",
		":::":                       ":::",
	} {
		if got := lookFor(key); got != want {
			t.Errorf("lookFor(%q) = %q, want %q", key, got, want)
		}
	}
}

func TestHowLongLosesLittle(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0 seconds", time.Second: "1 second", 90 * time.Second: "90 seconds", 15 * time.Minute: "15 minutes",
		119 * time.Minute: "119 minutes", 2 * time.Hour: "2 hours", 47 * time.Hour: "47 hours", 7 * 24 * time.Hour: "7 days",
	} {
		if got := howLong(d); got != want {
			t.Errorf("howLong(%v) = %q, want %q", d, got, want)
		}
	}
}

// TestANoteIsKeptInTheHistory, changes nothing, and takes no undo away.
func TestANoteIsKeptInTheHistory(t *testing.T) {
	d := newDesk(t)
	stuckKey(t, d, "order:1", "run")
	s := sit(t, d, "Ana", session.Decide)
	note := func(text string) string {
		t.Helper()
		w := s.post("/keys/note", url.Values{"rule": {"default"}, "key": {"order:1"}, "note": {text}})
		if (w.Code == http.StatusOK) != (text != "" && len(text) < 301) {
			t.Errorf("note %.20q: status %d", text, w.Code)
		}
		return w.Body.String()
	}
	before, err := d.Ledger.Key(t.Context(), "", "order:1")
	if err != nil {
		t.Fatal(err)
	}
	wantWords(t, note("I asked <b>the supplier</b>"), "The note is kept.", "Ana noted", "I asked <b>the supplier</b>")
	wantWords(t, note(""), "Write what others should know")
	wantWords(t, note(strings.Repeat("x", 301)), "Write it shorter")
	after, err := d.Ledger.Key(t.Context(), "", "order:1")
	if diff := cmp.Diff(before.Key, after.Key); err != nil || diff != "" {
		t.Errorf("the note changed the key (-before +after):\n%s %v", diff, err)
	}
	for _, decision := range []ledger.Decision{ledger.Block, ledger.Finished} {
		if _, err := d.Ledger.Decide(t.Context(), ledger.DecideRequest{Key: "order:1", Decision: decision, By: "Ana", Why: "x"}); err != nil {
			t.Fatal(err)
		}
		note("and more")
	}
	if after, err = d.Ledger.Key(t.Context(), "", "order:1"); err != nil || !undoable(after) {
		t.Errorf("a note took the undo away: %+v, %v", after.Events, err)
	}
	if w := sit(t, again(t, d), "Lou", session.Look).post("/keys/note", url.Values{"key": {"order:1"}, "note": {"x"}}); w.Code != http.StatusForbidden {
		t.Errorf("who may only look writes a note: %d", w.Code)
	}
}
