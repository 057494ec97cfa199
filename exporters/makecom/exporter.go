package makecom

import (
	"fmt"

	"dedupedesk/exporters"
)

// New returns the exporter make.
func New() exporters.Exporter { return exporter{} }

type exporter struct{}

const makeTitle = "Make"

func (exporter) Name() string  { return "make" }
func (exporter) Title() string { return makeTitle }

func (exporter) About() string {
	return "Scenario settings, and a scenario to import that reserves the event key before the work, with this program or in a data store of Make."
}
func (exporter) Cloud() bool { return true }

func (exporter) Fields() []exporters.Field {
	return []exporters.Field{
		exporters.EffectQuestion(), exporters.TargetQuestion(), exporters.ComputerQuestion(), retriesQuestion(), replyQuestion(),
		exporters.AddressField(makeTitle), triggerField(), arrivalField(), orderField(),
	}
}

// Ways offers the scenario that asks this program, the one with a data store, and the
// scenario settings alone.
func (x exporter) Ways(s exporters.Setup) []exporters.Way {
	settings := exporters.Way{
		Route: exporters.RouteNone, Title: "Scenario settings alone",
		Reason: "Process data in order lets one run at a time through. It stops no copy that comes later.",
		Cost:   "Nothing, but a busy scenario gets slow, and one failed run can hold up all others.",
	}
	if s.Rule == "" {
		return []exporters.Way{settings}
	}
	ledger := exporters.LedgerWay(s, true, "A public address that leads to this program. Two calls for each event count as operations in Make.")
	if s.Answered(retriesQuestion()) == exporters.RetriesPlatform {
		ledger.Wants = wants(s)
	}
	records := exporters.Way{
		Route: exporters.RouteStore, Title: "A data store in Make",
		Reason: "It needs no public address and no computer of yours: a record with the event key is added before the work, and a second one is refused.",
		Cost:   "Storage in Make, 1 MB for each 1,000 credits of a month, and three operations for each event. A key that got stuck stays taken until a person looks.",
	}
	if beyond(s) {
		records.Blocked = beyondText
	}
	return exporters.Offer(s, x.Name(), ledger, records, settings)
}

// beyond tells that the rule's formula is more than a list of fields.
func beyond(s exporters.Setup) bool { return !s.Expressible || len(s.Parts) == 0 }

const beyondText = "The formula of this rule does more than a list of fields can say, so Make cannot write its key. Only this program can make it."

// Build makes the settings checklist, or with a rule the scenario to import too.
func (x exporter) Build(s exporters.Setup) (exporters.Checklist, error) {
	way, err := exporters.Chosen(x, s)
	if err != nil {
		return exporters.Checklist{}, err
	}
	if way.Route == exporters.RouteNone {
		c := settingsOnly(x.Name())
		c.NoKey = way.NoKey
		return c, nil
	}
	w, err := readWish(s, way.Route)
	if err != nil {
		return exporters.Checklist{}, err
	}
	c := exporters.Checklist{Platform: x.Name(), Title: "Make: run once per event", Route: way.Route}
	if way.Route == exporters.RouteStore {
		c.About = "The scenario adds a record with the event key to a data store before it works, and marks it when the work is over. A copy finds the record there and stops."
		c.Files, err = storeFiles(s, w)
		c.Steps = storeSteps(s, w, &c, reason(&err))
		c.Covers = storeCovers(s, w)
		c.Steps = append(whenSteps(s), c.Steps...)
		return c, err
	}
	c.About = "The scenario asks this program for the event key before it works, and reports the end. A copy is told that the key is taken and stops."
	c.Files, err = ledgerFiles(s, w)
	c.Steps = claimSteps(s, w, &c, reason(&err))
	c.Covers = claimCovers(s, w)
	if !beyond(s) {
		c.Steps = append(whenSteps(s), c.Steps...)
	}
	return c, err
}

// whenSteps filter between two modules, which is where Make does it.
func whenSteps(s exporters.Setup) []exporters.Step {
	return s.WhenSteps("In the scenario, once it is imported: the line behind the first module > Set up a filter.", flowPage)
}

// reason takes from err what blocks the import in words, and leaves what is a fault of
// this program.
func reason(err *error) string {
	if why, ok := (*err).(exporters.Inexpressible); ok {
		*err = nil
		return why.Error()
	}
	return ""
}

// importable writes a blueprint as a file. It returns an error for one that breaks a
// rule of Make, which is a fault of this program.
func importable(name, about string, b blueprint) (exporters.File, error) {
	data, err := b.text()
	if err != nil {
		return exporters.File{}, err
	}
	for _, f := range Validate(data) {
		if f.Result == exporters.Fail {
			return exporters.File{}, fmt.Errorf("generated blueprint: %s: %s", f.Where, f.Text)
		}
	}
	return exporters.File{Name: name, Data: data, About: about}, nil
}

// fileName makes a name that every system takes.
func fileName(rule, kind string) string {
	var safe []rune
	for _, r := range rule {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '-', r == '_':
		case r >= 'A' && r <= 'Z':
			r += 'a' - 'A'
		default:
			r = '-'
		}
		safe = append(safe, r)
	}
	return "make-" + string(safe[:min(len(safe), 60)]) + kind + ".blueprint.json"
}
