package exporters

// The six documented causes of a double run, and one look-alike.
const (
	ActionsRepeat = "actions_repeat"
	SecondCopy    = "second_copy"
	SenderRetries = "sender_retries"
	StepRetries   = "step_retries"
	Replay        = "replay"
	Overlap       = "overlap"
	OwnEdit       = "own_edit" // the look-alike: the automation starts itself
)

// How far a checklist covers a cause.
const (
	Yes    = "yes"
	Partly = "partly"
	No     = "no"
)

// A Cover says how far a checklist helps against one cause.
type Cover struct {
	Cause, Label string
	State        string // Yes, Partly, No
	By           string // the step that helps, or what is left open
}

// Causes returns the six causes with their labels, in the order in which every
// screen shows them, none of them covered.
func Causes() []Cover {
	return []Cover{
		{ActionsRepeat, "A step repeats inside one run", No, ""},
		{SecondCopy, "A second copy of the automation", No, ""},
		{SenderRetries, "The sender sends again", No, ""},
		{StepRetries, "A step tries again after a time-out", No, ""},
		{Replay, "A run is replayed", No, ""},
		{Overlap, "Runs overlap", No, ""},
	}
}

// OwnEdits says how far the look-alike is covered: an automation whose own change starts
// it. It is told where a change can start one.
func OwnEdits(what, state, by string) Cover {
	return Cover{OwnEdit, "The " + what + " starts itself", state, by}
}

// Covered returns the six causes in their order with the state and reason that
// answers gives for each. A cause without an answer stays No.
func Covered(answers map[string]Cover) []Cover {
	all := Causes()
	for i, c := range all {
		if a, ok := answers[c.Cause]; ok {
			all[i].State, all[i].By = a.State, a.By
		}
	}
	return all
}
