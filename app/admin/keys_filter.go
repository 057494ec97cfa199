package admin

import (
	"net/url"
	"strings"
	"time"

	"dedupedesk/frontend/page"
	"dedupedesk/ledger"
)

// A keysFilter is what the address of the page Keys says.
type keysFilter struct {
	View   ledger.View
	Rule   string
	Query  string
	Match  string // how Query is compared: matchStart, matchExact, matchInside
	Since  string // "", 1h, 24h, 7d, 30d
	Cursor string
	Back   bool // the page before Cursor, or without one the last
}

// How a text is compared with a key.
const (
	matchStart  = ""
	matchExact  = "exact"
	matchInside = "inside"
)

// A keysRange is how far back a list goes.
type keysRange struct {
	id, words string
	length    time.Duration // 0 = any time
}

func keysRanges() []keysRange {
	return []keysRange{
		{"1h", "1 hour", time.Hour},
		{"24h", "24 hours", 24 * time.Hour},
		{"7d", "7 days", 7 * 24 * time.Hour},
		{"30d", "30 days", 30 * 24 * time.Hour},
		{"", "Any time", 0},
	}
}

// A keysTab is one state to look at.
type keysTab struct {
	view  ledger.View
	words string
	count func(ledger.Counts) int64
}

func keysTabs() []keysTab {
	return []keysTab{
		{ledger.ViewAll, "All", func(c ledger.Counts) int64 { return c.Total }},
		{ledger.ViewInProgress, "In progress", func(c ledger.Counts) int64 { return c.InProgress }},
		{ledger.ViewStuck, "Needs a decision", func(c ledger.Counts) int64 { return c.Stuck }},
		{ledger.ViewWaiting, "Waiting for another try", func(c ledger.Counts) int64 { return c.Waiting }},
		{ledger.ViewFinished, "Finished", func(c ledger.Counts) int64 { return c.Finished }},
	}
}

// parseKeysFilter reads the address. A filter that does not exist is refused: to
// leave it out would show more than was asked for.
func parseKeysFilter(q url.Values) (keysFilter, error) {
	f := keysFilter{
		View: ledger.View(q.Get("view")), Rule: q.Get("rule"), Query: strings.TrimSpace(q.Get("q")),
		Since: q.Get("since"), Cursor: q.Get("cursor"), Back: q.Get("back") != "",
	}
	switch match := q.Get("match"); match {
	case matchStart, "start":
	case matchExact, matchInside:
		f.Match = match
	default:
		return f, noSuchFilter("match", "A key is compared by its start, exactly, or by what it holds.")
	}
	if f.span() == nil {
		return f, noSuchFilter("since", "The list goes back 1 hour, 24 hours, 7 days, 30 days, or to the beginning.")
	}
	for _, t := range keysTabs() {
		if t.view == f.View {
			return f, nil
		}
	}
	return f, noSuchFilter("view", "There is no such view of the keys.")
}

func noSuchFilter(field, msg string) error {
	return &ledger.Error{Code: ledger.Invalid, Field: field, Msg: msg}
}

func (f keysFilter) span() *keysRange {
	for _, r := range keysRanges() {
		if r.id == f.Since {
			return &r
		}
	}
	return nil
}

// from returns the time that the list goes back to, zero for the beginning.
func (f keysFilter) from(now time.Time) time.Time {
	if r := f.span(); r != nil && r.length > 0 {
		return now.Add(-r.length)
	}
	return time.Time{}
}

// narrowed tells whether anything but the tab leaves keys out.
func (f keysFilter) narrowed() bool { return f.Rule != "" || f.Query != "" || f.Since != "" }

// shows tells whether a key found by its name stands in the list.
func (f keysFilter) shows(k ledger.Key, now time.Time) bool {
	return (f.View == ledger.ViewAll || f.View == viewOf(k)) && !k.ChangedAt.Before(f.from(now))
}

