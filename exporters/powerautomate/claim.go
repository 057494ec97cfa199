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
)

// RunID is the owner of a claim: the same for every try of one run, and another one
// for each run, also for a run that is started again.
const RunID = "@workflow()?['run']?['name']"

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
	codeText   = "outputs('" + answerName + "')?['code']"
)

// scope is what goes between the trigger and the end of the flow.
func (c claim) scope() flowdef.Action { return c.guard().Scope() }

func (c claim) guard() flowdef.Guard {
	answer := flowdef.Compose(answerName, answerText)
	answer.RunAfter = flowdef.Always(claimName)
	g := flowdef.Guard{
		Name: guardName, About: "Reserves the event key before the work, and reports the work afterwards.",
		List: c.list, Loop: LoopName,
		Reserve: flowdef.Actions{c.call(claimName, "claim?answer=branch", c.claimBody(), asking, askingTime), answer},
		Settled: flowdef.After{answerName: {flowdef.Succeeded}},
		Ours:    c.mayRun(), Copy: copyTest(),
		Finish:  c.reserved("Was_it_reserved", c.call("Finish", "done", c.report("result", flowdef.WorkResult), reporting, reportingTime)),
		Release: c.reserved("Was_it_reserved_before", c.call("Let_it_run_again", "release", c.report("error", "The scope Work ended as @{"+flowdef.WorkState+"}."), reporting, reportingTime)),
		Reply:   c.answers, AtOnce: c.atOnce, CopyCode: 200, CopyWord: "@" + statusText,
		Again: flowdef.Any(flowdef.Equals(statusText, "in_progress"), flowdef.Equals(statusText, "held")),
	}
	if !c.atOnce {
		g.CopyCode = "@if(contains(createArray('in_progress','held')," + statusText + "),503,200)"
	}
	return g
}

// mayRun holds for a key that this run got. With goOn it holds too where nobody of ours
// answered. An answer of this program has a status, or a code where it refuses: while a
// person keeps all grants paused too, which has to stop this run.
func (c claim) mayRun() flowdef.Test {
	ours := flowdef.Equals(statusText, "claimed")
	if !c.goOn {
		return ours
	}
	return flowdef.Any(ours, flowdef.All(flowdef.Equals(statusText, flowdef.Null), flowdef.Equals(codeText, flowdef.Null)))
}

// copyTest holds for every decision that is no reservation.
func copyTest() flowdef.Test {
	return flowdef.Test{"contains": []any{"@createArray('done','held','ignored','in_progress','mismatch')", "@" + statusText}}
}

// reserved puts a report behind the question whether there is anything to report. It
// is asked only where the work may have run without a key.
func (c claim) reserved(name string, report flowdef.Action) flowdef.Action {
	if !c.goOn {
		return report
	}
	return flowdef.If(name, flowdef.Equals(statusText, "claimed"), flowdef.Actions{report}, flowdef.Actions{})
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
	body := map[string]any{"rule": flowdef.Text(c.rule), "owner": RunID}
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
	return map[string]any{"rule": flowdef.Text(c.rule), "key": "@outputs('" + answerName + "')?['key']", "owner": RunID, more: value}
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
