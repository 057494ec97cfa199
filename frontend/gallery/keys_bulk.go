package main

import (
	"time"

	"github.com/a-h/templ"

	"dedupedesk/frontend/page"
)

// bulkSamples are the states of a decision on several keys.
func bulkSamples() []sample {
	stuck := func() page.KeysView {
		v := keysStuck()
		v.Here = "/keys?view=stuck"
		v.Ticks = &page.TicksView{All: "all 3 that need a decision", Filter: []page.HiddenView{{Name: "view", Value: "stuck"}}}
		for i := range v.Rows {
			v.Rows[i].Tick = v.Rows[i].Key
		}
		return v
	}
	over := func(state string, part templ.Component) sample {
		v := stuck()
		v.Bulk = part
		return sample{Name: "keys/" + state, Title: "Keys", Active: "keys", Page: page.Keys(v)}
	}
	question := page.BulkView{Selection: "s", Count: 312, Filter: "rule “Paid invoices”, keys that start with “stripe:”", Names: []string{"stripe:in_80:invoice.paid", "stripe:in_79:invoice.paid", "stripe:in_78:invoice.paid"}}
	fault := page.BulkView{Selection: "s", Count: 2, Names: hostileKeys()[:2], Fault: "Say in a few words why. It is kept with the decision."}
	running := page.BulkJobView{ID: "j", Text: "Deciding on 1,184 keys…", Total: 1184, Reached: 420, Running: true, Who: "By Ana: “all are there”", At: when(4 * time.Second), May: true}
	done := page.BulkJobView{
		ID: "j", Text: "1,180 keys marked as finished.", Total: 1184, Reached: 1184, Who: "By Ana: “all are there”", At: when(time.Minute), Undo: true, May: true,
		Left: "2 keys changed meanwhile and were left alone.",
		Rows: []page.BulkLeftView{
			{Href: "/keys/one?rule=r&key=1", Key: "stripe:in_80:invoice.paid", Why: "Run 8841 finished it 3 seconds ago."},
			{Href: "/keys/one?rule=r&key=2", Key: "stripe:in_79:invoice.paid", Why: "Bo let it run again 1 minute ago."},
		},
	}
	cancelled := page.BulkJobView{ID: "k", Text: "300 keys may run again.", Total: 1000, Reached: 300, Cancelled: "It was cancelled. 700 keys were not reached and stay as they were.", Who: "By Bo: “none is there”", At: when(3 * time.Hour), May: true}
	recent := func(state string, list ...page.BulkJobView) sample {
		return sample{Name: "keys/recent-" + state, Title: "Recent decisions", Active: "keys", Page: page.RecentDecisions(list)}
	}
	return []sample{
		{Name: "keys/ticks", Title: "Keys", Active: "keys", Page: page.Keys(stuck())},
		over("bulk-asked", page.Bulk(question)), over("bulk-fault", page.Bulk(fault)),
		over("bulk-running", page.BulkJob(running)),
		recent("full", done, cancelled), recent("empty"),
	}
}
