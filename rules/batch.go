package rules

import (
	"fmt"
	"slices"
	"strings"
)

// lists are the names of members in which senders put several events.
var lists = strings.Fields(`body data entries events items messages notifications payloads records value`)

// batch finds a key that names one event of a sample that holds several.
func (t *trial) batch() {
	if t.rule.Each != "" {
		return
	}
	for _, p := range t.parts {
		at := slices.IndexFunc(p.Path, isIndex)
		if at < 1 || at > 2 || !slices.Contains(lists, strings.ToLower(p.Path[at-1])) || p.Path[0] != "body" {
			continue
		}
		for i, e := range t.events {
			list, _ := walkTo(e.Body, p.Path[1:at]).([]any)
			if len(list) < 2 {
				continue
			}
			name := "This sample"
			if len(t.events) > 1 {
				name = fmt.Sprintf("Sample %d", i+1)
			}
			item := pathText(append([]string{"item"}, p.Path[at+1:]...))
			t.add(Verdict{Code: VerdictBatch, Fail: true, Samples: []int{i}, Path: pathText(p.Path),
				Text: fmt.Sprintf("%s holds %d events. Only %s is named, so the others share its fate. The rule file needs `each: %s`, and the key `%s`.",
					name, len(list), ordinal(p.Path[at]), pathText(p.Path[:at]), item)})
			return
		}
	}
}

func ordinal(step string) string {
	if step == "[0]" {
		return "the first"
	}
	return "one of them"
}

// walkTo follows names below a value, nil where there is none.
func walkTo(v any, steps []string) any {
	for _, name := range steps {
		object, _ := v.(Object)
		v = object[name]
	}
	return v
}
