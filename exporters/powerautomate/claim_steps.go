package powerautomate

import (
	"fmt"
	"strings"
	"time"

	"dedupedesk/exporters"
)

// longTries is how long Power Automate may go on with one failing step: up to 12 more
// tries whose pauses grow to 15 minutes, by the page on the designer.
const longTries = 2 * time.Hour

// claimSteps walk from the copies to the proof.
func claimSteps(s exporters.Setup, w wish, made artifacts) ([]exporters.Step, error) {
	paste, err := PasteSteps(pasteOf(s, w, made))
	if err != nil {
		return nil, err
	}
	name := exporters.NameStep(w.address, limitsPage)
	steps := []exporters.Step{copiesStep(), leaseStep(s), name, claimConcurrencyStep()}
	if w.trigger == HTTPRequest {
		steps = append(steps, httpTriggerStep(w))
	}
	steps = append(steps, connectorSteps(made)...)
	steps = append(append(steps, paste...), definitionStep(made))
	if w.connector {
		steps = append(steps, swapSteps(w, made)...)
	} else {
		steps = append(steps, passwordStep())
	}
	steps = append(steps, claimRetryStep(w), claimRunAfterStep(w), workStep(w))
	if w.retries == exporters.RetriesPlatform {
		steps = append(steps, resubmitStep())
	}
	return append(steps, switchOnStep(), claimStuckStep(), claimProveStep(w)), nil
}

func leaseStep(s exporters.Setup) exporters.Step {
	step := exporters.Step{
		ID: "lease", Title: "Check the time allowed for one run",
		Where:    "In this program: Design a key > the rule > Time allowed for one run.",
		Why:      "When the time is over, the next copy may take the key. It has to be longer than the slowest run. A step that fails is tried again by Power Automate, on a premium plan up to 12 times with pauses that grow to 15 minutes, and an approval waits for a person.",
		NotFixed: "A run that died keeps its key until the time is over.",
		Sources:  []exporters.Source{designerPage, limitsPage}, Tried: "Worked out here from the vendor's pages.",
	}
	check := exporters.Check{Result: exporters.OK, Text: fmt.Sprintf("The rule allows %s for one run.", exporters.Spell(s.Lease))}
	if s.Lease < longTries {
		check = exporters.Check{Result: exporters.Warn, Text: fmt.Sprintf("The rule allows %s for one run. Allow %s or more, or set the retry policy of your own steps to a few short tries.", exporters.Spell(s.Lease), exporters.Spell(longTries))}
	}
	step.Checks = []exporters.Check{check}
	return step
}

func claimConcurrencyStep() exporters.Step {
	return exporters.Step{
		ID: "concurrency", Title: "Concurrency control: leave it off",
		Warning:  "Do not switch it on to try it: it cannot be switched off again without building the flow anew, its number stands at 25 then and not at 1, and a trigger that splits lists takes at most 100 items from then on.",
		Where:    "The trigger > Settings > Concurrency control. Look that it is Off.",
		Why:      "The event key already keeps copies apart while different events run side by side.",
		NotFixed: "Different events may overtake one another.",
		Sources:  []exporters.Source{optimizePage, limitsPage}, Tried: exporters.NotTried,
	}
}

func httpTriggerStep(w wish) exporters.Step {
	step := exporters.Step{
		ID: "trigger", Title: "Let the sender call the flow",
		Where:    "The trigger When an HTTP request is received > Who can trigger the flow: Anyone. Save, then copy HTTP URL and give it to the sender. The sender must send Content-Type: application/json.",
		Warning:  "The address is a password by itself: whoever knows it can start the flow. Give it to the sender alone.",
		Why:      "Only with that content type does the flow see fields. Other calls come as one text; the parts of the key are empty then, and the run stops before the work.",
		NotFixed: "Nothing here checks that a call comes from the sender.",
		Sources:  []exporters.Source{actionsPage, triggersPage}, Tried: exporters.NotTried,
	}
	if w.answers {
		step.Where += " In the steps Tell the sender leave Settings > Asynchronous response off: with it the sender hears 202 at once."
	}
	return step
}

