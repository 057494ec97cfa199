package makecom

import (
	"fmt"
	"strings"

	"dedupedesk/exporters"
)

// New returns the exporter make.
func New() exporters.Exporter { return exporter{} }

type exporter struct{}

const makeTitle = "Make"

func (exporter) Name() string  { return "make" }
func (exporter) Title() string { return makeTitle }

func (exporter) About() string {
	return "Scenario settings, and a scenario to import that reserves the event key before the work."
}
func (exporter) Cloud() bool { return true }

// retriesQuestion leaves nobody out: in Make a failure always is tried again by one
// of the two, or ends the scenario.
func retriesQuestion() exporters.Field {
	return exporters.RetriesQuestion(exporters.RetriesSender, exporters.RetriesPlatform)
}

func arrivalField() exporters.Field {
	return exporters.Field{
		Name: "arrival", Label: "How the fields arrive in the webhook", WithRule: true,
		Routes: []string{exporters.RouteLedger, exporters.RouteStore},
		Help:   "Run the webhook once and open its bubble.",
		Choices: []exporters.Choice{
			{Value: top, Text: "They stand there at once"},
			{Value: "body", Text: "They stand below the name body"},
			{Value: "data", Text: "They stand below the name data"},
		},
	}
}

const top = "top"

func (exporter) Fields() []exporters.Field {
	return []exporters.Field{
		exporters.EffectQuestion(), exporters.TargetQuestion(), exporters.ComputerQuestion(), retriesQuestion(),
		exporters.AddressField(makeTitle), arrivalField(),
	}
}

// Ways offers the scenario that asks this program, and the scenario settings alone.
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
		ledger.Wants = exporters.LeaseWant(s, resumeLease, "Make goes on trying for 7 hours 51 minutes.")
	}
	return exporters.Offer(s, x.Name(), ledger, settings)
}

// wish is what the person chose, checked.
type wish struct {
	address, arrival string
	resumes          bool
}

func readWish(s exporters.Setup) (wish, error) {
	address, err := s.PublicAddress(makeTitle)
	if err != nil {
		return wish{}, err
	}
	retries, err := s.Detail(retriesQuestion())
	if err != nil {
		return wish{}, err
	}
	arrival, err := s.Detail(arrivalField())
	if err != nil {
		return wish{}, err
	}
	return wish{address, arrival, retries == exporters.RetriesPlatform}, nil
}

// Build makes the settings checklist, or with a rule the scenario to import too.
func (x exporter) Build(s exporters.Setup) (exporters.Checklist, error) {
	way, err := exporters.Chosen(x, s)
	if err != nil {
		return exporters.Checklist{}, err
	}
	if way.Route == exporters.RouteNone {
		return settingsOnly(x.Name()), nil
	}
	w, err := readWish(s)
	if err != nil {
		return exporters.Checklist{}, err
	}
	file, blocked, err := blueprintFile(s, w)
	if err != nil {
		return exporters.Checklist{}, err
	}
	c := exporters.Checklist{
		Platform: x.Name(),
		Title:    "Make: run once per event",
		About:    "The scenario asks this program for the event key before it works, and reports the end. A copy is told that the key is taken and stops.",
		Route:    exporters.RouteLedger,
		Steps:    claimSteps(s, w, file, blocked),
		Covers:   claimCovers(w),
	}
	if blocked == "" {
		c.Files = []exporters.File{file}
	}
	return c, nil
}

// blueprintFile builds the scenario, or tells in words why it must not be used.
func blueprintFile(s exporters.Setup, w wish) (exporters.File, string, error) {
	if !s.Expressible || len(s.Parts) == 0 {
		return exporters.File{}, "The formula of this rule does more than a list of fields can say. This scenario sends the fields one by one, so it cannot be made for it yet.", nil
	}
	if len(s.Each) > 0 {
		return exporters.File{}, "The rule makes a key for each item of a list, and this scenario asks for one key per event.", nil
	}
	parts, err := mapped(s.Parts, w.arrival)
	if err != nil {
		return exporters.File{}, err.Error(), nil
	}
	if w.address == "" {
		return exporters.File{}, "Type the public address of the endpoint first. " + exporters.NotReachable(makeTitle), nil
	}
	if strings.Contains(s.Rule, "{{") || strings.Contains(s.Rule, "}}") {
		return exporters.File{}, "The rule's name holds double braces, which Make takes for a field. Rename the rule.", nil
	}
	if w.resumes && s.Lease < resumeLease {
		return exporters.File{}, leaseText(s), nil
	}
	data, err := plan{rule: s.Rule, address: w.address, parts: parts, resumes: w.resumes}.build().text()
	if err != nil {
		return exporters.File{}, "", err
	}
	for _, f := range Validate(data) {
		if f.Result == exporters.Fail {
			return exporters.File{}, "", fmt.Errorf("generated blueprint: %s: %s", f.Where, f.Text)
		}
	}
	return exporters.File{
		Name: fileName(s.Rule), Data: data,
		About: "Scenario for Make: three dots > Import Blueprint. Holds no password.",
	}, "", nil
}

// fileName makes a name that every system takes.
func fileName(rule string) string {
	safe := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '-', r == '_':
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return '-'
	}, rule)
	if len(safe) > 60 {
		safe = safe[:60]
	}
	return "make-" + safe + ".blueprint.json"
}

func claimCovers(w wish) []exporters.Cover {
	replay := exporters.Cover{State: exporters.Yes, By: "A scenario that is started again finds the key Finished."}
	if w.resumes {
		replay = exporters.Cover{State: exporters.Partly, By: "Make goes on from the failed step without asking again; that step alone can write twice."}
	}
	return exporters.Covered(map[string]exporters.Cover{
		exporters.ActionsRepeat: {State: exporters.No, By: "Happens inside a run. Only a key at the destination refuses it."},
		exporters.SecondCopy:    {State: exporters.Yes, By: "Both scenarios ask for the same key of the same rule, if both are built this way."},
		exporters.SenderRetries: {State: exporters.Yes, By: "The repeat is told that the key is taken."},
		exporters.StepRetries:   {State: exporters.Partly, By: "The calls to this program may be repeated safely. Your own modules need a key of their own."},
		exporters.Replay:        replay,
		exporters.Overlap:       {State: exporters.Yes, By: "One of the runs gets the key, the others do not."},
	})
}
