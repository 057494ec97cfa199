package admin

import (
	"fmt"
	"html"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"dedupedesk/app/session"
)

// pageLink is the address behind a button of the pager, "" where there is no such button.
func pageLink(body, words string) string {
	_, nav, _ := strings.Cut(body, `aria-label="Pages of keys"`)
	nav, _, _ = strings.Cut(nav, "</nav>")
	for _, m := range regexp.MustCompile(`(?s)<a [^>]*href="([^"]*)"[^>]*>(.*?)</a>`).FindAllStringSubmatch(nav, -1) {
		if strings.Contains(m[2], words) {
			return html.UnescapeString(m[1])
		}
	}
	return ""
}

// TestPeers62PagesBothWays: the last page and the page before one are reached at once, and
// every page shows what it showed on the way there.
func TestPeers62PagesBothWays(t *testing.T) {
	d := newDesk(t)
	for i := range 130 {
		grantKey(t, d, fmt.Sprintf("order:%03d", i), "run")
		move(d, time.Second)
	}
	s := sit(t, d, "Ana", session.Look)
	keys := func(body string) string {
		return strings.Join(regexp.MustCompile(`order:\d{3}`).FindAllString(body, -1), " ")
	}
	first := wantStatus(t, s.get("/keys"), http.StatusOK)
	second := wantStatus(t, s.get(pageLink(first, "Older")), http.StatusOK)
	last := wantStatus(t, s.get(pageLink(first, "Oldest")), http.StatusOK)
	if !strings.Contains(last, "order:000") || pageLink(last, "Older") != "" || pageLink(first, "Newer") != "" {
		t.Error("the last page does not end, or the first does not begin")
	}
	before := wantStatus(t, s.get(pageLink(last, "Newer")), http.StatusOK)
	if strings.Contains(keys(before), "order:000") || !strings.Contains(keys(before), "order:050") {
		t.Errorf("before the last page: %s", keys(before))
	}
	if back := wantStatus(t, s.get(pageLink(second, "Newer")), http.StatusOK); keys(back) != keys(first) {
		t.Errorf("back on the first page:\n%s\nwant\n%s", keys(back), keys(first))
	}
	if byKey := wantStatus(t, s.get("/keys?q=order"), http.StatusOK); pageLink(byKey, "After") == "" || pageLink(byKey, "Last") == "" {
		t.Error("pages by key are told as if by age")
	}
}

// TestASearchWithinKeysSaysHowFarItLooked, and goes on where it found nothing.
func TestASearchWithinKeysSaysHowFarItLooked(t *testing.T) {
	d := newDesk(t)
	grantKey(t, d, "shop:in_77:paid", "run")
	for i := range lookedAt + 100 {
		if i%700 == 0 {
			move(d, time.Second)
		}
		grantKey(t, d, fmt.Sprintf("order:%04d", i), "run")
	}
	s := sit(t, d, "Ana", session.Look)
	body := wantStatus(t, s.get("/keys?match=inside&q=in_77"), http.StatusOK)
	wantWords(t, body, "No key matches", "keys that hold", "Looked through 2,000 keys at most", "Look further")
	m := regexp.MustCompile(`href="([^"]*cursor=[^"]*)"`).FindStringSubmatch(body)
	if m == nil {
		t.Fatal("no way to look further")
	}
	wantWords(t, wantStatus(t, s.get(html.UnescapeString(m[1])), http.StatusOK), "shop:in_77:paid", "Looked through to the oldest key.")
	wantWords(t, wantStatus(t, s.get("/keys?match=inside&q=er:209"), http.StatusOK), "order:2099", "order:2090")
}

// TestPeers62ChangesAreToldAndNothingMoves: what came or changed since the list was drawn
// is counted, and the list is shown anew only when the person asks.
func TestPeers62ChangesAreToldAndNothingMoves(t *testing.T) {
	d := newDesk(t)
	first := grantKey(t, d, "order:1", "run")
	grantKey(t, d, "mail:1", "run")
	move(d, time.Second)
	s := sit(t, d, "Ana", session.Look)
	ask := func(address string) string {
		t.Helper()
		m := regexp.MustCompile(`id="keys-news"[^>]*hx-get="([^"]*)"`).FindStringSubmatch(wantStatus(t, s.get(address), http.StatusOK))
		if m == nil {
			t.Fatalf("%s does not ask for news", address)
		}
		return html.UnescapeString(m[1])
	}
	all, orders, inside := ask("/keys"), ask("/keys?q=order"), ask("/keys?match=inside&q=der:")
	if body := wantStatus(t, s.get(all), http.StatusOK); strings.Contains(body, "new or changed") {
		t.Errorf("news of nothing: %s", body)
	}
	move(d, time.Second)
	finishKey(t, d, "order:1", first.Token)
	grantKey(t, d, "order:2", "run")
	grantKey(t, d, "mail:2", "run")
	for address, want := range map[string]string{all: "3 new or changed", orders: "2 new or changed", inside: "2 new or changed"} {
		wantWords(t, wantStatus(t, s.get(address), http.StatusOK), want, "Show", `hx-get="`)
	}
	now := func(address, key string) string {
		t.Helper()
		_, rest, _ := strings.Cut(html.UnescapeString(wantStatus(t, s.get(address), http.StatusOK)), `data-key-now="`+keyHref("default", key)+`"`)
		row, _, _ := strings.Cut(rest, "</tr>")
		return row
	}
	if row := now(orders, "order:1"); !strings.Contains(row, "Finished") {
		t.Errorf("order:1 stands as %q", row)
	}
	move(d, 18*time.Minute) // the others get stuck by time alone
	stuck := ask("/keys?view=stuck")
	if body := wantStatus(t, s.get(stuck), http.StatusOK); strings.Contains(body, "new or changed") {
		t.Errorf("news of nothing: %s", body)
	}
	grantKey(t, d, "order:9", "run")
	move(d, 18*time.Minute)
	wantWords(t, wantStatus(t, s.get(stuck), http.StatusOK), "1 new or changed")
	if row := now(all, "mail:1"); !strings.Contains(row, "Needs a decision") {
		t.Errorf("mail:1 stands as %q", row)
	}
	wantStatus(t, s.get("/keys/news?at=soon"), http.StatusBadRequest)
}
