package n8n

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"dedupedesk/exporters"
)

// Validate checks a workflow by what n8n's import, editor and engine ask for (n8n 2.8.4
// and the documents that the steps name, read 2026-11-30), and warns of what lets a copy
// through or loses an event. It returns nothing for a sound one. Nodes that it does not
// know are sound.
func Validate(data []byte) []exporters.Finding {
	v := &validator{names: map[string]bool{}}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var read any
	if err := d.Decode(&read); err != nil {
		v.fail("", "This is no JSON, so it is no workflow.")
		return v.findings
	}
	if list, ok := read.([]any); ok {
		v.several(list)
		return v.findings
	}
	w, ok := read.(map[string]any)
	if !ok {
		v.fail("", "This is no JSON object, so it is no workflow.")
		return v.findings
	}
	v.workflow(w)
	return v.findings
}

type validator struct {
	findings []exporters.Finding
	names    map[string]bool           // of nodes
	nodes    []map[string]any          // that are objects
	behind   map[string][]string       // the nodes that a node leads to
	byName   map[string]map[string]any // the first of each name
}

func (v *validator) fail(where, format string, args ...any) {
	v.findings = append(v.findings, exporters.Finding{Where: where, Result: exporters.Fail, Text: fmt.Sprintf(format, args...)})
}

func (v *validator) warn(where, format string, args ...any) {
	v.findings = append(v.findings, exporters.Finding{Where: where, Result: exporters.Warn, Text: fmt.Sprintf(format, args...)})
}

// several: what a command of n8n exports is a list, even of one.
func (v *validator) several(list []any) {
	if len(list) == 1 {
		if w, ok := list[0].(map[string]any); ok {
			v.warn("", "The file holds a list of one workflow, as n8n's command export writes it. The editor imports the workflow alone.")
			v.workflow(w)
			return
		}
	}
	v.fail("", "The file holds a list of %d, and the editor imports one workflow. Take out one of them.", len(list))
}

func (v *validator) workflow(w map[string]any) {
	v.behind, v.byName = map[string][]string{}, map[string]map[string]any{}
	v.top(w)
	nodes, ok := w["nodes"].([]any)
	switch {
	case !ok:
		v.fail("nodes", "A workflow has a list of nodes.")
	case len(nodes) == 0:
		v.fail("nodes", "The workflow has no node yet.")
	}
	for i, item := range nodes {
		at := fmt.Sprintf("nodes[%d]", i)
		n, ok := item.(map[string]any)
		if !ok {
			v.fail(at, "A node is an object.")
			continue
		}
		v.node(n, at)
		v.nodes = append(v.nodes, n)
	}
	v.connections(w["connections"])
	v.references()
	v.triggers()
	v.doubts()
}

// top follows the measurements of the import by command: without active and versionId
// the database refuses the row, and with an id it writes over another workflow.
func (v *validator) top(w map[string]any) {
	if name, ok := w["name"].(string); !ok || name == "" || len([]rune(name)) > 128 {
		v.fail("name", "A workflow has a name of 1 to 128 characters.")
	}
	switch active, ok := w["active"].(bool); {
	case !ok:
		v.warn("active", "It does not say whether it is active. The editor takes it so; n8n's command import may refuse it. Write false.")
	case active:
		v.warn("active", "It says that it is active. n8n imports it switched off all the same; publish it yourself.")
	}
	if id, ok := w["versionId"].(string); !ok || id == "" {
		v.warn("versionId", "It has no versionId. The editor takes it so; n8n's command import may refuse it.")
	}
	if id, ok := w["id"]; ok && id != nil && id != "" {
		v.warn("id", "It has the id of the workflow that it was made of. n8n's command import writes over a workflow with the same id; take the id out.")
	}
	if pinned, ok := w["pinData"].(map[string]any); ok && len(pinned) > 0 {
		v.warn("pinData", "It holds pinned data of somebody's test run. Look whether that may be handed on.")
	}
	if _, ok := w["connections"].(map[string]any); !ok {
		v.fail("connections", "A workflow has connections, which are grouped by the name of the node that they begin at.")
	}
}

var nodeType = regexp.MustCompile(`^(@[a-z0-9._-]+/)?[A-Za-z0-9._-]+\.[A-Za-z0-9_-]+$`)

func (v *validator) node(n map[string]any, at string) {
	name, _ := n["name"].(string)
	switch {
	case name == "":
		v.fail(at, "The node has no name.")
	case v.names[name]:
		v.fail(at, "The name %q stands twice. Connections and expressions know a node by its name.", name)
	default:
		v.names[name], v.byName[name] = true, n
	}
	kind, _ := n["type"].(string)
	if !nodeType.MatchString(kind) {
		v.fail(at, "%q is no type of a node. It looks like n8n-nodes-base.httpRequest.", kind)
	}
	if _, ok := n["typeVersion"].(json.Number); !ok {
		v.fail(at, "The node has no typeVersion, which is a number.")
	}
	if !isPosition(n["position"]) {
		v.fail(at, "The node has no position of two numbers, x and y.")
	}
	if _, ok := n["parameters"].(map[string]any); !ok {
		v.fail(at, "The node has no parameters; an empty object will do.")
	}
	if id, ok := n["id"].(string); !ok || id == "" {
		v.warn(at, "The node has no id.")
	}
	if _, bound := n["credentials"].(map[string]any); bound {
		v.warn(at, "Its credentials belong to the n8n from which this came. Choose your own after the import.")
	}
	switch on, _ := n["onError"].(string); on {
	case "", "stopWorkflow", "continueRegularOutput", "continueErrorOutput":
	default:
		v.fail(at, "onError is %q. It is stopWorkflow, continueRegularOutput or continueErrorOutput.", on)
	}
	v.tries(n, at)
	v.filters(n["parameters"], at)
}

