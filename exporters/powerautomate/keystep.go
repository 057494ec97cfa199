package powerautomate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"dedupedesk/exporters"
	"dedupedesk/exporters/wdl"
)

// maxExpression is the length of an expression, from the page on limits.
const maxExpression = 8192

// A Swap puts one text in place of another in the finished key, for a place that
// cannot hold the first.
type Swap struct{ From, To string }

// Swapped returns key after all swaps, in their order.
func Swapped(key string, swaps []Swap) string {
	for _, w := range swaps {
		key = strings.ReplaceAll(key, w.From, w.To)
	}
	return key
}

// WhenSteps filter by a trigger condition, or by a step behind the trigger.
func WhenSteps(s exporters.Setup) []exporters.Step {
	return s.WhenSteps("The trigger > Settings > Trigger conditions; the way A trigger condition of Power Automate in this program makes such lines. In a loop over the lines of an event, or where a trigger has no such setting: Control > Condition before the steps below, and all of them in its If yes.", triggersPage)
}

// KeySteps offers the event key of s's rule as an expression, worked out on every
// sample beside the rule's own key after swaps. Any difference blocks it. Where the
// rule has a key for each item of a list, the loop comes before it.
func KeySteps(s exporters.Setup, swaps ...Swap) []exporters.Step {
	key := keyStep(s, swaps)
	if len(s.Each) == 0 {
		return []exporters.Step{key}
	}
	loop := LoopStep(s)
	if loop.Blocked != "" && key.Blocked == "" {
		key.Blocked = loop.Blocked
	}
	return []exporters.Step{loop, key}
}

func keyStep(s exporters.Setup, swaps []Swap) exporters.Step {
	step := exporters.Step{
		ID:         "key",
		Title:      "Make the event key",
		Where:      "Directly below the trigger: + > Add an action > Data Operation > Compose. Rename it to Event key. Click into Inputs > fx (Expression) > paste > Add.",
		ValueLabel: "Expression of the event key",
		Why:        "All later steps take the key from this one place. A part that is empty, a list or a group of fields makes the step fail and stops the run: such a key would be the same for many events, and the real ones among them would be lost.",
		NotFixed:   "A key alone stops nothing. A unique column, or this program, has to refuse the second copy.",
		Sources:    []exporters.Source{functionsPage},
		Tried:      "Worked out here by our own evaluator, on your samples beside the rule. Not tried in Power Automate.",
	}
	if len(s.Each) > 0 {
		step.Where = strings.Replace(step.Where, "Directly below the trigger", "Inside the loop, as its first step", 1)
	}
	if !s.Expressible || len(s.Parts) == 0 {
		step.Blocked = "The formula of this rule does more than a list of fields can say, so Power Automate cannot make the same key. Take the way of Power Automate that asks this program: it sends the event and lets the rule make the key."
		return step
	}
	expression, err := swappedExpression(s, loopItem, swaps)
	if err != nil {
		step.Blocked = err.Error()
		return step
	}
	tried, err := swappedExpression(s, sampleItem, swaps)
	if err != nil {
		step.Blocked = err.Error()
		return step
	}
	if utf8.RuneCountInString(expression) > maxExpression {
		step.Blocked = "The key has so many parts that its expression is longer than the 8,192 characters that Power Automate allows."
		return step
	}
	step.Value = expression
	step.Checks = append(keyOnSamples(tried, s.Samples, swaps), emptyParts(tried, s.Parts, s.Samples)...)
	step.Checks = append(step.Checks, exporters.Check{Result: exporters.Warn, Text: "The rule makes one space of several inside a value, and one letter of a letter and its accent. Power Automate does neither, so values like that get another key there."})
	step.Checks = append(step.Checks, exporters.Check{Result: exporters.Warn, Text: "A text that begins with [ and ends with ], or begins with { and ends with }, cannot be told from a list or a group of fields there. The run stops at it, though the rule makes a key."})
	if s.FoldCase {
		step.Checks = append(step.Checks, exporters.Check{Result: exporters.Warn, Text: "The rule ignores capitals in every alphabet. Power Automate leaves a few letters beyond A to Z, such as ß and the Greek ς, as they are, so values like that get another key there."})
	}
	if label, digits, lost := s.LostDigits(); lost {
		step.Checks = append(step.Checks, exporters.Check{Result: exporters.Warn, Text: fmt.Sprintf("%s has the number %s in the key, longer than many programs can hold. Whether Power Automate keeps every digit is not confirmed: compare the key of a real run, or use a field that carries it as text.", label, digits)})
	}
	step.BlockByChecks()
	return step
}

func swappedExpression(s exporters.Setup, item string, swaps []Swap) (string, error) {
	expression, err := keyExpression(s.Parts, item)
	if s.FoldCase {
		expression = "toLower(" + expression + ")" // the escapes too, as the rule does
	}
	for _, w := range swaps {
		expression = "replace(" + expression + "," + wdl.Quote(w.From) + "," + wdl.Quote(w.To) + ")"
	}
	return expression, err
}

