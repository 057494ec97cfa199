package makecom

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"dedupedesk/exporters"
)

// Validate checks a blueprint by the structural rules of Make's public checker
// (integromat/make-blueprints, scripts/validate.mjs, read 2026-11-30) and of
// Make's documents on filters, branches and directives. It returns nothing for
// a sound one. What only exports of the editor carry is accepted.
func Validate(data []byte) []exporters.Finding {
	v := &validator{data: data, ids: map[int64]bool{}, lookups: map[int64]bool{}}
	var b map[string]any
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err := d.Decode(&b); err != nil || b == nil {
		v.fail("", "This is no JSON object, so it is no blueprint.")
		return v.findings
	}
	v.top(b)
	flow, _ := b["flow"].([]any)
	v.collect(flow, "flow")
	v.flow(flow, "flow", place{}, map[int64]bool{})
	v.settings(b)
	return v.findings
}

type validator struct {
	data     []byte
	findings []exporters.Finding
	ids      map[int64]bool
	lookups  map[int64]bool // modules that look a key up before it is written
	looksUp  []string       // where they stand
}

// A place is where a list of modules lies.
type place struct {
	inBranch bool // in a branch of an if/else, at whatever depth
	begins   bool // the list is that branch itself
	onError  bool // in an error route, at whatever depth
}

func (v *validator) fail(where, format string, args ...any) {
	v.findings = append(v.findings, exporters.Finding{Where: where, Result: exporters.Fail, Text: fmt.Sprintf(format, args...)})
}

func (v *validator) warn(where, format string, args ...any) {
	v.findings = append(v.findings, exporters.Finding{Where: where, Result: exporters.Warn, Text: fmt.Sprintf(format, args...)})
}

func (v *validator) top(b map[string]any) {
	if name, ok := b["name"].(string); !ok || name == "" || utf8.RuneCountInString(name) > 120 {
		v.fail("name", "A blueprint has a name of 1 to 120 characters.")
	}
	flow, ok := b["flow"].([]any)
	if !ok || len(flow) == 0 {
		hint := ""
		if _, wrong := b["modules"]; wrong {
			hint = " It stands under modules here, where Make does not look."
		}
		v.fail("flow", "A blueprint has a list of modules called flow.%s", hint)
	}
	meta, ok := b["metadata"].(map[string]any)
	if !ok {
		v.fail("metadata", "A blueprint has metadata with its version and scenario settings.")
		return
	}
	if n, _ := wholeNumber(meta["version"]); n != 1 {
		v.fail("metadata.version", "The version is 1.")
	}
	if _, ok := meta["scenario"].(map[string]any); !ok {
		v.fail("metadata.scenario", "The scenario settings are missing.")
	}
	drawing, _ := meta["designer"].(map[string]any)
	if _, ok := drawing["orphans"].([]any); !ok {
		v.fail("metadata.designer.orphans", "The list of loose modules is missing; an empty one will do.")
	}
}

// collect notes all ids before anything refers to them.
func (v *validator) collect(flow []any, where string) {
	for i, item := range flow {
		at := fmt.Sprintf("%s[%d]", where, i)
		m, ok := item.(map[string]any)
		if !ok {
			v.fail(at, "A module is an object.")
			continue
		}
		switch id, ok := wholeNumber(m["id"]); {
		case !ok || id < 1:
			v.fail(at, "The module has no id, which is a whole number from 1.")
		case v.ids[id]:
			v.fail(at, "The id %d stands twice. Each module has its own, in branches and error routes too.", id)
		default:
			v.ids[id] = true
			v.lookups[id] = m["module"] == "datastore:ExistRecord"
		}
		for _, inner := range inside(m, at) {
			v.collect(inner.flow, inner.where)
		}
	}
}

// A nested flow belongs to a module.
type nested struct {
	flow  []any
	where string
	kind  string // route, branch, onerror
}

func inside(m map[string]any, at string) []nested {
	var all []nested
	for _, list := range []struct{ member, kind string }{{"routes", "route"}, {"branches", "branch"}} {
		items, _ := m[list.member].([]any)
		for i, item := range items {
			if r, ok := item.(map[string]any); ok {
				flow, _ := r["flow"].([]any)
				all = append(all, nested{flow, fmt.Sprintf("%s.%s[%d].flow", at, list.member, i), list.kind})
			}
		}
	}
	if flow, ok := m["onerror"].([]any); ok {
		all = append(all, nested{flow, at + ".onerror", "onerror"})
	}
	return all
}

