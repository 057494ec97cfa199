package flowtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"

	"dedupedesk/exporters/flowdef"
)

// A Request is what an HTTP action sends.
type Request struct {
	Method, URI string
	Headers     map[string]string
	Body        []byte
}

// An Answer is what came back. Lost tells that no answer came at all.
type Answer struct {
	Status int
	Body   []byte
	Lost   bool
}

// A Run is one run of a flow, before and after.
type Run struct {
	ID      string          // workflow()?['run']?['name']
	Trigger json.RawMessage // triggerOutputs()
	Send    func(Request) Answer
	// Connect answers a step of a connector: its operation and its parameters.
	Connect func(operation string, parameters map[string]any) Answer
	// Work stands in for the actions inside of scopes of that name: it returns what
	// outputs of Your_work are, or an error for a failure. item is what a loop is at.
	Work func(item any) (any, error)

	Status   string // Succeeded, Failed, Cancelled
	Error    string // code of the Terminate that ended it
	Replied  int    // status of the Response, 0 where there was none
	Statuses map[string]string
	outputs  map[string]any
	items    map[string]any
	hung     bool
}

// HangUp makes every Response of the run fail, as where the caller has gone.
func (r *Run) HangUp() { r.hung = true }

// ended is the signal of a Terminate.
type ended struct{ status, code string }

// Do runs the definition. It returns an error for one that it cannot follow.
func (r *Run) Do(definition []byte) (err error) {
	var d struct {
		Actions map[string]action `json:"actions"`
	}
	if err := json.Unmarshal(definition, &d); err != nil {
		return fmt.Errorf("definition: %w", err)
	}
	r.Statuses, r.outputs, r.items = map[string]string{}, map[string]any{}, map[string]any{}
	status, end, err := r.block(d.Actions)
	switch {
	case err != nil:
		return err
	case end != nil:
		r.Status, r.Error = end.status, end.code
	default:
		r.Status = status
	}
	return nil
}

type action struct {
	Type       string              `json:"type"`
	RunAfter   map[string][]string `json:"runAfter"`
	Expression json.RawMessage     `json:"expression"`
	Foreach    string              `json:"foreach"`
	Actions    map[string]action   `json:"actions"`
	Else       struct {
		Actions map[string]action `json:"actions"`
	} `json:"else"`
	Inputs json.RawMessage `json:"inputs"`
}

// block runs a list of actions and gives its result.
func (r *Run) block(list map[string]action) (string, *ended, error) {
	done := map[string]string{}
	for len(done) < len(list) {
		name, ok := next(list, done)
		if !ok {
			return "", nil, fmt.Errorf("actions %v wait for one another", slices.Sorted(maps.Keys(list)))
		}
		a := list[name]
		status := flowdef.Skipped
		if ready(a, done) {
			var end *ended
			var err error
			if status, end, err = r.step(name, a); err != nil || end != nil {
				return "", end, err
			}
		}
		done[name], r.Statuses[name] = status, status
	}
	for name := range list {
		if last(list, name) && bad(list, done, name) {
			return flowdef.Failed, nil, nil
		}
	}
	return flowdef.Succeeded, nil, nil
}

// next is a step whose predecessors have ended.
func next(list map[string]action, done map[string]string) (string, bool) {
	for _, name := range slices.Sorted(maps.Keys(list)) {
		if _, over := done[name]; over {
			continue
		}
		free := true
		for before := range list[name].RunAfter {
			_, over := done[before]
			free = free && over
		}
		if free {
			return name, true
		}
	}
	return "", false
}

func ready(a action, done map[string]string) bool {
	for before, states := range a.RunAfter {
		if !slices.Contains(states, done[before]) {
			return false
		}
	}
	return true
}

func last(list map[string]action, name string) bool {
	for _, a := range list {
		if _, ok := a.RunAfter[name]; ok {
			return false
		}
	}
	return true
}

// bad reports whether a last step failed, or was left out after a failure.
func bad(list map[string]action, done map[string]string, name string) bool {
	switch done[name] {
	case flowdef.Failed, flowdef.TimedOut:
		return true
	case flowdef.Skipped:
		for before := range list[name].RunAfter {
			if bad(list, done, before) {
				return true
			}
		}
	}
	return false
}

