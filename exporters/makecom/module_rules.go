package makecom

import (
	"regexp"
	"slices"
	"strings"
)

var moduleName = regexp.MustCompile(`^[a-z][a-z0-9-]*:[A-Za-z0-9]+$`)

// filtered: Make takes the filter off that stands on the first module of a branch
// (make-skills, flow-control.md, read 2026-12-01).
func (v *validator) filtered(m map[string]any, at string, begins bool) {
	if begins && m["filter"] != nil {
		v.fail(at, "The first module of a branch must not have a filter; Make deletes it. Put the test into the conditions of the branch.")
	}
}

// directed: a directive ends an error route.
func (v *validator) directed(m map[string]any, at string, in place, last bool) {
	name, _ := m["module"].(string)
	throws := strings.HasPrefix(name, "builtin:Throw")
	switch {
	case !isDirective(name) || throws:
	case !in.onError:
		v.fail(at, "%s stands in an error route only.", name)
	case !last:
		v.fail(at, "%s ends an error route, so what stands behind it never runs.", name)
	}
}

// accountBound values belong to one account and do not survive an import.
func accountBound() []string {
	return []string{"__IMTCONN__", "__IMTKEY__", "hook", "datastore", "agent", "apiKeyKeychain", "basicAuthKeychain", "oAuthAccount", "proxyKeychain", "bodyDataStructure"}
}

// invented maps names that are often made up to the real one.
func invented(name string) string {
	switch name {
	case "builtin:IgnoreError", "builtin:BasicIgnore":
		return "builtin:Ignore"
	case "builtin:ErrorHandler", "gateway:ErrorHandler":
		return "a list called onerror on the module that may fail"
	case "placeholder:Placeholder":
		return "a module of your choice"
	case "builtin:Iterator", "util:Iterator", "tools:Iterator":
		return "builtin:BasicFeeder"
	case "builtin:Router":
		return "builtin:BasicRouter"
	case "builtin:Filter":
		return "a filter on the module that it protects"
	}
	return ""
}

// isDirective tells what ends an error route, and the two that raise an error. None of
// them has an error route.
func isDirective(name string) bool {
	return slices.Contains([]string{"builtin:Ignore", "builtin:Resume", "builtin:Commit", "builtin:Rollback", "builtin:Break", "builtin:ThrowError", "builtin:ThrowWarning"}, name)
}

func (v *validator) module(m map[string]any, at string, first, inBranch bool) {
	name, _ := m["module"].(string)
	switch real := invented(name); {
	case real != "":
		v.fail(at, "There is no module %s. Use %s.", name, real)
	case !moduleName.MatchString(name):
		v.fail(at, "%q is no module name. It looks like http:MakeRequest.", name)
	}
	if n, ok := wholeNumber(m["version"]); !ok || n < 1 {
		v.fail(at, "The module has no version, which is a whole number from 1.")
	}
	v.drawing(m, at)
	v.bound(m, at)
	v.passwords(m, at)
	v.formFields(m, at)
	if f, ok := m["filter"].(map[string]any); ok {
		if first {
			v.fail(at, "The first module must not have a filter.")
		}
		v.conditions(f["conditions"], at+".filter")
	}
	v.apps(m, name, at)
	_, guarded := m["onerror"]
	switch {
	case name == "builtin:BasicRouter":
		v.router(m, at, inBranch)
	case name == "builtin:BasicIfElse":
		v.ifElse(m, at, inBranch)
	}
	if guarded && (name == "builtin:BasicRouter" || isDirective(name)) {
		v.fail(at, "%s cannot have an error route.", name)
	}
}

func (v *validator) drawing(m map[string]any, at string) {
	meta, _ := m["metadata"].(map[string]any)
	place, _ := meta["designer"].(map[string]any)
	for _, axis := range []string{"x", "y"} {
		if !isNumber(place[axis]) {
			v.fail(at, "The module has no place in the drawing (metadata.designer.x and y).")
			return
		}
	}
}

func (v *validator) bound(m map[string]any, at string) {
	parameters, _ := m["parameters"].(map[string]any)
	for _, name := range accountBound() {
		if _, ok := parameters[name]; ok {
			v.warn(at, "%s belongs to the account from which this came. Choose your own after the import.", name)
		}
	}
}

// secret looks like a password behind a word that announces one. The lengths
// follow Make's public checker.
var secret = regexp.MustCompile(`(?i)(?:api[_-]?key|bearer|token)["\s:=]+([A-Za-z0-9_\-]{20,})`)

func (v *validator) passwords(m map[string]any, at string) {
	mapper, _ := m["mapper"].(map[string]any)
	headers, _ := mapper["headers"].([]any)
	for _, item := range headers {
		h, _ := item.(map[string]any)
		text, _ := h["value"].(string)
		if hit := secret.FindStringSubmatch(text); hit != nil && !strings.HasPrefix(hit[1], "REPLACE_") {
			v.warn(at, "A header seems to hold a password. Take it out before you hand this file on.")
		}
	}
}

