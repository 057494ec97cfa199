package n8n

import (
	"strings"

	"github.com/google/uuid"

	"dedupedesk/exporters"
)

// Names of the nodes that expressions read or that a step names.
const (
	eventNode   = "Event arrives"
	listNode    = "The list"
	loopNode    = "One item at a time"
	askNode     = "What to ask"
	claimNode   = "Reserve the key"
	choiceNode  = "Is it this run's?"
	workNode    = "Your work"
	doneNode    = "Finished"
	releaseNode = "Let it run again"
	triggerNode = "Put your trigger here"

	unaskedNode  = "Did nobody answer?"
	reservedNode = "Was it reserved?"
)

// How the calls to this program try again.
const (
	callTries   = 3
	callWait    = 2000  // milliseconds
	callTimeout = 10000 // milliseconds
)

// How often n8n tries the work again where it is the one that does, the most that it
// allows.
const (
	workTries = 5
	workWait  = 5000 // milliseconds
)

// A plan is what a workflow is built from.
type plan struct {
	rule, address string
	asks          []member // that name the event
	each          []string // path of the list, nil for one key
	trigger       string   // webhook, schedule, other
	every         string   // hours, days, minutes: of a schedule
	slot          []string // path of the field that a schedule's planned time stands in
	answers       bool     // the sender hears how it ended: 200, or 500 where it shall send again
	resumes       bool     // n8n tries again and a person goes on; else the key is given back
	goOn          bool     // work without asking where nobody answers
}

// build lays the workflow out from the trigger to the last answer.
func (p plan) build() workflow {
	c := newCanvas(p.rule, p.title())
	p.start(c)
	if len(p.each) > 0 {
		p.loop(c)
	} else {
		p.once(c)
	}
	return c.workflow
}

// title keeps within the 128 characters of a name.
func (p plan) title() string {
	name := []rune("Once per event: " + p.rule)
	return string(name[:min(len(name), 120)])
}

// start makes the item that all other nodes read the event of.
func (p plan) start(c *canvas) {
	switch p.trigger {
	case triggerSchedule:
		c.add(node{Name: "On schedule", Type: "n8n-nodes-base.scheduleTrigger", TypeVersion: 1.2, Parameters: scheduleParameters{scheduleRule{[]interval{{p.every}}}}}, 0, 0)
		c.add(set(eventNode, object(member{"body", nested(p.slot[1:], p.planned())})), 1, 0)
		c.chain("On schedule", eventNode)
	case triggerOther:
		trigger := node{Name: triggerNode, Type: "n8n-nodes-base.manualTrigger", TypeVersion: 1, Parameters: none{}, Notes: "Replace this node by your trigger.", NotesInFlow: true}
		c.add(trigger, 0, 0)
		c.add(set(eventNode, object(member{"body", "$json"})), 1, 0)
		c.chain(triggerNode, eventNode)
	default:
		hook := node{Name: eventNode, Type: "n8n-nodes-base.webhook", TypeVersion: 2, WebhookID: uuid.NewSHA1(c.space, []byte("webhook")).String()}
		hook.Parameters = webhookParameters{HTTPMethod: "POST", Path: hook.WebhookID, ResponseMode: "onReceived"}
		if p.answers {
			// Whatever fails is answered 500, nodes of the person's own too. (With nodes that
			// answer, a run that fails before one of them was answered 200 by n8n 2.8.4.)
			hook.Parameters = webhookParameters{HTTPMethod: "POST", Path: hook.WebhookID, ResponseMode: "lastNode", ResponseData: "noData"}
		}
		c.add(hook, 1, 0)
	}
}

// planned is the time that a run of the schedule was planned for: the same for all
// copies of the run, whatever second each begins at.
func (p plan) planned() string {
	return "$now.startOf(" + quote(strings.TrimSuffix(p.every, "s")) + ").toUTC().toISO()"
}

// nested writes an object with value at path.
func nested(path []string, value string) string {
	for i := len(path) - 1; i >= 0; i-- {
		value = "{ " + quote(path[i]) + ": " + value + " }"
	}
	return value
}

// thisRun begins the owners of a run.
const thisRun = `"n8n-" + $execution.id + "-"`

// again fails, and gives the event to what follows it where a person starts the failed run
// again: n8n begins at the node that failed then, under the number of another run. began
// is where thisRun of the last asking stands.
func again(name, began, event, message string) node {
	return set(name, "={{ "+began+".startsWith("+thisRun+") ? "+quote(message)+" : JSON.stringify("+event+") }}")
}

// owner names the run and the item. It is made once, in a node before the call. The
// end at random keeps two n8n apart whose runs have the same number.
const owner = thisRun + ` + Math.random().toString(36).slice(2)`

func (p plan) askNode() node {
	members := append([]member{{"rule", quote(p.rule)}}, p.asks...)
	return set(askNode, object(append(members, member{"owner", owner})...))
}

// claim reserves the key. Errors stay errors: with them off, a call that failed would
// look like an answer without a status.
func (p plan) claim() node {
	members := []member{{"rule", "$json.rule"}}
	for _, m := range p.asks {
		members = append(members, member{m.name, "$json." + m.name})
	}
	call := p.call(claimNode, "claim?answer=branch", append(members, member{"owner", "$json.owner"}))
	// Whole: an empty list in place of an answer would give no item and end the run without
	// a word. (Always Output Data does not go with an error exit: both are taken then.)
	parameters := call.Parameters.(httpParameters)
	parameters.Options.Response = &httpResponse{httpWhole{true}}
	call.Parameters = parameters
	call.OnError = errorExit
	if p.asksAgain() {
		call.OnError = "" // a person who starts the failed run again asks again, under the same owner
	}
	return call
}

