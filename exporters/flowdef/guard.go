package flowdef

// A Guard is the shape of a flow that works once: reserve, ask whether the key is ours,
// work, report. Its steps follow one another without side branches, for there a step that
// answers the caller could not stand.
type Guard struct {
	Name, About string // of the scope around it all

	List string // expression of the list with a key for each item; "" for one key
	Loop string // name of the step that goes through it

	Reserve []Action // its last step tells whether the key is ours
	Settled After    // results of it on which the flow goes on; nil for success alone
	Ours    Test     // the run may work
	Copy    Test     // else: somebody else has the key
	Finish  Action   // after the work
	Release Action   // after work that failed

	Reply    bool // a caller waits for the answer
	AtOnce   bool // and gets it before the work
	CopyCode any  // what a copy is answered with: a number or an expression
	CopyWord any  // and the word with it
	Again    Test // of a line: it is not decided yet, and the caller has to ask again
}

// Names of the steps that a person sees, as expressions read them.
const (
	WorkName = "Work"      // the scope for the person's own steps
	YourName = "Your_work" // what stands in it before
)

// WorkResult is what the work gave, cut to what every store holds: a report that is too
// long would be refused, and leave a key open whose work is done.
const WorkResult = "@{take(string(outputs('" + YourName + "')),250)}"

// WorkState is the expression for the result of the work.
const WorkState = "actions('" + WorkName + "')?['status']"

// Scope is what goes between the trigger and the end of the flow.
func (g Guard) Scope() Action {
	steps := g.steps()
	if !g.single() {
		loop := Foreach(g.Loop, g.List, Chain(steps...))
		steps = []Action{loop}
		if g.Reply && g.AtOnce {
			steps = []Action{respond("Tell_the_sender", 200, "taken"), loop}
		} else if g.Reply {
			steps = append(steps, g.allLines())
		}
	}
	s := Scope(g.Name, Chain(steps...))
	s.Description = g.About
	return s
}

func (g Guard) single() bool { return g.List == "" }

// waits reports whether the caller hears of the end of the work.
func (g Guard) waits() bool { return g.Reply && !g.AtOnce }

// allLines answers the caller when the loop is over.
func (g Guard) allLines() Action {
	all := If("Is_every_line_done", Equals("actions('"+g.Loop+"')?['status']", Succeeded),
		Actions{respond("Tell_the_sender_done", 200, "done")},
		Chain(respond("Tell_the_sender_again", 503, "not_all_done"), Fail("End_as_failed", "lines_open", "Not every line is done. The sender sends again.")))
	all.RunAfter = Always(g.Loop)
	return all
}

// Always lets a step run whatever became of the one before it.
func Always(name string) After { return After{name: {Succeeded, Failed, TimedOut}} }

func (g Guard) steps() []Action {
	ask := If("Is_it_ours", g.Ours, Chain(g.work()...), Actions{If("Is_it_a_copy", g.Copy, g.copied(), g.undecided())})
	ask.RunAfter = g.Settled
	return append(g.Reserve[:len(g.Reserve):len(g.Reserve)], ask)
}

// work is the person's own work with the two reports behind it. The caller hears before
// the report, so that a store out of reach keeps no caller waiting.
func (g Guard) work() []Action {
	var steps, done, failed []Action
	if g.single() && g.Reply && g.AtOnce {
		steps = append(steps, respond("Tell_the_sender", 200, "taken"))
	}
	work := Scope(WorkName, Actions{Compose(YourName, "REPLACE_WITH_YOUR_WORK")})
	work.Description = "Put your own steps in here, in place of Your work."
	if g.single() && g.waits() {
		done = append(done, respond("Tell_the_sender_done", 200, "done"))
		failed = append(failed, respond("Tell_the_sender_failed", 500, "failed"))
	}
	end := g.fail("End_as_failed", "work_failed", "Work failed. Its event key may run again.")
	end.RunAfter = Always(g.Release.Name)
	check := If("Did_it_work", Equals(WorkState, Succeeded), Chain(append(done, g.Finish)...), Chain(append(failed, g.Release, end)...))
	check.RunAfter = Always(WorkName)
	return append(steps, work, check)
}

// copied ends a copy without an alert. A caller whose event is still being worked at has
// to ask again, for that work may fail.
func (g Guard) copied() Actions {
	switch {
	case !g.single() && g.waits() && g.Again != nil:
		return Actions{If("Is_another_run_at_it", g.Again, Actions{Raise("Ask_again_later", "this line is not decided yet")}, Actions{})}
	case !g.single():
		return Actions{Compose("Copy_stopped", "This line is taken already.")}
	case g.Reply:
		return Chain(respond("Tell_the_sender_copy", g.CopyCode, g.CopyWord), Cancel("End_the_copy"))
	}
	return Actions{Cancel("End_the_copy")}
}

// undecided ends a run that could not ask, or whose question was refused.
func (g Guard) undecided() Actions {
	end := g.fail("End_without_answer", "no_answer", "Nothing was done: nobody said whose the key is. Look at the step before Is it ours.")
	if g.single() && g.Reply {
		return Chain(respond("Tell_the_sender_later", 503, "not_reserved"), end)
	}
	return Actions{end}
}

// fail ends the run as failed, or the line in a loop, where no run may be ended.
func (g Guard) fail(name, code, message string) Action {
	if g.single() {
		return Fail(name, code, message)
	}
	return Raise(name, message)
}

// respond answers the caller with one word; nothing of the event is in it.
func respond(name string, code, word any) Action {
	headers := map[string]string{"Content-Type": "application/json"}
	if code != any(200) && code != any(500) {
		headers["Retry-After"] = "60"
	}
	return Response(name, Reply{StatusCode: code, Headers: headers, Body: map[string]any{"status": word}})
}
