package main

import "dedupedesk/frontend/page"

func makeEmpty() page.ConditionMakeView {
	return page.ConditionMakeView{Triggers: []page.OptionView{{Value: "sharepoint-item", Text: "SharePoint: an item of a list"}, {Value: "outlook-mail", Text: "Outlook: a mail"}}}
}

// makeReady has an event, a purpose, a field and a line that does what is right.
func makeReady() page.ConditionMakeView {
	v := makeEmpty()
	v.Rule, v.RuleTitle, v.Back = "paid-invoices", "Paid invoices", "/steps?rule=paid-invoices&tool=power-automate"
	v.Triggers[0].Chosen = true
	v.About = []string{"It asks the list for changes every minute or so.", "A condition sees the item as it is after the change."}
	v.Outputs = "{\n  \"headers\": {},\n  \"body\": { \"ID\": 41, \"Editor\": { \"Email\": \"ana@example.com\" } }\n}"
	v.Notes = []string{"This looks like the trigger SharePoint: an item of a list."}
	v.Fields = []page.PickFieldView{
		{Path: "triggerBody()?['ID']", Name: "ID", Kind: "number", Value: "41"},
		{Path: "triggerBody()?['Editor']?['Email']", Name: "Editor/Email", Kind: "text", Value: "ana@example.com", Chosen: true},
		{Path: "triggerBody()?['Status']", Name: "Status", Kind: "object", Value: "{…}", Hint: "This is an object. Click its Value instead."},
	}
	v.NeedsField, v.UsualField = true, "Editor/Email"
	v.Recipes = []page.ConditionRecipeView{
		{Name: "own-edits", Title: "Ignore the flow's own changes", About: "The flow starts unless its own account made the change.", Chosen: true},
		{Name: "value-is", Title: "Only when a field has one value (a status)", About: "The flow starts when the field has this value."},
		{Name: "files-only", Title: "Only files, no folders", About: "The flow does not start for a folder."},
	}
	v.Warning = "Use an account that no person works with."
	v.Value = &page.FieldView{ID: "make-value", Name: "value", Label: "Flow account", Value: "flows@example.com", Help: "The e-mail address of the account. For example: flows@yourcompany.com"}
	line := "@not(equals(toLower(coalesce(triggerBody()?['Editor']?['Email'],'')),'flows@example.com'))"
	sample := page.ConditionLineView{Number: 1, Outcome: "run", Before: line, Reason: "The line is true: the flow starts.", Steps: []page.SubValueView{{Text: "triggerBody()?['Editor']?['Email']", Value: "\"ana@example.com\"", Kind: "text"}}}
	v.Made = &page.ConditionMadeView{Nested: line, Slashed: "@not(equals(toLower(coalesce(triggerOutputs()?['body/Editor/Email'],'')),'flows@example.com'))", Words: "Do not start when flows@example.com made the change.", OK: true, Sample: &sample,
		Variants: []page.VariantView{
			{Name: "a change by the flow's own account", Outcome: "skip", Want: "skip", OK: true, Reason: "The line is false: the flow does not start.", Outputs: "{}"},
			{Name: "the same in other capitals", Outcome: "skip", Want: "skip", OK: true, Reason: "The line is false: the flow does not start.", Outputs: "{}"},
			{Name: "the editor as text instead of an object", Outcome: "eval-error", Want: "eval-error", OK: true, Reason: "Text has no member Email.", Note: "No line can bear this form. It does not come from this trigger.", Outputs: "{}"},
		}}
	return v
}

// makeWrong has a line that goes wrong on a made event, and no event of the person's.
func makeWrong() page.ConditionMakeView {
	v := makeReady()
	v.Outputs, v.OutputsFault, v.Fields = "{\"body\":", "We could not read this: line 1, column 9: the text ends here. Paste all of the raw outputs.", nil
	v.Waits = "Mend the event above, or empty its box."
	v.Typed, v.FieldFault, v.Value.Fault = "Editor//Email", "A path is names with slashes between them.", "This is no e-mail address."
	v.Made.OK, v.Made.Sample = false, nil
	v.Made.Variants[0].OK, v.Made.Variants[0].Outcome = false, "run"
	v.Made.Advice = []string{"Your event holds nothing at Editor/Email, so nobody can see here whether the path is right."}
	return v
}

func checkFound() page.FileCheckView {
	return page.FileCheckView{Text: "{\"flow\":[]}", Name: "orders.blueprint.json", Checked: true, Kind: "a blueprint of Make", Fails: 1, Findings: []page.FileFindingView{
		{Where: "flow[2].branches[0].flow[1]", Text: "The module has the same number as another one, so Make would not import it.", Fail: true},
		{Where: "flow[1]", Text: "The key is looked up before it is written, so two runs at the same moment both go on."},
		{Text: "Nothing answers the sender."},
	}}
}
