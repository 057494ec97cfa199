package admin

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"dedupedesk/rules"
)

// typed is a draft with a key of one field and samples that prove it.
func typed(t *testing.T) (Desk, *drawer) {
	t.Helper()
	d := newDesk(t)
	dr := startRule(t, d, url.Values{"text": {`[{"id":"a","type":"x"},{"id":"a","type":"x"},{"id":"b","type":"x"}]`}, "take": {"all"}})
	dr.do(http.StatusOK, "formula", "formula", `key("a", body.id)`)
	dr.do(http.StatusOK, "settings", "title", "Pay once")
	return d, dr
}

// form is a form of the page as other requests say it.
func form(path string, pairs ...string) string {
	values := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		values.Set(pairs[i], pairs[i+1])
	}
	return "/design/" + path + "?" + values.Encode()
}

// TestUseOfWhatThePageShows: a key is put to use as it stands on the screen, or not at
// all.
func TestUseOfWhatThePageShows(t *testing.T) {
	for _, c := range []struct{ name, said string }{
		{"another formula", form("formula", "place", "key", "formula", `key("a", body.id, body.type)`)},
		{"another condition", form("formula", "place", "when", "formula", `body.type == "x"`)},
		{"another time", form("settings", "lease", "4h")},
		{"another way", form("settings", "on_expiry", "ask")},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, dr := typed(t)
			dr.do(http.StatusConflict, "use", "shown", c.said)
			dr.wants(`"unlike"`, "nothing was put to use")
			if lr, err := d.Ledger.Rules(t.Context()); err != nil || len(lr) != 1 {
				t.Fatalf("rules %v, %v", lr, err)
			}
		})
	}
	d, dr := typed(t)
	w := dr.post("/design/use", url.Values{"draft": {dr.draft}, "shown": {
		form("formula", "place", "key", "formula", "key(\"a\", body.id)\r\n"),
		form("settings", "lease", "15m", "max_attempts", "0"),
	}})
	if w.Code != http.StatusOK {
		t.Fatalf("%d: %s", w.Code, w.Body)
	}
	if key, _ := keyOf(t, d, "pay-once", rules.Sample{Body: `{"id":"a"}`}); key != "a:a" {
		t.Errorf("key %q", key)
	}
}

// TestUnsavedComesAlong: what could not be saved comes with the next request, before
// what that asks for, and can be undone.
func TestUnsavedComesAlong(t *testing.T) {
	_, dr := typed(t)
	late := form("formula", "place", "key", "formula", `key("a", body.id, body.type)`)
	dr.do(http.StatusOK, "field", "path", "body.type", "unsaved", late)
	if got := dr.formula(); got != `key("a", body.id)` {
		t.Errorf("a click on a field that was typed takes it out: %s", got)
	}
	dr.do(http.StatusOK, "undo")
	if got := dr.formula(); got != `key("a", body.id, body.type)` {
		t.Errorf("undone to %s", got)
	}
	dr.do(http.StatusOK, "undo", "unsaved", form("settings", "lease", "4h"))
	if got := dr.formula(); got != `key("a", body.id, body.type)` {
		t.Errorf("what was not saved is the last change, so undo takes that back: %s", got)
	}
	dr.do(http.StatusOK, "save", "unsaved", late)
	dr.do(http.StatusBadRequest, "save", "unsaved", form("use", "title", "x"))
	dr.wants(`"bad_unsaved"`)
}

// TestUnsavedIsSeenBeforeItIsUsed: a key that the draft did not have is saved and shown,
// and used when the button is pressed again.
func TestUnsavedIsSeenBeforeItIsUsed(t *testing.T) {
	d, dr := typed(t)
	late := form("formula", "place", "key", "formula", `key("a", body.id, body.type)`)
	dr.do(http.StatusUnprocessableEntity, "use", "unsaved", late, "shown", late)
	dr.wants("It is saved now, and not in use yet", "a:a:x")
	if k := keptDraft(t, d, dr.draft); k == nil || k.Rule.Key != `key("a", body.id, body.type)` {
		t.Fatalf("kept %+v", k)
	}
	dr.do(http.StatusOK, "use", "shown", late)
	if key, _ := keyOf(t, d, "pay-once", rules.Sample{Body: `{"id":"a","type":"x"}`}); key != "a:a:x" {
		t.Errorf("key %q", key)
	}
}

// TestUnsavedThatIsRefused: a setting that no rule may have stays on the page with its
// sentence and holds nothing else up but the use.
func TestUnsavedThatIsRefused(t *testing.T) {
	_, dr := typed(t)
	late := form("settings", "cost", "much")
	dr.do(http.StatusUnprocessableEntity, "field", "path", "body.type", "unsaved", late)
	dr.wants("Write an amount", `value="much"`)
	if got := dr.formula(); got != `key("a", body.id, body.type)` {
		t.Errorf("formula %s", got)
	}
	dr.open("/design/rule?draft=" + dr.draft)
	if got := dr.formula(); got != `key("a", body.id, body.type)` {
		t.Errorf("kept formula %s", got)
	}
	dr.do(http.StatusUnprocessableEntity, "use", "unsaved", late)
	dr.wants("Write an amount")
}

// TestUnsavedBlocks: several changes of one block arrive together.
func TestUnsavedBlocks(t *testing.T) {
	_, dr := typed(t)
	w := dr.post("/design/save", url.Values{"draft": {dr.draft}, "unsaved": {
		form("part", "part", "1", "was", "body.id", "act", "default", "default", "none"),
		form("part", "part", "1", "was", "body.id", "act", "step", "step", "lower"),
	}})
	if w.Code != http.StatusOK {
		t.Fatalf("%d: %s", w.Code, w.Body)
	}
	dr.open("/design/rule?draft=" + dr.draft)
	if got := dr.formula(); !strings.Contains(got, "lower(") || !strings.Contains(got, `"none"`) {
		t.Errorf("formula %s", got)
	}
}

// TestUnsavedAnswerLost: a page that never heard that its change was saved is told so,
// and of a real change elsewhere as before.
func TestUnsavedAnswerLost(t *testing.T) {
	_, dr := typed(t)
	late := form("settings", "lease", "4h")
	dr.do(http.StatusOK, "save", "unsaved", late)
	dr.do(http.StatusOK, "save", "unsaved", late, "rev", "1")
	dr.do(http.StatusConflict, "save", "unsaved", form("settings", "lease", "1h"), "rev", "1")
	dr.wants(`"overtaken"`)
}

// TestUseOfNothingChanged: a rule in use without a draft has nothing to put to use.
func TestUseOfNothingChanged(t *testing.T) {
	_, dr := typed(t)
	dr.do(http.StatusOK, "use")
	dr.wants("Nothing is changed here")
	dr.draft = "rule.pay-once"
	dr.do(http.StatusOK, "settings", "lease", "4h")
	dr.lacks("Nothing is changed here")
}
