package powerautomate

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"dedupedesk/exporters"
	"dedupedesk/exporters/wdl"
)

// A condition is the self-edit line in the making.
type condition struct {
	account string   // in small letters; "" while the person has not typed it
	editor  []string // path below the body
	classic bool
}

func readCondition(s exporters.Setup) (condition, error) {
	generation, err := s.Detail(generationField)
	if err != nil {
		return condition{}, err
	}
	c := condition{classic: generation == classic}
	if typed := s.Details[accountField.Name]; strings.TrimSpace(typed) != "" {
		var bad string
		if c.account, bad = checkAccount(typed); bad != "" {
			return condition{}, wrong(accountField.Name, bad)
		}
	}
	typed := s.Details[editorField.Name]
	if strings.TrimSpace(typed) == "" {
		typed = defaultEditor
	}
	path, err := readPath(editorField.Name, typed)
	if err != nil {
		return condition{}, err
	}
	c.editor = path[1:]
	return c, nil
}

// nested is the portable spelling, which both generations of triggers read.
func (c condition) nested() string {
	return c.around("triggerBody()" + members(c.editor))
}

// slashed is what the designer itself would write in a current trigger.
func (c condition) slashed() string {
	return c.around("triggerOutputs()?[" + wdl.Quote("body/"+strings.Join(c.editor, "/")) + "]")
}

func (c condition) around(path string) string {
	return "@not(equals(toLower(coalesce(" + path + ",''))," + wdl.Quote(c.account) + "))"
}

// members spells the reading of nested members.
func members(names []string) string {
	var b strings.Builder
	for _, n := range names {
		b.WriteString("?[" + wdl.Quote(n) + "]")
	}
	return b.String()
}

func (c condition) path() string { return strings.Join(c.editor, "/") }

// step offers the line, with what it does on samples and on made events.
func (c condition) step(samples []exporters.Sample) exporters.Step {
	s := exporters.Step{
		ID:         "line",
		Title:      "Add this line",
		Where:      "Trigger conditions > Add > paste the line into the empty box. One line per box; all boxes must be true.",
		ValueLabel: "Trigger condition",
		Why:        "In words: do not start when the flow's own account made the change. Both sides are in small letters, and a change without an editor starts the flow rather than stopping it.",
		NotFixed:   "It does not stop copies of an event, a second flow on the same list, or edits that a person makes with the flow's account.",
		Sources:    []exporters.Source{triggersPage, functionsPage},
		Tried:      "Worked out here by our own evaluator on the events named here. Not tried in Power Automate.",
		Details:    []string{accountField.Name, editorField.Name, generationField.Name},
	}
	if c.account == "" {
		s.Blocked = "Type the flow account first."
		return s
	}
	s.Value = c.nested()
	s.Checks = append(s.Checks, c.form())
	s.Checks = append(s.Checks, c.onVariants()...)
	s.Checks = append(s.Checks, c.onSamples(samples)...)
	s.Checks = append(s.Checks, c.spelling())
	s.BlockByChecks()
	return s
}

// form checks how the line is written, on an event without anything in it.
func (c condition) form() exporters.Check {
	r, err := c.try(c.nested(), []byte("{}"))
	switch {
	case err != nil:
		return exporters.Check{Result: exporters.Fail, Text: "The line could not be looked at: " + err.Error() + "."}
	case r.Outcome != wdl.Run && r.Outcome != wdl.Skip:
		return exporters.Check{Result: exporters.Fail, Text: r.Reason}
	case len(r.Warnings) > 0:
		return exporters.Check{Result: exporters.Warn, Text: r.Warnings[0]}
	}
	return exporters.Check{Result: exporters.OK, Text: "Starts with @, is one expression to its end, and gives true or false."}
}

// try works the line out on one event. The line holds no clock, so any time does.
func (c condition) try(line string, outputs []byte) (wdl.LineResult, error) {
	r, err := wdl.Test(outputs, []string{line}, wdl.Options{Now: time.Unix(0, 0), Classic: c.classic})
	if err != nil {
		return wdl.LineResult{}, err
	}
	return r.Lines[0], nil
}

// A variant is a made event with the outcome that it must have.
type variant struct {
	name    string
	editor  any  // the value at the path
	missing bool // nothing is there at all
	want    wdl.Outcome
}

func (c condition) variants() []variant {
	other := "someone.else@example.com"
	if other == c.account {
		other = "another.person@example.com"
	}
	return []variant{
		{name: "an edit by the flow's own account", editor: c.account, want: wdl.Skip},
		{name: "the same with capitals in the address", editor: strings.ToUpper(c.account), want: wdl.Skip},
		{name: "an edit by somebody else", editor: other, want: wdl.Run},
		{name: "an edit without an address (null)", editor: nil, want: wdl.Run},
		{name: "an event that names no editor at all", missing: true, want: wdl.Run},
	}
}

func (c condition) onVariants() []exporters.Check {
	var checks []exporters.Check
	for _, v := range c.variants() {
		outputs, err := v.outputs(c.editor)
		if err != nil {
			checks = append(checks, exporters.Check{Result: exporters.Fail, Text: "A made event could not be written: " + err.Error() + "."})
			continue
		}
		r, err := c.try(c.nested(), outputs)
		switch {
		case err != nil:
			checks = append(checks, exporters.Check{Result: exporters.Fail, Text: "A made event could not be read: " + err.Error() + "."})
		case r.Outcome != v.want:
			checks = append(checks, exporters.Check{Result: exporters.Fail, Text: fmt.Sprintf("Made event, %s: %s That is not what the line is for.", v.name, r.Reason)})
		default:
			checks = append(checks, exporters.Check{Result: exporters.OK, Text: fmt.Sprintf("Made event, %s: the flow %s.", v.name, does(r.Outcome))})
		}
	}
	return checks
}

func does(o wdl.Outcome) string {
	if o == wdl.Run {
		return "starts"
	}
	return "does not start"
}

// outputs puts the editor into an otherwise plain item.
func (v variant) outputs(path []string) ([]byte, error) {
	body := map[string]any{"ID": int64(41), "Title": "Order 41"}
	if !v.missing {
		at := body
		for _, name := range path[:len(path)-1] {
			inner := map[string]any{}
			at[name] = inner
			at = inner
		}
		at[path[len(path)-1]] = v.editor
	}
	return json.Marshal(map[string]any{"headers": map[string]any{}, "body": body})
}

// spelling compares the line with the designer's own way to write it.
func (c condition) spelling() exporters.Check {
	if c.classic {
		return exporters.Check{Result: exporters.Warn, Text: "A classic trigger takes a path with slashes as one name, so keep to the line above."}
	}
	for _, v := range c.variants() {
		outputs, err := v.outputs(c.editor)
		if err != nil {
			continue // onVariants reports it
		}
		r, err := c.try(c.slashed(), outputs)
		if err != nil || r.Outcome != v.want {
			return exporters.Check{Result: exporters.Warn, Text: "The designer's own spelling of this path did not come to the same here, so keep to the line above."}
		}
	}
	return exporters.Check{Result: exporters.OK, Text: "The designer itself would write " + c.slashed() + " ; it came to the same on all made events."}
}
