package powerautomate

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"dedupedesk/exporters"
)

// model makes the key as a rule does, for text values.
func model(values []string) (string, bool) {
	var parts []string
	for _, v := range values {
		v = norm.NFC.String(strings.Join(strings.Fields(v), " "))
		if v == "" {
			return "", false
		}
		v = strings.ReplaceAll(v, "%", "%25")
		parts = append(parts, strings.ReplaceAll(v, ":", "%3A"))
	}
	return strings.Join(parts, ":"), true
}

// foldable reports whether the rule changes the value in a way that the
// expression cannot.
func foldable(v string) bool {
	v = strings.TrimSpace(v)
	return !norm.NFC.IsNormalString(v) || strings.Join(strings.Fields(v), " ") != v
}

// body writes an event as JSON.
func body(t interface{ Fatal(...any) }, v any) json.RawMessage {
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestKeyIsTheRulesOrIsBlocked: whatever stands in an event, the expression makes
// the rule's key, or is blocked, or fails where the rule has no key.
func TestKeyIsTheRulesOrIsBlocked(t *testing.T) {
	letters := rapid.StringOfN(rapid.RuneFrom([]rune("aZ9:%' é\u0301\u00a0\n\"{}[]/@\\żß")), 0, 12, -1)
	rapid.Check(t, func(t *rapid.T) {
		literal := letters.Draw(t, "literal")
		first, second := letters.Draw(t, "first"), letters.Draw(t, "second")
		s := exporters.Setup{Rule: "r", Expressible: true,
			Parts: []exporters.Part{{Literal: literal}, {Path: []string{"body", "a b", "[0]", "c'd"}}, {Path: []string{"headers", "x-id"}}},
		}
		key, _ := model([]string{literal, first, second})
		s.Samples = []exporters.Sample{{Key: key, Headers: map[string]string{"x-id": second},
			Body: body(t, map[string]any{"a b": []any{map[string]any{"c'd": first}}})}}
		step := keyStep(s, nil)
		switch {
		case strings.TrimSpace(literal) == "":
			if step.Blocked == "" || step.Value != "" {
				t.Fatalf("an empty literal went through: %s", step.Value)
			}
		case bracketed(first) || bracketed(second):
			if step.Blocked == "" && key != "" {
				t.Fatalf("text in brackets went through: %q, %q", first, second)
			}
		case key == "" || (!foldable(first) && !foldable(second)):
			if step.Blocked != "" {
				t.Fatalf("blocked though the same: %s\n%s", step.Blocked, step.Value)
			}
		default:
			if step.Blocked == "" {
				t.Fatalf("%q and %q should differ from %q\n%s", first, second, key, step.Value)
			}
		}
	})
}

func TestKeyOfNumbersAndTruth(t *testing.T) {
	for _, tt := range []struct {
		name    string
		value   string
		key     string
		blocked string
	}{
		{"beyond 2^53", "9007199254740993", "9007199254740993", ""},
		{"unsigned", "18446744073709551615", "18446744073709551615", ""},
		{"decimal", "19.9", "19.9", ""},
		{"exact text", "12345678901234567890123", "12345678901234567890123", ""},
		{"decimal with a zero at its end", "19.90", "19.9", "not known to us"},
		{"true is written True there", "true", "true", "would make the key True"},
		{"null has no key", "null", "", ""},
		{"an object has no key in the rule", `{"a":1}`, "", ""},
		{"an empty list has none in the rule", "[]", "", ""},
		{"nor has a list of one value", `["a"]`, "", ""},
		{"text in brackets cannot be told from a list", `"[x]"`, "[x]", "would make no key"},
		{"an opening bracket can", `"["`, "[", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			step := keyStep(exporters.Setup{Rule: "r", Expressible: true, Parts: []exporters.Part{{Path: []string{"body", "v"}}},
				Samples: []exporters.Sample{{Key: tt.key, Body: []byte(`{"v":` + tt.value + `}`)}}}, nil)
			if (step.Blocked == "") != (tt.blocked == "") || !strings.Contains(step.Blocked, tt.blocked) {
				t.Errorf("blocked %q, want … %s …", step.Blocked, tt.blocked)
			}
		})
	}
}

