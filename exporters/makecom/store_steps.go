package makecom

import (
	"fmt"

	"dedupedesk/exporters"
)

// storeSteps walk from the data store to the proof.
func storeSteps(s exporters.Setup, w wish, c *exporters.Checklist, blocked string) []exporters.Step {
	steps := []exporters.Step{copiesStep(), createStep(s), storeImportStep(s, w, c, blocked), chooseStep()}
	steps = append(steps, startSteps(s, w)...)
	return append(steps, storeWorkStep(s, w), storeOrderStep(w), commitStep(), incompleteStep(w, "in the data store"),
		storeStuckStep(s, w, c, blocked), alertStep(), cleanStep(s.KeepDays(1)), storeProveStep(s, w))
}

func createStep(s exporters.Setup) exporters.Step {
	return exporters.Step{
		ID: "store", Title: "Make the data store",
		Where:      "Data stores > Add data store > Data store name: paste. Data structure > Add > Add item, five times: state (Text), run (Text), claimed_at (Date), done_at (Date), result (Text). Leave Strict off. Data storage size: 1 MB to begin with > Save.",
		Value:      "Event keys: " + s.Rule,
		ValueLabel: "Name of the data store",
		Warning:    "Give the store to this rule alone: two rules in one store stop each other's events, and a record that another scenario deletes lets its event run again. The name of a data structure cannot be changed later.",
		Why:        "The key of a record is unique in the store. The five fields say how far its run is, which is how a stuck one is found.",
		NotFixed:   "The storage is bounded: 1 MB for each 1,000 credits of a month, 1 MB at least for each store, 15 MB for one record, 1,000 stores. A full store refuses new records, and then no event runs.",
		Sources:    []exporters.Source{storePage, storeFactsPage}, Tried: exporters.NotTried,
	}
}

func storeImportStep(s exporters.Setup, w wish, c *exporters.Checklist, blocked string) exporters.Step {
	step := exporters.Step{
		ID: "import", Title: "Import the scenario",
		Where:    "Scenarios > Create a new scenario > three dots at the bottom > Import Blueprint > choose the file of this step. Click the first module > Add > save, and copy the webhook's address for the sender.",
		Why:      "It makes the event key, adds the record before the work, and marks it done behind it. A part that is empty leaves a record with the state no_key, and no work is done. Look up, then add, would let two runs through; here the adding itself refuses the second.",
		NotFixed: "It replaces no scenario that you have. The old one has to be switched off when this one takes over.",
		Checks:   storeChecks(s, w),
		Sources:  []exporters.Source{dedupePage, formulaPage, flowPage, errorTypesPage},
		Details:  append(shaping(), orderField().Name),
	}
	if len(s.Each) > 0 {
		step.Why += " The module Each item goes through the list, and each item is reserved, worked on and marked by itself."
	}
	return handOver(step, c, w, blocked)
}

func chooseStep() exporters.Step {
	return exporters.Step{
		ID: "choose", Title: "Choose the data store in each module",
		Where:    "In each Data store module of both scenarios, those of the error routes too: Data store > the one of the step before. In Reserve the key, look that Overwrite an existing record is off, and that Key is mapped.",
		Why:      "A file cannot hold a store of your account. With Overwrite on, a copy replaces the record without a word and runs. With an empty Key Make invents one, and each copy runs.",
		NotFixed: "A module that was forgotten fails at its first run.",
		Sources:  []exporters.Source{blueprintPage, storePage}, Tried: exporters.NotTried,
	}
}

func storeWorkStep(s exporters.Setup, w wish) exporters.Step {
	step := workStep(s, w)
	step.Why = "A failure without an error route stops a webhook's scenario at the first error, and leaves the record at claimed: each later copy is then stopped although nothing was done."
	step.NotFixed += " The store does not know which run holds a record: a run that somebody gave up and that ends late still marks or deletes it."
	if w.resumes {
		step.NotFixed = "If a module failed after it had half worked, Make does that half again. Give such modules a key of the destination's own."
	}
	return step
}

func storeOrderStep(w wish) exporters.Step {
	step := exporters.Step{
		ID: "order", Title: orderLabel + ": on",
		Where: orderWhere, Value: "Yes", ValueLabel: orderLabel, Details: []string{orderField().Name},
		Why:      "Whether the store refuses one of two records that are added in the same instant is not confirmed. One run at a time leaves no such instant.",
		NotFixed: "The price: events wait for one another, in a queue of 667 events for each 10,000 credits of a month, 10,000 at most, and what comes after that is refused. A sender that waits for its answer waits in that queue too. A copy of the scenario does not wait.",
		Sources:  []exporters.Source{settingsPage, hookFactsPage}, Tried: exporters.NotTried,
	}
	switch {
	case !w.ordered:
		step.Title, step.Value = orderLabel+": off", "No"
		step.Why = "You chose speed: different events run side by side."
		step.NotFixed = "Two copies in the same instant may both get through. Whether they do is not confirmed."
	case w.resumes:
		step.Warning = "Together with " + storingText + ", one failed run stops the whole scenario until somebody resolves it, and new events pile up in the queue."
	}
	return step
}