// flow checks a list of modules. seen holds the ids that lie upstream.
func (v *validator) flow(flow []any, where string, in place, seen map[int64]bool) {
	for i, item := range flow {
		m, ok := item.(map[string]any)
		if !ok {
			continue // collect said so
		}
		at := fmt.Sprintf("%s[%d]", where, i)
		v.module(m, at, where == "flow" && i == 0, in.inBranch)
		v.filtered(m, at, in.begins && i == 0)
		v.directed(m, at, in, i == len(flow)-1)
		v.pairing(flow, i, m, at)
		v.references(m, at, seen)
		id, _ := wholeNumber(m["id"])
		for _, inner := range inside(m, at) {
			below := copyOf(seen)
			if inner.kind == "onerror" {
				below[id] = true // an error route may read the failed module
			}
			v.flow(inner.flow, inner.where, place{in.inBranch || inner.kind == "branch", inner.kind == "branch", in.onError || inner.kind == "onerror"}, below)
		}
		seen[id] = true
		for _, inner := range inside(m, at) {
			if inner.kind != "onerror" {
				addIDs(seen, inner.flow)
			}
		}
	}
}

func copyOf(ids map[int64]bool) map[int64]bool {
	c := make(map[int64]bool, len(ids)+1)
	maps.Copy(c, ids)
	return c
}

func addIDs(ids map[int64]bool, flow []any) {
	for _, item := range flow {
		if m, ok := item.(map[string]any); ok {
			if id, ok := wholeNumber(m["id"]); ok {
				ids[id] = true
			}
			for _, inner := range inside(m, "") {
				addIDs(ids, inner.flow)
			}
		}
	}
}

func wholeNumber(v any) (int64, bool) {
	n, ok := v.(json.Number)
	if !ok {
		return 0, false
	}
	i, err := n.Int64()
	return i, err == nil
}

// reference finds the module ids in "{{2.data}}", also inside of functions.
// Text in quotes is taken out before, and 2.3 is a number.
var (
	iml       = regexp.MustCompile(`(?s)\{\{(.*?)\}\}`)
	quoted    = regexp.MustCompile(`"[^"]*"`)
	named     = regexp.MustCompile("`[^`]*[^`0-9][^`]*`") // a field in back ticks, which may end in a number
	exists    = regexp.MustCompile("(?:^|[^A-Za-z0-9_.`])([0-9]+)\\.exists(?:$|[^A-Za-z0-9_])")
	reference = regexp.MustCompile("(?:^|[^A-Za-z0-9_.`])`?([0-9]+)`?(?:\\.[A-Za-z_`]|\\[|$|[ ;)])")
)

// references looks for ids that are not there, or not upstream. Nested flows
// are looked at by themselves.
func (v *validator) references(m map[string]any, at string, seen map[int64]bool) {
	for _, member := range slices.Sorted(maps.Keys(m)) {
		inner := m[member]
		if member == "routes" || member == "onerror" || member == "metadata" {
			continue
		}
		if member == "branches" {
			branches, _ := inner.([]any)
			for _, item := range branches {
				if b, ok := item.(map[string]any); ok {
					v.refer(b["conditions"], at, seen)
				}
			}
			continue
		}
		v.refer(inner, at, seen)
	}
}

func (v *validator) refer(value any, at string, seen map[int64]bool) {
	switch value := value.(type) {
	case string:
		for _, hit := range iml.FindAllStringSubmatch(value, -1) {
			formula := named.ReplaceAllString(quoted.ReplaceAllString(hit[1], `""`), "`a`")
			for _, ref := range reference.FindAllStringSubmatch(formula, -1) {
				v.known(ref[0], ref[1], at, seen)
			}
			if ref := exists.FindStringSubmatch(formula); ref != nil {
				if id, _ := wholeNumber(json.Number(ref[1])); v.lookups[id] {
					v.warn(at, "The output of Check the existence of a record is called exist, not exists, so this is always empty.")
				}
			}
		}
	case []any:
		for _, item := range value {
			v.refer(item, at, seen)
		}
	case map[string]any:
		for _, member := range slices.Sorted(maps.Keys(value)) {
			v.refer(value[member], at, seen)
		}
	}
}

func (v *validator) known(match, digits, at string, seen map[int64]bool) {
	if !strings.ContainsAny(match, ".`") {
		return // a plain number, such as an argument
	}
	id, ok := wholeNumber(json.Number(digits))
	switch {
	case !ok || !v.ids[id]:
		v.fail(at, "It reads from module %s, which does not exist.", digits)
	case !seen[id]:
		v.warn(at, "It reads from module %s, which does not come before it.", digits)
	}
}
