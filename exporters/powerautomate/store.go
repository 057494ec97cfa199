package powerautomate

import (
	"strings"

	"dedupedesk/exporters"
	"dedupedesk/exporters/flowdef"
)

// Names of the steps of a flow that keeps its keys in a list or table, as expressions
// read them.
const (
	KeyName     = "Event_key"
	ReserveName = "Reserve"
)

// ReservedBody reads a member of the row that Reserve wrote.
func ReservedBody(member string) string {
	return "outputs('" + ReserveName + "')?['body']" + below([]string{member})
}

// A Store is a list or table that refuses the second row of a key: the calls that write,
// close and delete the row, and the texts that tell a copy from another failure.
type Store struct {
	About                    string
	Reserve, Finish, Release flowdef.Connection
	Copy                     []string
}

// Scope is what goes between the trigger and the end of the flow. key is the expression
// of the key, each that of the list whose items have one, "" for one key. The row is
// written once: a second try would meet the row of the first.
func (s Store) Scope(key, each string) flowdef.Action {
	again := flowdef.Retry{Type: "fixed", Count: 4, Interval: "PT20S"}
	return flowdef.Guard{
		Name: guardName, About: s.About, List: each, Loop: LoopName,
		Reserve: flowdef.Chain(flowdef.Compose(KeyName, "@"+key), flowdef.Once(ReserveName, s.Reserve)),
		Settled: flowdef.Always(ReserveName),
		Ours:    flowdef.Equals(reserveState, flowdef.Succeeded),
		Copy:    flowdef.Equals(copyTestOf(s.Copy), true),
		Finish:  flowdef.Repeated("Finish", s.Finish, again),
		Release: flowdef.Repeated("Let_it_run_again", s.Release, again),
	}.Scope()
}

const reserveState = "actions('" + ReserveName + "')?['status']"

func copyTestOf(texts []string) string {
	return flowdef.DuplicateTest("actions('"+ReserveName+"')?['outputs']", texts)
}

// KeysByHand say that the steps of [KeySteps] are in the scope already.
func KeysByHand(keys []exporters.Step) []exporters.Step {
	for i, step := range keys {
		keys[i].Title = "By hand: " + strings.ToLower(step.Title[:1]) + step.Title[1:]
		keys[i].Why = "The pasted scope holds it already: make it only where you build by hand. " + step.Why
	}
	return keys
}

// ByHand are the steps that build the scope of a store without a paste, between the one
// that reserves and the one that reports. run and since are the columns for the run and
// the time.
func (s Store) ByHand(run, since, place string, sources ...exporters.Source) []exporters.Step {
	errors := []exporters.Source{actionsPage, designerPage}
	return []exporters.Step{
		{
			ID: "reserve-run", Title: "By hand: say whose key it is",
			Where: "In Reserve: " + run + ": fx (Expression) > paste. " + since + ": fx > utcNow().",
			Value: RunID[1:], ValueLabel: "Expression of " + run,
			Why:      "By it a person finds the run of a key that got stuck.",
			NotFixed: "A run that is started again has another id.",
			Sources:  []exporters.Source{functionsPage}, Tried: exporters.NotTried,
		},
		{
			ID: "is-ours", Title: "By hand: ask whose key it is",
			Where: "Below Reserve: Condition, renamed to Is it ours; its Settings > Run after > Reserve: is successful, has failed, has timed out. Left side: fx (Expression) > paste; is equal to; " + flowdef.Succeeded + ". If yes: Scope, renamed to Work.",
			Value: reserveState, ValueLabel: "Expression of the left side",
			Why:      "Only the run whose row was taken goes on.",
			NotFixed: "What comes behind If no is told by the next step.",
			Sources:  errors, Tried: exporters.NotTried,
		},
		{
			ID: "run-after", Title: "By hand: tell a copy from a failure",
			Where: "In If no of Is it ours: Condition, renamed to Is it a copy. Left side: fx (Expression) > paste; is equal to; true (as an expression). Its If yes: Terminate, Status Cancelled. Its If no: Terminate, Status Failed.",
			Value: copyTestOf(s.Copy), ValueLabel: "Expression of the left side",
			Why:      "Treating each failure as a copy would lose events whenever " + place + " is busy or a connection has expired.",
			NotFixed: "In a loop no Terminate can stand: leave If yes empty there, and in If no put Compose with the expression int('not a copy'), which fails.",
			Sources:  append(errors, sources...), Tried: "The expression was worked out here on failures from public reports. Not tried in Power Automate.",
		},
		{
			ID: "did-it-work", Title: "By hand: ask whether the work was done",
			Where: "Behind the scope Work: Condition, renamed to Did it work; its Settings > Run after > Work: is successful, has failed, has timed out. Left side: fx (Expression) > paste; is equal to; " + flowdef.Succeeded + ".",
			Value: flowdef.WorkState, ValueLabel: "Expression of the left side",
			Why:      "A failure of any step inside Work comes to this one place.",
			NotFixed: "A run that is cancelled by hand, and a Terminate of your own inside Work, never come here.",
			Sources:  errors, Tried: exporters.NotTried,
		},
	}
}