// step runs one action.
func (r *Run) step(name string, a action) (string, *ended, error) {
	switch a.Type {
	case "Scope":
		if name == "Work" {
			return r.work(), nil, nil
		}
		return r.block(a.Actions)
	case "If":
		yes, err := r.test(a.Expression)
		if err != nil {
			return flowdef.Failed, nil, nil
		}
		if yes {
			return r.block(a.Actions)
		}
		return r.block(a.Else.Actions)
	case "Foreach":
		return r.loop(name, a)
	case "Compose":
		v, err := r.fill(a.Inputs)
		if err != nil {
			return flowdef.Failed, nil, nil
		}
		r.outputs[name] = v
		return flowdef.Succeeded, nil, nil
	case "Http":
		return r.http(name, a.Inputs)
	case "OpenApiConnection":
		return r.connect(name, a.Inputs)
	case "Response":
		return r.reply(a.Inputs)
	case "Terminate":
		var in struct {
			RunStatus string
			RunError  struct{ Code string }
		}
		err := json.Unmarshal(a.Inputs, &in)
		return "", &ended{in.RunStatus, in.RunError.Code}, err
	}
	return "", nil, fmt.Errorf("action %s has the type %q, which is not known here", name, a.Type)
}

func (r *Run) work() string {
	v, err := r.Work(r.items["For_each_line"])
	if err != nil {
		return flowdef.Failed
	}
	r.outputs["Your_work"] = v
	return flowdef.Succeeded
}

func (r *Run) loop(name string, a action) (string, *ended, error) {
	list, err := r.value(a.Foreach)
	items, ok := list.([]any)
	if err != nil || !ok {
		return flowdef.Failed, nil, nil
	}
	status := flowdef.Succeeded
	for _, item := range items {
		r.items[name] = item
		one, end, err := r.block(a.Actions)
		if err != nil || end != nil {
			return "", end, err
		}
		if one != flowdef.Succeeded {
			status = one
		}
	}
	return status, nil, nil
}

func (r *Run) http(name string, inputs json.RawMessage) (string, *ended, error) {
	v, err := r.fill(inputs)
	if err != nil {
		return flowdef.Failed, nil, nil
	}
	in, _ := v.(map[string]any)
	body, err := json.Marshal(in["body"])
	if err != nil {
		return "", nil, fmt.Errorf("body of %s: %w", name, err)
	}
	req := Request{Method: text(in["method"]), URI: text(in["uri"]), Headers: map[string]string{}, Body: body}
	headers, _ := in["headers"].(map[string]any)
	for key, value := range headers {
		req.Headers[key] = text(value)
	}
	return r.came(name, r.Send(req)), nil, nil
}

func (r *Run) connect(name string, inputs json.RawMessage) (string, *ended, error) {
	v, err := r.fill(inputs)
	if err != nil {
		return flowdef.Failed, nil, nil
	}
	in, _ := v.(map[string]any)
	host, _ := in["host"].(map[string]any)
	parameters, _ := in["parameters"].(map[string]any)
	return r.came(name, r.Connect(text(host["operationId"]), parameters)), nil, nil
}

// came notes what came back, and whether the step failed by it.
func (r *Run) came(name string, answer Answer) string {
	delete(r.outputs, name)
	if answer.Lost {
		return flowdef.Failed
	}
	r.outputs[name] = map[string]any{"statusCode": json.Number(fmt.Sprint(answer.Status)), "body": decoded(answer.Body)}
	if answer.Status >= http.StatusBadRequest {
		return flowdef.Failed
	}
	return flowdef.Succeeded
}

func text(v any) string { s, _ := v.(string); return s }

// decoded is JSON as its value, and anything else as text.
func decoded(data []byte) any {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return string(data)
	}
	return v
}

func (r *Run) reply(inputs json.RawMessage) (string, *ended, error) {
	v, err := r.fill(inputs)
	in, _ := v.(map[string]any)
	if err != nil || r.Replied != 0 || r.hung {
		return flowdef.Failed, nil, nil
	}
	_, err = fmt.Sscan(fmt.Sprint(in["statusCode"]), &r.Replied)
	return flowdef.Succeeded, nil, err
}
