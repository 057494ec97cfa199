package main_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"dedupedesk/exporters"
	"dedupedesk/exporters/powerautomate"
	"dedupedesk/exporters/wdl"
	"dedupedesk/rules"
)

// TestThePowerAutomateKeyIsTheRules: wherever Copy is offered, the expression makes the
// rule's key of events that nobody showed us, and none where the rule makes none. Left out
// is what the step warns of: white space inside a value, accents that are not composed,
// capitals beyond A to Z of a rule that ignores them, text in brackets.
func TestThePowerAutomateKeyIsTheRules(t *testing.T) {
	engine, err := rules.New()
	if err != nil {
		t.Fatal(err)
	}
	drawn, offered := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(rapid.Custom(drawPart), 1, 4).Draw(t, "parts")
		rule := rules.Rule{Rule: "drawn", Key: rules.Formula(parts), FoldCase: rapid.Bool().Draw(t, "fold")}
		program, _ := engine.Compile(&rule)
		if program == nil {
			return // a text such as @{} is another tool's field, and refused
		}
		events := rapid.SliceOfN(rapid.Custom(drawEvent), 3, 6).Draw(t, "events")
		setup := exporters.Setup{Rule: rule.Rule, Expressible: true, FoldCase: rule.FoldCase}
		for _, p := range parts {
			setup.Parts = append(setup.Parts, exporters.Part{Literal: p.Literal, Path: p.Path, Steps: p.Steps, Default: p.Default})
		}
		setup.Samples = []exporters.Sample{{Body: events[0], Key: keyOf(t, program, events[0])}}
		step := powerautomate.KeySteps(setup)[0]
		drawn++
		if step.Value == "" || step.Blocked != "" {
			return
		}
		offered++
		for _, body := range events[1:] {
			outputs := slices.Concat([]byte(`{"body":`), body, []byte("}"))
			got, err := wdl.Evaluate(outputs, step.Value, wdl.Options{Now: time.Unix(0, 0)})
			if err != nil {
				t.Fatal(err)
			}
			if len(got.Warnings) > 0 {
				continue // told beside each sample that is like it
			}
			var event any
			if err := json.Unmarshal(body, &event); err != nil || bracketed(event) {
				continue
			}
			if want := keyOf(t, program, body); got.OK != (want != "") || got.Text != want {
				t.Fatalf("%s of %s:\n rule      %q\n expression %q %s\n%s", rule.Key, body, want, got.Text, got.Reason, step.Value)
			}
		}
	})
	if offered*2 < drawn {
		t.Errorf("only %d of %d keys were offered for copying", offered, drawn)
	}
}

// bracketed finds a text that the expression cannot tell from a list or a group.
func bracketed(v any) bool {
	switch v := v.(type) {
	case string:
		v = strings.TrimSpace(v)
		return strings.HasPrefix(v, "{") && strings.HasSuffix(v, "}")
	case []any:
		return slices.ContainsFunc(v, bracketed)
	case map[string]any:
		return slices.ContainsFunc(slices.Collect(maps.Values(v)), bracketed)
	}
	return false
}

// keyOf is the rule's key, "" where it makes none.
func keyOf(t *rapid.T, p *rules.Program, body []byte) string {
	e, err := rules.DecodeEvent("application/json", body, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	made, err := p.Keys(t.Context(), e)
	if err != nil || made[0].Err != nil {
		return ""
	}
	return made[0].Key
}

// drawnText draws text with what is hard to write in an expression.
var drawnText = rapid.StringOfN(rapid.SampledFrom([]rune("aZ0:%'\"@{}\\/?é😀ש")), 1, 8, -1)

func drawPart(t *rapid.T) rules.Part {
	if rapid.IntRange(0, 3).Draw(t, "kind") == 0 {
		return rules.Part{Literal: drawnText.Draw(t, "literal")}
	}
	p := rules.Part{Path: rapid.SampledFrom([][]string{
		{"body", "id"}, {"body", "it's"}, {"body", "in", "side"}, {"body", "list", "[1]"},
	}).Draw(t, "path")}
	switch rapid.IntRange(0, 3).Draw(t, "step") {
	case 0:
		p.Steps = []string{"lower"}
	case 1:
		other := drawnText.Draw(t, "default")
		p.Default = &other
	}
	return p
}

func drawEvent(t *rapid.T) []byte {
	body, err := json.Marshal(map[string]any{
		"id": drawValue(t), "it's": drawValue(t), "in": map[string]any{"side": drawValue(t)}, "list": []any{1, drawValue(t)},
	})
	if err != nil {
		t.Fatal(err)
	}
	return body
}

func drawValue(t *rapid.T) any {
	switch rapid.IntRange(0, 10).Draw(t, "value") {
	case 10:
		return rapid.SampledFrom([]any{[]any{}, []any{""}, []any{"a"}, map[string]any{}, map[string]any{"a": 1}}).Draw(t, "list or group")
	case 0:
		return nil
	case 1:
		return rapid.SampledFrom([]string{"", " ", "\t"}).Draw(t, "hole")
	case 2, 3:
		return rapid.Int64().Draw(t, "number")
	case 4:
		return " " + drawnText.Draw(t, "padded") + "\n"
	}
	return drawnText.Draw(t, "text")
}
