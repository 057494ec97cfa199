package scripts

import (
	"fmt"
	"strconv"

	"dedupedesk/exporters"
)

// storeSteps walk from the file to the proof, for Apps Script with a list of its own.
func storeSteps(s exporters.Setup, file exporters.File, blocked string) []exporters.Step {
	return []exporters.Step{storeFileStep(s, file, blocked), storeWorkStep(), storeStartStep(), storeStuckStep(), storeAlertStep(), storeCleanStep(s.KeepDays(1)), storeProveStep()}
}

func storeFileStep(s exporters.Setup, file exporters.File, blocked string) exporters.Step {
	step := exporters.Step{
		ID: "file", Title: "Take the file",
		Where:    "script.google.com > **New project** > paste the file of this step over what stands there > Save.",
		Why:      "It locks all other runs of the project out while it looks a key up and notes it, so of two runs at the same moment one gets it. An event without a part of the key stops with an error.",
		NotFixed: "Another project, or another account's copy of it, has a list of its own and knows nothing of this one.",
		Sources:  []exporters.Source{lockPage, quotaPage}, Blocked: blocked,
		Tried: "The key that it makes was compared with the rule's here, in Node, on made values. The lock and the list were not tried in Apps Script by us.", Details: []string{languageQuestion().Name},
	}
	if s.Lease < longestAppsScript {
		step.Checks = append(step.Checks, exporters.Check{Result: exporters.Warn, Text: fmt.Sprintf("The rule allows %s for one run. A run of Apps Script may last 6 minutes; allow more than that.", exporters.Spell(s.Lease))})
	}
	step.Checks = append(step.Checks, letterCheck(s, "Apps Script")...)
	step.Checks = append(step.Checks, exporters.Check{Result: exporters.Warn, Text: "The store holds 500 KB in all, some three thousand keys. With more events than that in " + strconv.Itoa(s.KeepDays(1)) + " days, choose to ask this program instead."})
	if blocked == "" {
		step.File = file.Name
	}
	return step
}

// letterCheck says which values a language would make another key of.
func letterCheck(s exporters.Setup, language string) []exporters.Check {
	for _, p := range s.Parts {
		if s.FoldCase || len(p.Steps) > 0 {
			return []exporters.Check{{Result: exporters.Warn, Text: "Capitals of some letters beyond A to Z, such as ß and the Turkish İ, are changed by rules of their own in " + language + ". Such values may get another key there than the rule makes; keys of letters A to Z and digits are the same."}}
		}
	}
	return nil
}

func storeWorkStep() exporters.Step {
	return exporters.Step{
		ID: "work", Title: "Put your work in",
		Where:    "In the file: the function **work**. Where it makes a record, return the record's id.",
		Why:      "Until then the work fails. An error in it gives the key back, so that the next try may run.",
		NotFixed: "If the work fails half way, the next run does that half again. A run that is ended by Google after 6 minutes gives nothing back.",
		Sources:  []exporters.Source{quotaPage}, Tried: exporters.NotTried,
	}
}

func storeStartStep() exporters.Step {
	return exporters.Step{
		ID: "start", Title: "Start it for each event",
		Where: "Call the value below from your own trigger, or Deploy > **New deployment** > **Web app** and give its address to the sender. Look under Triggers (the clock) that no trigger stands there twice.",
		Value: "handleEvent(event)", ValueLabel: "What to call",
		Why:      "A trigger that was made twice runs twice; the second run finds the key and does nothing.",
		NotFixed: "A run that fails answers the sender with a page of Google's. Whether the sender takes that for a failure is not known to us. A copy that comes while the first run is at work fails too, for that one may yet fail: look under Executions, and at the mail of the step Be told of it.",
		Sources:  []exporters.Source{webAppPage}, Tried: exporters.NotTried,
	}
}

func storeStuckStep() exporters.Step {
	return exporters.Step{
		ID: "stuck", Title: "See what got stuck",
		Where: "In the editor: choose the function below > **Run** > see the Execution log. Then put the key between the quotes of DECIDE_KEY at the top of the file > Save > choose finishKey, where the work was done, or forgetKey, where the event shall run again > **Run**.",
		Value: "stuckKeys", ValueLabel: "Function",
		Why:      "A run that died leaves a key that nobody closes, and work that failed and was not done again within an hour is a missing event.",
		NotFixed: "Nothing can tell by itself whether the work was done.",
		Sources:  []exporters.Source{lockPage}, Tried: exporters.NotTried,
	}
}

func storeAlertStep() exporters.Step {
	return exporters.Step{
		ID: "alert", Title: "Be told of it",
		Where: "Triggers (the clock) > **Add Trigger** > the function below > Time-driven > Day timer.",
		Value: "alertStuckKeys", ValueLabel: "Function",
		Why:      "It writes a mail to you on each day on which a key is stuck.",
		NotFixed: "It comes once a day.",
		Sources:  []exporters.Source{quotaPage}, Tried: exporters.NotTried,
	}
}

func storeCleanStep(days int) exporters.Step {
	return exporters.Step{
		ID: "clean", Title: "Clean up",
		Where: "Triggers (the clock) > **Add Trigger** > the function below > Time-driven > Day timer.",
		Value: "cleanUpKeys", ValueLabel: "Function",
		Why:      fmt.Sprintf("It forgets what was finished more than %d days ago, the rule's own time. Without it the store is full one day, and then no event is handled.", days),
		NotFixed: "A copy that comes later than that runs again. A change of the rule does not reach the file: change KEEP_DAYS in it as well.",
		Sources:  []exporters.Source{quotaPage}, Tried: exporters.NotTried,
	}
}

func storeProveStep() exporters.Step {
	return exporters.Step{
		ID: "prove", Title: "Prove it",
		Where:    "Hand one event over, and when its run is over the very same event again. Look at Executions, and at Project Settings > Script Properties.",
		Why:      "The work is done once, both runs are Completed, and one property holds the event's key with done.",
		NotFixed: "It shows a copy that comes later. Copies at the same moment rest on Google's lock.",
		Sources:  []exporters.Source{lockPage}, Tried: exporters.NotTried, Prove: true,
	}
}

func storeCovers() []exporters.Cover {
	return exporters.Covered(map[string]exporters.Cover{
		exporters.ActionsRepeat: {State: exporters.No, By: "What the work itself repeats is not seen. Only a key at the destination refuses it."},
		exporters.SecondCopy:    {State: exporters.Partly, By: "Two triggers of one project share the list; two projects do not."},
		exporters.SenderRetries: {State: exporters.Yes, By: "The repeat finds its key in the list."},
		exporters.StepRetries:   {State: exporters.No, By: "What the work calls needs a key of its own."},
		exporters.Replay:        {State: exporters.Yes, By: "A run that is started again finds its key in the list."},
		exporters.Overlap:       {State: exporters.Yes, By: "The lock lets one run at a time look into the list."},
	})
}
