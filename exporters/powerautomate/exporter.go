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
	return "A trigger condition that keeps a flow from starting itself, and the event key as an expression."
}
func (exporter) Cloud() bool { return true }

// The details that a person is asked for.
var (
	accountField = exporters.Field{
		Name: "account", Label: "Flow account", Required: true,
		Help:    "The e-mail address of the account whose connection the flow uses for its own changes.",
		Example: "flows@yourcompany.com",
	}
	editorField = exporters.Field{
		Name: "editor", Label: "Field that names the editor",
		Help:    "Where the trigger outputs name who made the change. Left empty, it is Editor/Email, as in SharePoint.",
		Example: defaultEditor,
	}
	generationField = exporters.Field{
		Name: "generation", Label: "How the trigger writes its paths",
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
	return []exporters.Field{exporters.EffectQuestion(), exporters.TargetQuestion(), accountField, editorField, generationField}
}

// Ways offers the trigger condition.
func (x exporter) Ways(s exporters.Setup) []exporters.Way {
	return exporters.Offer(s, x.Name(), exporters.Way{
		Route: exporters.RouteNone, Title: "A trigger condition",
		Reason: "It keeps the flow from starting itself by its own change.",
		Cost:   "Nothing. It does not stop a copy that the sender repeats.",
	})
}

// Build makes the self-edit checklist. With a rule it holds the event key too.
func (x exporter) Build(s exporters.Setup) (exporters.Checklist, error) {
	if _, err := exporters.Chosen(x, s); err != nil {
		return exporters.Checklist{}, err
	}
	c, err := readCondition(s)
	if err != nil {
		return exporters.Checklist{}, err
	}
	steps := []exporters.Step{
		accountStep(c), copiesStep(), openStep(), c.step(s.Samples), saveStep(),
	}
	if s.Rule != "" {
		steps = append(steps, KeyStep(s))
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
