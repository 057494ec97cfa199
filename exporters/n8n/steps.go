package n8n

import (
	"fmt"

	"dedupedesk/exporters"
)

// tried is said of steps whose part of the workflow ran in a real n8n.
const tried = "Imported into n8n 2.8.4 and run there by us. Not tried in n8n Cloud."

// claimSteps walk from the look for copies to the proof.
func claimSteps(s exporters.Setup, w wish, file exporters.File, blocked string) []exporters.Step {
	steps := []exporters.Step{copiesStep(), leaseStep(s, w)}
	if w.where != whereHere {
		steps = append(steps, nameStep(w))
	}
	steps = append(steps, importStep(s, w, file, blocked), passwordStep(), workStep(s, w))
	switch {
	case w.trigger == triggerOther:
		steps = append(steps, triggerStep())
	case w.trigger == triggerSchedule:
		steps = append(steps, scheduleStep(w))
	}
	if len(s.Each) > 0 {
		steps = append(steps, s.WhenSteps("In the workflow between "+loopNode+" and "+askNode+": a node If, whose exit false leads to Item done.", importPage)...)
	}
	return append(steps, publishStep(w), alertStep(w), stuckStep(), proveStep(w))
}

func copiesStep() exporters.Step {
	return exporters.Step{
		ID: "copies", Title: "Look for what starts the work twice",
		Where:    "In n8n: Overview > Workflows, in each project: look for copies of the workflow that are published. At the sender, such as GitLab or Pipedrive: Settings > Webhooks, and delete hooks that lead to the same address. On your own servers: look whether a second n8n runs on the same database.",
		Why:      "Some senders got one more hook each time the workflow was published, so each event came as often. A second n8n fires each schedule again.",
		NotFixed: "A copy that is left must ask for the same key of the same rule.",
		Sources:  []exporters.Source{hooksIssue, scheduleIssue, versionIssue}, Tried: exporters.NotTried,
	}
}

func leaseStep(s exporters.Setup, w wish) exporters.Step {
	return exporters.Step{
		ID: "lease", Title: "Check the time allowed for one run",
		Where:    "In this program: Design a key > the rule > Time allowed for one run.",
		Why:      "When the time is over, the next copy may take the key. It has to be longer than the slowest run.",
		NotFixed: "A run that died keeps its key until the time is over.",
		Checks:   leaseChecks(s, w), Details: []string{retriesQuestion().Name},
		Sources: []exporters.Source{httpSource}, Tried: "Worked out here.",
	}
}

func leaseChecks(s exporters.Setup, w wish) []exporters.Check {
	checks := []exporters.Check{{Result: exporters.Warn, Text: fmt.Sprintf("The rule allows %s for one run. n8n itself sets no end to a run unless you set one: make sure that yours is over by then.", exporters.Spell(s.Lease))}}
	if w.resumes() && s.OnExpiry != "ask" {
		checks = append(checks, exporters.Check{Result: exporters.Warn, Text: "A failed run waits until a person starts it again. When the time allowed is over before that, the next copy takes the key over, and both may do the work. Set the rule to ask a person instead."})
	}
	return checks
}

func nameStep(w wish) exporters.Step {
	step := exporters.NameStep(w.address, httpSource)
	step.Details = append(step.Details, whereQuestion().Name)
	switch w.where {
	case whereDocker:
		step.Where += " On Linux add --api 0.0.0.0:47821 to it and keep that port closed to the network, and give the container --add-host=host.docker.internal:host-gateway."
		step.NotFixed = "In a container 127.0.0.1 is the container itself. That host.docker.internal leads from it to this computer is not confirmed by us; n8n says ECONNREFUSED where it does not."
		step.Tried = exporters.NotTried
	case whereServer:
		step.Where += " If no tunnel or gateway stands before it, add --api 0.0.0.0:47821, and let your firewall take calls to that port from n8n's computer alone."
		step.NotFixed += " With http instead of https the password can be read on the way."
	}
	return step
}

