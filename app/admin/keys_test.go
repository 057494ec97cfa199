package admin

import (
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"dedupedesk/app/session"
	"dedupedesk/frontend/page"
	"dedupedesk/ledger"
	"github.com/google/go-cmp/cmp"
)

// grantKey claims key for owner and wants to be told to run.
func grantKey(t *testing.T, d Desk, key, owner string) ledger.Answer {
	t.Helper()
	a, err := d.Ledger.Claim(t.Context(), ledger.ClaimRequest{Key: key, Owner: owner})
	if err != nil || !a.Run {
		t.Fatalf("claim %q for %q: run %v, %v", key, owner, a.Run, err)
	}
	return a
}

// askFor claims key for owner and returns what that is told.
func askFor(t *testing.T, d Desk, key, owner string) ledger.Status {
	t.Helper()
	a, err := d.Ledger.Claim(t.Context(), ledger.ClaimRequest{Key: key, Owner: owner})
	if err != nil {
		t.Fatalf("claim %q: %v", key, err)
	}
	return a.Status
}

func finishKey(t *testing.T, d Desk, key, token string) {
	t.Helper()
	req := ledger.DoneRequest{Identity: ledger.Identity{Key: key, Token: token}, Result: []byte(`{"id":9007199254740993}`)}
	if _, err := d.Ledger.Done(t.Context(), req); err != nil {
		t.Fatalf("done %q: %v", key, err)
	}
}

func giveBack(t *testing.T, d Desk, key, token, why string) {
	t.Helper()
	if _, err := d.Ledger.Release(t.Context(), ledger.ReleaseRequest{Identity: ledger.Identity{Key: key, Token: token}, Error: why}); err != nil {
		t.Fatalf("release %q: %v", key, err)
	}
}

// stuckKey leaves a key behind whose run never came back.
func stuckKey(t *testing.T, d Desk, key, owner string) {
	t.Helper()
	grantKey(t, d, key, owner)
	move(d, 18*time.Minute) // 15 allowed, 2 of grace
}

var (
	keyCell  = regexp.MustCompile(`(?s)<code class="event-key" id="row-\d+"><bdi>(.*?)</bdi>`)
	tabCount = regexp.MustCompile(`(?s)<a class="tab"[^>]*>([^<]+?)\s*<span class="tab-count">([^<]+)</span>`)
	hiddenIn = regexp.MustCompile(`<input type="hidden" name="([a-z]+)" value="([^"]*)"`)
	blanks   = regexp.MustCompile(`\s+`)
)

// keysOn returns the keys of a list, as drawn from the top.
func keysOn(body string) []string {
	var keys []string
	for _, m := range keyCell.FindAllStringSubmatch(body, -1) {
		keys = append(keys, html.UnescapeString(m[1]))
	}
	return keys
}

func wantCode(t *testing.T, got, want int, body string) {
	t.Helper()
	if got != want {
		t.Fatalf("status %d, want %d:\n%.2000s", got, want, body)
	}
}

// wantTold wants each text on the page as a person reads it.
func wantTold(t *testing.T, body string, texts ...string) {
	t.Helper()
	seen := blanks.ReplaceAllString(html.UnescapeString(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(body, " ")), " ")
	for _, text := range texts {
		if !strings.Contains(seen, text) {
			t.Errorf("the page does not say %q", text)
		}
	}
	if t.Failed() {
		t.Log(seen)
	}
}

func wantAbsent(t *testing.T, body string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if strings.Contains(body, text) {
			t.Errorf("the page holds %q", text)
		}
	}
}

func TestKeysWithoutCalls(t *testing.T) {
	d := newDesk(t)
	w := sit(t, d, "Mira", session.Look).get("/keys")
	wantCode(t, w.Code, http.StatusOK, w.Body.String())
	wantTold(t, w.Body.String(), "No calls yet", "Send a test from Connect")
	if !strings.Contains(w.Body.String(), `href="/connect"`) {
		t.Error("no way to Connect")
	}
}

func TestKeysByState(t *testing.T) {
	d := newDesk(t)
	stuckKey(t, d, "stripe:in_1:paid", "8840")
	finishKey(t, d, "stripe:in_2:paid", grantKey(t, d, "stripe:in_2:paid", "8841").Token)
	giveBack(t, d, "stripe:in_3:paid", grantKey(t, d, "stripe:in_3:paid", "8842").Token, "HTTP 503")
	grantKey(t, d, "stripe:in_4:paid", "8843")
	if got := askFor(t, d, "stripe:in_4:paid", "8844"); got != ledger.StatusInProgress {
		t.Fatalf("a copy was answered %q", got)
	}
	at := sit(t, d, "Mira", session.Look)
	for view, want := range map[string][]string{
		"in_progress": {"stripe:in_4:paid"},
		"stuck":       {"stripe:in_1:paid"},
		"waiting":     {"stripe:in_3:paid"},
		"finished":    {"stripe:in_2:paid"},
	} {
		w := at.get("/keys?view=" + view)
		wantCode(t, w.Code, http.StatusOK, w.Body.String())
		if diff := cmp.Diff(want, keysOn(w.Body.String())); diff != "" {
			t.Errorf("view %s (-want +got):\n%s", view, diff)
		}
	}
	body := at.get("/keys").Body.String()
	if got := len(keysOn(body)); got != 4 {
		t.Errorf("%d keys on the page, want 4", got)
	}
	wantTold(t, body, "Needs a decision", "Failed, waiting for another try", "In progress", "Finished")
	counts := map[string]string{}
	for _, m := range tabCount.FindAllStringSubmatch(body, -1) {
		counts[strings.TrimSpace(m[1])] = m[2]
	}
	want := map[string]string{"All": "4", "In progress": "1", "Needs a decision": "1", "Waiting for another try": "1", "Finished": "1"}
	if diff := cmp.Diff(want, counts); diff != "" {
		t.Errorf("counts beside the tabs (-want +got):\n%s", diff)
	}
}

