package makecom

import "dedupedesk/exporters"

func replayCover(w wish) exporters.Cover {
	if w.resumes {
		return exporters.Cover{State: exporters.Partly, By: "Make goes on from the failed step without asking again: that step can write twice, and if a copy took the key over meanwhile, so can all behind it. See the step about incomplete executions."}
	}
	return exporters.Cover{State: exporters.Yes, By: "A scenario that is started again finds the key Finished."}
}

func actionsCover(s exporters.Setup) exporters.Cover {
	if len(s.Each) > 0 {
		return exporters.Cover{State: exporters.Partly, By: "Each item of the list has a key of its own. What repeats inside the work on one item is not stopped."}
	}
	return exporters.Cover{State: exporters.No, By: "Happens inside a run. Only a key at the destination refuses it."}
}

func claimCovers(s exporters.Setup, w wish) []exporters.Cover {
	answers := map[string]exporters.Cover{
		exporters.ActionsRepeat: actionsCover(s),
		exporters.SecondCopy:    {State: exporters.Yes, By: "Both scenarios ask for the same key of the same rule, if both are built this way."},
		exporters.SenderRetries: {State: exporters.Yes, By: "The repeat is told that the key is taken."},
		exporters.StepRetries:   {State: exporters.Partly, By: "The calls to this program may be repeated safely. Your own modules need a key of their own: one reservation stands before all of them."},
		exporters.Replay:        replayCover(w),
		exporters.Overlap:       {State: exporters.Yes, By: "One of the runs gets the key, the others do not."},
	}
	if s.IfUnreachable == "go_on" {
		for cause, c := range answers {
			if c.State == exporters.Yes {
				answers[cause] = exporters.Cover{State: exporters.Partly, By: c.By + " While this program is out of reach nothing is stopped, as the rule wants it."}
			}
		}
	}
	return withOwnEdits(exporters.Covered(answers), w)
}

func storeCovers(s exporters.Setup, w wish) []exporters.Cover {
	overlap := exporters.Cover{State: exporters.Yes, By: "The setting Process data in order: one run at a time."}
	repeats := exporters.Cover{State: exporters.Yes, By: "The repeat finds the record of the first one."}
	if !w.ordered {
		repeats = exporters.Cover{State: exporters.Partly, By: "A repeat that comes later finds the record of the first one. Whether one in the same instant does is not confirmed."}
		overlap = exporters.Cover{State: exporters.Partly, By: "The second record is refused. Whether that holds for two runs in the same instant is not confirmed."}
	}
	covers := exporters.Covered(map[string]exporters.Cover{
		exporters.ActionsRepeat: actionsCover(s),
		exporters.SecondCopy:    {State: exporters.Partly, By: "If both scenarios are built this way and use one data store. They do not wait for each other, and two additions in the same instant are not confirmed to be told apart."},
		exporters.SenderRetries: repeats,
		exporters.StepRetries:   {State: exporters.Partly, By: "A repeated reservation is taken for a copy, so it stops and shows up as stuck. Your own modules need a key of their own."},
		exporters.Replay:        replayCover(w),
		exporters.Overlap:       overlap,
	})
	return withOwnEdits(covers, w)
}

// withOwnEdits tells of the look-alike where the trigger may watch changes.
func withOwnEdits(covers []exporters.Cover, w wish) []exporters.Cover {
	if !w.poll {
		return covers
	}
	return append(covers, exporters.OwnEdits("scenario", exporters.No, "Where the trigger watches changes, the scenario's own change comes back as a new event, and a key that holds a version or a time is a new one then. A filter behind the trigger that lets no own change through closes this."))
}