func importStep(s exporters.Setup, w wish, file exporters.File, blocked string) exporters.Step {
	step := exporters.Step{
		ID: "import", Title: "Import the workflow",
		Where:    "Overview > Create workflow > three dots at the upper right > **Import from File** > choose the file of this step > **Save**.",
		Why:      "It holds the calls to this program in the right order: reserve before the work, Finished behind it, and what happens when one of them fails. It comes switched off.",
		NotFixed: "It replaces no workflow that you have. Unpublish the old one when this one takes over.",
		Checks:   importChecks(s, w),
		Sources:  []exporters.Source{importPage, webhookSource, httpSource},
		Tried:    tried + " There by command; not through the editor's menu.",
		Blocked:  blocked,
		Details: []string{
			exporters.AddressDetail, retriesQuestion().Name, exporters.ReplyQuestion().Name, triggerField().Name,
		},
	}
	if w.trigger == triggerSchedule {
		step.Details = append(step.Details, everyField().Name)
	}
	if blocked == "" {
		step.File = file.Name
		step.Checks = append(step.Checks, exporters.Check{Result: exporters.OK, Text: "The file fits what n8n's import asks for."})
	}
	return step
}

// importChecks says what the file does not do.
func importChecks(s exporters.Setup, w wish) []exporters.Check {
	var checks []exporters.Check
	warn := func(text string) { checks = append(checks, exporters.Check{Result: exporters.Warn, Text: text}) }
	if s.IfUnreachable == "go_on" {
		warn("The rule says to run anyway where this program cannot be reached. The workflow does so where nobody answers, and copies run as well in that time. It stops where this program answers and refuses.")
	}
	if len(s.Each) == 0 {
		checks = append(checks, s.WhenChecks()...)
	}
	switch {
	case w.answers && !w.resumes():
		warn("The sender waits for the answer until the work is over. One that waits for a few seconds only (Shopify: 5) takes that for a failure and sends again; the repeats hear 500 until the first run is over.")
	case w.answers:
		warn("The sender hears 500 when the run fails, and 200 when it sends again, because the run is yours to start again.")
	case w.trigger == triggerWebhook && !w.answers && w.retries == exporters.RetriesSender:
		warn("The sender hears 200 at once, so it never learns of a failure and does not send again. Somebody else has to: see the step about failures.")
	case w.trigger != triggerWebhook && w.retries == exporters.RetriesSender:
		warn("Nothing sends this event again after a failure: there is no sender. See the step about failures.")
	}
	if w.trigger == triggerSchedule {
		warn("The planned time is read in the workflow's own time zone, so it must be the same for all copies: see Workflow > Settings > Timezone.")
	}
	for _, p := range s.Parts {
		if len(s.Each) > 0 && len(p.Steps) > 0 {
			warn("The workflow changes capitals letter by letter, as the rule does. An item whose value is no text fails, as it does in the rule; so do, where small letters become capitals, some Greek ones such as ᾳ.")
			break
		}
	}
	if len(s.Each) > 0 && w.resumes() {
		warn("Whether a run that is started again goes on with the right item of the list was not tried. Let the sender or nobody try again if you can.")
	}
	return checks
}

func passwordStep() exporters.Step {
	return exporters.Step{
		ID: "password", Title: "Give the password to the calls",
		Where: "Open " + claimNode + " > Credential for Header Auth > **Create new credential**. Name: paste the value below. Value: the password of this program. Save. Then open " + doneNode + " and, if it is there, " + releaseNode + ", and choose the same credential.",
		Value: "X-Api-Key", ValueLabel: "Name of the header",
		Why:      "The file holds no password, so that it can be sent to a colleague. Make one for n8n alone, under Connect, that may only reserve and report keys.",
		NotFixed: "Whoever may edit the workflow can send the credential elsewhere. Revoke it under Connect when somebody leaves.",
		Sources:  []exporters.Source{httpSource}, Tried: tried + " The credential was made by command.",
	}
}

func workStep(s exporters.Setup, w wish) exporters.Step {
	item := "$('" + eventNode + "').item.json.body"
	if len(s.Each) > 0 {
		item = "$('" + loopNode + "').item.json.item"
	}
	step := exporters.Step{
		ID: "work", Title: "Put your work in",
		Where: "Replace " + workNode + " by your own nodes. The last of them leads to what followed it. In each: Settings > On Error > **Continue (using error output)**, and connect its error exit to where the one of " + workNode + " led. A node that may give no item, such as a query that finds no row, is set otherwise: On Error **Stop Workflow** and **Always Output Data** on. In " + doneNode + ", set result to the id of the record that was made. The line below reads the event in an expression.",
		Value: "{{ " + item + " }}", ValueLabel: "The event in your own nodes",
		Why:      "Until it is replaced, " + workNode + " fails, so that no event is reported Finished of which nothing was done. A node without an error exit ends the run when it fails, and leaves the key In progress. A node that gives no item and has Always Output Data off ends the run in silence: the sender hears 200, a later copy may do the work again, and in a list the items behind are left out. With an error exit as well, Always Output Data would report failed work as Finished: never set both.",
		NotFixed: "If a node failed after it had half worked, the next run does that half again. Give such nodes a key of the destination's own. Leave Retry On Fail off in them: it repeats the step without asking.",
		Sources:  []exporters.Source{retryIssue, httpSource}, Tried: tried + " With one node as the work.",
	}
	if w.resumes() {
		step.Where = "Replace " + workNode + " by your own nodes. The last of them leads to " + doneNode + ". In each: leave Settings > On Error at **Stop Workflow**, and switch **Always Output Data** on, or a node that finds nothing ends the run without a report. Retry On Fail is yours to choose. In " + doneNode + ", set result to the id of the record that was made. The line below reads the event in an expression."
		step.Why = "Until it is replaced, " + workNode + " fails. A node that fails ends the run and keeps its key: Executions > the failed run > **Retry with currently saved workflow** goes on from that node, under the same owner."
		step.NotFixed = "A node that failed after it had half worked does that half again. Give such nodes a key of the destination's own."
	}
	return step
}

