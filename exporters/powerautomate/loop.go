package powerautomate

import (
	"dedupedesk/exporters"
)

// LoopName is the loop over the items of an event, as expressions name it, and
// LoopStepID the step that makes it.
const (
	LoopName   = "For_each_line"
	LoopStepID = "loop"
)

// How the item of the loop is read: in a flow, and in a sample as [outputsOf] writes
// it. Our evaluator sees the trigger alone, so there the item stands beside its body.
const (
	loopItem   = "items('" + LoopName + "')"
	sampleItem = "triggerOutputs()?['item']"
)

// listExpression reads the list whose items have keys.
func listExpression(each []string) (string, error) {
	if len(each) == 0 || each[0] != "body" {
		return "", exporters.Cannot("The list of this rule is not part of the event's body, so Power Automate cannot go through it.")
	}
	return "triggerBody()" + below(each[1:]), nil
}

// LoopStep makes the loop over the items that have a key each.
func LoopStep(s exporters.Setup) exporters.Step {
	step := exporters.Step{
		ID: LoopStepID, Title: "Go through the lines",
		Where:      "Below the trigger: + > Add an action > Control > Apply to each. Rename it to For each line. Click into its box > fx (Expression) > paste > Add. In its Settings leave Concurrency control off.",
		ValueLabel: "Expression of the list",
		Why:        "The rule has a key for each line, so that a second delivery repeats only what is still open. One line at a time: two equal lines side by side would both be new.",
		NotFixed:   "A list that is missing fails the run; an empty one does nothing.",
		Sources:    []exporters.Source{actionsPage, limitsPage},
		Tried:      exporters.NotTried,
	}
	list, err := listExpression(s.Each)
	if err == nil {
		err = s.NoItem()
	}
	if err != nil {
		step.Blocked = err.Error()
		return step
	}
	step.Value = list
	return step
}
