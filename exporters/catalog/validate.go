package catalog

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"dedupedesk/exporters"
	"dedupedesk/exporters/flowdef"
	"dedupedesk/exporters/makecom"
	"dedupedesk/exporters/n8n"
)

// Kinds of file that [Validate] knows, by the name of the platform that reads them.
const (
	KindFlow      = "power-automate" // a flow definition, an exported flow, a copied scope
	KindBlueprint = "make"           // a blueprint of a scenario
	KindWorkflow  = "n8n"            // a workflow, or a list of one
)

// A kind is a sort of file, told by its content.
type kind struct {
	name, title string
	recognise   func(data []byte) bool
	validate    func(data []byte) []exporters.Finding
}

func kinds() []kind {
	return []kind{
		{KindFlow, "a flow of Power Automate", flowdef.Recognise, flowdef.Validate},
		{KindBlueprint, "a blueprint of Make", hasList("flow"), makecom.Validate},
		{KindWorkflow, "a workflow of n8n", hasList("nodes"), n8n.Validate},
	}
}

// KindTitle says in words what a kind is, "" for one that there is not.
func KindTitle(name string) string {
	for _, k := range kinds() {
		if k.name == name {
			return k.title
		}
	}
	return ""
}

// Validate recognises a file by its content and says what is wrong with it. The kind is
// "" for a file that is none of the known ones; the one finding then says what was
// expected. There is no finding for a file that nothing is wrong with.
func Validate(data []byte) (string, []exporters.Finding) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if fault := broken(data); fault != "" {
		return "", []exporters.Finding{{Result: exporters.Fail, Text: fault}}
	}
	for _, k := range kinds() {
		if k.recognise(data) {
			return k.name, k.validate(data)
		}
	}
	return "", []exporters.Finding{{Result: exporters.Fail, Text: unknown(data)}}
}

// broken says why data is no JSON, "" where it is.
func broken(data []byte) string {
	if len(bytes.TrimSpace(data)) == 0 {
		return "There is nothing in it."
	}
	if bytes.HasPrefix(data, []byte("PK\x03\x04")) {
		return "This is a packed file (zip). Unpack it, and take the file definition.json or the workflow's JSON out of it."
	}
	var any json.RawMessage
	err := json.Unmarshal(data, &any)
	if err == nil {
		return ""
	}
	place := ""
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		before := data[:min(max(syntax.Offset-1, 0), int64(len(data)))]
		line := bytes.Count(before, []byte("\n"))
		column := len([]rune(string(before[bytes.LastIndexByte(before, '\n')+1:])))
		place = fmt.Sprintf(" The fault is in line %d, character %d.", line+1, column+1)
	}
	return "This is no complete JSON, which blueprints, workflows and flow definitions are." + place
}

// unknown tells a near miss from something else.
func unknown(data []byte) string {
	const known = "Known are a blueprint of Make, a workflow of n8n, and a flow of Power Automate: its definition, or a scope that was copied."
	var top map[string]json.RawMessage
	if json.Unmarshal(data, &top) == nil {
		if _, zaps := top["zaps"]; zaps {
			return "This is an export of Zaps. Zapier writes down no more than it takes back, and we know no rules for it. " + known
		}
		if top["headers"] != nil && top["body"] != nil {
			return "This looks like what a trigger sent, not like the automation. Test it with a trigger condition, or design a key from it. " + known
		}
	}
	return "This is JSON, but none of the files that we know. " + known
}

// hasList recognises an object, or a list of one, with a list of that name in it.
func hasList(name string) func([]byte) bool {
	return func(data []byte) bool {
		var several []json.RawMessage
		if json.Unmarshal(data, &several) == nil && len(several) > 0 {
			data = several[0]
		}
		var top map[string]json.RawMessage
		var list []json.RawMessage
		return json.Unmarshal(data, &top) == nil && top[name] != nil && json.Unmarshal(top[name], &list) == nil
	}
}
