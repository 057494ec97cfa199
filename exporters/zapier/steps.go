package zapier

import (
	"fmt"
	"strings"
	"time"

	"dedupedesk/exporters"
)

// replayLease is longer than all tries of autoreplay: five, the last 10 hours and 35
// minutes after the failure by the older page of the vendor. A person who replays by
// hand gets the rest of a day.
const replayLease = 24 * time.Hour

// shortRun is what a run may well take: Zapier holds runs back beyond its limits.
const shortRun = time.Hour

func copiesStep() exporters.Step {
	return exporters.Step{
		ID: "copies", Title: "Look for a second Zap",
		Where:    "Zaps > search for the app of the trigger, in all folders. Two Zaps with the same trigger both run. Ask colleagues for theirs.",
		Why:      "A second Zap for the same events must ask for the same key of the same rule, or be switched off.",
		NotFixed: "Zaps in accounts that you cannot open stay unseen.",
		Sources:  []exporters.Source{duplicatePage}, Tried: exporters.NotTried,
	}
}

func leaseStep(s exporters.Setup, w wish) exporters.Step {
	return exporters.Step{
		ID: "lease", Title: "Check the time allowed for one run",
		Where:    "In this program: Design a key > the rule > Time allowed for one run.",
		Why:      "When the time is over, the next copy may take the key. A replay goes on behind the reservation and does not ask again, so the run must still hold its key then.",
		NotFixed: "A replay that a person starts after that time works without a key.",
		Sources:  []exporters.Source{autoreplay, replayPage}, Tried: "Worked out here from the vendor's pages.",
		Details: []string{retriesQuestion().Name},
		Checks:  leaseChecks(s, w),
	}
}

// shortLease says why the calls must not be pasted yet, "" where the time is enough.
func shortLease(s exporters.Setup, w wish) string {
	if c := leaseChecks(s, w)[0]; c.Result == exporters.Fail {
		return c.Text
	}
	return ""
}

func leaseChecks(s exporters.Setup, w wish) []exporters.Check {
	allowed := exporters.Spell(s.Lease)
	switch {
	case w.keeps && s.Lease < replayLease:
		return []exporters.Check{{Result: exporters.Fail, Text: fmt.Sprintf("The rule allows %s for one run. Zapier replays a failed step up to 5 times in some hours, so allow at least 24 hours, else a copy takes the key over while Zapier still works on it.", allowed)}}
	case s.Lease < shortRun:
		return []exporters.Check{{Result: exporters.Warn, Text: fmt.Sprintf("The rule allows %s for one run. Zapier may hold a run back for a while; if yours has a Delay or many steps, allow more.", allowed)}}
	}
	checks := []exporters.Check{{Result: exporters.OK, Text: fmt.Sprintf("The rule allows %s for one run.", allowed)}}
	if w.keeps && s.OnExpiry != "ask" {
		checks = append(checks, exporters.Check{Result: exporters.Warn, Text: "A person may replay a run days later, when a copy has long taken the key over. Set the rule to ask a person instead, if a second run is worse than a missing one."})
	}
	return checks
}

