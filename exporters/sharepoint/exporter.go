package sharepoint

import (
	"dedupedesk/exporters"
	"dedupedesk/exporters/powerautomate"
)

// New returns the exporter sharepoint.
func New() exporters.Exporter { return exporter{} }

type exporter struct{}

func (exporter) Name() string  { return "sharepoint" }
func (exporter) Title() string { return "SharePoint list" }
func (exporter) About() string {
	return "A column with unique values, so that the list itself refuses a second row for the same event, or a list of event keys that guards any work."
}
func (exporter) Cloud() bool { return true }

func (exporter) Fields() []exporters.Field {
	return []exporters.Field{guardQuestion(), listField, columnField, siteField, claimsField}
}

// Ways offers the unique column and the list of keys, the fitting one first. A list
// refuses a copy whatever the effect, so only one question is asked.
func (exporter) Ways(s exporters.Setup) []exporters.Way {
	column := exporters.Way{
		Route: exporters.RouteDestination, Title: "A unique column in the list",
		Reason: "The list itself refuses a second row with the same event key, at whatever moment it comes.",
		Cost:   "No licence and no address. The row has to be written before any other step that must not happen twice.",
	}
	if s.Rule == "" {
		return []exporters.Way{column}
	}
	claims := exporters.Way{
		Route: exporters.RouteStore, Title: "A list of event keys",
		Reason: "The flow writes the key into a list before its work. The list refuses the second run, whatever the work is.",
		Cost:   "No licence. A list of its own, two more steps in each run, and somebody who looks at stuck keys once a week.",
	}
	if s.Answered(guardQuestion()) == guardOther {
		return []exporters.Way{claims, column}
	}
	return []exporters.Way{column, claims}
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
	steps := append(powerautomate.WhenSteps(s), fits, duplicatesStep(t), columnStep(t))
	rest, err := restSteps(t)
	if err != nil {
		return exporters.Checklist{}, err
	}
	steps = append(steps, rest...)
	blocked := fits.Blocked
	if s.Rule != "" {
		keys := powerautomate.KeySteps(s)
		steps = append(steps, keys...)
		blocked = firstOf(blocked, keys[len(keys)-1].Blocked)
	}
	steps = append(steps, createStep(t, s.Rule != "", blocked), retryStep(), runAfterStep(t, len(s.Each) > 0), cleanStep(t), proveStep(t, len(s.Each) > 0))
	return exporters.Checklist{
		Platform: x.Name(),
		Title:    "SharePoint list: one row per event",
		About:    "The list refuses a second row with the same " + t.column + ", whoever writes it: a second run, a copy of the flow, or a step that repeats.",
		Route:    exporters.RouteDestination,
		Steps:    steps,
		Covers:   covers(),
	}, nil
}

func covers() []exporters.Cover {
	return append(exporters.Covered(map[string]exporters.Cover{
		exporters.ActionsRepeat: {State: exporters.Partly, By: "The list refuses the second row. Mails and charges have no such column."},
		exporters.SecondCopy:    {State: exporters.Yes, By: "The list refuses the copy's row, if the copy makes the same key."},
		exporters.SenderRetries: {State: exporters.Yes, By: "The list refuses the row of the repeat, if create comes first in the flow."},
		exporters.StepRetries:   {State: exporters.Partly, By: "The list refuses the second row. After a lost answer the rest of the run is left undone; look at failed runs."},
		exporters.Replay:        {State: exporters.Yes, By: "The list refuses the row of the run that is started again."},
		exporters.Overlap:       {State: exporters.Yes, By: "Check and write are one act of the list."},
	}), powerautomate.StartsItself())
}

func firstOf(reasons ...string) string {
	for _, r := range reasons {
		if r != "" {
			return r
		}
	}
	return ""
}