func triggerStep() exporters.Step {
	return exporters.Step{
		ID: "trigger", Title: "Put your trigger in",
		Where:    "Delete the node " + triggerNode + ", add your trigger, and connect it to " + eventNode + ".",
		Why:      eventNode + " puts what the trigger gives under body, where the rule looks for it. A trigger that gives several items at once has each of them reserved by itself.",
		NotFixed: "If your rule was made of a sample of another trigger, its fields may have other names: compare the first key of a real run with the rule's.",
		Sources:  []exporters.Source{importPage}, Tried: tried + " With a made trigger that gives three items.", Details: []string{triggerField().Name},
	}
}

// retryWords say how the event of a failed run is done again.
const retryWords = "To do it again: Executions > the run > **Retry with currently saved workflow**. Behind Fail the run and Not reserved it asks for the key anew, so what another run did in the meantime is not done twice."

// scheduleStep sets the time, which the file cannot know.
func scheduleStep(w wish) exporters.Step {
	period := map[string]string{"days": "day", "hours": "hour", "minutes": "minute"}[w.every]
	return exporters.Step{
		ID: "trigger", Title: "Set the time",
		Where:    "Open On schedule > **Trigger Interval**, and set the hour and the minute that you want. Workflow > Settings > **Timezone**: yours.",
		Why:      "The key of a run is its " + period + ", so that two copies of a planned run are one event.",
		NotFixed: "A second planned run within one " + period + " is taken for a copy and not done. If you need one, answer the question how often it runs with a shorter time.",
		Sources:  []exporters.Source{importPage}, Tried: exporters.NotTried, Details: []string{triggerField().Name, everyField().Name},
	}
}

func publishStep(w wish) exporters.Step {
	step := exporters.Step{
		ID: "publish", Title: "Publish it",
		Where:    "**Publish** at the upper right (in older versions the switch Active).",
		Why:      "An imported workflow does nothing until it is published. Later changes have to be published again, or the old version goes on.",
		NotFixed: "It does not switch off the workflow that you had.",
		Sources:  []exporters.Source{webhookPage, versionIssue}, Tried: tried + " Published by command.",
	}
	if w.trigger == triggerWebhook {
		step.Title = "Publish it, and give the sender the right address"
		step.Where = "Open " + eventNode + " > **Path**: put a text there that nobody can guess, such as a UUID4, and another one in each workflow. Then > **Production URL** > copy it to the sender. Then **Publish** at the upper right (in older versions the switch Active)."
		step.Why += " The **Test URL** works for two minutes after a click on Listen for test event, and only while the editor is open."
		step.Why += " The path in the file is made of the rule's name, so others can work it out, and two workflows of one rule cannot both be published with it."
		step.NotFixed += " Whoever knows the address can send events: set Authentication in " + eventNode + " if the sender can use it."
	}
	return step
}

func alertStep(w wish) exporters.Step {
	step := exporters.Step{
		ID: "alert", Title: "Hear of failures",
		Where:    "Make a workflow that begins with Error Trigger and writes to you. Then in this workflow: three dots > **Settings** > Error Workflow: choose it.",
		Why:      "A run that failed tells nobody by itself.",
		NotFixed: "n8n reports no run that never began, for instance while it was switched off.",
		Sources:  []exporters.Source{importPage}, Tried: exporters.NotTried,
	}
	if w.retries == exporters.RetriesNobody || !w.answers {
		step.Why += " Nobody tries again here, so without this the event is missing and nobody knows. Its key was given back. " + retryWords
		if w.resumes() {
			step.Why = "A run that failed waits until somebody starts it again, and tells nobody by itself. Retry goes on from the node that failed, a call that nobody answered included. " + retryWords
		}
	}
	return step
}