func triggerStep(w wish) exporters.Step {
	step := exporters.Step{
		ID: "trigger", Title: "Choose the trigger",
		Sources: []exporters.Source{hookPage, duplicatePage}, Tried: exporters.NotTried, Details: []string{triggerField().Name},
	}
	switch {
	case w.trigger == triggerPolling:
		step.Where = "The trigger of your app. Test trigger, and look that each record has a field id of its own."
		step.Why = "Zapier remembers the ids that a polling trigger has handed on, for this Zap alone, and hands each on once."
		step.NotFixed = "The memory is filled when the Zap is switched on and cleared when it is switched off. A record that changed is not handed on again under the same id, and a second Zap has a memory of its own."
		step.Sources = []exporters.Source{duplicatePage, seenPage}
	case w.trigger == triggerInstant:
		step.Where = "The trigger of your app, marked Instant. Test trigger, so that its fields can be chosen later."
		step.Why = "It hands each event on at once. Zapier does not look for copies there."
		step.NotFixed = "A field that the tested record lacks cannot be chosen until you test with one that has it."
	case w.raw:
		step.Where = "Webhooks by Zapier > Event. Copy the webhook's address to the sender, send one real event, Test trigger."
		step.Value, step.ValueLabel = "Catch Raw Hook", "Event"
		step.Why = "It hands on the headers and the event as it was written. Catch Hook keeps headers back."
		step.NotFixed = "Raw Body is one text of at most 2 MB. Your own steps need its fields: see the step for your work. A change of the trigger's event changes the address."
	default:
		step.Where = "Webhooks by Zapier > Event. Copy the webhook's address to the sender, send one real event, Test trigger."
		step.Value, step.ValueLabel = "Catch Hook", "Event"
		step.Why = "It hands on the fields of the event, nested ones side by side. Zapier does not look for copies there."
		step.NotFixed = "Zapier answers the sender at once, so the sender never hears of a failure. A completely empty event is ignored."
	}
	return step
}

// whenSteps are a filter for the condition of the rule, where this program is not shown
// the event.
func whenSteps(s exporters.Setup) []exporters.Step {
	return s.WhenSteps("Behind the trigger, in a loop as its first step: + > Filter by Zapier > Only continue if….", filterPage)
}

// loopSteps put the list's items into a loop.
func loopSteps(s exporters.Setup, list []pick) []exporters.Step {
	if len(s.Each) == 0 {
		return nil
	}
	var rows []string
	for _, k := range list {
		if of(k.part, "item") {
			names := append(append([]string{}, s.Each[min(1, len(s.Each)-1):]...), k.part.Path[1:]...)
			rows = append(rows, fmt.Sprintf("%s: choose %s of the trigger", k.input, fieldName(names)))
		}
	}
	if len(rows) == 0 {
		rows = []string{"the fields of an item that the key is made of"}
	}
	return []exporters.Step{{
		ID: "loop", Title: "Go through the items",
		Where:    "+ > Looping by Zapier > Event: Create Loop From Line Items. Rename the step to " + loopStepName + ". Values to Loop, left and right boxes: " + strings.Join(rows, "; ") + "; and what your work needs of each item. All steps from here on stand inside the loop.",
		Why:      "Each item gets a key of its own, so that a repeat finishes the items that are missing and leaves the others alone.",
		NotFixed: "Not confirmed: how many rounds a loop may have, and that a Filter inside the loop ends that round alone. Prove both with a real event below; if the Filter ends the whole run, use Paths by Zapier in its place. Nor is confirmed what becomes of an item that lacks a field: the values of the others may move up. Use a field that each item has.",
		Sources:  []exporters.Source{loopPage}, Tried: exporters.NotTried,
	}}
}

func ownerStep(s exporters.Setup) exporters.Step {
	step := exporters.Step{
		ID: "owner", Title: "Make an id for the run",
		Where: "+ > Code by Zapier > Event: Run Python. Rename the step to " + ownerStepName + ". Code: paste.",
		Value: "import uuid\n\nreturn {\"id\": str(uuid.uuid4())}", ValueLabel: "Python",
		Why:      "A replay does not repeat this step, so the reservation is asked for again with the same id and is not taken for a copy. Whether a Zap can read its own run id is not confirmed.",
		NotFixed: "It is no part of the event key and must not become one.",
		Sources:  []exporters.Source{codePage, replayPage}, Tried: "The code was run here with Python. Not tried in Zapier.",
	}
	if len(s.Each) > 0 {
		step.Where += " It stands inside the loop, so that two equal items of one event are told apart."
	}
	return step
}

// claimChecks say what could go otherwise than thought.
func claimChecks(s exporters.Setup, w wish) []exporters.Check {
	checks := valueChecks(s, w)
	if w.raw {
		checks = append(checks, s.WhenChecks()...)
	}
	if s.IfUnreachable == "go_on" && !w.code {
		checks = append(checks, exporters.Check{Result: exporters.Warn, Text: "The rule says to run anyway when this program is out of reach. A form cannot tell that from a refusal, so the Zap stops then. Choose the piece of Python above to run anyway."})
	}
	return checks
}

