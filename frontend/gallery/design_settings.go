package main

import (
	"time"

	"dedupedesk/frontend/page"
)

func designSettings() page.SettingsView {
	return page.SettingsView{
		KeepAdvice: "Stripe tries again for 3 days. Keep finished keys 4 days or longer.",
		Lease:      []page.OptionView{{Value: "5m", Text: "5 minutes"}, {Value: "15m", Text: "15 minutes", Chosen: true}, {Value: "1h", Text: "1 hour"}},
		Attempts:   []page.OptionView{{Value: "0", Text: "As often as it comes", Chosen: true}, {Value: "1", Text: "Once only"}, {Value: "3", Text: "3 times"}},
		Keep:       []page.OptionView{{Value: "7d", Text: "7 days"}, {Value: "35d", Text: "35 days", Chosen: true}, {Value: "90d", Text: "90 days"}},
		Answer:     "branch",
		Came:       []page.OptionView{{Value: "0", Text: "Nothing", Chosen: true}, {Value: "20", Text: "The newest 20 events"}},
		CameNow:    "nothing",
		When:       page.FormulaView{ID: "formula-when", Place: "when", Name: "Formula of the condition", Like: `body.status == "paid"`},
		Each:       page.FormulaView{ID: "formula-each", Place: "each", Name: "Formula of the list", Like: "body.line_items"},
		Lists:      []page.OptionView{{Value: "", Text: "No: one event is one key", Chosen: true}, {Value: "body.data.object.lines", Text: "Yes, one for each item of data.object.lines"}},
		Samples:    true,
	}
}

// designSettingsFull has every setting set.
func designSettingsFull() page.DesignView {
	v := designGood()
	s := &v.Settings
	s.Ask, s.Answer, s.GoOn, s.Fold, s.Long, s.Cost = true, "wait", true, true, true, "12.50 EUR"
	s.Keep = []page.OptionView{{Value: "1d", Text: "1 day", Chosen: true}, {Value: "7d", Text: "7 days"}, {Value: "35d", Text: "35 days"}, {Value: "90d", Text: "90 days"}}
	s.KeepAdvice, s.KeepWarns = "Finished keys are forgotten after 1 day, but Stripe tries again for 3 days. A copy that comes later would run again. Keep them 4 days or longer.", true
	s.When.Text, s.Each.Text = `body.data.object.status == "paid"`, "body.data.object.lines"
	s.Lists[0].Chosen, s.Lists[1].Chosen = false, true
	s.Prints = []page.PrintView{{Formula: "body.data.object.amount", Name: "data.object.amount"}, {Formula: "lower(body.data.object.currency)", Name: "lower(body.data.object.currency)"}}
	v.Past.Redo = "a change of the settings"
	return v
}

// designSettingsFaults has what was typed and cannot be.
func designSettingsFaults() page.DesignView {
	v := designGood()
	s := &v.Settings
	s.Cost, s.CostFault = "much", "Write an amount, such as 12.50 EUR."
	s.Only = page.OnlyView{Path: "staus", PathFault: "No sample has a field of this name. Write it as it stands in the list of fields.", ValueFault: "Write the value that the field must have."}
	s.Print, s.PrintFault = "created", "This field changes on each try, so every copy would be listed."
	s.When.Text = `bdy.status == "paid"`
	s.When.Issue = &page.PlaceView{Text: "I do not know the field `bdy`.", Hint: "Did you mean `body`?", Line: 1, Column: 1, Length: 3, Marked: "bdy", After: `.status == "paid"`}
	s.When.Write, s.When.Fixed = "body", `body.status == "paid"`
	return v
}

func designVersions() page.VersionsView {
	return page.VersionsView{Rule: "paid-invoices", Draft: "rule.paid-invoices", Title: "Paid invoices", May: true, Rows: []page.VersionView{
		{Number: "3", Formula: `key("stripe", body.data.object.id, body.type)`, Since: when(2 * time.Hour), By: "Ana", InUse: true, Changes: []string{"formula", "samples"}, Why: "because different events were stopped"},
		{Number: "2", Formula: `key("stripe", body.data.object.id)`, Since: when(50 * time.Hour), Until: when(2 * time.Hour), By: "password nightly-import", Changes: []string{"time allowed: 15 minutes, now 1 hour"}},
		{Number: "1", Formula: `key("stripe", body.data.object.id)`, Since: when(400 * time.Hour), Until: when(50 * time.Hour), Changes: []string{"the first one"}, LookBack: when(-30 * 24 * time.Hour)},
	}}
}
