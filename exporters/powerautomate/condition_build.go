package powerautomate

import (
	"slices"

	"dedupedesk/exporters"
)

var generationField = exporters.Field{
	Name: "generation", Label: "How the trigger writes its paths", Routes: []string{exporters.RouteNone},
	Help:    "As its own fields look in an expression. The line below works in both.",
	Choices: []exporters.Choice{{Value: current, Text: "triggerOutputs()?['body/Editor/Email']"}, {Value: classic, Text: "triggerBody()?['Editor']?['Email']"}},
}

const (
	defaultEditor = "Editor/Email"
	current       = "current"
	classic       = "classic"

	accountDetail = "account"
	userDetail    = "user"
)

func conditionTriggerField() exporters.Field {
	f := exporters.Field{
		Name: triggerName, Label: "What starts the flow?", Routes: []string{exporters.RouteNone},
		Help: "It decides which fields an event has, and what a condition can see.", Senders: startsBySender(),
	}
	for _, t := range Triggers() {
		f.Choices = append(f.Choices, exporters.Choice{Value: t.Name, Text: t.Title})
	}
	return f
}

func recipeField() exporters.Field {
	f := exporters.Field{
		Name: recipeName, Label: "What is the condition for?", Routes: []string{exporters.RouteNone},
		Help: "Not each of them fits what starts your flow; the step says which do.",
	}
	for _, r := range recipes("") {
		f.Choices = append(f.Choices, exporters.Choice{Value: r.Name, Text: r.Title})
	}
	return f
}

// pathField asks for the field, where the recipe reads one.
func pathField() exporters.Field {
	f := exporters.Field{
		Name: fieldName, Label: "Field", Routes: []string{exporters.RouteNone}, Only: map[string][]string{},
		Help:    "Its path in the trigger outputs, with slashes or as an expression. Left empty, it is the usual one where there is one, such as Editor/Email for own changes in SharePoint.",
		Example: defaultEditor,
	}
	for _, r := range recipes("") {
		if !r.NoField {
			f.Only[recipeName] = append(f.Only[recipeName], r.Name)
		}
	}
	return f
}

// valueFields ask for what the field is compared with, one for each kind of value.
func valueFields() []exporters.Field {
	var list []exporters.Field
	ask := func(r recipe, triggers ...string) {
		f := r.Value
		f.Name, f.Routes, f.Only = r.detail, []string{exporters.RouteNone}, map[string][]string{recipeName: {r.Name}}
		if len(triggers) > 0 {
			f.Only[triggerName] = triggers
		}
		list = append(list, f)
	}
	ask(ownEdits(SharePointItem), SharePointItem, SharePointFile, OutlookMail)
	ask(ownEdits(TeamsMessage), TeamsMessage, DataverseRow)
	for _, r := range recipes("") {
		if r.check != nil && r.Name != OwnEdits {
			ask(r)
		}
	}
	return list
}

func conditionFields() []exporters.Field {
	return slices.Concat([]exporters.Field{conditionTriggerField(), recipeField()}, valueFields(), []exporters.Field{pathField(), generationField})
}

// buildCondition makes the checklist of the trigger condition. With a rule it holds
// the event key too, unless the work may be done twice.
func (x exporter) buildCondition(s exporters.Setup) (exporters.Checklist, error) {
	c, err := readCondition(s)
	if err != nil {
		return exporters.Checklist{}, err
	}
	var steps []exporters.Step
	if c.recipe.Name == OwnEdits {
		steps = append(steps, accountStep(c))
	}
	steps = append(steps, copiesStep(), openStep(), c.step(s.Samples), saveStep())
	withKey := s.Rule != "" && s.Answered(exporters.EffectQuestion()) != exporters.EffectSets
	if withKey {
		steps = append(steps, KeySteps(s)...)
	}
	steps = append(steps, concurrencyStep(), switchOnStep(), proveStep(c, withKey))
	list := exporters.Checklist{
		Platform: x.Name(), Route: exporters.RouteNone, NoKey: s.Rule != "" && !withKey, Steps: steps, Covers: c.covers(),
		Title: "Power Automate: " + c.recipe.Title,
		About: "A trigger condition decides which events start the flow. One that it leaves out makes no run, and does not come back later.",
	}
	if c.recipe.Name == OwnEdits {
		list.Title = "Power Automate: ignore the flow's own edits"
		list.About = "For a flow that changes the item which started it. The trigger then fires again on the flow's own change, and the flow runs in circles."
	}
	return list, nil
}

func (c condition) covers() []exporters.Cover {
	answers := map[string]exporters.Cover{
		exporters.ActionsRepeat: {State: exporters.No, By: "Happens inside a run. Only a unique column or a key at the destination refuses it."},
		exporters.SecondCopy:    {State: exporters.Partly, By: "The step Look for copies of the flow finds them; the condition does not see them."},
		exporters.SenderRetries: {State: exporters.No, By: "Each delivery is a change of its own to the trigger."},
		exporters.StepRetries:   {State: exporters.No, By: "Happens inside a run, after the condition."},
		exporters.Replay:        {State: exporters.No, By: "A resubmitted run starts with the old trigger data."},
		exporters.Overlap:       {State: exporters.Partly, By: "Only with the step One run at a time."},
	}
	own := exporters.OwnEdits("flow", exporters.No, "This condition does not look at who made the change.")
	switch c.recipe.Name {
	case OwnEdits:
		own.State, own.By = exporters.Yes, "The trigger condition."
		if c.recipe.detail == userDetail {
			own.State, own.By = exporters.Partly, "The trigger condition, where the event names who changed the row. That it does each time is not confirmed: a row without that field starts the flow."
		}
	case ValueIs, NotYes, OnlyNew, ReplyLoop:
		own.State, own.By = exporters.Partly, "The trigger condition, as long as the flow's own change makes it false."
	}
	return append(exporters.Covered(answers), own)
}
