package rules

import (
	"slices"
	"strings"
)

// What a platform shows of an event wraps it: the body lies beside its headers, or
// inside a list of items. This file takes the event out, with the order of its members.

// unwrap takes an event out of what a platform shows. text is the body as given.
func unwrap(e Event, text string, order [][]member) (Event, [][]member, error) {
	for {
		inner, ok := unwrapOnce(&e, text, order)
		if inner.several > 1 {
			return e, nil, several(inner.several, "This holds %d events")
		}
		if !ok {
			return e, order, nil
		}
		e.Body, order, _ = decodeOrdered([]byte(inner.text), true) // it was read before, as a part
		text = inner.text
	}
}

type inner struct {
	text    string
	several int // events in it, if more than one
}

func unwrapOnce(e *Event, text string, order [][]member) (inner, bool) {
	switch v := e.Body.(type) {
	case []any:
		if len(v) == 0 || !slices.ContainsFunc(v, isItem) || slices.ContainsFunc(v, func(item any) bool { return !isItem(item) }) {
			return inner{}, false
		}
		if len(v) > 1 {
			return inner{several: len(v)}, false
		}
		text = strings.TrimSpace(strings.TrimPrefix(text, "\ufeff"))
		return inner{text: text[1 : len(text)-1]}, true
	case Object:
		return unwrapObject(e, v, text, order)
	}
	return inner{}, false
}

func unwrapObject(e *Event, object Object, text string, order [][]member) (inner, bool) {
	at := func(name string) string {
		i := slices.IndexFunc(order[0], func(m member) bool { return m.name == name })
		return text[order[0][i].from:order[0][i].to]
	}
	switch {
	case isN8nItem(object):
		return inner{text: at("json")}, true
	case isOutputs(object):
		fill(e.Headers, LowerNames(texts(object["headers"])))
		for _, name := range []string{"queries", "query"} {
			fill(e.Query, texts(object[name]))
		}
		return inner{text: at("body")}, true
	case isBundle(object):
		fill(e.Headers, bundleHeaders(object["__IMTHEADERS__"]))
		return inner{text: withoutMake(text, order[0])}, true
	}
	return inner{}, false
}

// isItem tells what n8n and Make show in a list from a list that a sender sends.
func isItem(v any) bool {
	object, ok := v.(Object)
	if !ok {
		return false
	}
	if _, hook := object["webhookUrl"]; hook && isOutputs(object) {
		return true
	}
	return isN8nItem(object) || isBundle(object) || slices.ContainsFunc(makeRowNames(), func(name string) bool { return object[name] != nil })
}

// isN8nItem tells {"json": {...}, "pairedItem": ...}.
func isN8nItem(object Object) bool {
	if _, ok := object["json"].(Object); !ok {
		return false
	}
	return onlyHas(object, "json", "binary", "pairedItem", "index", "executionIndex", "error")
}

// isOutputs tells the outputs of a Power Automate trigger and of n8n's Webhook node:
// headers, a body and what belongs to a request, and nothing else.
func isOutputs(object Object) bool {
	_, hasHeaders := object["headers"].(Object)
	_, hasBody := object["body"]
	return hasHeaders && hasBody && onlyHas(object, "headers", "body", "queries", "statusCode", "method", "relativePath", "relativePathParameters",
		"query", "params", "webhookUrl", "executionMode")
}

// isBundle tells what Make's own webhook adds to an event.
func isBundle(object Object) bool {
	for name := range object {
		if strings.HasPrefix(name, "__IMT") {
			return true
		}
	}
	return false
}

// makeRowNames are members that Make adds to the row of a table.
func makeRowNames() []string { return []string{"__ROW_NUMBER__", "__SPREADSHEET_ID__"} }

func onlyHas(object Object, names ...string) bool {
	for name := range object {
		if !slices.Contains(names, name) {
			return false
		}
	}
	return true
}

// bundleHeaders reads [{"name": "x-id", "value": "7"}].
func bundleHeaders(v any) map[string]string {
	out := map[string]string{}
	list, _ := v.([]any)
	for _, item := range list {
		pair := texts(item)
		out[pair["name"]] = pair["value"]
	}
	delete(out, "")
	return LowerNames(out)
}

// withoutMake writes the object without the members that Make added.
func withoutMake(text string, members []member) string {
	var kept []string
	for _, m := range members {
		if !strings.HasPrefix(m.name, "__IMT") {
			kept = append(kept, text[m.at:m.to])
		}
	}
	return "{" + strings.Join(kept, ", ") + "}"
}

// texts keeps the members of an object that are text, or can be written as text.
func texts(v any) map[string]string {
	out := map[string]string{}
	object, _ := v.(Object)
	for name, v := range object {
		text, ok := v.(string)
		if !ok {
			text, ok = scalarText(v)
		}
		if ok {
			out[name] = text
		}
	}
	return out
}

// fill adds the names that into lacks.
func fill(into, from map[string]string) {
	for name, value := range from {
		if _, taken := into[name]; !taken {
			into[name] = value
		}
	}
}
