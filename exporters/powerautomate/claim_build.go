package powerautomate

import (
	"slices"
	"strings"

	"dedupedesk/exporters"
)

// artifacts are what the ledger's steps hand over.
type artifacts struct {
	flow      *exporters.File
	connector []exporters.File
	blocked   string
	details   []string // what they are made of
}

func (a artifacts) files() []exporters.File {
	files := a.connector
	if a.flow != nil {
		files = append(files, *a.flow)
	}
	return files
}

func (x exporter) buildClaim(s exporters.Setup) (exporters.Checklist, error) {
	w, err := readWish(s)
	if err != nil {
		return exporters.Checklist{}, err
	}
	made, err := w.make(s)
	if err != nil {
		return exporters.Checklist{}, err
	}
	steps, err := claimSteps(s, w, made)
	if err != nil {
		return exporters.Checklist{}, err
	}
	if !w.event {
		steps = append(WhenSteps(s), steps...)
	}
	return exporters.Checklist{
		Platform: x.Name(),
		Title:    "Power Automate: run once per event",
		About:    "The flow asks this program for the event key before it works, and reports the end. A copy is told that the key is taken and stops.",
		Route:    exporters.RouteLedger,
		Steps:    steps,
		Files:    made.files(),
		Covers:   claimCovers(w),
	}, nil
}

// make builds all that is handed over, or tells in words why none of it must be used.
func (w *wish) make(s exporters.Setup) (artifacts, error) {
	a := artifacts{blocked: w.fill(s), details: []string{exporters.AddressDetail, retriesQuestion().Name, replyQuestion().Name, triggerField().Name}}
	if a.blocked == "" && w.address == "" {
		a.blocked = "Type the public address of the endpoint first. " + exporters.NotReachable(flowTitle)
	}
	if a.blocked == "" && strings.Contains(w.address, "@") {
		a.blocked = "The address must not hold an @."
	}
	if a.blocked != "" {
		return a, nil
	}
	var err error
	if w.connector {
		if a.connector, err = connectorFiles(w.address); err != nil {
			return artifacts{}, err
		}
	}
	flow, err := w.definition()
	if err != nil {
		return artifacts{}, err
	}
	if flow != nil {
		a.flow = &exporters.File{Name: exporters.FileName("power-automate-", s.Rule, ".definition.json"), Data: flow, About: "The flow with its trigger, for people who deploy flows as code. Holds no password."}
	}
	return a, nil
}

func claimCovers(w wish) []exporters.Cover {
	sender := "The repeat is told that the key is taken."
	if w.goOn {
		sender += " Not of what ran while this program was out of reach, for the rule says to run anyway then and nothing is written down."
	}
	covers := exporters.Covered(map[string]exporters.Cover{
		exporters.ActionsRepeat: {State: exporters.No, By: "Microsoft says that a step can run more than once inside one run. Only a key at the destination refuses that."},
		exporters.SecondCopy:    {State: exporters.Yes, By: "Both flows ask for the same key of the same rule, if both are built this way."},
		exporters.SenderRetries: {State: exporters.Yes, By: sender},
		exporters.StepRetries:   {State: exporters.Partly, By: "The calls to this program may be repeated safely. Your own steps need a key of their own."},
		exporters.Replay:        {State: exporters.Yes, By: "A run that is started again finds the key Finished."},
		exporters.Overlap:       {State: exporters.Yes, By: "One of the runs gets the key, the others do not."},
	})
	if w.trigger == HTTPRequest || w.trigger == Schedule || w.trigger == FormsResponse {
		return covers // no change that the flow makes starts it
	}
	return append(covers, exporters.OwnEdits("flow", exporters.No, "Each change that the flow makes is a new event, with a key of its own where the key holds a version or a time. The trigger condition of the way A trigger condition closes this: set both."))
}

// swapSteps put the connector's calls in place of the three HTTP steps.
func swapSteps(w wish, made artifacts) []exporters.Step {
	swap := exporters.Step{
		ID: "swap", Title: "Put the connector's steps in place of HTTP: reserve",
		Where:      "Below the step Claim: + > Add an action > Custom > Run once > Reserve the event key. Rule: " + w.rule + ". Parts of the key: switch to the whole list > fx (Expression) > paste. Then delete the step Claim and rename the new one to Claim.",
		ValueLabel: "Expression of the parts", Value: w.partList(),
		Why:      "The other steps read Claim by its name, so it has to have the same one.",
		NotFixed: "Look at Run after of the steps behind: a deleted step takes those settings with it (see Look at what runs after a failure).",
		Sources:  []exporters.Source{connectorPage, designerPage}, Tried: exporters.NotTried,
		Blocked: made.blocked, Details: append(slices.Clone(made.details), callField().Name),
	}
	if w.event {
		swap.Value, swap.ValueLabel = "triggerBody()", "Expression of the event"
		swap.Where = strings.Replace(swap.Where, "Parts of the key: switch to the whole list >", "Event:", 1)
	}
	run, key := swap, swap
	run.ID, run.Title, run.ValueLabel, run.Value = "swap-run", "Put the connector's steps in place of HTTP: run id", "Expression of the run id", RunID[1:]
	run.Where = "In the new step Claim: Run id: fx (Expression) > paste."
	run.Why = "The same run may ask again after a time-out and gets the same answer; another run does not."
	run.NotFixed = "Without it a call that is repeated is told that its own key is taken, and the event is lost."
	key.ID, key.Title, key.ValueLabel, key.Value = "swap-key", "Put the connector's steps in place of HTTP: report", "Expression of the event key", "outputs('"+answerName+"')?['key']"
	key.Where = "The same with Finish (the connector's step Finish) and Let it run again (the connector's step of that name). In both: Rule: " + w.rule + "; Run id as in Claim; Event key: fx (Expression) > paste."
	key.Why = "The key is read from the answer, so that it is reported as it was reserved."
	key.NotFixed = "Take the names over letter by letter: End as failed comes after Let it run again."
	return []exporters.Step{swap, run, key}
}

// StartsItself says of steps whose trigger is not known that the flow may start itself.
func StartsItself() exporters.Cover {
	return exporters.OwnEdits("flow", exporters.No, "Where a change starts the flow, its own change starts it again, and a key that holds a version or a time is a new one then. A trigger condition closes this: see Power Automate.")
}
