package admin

import (
	"net/http"
	"net/url"
	"strconv"
	"time"

	"dedupedesk/frontend/page"
	"dedupedesk/ledger"
)

// newsShown is up to how many changes are counted.
const newsShown = 99

// newsHref is the address that tells what changed in the list since at.
func (f keysFilter) newsHref(at time.Time) string {
	q, _ := url.ParseQuery(f.query(nil))
	q.Set("at", strconv.FormatInt(at.UnixMilli(), 10))
	return "/keys/news?" + q.Encode()
}

// keysNews tells how many keys of a list are new or changed since it was drawn. The list
// itself stays as it is until the person asks for it: rows that move are read wrong.
func (d Desk) keysNews(w http.ResponseWriter, r *http.Request) error {
	f, err := parseKeysFilter(r.URL.Query())
	if err != nil {
		return err
	}
	at, err := strconv.ParseInt(r.URL.Query().Get("at"), 10, 64)
	if err != nil || at < 0 {
		return noSuchFilter("at", "The list does not say when it was drawn. Load the page again.")
	}
	v := page.NewsView{Ask: f.newsHref(time.UnixMilli(at)), Show: f.href(nil)}
	q := ledger.KeyQuery{Rule: f.Rule, View: f.View, Limit: newsShown + 1}
	if f.View != ledger.ViewStuck { // what needs a decision began to by time alone
		q.Since = time.UnixMilli(at + 1)
	}
	if f.Match == matchStart {
		q.Prefix = f.Query
	}
	found, err := d.Ledger.Keys(r.Context(), q)
	if err != nil {
		return err
	}
	n := 0
	for _, k := range found.Keys {
		if f.holds(k.Key) && (!q.Since.IsZero() || stuckAfter(k, time.UnixMilli(at))) {
			n++
		}
	}
	if v.Rows, err = d.changedRows(r, f.Rule, q.Prefix, time.UnixMilli(at+1)); err != nil {
		return err
	}
	if v.Count = page.Count(int64(n)); n > newsShown {
		v.Count = page.Count(newsShown) + "+"
	}
	return d.fragment(w, r, http.StatusOK, page.KeysNews(v))
}

// stuckAfter tells whether a key needs a decision since a moment after at.
func stuckAfter(k ledger.Key, at time.Time) bool {
	return k.ChangedAt.After(at) || k.State == ledger.Claimed && sinceOf(k).Add(ledger.StuckGrace).After(at)
}

// changedRows are the newest keys that stand otherwise since a moment, whatever their
// state: a key may have left the list and still stand on the page.
func (d Desk) changedRows(r *http.Request, rule, prefix string, since time.Time) ([]page.KeyRowView, error) {
	found, err := d.Ledger.Keys(r.Context(), ledger.KeyQuery{Rule: rule, Prefix: prefix, Since: since, Limit: newsShown})
	if err != nil {
		return nil, err
	}
	// Time alone makes a key stuck, and changes nothing of it.
	stuck, err := d.Ledger.Keys(r.Context(), ledger.KeyQuery{Rule: rule, Prefix: prefix, View: ledger.ViewStuck, Limit: newsShown})
	if err != nil {
		return nil, err
	}
	for _, k := range stuck.Keys {
		if k.ChangedAt.Before(since) && stuckAfter(k, since) {
			found.Keys = append(found.Keys, k)
		}
	}
	if len(found.Keys) == 0 {
		return nil, nil
	}
	list, err := d.Ledger.Rules(r.Context())
	named := rulesByName(list)
	var rows []page.KeyRowView
	for i, k := range found.Keys {
		rows = append(rows, d.keyRow(i, k, named[k.Rule]))
	}
	return rows, err
}
