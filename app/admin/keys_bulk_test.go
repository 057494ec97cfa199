package admin

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"dedupedesk/app/session"
	"dedupedesk/ledger"
)

// ticks returns what the boxes of a list send, by the key that they are about.
func ticks(t *testing.T, body string) map[string]string {
	t.Helper()
	list := map[string]string{}
	for _, m := range regexp.MustCompile(`class="keys-tick"[^>]* value="([^"]*)"`).FindAllStringSubmatch(body, -1) {
		text := html.UnescapeString(m[1])
		_, rest, _ := strings.Cut(text, `"key":"`)
		name, _, _ := strings.Cut(rest, `"`)
		list[name] = text
	}
	return list
}

func selectionIn(t *testing.T, body string) string {
	t.Helper()
	m := regexp.MustCompile(`name="selection" value="([^"]+)"`).FindStringSubmatch(body)
	if m == nil {
		t.Fatal("no selection on the page")
	}
	return m[1]
}

// TestBulkTouchesWhatTheDialogNamed: the count, the filter and three keys are named, and
// these keys are decided on, signed with the person's name.
func TestBulkTouchesWhatTheDialogNamed(t *testing.T) {
	d := newDesk(t)
	for _, key := range []string{"order:1", "order:2", "order:3", "order:4", "mail:1"} {
		grantKey(t, d, key, "run")
	}
	move(d, 18*time.Minute)
	grantKey(t, d, "live", "run")
	s := sit(t, d, "Ana", session.Decide)
	body := wantStatus(t, s.get("/keys?view=stuck"), http.StatusOK)
	wantWords(t, body, "Decide on all 5 that need a decision", "None ticked")
	boxes := ticks(t, body)
	if len(boxes) != 5 {
		t.Fatalf("boxes of %v", boxes)
	}
	if all := ticks(t, wantStatus(t, s.get("/keys"), http.StatusOK)); len(all) != 5 {
		t.Errorf("boxes among all keys: %v", all)
	}

	asked := wantStatus(t, s.post("/keys/bulk/choose", url.Values{"scope": {"ticked"}, "row": {boxes["order:1"], boxes["mail:1"]}}), http.StatusOK)
	wantWords(t, asked, "2 ticked: did the work happen?", "order:1", "mail:1", "Let 2 events run again?")
	if strings.Contains(asked, "data-confirm-word") {
		t.Error("two keys ask for a typed number")
	}
	id := selectionIn(t, asked)
	wantWords(t, wantStatus(t, s.post("/keys/bulk/decide", url.Values{"selection": {id}, "decision": {"finished"}}), http.StatusUnprocessableEntity), "Say in a few words why.", `value="`+id+`"`)
	done := s.post("/keys/bulk/decide", url.Values{"selection": {id}, "decision": {"finished"}, "why": {"both are there"}})
	body = wantStatus(t, done, http.StatusOK)
	wantWords(t, body, "2 keys marked as finished.", "By Ana", "Undo")
	if done.Header().Get("HX-Trigger") != "decided" {
		t.Error("the list is not told to follow")
	}

	asked = wantStatus(t, s.post("/keys/bulk/choose", url.Values{"scope": {"all"}, "view": {"stuck"}, "q": {"order:"}}), http.StatusOK)
	wantWords(t, asked, "All 3 that match", "keys that start with", "order:4", "order:3", "order:2")
	grantKey(t, d, "order:5", "run")
	move(d, 18*time.Minute)
	body = wantStatus(t, s.post("/keys/bulk/decide", url.Values{"selection": {selectionIn(t, asked)}, "decision": {"block"}, "why": {"I ask"}}), http.StatusOK)
	wantWords(t, body, "3 keys blocked until somebody decides.")
	for key, want := range map[string]ledger.State{"order:1": ledger.Done, "mail:1": ledger.Done, "order:2": ledger.Held, "order:4": ledger.Held, "order:5": ledger.Claimed, "live": ledger.Claimed} {
		life, err := d.Ledger.Key(t.Context(), "", key)
		if err != nil || life.Key.State != want {
			t.Errorf("%s is %s, want %s (%v)", key, life.Key.State, want, err)
		}
	}
	recent := wantStatus(t, s.get("/keys/recent"), http.StatusOK)
	wantWords(t, recent, "2 keys marked as finished.", "3 keys blocked until somebody decides.", "both are there")
}

