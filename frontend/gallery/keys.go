package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"dedupedesk/frontend/page"
)

// keysSamples returns the states of the page "keys".
func keysSamples() []sample {
	list := func(state string, v page.KeysView) sample {
		return sample{Name: "keys/" + state, Title: "Keys", Active: "keys", Page: page.Keys(v)}
	}
	samples := []sample{
		list("empty", page.KeysView{NoKeys: true}),
		list("full", keysFull()),
		list("hostile", keysHostile()),
		list("stuck", keysStuck()),
		list("no-match", keysNoMatch()),
		list("none", keysNone()),
		list("error", keysTrouble()),
	}
	samples[0].Shell = func(s *page.ShellView) {
		s.NeedDecision = 0
		s.Status = page.StatusView{State: "protecting", NoCallsYet: true, APIAddress: "http://127.0.0.1:47821", Keys: "0", ComputerOnly: true}
	}
	return slices.Concat(samples, bulkSamples(), reconcileSamples(), alertSamples(), elsewhereSamples(), figuresSamples(), oneKeySamples())
}

func keysList(view string) page.KeysView {
	tab := func(id, text, count string) page.TabView {
		return page.TabView{Href: "/keys?view=" + id, Text: text, Count: count, Active: id == view}
	}
	span := func(id, text string) page.TabView {
		return page.TabView{Href: "/keys?since=" + id, Text: text, Active: id == ""}
	}
	return page.KeysView{
		Tabs: []page.TabView{
			tab("", "All", "1,204"), tab("in_progress", "In progress", "5"), tab("stuck", "Needs a decision", "3"),
			tab("waiting", "Waiting for another try", "1"), tab("finished", "Finished", "1,195"),
		},
		Ranges: []page.TabView{span("1h", "1 hour"), span("24h", "24 hours"), span("7d", "7 days"), span("30d", "30 days"), span("", "Any time")},
		Filter: page.KeysFilterView{View: view, Rules: []page.OptionView{
			{Text: "Any rule", Chosen: true}, {Value: "default", Text: page.PlainKeys},
			{Value: "new-orders", Text: "New orders"}, {Value: "paid-invoices", Text: "Paid invoices"},
		}},
		Link: "http://127.0.0.1:47820/keys?view=" + view, Clear: "/keys", Order: "Newest change first",
		Strip: keysStrip(),
	}
}

// keysStrip is a day with some copies.
func keysStrip() *page.StripView {
	v := page.StripView{Href: "/figures", Finding: "In the last 24 hours: 312 let through, 41 copies stopped.", Granted: page.BarsView{Title: "New"}, Copies: page.BarsView{Title: "Copies stopped"}}
	for i := range 24 {
		v.Granted.Bars = append(v.Granted.Bars, page.BarView{Value: int64(i * 7 % 31)})
		v.Copies.Bars = append(v.Copies.Bars, page.BarView{Value: int64(i * 5 % 9)})
	}
	return &v
}

// hostileKeys are keys as a sender may make them. Each is shown as plain text.
func hostileKeys() []string {
	return []string{
		`<img src=x/onerror=alert(1)>`,
		`=HYPERLINK("http://example.org","open")`,
		"طلب:٤٢:مدفوع",
		"invoice\u202egnp.exe",
		strings.Repeat("very-long-order-number-", 11) + "zz",
		`"><script>alert(1)</script>`,
	}
}

func keysFull() page.KeysView {
	v := keysList("")
	for i, state := range []string{"In progress", "Finished", "Needs a decision", "Finished", "Failed, waiting for another try"} {
		row := keyRow(i, fmt.Sprintf("stripe:in_%d:invoice.paid", 200-i), state, time.Duration(i*i)*time.Minute, "Paid invoices")
		if row.State == "Needs a decision" {
			row.Why = "Time over, nothing came back. The next copy may run"
		}
		v.Rows = append(v.Rows, row)
	}
	v.Older, v.Oldest = "/keys?cursor=eyJpZCI6MTE1NH0", "/keys?back=1"
	v.Newer, v.Newest = "/keys?cursor=eyJpZCI6MTI0NH0&back=1", "/keys"
	return v
}

func keysHostile() page.KeysView {
	v := keysList("")
	for i, key := range hostileKeys() {
		v.Rows = append(v.Rows, keyRow(i, key, "Finished", time.Duration(i)*time.Second, "New orders"))
	}
	return v
}

func keyRow(i int, key, state string, ago time.Duration, rule string) page.KeyRowView {
	return page.KeyRowView{
		ID: fmt.Sprintf("row-%d", i+1), Href: fmt.Sprintf("/keys/one?rule=r&key=%d", i), Key: key, State: state,
		Since: when(ago), Copies: page.Count(int64(i % 4)), Rule: rule,
	}
}

func keysStuck() page.KeysView {
	v := keysList("stuck")
	v.Order = "The newest question first"
	for i, why := range []string{
		"Time over, nothing came back. The next copy may run",
		"Several attempts, none finished. Copies are stopped",
		"Given back, nobody tried again. The next copy may run",
	} {
		row := keyRow(i, fmt.Sprintf("stripe:in_%d:invoice.paid", 80-i), "Needs a decision", time.Duration(26+i*15)*time.Minute, "Paid invoices")
		row.Why = why
		v.Rows = append(v.Rows, row)
	}
	return v
}

func keysNoMatch() page.KeysView {
	v := keysList("stuck")
	for i := range v.Tabs {
		v.Tabs[i].Count = ""
	}
	v.Filter.Query = "shopify:wh_99"
	v.Filter.Since = "24h"
	v.Instead = []page.InsteadView{{Href: "/keys?q=shop%3Awh_99", Text: "shop:wh_99"}}
	v.Narrow = `needs a decision; key starts with "shopify:wh_99"; changed in the last 24 hours`
	return v
}

func keysNone() page.KeysView { return keysList("waiting") }

func keysTrouble() page.KeysView {
	v := keysList("")
	for i := range v.Tabs {
		v.Tabs[i].Count = ""
	}
	v.Trouble = &page.NoticeView{
		Tone: "error", Title: "The keys cannot be read now",
		Text: "The key file is in use by another program. Callers get an error, so nothing runs twice, but nothing runs either. Try again in a moment.",
	}
	return v
}
