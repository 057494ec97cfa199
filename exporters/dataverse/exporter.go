package dataverse

import (
	"dedupedesk/exporters"
	"dedupedesk/exporters/powerautomate"
)

// New returns the exporter dataverse.
func New() exporters.Exporter { return exporter{} }

type exporter struct{}

func (exporter) Name() string  { return "dataverse" }
func (exporter) Title() string { return "Dataverse table" }
func (exporter) About() string {
	return "An alternate key, so that the table itself refuses a second row for the same event, or a table of event keys that guards any work."
}
func (exporter) Cloud() bool { return true }

func (exporter) Fields() []exporters.Field {
	return []exporters.Field{guardQuestion(), tableField, columnField, claimsField}
}

// Ways offers the alternate key and the table of keys, the fitting one first.
func (exporter) Ways(s exporters.Setup) []exporters.Way {
	key := exporters.Way{
		Route: exporters.RouteDestination, Title: "An alternate key of the table",
		Reason: "The table itself refuses a second row with the same event key, at whatever moment it comes.",
		Cost:   "A premium licence, as for all of Dataverse, and the right to change the table. The row has to be written before any other step that must not happen twice.",
	}
	if s.Rule == "" {
		return []exporters.Way{key}
	}
	claims := exporters.Way{
		Route: exporters.RouteStore, Title: "A table of event keys",
		Reason: "The flow writes the key into a table before its work. The table refuses the second run, whatever the work is.",
		Cost:   "A premium licence, a table of its own, two more steps in each run, and somebody who looks at stuck keys once a week.",
	}
	if s.Answered(guardQuestion()) == guardOther {
		return []exporters.Way{claims, key}
	}
	return []exporters.Way{key, claims}
}

// Build makes the checklist. With a rule it makes the key's expression too.
func (x exporter) Build(s exporters.Setup) (exporters.Checklist, error) {
	way, err := exporters.Chosen(x, s)
	if err != nil {
		return exporters.Checklist{}, err
	}
	if way.Route == exporters.RouteStore {
		return x.buildStore(s)
	}
	t, err := readTarget(s)
	if err != nil {
		return exporters.Checklist{}, err
	}
	fits := fitStep(s)
	steps := append(powerautomate.WhenSteps(s), fits, t.duplicatesStep(), t.columnStep(), t.keyStep(), t.indexStep())
	blocked := fits.Blocked
	if s.Rule != "" {
		keys := powerautomate.KeySteps(s, swaps()...)
		steps = append(steps, keys...)
		if last := keys[len(keys)-1].Blocked; blocked == "" {
			blocked = last
		}
	}
	steps = append(steps, t.createStep(s.Rule != "", blocked), retryStep(), t.runAfterStep(len(s.Each) > 0), t.webStep(blocked), t.cleanStep(), t.proveStep(len(s.Each) > 0))
	return exporters.Checklist{
		Platform: x.Name(),
		Title:    "Dataverse: one row per event",
		About:    "The table refuses a second row with the same " + t.column + ", whoever adds it: a second run, a copy of the flow, or a step that repeats.",
		Route:    exporters.RouteDestination,
		Steps:    steps,
		Covers: append(exporters.Covered(map[string]exporters.Cover{
			exporters.ActionsRepeat: {State: exporters.Partly, By: "The table refuses the second row. Mails and charges have no such key."},
			exporters.SecondCopy:    {State: exporters.Yes, By: "The table refuses the copy's row, if the copy makes the same key."},
			exporters.SenderRetries: {State: exporters.Yes, By: "The table refuses the row of the repeat, if adding it comes first in the flow."},
			exporters.StepRetries:   {State: exporters.Partly, By: "The table refuses the second row. After a lost answer the rest of the run is left undone; look at failed runs."},
			exporters.Replay:        {State: exporters.Yes, By: "The table refuses the row of the run that is started again."},
			exporters.Overlap:       {State: exporters.Yes, By: "Check and write are one act of the table, once the index of the key is Active."},
		}), powerautomate.StartsItself()),
	}, nil
}