func TestKeysFilter(t *testing.T) {
	d := newDesk(t)
	for _, key := range []string{"a:1", "a:12", "a:123", "b:1"} {
		grantKey(t, d, key, "")
	}
	rule := ledger.Rule{Name: "orders", Title: "New orders", Policy: ledger.DefaultPolicy()}
	if _, err := d.Ledger.PutRule(t.Context(), "", rule); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Ledger.Claim(t.Context(), ledger.ClaimRequest{Rule: "orders", Key: "a:12"}); err != nil {
		t.Fatal(err)
	}
	move(d, 2*time.Hour)
	grantKey(t, d, "a:late", "")
	at := sit(t, d, "Mira", session.Look)
	for address, want := range map[string][]string{
		"/keys?q=a:1":                          {"a:1", "a:12", "a:12", "a:123"},
		"/keys?q=a:12&match=exact":             {"a:12", "a:12"},
		"/keys?q=a:12&match=exact&rule=orders": {"a:12"},
		"/keys?q=a:12&match=exact&since=1h":    nil,
		"/keys?q=a:12&match=exact&view=stuck":  {"a:12", "a:12"},
		"/keys?rule=orders":                    {"a:12"},
		"/keys?since=1h":                       {"a:late"},
		"/keys?q=A:1":                          nil,
		"/keys?q=%25":                          nil,
	} {
		body := at.get(address).Body.String()
		got := keysOn(body)
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", address, diff)
		}
		if want == nil {
			wantTold(t, body, "No key matches", "Clear the filter")
		}
	}
}

func TestKeysAddressHoldsTheFilters(t *testing.T) {
	d := newDesk(t)
	grantKey(t, d, "a:1", "")
	body := sit(t, d, "Mira", session.Look).get("/keys?view=finished&rule=default&q=a%3A&since=7d").Body.String()
	wantTold(t, body,
		"http://127.0.0.1:47820/keys?view=finished&rule=default&q=a%3A&since=7d",
		"Looked for: state “Finished”, keys that start with “a:”, rule “Plain keys (no rule)”, changed in the last 7 days.")
	for _, href := range []string{
		"/keys?q=a%3A&amp;rule=default&amp;since=7d",                   // the tab All
		"/keys?q=a%3A&amp;rule=default&amp;since=1h&amp;view=finished", // another range
		"/keys?q=a%3A&amp;rule=default&amp;since=7d&amp;view=stuck",    // another tab
	} {
		if !strings.Contains(body, `href="`+href+`"`) {
			t.Errorf("no link to %s", href)
		}
	}
}

