package powerautomate

import (
	"fmt"

	"dedupedesk/exporters"
	"dedupedesk/exporters/flowdef"
)

// Names of the steps, as expressions read them.
const (
	guardName  = "Run_once"
	claimName  = "Claim"
	answerName = "Answer"
	workName   = "Work"
	yourName   = "Your_work"
)

// runID is the owner of a claim: the same for every try of one run, and another one
// for each run, also for a run that is started again.
const runID = "@workflow()?['run']?['name']"

// A claim is what the generated scope is built from.
type claim struct {
	rule, address string
	event         bool   // send the event, for a formula that is more than fields
	headers       bool   // and the headers with it
	parts         []any  // else the values of the key's parts
	list          string // expression of the list with a key for each item; ""
	answers       bool   // a sender waits for the answer
	atOnce        bool   // and gets it before the work
	goOn          bool   // run although nobody could be asked
	trigger       string // Trigger.Name
}

// Waiting times. A call is repeated after a time-out, 408, 429 and from 500, by the
// same run and so with the same owner, which gets the same answer.
var (
	asking    = flowdef.Retry{Type: "fixed", Count: 2, Interval: "PT10S"}
	reporting = flowdef.Retry{Type: "fixed", Count: 4, Interval: "PT20S"}
)

const (
	askingTime    = "PT1M"
	reportingTime = "PT5M"
)

// answered is the decision in what came back, and nothing where it was no JSON, such
// as the page of a tunnel that leads nowhere.
const answered = "string(actions('" + claimName + "')?['outputs']?['body'])"

const (
	answerText = "@json(if(startsWith(" + answered + ",'{')," + answered + ",'{}'))"
	statusText = "outputs('" + answerName + "')?['status']"
	workState  = "actions('" + workName + "')?['status']"
)

// scope is what goes between the trigger and the end of the flow.
func (c claim) scope() flowdef.Action {
	if c.list == "" {
		s := flowdef.Scope(guardName, flowdef.Chain(c.steps()...))
		s.Description = "Reserves the event key before the work, and reports the work afterwards."
		return s
	}
	loop := flowdef.Foreach(loopName, c.list, flowdef.Chain(c.steps()...))
	steps := []flowdef.Action{loop}
	if c.answers && c.atOnce {
		steps = []flowdef.Action{c.reply("Tell_the_sender", 200, "taken"), loop}
	} else if c.answers {
		all := flowdef.If("Is_every_line_done", flowdef.Equals("actions('"+loopName+"')?['status']", flowdef.Succeeded),
			flowdef.Actions{c.reply("Tell_the_sender_done", 200, "done")},
			flowdef.Chain(c.reply("Tell_the_sender_again", 503, "not_all_done"), flowdef.Fail("End_as_failed", "lines_open", "Not every line is done. The sender sends again.")))
		all.RunAfter = afterAll(loopName)
		steps = append(steps, all)
	}
	s := flowdef.Scope(guardName, flowdef.Chain(steps...))
	s.Description = "Reserves a key for each line before its work, and reports it afterwards."
	return s
}

// afterAll lets a step run whatever became of the one before it.
func afterAll(name string) flowdef.After {
	return flowdef.After{name: {flowdef.Succeeded, flowdef.Failed, flowdef.TimedOut}}
}

// steps reserve, work and report for one key. They follow one another without side
// branches, where a step that answers the sender could not stand.
func (c claim) steps() []flowdef.Action {
	answer := flowdef.Compose(answerName, answerText)
	answer.RunAfter = afterAll(claimName)
	return []flowdef.Action{
		c.call(claimName, "claim?answer=branch", c.claimBody(), asking, askingTime),
		answer,
		flowdef.If("Is_it_ours", c.mayRun(), flowdef.Chain(c.work()...), flowdef.Actions{
			flowdef.If("Is_it_a_copy", copyTest(), c.copy(), c.noAnswer()),
		}),
	}
}

// mayRun holds for a key that this run got. With goOn it holds too where nobody
// decided: no answer of this program came, or its own 503.
func (c claim) mayRun() flowdef.Test {
	ours := flowdef.Equals(statusText, "claimed")
	if !c.goOn {
		return ours
	}
	return flowdef.Any(ours, flowdef.Equals(statusText, flowdef.Null), flowdef.Equals(statusText, 503))
}

// copyTest holds for every decision that is no reservation.
func copyTest() flowdef.Test {
	return flowdef.Test{"contains": []any{"@createArray('done','held','ignored','in_progress','mismatch')", "@" + statusText}}
}

func (c claim) single() bool { return c.list == "" }

// work is the person's own work with the two reports behind it. The sender hears
// before the report, so that a ledger out of reach keeps no sender waiting.
func (c claim) work() []flowdef.Action {
	var steps []flowdef.Action
	if c.single() && c.answers && c.atOnce {
		steps = append(steps, c.reply("Tell_the_sender", 200, "taken"))
	}
	work := flowdef.Scope(workName, flowdef.Actions{flowdef.Compose(yourName, "REPLACE_WITH_YOUR_WORK")})
	work.Description = "Put your own steps in here, in place of Your work."
	var done, failed []flowdef.Action
	if c.single() && c.answers && !c.atOnce {
		done = append(done, c.reply("Tell_the_sender_done", 200, "done"))
		failed = append(failed, c.reply("Tell_the_sender_failed", 500, "failed"))
	}
	done = append(done, c.reserved("Was_it_reserved", c.call("Finish", "done", c.report("result", "@{outputs('"+yourName+"')}"), reporting, reportingTime)))
	release := c.reserved("Was_it_reserved_before", c.call("Let_it_run_again", "release", c.report("error", "The scope Work ended as @{"+workState+"}."), reporting, reportingTime))
	end := c.fail("End_as_failed", "work_failed", "Work failed. Its event key may run again.")
	end.RunAfter = afterAll(release.Name)
	failed = append(failed, release, end)
	check := flowdef.If("Did_it_work", flowdef.Equals(workState, flowdef.Succeeded), flowdef.Chain(done...), flowdef.Chain(failed...))
	check.RunAfter = afterAll(workName)
	return append(steps, work, check)
}