// TestBulkLeavesAloneWhatChanged and says what came between.
func TestBulkLeavesAloneWhatChanged(t *testing.T) {
	d := newDesk(t)
	for _, key := range []string{"a", "b", "c"} {
		grantKey(t, d, key, "run "+key)
	}
	move(d, 18*time.Minute)
	ana, bo := sit(t, d, "Ana", session.Decide), sit(t, again(t, d), "Bo", session.Decide)
	asked := wantStatus(t, ana.post("/keys/bulk/choose", url.Values{"scope": {"all"}, "view": {"stuck"}}), http.StatusOK)
	if _, err := d.Ledger.Done(t.Context(), ledger.DoneRequest{Identity: ledger.Identity{Key: "a", Owner: "run a"}}); err != nil {
		t.Fatal(err)
	}
	theirs := wantStatus(t, bo.post("/keys/bulk/choose", url.Values{"scope": {"ticked"}, "row": {ticks(t, wantStatus(t, bo.get("/keys?view=stuck"), http.StatusOK))["b"]}}), http.StatusOK)
	wantWords(t, wantStatus(t, bo.post("/keys/bulk/decide", url.Values{"selection": {selectionIn(t, theirs)}, "decision": {"again"}, "why": {"none there"}}), http.StatusOK), "1 key may run again.")
	body := wantStatus(t, ana.post("/keys/bulk/decide", url.Values{"selection": {selectionIn(t, asked)}, "decision": {"finished"}, "why": {"all there"}}), http.StatusOK)
	wantWords(t, body, "1 key marked as finished.", "2 keys changed meanwhile and were left alone.", "finished it", "Bo let it run again")

	job := regexp.MustCompile(`name="id" value="([^"]+)"`).FindStringSubmatch(body)
	if job == nil {
		t.Fatal("no undo")
	}
	wantWords(t, wantStatus(t, ana.post("/keys/bulk/undo", url.Values{"id": {job[1]}}), http.StatusOK), "1 key put back: blocked until somebody decides.")
	if w := ana.post("/keys/bulk/undo", url.Values{"id": {job[1]}}); w.Code < 400 {
		t.Errorf("a second undo: status %d", w.Code)
	}
}

// TestMoreThanAHundredAskForTheNumber, and what cannot be meant is refused.
func TestMoreThanAHundredAskForTheNumber(t *testing.T) {
	d := newDesk(t)
	for i := range 101 {
		grantKey(t, d, "order:"+string(rune('a'+i%26))+strings.Repeat("x", i/26), "run")
	}
	move(d, 18*time.Minute)
	s := sit(t, d, "Ana", session.Decide)
	asked := wantStatus(t, s.post("/keys/bulk/choose", url.Values{"scope": {"all"}, "view": {"stuck"}}), http.StatusOK)
	if n := strings.Count(asked, `data-confirm-word="101"`); n != 3 {
		t.Errorf("%d answers ask for the number, want 3", n)
	}
	for name, form := range map[string]url.Values{
		"nothing ticked":       {"scope": {"ticked"}},
		"a broken row":         {"scope": {"ticked"}, "row": {"{}"}},
		"no scope":             {},
		"all of another state": {"scope": {"all"}, "view": {"finished"}},
		"all of every state":   {"scope": {"all"}},
	} {
		if w := s.post("/keys/bulk/choose", form); w.Code < 400 || w.Code >= 500 {
			t.Errorf("%s: status %d", name, w.Code)
		}
	}
	looker := sit(t, again(t, d), "Lou", session.Look)
	if boxes := ticks(t, wantStatus(t, looker.get("/keys?view=stuck"), http.StatusOK)); len(boxes) > 0 {
		t.Error("who may only look can tick")
	}
	if w := looker.post("/keys/bulk/choose", url.Values{"scope": {"all"}, "view": {"stuck"}}); w.Code != http.StatusForbidden {
		t.Errorf("who may only look chooses: %d", w.Code)
	}
}