// People look for the id that they see at the sender; a key begins with the sender.
func TestKeysOfferTheSearchWithARulesFirstText(t *testing.T) {
	d := newDesk(t)
	putRule(t, d, "rule: paid\nkey: key(\"stripe\", body.id)\n")
	putRule(t, d, "rule: sent\nkey: key(\"a:b%\", body.id)\n")
	putRule(t, d, "rule: bare\nkey: key(body.id)\n")
	for _, c := range []ledger.ClaimRequest{{Rule: "paid", Key: "stripe:evt_0001"}, {Rule: "sent", Key: "a%3Ab%25:evt_0002"}, {Rule: "bare", Key: "inv_1"}} {
		if _, err := d.Ledger.Claim(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	at := sit(t, d, "Mira", session.Look)
	for _, tt := range []struct {
		query string
		links []string // what the offered searches look for
	}{
		{"q=evt_000", []string{"stripe:evt_000", "a%3Ab%25:evt_000"}},
		{"q=evt_0002", []string{"a%3Ab%25:evt_0002"}},
		{"q=evt_000&rule=paid", []string{"stripe:evt_000"}},
		{"q=evt_000&view=finished", nil},
		{"q=evt_9", nil},
		{"q=stripe:evt_9", nil},
		{"q=inv_1", nil}, // found by itself
		{"q=evt_0001&match=exact", []string{"stripe:evt_0001"}},
	} {
		body := at.get("/keys?" + tt.query).Body.String()
		var got []string
		for _, m := range regexp.MustCompile(`keys that start with <code class="event-key"><bdi>([^<]*)</bdi>`).FindAllStringSubmatch(body, -1) {
			got = append(got, m[1])
		}
		slices.Sort(got)
		slices.Sort(tt.links)
		if diff := cmp.Diff(tt.links, got); diff != "" {
			t.Errorf("%s offers (-want +got):\n%s", tt.query, diff)
		}
		for _, m := range regexp.MustCompile(`<li>\s*<a href="(/keys\?[^"]*)"`).FindAllStringSubmatch(body, -1) {
			if len(keysOn(at.get(html.UnescapeString(m[1])).Body.String())) == 0 {
				t.Errorf("%s leads to a search that finds nothing", m[1])
			}
		}
	}
}

func TestKeysRefusesFiltersThatDoNotExist(t *testing.T) {
	d := newDesk(t)
	grantKey(t, d, "a:1", "")
	at := sit(t, d, "Mira", session.Look)
	for address, want := range map[string]int{
		"/keys?view=lost":      http.StatusBadRequest,
		"/keys?since=2h":       http.StatusBadRequest,
		"/keys?match=regexp":   http.StatusBadRequest,
		"/keys?cursor=zzz":     http.StatusBadRequest,
		"/keys?rule=no-such":   http.StatusNotFound,
		"/keys?rule=%3Cimg%3E": http.StatusNotFound,
	} {
		w := at.get(address)
		if w.Code != want {
			t.Errorf("%s: status %d, want %d", address, w.Code, want)
		}
		if len(keysOn(w.Body.String())) != 0 {
			t.Errorf("%s: shows keys", address)
		}
	}
}

func TestKeysPagesStayWhileKeysCome(t *testing.T) {
	d := newDesk(t)
	var want []string
	for i := range 120 {
		key := fmt.Sprintf("order:%03d", i)
		grantKey(t, d, key, "")
		want = append(want, key)
		move(d, time.Second)
	}
	slices.Reverse(want)
	at := sit(t, d, "Mira", session.Look)
	var got []string
	address := "/keys"
	for n := 0; address != ""; n++ {
		body := at.get(address).Body.String()
		keys := keysOn(body)
		if len(keys) > keysShown || n > 3 {
			t.Fatalf("page %d holds %d keys", n, len(keys))
		}
		got = append(got, keys...)
		for i := range 30 {
			grantKey(t, d, fmt.Sprintf("new:%d:%d", n, i), "")
		}
		if n > 0 && !strings.Contains(body, "Newest") {
			t.Errorf("page %d has no way back to the newest", n)
		}
		address = pageLink(body, "Older")
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("keys over all pages (-want +got):\n%s", diff)
	}
}

func TestKeysUnknownKeyIs404(t *testing.T) {
	d := newDesk(t)
	at := sit(t, d, "Mira", session.Look)
	for _, q := range []url.Values{
		{"rule": {"default"}, "key": {"never"}},
		{"rule": {"no-such"}, "key": {"never"}},
		{"rule": {"default"}, "key": {""}},
		{"rule": {"default"}, "key": {strings.Repeat("x", 300)}},
		{"rule": {"default"}, "key": {"a\x00b"}},
	} {
		w := at.get("/keys/one?" + q.Encode())
		if w.Code != http.StatusNotFound {
			t.Errorf("%v: status %d, want 404", q, w.Code)
		}
		wantTold(t, w.Body.String(), "There is no such key")
	}
}

// Status is asked every five seconds: it is a fragment, and says whether a call came.
func TestStatusFragment(t *testing.T) {
	d := newDesk(t)
	at := sit(t, d, "Mira", session.Look)
	w := at.get("/status")
	wantCode(t, w.Code, http.StatusOK, w.Body.String())
	wantAbsent(t, w.Body.String(), "<html", "<main")
	wantTold(t, w.Body.String(), "Ready, no calls yet", "0 keys")
	stuckKey(t, d, "a:1", "")
	wantTold(t, at.get("/status").Body.String(), "1 key", "1 needs a decision")
}

// What the file's trouble means for the automations stands on the page.
func TestKeysTellsWhatTroubleMeans(t *testing.T) {
	d := newDesk(t)
	for code, want := range map[ledger.Code]int{
		ledger.Busy: http.StatusServiceUnavailable, ledger.Corrupt: http.StatusServiceUnavailable,
		ledger.UnknownRule: http.StatusNotFound, ledger.Internal: 0,
	} {
		var v page.KeysView
		err := fmt.Errorf("keys: %w", &ledger.Error{Code: code, Msg: "The key file is in use."})
		if got := d.keysTrouble(httptest.NewRequest(http.MethodGet, "/keys", nil), &v, err); got != want {
			t.Errorf("%s: status %d, want %d", code, got, want)
		}
		if (v.Trouble == nil) != (want == 0) {
			t.Errorf("%s: notice %v", code, v.Trouble)
		}
	}
}