func connectorSteps(made artifacts) []exporters.Step {
	if made.connector == nil {
		return nil
	}
	details := []string{exporters.AddressDetail, callField().Name}
	return []exporters.Step{
		{
			ID: "connector", Title: "Make the custom connector",
			Where:    "Power Automate > More > Custom connectors > New custom connector > Import an OpenAPI file > choose the file of this step > Continue. Security: API key, header X-Api-Key. Then Create connector, and Test > New connection: paste the password of this program there.",
			File:     made.connector[0].Name,
			Details:  details,
			Why:      "It holds the three calls to this program with names for their fields, and keeps the password in a connection instead of the flow.",
			NotFixed: "A custom connector is premium, and 500 calls a minute go through one connection at most. To reach a computer without a public address a person describes an on-premises data gateway as the way (third party, not tried by us).",
			Sources:  []exporters.Source{connectorPage, limitsPage, gatewayPage}, Tried: exporters.NotTried,
		},
		{
			ID: "connector-properties", Title: "Only for the command line: how a connection is made",
			Where:    "Skip this if you used the page of the step before. Else save both files in one folder: pac connector create --api-definition-file apiDefinition.swagger.json --api-properties-file apiProperties.json.",
			File:     made.connector[1].Name,
			Details:  details,
			Why:      "The command wants both files; the page asks for the same in a form.",
			NotFixed: "It makes no connection yet. The first flow that uses the connector asks for the password.",
			Sources:  []exporters.Source{connectorPage}, Tried: exporters.NotTried,
		},
	}
}

func pasteOf(s exporters.Setup, w wish, made artifacts) Paste {
	p := Paste{
		Seed: w.rule, Blocked: made.blocked, Details: made.details, Checks: scopeChecks(s, w),
		Why:      "One scope with everything in the right order: reserve before the work, Finish behind it, Let it run again when the work fails. A copy ends as Cancelled, which is no alert.",
		NotFixed: "The step HTTP is premium.",
		Driven:   "Driven here with copies, failures and lost answers.",
	}
	if p.Blocked == "" {
		p.Scope = w.scope()
	}
	return p
}

// scopeChecks says what the scope does, and what it leaves to the person.
func scopeChecks(s exporters.Setup, w wish) []exporters.Check {
	var checks []exporters.Check
	say := func(result, text string) { checks = append(checks, exporters.Check{Result: result, Text: text}) }
	if w.event {
		say(exporters.Warn, "The key's formula is worked out by this program, so the whole event travels to it. Whether Power Automate keeps every digit of a long number on the way is not confirmed: compare the key of a real run with the rule's.")
	}
	if w.event {
		checks = append(checks, s.WhenChecks()...)
	}
	if label, digits, lost := s.LostDigits(); lost && !w.event {
		say(exporters.Warn, fmt.Sprintf("%s has the number %s in the key, longer than many programs can hold. Whether Power Automate keeps every digit is not confirmed: compare the key of a real run with the rule's, or use a field that carries it as text.", label, digits))
	}
	if w.list != "" {
		say(exporters.OK, "Each line has a key of its own: Apply to each goes through them one after the other, and a line that is done already is left out. The run fails at its end if a line failed.")
		say(exporters.Warn, "Two lines of one event with the same key: the second is left out once the first is reported. If that report fails after all its tries, the same run gets the key again and works at the second too.")
	}
	switch {
	case w.retries == exporters.RetriesSender && w.trigger != HTTPRequest:
		say(exporters.Warn, "Only a program that calls the flow hears of a failure. The trigger that you chose tells nobody, so a failed run is tried again by nobody: its key may run again, by Resubmit.")
	case w.answers && w.atOnce:
		say(exporters.Warn, "The sender hears 200 before the work. It never hears of a failure, so a failed run is for a person: its key may run again, by Resubmit.")
	case w.answers:
		say(exporters.Warn, "The sender waits for the answer until the work is over, and Power Automate holds a call for two minutes. A sender that waits for less (Shopify: 5 seconds) sends again; the repeats hear 503 until the first run is over, or a person has decided on it.")
	}
	if w.goOn {
		say(exporters.Warn, "The rule says to run anyway when this program is out of reach. Nothing is written down of such a run: a copy that comes in that time works too, and so does the first copy that comes afterwards. An answer of this program that is no yes, for an empty part, a wrong password, or because somebody paused it, still stops the run.")
	} else {
		say(exporters.OK, "Where this program is out of reach, or something else answers in its place, the run stops as Failed before the work.")
	}
	return checks
}

