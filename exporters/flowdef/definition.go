package flowdef

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// schemaAddress names the language and its version.
const schemaAddress = "https://schema.management.azure.com/providers/Microsoft.Logic/schemas/2016-06-01/workflowdefinition.json#"

// A Definition is a flow.
type Definition struct {
	Schema         string               `json:"$schema"`
	ContentVersion string               `json:"contentVersion"`
	Parameters     map[string]Parameter `json:"parameters"`
	Triggers       map[string]Trigger   `json:"triggers"` // exactly one
	Actions        Actions              `json:"actions"`
	Outputs        struct{}             `json:"outputs"`
}

// A Parameter is a value that the platform fills in.
type Parameter struct {
	DefaultValue struct{} `json:"defaultValue"`
	Type         string   `json:"type"`
}

// New returns a definition of one trigger and what runs after it.
func New(name string, t Trigger, actions Actions) Definition {
	return Definition{
		Schema: schemaAddress, ContentVersion: "1.0.0.0",
		Parameters: map[string]Parameter{"$connections": {Type: "Object"}, "$authentication": {Type: "SecureObject"}},
		Triggers:   map[string]Trigger{name: t},
		Actions:    actions,
	}
}

// A Trigger starts the flow.
type Trigger struct {
	Type       string      `json:"type"`
	Kind       string      `json:"kind,omitempty"`
	Recurrence *Recurrence `json:"recurrence,omitempty"`
	SplitOn    string      `json:"splitOn,omitempty"`
	Conditions []Condition `json:"conditions,omitempty"`
	Inputs     any         `json:"inputs,omitempty"`
}

// A Recurrence is how often the trigger looks for news.
type Recurrence struct {
	Frequency string `json:"frequency"`
	Interval  int    `json:"interval"`
}

// A Condition of a trigger is one line that must be true.
type Condition struct {
	Expression string `json:"expression"`
}

// An Action is one step. Steps of the same list are written in their order, which
// the platform does not look at: RunAfter says it.
type Action struct {
	Name          string         `json:"-"` // letters, digits and underscores, at most 80 characters
	Type          string         `json:"type"`
	Kind          string         `json:"kind,omitempty"`
	Description   string         `json:"description,omitempty"` // at most 256 characters
	RunAfter      After          `json:"runAfter"`
	Limit         *Limit         `json:"limit,omitempty"`
	Foreach       string         `json:"foreach,omitempty"`
	Expression    any            `json:"expression,omitempty"`
	Actions       Actions        `json:"actions,omitempty"`
	Else          *Branch        `json:"else,omitempty"`
	Inputs        any            `json:"inputs,omitempty"`
	Configuration *Configuration `json:"runtimeConfiguration,omitempty"`
}

// After names the actions that come before, each with the results on which this
// one runs. Nil and none are the same: it runs at once.
type After map[string][]string

// MarshalJSON writes none as an empty object.
func (a After) MarshalJSON() ([]byte, error) {
	if a == nil {
		return []byte("{}"), nil
	}
	return json.Marshal(map[string][]string(a))
}

// Results on which a following action can run.
const (
	Succeeded = "Succeeded"
	Failed    = "Failed"
	TimedOut  = "TimedOut"
	Skipped   = "Skipped"
)

// A Limit bounds the time of an action with all of its retries.
type Limit struct {
	Timeout string `json:"timeout"`
}

// A Branch is what runs where a condition is false.
type Branch struct {
	Actions Actions `json:"actions"`
}

// A Configuration says how many items of a loop run side by side, and what the run
// history hides.
type Configuration struct {
	Concurrency *Repetitions `json:"concurrency,omitempty"`
	Secure      *Hidden      `json:"secureData,omitempty"`
}

// Hidden names what is left out of the run history: inputs, outputs.
type Hidden struct {
	Properties []string `json:"properties"`
}

// Repetitions is a number from 1 to 50.
type Repetitions struct {
	Repetitions int `json:"repetitions"`
}

// Actions are the steps of a flow, a branch or a loop.
type Actions []Action

// MarshalJSON writes an object in the order of the list.
func (a Actions) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, action := range a {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := Marshal(action.Name)
		if err != nil {
			return nil, err
		}
		body, err := Marshal(action)
		if err != nil {
			return nil, err
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(body)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// Chain lets each action run after the one before it, where nothing else is said. What
// comes after a Response runs in any case: the caller may have hung up.
func Chain(list ...Action) Actions {
	for i := 1; i < len(list); i++ {
		before := list[i-1]
		switch {
		case list[i].RunAfter != nil:
		case before.Type == "Response":
			list[i].RunAfter = After{before.Name: {Succeeded, Failed, TimedOut, Skipped}}
		default:
			list[i].RunAfter = After{before.Name: {Succeeded}}
		}
	}
	return list
}

// Marshal writes v as JSON on one line, with <, > and & as they are.
func Marshal(v any) ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, fmt.Errorf("flow definition: %w", err)
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}

// Indented writes v as JSON for people.
func Indented(v any) ([]byte, error) {
	data, err := Marshal(v)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := json.Indent(&out, data, "", "  "); err != nil {
		return nil, fmt.Errorf("flow definition: %w", err)
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}
