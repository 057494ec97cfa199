package main

import "dedupedesk/frontend/page"

// phrases makes instructions: every second piece is a vendor's label.
func phrases(pieces ...string) []page.PhraseView {
	var list []page.PhraseView
	for i, p := range pieces {
		list = append(list, page.PhraseView{Text: p, Label: i%2 == 1})
	}
	return list
}

var triggersSource = page.SourceView{Page: "Get started with triggers", URL: "https://learn.microsoft.com/en-us/power-automate/triggers-introduction", Read: "30 Nov 2026"}

const notTried = "From the vendor's page, not tried by us."

func sixCauses() []page.CoverView {
	return []page.CoverView{
		{Label: "A step repeats inside one run", State: "no", By: "Only a unique column or a key at the destination refuses it."},
		{Label: "A second copy of the automation", State: "partly", By: "The step Look for copies of the flow finds them."},
		{Label: "The sender sends again", State: "no", By: "Each delivery is a change of its own to the trigger."},
		{Label: "A step tries again after a time-out", State: "no", By: "Happens inside a run, after the condition."},
		{Label: "A run is replayed", State: "no"},
		{Label: "Runs overlap", State: "partly", By: "Only with the step One run at a time."},
		{Label: "The flow starts itself", State: "yes", By: "The trigger condition."},
	}
}

func detailFields() []page.FieldView {
	return []page.FieldView{
		{ID: "detail-account", Name: "detail.account", Label: "Flow account", Value: "flows@example.com", Help: "The e-mail address of the account whose connection the flow uses. For example: flows@yourcompany.com"},
		{ID: "detail-editor", Name: "detail.editor", Label: "Field that names the editor", Value: "Editor/Email", Optional: true, Help: "Left empty, it is Editor/Email, as in SharePoint."},
		{ID: "detail-generation", Name: "detail.generation", Label: "How the trigger writes its paths", Kind: "select", Optional: true, Options: []page.OptionView{{Value: "current", Text: "current", Chosen: true}, {Value: "classic", Text: "classic"}}},
	}
}

// mixedChecklist has a ticked step, one to check again, one behind a warning.
func mixedChecklist() page.ChecklistView {
	v := stepsPick(page.ChecklistView{
		Rule: "paid-invoices", RuleTitle: "Paid invoices", Tool: "power-automate", ToolTitle: "Power Automate",
		Title: "Power Automate: ignore the flow's own edits", About: "For a flow that changes the item which started it.",
		NotStopped: "These steps alone do not stop a copy that the sender repeats.", Elsewhere: ruleTools()[1:],
		Notes:    []page.NoticeView{{Tone: "info", Title: "These steps need no connection to this computer", Text: "They are settings of Power Automate itself, in the cloud, and go on working while this computer is off."}},
		Progress: page.StepsProgressView{Tool: "power-automate", Title: "Power Automate", Done: 2, Total: 5, Again: 1}, Fields: detailFields(), Saved: tickedAt(3),
		Covers: sixCauses(), Text: "# Power Automate: ignore the flow's own edits\n\n## 1. Open the trigger's conditions\n",
	})
	v.Steps = []page.StepView{
		{ID: "open", Title: "Open the trigger's conditions", State: "done", At: tickedAt(18), By: "Ana",
			Where:   phrases("New designer: click the trigger card > ", "Settings", " > ", "Trigger conditions", " > ", "Add", "."),
			Why:     "This box takes plain text: it offers no fields to pick and does not check what you type.",
			Sources: []page.SourceView{triggersSource}, Tried: notTried},
		{ID: "line", Title: "Add this line", State: "again", At: tickedAt(18), By: "Ana",
			Where: phrases("", "Trigger conditions", " > ", "Add", " > paste the line into the empty box."),
			Value: "@not(equals(toLower(coalesce(triggerBody()?['Editor']?['Email'],'')),'flows@example.com'))", ValueLabel: "Trigger condition",
			Why:      "In words: do not start when the flow's own account made the change.",
			NotFixed: "It does not stop copies of an event, or edits that a person makes with the flow's account.",
			Checks: []page.StepCheckView{
				{Result: "ok", Text: "Starts with @, is one expression to its end, and gives true or false."},
				{Result: "ok", Text: "Made event, an edit by the flow's own account: the flow does not start."},
				{Result: "ok", Text: "Made event, an edit by somebody else: the flow starts."},
				{Result: "ok", Text: "Made event, an edit without an address (null): the flow starts."},
				{Result: "warn", Text: "None of your samples has Editor/Email. To read the real path, open a past run and press Show raw outputs."},
			},
			Sources: []page.SourceView{triggersSource}, Tried: "Worked out here by our own evaluator. Not tried in Power Automate."},
		{ID: "save", Title: "Save", Where: phrases("Then ", "Save", "."), Tried: notTried},
		{ID: "concurrency", Title: "One run at a time (only if you need it)", Gate: true, Warning: "This cannot be switched off again: to get rid of it you build the flow anew.",
			Where: phrases("", "Trigger", " > ", "Settings", " > ", "Concurrency control", " > ", "On", " > ", "Degree of parallelism", "."), Value: "1", ValueLabel: "Degree of parallelism", Tried: notTried},
		{ID: "prove", Title: "Prove it", Prove: true, State: "done", At: when(0), By: "this computer",
			Where: phrases("Change one item by hand. Then open the flow > ", "28-day run history", " > ", "All runs", "."), Why: "You should see one run for your change, and no second run.", Tried: notTried},
	}
	return numbered(v)
}

