package flowdef

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"dedupedesk/exporters"
	"dedupedesk/exporters/wdl"
)

// Bounds of a flow, from "Limits of automated, scheduled, and instant flows" in the Power
// Automate documentation, read 2026-12-01.
const (
	maxActions     = 500
	maxDepth       = 8
	maxName        = 80
	maxDescription = 256
	maxExpression  = 8192
	maxConditions  = 10 // lines that the designer shows
)

// Recognise reports whether data looks like a flow: what the code view shows, a flow of
// an exported package or of a solution, or a scope from a clipboard.
func Recognise(data []byte) bool {
	_, ok := open(data)
	return ok
}

// Validate checks a flow in any of the forms that [Recognise] knows. It returns nothing
// for one that it has nothing against.
func Validate(data []byte) []exporters.Finding {
	v := &validator{}
	f, ok := open(data)
	if !ok {
		v.fail("", "This is no flow: there are no triggers and actions in it.")
		return v.findings
	}
	v.flow = f
	v.triggers()
	v.actions(f.actions, place{where: f.root, top: true})
	if v.count > maxActions {
		v.fail("actions", "The flow has %d steps; at most %d are allowed.", v.count, maxActions)
	}
	v.whole()
	return v.findings
}

// A flow is what the different files have in common.
type flow struct {
	trigger map[string]any // nil for a scope alone
	name    string
	several int // triggers
	actions map[string]any
	root    string
	whole   bool // it has a trigger, and not only steps
}

// open finds the flow in data.
func open(data []byte) (flow, bool) {
	var root map[string]any
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if d.Decode(&root) != nil {
		return flow{}, false
	}
	for _, name := range []string{"serializedOperation", "serializedValue", "operationDefinition"} {
		if scope, ok := object(root[name]); ok && scope["type"] != nil {
			title, _ := root["operationName"].(string)
			if title == "" {
				title, _ = root["nodeId"].(string)
			}
			return flow{actions: map[string]any{title: scope}, root: "actions"}, true
		}
	}
	for _, wrap := range []string{"properties", "definition"} {
		if inner, ok := object(root[wrap]); ok && root["actions"] == nil {
			root = inner
		}
	}
	triggers, hasTriggers := object(root["triggers"])
	actions, hasActions := object(root["actions"])
	if !hasTriggers || !hasActions {
		return flow{}, false
	}
	f := flow{actions: actions, root: "actions", whole: true, several: len(triggers)}
	for _, name := range sorted(triggers) {
		f.name = name
		f.trigger, _ = object(triggers[name])
		break
	}
	return f, true
}

type validator struct {
	findings []exporters.Finding
	flow     flow
	count    int
	claims   []string // where keys are reserved
	rescued  bool     // a step runs after a failure
	replies  []string
	writes   []map[string]any
}

func (v *validator) fail(where, format string, args ...any) {
	v.findings = append(v.findings, exporters.Finding{Where: where, Result: exporters.Fail, Text: fmt.Sprintf(format, args...)})
}

func (v *validator) warn(where, format string, args ...any) {
	v.findings = append(v.findings, exporters.Finding{Where: where, Result: exporters.Warn, Text: fmt.Sprintf(format, args...)})
}

// triggers checks what starts the flow.
func (v *validator) triggers() {
	if !v.flow.whole {
		return
	}
	if v.flow.several != 1 {
		v.fail("triggers", "A flow has exactly one trigger, and here are %d.", v.flow.several)
	}
	at, t := "triggers."+v.flow.name, v.flow.trigger
	if t == nil {
		return
	}
	v.named(at, v.flow.name, t)
	for _, where := range []map[string]any{t, inner(t, "inputs")} {
		if where["triggerConditions"] != nil {
			v.fail(at, "The condition stands under triggerConditions, where Power Automate does not look, so the flow starts at every event. It belongs under conditions, as a list of objects with an expression.")
		}
	}
	v.conditions(at, t)
	v.concurrency(at, t)
	v.texts(at, t)
}

