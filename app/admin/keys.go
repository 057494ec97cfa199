package admin

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"

	"dedupedesk/app/body"
	"dedupedesk/app/guard"
	"dedupedesk/app/triage"
	"dedupedesk/frontend/page"
	"dedupedesk/ledger"
)

func keysRoutes(d Desk) []guard.Route {
	return []guard.Route{
		{Pattern: "GET /status", Access: guard.Look, Handler: d.handle(d.showStatus)},
		{Pattern: "GET /keys", Access: guard.Look, Handler: d.handle(d.listKeys)},
		{Pattern: "GET /keys/news", Access: guard.Look, Handler: d.handle(d.keysNews)},
		{Pattern: "GET /keys/export", Access: guard.Look, Handler: d.handle(d.exportKeys)},
		{Pattern: "GET /keys/one", Access: guard.Look, Handler: d.handle(d.showKey)},
		{Pattern: "POST /keys/decide", Access: guard.Decide, Handler: d.handle(d.decideKey)},
		{Pattern: "POST /keys/note", Access: guard.Decide, Handler: d.handle(d.noteKey)},
		{Pattern: "POST /keys/forget", Access: guard.Change, Handler: d.handle(d.forgetKey)},
	}
}

// showStatus answers the bar at the foot, which asks for itself.
func (d Desk) showStatus(w http.ResponseWriter, r *http.Request) error {
	return d.fragment(w, r, http.StatusOK, page.StatusAnswer(d.status(r)))
}

// keysShown is how many keys stand on one screen.
const keysShown = 50

func (d Desk) listKeys(w http.ResponseWriter, r *http.Request) error {
	f, err := parseKeysFilter(r.URL.Query())
	if err != nil {
		return err
	}
	v := page.KeysView{
		Ranges: f.ranges(), Clear: "/keys", Order: f.order(), ByKey: f.byKey(), Narrow: f.words(), Here: r.URL.RequestURI(), Window: guard.InWindow(r),
		Export: f.href(nil),
		Link:   "http://" + r.Host + r.URL.RequestURI(),
		Filter: page.KeysFilterView{Query: f.Query, Match: f.Match, View: string(f.View), Since: f.Since},
	}
	list, byName := d.keysRules(r, &v, f)
	counts, err := d.Ledger.Counts(r.Context())
	v.Tabs = f.tabs(counts, err == nil)
	status := http.StatusOK
	found, err := d.findKeys(r, f)
	if err != nil {
		if status = d.keysTrouble(r, &v, err); status == 0 {
			return err
		}
	}
	for i, k := range found.Keys {
		v.Rows = append(v.Rows, d.keyRow(i, k, byName[k.Rule]))
	}
	if mayDecide(r) {
		d.letTick(&v, f, found.Keys, counts, err == nil)
	}
	if len(v.Rows) == 0 && v.Trouble == nil {
		v.Instead = d.instead(r, f, list)
	}
	v.NoKeys = v.Trouble == nil && counts.Total == 0 && len(v.Rows) == 0
	f.pager(&v, found)
	v.Strip = d.strip(r, f.Rule)
	v.News = page.NewsView{Ask: f.newsHref(d.Clock.Now())}
	return d.show(w, r, status, place{Title: "Keys", Active: "keys", Search: f.Query}, page.Keys(v))
}

// letTick puts a box before each key that needs a decision.
func (d Desk) letTick(v *page.KeysView, f keysFilter, keys []ledger.Key, c ledger.Counts, known bool) {
	for i, k := range keys {
		if k.Stuck {
			v.Rows[i].Tick = tickOf(k)
			v.Ticks = &page.TicksView{}
		}
	}
	if v.Ticks == nil || f.View != ledger.ViewStuck {
		return
	}
	if f.Query != "" && f.Match == matchInside {
		return
	}
	v.Ticks.Filter, v.Ticks.All = f.hidden(), "all that match"
	if !f.narrowed() && known {
		v.Ticks.All = "all " + page.Count(c.Stuck) + " that need a decision"
	}
}

