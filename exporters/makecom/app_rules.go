package makecom

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// looksAt reports whether something in the file reads the status code of a call, or the
// code of what it answered.
func (v *validator) looksAt(id any) bool {
	n, ok := wholeNumber(id)
	return ok && (bytes.Contains(v.data, fmt.Appendf(nil, "{{%d.statusCode}}", n)) || bytes.Contains(v.data, fmt.Appendf(nil, "{{%d.data.code}}", n)))
}

// apps checks what single modules want in their settings.
func (v *validator) apps(m map[string]any, name, at string) {
	mapper, _ := m["mapper"].(map[string]any)
	parameters, _ := m["parameters"].(map[string]any)
	switch {
	case name == "http:MakeRequest":
		if off, ok := mapper["stopOnHttpError"].(bool); ok && !off && !v.looksAt(m["id"]) {
			v.warn(at, "Return error if HTTP request fails is off, so a failed call looks like a success.")
		}
		v.method(mapper, at)
	case strings.HasPrefix(name, "http:ActionSendData"):
		if on, _ := parameters["handleErrors"].(bool); !on {
			v.warn(at, "Evaluate all states as errors is off, so a failed call looks like a success.")
		}
		v.method(mapper, at)
	case name == "gateway:WebhookRespond":
		v.respond(mapper, at)
	case name == "builtin:Break":
		v.breaking(mapper, at)
	case name == "builtin:BasicAggregator":
		if id, ok := wholeNumber(parameters["feeder"]); !ok || !v.ids[id] {
			v.fail(at, "The aggregator's feeder (parameters.feeder) is not the id of a module.")
		}
	case name == "builtin:BasicFeeder":
		if list, _ := mapper["array"].(string); list == "" {
			v.fail(at, "The iterator has no list (array).")
		}
	case strings.HasPrefix(name, "datastore:"):
		v.dataStore(name, mapper, at)
	}
	v.keys(name, mapper, at)
}

func (v *validator) method(mapper map[string]any, at string) {
	if method, _ := mapper["method"].(string); method != strings.ToLower(method) {
		v.warn(at, "The method is written in small letters: %s.", strings.ToLower(method))
	}
}

func (v *validator) respond(mapper map[string]any, at string) {
	if _, isText := mapper["status"].(string); mapper["status"] != nil && !isText {
		v.fail(at, "The status of a webhook response is text: \"200\".")
	}
	headers, _ := mapper["headers"].([]any)
	for _, item := range headers {
		h, _ := item.(map[string]any)
		if _, ok := h["key"]; !ok {
			v.fail(at, "A header of a webhook response has a key and a value; it has no name.")
		}
	}
}

func (v *validator) breaking(mapper map[string]any, at string) {
	_, retry := mapper["retry"]
	_, count := mapper["count"]
	_, interval := mapper["interval"]
	if !retry || !count || !interval {
		v.warn(at, "Break says whether to try again, how often and after how many minutes (retry, count, interval).")
	}
}

func (v *validator) dataStore(name string, mapper map[string]any, at string) {
	switch name {
	case "datastore:GetRecord":
		if _, ok := mapper["returnWrapped"]; !ok {
			v.fail(at, "Get a record needs returnWrapped, true or false.")
		}
	case "datastore:AddRecord":
		if key, _ := mapper["key"].(string); key == "" {
			v.warn(at, "The record has no key, so Make invents one and no copy is ever found.")
		}
	case "datastore:ExistRecord":
		v.looksUp = append(v.looksUp, at)
	}
}

// changing are the words that are another text at each run.
var changing = regexp.MustCompile(`(?:^|[^A-Za-z0-9_.` + "`" + `])(executionId|now|timestamp|random|uuid)(?:$|[^A-Za-z0-9_.` + "`" + `(])`)

// keys finds what is new at each run in a key. A record whose state says that it has no
// key may be named by its run.
func (v *validator) keys(name string, mapper map[string]any, at string) {
	var texts []string
	if strings.HasPrefix(name, "datastore:") {
		key, _ := mapper["key"].(string)
		if data, _ := mapper["data"].(map[string]any); data["state"] != stateNoKey {
			texts = append(texts, key)
		}
	}
	for _, list := range []string{"urlEncodedBodyContent", "fields"} {
		fields, _ := mapper[list].([]any)
		for _, item := range fields {
			f, _ := item.(map[string]any)
			field, _ := f["name"].(string)
			if value, _ := f["value"].(string); field == "key" || strings.HasPrefix(field, "part") {
				texts = append(texts, value)
			}
		}
	}
	for _, text := range texts {
		for _, hit := range iml.FindAllStringSubmatch(text, -1) {
			if word := changing.FindStringSubmatch(quoted.ReplaceAllString(hit[1], `""`)); word != nil {
				v.warn(at, "The key holds %s, which is new at each run, so no copy is ever found.", word[1])
			}
		}
	}
}

// settings checks what the scenario settings mean together.
func (v *validator) settings(b map[string]any) {
	meta, _ := b["metadata"].(map[string]any)
	s, _ := meta["scenario"].(map[string]any)
	sequential, _ := s["sequential"].(bool)
	stores, _ := s["dlq"].(bool)
	if sequential && stores {
		v.warn("metadata.scenario", "Process data in order and Allow storing of incomplete executions are both on: one failed run stops the whole scenario until somebody resolves it.")
	}
	if !sequential {
		for _, at := range v.looksUp {
			v.warn(at, "It looks a key up before it is written. Two runs at the same time both find nothing, and both write. Process one run at a time, or add the record first with Overwrite off.")
		}
	}
	for _, member := range slices.Sorted(maps.Keys(s)) {
		value := s[member]
		wants := slices.Contains([]string{"autoCommit", "autoCommitTriggerLast", "sequential", "confidential", "dataloss", "dlq", "freshVariables"}, member)
		if _, isBool := value.(bool); wants && !isBool {
			v.fail("metadata.scenario", "%s is true or false.", member)
		}
		if _, isNumber := value.(json.Number); (member == "roundtrips" || member == "maxErrors") && !isNumber {
			v.fail("metadata.scenario", "%s is a number.", member)
		}
	}
	flow, _ := b["flow"].([]any)
	if instant, ok := meta["instant"].(bool); ok && !instant && nameAt(flow, 0) == "gateway:CustomWebHook" {
		v.warn("metadata.instant", "The scenario begins with a webhook but does not say that it is instant.")
	}
}