func commitStep() exporters.Step {
	return exporters.Step{
		ID: "commit", Title: "Auto commit: on",
		Where: "Scenario settings (the wheel) > Auto commit.", Value: "Yes", ValueLabel: "Auto commit",
		Why:      "Each record then counts from the moment it is written, and other runs see it. With the setting off, it may stay unseen until the run ends, and Rollback takes it back.",
		NotFixed: "It does not take back what a failed run did.",
		Sources:  []exporters.Source{rollbackPage}, Tried: exporters.NotTried,
	}
}

func storeStuckStep(s exporters.Setup, w wish, c *exporters.Checklist, blocked string) exporters.Step {
	step := exporters.Step{
		ID: "stuck", Title: "Find the keys that got stuck",
		Where:    "Scenarios > Create a new scenario > three dots at the bottom > Import Blueprint > choose the file of this step > choose the data store in its three Data store modules > Schedule setting: At regular intervals, 60 minutes. By hand: Data stores > your store > Browse.",
		Why:      fmt.Sprintf("It lists the records that are not done %s after their run began, and those with the state no_key. Nothing lets such an event run by itself: one project ran over a thousand times without doing anything, for its keys were never given back.", exporters.Spell(stuckAfter(s.Lease, w.resumes))),
		NotFixed: "Nothing can tell by itself whether the work was done. If it was, set state to done; if not, delete the record, and send the event again.",
		Sources:  []exporters.Source{storePage, storeFactsPage}, Blocked: blocked, Details: append(shaping(), orderField().Name),
		Tried: "The names of the search module were seen in public scenarios, in no page of Make. Not imported into Make by us.",
	}
	if w.resumes {
		step.NotFixed += " Look under Incomplete executions first: a run that waits there goes on when somebody resumes it. Either resume it, or delete it there before you delete the record: with both the event is worked on twice."
	}
	if len(c.Files) > 1 {
		step.File = c.Files[1].Name
	}
	return step
}

func alertStep() exporters.Step {
	return exporters.Step{
		ID: "alert", Title: "Let it tell you",
		Where:    "In the scenario of the step before: put Email > Send an email in place of Your mail, with its text as Content. Switch the scenario on.",
		Why:      "A record that stays at claimed is an order that nobody made. Without a mail nobody learns of it.",
		NotFixed: "The mail comes each hour until somebody decided. It says nothing where Make itself is down.",
		Sources:  []exporters.Source{storePage}, Tried: exporters.NotTried,
	}
}

func cleanStep(keepDays int) exporters.Step {
	return exporters.Step{
		ID: "clean", Title: "Forget what is long finished",
		Where:    fmt.Sprintf("In the same scenario, module Finished long ago: the number of days, %d, has to be longer than the sender goes on repeating and than anybody replays runs.", keepDays),
		Warning:  "A record that is gone lets its event run again. Deleted records do not come back.",
		Why:      "A full store refuses new records, and then no event runs. The scenario takes out up to 100 finished records at each run.",
		NotFixed: "Records that are not done stay, whatever their age: a person decides on them.",
		Sources:  []exporters.Source{storePage, storeFactsPage}, Tried: exporters.NotTried,
	}
}

func storeProveStep(s exporters.Setup, w wish) exporters.Step {
	step := exporters.Step{
		ID: "prove", Title: "Prove it",
		Where:    "Switch the scenario on. Send one event to the webhook, and when its run is over the very same event again. Then look at Scenario > History, and at Data stores > your store > Browse.",
		Why:      "You should see one record with the state done, and two runs: the first went through Your work, the second ended in the error route of Reserve the key, at The key is there already. If it ended at Anything else, read the error's type and message there and put them into both filters. The record's key must be the one that the rule shows for this event.",
		NotFixed: "It shows a copy that comes later, not two at the same moment.",
		Sources:  []exporters.Source{webhooksPage, storePage}, Tried: exporters.NotTried, Prove: true,
	}
	if w.poll {
		step.Where = pollProof + " Then look at Scenario > History, and at Data stores > your store > Browse."
	}
	if len(s.Each) > 0 {
		step.Why = "You should see one record for each item, all with the state done, and two runs: in the first each item went through Your work, in the second each ended in the error route of Reserve the key, at The key is there already. If one ended at Anything else, read the error's type and message there and put them into both filters. The keys must be those that the rule shows for these items."
	}
	step.Why += failOnce(w) + " Then send an event without the field of the key: a record with the state no_key must appear, and no work be done."
	return step
}
