package admin

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"dedupedesk/app/catch"
)

func TestRealEventBecomesASample(t *testing.T) {
	d := newDesk(t)
	dr := startRule(t, d, url.Values{"text": {tryOne}})
	dr.wants("Wait for a real event", "cannot reach this computer")
	look := func() int { return dr.post("/design/catch/look", url.Values{"draft": {dr.draft}}).Code }
	dr.do(http.StatusOK, "catch/wait")
	dr.wants("Waiting for an event, for 10 more minutes", "http://127.0.0.1:47821/v1/catch", `hx-trigger="every 1s"`)
	if code := look(); code != http.StatusNoContent {
		t.Errorf("nothing came: %d", code)
	}
	for _, body := range []string{tryTwo, other} {
		if err := d.Caught.Put(map[string]string{"X-Id": "7", "Cookie": "a=b"}, body); err != nil {
			t.Fatal(err)
		}
	}
	dr.do(http.StatusOK, "catch/look")
	dr.wants("Sample 2: a copy of one you have, or a different event?", "caught at")
	// The next one waits for the question about this one.
	if code := look(); code != http.StatusNoContent {
		t.Errorf("asked while a question is open: %d", code)
	}
	dr.do(http.StatusOK, "undo")
	dr.wants("Taken back: taking a real event.")
	dr.do(http.StatusOK, "redo")
	dr.do(http.StatusOK, "samples/group", "sample", dr.sampleNo("1"), "group", "A")
	dr.do(http.StatusOK, "catch/look")
	dr.wants("Sample 3: a copy of one you have")
	got := keptDraft(t, d, dr.draft).Rule.Samples
	if len(got) != 3 || got[1].Body != tryTwo || got[1].Headers["X-Id"] != "7" || got[1].Headers["Cookie"] != catch.Mask {
		t.Errorf("kept are %+v", got)
	}
	dr.do(http.StatusOK, "catch/stop")
	dr.wants("Wait for a real event")
	if d.Caught.Waiting() {
		t.Error("it waits after a stop")
	}
}

func TestWaitThatIsOverSaysSo(t *testing.T) {
	d := newDesk(t)
	dr := startRule(t, d, url.Values{"start": {"empty"}})
	dr.do(http.StatusOK, "catch/wait")
	move(d, catch.Longest)
	dr.do(http.StatusOK, "catch/look")
	dr.wants("Wait for a real event")
	dr.lacks("every 1s")
}

func TestFullDraftTakesNoMoreEvents(t *testing.T) {
	d := newDesk(t)
	dr := startRule(t, d, url.Values{"start": {"empty"}})
	for i := range 5 {
		if w := dr.post("/design/samples/add", url.Values{"draft": {dr.draft}, "text": {`"` + strings.Repeat("x", 900_000) + `"`}}); w.Code != http.StatusOK && i < 3 {
			t.Fatalf("sample %d: %d", i, w.Code)
		}
	}
	dr.open("/design/rule?draft=" + dr.draft)
	if at := keptDraft(t, d, dr.draft); at.Asked {
		dr.do(http.StatusOK, "samples/group", "sample", dr.sampleNo(string(rune('0'+len(at.Rule.Samples)-1))), "group", "+")
	}
	dr.do(http.StatusOK, "catch/wait")
	if err := d.Caught.Put(nil, `"`+strings.Repeat("y", 900_000)+`"`); err != nil {
		t.Fatal(err)
	}
	dr.do(http.StatusOK, "catch/look")
	dr.wants("This rule has as many samples as it can keep")
	if d.Caught.Look(dr.draft, false) > time.Duration(0) {
		t.Error("it goes on waiting")
	}
}
