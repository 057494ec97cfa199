package powerautomate

import "dedupedesk/exporters"

func accountStep(c condition) exporters.Step {
	s := exporters.Step{
		ID:       "account",
		Title:    "Which account does the flow work with?",
		Where:    "My flows > the flow > Connections. Note the address under the SharePoint connection that the flow's own update step uses.",
		Warning:  "Use an account that no person works with. If it is a person's, the flow ignores what that person changes by hand as well, and nobody sees it.",
		Why:      "The condition recognises the flow's own changes by the account that made them.",
		NotFixed: "Two flows that use one account ignore each other's changes too.",
		Sources:  []exporters.Source{triggersPage},
		Tried:    exporters.NotTried,
		Details:  []string{c.recipe.detail},
	}
	if c.recipe.detail == userDetail {
		s.Details = append(s.Details, triggerName)
		s.ID, s.Title, s.Where = "user", "Which user does the flow work as?", c.recipe.Value.Help
	}
	if c.clause.value != "" {
		s.Checks = []exporters.Check{{Result: exporters.OK, Text: "The line is made for " + c.clause.value + ", in small letters."}}
	}
	return s
}

func copiesStep() exporters.Step {
	return exporters.Step{
		ID:       "copies",
		Title:    "Look for copies of the flow",
		Where:    "Environments (top right): choose each one in turn, and there look under My flows, Shared with me and Solutions. Look in the list too: Automate > Power Automate > See your flows.",
		Why:      "A copy that is switched on in another environment runs for each event as well. Microsoft names this as a cause of double runs.",
		NotFixed: "Flows of people whose environments you cannot open stay unseen; ask an administrator.",
		Sources:  []exporters.Source{troublePage},
		Tried:    exporters.NotTried,
	}
}

func openStep() exporters.Step {
	return exporters.Step{
		ID:       "open",
		Title:    "Open the trigger's conditions",
		Where:    "New designer: click the trigger card > Settings > Trigger conditions > Add. Classic designer: the trigger card's three dots > Settings > Trigger Conditions > Add.",
		Why:      "This box takes plain text: it offers no fields to pick and does not check what you type.",
		NotFixed: "Opening it changes nothing yet.",
		Sources:  []exporters.Source{triggersPage},
		Tried:    exporters.NotTried,
	}
}

func saveStep() exporters.Step {
	return exporters.Step{
		ID:       "save",
		Title:    "Save",
		Where:    "Classic designer: Done. Then in both: Save.",
		Why:      "Only a saved condition counts. Some faults are told at this moment; a wrong field name is never told.",
		NotFixed: "That it could be saved does not show that it works. The last step does.",
		Sources:  []exporters.Source{triggersPage},
		Tried:    exporters.NotTried,
	}
}

func concurrencyStep() exporters.Step {
	return exporters.Step{
		ID:         "concurrency",
		Title:      "One run at a time (only if you need it)",
		Warning:    "This cannot be switched off again: to get rid of it you build the flow anew. When switched on its number stands at 25, by the page on limits, and not at 1. With it on, a trigger that splits lists takes at most 100 items.",
		Where:      "Trigger > Settings > Concurrency control > On > Degree of parallelism. Set the number yourself.",
		Value:      "1",
		ValueLabel: "Degree of parallelism",
		Why:        "With one run at a time a look-up before the create step sees what the run before it has written.",
		NotFixed:   "A second copy of the flow, a run that is started again, a sender that repeats and a step that repeats inside one run all still write twice. A busy flow gets slow, and where too many events wait (10 to 100), a sender is refused with 429 and a trigger that looks by itself leaves its turn out.",
		Sources:    []exporters.Source{optimizePage, limitsPage},
		Tried:      exporters.NotTried,
	}
}

func switchOnStep() exporters.Step {
	return exporters.Step{
		ID:       "switch-on",
		Title:    "Before you switch the flow back on",
		Warning:  "A flow that looks for news by itself, as SharePoint triggers do, works through all that happened while it was off, at once. One that is called from outside takes only what is new.",
		Where:    "My flows > the flow > Turn on. If much has piled up: save the flow under a new name, delete the old one and switch the new one on.",
		Why:      "A pile of old events would start a burst of runs. Microsoft's advice for that case is to delete the flow and create it again.",
		NotFixed: "Events of the time in which the flow was gone are not handled then.",
		Sources:  []exporters.Source{troublePage},
		Tried:    exporters.NotTried,
	}
}

func proveStep(c condition, withKey bool) exporters.Step {
	s := exporters.Step{
		ID:       "prove",
		Title:    "Prove it",
		Where:    "Change one item by hand and wait for the flow to finish its own change. Then open the flow > 28-day run history > All runs, and choose Checks (no new data) in the filter.",
		Why:      "You should see one run for your change, and no second run. Under Checks (no new data) stands one skipped check for the flow's own change. No run at all means that the line is false for your change too: look at the address and the path. A second run means that the path does not name the editor.",
		NotFixed: "It shows this one case. A person who works with the flow's account is not part of it.",
		Sources:  []exporters.Source{troublePage},
		Tried:    exporters.NotTried,
		Prove:    true,
	}
	if c.recipe.Name != OwnEdits {
		s.Where = "Make one event that must start the flow, and one that must not. Then open the flow > 28-day run history > All runs, and choose Checks (no new data) in the filter."
		s.Why = "You should see one run for the first, and one skipped check for the second under Checks (no new data). " + c.recipe.About + " No run at all means that the line is false for the first too, or fails: look at the path and the value."
		s.NotFixed = "It shows these two cases."
	}
	if withKey {
		s.Why += " In that run open the step Event key: its output must be the key that this program shows for the same event."
	}
	return s
}