func isPosition(value any) bool {
	list, _ := value.([]any)
	if len(list) != 2 {
		return false
	}
	for _, one := range list {
		if _, ok := one.(json.Number); !ok {
			return false
		}
	}
	return true
}

// tries: the editor allows 2 to 5 tries and at most 5 seconds between them.
func (v *validator) tries(n map[string]any, at string) {
	if again, _ := n["retryOnFail"].(bool); !again {
		return
	}
	if tries, ok := n["maxTries"].(json.Number); ok {
		if i, err := tries.Int64(); err != nil || i < 2 || i > 5 {
			v.warn(at, "maxTries is %s. n8n tries 2 to 5 times.", tries)
		}
	}
	if wait, ok := n["waitBetweenTries"].(json.Number); ok {
		if i, err := wait.Int64(); err != nil || i < 0 || i > 5000 {
			v.warn(at, "waitBetweenTries is %s. n8n waits at most 5000 milliseconds.", wait)
		}
	}
}

// connections checks the shape that n8n reads: by name, by kind, by exit, a list of
// nodes.
func (v *validator) connections(value any) {
	links, _ := value.(map[string]any)
	for _, from := range slices.Sorted(maps.Keys(links)) {
		at := "connections." + from
		if !v.names[from] {
			hint := ""
			if v.isID(from) {
				hint = " It is the id of one; connections go by name."
			}
			v.fail(at, "A connection begins at %q, which is no node.%s", from, hint)
		}
		kinds, ok := links[from].(map[string]any)
		if !ok {
			v.fail(at, "The connections of a node are grouped by their kind, such as main.")
			continue
		}
		for _, kind := range slices.Sorted(maps.Keys(kinds)) {
			v.exitsOf(from, kinds[kind], at+"."+kind)
		}
	}
}

func (v *validator) isID(text string) bool {
	return slices.ContainsFunc(v.nodes, func(n map[string]any) bool { return n["id"] == text })
}

func (v *validator) exitsOf(from string, value any, at string) {
	exits, ok := value.([]any)
	if !ok {
		v.fail(at, "The exits of a node are a list, with a list of nodes for each exit.")
		return
	}
	for i, item := range exits {
		if item == nil {
			continue // n8n writes an exit without connection so
		}
		targets, ok := item.([]any)
		if !ok {
			v.fail(fmt.Sprintf("%s[%d]", at, i), "An exit is a list of nodes. A list of lists is missing here.")
			continue
		}
		for _, one := range targets {
			t, _ := one.(map[string]any)
			to, _ := t["node"].(string)
			if !v.names[to] {
				v.fail(fmt.Sprintf("%s[%d]", at, i), "A connection leads to %q, which is no node.", to)
				continue
			}
			v.behind[from] = append(v.behind[from], to)
		}
	}
}

// references finds $('Name') and $node["Name"] in expressions.
var reference = regexp.MustCompile(`\$(?:\(|node\[)\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")`)

func (v *validator) references() {
	for i, n := range v.nodes {
		at := fmt.Sprintf("nodes[%d]", i)
		texts(n["parameters"], func(text string) {
			if !strings.HasPrefix(text, "=") {
				return
			}
			for _, hit := range reference.FindAllStringSubmatch(text, -1) {
				name := unescape(hit[1] + hit[2])
				if !v.names[name] {
					v.fail(at, "It reads the node %q, which does not exist.", name)
				}
			}
		})
	}
}

// unescape takes the backslashes out of a literal of JavaScript that stand before a
// quote or a backslash.
func unescape(text string) string {
	var plain string
	if json.Unmarshal([]byte(`"`+strings.NewReplacer(`\'`, `'`, `"`, `\"`, `\"`, `\"`).Replace(text)+`"`), &plain) == nil {
		return plain
	}
	return text
}

// texts calls f with every text of a value, in the order of the members' names.
func texts(value any, f func(string)) {
	switch value := value.(type) {
	case string:
		f(value)
	case []any:
		for _, item := range value {
			texts(item, f)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(value)) {
			texts(value[name], f)
		}
	}
}

// triggers: without one n8n cannot publish the workflow.
func (v *validator) triggers() {
	for _, n := range v.nodes {
		kind, _ := n["type"].(string)
		name := strings.ToLower(kind[strings.LastIndexByte(kind, '.')+1:])
		if strings.HasSuffix(name, "trigger") || slices.Contains([]string{"webhook", "start", "cron", "interval", "emailreadimap"}, name) {
			return
		}
	}
	if len(v.nodes) > 0 {
		v.warn("nodes", "There is no trigger, so the workflow cannot be published.")
	}
}