// valueChecks warn of values whose text in Zapier is not known.
func valueChecks(s exporters.Setup, w wish) []exporters.Check {
	if w.raw {
		return nil
	}
	var checks []exporters.Check
	if label, digits, lost := s.LostDigits(); lost {
		checks = append(checks, exporters.Check{Result: exporters.Warn, Text: fmt.Sprintf("%s has the number %s in the key, longer than many programs can hold. Whether Zapier keeps all digits is not confirmed; if it rounds, two events get one key. Look at the field in the tested trigger.", label, digits)})
	}
	for i, sample := range s.Samples {
		for _, p := range s.Parts {
			if odd := oddValue(sample.Value(p)); odd != "" {
				return append(checks, exporters.Check{Result: exporters.Warn, Text: fmt.Sprintf("%s has %s in the key. How Zapier writes that as text is not confirmed, so the key may differ from the one that other automations of this rule make.", sample.Label(i), odd)})
			}
		}
	}
	return checks
}

func oddValue(v any) string {
	switch v := v.(type) {
	case bool:
		return fmt.Sprintf("the value %t", v)
	case fmt.Stringer: // a number
		if strings.ContainsAny(v.String(), ".eE") {
			return "the number " + v.String()
		}
	}
	return ""
}

func passwordStep() exporters.Step {
	return exporters.Step{
		ID: "claim-password", Title: "Reserve the key: the password",
		Where: "Step " + claimStepName + " > Headers > left box: type Authorization; right box: paste, then put the password of this program in place of the words " + exporters.Placeholder + ". Leave the word Bearer and the space.",
		Value: "Bearer " + exporters.Placeholder, ValueLabel: "Right box of Authorization",
		Why:      "Without it the call is refused. Make a password for Zapier alone, under Connect, that may only reserve and report keys.",
		NotFixed: "Whoever may open the Zap can read the password. Revoke it under Connect when somebody leaves.",
		Sources:  []exporters.Source{sendPage}, Tried: exporters.NotTried,
	}
}

// gateStep lets nothing but claimed on to the work.
func gateStep(s exporters.Setup, w wish) exporters.Step {
	whose := "this program"
	if w.counts {
		whose = "the counting step"
	}
	step := exporters.Step{
		ID: "filter", Title: "Go on only when the key is yours",
		Where: "+ > Filter by Zapier > Only continue if… > Status of the step " + claimStepName + " > (Text) Exactly matches > paste.",
		Value: "claimed", ValueLabel: "Text to compare with",
		Why:      "claimed means: you got it, do the work. Every other answer of " + whose + " ends the run here, quietly: it counts as Filtered, not as an error, and the steps behind it use no tasks.",
		NotFixed: "The Filter must stand before the first step that must not happen twice.",
		Sources:  []exporters.Source{filterPage, conceptsPage}, Tried: exporters.NotTried,
	}
	if s.IfUnreachable == "go_on" && w.code && w.address != "" {
		step.Where += " Then Or > the same field > (Text) Exactly matches > unreachable."
		step.Why += " unreachable comes where this program cannot be reached: the rule says to work anyway then."
	}
	return step
}

func workStep(raw bool) exporters.Step {
	step := exporters.Step{
		ID: "work", Title: "Put your work in",
		Where:    "Behind the Filter: your own steps, the one that must not happen twice first.",
		Why:      "The reservation stands before all of them.",
		NotFixed: "One reservation covers all steps of the run, so a step that is replayed alone can happen twice. Give a step that costs money a key of its destination's own.",
		Sources:  []exporters.Source{replayPage}, Tried: exporters.NotTried,
	}
	if raw {
		step.Where += " They need the fields of the event: put a Code step (Run Python, Input Data: body, choose Raw Body of the trigger) with the text below before them."
		step.Value, step.ValueLabel = "import json\n\nreturn json.loads(input_data[\"body\"])", "Python that reads the fields"
		step.Details = []string{triggerField().Name}
		step.Tried = "The code was run here with Python. Not tried in Zapier."
	}
	return step
}