// asksAgain tells that a claim without an answer fails the run in its own node.
func (p plan) asksAgain() bool { return p.resumes && !p.goOn && len(p.each) == 0 }

// identity names the key as the claim answered it.
func identity(more ...member) []member {
	asked := "$(" + quote(askNode) + ").item.json."
	return append([]member{{"rule", asked + "rule"}, {"key", "$(" + quote(claimNode) + ").item.json.body.key"}, {"owner", asked + "owner"}}, more...)
}

func (p plan) call(name, path string, members []member) node {
	return node{
		Name: name, Type: "n8n-nodes-base.httpRequest", TypeVersion: 4.2, RetryOnFail: true, MaxTries: callTries, WaitBetweenTries: callWait,
		Parameters: httpParameters{
			Method: "POST", URL: p.address + "/v1/" + path, Authentication: "genericCredentialType", GenericAuthType: "httpHeaderAuth",
			SendBody: true, SpecifyBody: "json", JSONBody: object(members...), Options: httpOptions{Timeout: callTimeout},
		},
	}
}

// choose tells by the status what to do. What is no known status is no copy.
func choose() node {
	status := "={{ String($json.body?.status) }}" // somebody else's may be no text
	rule := func(name string, words ...string) switchRule {
		return switchRule{Conditions: equals(status, words...), RenameOutput: true, OutputKey: name}
	}
	return node{Name: choiceNode, Type: "n8n-nodes-base.switch", TypeVersion: 3.2, Parameters: switchParameters{
		Mode: "rules",
		Rules: switchRules{[]switchRule{
			rule("Reserved by this run", "claimed"),
			rule("Another run is at it", "in_progress"),
			rule("Copy", "done", "held", "mismatch", "ignored"),
		}},
		Options: switchOptions{FallbackOutput: "extra", RenameFallbackOutput: "No answer of this program"},
	}}
}

// Exits of choose.
const (
	exitClaimed = iota
	exitInProgress
	exitCopy
	exitUnknown
)

// standIn fails until it is replaced, so that no event is reported Finished of which
// nothing was done.
func (p plan) standIn() node {
	sent := []member{{"event", "$(" + quote(eventNode) + ").item.json.body"}}
	if len(p.each) > 0 {
		sent = append(sent, member{"item", "$(" + quote(loopNode) + ").item.json.item"})
	}
	n := node{
		Name: workNode, Type: "n8n-nodes-base.httpRequest", TypeVersion: 4.2, Notes: "Replace this node by your own.", NotesInFlow: true,
		Parameters: httpParameters{
			Method: "POST", URL: "https://replace-with-your-work.invalid/", SendBody: true, SpecifyBody: "json",
			JSONBody: object(sent...), Options: httpOptions{Timeout: callTimeout},
		},
	}
	if p.resumes {
		n.RetryOnFail, n.MaxTries, n.WaitBetweenTries = true, workTries, workWait
		n.AlwaysOutputData = true // work that gives nothing has to be reported all the same
	} else {
		n.OnError = errorExit
	}
	return n
}

// done reports the end with the id of what the work made.
func (p plan) done() node {
	return p.call(doneNode, "done", identity(member{"result", "$json.id"}))
}

// release gives the key back with what went wrong.
func (p plan) release() node {
	return p.call(releaseNode, "release", identity(member{"error", "String($json.error?.message ?? $json.error ?? " + quote("The work failed.") + ")"}))
}

// unasked leads on where nobody answered, and never where this program itself said no:
// its refusals carry the word run.
func unasked() node {
	return node{Name: unaskedNode, Type: "n8n-nodes-base.if", TypeVersion: 2.2, Parameters: ifParameters{
		Conditions: holds(`={{ !/run\W+false/.test(JSON.stringify($json)) }}`),
	}}
}

// reserved leads to the report only where there is a key to report.
func reserved() node {
	return node{Name: reservedNode, Type: "n8n-nodes-base.if", TypeVersion: 2.2, Parameters: ifParameters{
		Conditions: equals("={{ String($("+quote(claimNode)+").item.json.body?.status) }}", "claimed"),
	}}
}

func set(name, output string) node {
	return node{Name: name, Type: "n8n-nodes-base.set", TypeVersion: 3.4, Parameters: setParameters{Mode: "raw", JSONOutput: output}}
}

func quiet(name string) node {
	return node{Name: name, Type: "n8n-nodes-base.noOp", TypeVersion: 1, Parameters: none{}}
}

func stop(name, message string) node {
	return node{Name: name, Type: "n8n-nodes-base.stopAndError", TypeVersion: 1, Parameters: stopParameters{message}}
}

// needsCall reports whether the key reads what only a webhook has.
func needsCall(parts []exporters.Part) bool {
	for _, p := range parts {
		if len(p.Path) > 0 && (p.Path[0] == "headers" || p.Path[0] == "query") {
			return true
		}
	}
	return false
}
