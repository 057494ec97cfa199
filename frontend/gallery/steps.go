package main

import (
	"time"

	"github.com/a-h/templ"

	"dedupedesk/frontend/page"
)

// stepsSamples returns the states of the page "steps", and the answers of its forms.
func stepsSamples() []sample {
	whole := func(state string, v page.ChecklistView) sample {
		return sample{Name: "steps/" + state, Title: "Settings steps", Active: "steps", Page: page.Checklist(v)}
	}
	choose := func(state string, v page.StepsChooseView) sample {
		return sample{Name: "steps/" + state, Title: "Settings steps", Active: "steps", Page: page.StepsChoose(v)}
	}
	one := func(state, which string, part templ.Component) sample {
		return sample{Name: "steps/" + state, Title: "Just one setting", Active: "steps", Page: page.OneSetting(which, part)}
	}
	single := func(state string, v page.ConditionView) sample {
		return one(state, page.OneConditionTest, page.ConditionCard(v))
	}
	window := makeChecklist()
	window.Window = true
	for i := range window.Steps {
		window.Steps[i].Window = true
	}
	inWindow := whole("window", window)
	inWindow.Shell = func(s *page.ShellView) { s.Window = true }
	ticked := mixedChecklist()
	looking := mixedChecklist()
	looking.May = false
	looking = numbered(looking)
	return []sample{
		choose("empty", page.StepsChooseView{}),
		choose("rules", page.StepsChooseView{Rules: stepsRules()}),
		choose("tools", page.StepsChooseView{Rules: stepsRules(), Rule: "Paid invoices", Tools: ruleTools()}),
		{Name: "steps/broken", Title: "Settings steps", Active: "steps", Page: page.StepsBroken(page.StepsBrokenView{
			Rule: "new-orders", Title: "New orders", Fault: "key, line 1, column 5: I do not know the field \"evnt\". Did you mean \"event\"?"})},
		whole("mixed", ticked), whole("blocked", blockedChecklist()), whole("fault", faultChecklist()), whole("file", makeChecklist()), inWindow, whole("look", looking),
		whole("advice", adviceChecklist()), whole("result", resultChecklist()), whole("refused", refusedChecklist()), whole("long", longChecklist()),
		{Name: "steps/browser", Part: page.StepsBrowser(page.StepsBrowserView{Address: "http://127.0.0.1:47820/steps?tool=make#code=00112233"})},
		{Name: "steps/tick", Part: page.Step(ticked.Steps[0])},
		{Name: "steps/count", Part: page.StepsCountPartial(ticked.Progress)},
		one("single", page.OneChoice, page.SingleSettings(singleTools())),
		one("make", page.OneConditionMake, page.ConditionMake(makeEmpty())), one("make-ready", page.OneConditionMake, page.ConditionMake(makeReady())),
		one("make-wrong", page.OneConditionMake, page.ConditionMake(makeWrong())),
		one("check", page.OneFile, page.FileCheck(page.FileCheckView{})), one("check-found", page.OneFile, page.FileCheck(checkFound())),
		one("check-sound", page.OneFile, page.FileCheck(page.FileCheckView{Text: "{}", Checked: true, Kind: "a workflow of n8n"})),
		one("check-fault", page.OneFile, page.FileCheck(page.FileCheckView{Text: "{\"flow\": [", Fault: "This is no complete JSON, which blueprints, workflows and flow definitions are. The fault is in line 1, character 11."})),
		single("test", page.ConditionView{}), single("results", conditionResults()), single("condition-fault", page.ConditionView{
			Lines: "", Outputs: "{\"body\":", LinesFault: "Write at least one condition.", OutputsFault: "This is not complete: the text ends too early. Paste all of the raw outputs.",
		}),
	}
}

func stepsRules() []page.StepsRuleView {
	return []page.StepsRuleView{
		{Name: "paid-invoices", Title: "Paid invoices", Tools: []page.StepsProgressView{
			{Tool: "power-automate", Title: "Power Automate", Done: 2, Total: 5, Again: 1},
			{Tool: "sharepoint", Title: "SharePoint list", Done: 9, Total: 9},
		}},
		{Name: "new-orders", Title: "New orders"},
		{Name: "stock-changes", Title: "Stock changes", Tools: []page.StepsProgressView{{Tool: "make", Title: "Make", Done: 3, Total: 8}}},
	}
}

