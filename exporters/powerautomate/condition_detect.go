package powerautomate

import (
	"bytes"
	"encoding/json"
	"errors"
	"path"
	"strings"

	"dedupedesk/exporters/wdl"
)

// A Detected is what a paste turned out to be.
type Detected struct {
	Trigger    string          // Trigger.Name, "" where it is not known
	Generation string          // current, classic, or "" where the paste does not tell
	Outputs    json.RawMessage // as triggerOutputs() gives them; nil where the paste was the trigger's code
	Fields     []PickField
	Notes      []string // what was changed or is missing, each in a sentence
}

// A PickField is a place in the outputs that a person can click.
type PickField struct {
	Path  string // for Pick.Field: triggerBody()?['Editor']?['Email']
	Name  string // as a sentence shows it: Editor/Email
	Kind  string // text, number, boolean, null, list, object
	Value string // the sample's, cut off when long
	Hint  string // what to know before clicking it; "" for nothing
}

// Detect looks at what a person pasted: the raw outputs of a trigger, the body of
// such outputs alone, or the trigger's code. It returns an error of wdl's where the
// paste is no JSON object or larger than a megabyte.
func Detect(pasted []byte) (Detected, error) {
	pasted = bytes.TrimSpace(pasted)
	if _, err := wdl.Fields(pasted); err != nil {
		return Detected{}, err
	}
	root, err := object(pasted)
	if err != nil {
		return Detected{}, err
	}
	if code, ok := readCode(root); ok {
		return code, nil
	}
	d := Detected{Outputs: pasted}
	if !isOutputs(root) {
		d.Notes = append(d.Notes, "This is the body alone, so we put it where it belongs in the outputs.")
		if d.Outputs, err = json.Marshal(map[string]json.RawMessage{"body": pasted}); err != nil {
			return Detected{}, err
		}
		root = map[string]any{"body": root}
	}
	d.Trigger = recognise(root)
	d.Notes = append(d.Notes, bodyNotes(root["body"])...)
	fields, err := wdl.Fields(d.Outputs)
	if err != nil {
		return Detected{}, err
	}
	if d.Fields = pickFields(fields); len(d.Fields) > maxFields {
		d.Fields = d.Fields[:maxFields]
		d.Notes = append(d.Notes, "The event has very many fields. Only the first are shown; type the path of another.")
	}
	return d, nil
}

// maxFields bounds what is offered to click.
const maxFields = 400

// Test works lines out on what a person pasted, as wdl.Test does on trigger outputs:
// the body alone is put where it belongs, and what [Detect] notes is among the
// warnings. A trigger's code is an error, for it holds no event.
func Test(pasted []byte, lines []string, opts wdl.Options) (wdl.Result, error) {
	d, err := Detect(pasted)
	if err != nil {
		return wdl.Result{}, err
	}
	if d.Outputs == nil {
		return wdl.Result{}, errors.New("trigger outputs: this is the code of the trigger, which holds no event")
	}
	r, err := wdl.Test(d.Outputs, lines, opts)
	r.Warnings = append(d.Notes, r.Warnings...)
	return r, err
}

// isOutputs tells whole outputs from a body that has a member called body, as a
// mail has: only outputs have headers or a status beside it, or nothing.
func isOutputs(root map[string]any) bool {
	if _, ok := root["body"]; !ok {
		_, headers := root["headers"]
		_, queries := root["queries"]
		return len(root) == 0 || headers && (queries || len(root) == 1)
	}
	for name := range root {
		switch name {
		case "body", "headers", "queries", "statusCode", "relativePathParameters", "method":
		default:
			return false
		}
	}
	return true
}

// readCode reads a trigger's own code, which tells its kind and generation.
func readCode(root map[string]any) (Detected, bool) {
	kind, _ := root["type"].(string)
	inputs, hasInputs := root["inputs"].(map[string]any)
	_, recurs := root["recurrence"]
	switch {
	case hasInputs && (kind == "Request" || strings.HasPrefix(kind, "OpenApi") || strings.HasPrefix(kind, "ApiConnection")):
	case recurs && kind == "Recurrence":
	default:
		return Detected{}, false
	}
	d := Detected{Notes: []string{"This is the code of the trigger, which holds no event. Paste the raw outputs of a past run as well."}}
	switch {
	case strings.HasPrefix(kind, "OpenApi"):
		d.Generation = current
	case strings.HasPrefix(kind, "ApiConnection"):
		d.Generation = classic
	case kind == "Request":
		d.Trigger = HTTPRequest
	default:
		d.Trigger = Schedule
	}
	if host, ok := inputs["host"].(map[string]any); ok {
		operation, _ := host["operationId"].(string)
		d.Trigger = byOperation(operation)
	}
	return d, true
}

