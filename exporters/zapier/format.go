package zapier

import (
	"fmt"
	"strings"

	"dedupedesk/exporters"
)

// A format is one change of a value by Formatter by Zapier.
type format struct {
	name  string // as Formatter's list has it
	extra string // what else to fill in
	value string // what is pasted there
	fault string // what it leaves undone
	apply func(string) string
}

const rareLetters = "Letters of rare alphabets may be changed in another way than the rule does."

var caseFormats = map[string]format{
	"lower": {name: "Lowercase", fault: rareLetters, apply: strings.ToLower},
	"upper": {name: "Uppercase", fault: rareLetters, apply: strings.ToUpper},
}

// formattable returns an [exporters.Inexpressible] for a part that Formatter cannot
// change as the rule does.
func formattable(k pick) error {
	for _, step := range k.part.Steps {
		if _, ok := caseFormats[step]; !ok {
			return exporters.CannotStep(k.number, k.part, step, "which Formatter by Zapier does not do as the rule does it")
		}
	}
	if k.part.Default != nil {
		_, err := typed(k.number-1, *k.part.Default)
		return err
	}
	return nil
}

// formats are the changes that a part needs before it is used, in order.
func formats(k pick) []format {
	var list []format
	if k.part.Default != nil {
		standIn := *k.part.Default
		list = append(list, format{name: "Default Value", extra: "; Default Value: paste", value: standIn, fault: "It stands in for an empty value alone. For one of spaces, where the rule puts its stand-in too, the part stays empty and the run stops.", apply: func(v string) string {
			if v == "" {
				return standIn
			}
			return v
		}})
	}
	for _, step := range k.part.Steps {
		list = append(list, caseFormats[step])
	}
	return list
}

// formatSteps are the steps of Formatter before the call.
func formatSteps(list []pick) []exporters.Step {
	var steps []exporters.Step
	for _, k := range list {
		if len(k.part.Path) > 0 {
			steps = append(steps, changes(k, formats(k))...)
		}
	}
	return steps
}

func changes(k pick, list []format) []exporters.Step {
	var steps []exporters.Step
	input := k.pill
	for n, f := range list {
		step := exporters.Step{
			ID: fmt.Sprintf("format-%d-%d", k.number, n+1), Title: fmt.Sprintf("Part %d of the key: %s", k.number, f.name),
			Where:    fmt.Sprintf("+ > Formatter by Zapier > Event: Text > Transform: %s > Input: choose %s%s. Rename the step to Part %d, change %d.", f.name, input, f.extra, k.number, n+1),
			Why:      "The rule changes this part of the key so, and Zapier has to do it before it uses the part.",
			NotFixed: f.fault,
			Sources:  []exporters.Source{formatterPage}, Tried: exporters.NotTried,
		}
		if f.value != "" {
			step.Value, step.ValueLabel = f.value, f.name
		}
		steps = append(steps, step)
		input = fmt.Sprintf("Output of the step Part %d, change %d", k.number, n+1)
	}
	return steps
}
