package main

import (
	"time"

	"dedupedesk/frontend/page"
)

// elsewhereSamples are the states of the page of a list that another tool keeps.
func elsewhereSamples() []sample {
	found := page.ElsewhereView{
		File: "Claims.xlsx", Kind: "a spreadsheet", Columns: []string{"Title", "Status", "RunId", "ClaimedAt", "Result"},
		Key: "Title", State: "Status", Since: "ClaimedAt", Run: "RunId", Allowed: "1h", View: "needs a decision", Open: 3, Rule: "paid-invoices", RuleSteps: "/steps?rule=paid-invoices",
		Tabs: []page.ElsewhereTabView{
			{View: "needs a decision", Text: "Needs a decision", Count: "2", Active: true}, {View: "unknown word", Text: "Unknown word", Count: "1"},
			{View: "waiting for another try", Text: "Waiting for another try", Count: "0"}, {View: "in progress", Text: "In progress", Count: "4"}, {View: "finished", Text: "Finished", Count: "1,196"}, {View: "all", Text: "All", Count: "1,203"},
		},
		Rows: []page.ElsewhereRowView{
			{Key: "stripe:in_80:invoice.paid", Word: "In progress", Run: "08584", Place: "row 12", Look: "in_80", Since: when(3 * time.Hour)},
			{Key: hostileKeys()[0], Word: "In progress", Place: "row 40", Since: when(30 * time.Hour)},
		},
	}
	asked := found
	asked.TwoWays, asked.Twice, asked.Rows = true, 2, nil
	asked.Faults = []string{"row 3: The column Title is empty."}
	fault := page.ElsewhereView{File: "x.csv", Kind: "a table", Columns: []string{"name", "when"}, Allowed: "1h", Fault: "Choose the column that holds the key. The file has name, when."}
	one := func(state string, v page.ElsewhereView) sample {
		return sample{Name: "elsewhere/" + state, Title: "A list kept elsewhere", Active: "keys", Page: page.Elsewhere(20<<20, []page.OptionView{{Text: "None of those here", Chosen: true}, {Value: "new-orders", Text: "New orders"}}, page.ElsewhereFound(v))}
	}
	return []sample{{Name: "elsewhere/empty", Title: "A list kept elsewhere", Active: "keys", Page: page.Elsewhere(20<<20, []page.OptionView{{Text: "None of those here", Chosen: true}}, nil)}, one("found", found), one("asked", asked), one("fault", fault)}
}
