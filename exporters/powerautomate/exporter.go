package powerautomate

import (
	"dedupedesk/exporters"
)

// New returns the exporter power-automate.
func New() exporters.Exporter { return exporter{} }

type exporter struct{}

func (exporter) Name() string  { return "power-automate" }
func (exporter) Title() string { return "Power Automate" }
func (exporter) About() string {
	return "Steps that reserve the event key before the work, the key as an expression, and a trigger condition that keeps a flow from starting itself."
}
func (exporter) Cloud() bool { return true }

// The details that a person is asked for.
var (
	accountField = exporters.Field{
		Name: "account", Label: "Flow account", Required: true, Routes: []string{exporters.RouteNone},
		Help:    "The e-mail address of the account whose connection the flow uses for its own changes.",
		Example: "flows@yourcompany.com",
	}
	editorField = exporters.Field{
		Name: "editor", Label: "Field that names the editor", Routes: []string{exporters.RouteNone},
		Help:    "Where the trigger outputs name who made the change. Left empty, it is Editor/Email, as in SharePoint.",
		Example: defaultEditor,
	}
	generationField = exporters.Field{
		Name: "generation", Label: "How the trigger writes its paths", Routes: []string{exporters.RouteNone},
		Help:    "As its own fields look in an expression. The line below works in both.",
		Choices: []exporters.Choice{{Value: current, Text: "triggerOutputs()?['body/Editor/Email']"}, {Value: classic, Text: "triggerBody()?['Editor']?['Email']"}},
	}
)

const (
	defaultEditor = "Editor/Email"
	current       = "current"
	classic       = "classic"
)

func (exporter) Fields() []exporters.Field {
	return []exporters.Field{
		exporters.EffectQuestion(), exporters.TargetQuestion(), planQuestion(), exporters.ComputerQuestion(), retriesQuestion(), replyQuestion(),
		exporters.AddressField(flowTitle), triggerField(), callField(),
		accountField, editorField, generationField,
	}
}

// Ways offers the steps that ask this program, a list of keys in SharePoint, and the
// trigger condition.
func (x exporter) Ways(s exporters.Setup) []exporters.Way {
	condition := exporters.Way{
		Route: exporters.RouteNone, Title: "A trigger condition",
		Reason: "It keeps the flow from starting itself by its own change.",
		Cost:   "Nothing. It does not stop a copy that the sender repeats.",
	}
	if s.Rule == "" {
		return []exporters.Way{condition}
	}
	ledger := exporters.LedgerWay(s, true, "A premium licence, and a public address that leads to this program.")
	ledger.Wants = exporters.LeaseWant(s, longTries, "A step that fails is tried again by Power Automate, for hours on a premium plan.")
	if s.Answered(planQuestion()) == planStandard {
		ledger.Blocked = "The step HTTP and custom connectors need a premium licence; without one a flow that has them is switched off. A list in SharePoint keeps copies out without it."
	}
	list := exporters.Way{
		Route: exporters.RouteStore, Platform: "sharepoint", Title: "A list of keys in SharePoint",
		Reason: "A list whose titles are unique refuses the second run of an event, with the standard SharePoint connector.",
		Cost:   "A list in your site, and somebody who looks at it once a week.",
	}
	if !s.Expressible {
		list.Blocked = "The formula of this rule does more than a list of fields can say, so the flow cannot write its key. Only this program can make it."
	}
	return exporters.Offer(s, x.Name(), ledger, list, condition)
}

// Build makes the self-edit checklist. With a rule it holds the event key too.
func (x exporter) Build(s exporters.Setup) (exporters.Checklist, error) {
	way, err := exporters.Chosen(x, s)
	if err != nil {
		return exporters.Checklist{}, err
	}
	if way.Route == exporters.RouteLedger {
		return x.buildClaim(s)
	}
	c, err := readCondition(s)
	if err != nil {
		return exporters.Checklist{}, err
	}
	steps := []exporters.Step{
		accountStep(c), copiesStep(), openStep(), c.step(s.Samples), saveStep(),
	}
	if s.Rule != "" {
		steps = append(steps, KeySteps(s)...)
	}
	steps = append(steps, concurrencyStep(), switchOnStep(), proveStep(s.Rule != ""))
	return exporters.Checklist{
		Platform: x.Name(),
		Title:    "Power Automate: ignore the flow's own edits",
		About:    "For a flow that changes the item which started it. The trigger then fires again on the flow's own change, and the flow runs in circles.",
		Route:    exporters.RouteNone,
		Steps:    steps,
		Covers:   covers(),
	}, nil
}

func covers() []exporters.Cover {
	answers := map[string]exporters.Cover{
		exporters.ActionsRepeat: {State: exporters.No, By: "Happens inside a run. Only a unique column or a key at the destination refuses it."},
		exporters.SecondCopy:    {State: exporters.Partly, By: "The step Look for copies of the flow finds them; the condition does not see them."},
		exporters.SenderRetries: {State: exporters.No, By: "Each delivery is a change of its own to the trigger."},
		exporters.StepRetries:   {State: exporters.No, By: "Happens inside a run, after the condition."},
		exporters.Replay:        {State: exporters.No, By: "A resubmitted run starts with the old trigger data."},
		exporters.Overlap:       {State: exporters.Partly, By: "Only with the step One run at a time."},
	}
	return append(exporters.Covered(answers), exporters.Cover{
		Cause: exporters.OwnEdit, Label: "The flow starts itself",
		State: exporters.Yes, By: "The trigger condition.",
	})
}
