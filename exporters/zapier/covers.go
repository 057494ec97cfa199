package zapier

import "dedupedesk/exporters"

// withOwnEdits tells of the look-alike where the trigger may watch changes.
func withOwnEdits(covers []exporters.Cover, trigger string) []exporters.Cover {
	if trigger == triggerWebhook {
		return covers
	}
	return append(covers, exporters.OwnEdits("Zap", exporters.No, "Where the trigger watches changes, the Zap's own change comes back as a new event, and a key that holds a version or a time is a new one then. A Filter that lets no own change through closes this."))
}

func actions(s exporters.Setup) exporters.Cover {
	if len(s.Each) > 0 {
		return exporters.Cover{State: exporters.Partly, By: "Each item of the list has a key of its own. What repeats inside the work on one item is not stopped."}
	}
	return exporters.Cover{State: exporters.No, By: "Happens inside a run. Only a key at the destination refuses it."}
}

// failedAgain says what becomes of a failed run that is replayed as a whole.
func failedAgain(keeps bool) string {
	if keeps {
		return "One that failed is taken for a copy of itself, and its work stays undone: replay the step that failed instead."
	}
	return "One that failed and gave its key back runs again."
}

func ledgerCovers(s exporters.Setup, keeps bool) []exporters.Cover {
	answers := map[string]exporters.Cover{
		exporters.ActionsRepeat: actions(s),
		exporters.SecondCopy:    {State: exporters.Yes, By: "Both Zaps ask for the same key of the same rule, if both are built this way."},
		exporters.SenderRetries: {State: exporters.Yes, By: "The repeat is told that the key is taken, and the Filter ends it."},
		exporters.StepRetries:   {State: exporters.Partly, By: "The calls to this program may be repeated safely. Your own steps need a key of their own: one reservation stands before all of them."},
		exporters.Replay:        {State: exporters.Partly, By: "An entire run that is replayed after its end finds the key Finished. " + failedAgain(keeps) + " A replay of one step does not ask again; that step alone can write twice."},
		exporters.Overlap:       {State: exporters.Yes, By: "One of the runs gets the key, the others do not."},
	}
	if s.IfUnreachable == "go_on" {
		for cause, c := range answers {
			if c.State == exporters.Yes {
				answers[cause] = exporters.Cover{State: exporters.Partly, By: c.By + " While this program is out of reach nothing is stopped where the Zap asks with code, as the rule wants it."}
			}
		}
	}
	return exporters.Covered(answers)
}

func counterCovers(s exporters.Setup) []exporters.Cover {
	return exporters.Covered(map[string]exporters.Cover{
		exporters.ActionsRepeat: actions(s),
		exporters.SecondCopy:    {State: exporters.Yes, By: "Both Zaps count in one store, if both carry the same code and the same secret."},
		exporters.SenderRetries: {State: exporters.Yes, By: "The Filter ends the repeat. One that comes before the first run is finished fails, and a replay of it ends at the Filter later."},
		exporters.StepRetries:   {State: exporters.Partly, By: "A counting step whose answer was lost and that is repeated fails: nothing happens twice, and a person has to do the event. Your own steps need a key of their own."},
		exporters.Replay:        {State: exporters.Partly, By: "An entire run that is replayed ends at the Filter when its event is finished, and fails when it is not. A replay of one step does not count again; that step alone can write twice."},
		exporters.Overlap:       {State: exporters.Yes, By: "By the vendor's page the count is safe when several runs use one key at the same time."},
	})
}

func tableCovers() []exporters.Cover {
	return exporters.Covered(map[string]exporters.Cover{
		exporters.ActionsRepeat: {State: exporters.No, By: "Happens inside a run. Only a key at the destination refuses it."},
		exporters.SecondCopy:    {State: exporters.Partly, By: "If both Zaps use one table and one queue. Two look-ups at one moment both find nothing."},
		exporters.SenderRetries: {State: exporters.Partly, By: "A repeat that comes later finds the record. One that comes at the same moment is kept apart by the queue's minute alone."},
		exporters.StepRetries:   {State: exporters.Partly, By: "An adding step that is repeated can leave two records of one event. Your own steps need a key of their own."},
		exporters.Replay:        {State: exporters.Partly, By: "An entire run that is replayed finds the record. A replay of one step does not look again."},
		exporters.Overlap:       {State: exporters.Partly, By: "The table cannot refuse a second record. The queue lets one run a minute through."},
	})
}
