package admin

import (
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"dedupedesk/rules"
)

// state is what undo must bring back.
func state(t *testing.T, d Desk, id string) rules.Rule {
	t.Helper()
	return keptDraft(t, d, id).Rule
}

// TestEveryChangeOfADraftIsUndoneAndDoneAgain walks a draft through changes of all
// kinds, back to its start and forward again.
func TestEveryChangeOfADraftIsUndoneAndDoneAgain(t *testing.T) {
	d := newDesk(t)
	dr := startRule(t, d, url.Values{"text": {`{"id":"evt_1","n":1}`}})
	changes := []func(){
		func() { dr.do(http.StatusOK, "field", "path", "body.id") },
		func() { dr.do(http.StatusOK, "formula", "formula", `key("a", body.id)`) },
		func() { dr.do(http.StatusOK, "samples/add", "text", `{"id":"evt_1","n":2}`) },
		func() { dr.do(http.StatusOK, "samples/group", "sample", dr.sampleNo("1"), "group", "A") },
		func() { dr.do(http.StatusOK, "settings", "title", "Ship", "lease", "1h") },
		func() { dr.do(http.StatusOK, "part", "act", "remove", "part", "0", "was", `"a"`) },
		func() { dr.do(http.StatusOK, "samples/remove", "sample", dr.sampleNo("0")) },
	}
	dr.do(http.StatusOK, "settings", "title", "First")
	states := []rules.Rule{state(t, d, dr.draft)}
	for _, change := range changes {
		change()
		states = append(states, state(t, d, dr.draft))
	}
	for i := len(changes) - 1; i >= 0; i-- {
		dr.do(http.StatusOK, "undo")
		dr.wants("Taken back: ")
		if got := state(t, d, dr.draft); !reflect.DeepEqual(got, states[i]) {
			t.Fatalf("undo of change %d:\n got %+v\nwant %+v", i, got, states[i])
		}
	}
	for i := range changes {
		dr.do(http.StatusOK, "redo")
		if got := state(t, d, dr.draft); !reflect.DeepEqual(got, states[i+1]) {
			t.Fatalf("redo of change %d:\n got %+v\nwant %+v", i, got, states[i+1])
		}
	}
	dr.do(http.StatusConflict, "redo")
	dr.do(http.StatusOK, "undo")
	dr.do(http.StatusOK, "settings", "title", "Another way")
	dr.do(http.StatusConflict, "redo")
}

// TestLettersTypedTogetherAreUndoneTogether: what changes nothing is no step, and a
// pause begins a new one.
func TestLettersTypedTogetherAreUndoneTogether(t *testing.T) {
	d := newDesk(t)
	dr := startRule(t, d, url.Values{"text": {`{"id":"evt_1"}`}})
	past := func() int { return len(keptDraft(t, d, dr.draft).Past) }
	for _, text := range []string{"k", "ke", "key(body.id)", "key(body.id)"} {
		dr.do(http.StatusOK, "formula", "formula", text)
	}
	if past() != 1 {
		t.Errorf("%d steps, want the typing as one", past())
	}
	move(d, typingPause)
	dr.do(http.StatusOK, "formula", "formula", "key(body.id, 2)")
	dr.do(http.StatusOK, "formula", "place", "when", "formula", "true")
	dr.do(http.StatusOK, "samples/show", "sample", dr.sampleNo("0"))
	if past() != 3 {
		t.Errorf("%d steps, want 3", past())
	}
	dr.do(http.StatusOK, "undo")
	dr.do(http.StatusOK, "undo")
	if got := keptDraft(t, d, dr.draft).Rule; got.Key != "key(body.id)" || got.When != "" {
		t.Errorf("undone to %q, when %q", got.Key, got.When)
	}
}

// TestThePastOfADraftIsBounded: large samples that were removed make the oldest
// steps go, and never the draft.
func TestThePastOfADraftIsBounded(t *testing.T) {
	d := newDesk(t)
	dr := startRule(t, d, url.Values{"text": {`{"id":"evt_1"}`}})
	for n := range maxPast + 5 {
		dr.do(http.StatusOK, "settings", "title", fmt.Sprint("Title ", n))
	}
	if n := len(keptDraft(t, d, dr.draft).Past); n != maxPast {
		t.Errorf("%d steps, want %d", n, maxPast)
	}
	for n := range 6 {
		dr.do(http.StatusOK, "samples/add", "text", fmt.Sprintf(`{"id":%d,"x":"%s"}`, n, strings.Repeat("x", 900_000)))
		dr.do(http.StatusOK, "samples/remove", "sample", dr.sampleNo("1"))
	}
	text, _, err := d.Ledger.Setting(t.Context(), draftPrefix+dr.draft)
	if err != nil || len(text) > maxDraft {
		t.Fatalf("%d bytes, %v", len(text), err)
	}
	dr.do(http.StatusOK, "undo")
	if n := len(keptDraft(t, d, dr.draft).Rule.Samples); n != 2 {
		t.Errorf("%d samples after undo, want the removed one back", n)
	}
}

// TestASecondTabIsToldInsteadOfWinning: its change is refused until it says so.
func TestASecondTabIsToldInsteadOfWinning(t *testing.T) {
	d := newDesk(t)
	first := startRule(t, d, url.Values{"text": {`{"id":"evt_1","type":"x"}`}})
	rev := fmt.Sprint(keptDraft(t, d, first.draft).Rev)
	first.do(http.StatusOK, "formula", "formula", "key(body.id)", "rev", rev)
	second := &drawer{seat: first.seat, draft: first.draft}
	w := second.do(http.StatusConflict, "formula", "formula", "key(body.type)", "rev", rev)
	if !strings.Contains(w.Body.String(), `"overtaken"`) || keptDraft(t, d, first.draft).Rule.Key != "key(body.id)" {
		t.Errorf("%s, and the formula is %q", w.Body, keptDraft(t, d, first.draft).Rule.Key)
	}
	second.do(http.StatusConflict, "use", "title", "T", "rev", rev)
	second.do(http.StatusConflict, "discard", "rev", rev)
	second.do(http.StatusOK, "formula", "formula", "key(body.type)", "rev", rev, "over", "1")
	second.do(http.StatusOK, "undo")
	if got := keptDraft(t, d, first.draft).Rule.Key; got != "key(body.id)" {
		t.Errorf("undo gives %q, want the first tab's formula", got)
	}
}
