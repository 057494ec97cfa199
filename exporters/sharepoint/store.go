package sharepoint

import (
	"dedupedesk/exporters"
	"dedupedesk/exporters/flowdef"
	"dedupedesk/exporters/powerautomate"
)

// Columns of the list of keys, by their internal names. Title holds the key.
const (
	statusColumn = "Status"
	runColumn    = "RunId"
	sinceColumn  = "ClaimedAt"
	resultColumn = "Result"

	inProgress = "In progress"
	done       = "Done"
)

// calls are the three steps that write into the list.
func (l store) calls() powerautomate.Store {
	call := func(operation string, more map[string]any) flowdef.Connection {
		more["dataset"], more["table"] = l.site, l.list
		return flowdef.Connected(flowdef.SharePoint, operation, more)
	}
	title, id := "@outputs('"+powerautomate.KeyName+"')", "@"+rowID()
	return powerautomate.Store{
		About: "Writes the event key into the list before the work, and reports the work afterwards.",
		Reserve: call("PostItem", map[string]any{
			"item/Title": title, "item/" + statusColumn: inProgress, "item/" + runColumn: powerautomate.RunID, "item/" + sinceColumn: "@utcNow()",
		}),
		Finish: call("PatchItem", map[string]any{
			"id": id, "item/Title": title, "item/" + statusColumn: done, "item/" + resultColumn: flowdef.WorkResult,
		}),
		Release: call("DeleteItem", map[string]any{"id": id}),
		Copy:    flowdef.SharePointCopy(),
	}
}

// rowID is the expression of the id of the reserved row.
func rowID() string { return powerautomate.ReservedBody("ID") }

func (x exporter) buildStore(s exporters.Setup) (exporters.Checklist, error) {
	l, err := readStore(s)
	if err != nil {
		return exporters.Checklist{}, err
	}
	steps, err := l.steps(s)
	if err != nil {
		return exporters.Checklist{}, err
	}
	return exporters.Checklist{
		Platform: x.Name(),
		Title:    "SharePoint list: run once per event",
		About:    "The flow writes the event key into the list " + l.list + " before its work. The list refuses the same key a second time, and that run stops.",
		Route:    exporters.RouteStore,
		Steps:    steps,
		Covers: append(exporters.Covered(map[string]exporters.Cover{
			exporters.ActionsRepeat: {State: exporters.No, By: "Happens inside a run. Only a key at the destination refuses it."},
			exporters.SecondCopy:    {State: exporters.Yes, By: "Both flows write the same key into the same list, if both are built this way."},
			exporters.SenderRetries: {State: exporters.Yes, By: "The list refuses the key of the repeat."},
			exporters.StepRetries:   {State: exporters.Partly, By: "Reserve is sent once. If its answer is lost, the run stops, and its row stays In progress until a person looks at the view Stuck. Your own steps need a key of their own."},
			exporters.Replay:        {State: exporters.Yes, By: "A run that is started again finds its key, unless it failed and gave it back."},
			exporters.Overlap:       {State: exporters.Yes, By: "Check and write are one act of the list."},
		}), powerautomate.StartsItself()),
	}, nil
}

// steps walk from the list to the proof.
func (l store) steps(s exporters.Setup) ([]exporters.Step, error) {
	fits := fitStep(s)
	steps := append(powerautomate.WhenSteps(s), fits, l.listStep())
	rest, err := l.restSteps()
	if err != nil {
		return nil, err
	}
	steps = append(steps, rest...)
	keys := powerautomate.KeysByHand(powerautomate.KeySteps(s))
	key := keys[len(keys)-1]
	blocked := firstOf(fits.Blocked, key.Blocked)
	paste, err := l.pasteSteps(s, key.Value, listOf(keys), blocked)
	if err != nil {
		return nil, err
	}
	steps = append(append(append(steps, paste...), keys...), l.handSteps(blocked)...)
	return append(steps, powerautomate.WorkStep("In Finish set "+resultColumn+" to the id of the record that was made."), l.stuckStep(), l.alertStep(s.Lease), l.cleanStep(s.KeepDays(90)), l.proveStep(len(s.Each) > 0)), nil
}

// listOf is the expression of the loop's list among steps.
func listOf(keys []exporters.Step) string {
	for _, step := range keys {
		if step.ID == powerautomate.LoopStepID {
			return step.Value
		}
	}
	return ""
}
