package sharepoint

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"dedupedesk/exporters"
	"dedupedesk/exporters/powerautomate"
)

// New returns the exporter sharepoint.
func New() exporters.Exporter { return exporter{} }

type exporter struct{}

func (exporter) Name() string  { return "sharepoint" }
func (exporter) Title() string { return "SharePoint list" }
func (exporter) About() string {
	return "A column with unique values, so that the list itself refuses a second row for the same event."
}
func (exporter) Cloud() bool { return true }

var (
	listField = exporters.Field{
		Name: "list", Label: "Title of the list",
		Help:    "As it stands above the list. Needed only to set the column up from inside a flow.",
		Example: "Orders",
	}
	columnField = exporters.Field{
		Name: "column", Label: "Name of the column",
		Help:    "Letters and digits without spaces, so that its internal name is the same.",
		Example: defaultColumn,
	}
)

const defaultColumn = "EventKey"

func (exporter) Fields() []exporters.Field { return []exporters.Field{listField, columnField} }

// Ways offers the unique column. A list refuses a copy whatever the effect, so the
// first questions are not asked.
func (exporter) Ways(exporters.Setup) []exporters.Way {
	return []exporters.Way{{
		Route: exporters.RouteDestination, Title: "A unique column in the list",
		Reason: "The list itself refuses a second row with the same event key, at whatever moment it comes.",
		Cost:   "No licence and no address. The row has to be written before any other step that must not happen twice.",
	}}
}

// A target is the column that the steps are about.
type target struct {
	list   string // "" while the person has not typed it
	column string
}

// columnName keeps the internal name equal to the display name.
var columnName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9]{0,31}$`)

func readTarget(s exporters.Setup) (target, error) {
	t := target{list: strings.TrimSpace(s.Details[listField.Name]), column: strings.TrimSpace(s.Details[columnField.Name])}
	if t.column == "" {
		t.column = defaultColumn
	}
	if !columnName.MatchString(t.column) {
		return target{}, &exporters.InputError{Field: columnField.Name, Msg: "Use a letter first, then letters and digits, at most 32 in all. A name with spaces gets another internal name."}
	}
	if utf8.RuneCountInString(t.list) > 255 || strings.ContainsFunc(t.list, unicode.IsControl) {
		return target{}, &exporters.InputError{Field: listField.Name, Msg: "A list's title has at most 255 characters, on one line."}
	}
	return t, nil
}

// Build makes the checklist. With a rule it makes the key's expression too.
func (x exporter) Build(s exporters.Setup) (exporters.Checklist, error) {
	if _, err := exporters.Chosen(x, s); err != nil {
		return exporters.Checklist{}, err
	}
	t, err := readTarget(s)
	if err != nil {
		return exporters.Checklist{}, err
	}
	fits := fitStep(s)
	steps := []exporters.Step{fits, duplicatesStep(t), columnStep(t)}
	rest, err := restSteps(t)
	if err != nil {
		return exporters.Checklist{}, err
	}
	steps = append(steps, rest...)
	key := exporters.Step{}
	if s.Rule != "" {
		keys := powerautomate.KeySteps(s)
		steps, key = append(steps, keys...), keys[len(keys)-1]
	}
	steps = append(steps, createStep(t, s.Rule != "", firstOf(fits.Blocked, key.Blocked)), retryStep(), runAfterStep(), cleanStep(t), proveStep(t))
	return exporters.Checklist{
		Platform: x.Name(),
		Title:    "SharePoint list: one row per event",
		About:    "The list refuses a second row with the same " + t.column + ", whoever writes it: a second run, a copy of the flow, or a step that repeats.",
		Route:    exporters.RouteDestination,
		Steps:    steps,
		Covers:   covers(),
	}, nil
}

func firstOf(reasons ...string) string {
	for _, r := range reasons {
		if r != "" {
			return r
		}
	}
	return ""
}

func covers() []exporters.Cover {
	return exporters.Covered(map[string]exporters.Cover{
		exporters.ActionsRepeat: {State: exporters.Partly, By: "The list refuses the second row. Mails and charges have no such column."},
		exporters.SecondCopy:    {State: exporters.Yes, By: "The list refuses the copy's row, if the copy makes the same key."},
		exporters.SenderRetries: {State: exporters.Yes, By: "The list refuses the row of the repeat, if create comes first in the flow."},
		exporters.StepRetries:   {State: exporters.Partly, By: "The list refuses the second row. After a lost answer the rest of the run is left undone; look at failed runs."},
		exporters.Replay:        {State: exporters.Yes, By: "The list refuses the row of the run that is started again."},
		exporters.Overlap:       {State: exporters.Yes, By: "Check and write are one act of the list."},
	})
}