// conditions checks each line, whatever the data.
func (v *validator) conditions(at string, t map[string]any) {
	list, isList := t["conditions"].([]any)
	if t["conditions"] != nil && !isList {
		v.fail(at+".conditions", "Conditions are a list of objects with an expression.")
	}
	if len(list) > maxConditions {
		v.warn(at+".conditions", "There are %d lines. The designer shows at most %d; join some with and(…).", len(list), maxConditions)
	}
	for i, item := range list {
		where := fmt.Sprintf("%s.conditions[%d]", at, i)
		c, _ := object(item)
		line, ok := c["expression"].(string)
		if !ok {
			v.fail(where, "A condition is an object with an expression.")
			continue
		}
		r, ok := tried(line)
		switch reads := wdl.ReadsSteps(line); {
		case ok && (r.Outcome == wdl.BadSyntax || r.Outcome == wdl.NotBoolean):
			v.fail(where, "The flow would not start. %s", r.Reason)
		case reads != "":
			v.fail(where, "The flow would not start. %s", reads)
		}
		v.misnamed(where, line)
	}
}

// tried works a line out on an event without data, to see how it is written.
func tried(line string) (wdl.LineResult, bool) {
	r, err := wdl.Test([]byte(`{"body":{}}`), []string{line}, wdl.Options{Now: time.Unix(0, 0)})
	if err != nil || len(r.Lines) == 0 {
		return wdl.LineResult{}, false
	}
	return r.Lines[0], true
}

func (v *validator) concurrency(at string, t map[string]any) {
	control, on := object(inner(t, "runtimeConfiguration")["concurrency"])
	if !on {
		return
	}
	runs, given := wholeNumber(control["runs"])
	single := t["operationOptions"] == "SingleInstance"
	switch {
	case single && given:
		v.fail(at, "SingleInstance and a number of runs say the same in two ways. Only one of them is allowed.")
	case !given && !single:
		v.warn(at, "Concurrency control is on without a number, which then is 25 and not 1. It cannot be switched off again.")
	case given && (runs < 1 || runs > 100):
		v.fail(at, "The number of runs at a time is %d; it must be from 1 to 100.", runs)
	}
	if t["splitOn"] != nil {
		v.warn(at, "With concurrency control on, a trigger that splits lists takes at most 100 items.")
	}
}

// named checks what holds for the name and the description of any step.
func (v *validator) named(at, name string, step map[string]any) {
	if n := utf8.RuneCountInString(name); n == 0 || n > maxName {
		v.fail(at, "The name has %d characters; it must have 1 to %d.", n, maxName)
	}
	if text, _ := step["description"].(string); utf8.RuneCountInString(text) > maxDescription {
		v.fail(at, "The note has more than %d characters.", maxDescription)
	}
	if kind, _ := step["type"].(string); kind == "" {
		v.fail(at, "The step has no type.")
	}
}

// texts reads each text of the step that is an expression. Steps inside are checked by
// themselves, and so are conditions.
func (v *validator) texts(at string, value any) {
	switch value := value.(type) {
	case string:
		if !strings.HasPrefix(value, "@") {
			return
		}
		if n := utf8.RuneCountInString(value); n > maxExpression {
			v.fail(at, "An expression has %d characters; at most %d are allowed.", n, maxExpression)
		} else if r, ok := tried(value); ok && r.Outcome == wdl.BadSyntax {
			v.fail(at, "The expression %s cannot be read. %s", short(value), r.Reason)
		}
		v.misnamed(at, value)
	case []any:
		for _, item := range value {
			v.texts(at, item)
		}
	case map[string]any:
		for _, member := range sorted(value) {
			switch member {
			case "actions", "else", "cases", "default", "conditions", "schema":
			default:
				v.texts(at, value[member])
			}
		}
	}
}

// misnamed warns of a function that is not known here; the platform may have newer ones.
func (v *validator) misnamed(at, line string) {
	if fault := wdl.Misnamed(line); fault != "" {
		v.warn(at, "%s", fault)
	}
}

func short(s string) string {
	r := []rune(s)
	if len(r) > 60 {
		return string(r[:60]) + "…"
	}
	return s
}

func object(v any) (map[string]any, bool) {
	m, ok := v.(map[string]any)
	return m, ok
}

// inner is an object member, and an empty one where there is none.
func inner(m map[string]any, name string) map[string]any {
	if o, ok := object(m[name]); ok {
		return o
	}
	return map[string]any{}
}

func sorted(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }

func wholeNumber(v any) (int64, bool) {
	n, ok := v.(json.Number)
	if !ok {
		return 0, false
	}
	i, err := n.Int64()
	return i, err == nil
}
