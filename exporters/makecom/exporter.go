package makecom

import (
	"fmt"
	"strings"

	"dedupedesk/exporters"
)

// New returns the exporter make.
func New() exporters.Exporter { return exporter{} }

type exporter struct{}

func (exporter) Name() string  { return "make" }
func (exporter) Title() string { return "Make" }
func (exporter) About() string {
	return "Scenario settings, and a scenario to import that reserves the event key before the work."
}
func (exporter) Cloud() bool { return true }

var (
	addressField = exporters.Field{
		Name: "address", Label: "Public address of the endpoint", Required: true, WithRule: true,
		Help:    "The https address under which Make reaches this program: the one that your tunnel, gateway or server gave it. The address on Connect exists on this computer alone.",
		Example: "https://dedupe.yourcompany.com",
	}
	retriesField = exporters.Field{
		Name: "retries", Label: "Who tries again after a failure?", WithRule: true,
		Help:    "sender: whoever calls the webhook sends again when it hears of a failure. make: the sender does not, and Make goes on from the step that failed.",
		Choices: []string{bySender, byMake},
	}
	arrivalField = exporters.Field{
		Name: "arrival", Label: "How the fields arrive in the webhook", WithRule: true,
		Help:    "Run the webhook once and open its bubble. top: the fields stand there at once. body or data: they stand below that name.",
		Choices: []string{top, "body", "data"},
	}
)

const (
	bySender = "sender"
	byMake   = "make"
	top      = "top"
)

func (exporter) Fields() []exporters.Field {
	return []exporters.Field{addressField, retriesField, arrivalField}
}

// wish is what the person chose, checked.
type wish struct {
	address, arrival string
	resumes          bool
}

func readWish(s exporters.Setup) (wish, error) {
	address, err := readAddress(s.Details[addressField.Name])
	if err != nil {
		return wish{}, err
	}
	retries, err := s.Detail(retriesField)
	if err != nil {
		return wish{}, err
	}
	arrival, err := s.Detail(arrivalField)
	if err != nil {
		return wish{}, err
	}
	return wish{address, arrival, retries == byMake}, nil
}

// Build makes the settings checklist; with a rule it holds the scenario to
// import too.
func (x exporter) Build(s exporters.Setup) (exporters.Checklist, error) {
	w, err := readWish(s)
	if err != nil {
		return exporters.Checklist{}, err
	}
	if s.Rule == "" {
		return settingsOnly(x.Name()), nil
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
	parts, err := mapped(s.Parts, w.arrival)
	if err != nil {
		return exporters.File{}, err.Error(), nil
	}
	if w.address == "" {
		return exporters.File{}, "Type the public address of the endpoint first. " + notReachable, nil
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