func TestK11AndOthersThatCannotBeSaid(t *testing.T) {
	for name, part := range map[string]exporters.Part{
		"a step without counterpart": {Path: []string{"body", "a"}, Steps: []string{"fold"}},
		"a time":                     {Path: []string{"body", "a"}, Steps: []string{"time"}},
		"a secret":                   {Path: []string{"body", "a"}, Steps: []string{"secret"}},
		"the whole body":             {Path: []string{"body"}},
		"something else":             {Path: []string{"env", "a"}},
	} {
		_, err := keyExpression([]exporters.Part{part}, loopItem)
		var words exporters.Inexpressible
		if !errors.As(err, &words) || !strings.HasSuffix(err.Error(), ".") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := keyExpression(nil, ""); err == nil {
		t.Error("a key without parts went through")
	}
}

// TestK12EmptyPartStopsTheRun: each hole is tried, and a stand-in fills its own.
func TestK12EmptyPartStopsTheRun(t *testing.T) {
	stand := "none"
	s := exporters.Setup{Rule: "r", Expressible: true,
		Parts:   []exporters.Part{{Literal: "sp"}, {Path: []string{"body", "ID"}}, {Path: []string{"body", "Modified"}, Default: &stand}},
		Samples: []exporters.Sample{{Key: "sp:41:2026", Body: []byte(`{"ID":41,"Modified":"2026"}`)}, {Key: "sp:42:none", Body: []byte(`{"ID":42}`)}},
	}
	step := keyStep(s, nil)
	if step.Blocked != "" {
		t.Fatal(step.Blocked)
	}
	found := false
	for _, c := range step.Checks {
		found = found || strings.Contains(c.Text, "(6 made events): the run stops each time")
	}
	if !found {
		t.Errorf("%+v", step.Checks)
	}
}

// TestLowerAndUpper keeps to letters that both write alike.
func TestLowerAndUpper(t *testing.T) {
	for _, step := range []string{"lower", "upper"} {
		got := keyStep(exporters.Setup{Rule: "r", Expressible: true, Parts: []exporters.Part{{Path: []string{"body"}, Steps: []string{step}}}}, nil)
		if got.Blocked == "" {
			t.Errorf("%s of a whole body went through", step)
		}
		want := map[string]string{"lower": "straße ż", "upper": "STRASSE Ż"}[step]
		if step == "upper" {
			want = strings.Map(unicode.ToUpper, "Straße Ż") // the language maps letter by letter
		}
		ok := keyStep(exporters.Setup{Rule: "r", Expressible: true, Parts: []exporters.Part{{Path: []string{"body", "v"}, Steps: []string{step}}},
			Samples: []exporters.Sample{{Key: want, Body: []byte(`{"v":" Straße Ż "}`)}}}, nil)
		if ok.Blocked != "" {
			t.Errorf("%s: %s", step, ok.Blocked)
		}
	}
}

// TestIgnoredCapitalsAreMadeSmall: the platform makes the key itself, so it has to
// ignore what the rule ignores.
func TestIgnoredCapitalsAreMadeSmall(t *testing.T) {
	step := keyStep(exporters.Setup{Rule: "r", Expressible: true, FoldCase: true, Parts: []exporters.Part{{Literal: "Shop"}, {Path: []string{"body", "id"}}},
		Samples: []exporters.Sample{{Key: "shop:in_77", Body: []byte(`{"id":"IN_77"}`)}}}, nil)
	if step.Blocked != "" {
		t.Errorf("blocked %q: %s", step.Blocked, step.Value)
	}
}

// TestKeyOfLines: the item is part of what the expression is worked out on, and a
// difference blocks it.
func TestKeyOfLines(t *testing.T) {
	s := exporters.Setup{Rule: "r", Expressible: true, Each: []string{"body", "lines"},
		Parts:   []exporters.Part{{Path: []string{"body", "id"}}, {Path: []string{"item", "sku"}}},
		Samples: []exporters.Sample{{Name: "a line", Key: "7:A%3A1", Body: []byte(`{"id":7,"lines":[{"sku":"A:1"}]}`), Item: []byte(`{"sku":"A:1"}`)}}}
	steps := KeySteps(s)
	if len(steps) != 2 || steps[0].Value != "triggerBody()?['lines']" || steps[1].Blocked != "" || !strings.Contains(steps[1].Value, "items('For_each_line')?['sku']") {
		t.Fatalf("%+v", steps)
	}
	if !strings.Contains(steps[1].Checks[1].Text, "(12 made events)") {
		t.Errorf("%+v", steps[1].Checks)
	}
	s.Samples[0].Key = "7:A-1"
	if step := KeySteps(s)[1]; !strings.Contains(step.Blocked, "the rule makes 7:A-1") {
		t.Errorf("blocked %q", step.Blocked)
	}
	whole := s
	whole.Parts = s.Parts[:1]
	if steps := KeySteps(whole); !strings.Contains(steps[0].Blocked, "one key") || steps[1].Blocked == "" {
		t.Errorf("a key without an item: %+v", steps)
	}
	s.Each = []string{"headers", "x"}
	if steps := KeySteps(s); steps[0].Blocked == "" || steps[1].Blocked == "" {
		t.Errorf("%+v", steps)
	}
}

// TestAnExpressionOver8192IsBlocked, with or without samples.
func TestAnExpressionOver8192IsBlocked(t *testing.T) {
	s := exporters.Setup{Rule: "r", Expressible: true}
	for range 60 {
		s.Parts = append(s.Parts, exporters.Part{Path: []string{"body", "a_long_name_of_a_field"}})
	}
	if step := keyStep(s, nil); step.Value != "" || !strings.Contains(step.Blocked, "8,192") {
		t.Errorf("blocked %q, value %d", step.Blocked, len(step.Value))
	}
}
