package makecom

import (
	"dedupedesk/exporters"
)

// claimSteps walk from the import to the proof.
func claimSteps(s exporters.Setup, w wish, file exporters.File, blocked string) []exporters.Step {
	name := exporters.NameStep(w.address, agentPage)
	name.NotFixed += " Make's own agent for calls into a network is part of its Enterprise plan."
	steps := []exporters.Step{copiesStep(), leaseStep(s, w), name, importStep(s, w, file, blocked)}
	if needsHeaders(s.Parts) {
		steps = append(steps, headersStep())
	}
	steps = append(steps, passwordStep(), workStep(w), orderStep(), incompleteStep(w), stuckStep(), claimProveStep(w))
	return steps
}

func copiesStep() exporters.Step {
	return exporters.Step{
		ID: "copies", Title: "Look for copies of the scenario",
		Where:    "Scenarios > All, in each team. Webhooks > see which scenario belongs to each.",
		Why:      "A second scenario that gets the same events must ask for the same key of the same rule, or be switched off.",
		NotFixed: "Scenarios in organisations that you cannot open stay unseen.",
		Sources:  []exporters.Source{webhooksPage}, Tried: exporters.NotTried,
	}
}

func leaseStep(s exporters.Setup, w wish) exporters.Step {
	return exporters.Step{
		ID: "lease", Title: "Check the time allowed for one run",
		Where:    "In this program: Design a key > the rule > Time allowed for one run.",
		Why:      "When the time is over, the next copy may take the key. It has to be longer than the slowest run, and longer than all tries of Make where Make tries again.",
		NotFixed: "A run that died keeps its key until the time is over.",
		Checks:   leaseChecks(s, w),
		Details:  []string{retriesQuestion().Name},
		Sources:  []exporters.Source{retryPage}, Tried: "Worked out here from the vendor's table.",
	}
}

func importStep(s exporters.Setup, w wish, file exporters.File, blocked string) exporters.Step {
	step := exporters.Step{
		ID: "import", Title: "Import the scenario",
		Where:    "Scenarios > Create a new scenario > three dots at the bottom > Import Blueprint > choose the file of this step. Click the first module > Add > save, and copy the webhook's address for the sender.",
		Why:      "It holds the three calls to this program in the right order: reserve before the work, Finished behind it, Let it run again when the work fails. All values travel as form fields, so quotes in an event cannot break a call.",
		NotFixed: "It replaces no scenario that you have. The old one has to be switched off when this one takes over.",
		Checks:   importChecks(s, w),
		Sources:  []exporters.Source{blueprintPage, httpPage},
		Tried:    "Checked here against the structure that Make's public checker asks for. Not imported into Make by us.",
		Details:  []string{exporters.AddressDetail, retriesQuestion().Name, arrivalField().Name},
		Blocked:  blocked,
	}
	if blocked == "" {
		step.File = file.Name
		step.Checks = append(step.Checks, exporters.Check{Result: exporters.OK, Text: "The file fits Make's structural rules."})
	}
	return step
}

// importChecks says what the file does not do.
func importChecks(s exporters.Setup, w wish) []exporters.Check {
	checks := longNumbers(s)
	if s.IfUnreachable == "go_on" {
		checks = append(checks, exporters.Check{Result: exporters.Warn, Text: "The rule says to run anyway when this program is out of reach. This scenario stops then; running anyway is not built for Make yet."})
	}
	if !w.resumes {
		checks = append(checks, exporters.Check{Result: exporters.Warn, Text: "The sender waits for the answer until the work is over. One that waits for a few seconds only (Shopify: 5) takes that for a failure and sends again; the repeats hear 503 until the first run is over."})
	}
	return append(checks, exporters.Check{Result: exporters.Warn, Text: "Not tried: whether Make sends a form field whose value is empty. Sent or left out, this program refuses the call: a part is empty then, or fewer parts come than the rule has. The run ends before your work, and its failed call says why."})
}

func headersStep() exporters.Step {
	return exporters.Step{
		ID: "headers", Title: "Let the webhook hand on the headers",
		Where: "First module > the webhook > Edit > Advanced settings > Get request headers: Yes > Save.",
		Value: "Yes", ValueLabel: "Get request headers",
		Why:      "Your key is made of a header. Make leaves headers out by default, and the part would be empty.",
		NotFixed: "Make writes the names of headers as it gets them. If the first run says that a part is empty, look how the name is written in the webhook's bubble.",
		Sources:  []exporters.Source{hookSettingsPage}, Tried: exporters.NotTried,
	}
}

func passwordStep() exporters.Step {
	return exporters.Step{
		ID: "password", Title: "Paste the password",
		Where: "In each HTTP module (Reserve the key, Finished, Let it run again): Headers > Authorization. Put the password of this program in place of the words " + exporters.Placeholder + "; leave the word Bearer and the space.",
		Value: "Bearer " + exporters.Placeholder, ValueLabel: "What the header looks like before",
		Why:      "The file holds no password, so that it can be sent to a colleague. Make one for Make alone, under Connect, that may only reserve and report keys.",
		NotFixed: "Whoever may open the scenario can read the password. Revoke it under Connect when somebody leaves.",
		Sources:  []exporters.Source{httpPage}, Tried: exporters.NotTried,
	}
}