// evaluate works the expression out. It holds no clock, so any time does.
func evaluate(expression string, outputs []byte) (wdl.Evaluated, error) {
	return wdl.Evaluate(outputs, expression, wdl.Options{Now: time.Unix(0, 0)})
}

func keyOnSamples(expression string, samples []exporters.Sample, swaps []Swap) []exporters.Check {
	if len(samples) == 0 {
		return []exporters.Check{{Result: exporters.Warn, Text: "There is no sample to try it on. Compare the first key of a real run with the rule's."}}
	}
	var checks []exporters.Check
	if !slices.ContainsFunc(samples, func(s exporters.Sample) bool { return s.Key != "" }) {
		checks = append(checks, exporters.Check{Result: exporters.Warn, Text: exporters.NoSampleKeyed})
	}
	for i, s := range samples {
		same := "the same as the rule's"
		if len(swaps) > 0 {
			s.Key, same = Swapped(s.Key, swaps), "the rule's key in the spelling of this place"
		}
		checks = append(checks, keyOnSample(s.Label(i), expression, same, s))
	}
	return checks
}

func keyOnSample(name, expression, same string, s exporters.Sample) exporters.Check {
	outputs, err := outputsOf(s)
	if err != nil {
		return exporters.Check{Result: exporters.Fail, Text: name + " could not be read: " + err.Error() + "."}
	}
	got, err := evaluate(expression, outputs)
	switch {
	case err != nil:
		return exporters.Check{Result: exporters.Fail, Text: name + " could not be read: " + err.Error() + "."}
	case !got.OK && s.Key == "":
		return exporters.Check{Result: exporters.OK, Text: name + ": no key here and none in Power Automate, so the run stops."}
	case !got.OK:
		return exporters.Check{Result: exporters.Fail, Text: fmt.Sprintf("%s: Power Automate would make no key, the rule makes %s. %s", name, s.Key, got.Reason)}
	case s.Key == "":
		return exporters.Check{Result: exporters.Fail, Text: fmt.Sprintf("%s: Power Automate would make the key %s, the rule makes none.", name, got.Text)}
	case got.Text != s.Key:
		return exporters.Check{Result: exporters.Fail, Text: fmt.Sprintf("%s: Power Automate would make the key %s, the rule makes %s.", name, got.Text, s.Key)}
	case len(got.Warnings) > 0:
		return exporters.Check{Result: exporters.Fail, Text: name + ": " + got.Warnings[0]}
	}
	return exporters.Check{Result: exporters.OK, Text: fmt.Sprintf("%s: %s, %s.", name, got.Text, same)}
}

// emptyParts tries each part of the key without its value, on the first sample
// that has a key.
func emptyParts(expression string, parts []exporters.Part, samples []exporters.Sample) []exporters.Check {
	for _, sample := range samples {
		if sample.Key == "" {
			continue
		}
		tried := 0
		for i, p := range parts {
			if len(p.Path) == 0 || p.Default != nil {
				continue
			}
			for _, hole := range []any{nil, "", "  ", []any{}, []any{""}, map[string]any{}} {
				outputs, err := withHole(sample, p, hole)
				if err != nil {
					return nil // the sample has no such place; its own check says so
				}
				got, err := evaluate(expression, outputs)
				if err != nil || got.OK {
					return []exporters.Check{{Result: exporters.Fail, Text: fmt.Sprintf("With no single value in part %d (%s) the expression still makes a key: %s.", i+1, p.Dotted(), got.Text)}}
				}
				tried++
			}
		}
		if tried > 0 {
			return []exporters.Check{{Result: exporters.OK, Text: fmt.Sprintf("Tried with each part empty, and with a list or a group of fields in it (%d made events): the run stops each time.", tried)}}
		}
	}
	return nil
}

// withHole writes the sample's trigger outputs with another value for p.
func withHole(s exporters.Sample, p exporters.Part, hole any) ([]byte, error) {
	outputs, err := outputsOf(s)
	if err != nil {
		return nil, err
	}
	var root any
	d := json.NewDecoder(bytes.NewReader(outputs))
	d.UseNumber()
	if err := d.Decode(&root); err != nil {
		return nil, fmt.Errorf("trigger outputs: %w", err)
	}
	if !put(root, p.Path, hole) {
		return nil, fmt.Errorf("the sample has no %s", p.Dotted())
	}
	return json.Marshal(root)
}

// put replaces the value at path and reports whether there was one.
func put(at any, path []string, v any) bool {
	for i, name := range path {
		last := i == len(path)-1
		switch here := at.(type) {
		case map[string]any:
			inner, ok := here[name]
			if !ok {
				return false
			}
			if last {
				here[name] = v
				return true
			}
			at = inner
		case []any:
			n, ok := exporters.Index(name)
			if !ok || n >= len(here) {
				return false
			}
			if last {
				here[n] = v
				return true
			}
			at = here[n]
		default:
			return false
		}
	}
	return false
}
