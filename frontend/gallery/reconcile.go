package main

import (
	"time"

	"dedupedesk/frontend/page"
)

// reconcileSamples are the states of the page that compares a destination.
func reconcileSamples() []sample {
	one := func(state string, v page.ReconcileFoundView) sample {
		return sample{Name: "reconcile/" + state, Title: "Compare with the destination", Active: "keys", Page: page.Reconcile(page.ReconcileView{Most: 20 << 20, Found: page.ReconcileFound(v)})}
	}
	return []sample{
		{Name: "reconcile/empty", Title: "Compare with the destination", Active: "keys", Page: page.Reconcile(page.ReconcileView{Most: 20 << 20, Rules: []page.OptionView{{Value: "orders", Text: "New orders", Chosen: true}}})},
		one("found", reconcileFound()), one("agree", reconcileAgree()), one("hostile", reconcileHostile()),
	}
}

func reconcileAgree() page.ReconcileFoundView {
	return page.ReconcileFoundView{
		Rule: "orders", RuleTitle: "New orders", File: "orders.csv", Kind: "a table", Columns: []string{"order", "Event key"}, Rows: "1,204", Matched: "1,204",
		How:   page.ReconcileHowView{By: "column", Column: "Event key", Guessed: "Guessed: 50 of the first 50 rows hold a key of this rule there.", Parts: make([]string, 4), Formula: true, Since: "30d"},
		First: []page.ReconcileRowView{{Key: "shop:A-1", Where: "row 2"}, {Key: "shop:B-2", Where: "row 3"}},
		May:   true,
	}
}

func reconcileFound() page.ReconcileFoundView {
	v := reconcileAgree()
	v.MissingCount, v.Importable, v.ExtraCount, v.DoubleCount = 312, 309, 1, 2
	v.Missing = []page.ReconcileRowView{
		{Key: "shop:E-5", Href: "/keys/one?rule=orders&key=shop:E-5", What: "Needs a decision", Where: "row 5"},
		{Key: "shop:X-9", What: "Unknown", Where: "row 9", Import: true},
		{Key: "shop:C-3", Href: "/keys/one?rule=orders&key=shop:c-3", What: "Unknown. There is “shop:c-3”, which differs in capitals or spaces only", Where: "row 12"},
	}
	v.Extra = []page.ReconcileRowView{{Key: "shop:B-2", Href: "/keys/one?rule=orders&key=shop:B-2", What: "Finished", At: when(26 * time.Hour)}}
	v.Doubles = []page.ReconcileRowView{
		{Key: "shop:A-1", What: "3 rows", Where: "row 2, row 3, row 70"},
		{Key: "shop:D-4", What: "2 rows", Where: "row 31, row 32"},
	}
	v.Refused = []page.FileRefusalView{{Count: "2", Why: "Part 2 of the key is empty.", Where: "row 15, row 90"}}
	v.Said = "1 key taken in as finished."
	return v
}

func reconcileHostile() page.ReconcileFoundView {
	v := reconcileFound()
	v.Missing, v.Window, v.Said = nil, true, ""
	for _, key := range hostileKeys() {
		v.Missing = append(v.Missing, page.ReconcileRowView{Key: key, What: "Unknown", Where: "row 1", Import: true})
	}
	v.File, v.Columns = "<b>rows</b>.csv", append(v.Columns, `"><script>alert(1)</script>`)
	return v
}
