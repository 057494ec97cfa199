package flowdef

import (
	"slices"
	"strings"
)

// A place is where a list of steps stands.
type place struct {
	where string
	depth int
	loop  bool // inside of a loop
	top   bool // not inside of anything
}

// actions checks a list of steps and all that stands inside of them.
func (v *validator) actions(list map[string]any, p place) {
	for _, name := range sorted(list) {
		at := p.where + "." + name
		step, ok := object(list[name])
		if !ok {
			v.fail(at, "A step is an object.")
			continue
		}
		v.count++
		if p.depth+1 > maxDepth {
			v.fail(at, "The step stands %d deep; at most %d are allowed.", p.depth+1, maxDepth)
		}
		v.named(at, name, step)
		v.order(list, step, at)
		v.standing(step, at, p)
		v.texts(at, step)
		v.risks(step, at)
		v.nested(step, at, p)
	}
}

// nested goes into branches, loops and scopes.
func (v *validator) nested(step map[string]any, at string, p place) {
	kind, _ := step["type"].(string)
	below := place{depth: p.depth + 1, loop: p.loop || kind == "Foreach" || kind == "Until"}
	for _, member := range []string{"actions", "else", "default"} {
		holder := step
		below.where = at + ".actions"
		if member != "actions" {
			holder, below.where = inner(step, member), at+"."+member+".actions"
		}
		v.actions(inner(holder, "actions"), below)
	}
	cases := inner(step, "cases")
	for _, name := range sorted(cases) {
		c, _ := object(cases[name])
		below.where = at + ".cases." + name + ".actions"
		v.actions(inner(c, "actions"), below)
	}
}

// order checks what the step runs after.
func (v *validator) order(list, step map[string]any, at string) {
	after := inner(step, "runAfter")
	kind, _ := step["type"].(string)
	for _, name := range sorted(after) {
		if _, ok := list[name]; !ok {
			v.fail(at, "It runs after %q, which is not among the steps beside it.", name)
		}
		states := words(after[name])
		if len(states) == 0 {
			v.fail(at, "Nothing says on which result of %q it runs.", name)
		}
		for _, state := range states {
			if !slices.Contains([]string{"succeeded", "failed", "timedout", "skipped"}, state) {
				v.fail(at, "%q is no result that a step can run after. There are Succeeded, Failed, TimedOut and Skipped.", state)
			}
		}
		if !slices.Contains(states, "failed") {
			continue
		}
		v.rescued = true
		ending, _ := inner(step, "inputs")["runStatus"].(string)
		if kind == "Terminate" && ending != Failed && !slices.Contains(states, "succeeded") {
			v.warn(at, "Every failure of %q ends quietly here, as if it were a copy: a connection that has expired loses events without a sign. Look at the text of the failure first.", name)
		}
	}
}

// words are the texts of a list, in small letters.
func words(list any) []string {
	items, _ := list.([]any)
	texts := make([]string, len(items))
	for i, item := range items {
		text, _ := item.(string)
		texts[i] = strings.ToLower(text)
	}
	return texts
}

// standing checks that the step may stand where it does.
func (v *validator) standing(step map[string]any, at string, p place) {
	switch kind, _ := step["type"].(string); kind {
	case "Terminate":
		if p.loop {
			v.fail(at, "A Terminate cannot stand inside of a loop.")
		}
	case "Response":
		v.replies = append(v.replies, at)
		if p.loop {
			v.fail(at, "A Response cannot stand inside of a loop.")
		}
	case "InitializeVariable":
		if !p.top {
			v.fail(at, "A variable can only be made at the top of the flow, not inside of another step.")
		}
	case "Foreach":
		v.repetitions(step, at)
	}
}

func (v *validator) repetitions(step map[string]any, at string) {
	n, given := wholeNumber(inner(inner(step, "runtimeConfiguration"), "concurrency")["repetitions"])
	switch {
	case given && (n < 1 || n > 50):
		v.fail(at, "The number of items at a time is %d; it must be from 1 to 50.", n)
	case given && step["operationOptions"] == "Sequential":
		v.fail(at, "Sequential and a number of items say the same in two ways. Only one of them is allowed.")
	}
}

// whole checks what only the flow as a whole shows.
func (v *validator) whole() {
	if len(v.claims) > 0 && !v.rescued {
		v.warn(v.claims[0], "Nothing runs after a failure, so the key of a run that failed stays reserved until its time is over. Add a step that gives it back, with Run after: has failed, has timed out.")
	}
	if !v.flow.whole {
		return
	}
	if kind, _ := v.flow.trigger["type"].(string); kind != "Request" && kind != "" {
		for _, at := range v.replies {
			v.fail(at, "A Response needs the trigger When an HTTP request is received.")
		}
	}
	if v.flow.trigger["splitOn"] != nil && len(v.replies) > 0 {
		v.warn(v.replies[0], "The trigger splits a list into runs, so the caller hears 202 at once and never this answer.")
	}
	v.ownEdits()
}

// ownEdits finds a flow that changes the place that starts it.
func (v *validator) ownEdits() {
	t := v.flow.trigger
	watched := map[string]string{
		"GetOnUpdatedItems": "PatchItem", "GetOnUpdatedFileItems": "PatchFileItem", "SubscribeWebhookTrigger": "UpdateRecord",
	}
	want, ok := watched[operation(t)]
	if list, _ := t["conditions"].([]any); !ok || len(list) > 0 || narrowed(t) {
		return
	}
	for _, w := range v.writes {
		where, _ := w["at"].(string)
		if operation(w) != want || differ(target(w), target(t)) {
			continue
		}
		v.warn(where, "This step changes the place that starts the flow, and the trigger has no condition: the flow can start itself again and again. Add a trigger condition that ignores its own edits.")
	}
}

// narrowed reports whether a trigger of Dataverse leaves changes out by itself: it is
// told of new or deleted rows alone, or looks at some columns or rows alone.
func narrowed(t map[string]any) bool {
	p := inner(inner(t, "inputs"), "parameters")
	if n, ok := wholeNumber(p["subscriptionRequest/message"]); ok && (n == 1 || n == 2) {
		return true
	}
	return p["subscriptionRequest/filteringattributes"] != nil || p["subscriptionRequest/filterexpression"] != nil
}

// differ reports whether both are known and not the same.
func differ(a, b string) bool { return a != "" && b != "" && !strings.EqualFold(a, b) }

// operation is what a step of a connector does.
func operation(step map[string]any) string {
	name, _ := inner(inner(step, "inputs"), "host")["operationId"].(string)
	return name
}

// target is the list or table of a step, where it is written plainly.
func target(step map[string]any) string {
	p := inner(inner(step, "inputs"), "parameters")
	for _, name := range []string{"table", "entityName", "subscriptionRequest/entityname"} {
		if text, _ := p[name].(string); text != "" && !strings.HasPrefix(text, "@") {
			return strings.TrimSuffix(text, "s") // a set of accounts holds the table account
		}
	}
	return ""
}
