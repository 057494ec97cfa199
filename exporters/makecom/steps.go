package makecom

import (
	"strings"

	"dedupedesk/exporters"
)

// claimSteps walk from the import to the proof, for the scenario that asks this
// program.
func claimSteps(s exporters.Setup, w wish, c *exporters.Checklist, blocked string) []exporters.Step {
	name := exporters.NameStep(w.address, agentPage)
	name.NotFixed += " Make's own agent for calls into a network is part of its Enterprise plan."
	steps := []exporters.Step{copiesStep(), leaseStep(s, w), name, importStep(s, w, c, blocked)}
	steps = append(steps, startSteps(s, w)...)
	return append(steps, passwordStep(), workStep(s, w), orderStep(), incompleteStep(w, "under Keys in this program"), stuckStep(), claimProveStep(s, w))
}

// shaping are the details that the scenario of either way is made of.
func shaping() []string {
	return []string{retriesQuestion().Name, replyQuestion().Name, triggerField().Name, arrivalField().Name}
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

func importStep(s exporters.Setup, w wish, c *exporters.Checklist, blocked string) exporters.Step {
	step := exporters.Step{
		ID: "import", Title: "Import the scenario",
		Where:    "Scenarios > Create a new scenario > three dots at the bottom > Import Blueprint > choose the file of this step. Click the first module > Add > save, and copy the webhook's address for the sender.",
		Why:      "It holds the three calls to this program in the right order: reserve before the work, Finished behind it, Let it run again when the work fails. All values travel as form fields, so quotes in an event cannot break a call.",
		NotFixed: "It replaces no scenario that you have. The old one has to be switched off when this one takes over.",
		Checks:   ledgerChecks(s, w),
		Sources:  []exporters.Source{blueprintPage, httpPage, flowPage},
		Details:  append([]string{exporters.AddressDetail}, shaping()...),
	}
	if w.resumes {
		step.Why = "It holds the calls to this program in the right order: reserve before the work, Finished behind it. No call gives the key back, for Make goes on with the run that holds it. All values travel as form fields, so quotes in an event cannot break a call."
	}
	if len(s.Each) > 0 {
		step.Why += " The module Each item goes through the list, and each item is reserved, worked on and reported by itself."
	}
	return handOver(step, c, w, blocked)
}

// handOver gives the step the first file of the checklist, or blocks it.
func handOver(step exporters.Step, c *exporters.Checklist, w wish, blocked string) exporters.Step {
	if w.poll {
		step.Where = "Scenarios > Create a new scenario > three dots at the bottom > Import Blueprint > choose the file of this step."
	}
	step.Tried = "Checked here against the structure that Make's public checker asks for. Not imported into Make by us."
	step.Blocked = blocked
	if len(c.Files) > 0 {
		step.File = c.Files[0].Name
		step.Checks = append(step.Checks, exporters.Check{Result: exporters.OK, Text: "The file fits Make's structural rules."})
	}
	return step
}

// startSteps set the first modules up.
func startSteps(s exporters.Setup, w wish) []exporters.Step {
	var steps []exporters.Step
	if w.poll {
		steps = append(steps, triggerStep(s))
	}
	if beyond(s) && !w.poll {
		steps = append(steps, wholeStep())
	}
	if needsHeaders(s.Parts) && !w.poll {
		steps = append(steps, headersStep())
	}
	return steps
}

func triggerStep(s exporters.Setup) exporters.Step {
	where := "Right-click the first module, Your trigger > Delete module, and add your own trigger in its place. Then open Fields of the key and map each line to a field of your trigger: " + partNames(s) + "."
	if len(s.Each) > 0 {
		where += " In Each item, map Array to the list " + strings.TrimPrefix(strings.Join(s.Each, "."), "body.") + "."
	}
	return exporters.Step{
		ID: "trigger", Title: "Put your trigger in", Where: where, Details: []string{triggerField().Name},
		Why:      "The first module is a stand-in: a file cannot hold a trigger that belongs to an account. All later modules read the fields from Fields of the key, so this is the one place to map.",
		NotFixed: "Left as it is, the scenario works once on the stand-in's words and stops all later runs as copies.",
		Sources:  []exporters.Source{flowPage}, Tried: exporters.NotTried,
	}
}

func wholeStep() exporters.Step {
	return exporters.Step{
		ID: "whole", Title: "Hand the event on as it was written",
		Where: "First module > the webhook > Edit > Advanced settings > JSON pass-through: Yes > Save.",
		Value: "Yes", ValueLabel: "JSON pass-through", Details: []string{triggerField().Name},
		Why:      "The formula of this rule does more than a list of fields can say, so the whole event is sent and the rule makes the key here. With this setting the webhook hands its text on unchanged, as the one field value.",
		NotFixed: "Your own modules then find no fields. Put JSON > Parse JSON in front of Your work, with {{1.value}} as JSON string. That the field is called value was seen in one public scenario, in no page of Make: if it has another name, the call is refused and the run ends before your work. Map event in Reserve the key anew then.",
		Sources:  []exporters.Source{hookSettingsPage}, Tried: exporters.NotTried,
	}
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

func workStep(s exporters.Setup, w wish) exporters.Step {
	step := exporters.Step{
		ID: "work", Title: "Put your work in",
		Where:    "Between Your work and Finished: add your modules. Right-click each > Add error handler, and copy the modules of the error route of Your work to it. In Finished, set the field result to the id of the record that was made (the id alone: a report that is too long is refused). Then delete Your work.",
		Why:      "A failure without an error route stops a webhook's scenario at the first error, and leaves the key In progress.",
		NotFixed: "If a module failed after it had half worked, the next run does that half again. Give such modules a key of the destination's own.",
		Sources:  []exporters.Source{errorsPage}, Tried: exporters.NotTried,
	}
	switch {
	case len(s.Each) > 0:
		step.Why += " Your modules run once for each item, and read it from Each item."
	case w.reply == exporters.ReplyAfter:
		step.Why += " No module of yours may answer the webhook: it is answered once."
	}
	if w.resumes {
		step.NotFixed += " Make goes on from the failed module; whether the run keeps its id then is not known to us, so Finished may be refused and has to be set by a person."
	}
	return step
}

func orderStep() exporters.Step {
	return exporters.Step{
		ID: "order", Title: orderLabel + ": leave it off",
		Where: orderWhere, Value: "No", ValueLabel: orderLabel,
		Why:      "The key already keeps copies apart while different events run side by side. Switched on, one failed run can hold up all others.",
		NotFixed: "Different events may overtake one another. Switch it on where their order matters.",
		Sources:  []exporters.Source{settingsPage}, Tried: exporters.NotTried,
	}
}

// incompleteStep says what to do with runs that Make keeps. where is where the state of
// an event is looked up.
func incompleteStep(w wish, where string) exporters.Step {
	step := exporters.Step{
		ID: "incomplete", Title: storingText + ": off",
		Where: "Scenario settings (the wheel) > " + storingText + ".",
		Value: "No", ValueLabel: storingText, Details: []string{retriesQuestion().Name},
		Why:      "The sender tries again here. If Make did too, both would run.",
		NotFixed: "A failure that the sender never hears of is not tried again.",
		Sources:  []exporters.Source{incompletePage, retryPage}, Tried: exporters.NotTried,
	}
	switch {
	case w.resumes:
		step.Title = storingText + ": on"
		step.Value = "Yes"
		step.Why = "Make keeps the run that failed and goes on from the failed module. Without it the event is gone after one failure. A module with the error route Break is tried three times more, 15 minutes apart; one without a route for up to 7 hours 51 minutes. Then the run waits for a person under Incomplete executions."
		step.Warning = "A run that is resumed there goes on with the work and asks nobody. Look at its event first, " + where + ": resume it only while that is not finished and no other run has it, else delete the incomplete execution. Never do both: resume it here and let its event run again there."
		step.NotFixed = "The store has a limit. Look into Incomplete executions each day; nobody else tells of such a run."
	case w.nobody:
		step.Why = "A failed run gives its key back, so that it can be started again by hand. If Make tried again too, both would run."
		step.NotFixed = "Nobody tries again by itself. Look at Scenario > History, filter Error, each day, and start what failed again."
	}
	return step
}

func stuckStep() exporters.Step {
	return exporters.Step{
		ID: "stuck", Title: "Look after keys that got stuck",
		Where:    "In this program: Keys > Needs a decision. In Make: Scenario > History, filter Error.",
		Why:      "A run that died between its work and Finished leaves a key that nobody closes. A person has to look whether the work was done.",
		NotFixed: "Nothing can tell by itself whether the work was done. Let it run again starts nothing either: let the sender send the event again, or where a trigger looks by itself, right-click it > Choose where to start.",
		Sources:  []exporters.Source{errorsPage}, Tried: exporters.NotTried,
	}
}

func claimProveStep(s exporters.Setup, w wish) exporters.Step {
	step := exporters.Step{
		ID: "prove", Title: "Prove it",
		Where:    "Switch the scenario on. Send one event to the webhook, and when its run is over the very same event again. Then look at Scenario > History, and at Keys in this program.",
		Why:      "You should see two runs: the first went through Your work, the second through the branch Copy stopped. Keys shows one key, Finished, with one copy stopped, and the key is the one that the rule shows for this event.",
		NotFixed: "It shows a copy that comes later. Two copies at the same moment were tried on this program alone, not through Make.",
		Sources:  []exporters.Source{webhooksPage}, Tried: exporters.NotTried, Prove: true,
	}
	if w.poll {
		step.Where = pollProof + " Then look at Scenario > History, and at Keys in this program."
	}
	if len(s.Each) > 0 {
		step.Why = "You should see two runs: in the first each item went through Your work, in the second none did. Keys shows one key for each item, Finished, each with one copy stopped, and they are the keys that the rule shows for these items."
	}
	step.Why += failOnce(w)
	return step
}

// pollProof makes a trigger that looks by itself bring one record twice.
const pollProof = "Switch the scenario on. Let the trigger bring one record, and when its run is over bring the same one again: right-click the trigger > Choose where to start > choose that record, Run once."

// failOnce is what to try beyond a copy.
func failOnce(w wish) string {
	switch {
	case w.reply == exporters.ReplyAfter:
		return " Then let the work fail once on purpose: the sender must hear 500, and the next try must run."
	case !w.resumes:
		return " Then let the work fail once on purpose: the same event must run when it comes again."
	}
	return ""
}