func workStep(w wish) exporters.Step {
	step := exporters.Step{
		ID: "work", Title: "Put your work in",
		Where:    "In the branch Reserved by this run: add your modules between Your work and Finished. Right-click each > Add error handler, and copy the modules of the error route of Your work to it. In Finished, set the field result to the id of the record that was made.",
		Why:      "A failure without an error route stops a webhook's scenario at the first error, and leaves the key In progress.",
		NotFixed: "If a module failed after it had half worked, the next run does that half again. Give such modules a key of the destination's own.",
		Sources:  []exporters.Source{errorsPage}, Tried: exporters.NotTried,
	}
	if w.resumes {
		step.NotFixed += " Make goes on from the failed module; whether the run keeps its id then is not known to us, so Finished may be refused and has to be set by a person."
	}
	return step
}

func orderStep() exporters.Step {
	return exporters.Step{
		ID: "order", Title: "Process data in order: leave it off",
		Where: "Scenario settings (the wheel) > Process data in order (also called Sequential processing).",
		Value: "No", ValueLabel: "Process data in order",
		Why:      "The key already keeps copies apart while different events run side by side. Switched on, one failed run can hold up all others.",
		NotFixed: "Different events may overtake one another. Switch it on where their order matters.",
		Sources:  []exporters.Source{settingsPage}, Tried: exporters.NotTried,
	}
}

func incompleteStep(w wish) exporters.Step {
	step := exporters.Step{
		ID: "incomplete", Title: "Allow storing of incomplete executions: off",
		Where: "Scenario settings (the wheel) > Allow storing of incomplete executions.",
		Value: "No", ValueLabel: "Allow storing of incomplete executions", Details: []string{retriesQuestion().Name},
		Why:      "The sender tries again here. If Make did too, both would run.",
		NotFixed: "A failure that the sender never hears of is not tried again.",
		Sources:  []exporters.Source{incompletePage, retryPage}, Tried: exporters.NotTried,
	}
	if w.resumes {
		step.Title = "Allow storing of incomplete executions: on"
		step.Value = "Yes"
		step.Why = "Make keeps the run that failed and goes on from the failed module. Without it the event is gone after one failure."
		step.NotFixed = "The store has a limit. Look into Incomplete executions once a week."
	}
	return step
}

func stuckStep() exporters.Step {
	return exporters.Step{
		ID: "stuck", Title: "Look after keys that got stuck",
		Where:    "In this program: Keys > Needs a decision. In Make: Scenario > History, filter Error.",
		Why:      "A run that died between its work and Finished leaves a key that nobody closes. A person has to look whether the work was done.",
		NotFixed: "Nothing can tell by itself whether the work was done.",
		Sources:  []exporters.Source{errorsPage}, Tried: exporters.NotTried,
	}
}

func claimProveStep(w wish) exporters.Step {
	step := exporters.Step{
		ID: "prove", Title: "Prove it",
		Where:    "Switch the scenario on. Send one event to the webhook, and when its run is over the very same event again. Then look at Scenario > History, and at Keys in this program.",
		Why:      "You should see two runs: the first went through Your work, the second through the branch Copy stopped. Keys shows one key, Finished, with one copy stopped, and the key is the one that the rule shows for this event.",
		NotFixed: "It shows a copy that comes later. Two copies at the same moment were tried on this program alone, not through Make.",
		Sources:  []exporters.Source{webhooksPage}, Tried: exporters.NotTried, Prove: true,
	}
	if !w.resumes {
		step.Why += " Then let the work fail once on purpose: the sender must hear 500, and the next try must run."
	}
	return step
}

// settingsOnly is for people who need no key: one run at a time.
func settingsOnly(platform string) exporters.Checklist {
	return exporters.Checklist{
		Platform: platform, Title: "Make: process in order", Route: exporters.RouteNone,
		About: "For a scenario that looks a record up before it adds it. With one run at a time the look-up sees what the run before it has written.",
		Steps: []exporters.Step{
			{
				ID: "order", Title: "Process data in order: on",
				Warning: "Together with Allow storing of incomplete executions, one failed run stops the whole scenario until somebody resolves it, and new events pile up in a queue that has a limit.",
				Where:   "Scenario settings (the wheel) > Process data in order (also called Sequential processing).",
				Value:   "Yes", ValueLabel: "Process data in order",
				Why:      "Webhook scenarios run side by side by default, so two runs look, both find nothing, and both write.",
				NotFixed: "A sender that repeats still starts a second run, and a copy of the scenario runs beside it. Only a key tells those apart.",
				Sources:  []exporters.Source{settingsPage, incompletePage}, Tried: exporters.NotTried,
			},
			copiesStep(),
			{
				ID: "prove", Title: "Prove it",
				Where:    "Send two different events to the webhook at once. Look at Scenario > History.",
				Why:      "The second run must begin when the first has ended, not before.",
				NotFixed: "It does not show what happens when a run fails.",
				Sources:  []exporters.Source{settingsPage}, Tried: exporters.NotTried, Prove: true,
			},
		},
		Covers: exporters.Covered(map[string]exporters.Cover{
			exporters.ActionsRepeat: {State: exporters.No, By: "Happens inside a run."},
			exporters.SecondCopy:    {State: exporters.No, By: "A copy of the scenario has an order of its own."},
			exporters.SenderRetries: {State: exporters.Partly, By: "Only together with a look-up of the event in your data."},
			exporters.StepRetries:   {State: exporters.No, By: "Happens inside a run."},
			exporters.Replay:        {State: exporters.Partly, By: "Only together with a look-up of the event in your data."},
			exporters.Overlap:       {State: exporters.Yes, By: "The setting Process data in order."},
		}),
	}
}