// viewOf returns the list that a key stands in.
func viewOf(k ledger.Key) ledger.View {
	switch {
	case k.Stuck:
		return ledger.ViewStuck
	case k.State == ledger.Done:
		return ledger.ViewFinished
	case k.State == ledger.Retryable:
		return ledger.ViewWaiting
	}
	return ledger.ViewInProgress
}

// holds tells whether a key is one that the query asks for.
func (f keysFilter) holds(key string) bool {
	switch f.Match {
	case matchExact:
		return f.Query == "" || key == f.Query
	case matchInside:
		return strings.Contains(key, f.Query)
	}
	return strings.HasPrefix(key, f.Query)
}

// href is the address of the first page of the list, changed as change says.
func (f keysFilter) href(change func(url.Values)) string {
	if q := f.query(change); q != "" {
		return "/keys?" + q
	}
	return "/keys"
}

// query is what stands behind the question mark.
func (f keysFilter) query(change func(url.Values)) string {
	q := url.Values{}
	set := func(name, value string) {
		if value != "" {
			q.Set(name, value)
		}
	}
	set("view", string(f.View))
	set("rule", f.Rule)
	set("q", f.Query)
	set("since", f.Since)
	set("match", f.Match)
	if change != nil {
		change(q)
	}
	return q.Encode()
}

// with is the address with one filter set, or left out for "".
func (f keysFilter) with(name, value string) string {
	return f.href(func(q url.Values) {
		q.Del(name)
		if value != "" {
			q.Set(name, value)
		}
	})
}

// tabs are the states with their counts. The counts are of the whole ledger, so
// they are left out beside a narrowed list.
func (f keysFilter) tabs(c ledger.Counts, known bool) []page.TabView {
	var tabs []page.TabView
	for _, t := range keysTabs() {
		tab := page.TabView{Href: f.with("view", string(t.view)), Text: t.words, Active: t.view == f.View}
		if known && !f.narrowed() {
			tab.Count = page.Count(t.count(c))
		}
		tabs = append(tabs, tab)
	}
	return tabs
}

func (f keysFilter) ranges() []page.TabView {
	var tabs []page.TabView
	for _, r := range keysRanges() {
		tabs = append(tabs, page.TabView{Href: f.with("since", r.id), Text: r.words, Active: r.id == f.Since})
	}
	return tabs
}

// hidden is the filter as a form sends it along.
func (f keysFilter) hidden() []page.HiddenView {
	return []page.HiddenView{{Name: "view", Value: string(f.View)}, {Name: "rule", Value: f.Rule}, {Name: "q", Value: f.Query}, {Name: "since", Value: f.Since}, {Name: "match", Value: f.Match}}
}

// words says what is looked for, "" where only a tab is chosen.
func (f keysFilter) words() string {
	if !f.narrowed() {
		return ""
	}
	var parts []string
	for _, t := range keysTabs() {
		if t.view == f.View && f.View != ledger.ViewAll {
			parts = append(parts, "state “"+t.words+"”")
		}
	}
	if f.Query != "" {
		parts = append(parts, map[string]string{
			matchStart: "keys that start with", matchExact: "the key", matchInside: "keys that hold",
		}[f.Match]+" “"+isolate(f.Query)+"”")
	}
	if f.Rule != "" {
		parts = append(parts, "rule “"+isolate(titleOf(ledger.Rule{Name: f.Rule}))+"”")
	}
	if f.Since != "" {
		parts = append(parts, "changed in the last "+f.span().words)
	}
	return strings.Join(parts, ", ")
}

// byKey tells whether the ledger sorts such a list by key.
func (f keysFilter) byKey() bool {
	return f.Query != "" && f.Match == matchStart && f.Since == "" && (f.View == ledger.ViewAll || f.View == ledger.ViewFinished)
}

// order says how the ledger sorts such a list.
func (f keysFilter) order() string {
	switch {
	case f.View == ledger.ViewStuck:
		return "The newest question first"
	case f.byKey():
		return "In the order of the keys"
	}
	return "Newest change first"
}