func definitionStep(made artifacts) exporters.Step {
	step := exporters.Step{
		ID: "definition", Title: "Only for people who deploy flows as code: the whole flow",
		Where:    "Skip this if you pasted. Azure Logic Apps: Development tools > Code view > paste the file > Save. In a Power Automate solution it is the part called definition of the file in Workflows. Words such as REPLACE_WITH_SITE_ADDRESS stand for what only your site knows.",
		Why:      "It is the same scope with the trigger, the waiting times and the ends.",
		NotFixed: "Power Automate's own pages take no such file: their code view is for reading alone.",
		Sources:  []exporters.Source{actionsPage, designerPage},
		Tried:    "Checked here against the rules for triggers and actions. Not imported by us.",
		Blocked:  made.blocked, Details: made.details,
	}
	if step.Blocked == "" && made.flow == nil {
		step.Blocked = "How this trigger is written in a file is not confirmed. Choose the trigger in the designer and paste the steps."
	}
	if step.Blocked == "" {
		step.File = made.flow.Name
		step.Checks = []exporters.Check{{Result: exporters.OK, Text: "The file was read back here and nothing is wrong with it."}}
	}
	return step
}

func passwordStep() exporters.Step {
	return exporters.Step{
		ID: "password", Title: "Paste the password",
		Where: "In the steps Claim, Finish and Let it run again: Headers > Authorization. Put the password of this program in place of the words " + exporters.Placeholder + "; leave the word Bearer and the space. Look that Settings > Security > Secure inputs is On in each.",
		Value: "Bearer " + exporters.Placeholder, ValueLabel: "What the header looks like before",
		Why:      "The text holds no password, so that it can be sent to a colleague. Make one for this flow alone, under Connect, that may only reserve and report keys. Secure inputs keeps it out of the run history.",
		NotFixed: "Whoever may edit the flow can read the password. Revoke it under Connect when somebody leaves. A custom connector keeps it in a connection.",
		Sources:  []exporters.Source{designerPage}, Tried: exporters.NotTried,
	}
}

func claimRetryStep(w wish) exporters.Step {
	step := exporters.Step{
		ID: "retry", Title: "Look at the waiting times of the three calls",
		Where:    "Claim > Settings > Networking > Retry policy: Fixed interval, count 2, interval PT10S; Action timeout PT1M. Finish and Let it run again: count 4, PT20S; PT5M. The pasted steps have them already.",
		Why:      "Left at the default, Power Automate sends a call that got no answer up to 12 times again. That is safe here, for the same run gets the same answer, but the run would stand for hours.",
		NotFixed: "Your own steps keep their own retries. A step that is not safe to repeat gets Retry policy: None, or a key at its destination.",
		Sources:  []exporters.Source{designerPage, actionsPage}, Tried: exporters.NotTried,
	}
	if w.connector {
		step.Title = "Set the waiting times of the three calls"
		step.Where = strings.Replace(step.Where, "The pasted steps have them already.", "The connector's steps have none yet: set them in each.", 1)
		step.Details = []string{callField().Name}
	}
	return step
}