const replayWarning = "Autoreplay repeats a step whose answer was lost, though it may have worked. Switch it on only where each step of your work has a key of its own or may happen twice."

func replayStep(w wish) exporters.Step {
	step := exporters.Step{
		ID: "replay", Title: "Autoreplay: on",
		Where: "Zap history > Autoreplay.",
		Value: "On", ValueLabel: "Autoreplay", Details: []string{retriesQuestion().Name},
		Warning:  replayWarning,
		Why:      "Zapier answers the sender at once, so the sender does not try again. A replay goes on from the step that failed and does not repeat the trigger or what is finished. That is why the time allowed has to be a day: the run still holds its key then. Do not use Replay entire Zap run for a run that failed: it makes a new run id, is taken for a copy of the run that failed, and ends as Filtered with its work undone. Details of that button are not confirmed.",
		NotFixed: "After 5 tries Zapier gives up. Its mail comes only then.",
		Sources:  []exporters.Source{replayPage, autoreplay}, Tried: exporters.NotTried,
	}
	if !w.keeps {
		step.Title, step.Value = "Autoreplay: off", "Off"
		step.Warning = ""
		step.Why = "A run that failed gives its key back here. A replay of one step would then work without a key, beside a copy that took it. Replay entire Zap run asks again and is safe; details of that button are not confirmed."
		step.NotFixed = "A failure is repaired by a person who reads the mail."
	}
	return step
}

// storeReplay is the step for a store of Zapier's own, where nothing is given back.
func storeReplay() exporters.Step {
	step := replayStep(wish{keeps: true})
	step.Title, step.Value, step.ValueLabel, step.Details = "Autoreplay: where a step may happen twice", "", "", nil
	step.Why = "Zapier answers the sender at once, so the sender does not try again. A replay goes on from the step that failed and does not repeat the trigger or what is finished. Replay entire Zap run takes the run for a copy of itself and stops it, with its work undone; details of that button are not confirmed."
	return step
}

func errorsStep() exporters.Step {
	return exporters.Step{
		ID: "errors", Title: "Be told before Zapier switches the Zap off",
		Where:    "Your account's settings > Email notifications > Error notifications > Default Notification Rule: Immediately. Look at Zap history > status Errored once a week.",
		Why:      "A Zap whose runs are errors in 95 of 100 cases within 7 days is switched off. That is why a copy must end at the Filter and never be an error.",
		NotFixed: "While a Zap is off, a webhook's events are lost to it.",
		Sources:  []exporters.Source{switchOffPage, notifyPage}, Tried: exporters.NotTried,
	}
}

func stuckStep() exporters.Step {
	return exporters.Step{
		ID: "stuck", Title: "Look after keys that got stuck",
		Where:    "In this program: Keys > Needs a decision. In Zapier: Zap history > status Errored and Safely halted.",
		Why:      "A run that died between its work and Finished leaves a key that nobody closes. A person has to look whether the work was done.",
		NotFixed: "Nothing can tell by itself whether the work was done.",
		Sources:  []exporters.Source{statusPage}, Tried: exporters.NotTried,
	}
}

func ledgerProve(s exporters.Setup) exporters.Step {
	step := exporters.Step{
		ID: "prove", Title: "Prove it",
		Where:    "Switch the Zap on. Send one event, and when its run is over the very same event again. Then look at Zap history, and at Keys in this program.",
		Why:      "You should see two runs: the first Successful, the second Filtered. Keys shows one key, Finished, with one copy stopped, and the key is the one that the rule shows for this event.",
		NotFixed: "It shows a copy that comes later. Two copies at the same moment were tried on this program alone, not through Zapier. A polling trigger does not hand the same record on twice: use a second Zap for the test.",
		Sources:  []exporters.Source{statusPage, filterPage}, Tried: exporters.NotTried, Prove: true,
	}
	if len(s.Each) > 0 {
		step.Why += " Then send an event with one item that was there before and one that is new: the new one alone must be worked on."
	}
	return step
}
