package zapier

import (
	"fmt"
	"strings"

	"dedupedesk/exporters"
)

// Names of the steps in a Zap, as the checklist calls them.
const (
	ownerStepName = "Run id"
	claimStepName = "Reserve the key"
	checkStepName = "Check the answer"
	doneStepName  = "Finished"
	loopStepName  = "Each item"
)

// ledgerSteps walk from the trigger to the proof.
func ledgerSteps(s exporters.Setup, w wish) []exporters.Step {
	list, err := claimPicks(s, w)
	blocked := reason(err)
	steps := []exporters.Step{copiesStep(), leaseStep(s, w), exporters.NameStep(w.address, hookPage), triggerStep(w)}
	steps = append(steps, loopSteps(s, list)...)
	if !w.raw {
		steps = append(steps, whenSteps(s)...)
	}
	steps = append(steps, ownerStep(s))
	if w.code {
		steps = append(steps, askCodeStep(s, w, list))
	} else {
		steps = append(steps, askFormSteps(s, w, list, blocked)...)
		steps = append(steps, checkStep())
	}
	steps = append(steps, gateStep(s, w), workStep(w.raw))
	if w.code {
		steps = append(steps, doneCodeStep(s, w))
	} else {
		steps = append(steps, doneFormStep(w))
	}
	if !w.keeps {
		steps = append(steps, releaseStep(s, w))
	}
	return append(steps, replayStep(w), errorsStep(), stuckStep(), ledgerProve(s))
}

