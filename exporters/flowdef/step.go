package flowdef

import "dedupedesk/exporters/wdl"

// A Call is the inputs of an HTTP request.
type Call struct {
	Method  string            `json:"method"`
	URI     string            `json:"uri"`
	Headers map[string]string `json:"headers"`
	Body    any               `json:"body"`
	Retry   Retry             `json:"retryPolicy"`
}

// A Retry says how often a request is sent again after a time-out, 408, 429 or an
// error from 500. Without one the platform sends it up to twelve times again.
type Retry struct {
	Type     string `json:"type"` // fixed, none
	Count    int    `json:"count,omitempty"`
	Interval string `json:"interval,omitempty"`
}

// HTTP is a request that may take timeout with all its retries. What it sends is hidden
// in the run history, for a password may be in it.
func HTTP(name string, call Call, timeout string) Action {
	return Action{Name: name, Type: "Http", Limit: &Limit{timeout}, Inputs: call, Configuration: &Configuration{Secure: &Hidden{[]string{"inputs"}}}}
}

// Compose keeps a value for later steps.
func Compose(name string, value any) Action {
	return Action{Name: name, Type: "Compose", Inputs: value}
}

// Scope holds steps together.
func Scope(name string, list Actions) Action {
	return Action{Name: name, Type: "Scope", Actions: list}
}

// If runs yes where the test holds, else no.
func If(name string, test Test, yes, no Actions) Action {
	return Action{Name: name, Type: "If", Expression: test, Actions: yes, Else: &Branch{no}}
}

// A Test is a condition as the designer shows it in rows: an operator with what it
// looks at.
type Test map[string]any

// Equals holds where the expression gives value.
func Equals(expression string, value any) Test {
	return Test{"equals": []any{"@" + expression, value}}
}

// Any holds where one of the tests does.
func Any(tests ...Test) Test { return Test{"or": tests} }

// All holds where each of the tests does.
func All(tests ...Test) Test { return Test{"and": tests} }

// Null is the value that is not there, as a test compares with it.
const Null = "@null"

// Foreach runs the steps for each item of the list, one item after the other.
func Foreach(name, list string, steps Actions) Action {
	return Action{Name: name, Type: "Foreach", Foreach: "@" + list, Actions: steps, Configuration: &Configuration{Concurrency: &Repetitions{1}}}
}

// A Reply is the inputs of a response to the caller of the flow.
type Reply struct {
	StatusCode any               `json:"statusCode"` // a number or an expression
	Headers    map[string]string `json:"headers"`
	Body       any               `json:"body"`
}

// Response answers the caller. It works below an HTTP trigger alone, outside of
// loops and side branches, and once a run.
func Response(name string, r Reply) Action {
	return Action{Name: name, Type: "Response", Kind: "Http", Inputs: r}
}

type ending struct {
	RunStatus string    `json:"runStatus"`
	RunError  *runError `json:"runError,omitempty"`
}

type runError struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// Cancel ends the run without an alert. It must not stand in a loop.
func Cancel(name string) Action {
	return Action{Name: name, Type: "Terminate", Inputs: ending{RunStatus: "Cancelled"}}
}

// Fail ends the run as failed. It must not stand in a loop.
func Fail(name, code, message string) Action {
	return Action{Name: name, Type: "Terminate", Inputs: ending{RunStatus: Failed, RunError: &runError{code, message}}}
}

// Raise makes what it stands in fail with that message, in a loop too, where no
// Terminate may stand: a text that is no number cannot be read as one.
func Raise(name, message string) Action {
	return Compose(name, "@int("+wdl.Quote(message)+")")
}