func numbered(v page.ChecklistView) page.ChecklistView {
	for i := range v.Steps {
		v.Steps[i].Rule, v.Steps[i].Tool, v.Steps[i].Number, v.Steps[i].May = v.Rule, v.Tool, i+1, v.May
	}
	return v
}

// blockedChecklist lacks the account, and its key came out wrong.
func blockedChecklist() page.ChecklistView {
	v := mixedChecklist()
	v.Fields[0].Value, v.Saved = "", page.TimeView{}
	v.Progress = page.StepsProgressView{Tool: v.Tool, Total: 3}
	v.Steps = []page.StepView{
		{ID: "line", Title: "Add this line", Blocked: "Type the flow account first.", Where: v.Steps[1].Where, Tried: notTried},
		{ID: "key", Title: "Make the event key", Blocked: "Sample \"first try\": Power Automate would make the key stripe:IN_77, the rule makes stripe:in_77.",
			Checks: []page.StepCheckView{{Result: "fail", Text: "Sample \"first try\": Power Automate would make the key stripe:IN_77, the rule makes stripe:in_77."}}},
		{ID: "concurrency", Title: "One run at a time", Gate: true, Understood: true, UnderstoodAt: when(0), UnderstoodBy: "Ana", Warning: "This cannot be switched off again.", Value: "1", ValueLabel: "Degree of parallelism"},
	}
	v.Steps[1].Fault = "This step cannot be ticked yet. " + v.Steps[1].Blocked
	return numbered(v)
}

func faultChecklist() page.ChecklistView {
	v := mixedChecklist()
	v.Fields[0].Value, v.Fields[0].Fault = "flows", "This is no e-mail address. It looks like flows@yourcompany.com."
	v.Fields[1].Value, v.Fields[1].Fault = "Editor//Email", "A path is names with slashes between them, such as Editor/Email."
	v.Steps = v.Steps[:2]
	v.Steps[1].Value, v.Steps[1].Blocked = "", "The detail Flow account above is not right yet."
	return v
}

// makeChecklist calls this ledger and has a file to import.
func makeChecklist() page.ChecklistView {
	v := stepsPick(page.ChecklistView{
		Rule: "paid-invoices", RuleTitle: "Paid invoices", Tool: "make", ToolTitle: "Make", Title: "Make: reserve the key before the work",
		Notes:    []page.NoticeView{{Tone: "warn", Title: "Make cannot reach this computer", Text: "It runs in the cloud, and the address http://127.0.0.1:47821 exists on this computer alone. These steps work only once the address is published under a name of its own."}},
		Progress: page.StepsProgressView{Tool: "make", Title: "Make", Total: 1}, Covers: sixCauses()[:6], Text: "# Make\n",
	})
	v.Steps = []page.StepView{{ID: "import", Title: "Import the scenario",
		Where:   phrases("", "Scenarios", " > ", "Create a new scenario", " > ", "More", " > ", "Import blueprint", " > choose the file of this step."),
		File:    &page.StepsFileView{Name: "make-paid-invoices.blueprint.json", About: "The scenario, without a password.", Text: "{\n  \"name\": \"Once per event: paid-invoices\"\n}\n"},
		Sources: []page.SourceView{{Page: "Blueprints", URL: "https://help.make.com/blueprints", Read: "31 Oct 2026"}}, Tried: notTried}}
	return numbered(v)
}