// reason returns what an [exporters.Inexpressible] says. Nothing else comes out of the
// functions here.
func reason(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

const noAddress = "Type the public address of the endpoint first. "

// claimDetails are what the call is made of. How the Zap starts matters to a key that
// needs the whole event.
func claimDetails(s exporters.Setup) []string {
	names := []string{exporters.AddressDetail, askField().Name, retriesQuestion().Name}
	if needsWhole(s, true) {
		names = append(names, triggerField().Name)
	}
	return names
}

// askFormSteps are the rows of Webhooks by Zapier, one step for each text to paste.
func askFormSteps(s exporters.Setup, w wish, list []pick, blocked string) []exporters.Step {
	claim := exporters.Step{
		ID: "claim", Title: "Reserve the key: the call",
		Where: "+ > Webhooks by Zapier > Event: POST. Rename the step to " + claimStepName + ". URL: paste. Payload Type: Form. Unflatten: no. Wrap Request in Array: no.",
		Value: w.address + "/v1/claim?answer=branch", ValueLabel: "URL",
		Why:      "It asks for the event key before the work. A form is encoded by Zapier, so quotes in a value cannot break the call. Both a new event and a copy are answered with 200, so a copy is no error.",
		NotFixed: "If nobody answers, the step fails and the Zap stops before your work. A page that a tunnel or a host answers in the place of this program may be no failure to Zapier: that is why the step " + checkStepName + " follows.",
		Checks:   claimChecks(s, w),
		Sources:  []exporters.Source{sendPage}, Tried: exporters.NotTried,
		Details: claimDetails(s),
		Blocked: first(blocked, shortLease(s, w)),
	}
	if w.address == "" && blocked == "" {
		claim.Blocked = noAddress + exporters.NotReachable(title)
	}
	steps := append(formatSteps(list), claim)
	steps = append(steps, row("rule", s.Rule, plainName(s.Rule), "The rule keeps the event keys of this work apart from all others."))
	if w.raw {
		steps = append(steps, eventRows(s)...)
	} else {
		for _, k := range list {
			steps = append(steps, partRow(k))
		}
	}
	return append(steps, ownerRow(), passwordStep())
}

func rowID(left string) string { return "claim-" + strings.ReplaceAll(left, ".", "-") }

// row is a row of Data whose right side is pasted.
func row(left, right, blocked, why string) exporters.Step {
	return exporters.Step{
		ID: rowID(left), Title: "Reserve the key: the row " + left,
		Where: "Step " + claimStepName + " > Data > left box: type " + left + "; right box: paste.",
		Value: right, ValueLabel: "Right box of " + left, Blocked: blocked,
		Why: why, NotFixed: "A name that is typed wrong is refused by this program, and the run stops.",
		Sources: []exporters.Source{sendPage}, Tried: exporters.NotTried,
	}
}

// pillRow is a row of Data whose right side is chosen from a list.
func pillRow(left, pill, why string) exporters.Step {
	return exporters.Step{
		ID: rowID(left), Title: "Reserve the key: the row " + left,
		Where: "Step " + claimStepName + " > Data > Add row > left box: paste; right box: + > choose " + pill + ".",
		Value: left, ValueLabel: "Left box",
		Why: why, NotFixed: "Zapier leaves a row with an empty value out. This program refuses the call then, and the run stops.",
		Sources: []exporters.Source{sendPage, mappingPage}, Tried: exporters.NotTried,
	}
}

// ownerRow names the run. This program answers a call without it too, so no refusal shows
// that it is missing.
func ownerRow() exporters.Step {
	step := pillRow("owner", "Id of the step "+ownerStepName, "The same run may ask twice when an answer was lost, and gets the same answer.")
	step.NotFixed = "A call without this row is answered too. A run that asks again after a lost answer is then taken for a copy and its event is lost, and Finished is refused. The step " + checkStepName + " stops a run whose id is missing; whether the row is there, only you can see."
	return step
}

func partRow(k pick) exporters.Step {
	left := fmt.Sprintf("part.%d", k.number)
	if len(k.part.Path) == 0 {
		return row(left, k.literal, "", "A fixed piece of the key. This program trims the pieces and joins them.")
	}
	pill := k.pill
	if n := len(formats(k)); n > 0 {
		pill = fmt.Sprintf("Output of the step Part %d, change %d", k.number, n)
	}
	return pillRow(left, pill, "A piece of the key, "+k.part.Dotted()+" of the rule. This program trims the pieces and joins them.")
}

// eventRows send the event as it was written, for the server's own formula.
func eventRows(s exporters.Setup) []exporters.Step {
	event := pillRow("event", "Raw Body of the trigger", "This program makes the key of the event as it was written, with its own formula and every digit.")
	event.NotFixed = "It must be JSON. A form that a sender posts is refused, and the run stops."
	event.Details = append(event.Details, triggerField().Name)
	names := headerNames(s)
	if len(names) == 0 {
		return []exporters.Step{event}
	}
	var pairs []string
	for _, name := range names {
		pairs = append(pairs, py(name)+`: "HERE"`)
	}
	headers := exporters.Step{
		ID: "claim-headers", Title: "Reserve the key: the row headers",
		Where: "Step " + claimStepName + " > Data > Add row > left box: type headers; right box: paste, then put the header of the trigger in the place of each HERE. Leave the quotes. It is a row of Data; the part called Headers is for the password.",
		Value: "{" + strings.Join(pairs, ", ") + "}", ValueLabel: "Right box of headers",
		Why:      "The rule reads a header, which only Catch Raw Hook hands on.",
		NotFixed: "A header that holds a quote breaks the text. This program refuses the call then, and the run stops.",
		Sources:  []exporters.Source{hookPage}, Tried: exporters.NotTried,
		Details: []string{triggerField().Name},
	}
	return []exporters.Step{event, headers}
}

// askCodeStep is the Code step that asks.
func askCodeStep(s exporters.Setup, w wish, list []pick) exporters.Step {
	code, err := claimCode(s, w)
	step := codeStep("claim", "Reserve the key", claimStepName, ownPassword, append([]string{"owner: choose Id of the step " + ownerStepName}, inputRows(list, w)...), code, reason(err))
	step.Why = "It asks for the event key before the work and hands the answer on as status. It stops the run where this program refuses the call or, unless the rule says otherwise, where nobody or somebody else answers."
	step.NotFixed = "The password stands in the code. Whoever may open the Zap can read it."
	step.Checks = claimChecks(s, w)
	step.Details = claimDetails(s)
	step.Blocked = first(step.Blocked, plainName(s.Rule), shortLease(s, w))
	if w.address == "" {
		step.Blocked = first(step.Blocked, noAddress+exporters.NotReachable(title))
	}
	if step.Blocked != "" {
		step.Value = ""
	}
	return step
}

func doneCodeStep(s exporters.Setup, w wish) exporters.Step {
	step := codeStep("done", "Report the end", doneStepName, ownPassword, []string{"status: choose Status of the step " + claimStepName, "key: choose Key of the step " + claimStepName, "owner: choose Id of the step " + ownerStepName, "result: choose the id of the record that your work made"}, doneCode(s, w), plainName(s.Rule))
	step.Why = "Only a key that is Finished stops every later copy. The result lets a person find what was made."
	step.NotFixed = "A run that dies before this step leaves its key In progress, for a person to look at."
	step.Details = []string{exporters.AddressDetail, askField().Name}
	if w.address == "" {
		step.Blocked = first(step.Blocked, noAddress+exporters.NotReachable(title))
	}
	return step
}

// ownPassword is what a person puts into code that calls this program.
const ownPassword = "the password of this program"

// codeStep is a piece of Python to paste, with own in place of the placeholder; "" where
// it has none.
func codeStep(id, what, name, own string, rows []string, code, blocked string) exporters.Step {
	if own != "" {
		own = ", then put " + own + " in place of " + exporters.Placeholder
	}
	return exporters.Step{
		ID: id, Title: what + ": the Code step",
		Where: "+ > Code by Zapier > Event: Run Python. Rename the step to " + name + ". Input Data, left and right boxes: " + strings.Join(rows, "; ") + ". Code: paste" + own + ".",
		Value: code, ValueLabel: "Python", Blocked: blocked,
		Sources: []exporters.Source{codePage, codeLimits},
		Tried:   "The code was run here with Python and a stand-in for Zapier. Not tried in Zapier.",
	}
}

func first(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}

// doneFormStep is the call behind the work.
func doneFormStep(w wish) exporters.Step {
	done := exporters.Step{
		ID: "done", Title: "Report the end",
		Where: "Behind your last step: + > Webhooks by Zapier > Event: POST. URL: paste. Payload Type: Form. Data rows: rule, with the same text as in " + claimStepName + "; key, choose Key of " + claimStepName + "; owner, choose Id of " + ownerStepName + "; result, choose the id of the record that your work made. Headers: as in " + claimStepName + ".",
		Value: w.address + "/v1/done", ValueLabel: "URL",
		Why:      "Only a key that is Finished stops every later copy. The result lets a person find what was made.",
		NotFixed: "A run that dies before this step leaves its key In progress, for a person to look at.",
		Sources:  []exporters.Source{sendPage}, Tried: exporters.NotTried,
		Details: []string{exporters.AddressDetail, askField().Name},
	}
	if w.address == "" {
		done.Blocked = noAddress + exporters.NotReachable(title)
	}
	return done
}

// releaseStep gives the key back where nobody replays.
func releaseStep(s exporters.Setup, w wish) exporters.Step {
	handler := "Each step of your work: three dots > Add error handler. In the path Error: "
	step := exporters.Step{
		Where: handler + "+ > Webhooks by Zapier > POST, URL: paste, Payload Type: Form, Data rows rule, key and owner as in " + doneStepName + ", and error with a few words of yours; Headers as in " + claimStepName + ". Behind it a step that sends you a mail.",
		Value: w.address + "/v1/release", ValueLabel: "URL", Tried: exporters.NotTried,
	}
	if w.code {
		step = codeStep("", "", "Give it back", ownPassword, []string{"status: choose Status of the step " + claimStepName, "key: choose Key of the step " + claimStepName, "owner: choose Id of the step " + ownerStepName}, releaseCode(s, w), plainName(s.Rule))
		step.Where = handler + step.Where + " Behind it a step that sends you a mail."
	}
	step.ID, step.Title = "release", "Give the key back when the work fails"
	step.Why = "The event may then be let in again. Nobody sends it again by itself, so the mail is for a person who replays the entire run."
	step.NotFixed = "A step that had half worked is done again then. Whether Zapier replays a run whose error is handled is not confirmed; do not replay one of its steps by hand, for it holds no key any more."
	step.Sources = append([]exporters.Source{handlerPage}, step.Sources...)
	step.Details = []string{exporters.AddressDetail, askField().Name, retriesQuestion().Name}
	if w.address == "" {
		step.Blocked = first(step.Blocked, noAddress+exporters.NotReachable(title))
	}
	return step
}

// checkStep stops a run that nobody of ours has answered: a Filter alone would end it
// quietly, and the event would be lost.
func checkStep() exporters.Step {
	step := codeStep("answered", "Stop where somebody else answered", checkStepName, "", []string{"status: choose Status of the step " + claimStepName, "owner: choose Id of the step " + ownerStepName}, checkCode(), "")
	step.Why = "A tunnel or a host may answer with a page of its own, and Zapier may take that for a success. The Filter behind would end the event then as if it were a copy. This step fails instead, so the run is Errored and you hear of it."
	step.NotFixed = "The key was not reserved then: replay the entire run when this program can be reached again. If the run then ends as Filtered, the key was given to the first try: look for it in Keys."
	step.Sources = []exporters.Source{codePage, statusPage}
	return step
}
