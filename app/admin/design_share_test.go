package admin

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var shareText = regexp.MustCompile(`(?s)id="share-text">(.*?)</code>`)

// A rule goes out masked and comes in again as a draft that says the same, under
// another name where the first is taken.
func TestSharedRuleIsOpenedAgain(t *testing.T) {
	d := newDesk(t)
	dr := sorted(t, d)
	dr.do(http.StatusOK, "formula", "formula", `key("shop", body.order.id)`)
	dr.do(http.StatusOK, "settings", "title", "Book it", "name", "paid", "lease", "1h", "keep", "90d", "on_expiry", "ask")
	dr.do(http.StatusOK, "use", "title", "Book it", "name", "paid", "lease", "1h", "keep", "90d", "on_expiry", "ask")
	seat := sit(t, d, "Kim", "look")
	body := seat.get("/design/share?draft=rule.paid").Body.String()
	text := html.UnescapeString(shareText.FindStringSubmatch(body)[1])
	for _, gone := range []string{"robin", "kim@", "evt_1", "evt_2"} {
		if strings.Contains(text, gone) {
			t.Errorf("%q goes out:\n%s", gone, text)
		}
	}
	if !strings.Contains(text, "rule: paid\n") || !strings.Contains(text, `key("shop", body.order.id)`) || !strings.Contains(body, "paid.yaml") {
		t.Errorf("shared is:\n%s", text)
	}
	w := dr.post("/design/open", url.Values{"text": {strings.ReplaceAll(text, "\n", "\r\n")}})
	wantStatus(t, w, http.StatusOK)
	dr.draft = strings.TrimPrefix(w.Header().Get("HX-Redirect"), "/design/rule?draft=")
	dr.open("/design/rule?draft=" + dr.draft)
	dr.wants("Book it", "Both copies of A share one key. A and B differ.", `value="paid-2"`, `value="ask" checked`)
	if got := keptDraft(t, d, dr.draft).Rule; len(got.Samples) != 3 || got.Lease.String() != "1h" {
		t.Errorf("opened is %+v", got)
	}
}

func TestSharedRuleThatCannotBeReadStays(t *testing.T) {
	d := newDesk(t)
	seat := sit(t, d, "Robin", "change")
	for _, tt := range []struct{ text, says string }{
		{" ", "Paste the file of a shared rule first"},
		{"rule: a\nkey: key(body.id)\nleese: 9\n", "Line 3"},
		{"rule: a\nkey: key(body.id)\nlease: 0s\n", "Line 3"},
		{"hello", "rule file"},
	} {
		w := seat.post("/design/open", url.Values{"text": {tt.text}})
		wantStatus(t, w, http.StatusUnprocessableEntity)
		wantTold(t, w.Body.String(), tt.says)
		if !strings.Contains(w.Body.String(), html.EscapeString(strings.TrimSpace(tt.text))) {
			t.Errorf("%q is lost", tt.text)
		}
	}
	wantStatus(t, seat.post("/design/open", url.Values{"text": {strings.Repeat("# x\n", 300_000)}}), http.StatusRequestEntityTooLarge)
}

// What masking would spoil goes out without samples, and says so.
func TestUnmaskableSamplesAreLeftOut(t *testing.T) {
	d := newDesk(t)
	// The masked number is odd in one sample and even in another, sooner or later.
	dr := startRule(t, d, url.Values{"text": {`{"id":"1"}`}})
	for _, n := range []string{"3", "5", "7", "9", "11", "13", "15", "17", "19", "21", "23", "25", "27", "29", "31", "33", "35", "37", "39"} {
		dr.do(http.StatusOK, "samples/add", "text", `{"id":"`+n+`"}`)
		dr.do(http.StatusOK, "samples/group", "sample", dr.sampleNo(strconv.Itoa(len(keptDraft(t, d, dr.draft).Rule.Samples)-1)), "group", "A")
	}
	dr.do(http.StatusOK, "formula", "formula", `key("x", body.id.matches("[13579]$") ? "odd" : "even")`)
	w := dr.get("/design/share?draft=" + dr.draft)
	wantTold(t, w.Body.String(), "The samples are left out", "no samples")
	if strings.Contains(w.Body.String(), "samples:") {
		t.Error("samples go out all the same")
	}
}
