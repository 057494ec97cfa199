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
			t.add(Verdict{Code: VerdictBatch, Fail: true, Samples: []int{i}, Path: pathText(p.Path),
				Fix: t.perItem(p.Path[:at+1]),
				Text: fmt.Sprintf("%s holds %d events. Only %s is named, so the others share its fate. Give each item of `%s` a key of its own.",
					name, len(list), ordinal(p.Path[at]), pathText(p.Path[:at]))})
			return
		}
	}
}

// perItem returns a fix by which each item of a list has a key; at is the place in the
// list that the key names now.
func (t *trial) perItem(at []string) *Fix {
	parts := slices.Clone(t.parts)
	for n, p := range parts {
		if len(p.Path) >= len(at) && slices.Equal(p.Path[:len(at)], at) {
			parts[n].Path = append([]string{"item"}, p.Path[len(at):]...)
		}
	}
	return &Fix{Label: "One key for each item", Formula: Formula(parts), Setting: "each", Value: pathText(at[:len(at)-1])}
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