// formFields finds a name that stands twice in a form. No page of Make says what
// is sent then.
func (v *validator) formFields(m map[string]any, at string) {
	mapper, _ := m["mapper"].(map[string]any)
	fields, _ := mapper["urlEncodedBodyContent"].([]any)
	seen := map[string]bool{}
	for _, item := range fields {
		f, _ := item.(map[string]any)
		name, _ := f["name"].(string)
		if seen[name] && name != "" {
			v.warn(at, "The form field %s stands twice. Whether Make sends both is not known to us; give each a name of its own.", name)
		}
		seen[name] = true
	}
}

func (v *validator) router(m map[string]any, at string, inBranch bool) {
	if inBranch {
		v.fail(at, "A router cannot stand inside a branch of an if/else.")
	}
	v.nullMapper(m, at)
	if m["filter"] != nil {
		v.warn(at, "A filter belongs on the first module of each route, not on the router.")
	}
	routes, _ := m["routes"].([]any)
	if len(routes) == 0 {
		v.fail(at, "The router has no routes.")
	}
	for i := range routes {
		r, _ := routes[i].(map[string]any)
		if flow, _ := r["flow"].([]any); len(flow) == 0 {
			v.fail(at, "Route %d of the router is empty.", i+1)
		}
	}
}

func (v *validator) ifElse(m map[string]any, at string, inBranch bool) {
	if inBranch {
		v.fail(at, "An if/else cannot stand inside a branch of another.")
	}
	v.nullMapper(m, at)
	branches, _ := m["branches"].([]any)
	if len(branches) == 0 {
		v.fail(at, "The if/else has no branches.")
	}
	others := 0
	for i := range branches {
		b, _ := branches[i].(map[string]any)
		kind, _ := b["type"].(string)
		if flow, _ := b["flow"].([]any); len(flow) == 0 {
			v.fail(at, "Branch %d is empty, so Make switches it off without a word.", i+1)
		}
		if off, _ := b["disabled"].(bool); off {
			v.warn(at, "Branch %d is switched off.", i+1)
		}
		switch kind {
		case "else":
			if others++; others > 1 {
				v.fail(at, "There is more than one else branch.")
			}
			if b["conditions"] != nil {
				v.fail(at, "The else branch must not have conditions.")
			}
		case "condition":
			v.conditions(b["conditions"], at)
		default:
			v.fail(at, "Branch %d is of type %q. It is condition or else.", i+1, kind)
		}
	}
}

// nullMapper: Make wants the member, with null.
func (v *validator) nullMapper(m map[string]any, at string) {
	if mapper, ok := m["mapper"]; !ok || mapper != nil {
		v.fail(at, "The mapper of this module must be null.")
	}
}

// conditions checks a list of lists: the outer is OR, the inner AND.
func (v *validator) conditions(value any, at string) {
	outer, _ := value.([]any)
	if len(outer) == 0 {
		v.fail(at, "There are no conditions, so Make switches it off without a word.")
	}
	for _, item := range outer {
		inner, ok := item.([]any)
		if !ok {
			v.fail(at, "Conditions are a list of lists: any of the outer ones, all of the inner ones.")
			continue
		}
		for _, c := range inner {
			v.condition(c, at)
		}
	}
}

func (v *validator) condition(value any, at string) {
	c, _ := value.(map[string]any)
	operator, _ := c["o"].(string)
	base := strings.TrimSuffix(operator, ":ci")
	group, verb, _ := strings.Cut(base, ":")
	if _, ok := c["a"]; !ok {
		v.fail(at, "A condition has no left side (a).")
	}
	switch {
	case operator == "exist" || operator == "notexist":
		if _, ok := c["b"]; ok {
			v.warn(at, "%s takes no right side (b).", operator)
		}
		return
	case !knownOperator(group, verb):
		v.fail(at, "There is no operator %q.", operator)
	case operator == "boolean:equal" || operator == "boolean:notequal":
		if _, isText := c["b"].(string); !isText {
			v.warn(at, "The right side of %s is written as text: \"true\" or \"false\".", operator)
		}
	}
	if _, ok := c["b"]; !ok {
		v.fail(at, "A condition has no right side (b).")
	}
}

// knownOperator follows make-skills, filtering.md, read 2026-11-30. Dates and
// times have operators that its two pages spell in two ways, so all pass.
func knownOperator(group, verb string) bool {
	order := []string{"equal", "notequal", "less", "greater", "lessorequal", "greaterorequal"}
	switch group {
	case "text":
		return slices.Contains([]string{"equal", "notequal", "contain", "notcontain", "startwith", "notstartwith", "endwith", "notendwith", "startswith", "endswith", "pattern", "notpattern"}, verb)
	case "number":
		return slices.Contains(order, verb)
	case "boolean":
		return verb == "equal" || verb == "notequal"
	case "array":
		return slices.Contains(append(order, "contain", "notcontain"), verb)
	case "date", "time":
		return verb != ""
	}
	return false
}