func stuckStep() exporters.Step {
	return exporters.Step{
		ID: "stuck", Title: "Look after keys that got stuck",
		Where:    "In this program: Keys > Needs a decision. In n8n: Executions, filter Status: Error.",
		Why:      "A run that died between its work and " + doneNode + " leaves a key that nobody closes. A person has to look whether the work was done.",
		NotFixed: "Nothing can tell by itself whether the work was done.",
		Sources:  []exporters.Source{importPage}, Tried: exporters.NotTried,
	}
}

func proveStep(w wish) exporters.Step {
	how := "Send one event to the Production URL, and when its run is over the very same event again."
	if w.trigger != triggerWebhook {
		how = "Click **Execute workflow**, and when the run is over click it again, with the same event (for a schedule: within the same planned time)."
	}
	step := exporters.Step{
		ID: "prove", Title: "Prove it",
		Where:    how + " Then look at Executions in n8n, and at Keys in this program.",
		Why:      "You should see two runs that succeeded: the first went through " + workNode + ", the second ended at Copy stopped. Keys shows one key, Finished, with one copy stopped, and the key is the one that the rule shows for this event.",
		NotFixed: "It shows a copy that comes later. We sent up to 16 copies at the same moment through a real n8n, and one of each ran.",
		Sources:  []exporters.Source{webhookPage}, Tried: tried, Prove: true,
	}
	if w.answers && !w.resumes() {
		step.Why += " Then let the work fail once on purpose: the sender must hear 500, and the next try must run."
	}
	return step
}

// settingsOnly is for people who need no key: what n8n does twice by itself.
func settingsOnly(platform string) exporters.Checklist {
	return exporters.Checklist{
		Platform: platform, Title: "n8n: take away what runs twice", Route: exporters.RouteNone,
		About: "Second registrations, copies of the workflow and repeated steps make n8n run twice by itself. These steps find them. They stop no copy that a sender sends again.",
		Steps: []exporters.Step{
			copiesStep(),
			{
				ID: "retry-off", Title: "Retry On Fail: off where a step must not happen twice",
				Where: "Each node that sends, creates or charges something: Settings > **Retry On Fail**.",
				Value: "Off", ValueLabel: "Retry On Fail",
				Why:      "After a time-out nobody knows whether the step happened. The next try does it again.",
				NotFixed: "A short disturbance now ends the run. Somebody has to look and start it again.",
				Sources:  []exporters.Source{retryIssue}, Tried: exporters.NotTried,
			},
			{
				ID: "one-at-a-time", Title: "One run at a time, on your own server",
				Where: "Start n8n with this variable. It holds for all workflows of this n8n.",
				Value: "N8N_CONCURRENCY_PRODUCTION_LIMIT=1", ValueLabel: "Variable",
				Warning:  "All workflows wait for one another then. A long run holds up every other one.",
				Why:      "Runs that look a record up before they add it no longer look at the same moment.",
				NotFixed: "A copy that comes later, or a second n8n, is not stopped by it. Remove Duplicates is no lock either: eight runs side by side let 113 of 150 copies through in our test.",
				Sources:  []exporters.Source{concurrencyPage}, Tried: exporters.NotTried,
			},
			{
				ID: "prove", Title: "Prove it",
				Where:    "Let one event happen at the sender. Look at Executions.",
				Why:      "You should see one run for it. Two runs of the same workflow mean a second hook, two workflows mean a copy.",
				NotFixed: "It does not show what happens when a sender repeats.",
				Sources:  []exporters.Source{hooksIssue}, Tried: exporters.NotTried, Prove: true,
			},
		},
		Covers: exporters.Covered(map[string]exporters.Cover{
			exporters.ActionsRepeat: {State: exporters.No, By: "Happens inside a run."},
			exporters.SecondCopy:    {State: exporters.Partly, By: "Copies and second hooks that you find and delete. One that is made later comes back."},
			exporters.SenderRetries: {State: exporters.No, By: "A sender that repeats starts another run."},
			exporters.StepRetries:   {State: exporters.Partly, By: "Retry On Fail is off. A person who starts a run again repeats its steps."},
			exporters.Replay:        {State: exporters.No, By: "A run that is started again does everything again."},
			exporters.Overlap:       {State: exporters.Partly, By: "One run at a time, on an n8n of your own alone."},
		}),
	}
}