// tickOf is what a ticked row sends: the key and how it stands as the list is drawn.
func tickOf(k ledger.Key) string {
	text, _ := json.Marshal(triage.ItemOf(k)) // a struct of texts and a number always encodes
	return string(text)
}

// keysRules fills in the rules to choose from, and returns them, by
// name too. A list of keys is of use without them, so a fault is left to the list itself.
func (d Desk) keysRules(r *http.Request, v *page.KeysView, f keysFilter) ([]ledger.Rule, map[string]ledger.Rule) {
	byName := map[string]ledger.Rule{}
	v.Filter.Rules = []page.OptionView{{Text: "Any rule", Chosen: f.Rule == ""}}
	rules, err := d.Ledger.Rules(r.Context())
	if err != nil {
		return nil, byName
	}
	chosen := f.Rule == ""
	for _, rule := range rules {
		byName[rule.Name] = rule
		chosen = chosen || rule.Name == f.Rule
		v.Filter.Rules = append(v.Filter.Rules, page.OptionView{Value: rule.Name, Text: titleOf(rule), Chosen: rule.Name == f.Rule})
	}
	if !chosen {
		v.Filter.Rules = append(v.Filter.Rules, page.OptionView{Value: f.Rule, Text: f.Rule, Chosen: true})
	}
	return rules, byName
}

// findKeys asks the ledger. A whole key is looked up in the order by key, where the
// key itself comes before all that start with it, once for each rule.
func (d Desk) findKeys(r *http.Request, f keysFilter) (ledger.KeyPage, error) {
	now := d.Clock.Now()
	q := ledger.KeyQuery{Rule: f.Rule, View: f.View, Since: f.from(now), Cursor: f.Cursor, Back: f.Back, Limit: keysShown}
	switch {
	case f.Query == "":
		return d.Ledger.Keys(r.Context(), q)
	case f.Match == matchInside:
		return d.findInside(r, q, f.Query)
	case f.Match == matchStart:
		q.Prefix = f.Query
		return d.Ledger.Keys(r.Context(), q)
	}
	found, err := d.Ledger.Keys(r.Context(), ledger.KeyQuery{Rule: f.Rule, Prefix: f.Query, Limit: 200})
	if err != nil {
		return ledger.KeyPage{}, err
	}
	var equal ledger.KeyPage
	for _, k := range found.Keys {
		if k.Key == f.Query && f.shows(k, now) {
			equal.Keys = append(equal.Keys, k)
		}
	}
	return equal, nil
}

// keysTrouble says on the page why the list could not be read, and returns the
// status to answer with: 0 for a fault of the house.
func (d Desk) keysTrouble(r *http.Request, v *page.KeysView, err error) int {
	p := body.ProblemOf(err)
	switch ledger.CodeOf(err) {
	case ledger.Invalid, ledger.UnknownRule:
		v.Trouble = &page.NoticeView{Tone: "warn", Title: "This list cannot be shown", Text: ledger.MessageOf(err)}
	case ledger.Busy, ledger.Corrupt:
		d.Log.Error("keys not listed", "route", r.Pattern, "code", p.Code, "cause", err)
		v.Trouble = &page.NoticeView{
			Tone: "error", Title: "The keys cannot be read now",
			Text: ledger.MessageOf(err) + " Callers get an error, so nothing runs twice, but nothing runs either.",
		}
	default:
		return 0
	}
	return p.Status
}

// keyRow is a line of the list. rule is the key's own, or empty where it was ended.
func (d Desk) keyRow(i int, k ledger.Key, rule ledger.Rule) page.KeyRowView {
	row := page.KeyRowView{
		ID: "row-" + strconv.Itoa(i+1), Href: keyHref(k.Rule, k.Key), Key: k.Key, State: k.Word(),
		Since: page.At(sinceOf(k), d.Clock.Now()), Copies: page.Count(k.Copies), Rule: titleOf(ledger.Rule{Name: k.Rule, Title: rule.Title}),
	}
	if k.Stuck {
		row.Why = stuckShort(k, rule)
	}
	return row
}

// keyHref is the address of a key's own page.
func keyHref(rule, key string) string {
	return "/keys/one?" + url.Values{"rule": {rule}, "key": {key}}.Encode()
}
