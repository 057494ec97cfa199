package main

import "dedupedesk/frontend/page"

func firstQuestions() []page.FirstQuestionView {
	return []page.FirstQuestionView{
		{ID: "detail-effect", Name: "detail.effect", Label: "What does the step do that must not happen twice?", Help: "Adding to a number is something new each time; setting it to a value is not.",
			Options: []page.OptionView{{Value: "makes", Text: "It makes or sends something new each time", Chosen: true}, {Value: "sets", Text: "It sets a value, the same however often"}}},
		{ID: "detail-target", Name: "detail.target", Label: "Where does it write first?", Help: "Some places can refuse a second row with the same event key by themselves.",
			Options: []page.OptionView{{Value: "other", Text: "Somewhere else"}, {Value: "sharepoint", Text: "A SharePoint or Microsoft list", Chosen: true}, {Value: "dataverse", Text: "A Dataverse table"}}},
		{ID: "detail-computer", Name: "detail.computer", Label: "Is the computer with this program on day and night?", Help: "A laptop sleeps when it is closed.", Assumed: "No, it sleeps or is switched off at times",
			Options: []page.OptionView{{Value: "sleeps", Text: "No, it sleeps or is switched off at times"}, {Value: "always", Text: "Yes, always"}}},
	}
}

func uniqueColumnAdvice() *page.AdviceView {
	column := page.RouteView{Route: "destination", Title: "A unique column in the list", Result: "A unique column is enough", Href: "/steps?rule=paid-invoices&tool=sharepoint&from=power-automate",
		Reason: "The list itself refuses a second row with the same event key, at whatever moment it comes.", Cost: "No licence and no address. The row has to be written before any other step that must not happen twice."}
	return &page.AdviceView{Advised: column, Ways: []page.RouteView{
		column,
		{Route: "ledger", Title: "Ask this program before the work", Blocked: "This computer sleeps or is switched off at times, and an event that arrives then would find nobody to ask.", Cost: "A public address."},
		{Route: "store", Title: "A list of Claims", Taken: true, Reason: "A list of your own in SharePoint keeps the keys.", Cost: "Two more actions in each flow."},
	}}
}

// adviceChecklist has its first questions answered: the advice leads to another tool.
func adviceChecklist() page.ChecklistView {
	v := mixedChecklist()
	v.Questions, v.Advice = firstQuestions(), uniqueColumnAdvice()
	v.Another = "This is another way: A list of Claims"
	v.Wants = []page.WantView{{Rule: v.Rule, RuleTitle: "Paid invoices", Tool: v.Tool, Version: "3", Setting: "lease", Value: "10h", Words: "time allowed", Should: "10 hours", Now: "15 minutes", Why: "Make goes on trying for up to 7 hours 51 minutes, and a run may last 40 minutes before and behind that.", May: true}}
	return v
}

// resultChecklist comes to the result that no key is needed, reached from another tool.
func resultChecklist() page.ChecklistView {
	v := mixedChecklist()
	v.Questions = firstQuestions()[:1]
	v.Questions[0].Options[0].Chosen, v.Questions[0].Options[1].Chosen = false, true
	none := page.RouteView{Route: "none", Result: "No key is needed", Taken: true, Reason: "A step that sets the same value again does no harm: twice comes to the same as once.", Cost: "Nothing. Take care that nothing else hangs on the change."}
	v.Advice = &page.AdviceView{Advised: none, Ways: []page.RouteView{none}}
	v.Settled, v.NotStopped, v.Elsewhere = "Still useful: process in order", "", nil
	v.Arrival = &page.ArrivalView{Rule: v.Rule, Tool: v.Tool, Route: "store", May: true, Title: "You come from Make: A unique column in the list", Text: "The list itself refuses a second row with the same event key."}
	return v
}

// refusedChecklist has an answer and a change of the rule that were refused.
func refusedChecklist() page.ChecklistView {
	v := adviceChecklist()
	v.Questions[1].Fault = "\"abacus\" is not one of the choices."
	v.Advice.Fault = "This computer sleeps or is switched off at times. Take another way."
	v.WantFault = "This rule was changed elsewhere meanwhile. Nothing was changed now."
	v.Steps = v.Steps[:1]
	return v
}

// longChecklist has several files, each in a step of its own, and a value that folds.
func longChecklist() page.ChecklistView {
	v := makeChecklist()
	long := ""
	for range 60 {
		long += "if(empty(trim(triggerBody()?['data']?['object']?['id'])),1,replace(replace(x,'%','%25'),':','%3A')),"
	}
	first := v.Steps[0]
	flow := page.StepView{ID: "flow", Title: "Import the flow", Where: phrases("", "My flows", " > ", "Import", "."),
		File: &page.StepsFileView{Name: "claim-flow.json", About: "The flow, without a password.", Text: "{}\n"}, Tried: notTried}
	key := page.StepView{ID: "key", Title: "Make the event key", Value: long, ValueLabel: "Expression of the event key", Tried: notTried, Prove: true}
	v.Steps = []page.StepView{first, flow, key}
	return numbered(v)
}