func ruleTools() []page.StepsToolView {
	return []page.StepsToolView{
		{Href: "/steps?rule=paid-invoices&tool=power-automate", Title: "Power Automate", About: "A trigger condition that keeps a flow from starting itself, and the event key as an expression.",
			Progress: page.StepsProgressView{Done: 2, Total: 5, Again: 1}},
		{Href: "/steps?rule=paid-invoices&tool=make", Title: "Make", About: "A scenario to import that reserves the event key before the work."},
		{Href: "/steps?rule=paid-invoices&tool=sharepoint", Title: "SharePoint list", About: "A column with unique values, so that the list itself refuses a second row for the same event.",
			Progress: page.StepsProgressView{Done: 9, Total: 9}},
	}
}

func singleTools() []page.StepsToolView {
	return []page.StepsToolView{
		{Href: "/steps?tool=power-automate", Title: "Power Automate: ignore the flow's own edits", About: "For a flow that changes the item which started it."},
		{Href: "/steps?tool=power-automate#step-concurrency", Title: "One run at a time", About: "Runs wait for one another. Cannot be switched off again."},
		{Href: "/steps?tool=sharepoint", Title: "SharePoint list: one row per event", About: "A column with unique values."},
	}
}

func stepsPick(v page.ChecklistView) page.ChecklistView {
	v.May = true
	v.Rules = []page.OptionView{
		{Value: "", Text: "No rule, just this setting"}, {Value: "paid-invoices", Text: "Paid invoices", Chosen: v.Rule == "paid-invoices"}, {Value: "new-orders", Text: "New orders"},
	}
	for _, t := range ruleTools() {
		v.Tools = append(v.Tools, page.TabView{Href: t.Href, Text: t.Title, Active: t.Title == v.ToolTitle})
	}
	return v
}

func conditionResults() page.ConditionView {
	return page.ConditionView{
		Lines:   "@not(equals(toLower(triggerBody()?['Editor']?['Email']),'flows@example.com'))\n@equals(triggerBody()?['Status'],'New')\n@equals(@triggerBody()?['Title'],'x')\n@triggerBody()?['Title']\n@equals(triggerBody()?['Title'],'Order 41'",
		Outputs: "{\"headers\":{},\"body\":{\"Title\":\"Order 41\",\"Status\":{\"Id\":0,\"Value\":\"New\"},\"Editor\":{\"Email\":\"ana@example.com\"}}}",
		Result: &page.ConditionResultView{Outcome: "bad-syntax", Warnings: []string{"The trigger outputs have no member called body. Was only a part of them pasted?"}, Lines: []page.ConditionLineView{
			{Number: 1, Outcome: "run", Before: "@not(equals(toLower(triggerBody()?['Editor']?['Email']),'flows@example.com'))", Reason: "The line is true: the flow starts.",
				Steps:    []page.SubValueView{{Text: "triggerBody()?['Editor']?['Email']", Value: "\"ana@example.com\"", Kind: "text"}},
				Warnings: []string{"toLower fails where the editor is empty. Put coalesce(…,'') around the path."}},
			{Number: 2, Outcome: "skip", Before: "@equals(triggerBody()?['Status'],'New')", Reason: "The line is false: the flow does not start.",
				Steps:    []page.SubValueView{{Text: "triggerBody()?['Status']", Value: "{\"Id\":0,\"Value\":\"New\"}", Kind: "object"}, {Text: "equals(triggerBody()?['Status'],'New')", Value: "false", Kind: "boolean"}},
				Warnings: []string{"This compares an object with text, which is never equal. Did you mean its Value?"}},
			{Number: 3, Outcome: "bad-syntax", Before: "@equals(", Mark: "@", After: "triggerBody()?['Title'],'x')", Place: "character 9", Reason: "There is a second @. Only the first character of the line is one."},
			{Number: 4, Outcome: "not-boolean", Before: "@triggerBody()?['Title']", Reason: "The result is text (\"Order 41\"). A condition must come to true or false.",
				Steps: []page.SubValueView{{Text: "triggerBody()?['Title']", Value: "\"Order 41\"", Kind: "text"}}},
			{Number: 5, Outcome: "bad-syntax", Before: "@equals(triggerBody()?['Title'],'Order 41'", Place: "character 43", Reason: "The closing ) of equals is missing."},
		}},
	}
}

// tickedAt is the view of a tick.
func tickedAt(days int) page.TimeView { return when(time.Duration(days) * 24 * time.Hour) }