// reserved puts a report behind the question whether there is anything to report. It
// is asked only where the work may have run without a key.
func (c claim) reserved(name string, report flowdef.Action) flowdef.Action {
	if !c.goOn {
		return report
	}
	return flowdef.If(name, flowdef.Equals(statusText, "claimed"), flowdef.Actions{report}, flowdef.Actions{})
}

// copy ends a copy without an alert. A sender whose event is still being worked at has
// to ask again, for that work may fail.
func (c claim) copy() flowdef.Actions {
	again := c.answers && !c.atOnce
	switch {
	case !c.single() && again:
		return flowdef.Actions{flowdef.If("Is_another_run_at_it", flowdef.Equals(statusText, "in_progress"),
			flowdef.Actions{flowdef.Raise("Ask_again_later", "another run is at this line")}, flowdef.Actions{})}
	case !c.single():
		return flowdef.Actions{flowdef.Compose("Copy_stopped", "@"+statusText)}
	case c.answers:
		code := any(200)
		if again {
			code = "@if(equals(" + statusText + ",'in_progress'),503,200)"
		}
		return flowdef.Chain(c.reply("Tell_the_sender_copy", code, "@"+statusText), flowdef.Cancel("End_the_copy"))
	}
	return flowdef.Actions{flowdef.Cancel("End_the_copy")}
}

// noAnswer ends a run that could not ask, or whose question was refused.
func (c claim) noAnswer() flowdef.Actions {
	end := c.fail("End_without_answer", "no_answer", "Nothing was done: no decision came from the ledger. Look at the step Claim.")
	if c.single() && c.answers {
		return flowdef.Chain(c.reply("Tell_the_sender_later", 503, "unreachable"), end)
	}
	return flowdef.Actions{end}
}

// fail ends the run as failed, or the line in a loop, where no run may be ended.
func (c claim) fail(name, code, message string) flowdef.Action {
	if c.single() {
		return flowdef.Fail(name, code, message)
	}
	return flowdef.Raise(name, message)
}

// call is a request to the ledger.
func (c claim) call(name, what string, body any, retry flowdef.Retry, timeout string) flowdef.Action {
	return flowdef.HTTP(name, flowdef.Call{
		Method: "POST", URI: flowdef.Text(c.address + "/v1/" + what),
		Headers: map[string]string{"Authorization": "Bearer " + exporters.Placeholder, "Content-Type": "application/json"},
		Body:    body, Retry: retry,
	}, timeout)
}

// claimBody names the event. Values travel as JSON of their own kind, so that a number
// stays a number; the server trims, escapes and joins them and refuses an empty one.
func (c claim) claimBody() map[string]any {
	body := map[string]any{"rule": flowdef.Text(c.rule), "owner": runID}
	switch {
	case c.event && c.headers:
		body["headers"] = "@triggerOutputs()?['headers']"
		fallthrough
	case c.event:
		body["event"] = "@triggerBody()"
	default:
		body["part"] = c.parts
	}
	return body
}

// report names the key as the claim answered it.
func (c claim) report(more, value string) map[string]any {
	return map[string]any{"rule": flowdef.Text(c.rule), "key": "@outputs('" + answerName + "')?['key']", "owner": runID, more: value}
}

// reply answers the sender with a fixed word; nothing of the event is in it.
func (c claim) reply(name string, code any, word string) flowdef.Action {
	headers := map[string]string{"Content-Type": "application/json"}
	if code != any(200) && code != any(500) {
		headers["Retry-After"] = "60"
	}
	return flowdef.Response(name, flowdef.Reply{StatusCode: code, Headers: headers, Body: map[string]string{"status": word}})
}

// partValues writes each part of the key as a value of the claim.
func partValues(parts []exporters.Part, item string) ([]any, error) {
	values := make([]any, len(parts))
	for i, p := range parts {
		switch {
		case len(p.Path) == 0:
			values[i] = flowdef.Text(p.Literal)
		case len(p.Steps) == 0:
			read, err := value(i, p, item)
			if err != nil {
				return nil, err
			}
			values[i] = "@" + read
		default:
			text, err := valueText(i, p, item)
			if err != nil {
				return nil, err
			}
			values[i] = "@" + text
		}
	}
	return values, nil
}

// checkFile tells what the validator has against data, which is our own fault.
func checkFile(data []byte) error {
	for _, f := range flowdef.Validate(data) {
		if f.Result == exporters.Fail {
			return fmt.Errorf("generated flow: %s: %s", f.Where, f.Text)
		}
	}
	return nil
}

// definition is the whole flow, and nothing where the shape of its trigger is not known.
func (c claim) definition() ([]byte, error) {
	name, trigger, known := c.start()
	if !known {
		return nil, nil
	}
	data, err := flowdef.Indented(flowdef.New(name, trigger, flowdef.Actions{c.scope()}))
	if err != nil {
		return nil, err
	}
	return data, checkFile(data)
}