// byOperation knows the triggers by the names they have in code. From public flows
// and Microsoft's connector reference.
func byOperation(id string) string {
	switch id {
	case "GetOnNewItems", "GetOnUpdatedItems", "GetOnChangedItems":
		return SharePointItem
	case "GetOnNewFileItems", "GetOnUpdatedFileItems":
		return SharePointFile
	case "OnNewEmailV3":
		return OutlookMail
	case "CreateFormWebhook":
		return FormsResponse
	case "SubscribeWebhookTrigger":
		return DataverseRow
	case "OnNewChannelMessage":
		return TeamsMessage
	}
	return ""
}

// recognise tells the trigger by members that only its events have.
func recognise(root map[string]any) string {
	body, ok := root["body"].(map[string]any)
	if !ok {
		if len(root) == 0 || len(root) == 1 && root["body"] == nil {
			return Schedule
		}
		return fromOutside(root)
	}
	if list, ok := body["value"].([]any); ok && len(list) > 0 {
		if first, ok := list[0].(map[string]any); ok {
			body = first // not split yet
		}
	}
	has := func(names ...string) bool {
		for _, n := range names {
			if _, ok := body[n]; !ok {
				return false
			}
		}
		return true
	}
	switch {
	case has("SdkMessage"):
		return DataverseRow
	case has("{Identifier}"), has("{VersionNumber}"), has("ID", "ItemInternalId"), has("ID", "Editor"), has("ID", "Editor#Claims"):
		if isFile(body) {
			return SharePointFile
		}
		return SharePointItem
	case has("internetMessageId"), has("conversationId", "subject"):
		return OutlookMail
	case has("channelIdentity"), has("messageType", "replyToId"):
		return TeamsMessage
	}
	if data, ok := body["resourceData"].(map[string]any); ok {
		if _, ok := data["responseId"]; ok {
			return FormsResponse
		}
	}
	return fromOutside(root)
}

// isFile tells a file or folder of a library from an item of a list.
func isFile(body map[string]any) bool {
	where, _ := body["{Path}"].(string)
	name, _ := body["{FilenameWithExtension}"].(string)
	return where != "" && !strings.HasPrefix(where, "Lists/") || path.Ext(name) != "" && name != body["{Name}"]
}

// fromOutside takes outputs with headers for a webhook's.
func fromOutside(root map[string]any) string {
	if headers, ok := root["headers"].(map[string]any); ok && len(headers) > 0 {
		return HTTPRequest
	}
	if _, ok := root["queries"]; ok {
		return HTTPRequest
	}
	return ""
}

func bodyNotes(body any) []string {
	switch body := body.(type) {
	case string:
		return []string{"The body came as plain text, so nothing in it can be read. The sender has to send it as application/json."}
	case map[string]any:
		if from, ok := body["from"].(map[string]any); ok && from["emailAddress"] != nil {
			return []string{"This mail is in the form of Microsoft Graph. The trigger When a new email arrives (V3) sends from as text, so paste the outputs of that trigger."}
		}
		if list, ok := body["value"].([]any); ok {
			if len(list) > 0 && len(body) <= 3 {
				return []string{"These are several events in one list, before they are split. A condition sees each of them by itself: open one run and paste its outputs."}
			}
		}
	}
	return nil
}

func pickFields(fields []wdl.Field) []PickField {
	var list []PickField
	for i, f := range fields {
		if len(f.Path) == 1 {
			continue // the body as a whole, the status
		}
		c := clause{path: f.Path}
		p := PickField{Path: wdl.Read(f.Path), Name: c.name(), Kind: f.Kind, Value: f.Value}
		switch f.Kind {
		case "object":
			p.Hint = "An object: click what lies inside it."
			for _, inner := range fields[i+1:] {
				if name := inner.Path[len(inner.Path)-1]; len(inner.Path) == len(f.Path)+1 && (name == "Value" || name == "Email") {
					p.Hint = "An object: click its " + name + "."
					break
				}
				if len(inner.Path) <= len(f.Path) {
					break
				}
			}
		case "list":
			p.Hint = "A list: only whether it is empty can be tested."
		case "null":
			p.Hint = "Empty in this event, so its kind is not known."
		}
		list = append(list, p)
	}
	return list
}