func claimRunAfterStep(w wish) exporters.Step {
	step := exporters.Step{
		ID: "run-after", Title: "Look at what runs after a failure",
		Where:    "Settings > Run after of two steps. Answer: after Claim is successful, has failed, has timed out. Did it work: after Work is successful, has failed, has timed out. Every other step: is successful, but End as failed, which comes after every result too.",
		Why:      "Without it nothing runs after a failed Work, and the event keeps its key until the time allowed is over. The paste may drop settings; look at these two.",
		NotFixed: "A run that is cancelled by hand, and a Terminate of your own inside Work, never come to these steps. Such a key is shown under Keys > Needs a decision.",
		Sources:  []exporters.Source{designerPage, actionsPage}, Tried: exporters.NotTried,
	}
	if w.answers {
		step.Where += " What stands behind a step Tell the sender: after all four results, for the sender may have hung up."
		step.NotFixed += " A Response must not stand in a loop or in a side branch."
	}
	return step
}

func workStep(w wish) exporters.Step {
	step := WorkStep("In Finish, set result to the id of the record that was made: Body > result > fx (Expression).")
	if w.list != "" {
		step.Where += " Read fields of the line with items('" + LoopName + "')?['name of the field']. No Terminate and no Response can stand in a loop."
	}
	switch w.trigger {
	case SharePointItem, SharePointFile, DataverseRow:
		step.Details = []string{triggerField().Name}
		step.Checks = []exporters.Check{{Result: exporters.Warn, Text: "If your work changes the item that starts the flow, the flow starts again by its own change, with a new key. Add the trigger condition as well: the way A trigger condition of this page."}}
	}
	return step
}

func resubmitStep() exporters.Step {
	return exporters.Step{
		ID: "resubmit", Title: "How to try a failed run again",
		Where:    "My flows > the flow > 28-day run history > the failed run > Resubmit.",
		Why:      "Resubmit starts the flow from its top with the old event and a new run id. The failed run has given its key back, so the new run gets it. One that was finished is stopped as a copy.",
		NotFixed: "A run that ended without its report still holds its key. Decide it under Keys > Needs a decision first.",
		Sources:  []exporters.Source{troublePage}, Tried: exporters.NotTried,
		Details: []string{retriesQuestion().Name},
	}
}

func claimStuckStep() exporters.Step {
	return exporters.Step{
		ID: "stuck", Title: "Look after keys that got stuck",
		Where:    "In this program: Keys > Needs a decision. In Power Automate: the flow > 28-day run history > filter Failed, and the flow > Edit details > Send me an email notification when my flow fails.",
		Why:      "A run that died between its work and Finish leaves a key that nobody closes. A person has to look whether the work was done. Look first that its run is not Running: one that waits for an approval is not dead.",
		NotFixed: "Nothing can tell by itself whether the work was done. Let it run again starts nothing either: open the run of that event > Resubmit, unless its sender still sends again.",
		Sources:  []exporters.Source{troublePage}, Tried: exporters.NotTried,
	}
}

func claimProveStep(w wish) exporters.Step {
	step := exporters.Step{
		ID: "prove", Title: "Prove it",
		Where:    "Switch the flow on and let one event start it. When that run is over: the flow > 28-day run history > that run > Resubmit. Then look at both runs, and at Keys in this program.",
		Why:      "You should see the first run Succeeded and the second Cancelled at End the copy, and in the second no step of Work was run. Keys shows one key, Finished, with one copy stopped; it is the key that the rule shows for this event. A second run that Succeeded means that it is not asked, or for another key.",
		NotFixed: "It shows a copy that comes later. Two copies at the same moment were tried on this program alone, not through Power Automate.",
		Sources:  []exporters.Source{troublePage, actionsPage}, Tried: exporters.NotTried, Prove: true,
	}
	if w.list != "" {
		step.Why = "You should see both runs Succeeded, and in the second no step of Work for any line: open For each line and step through. Keys shows one key for each line, Finished, with one copy stopped."
	}
	if w.answers && !w.atOnce {
		step.Where = "Switch the flow on and send one event to it, and when its run is over the very same event again. " + "Then look at both runs, and at Keys in this program."
		step.Why += " Then let the work fail once on purpose: the sender must hear an error, and its next try must run."
	}
	return step
}
