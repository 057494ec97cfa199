package api_test

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"dedupedesk/app/api"
	"dedupedesk/app/describe"
	"dedupedesk/rules"
)

var pathName = regexp.MustCompile(`\{(\w+)\}`)

// TestEveryRouteSaysWhatItIsFor: a route cannot be added without its description.
func TestEveryRouteSaysWhatItIsFor(t *testing.T) {
	ids := map[string]string{}
	for _, rt := range api.Routes(nil, nil, nil, nil) {
		op := rt.Operation
		if op.ID == "" || op.Title == "" || op.Group == "" || !strings.HasSuffix(op.Text, ".") || len(op.Answers) == 0 {
			t.Errorf("%s lacks a part of its description: %+v", rt.Pattern, op)
		}
		if other := ids[op.ID]; other != "" {
			t.Errorf("%s and %s are both called %s", rt.Pattern, other, op.ID)
		}
		ids[op.ID] = rt.Pattern
		var names []string
		for _, m := range pathName.FindAllStringSubmatch(rt.Pattern, -1) {
			names = append(names, m[1])
		}
		if !slices.Equal(names, describe.Names(op.Path)) {
			t.Errorf("%s describes the path's names as %v", rt.Pattern, describe.Names(op.Path))
		}
		for _, f := range slices.Concat(op.Path, op.Headers, op.Query, op.Fields) {
			if f.Name == "" || f.Title == "" || f.Kind == "" || !strings.HasSuffix(f.Text, ".") || (f.Kind == describe.Choice) != (len(f.Choices) > 0) {
				t.Errorf("%s lacks a part of a field's description: %+v", rt.Pattern, f)
			}
		}
		for _, a := range op.Answers {
			if a.Status < 200 || !strings.HasSuffix(a.Text, ".") || (len(a.Bodies) == 0) == (len(a.Codes) == 0) {
				t.Errorf("%s lacks a part of an answer's description: %+v", rt.Pattern, a)
			}
		}
	}
}

// TestRuleFieldsAreTheFilesMembers: none more and none less than a rule file may have.
func TestRuleFieldsAreTheFilesMembers(t *testing.T) {
	full := rules.Rule{
		Rule: "r", Title: "T", Sender: "stripe", Key: "key(body.id)", Each: "body.lines", When: "true", Lease: 1, Keep: 1, OnExpiry: "ask", MaxAttempts: 1,
		Answer: "wait", LongKeys: "sha256", FoldCase: true, KeepSamples: 1, Fingerprint: []string{"body.id"}, Samples: []rules.Sample{{Name: "a"}},
		IfUnreachable: "go_on", CostPerDouble: "1 EUR",
	}
	data, err := full.JSON()
	if err != nil {
		t.Fatal(err)
	}
	var members map[string]any
	if err := json.Unmarshal(data, &members); err != nil {
		t.Fatal(err)
	}
	for _, rt := range api.Routes(nil, nil, nil, nil) {
		if rt.Operation.ID == "KeepRule" {
			got := slices.Sorted(slices.Values(describe.Names(rt.Operation.Fields)))
			if want := slices.Sorted(maps.Keys(members)); !slices.Equal(got, want) {
				t.Errorf("described are\n%v, a file has\n%v", got, want)
			}
		}
	}
}
