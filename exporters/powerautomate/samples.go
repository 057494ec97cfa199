package powerautomate

import (
	"encoding/json"
	"fmt"

	"dedupedesk/exporters"
	"dedupedesk/exporters/wdl"
)

// outputsOf writes a sample as triggerOutputs() would return it, with the item that
// a loop is at beside it.
func outputsOf(s exporters.Sample) ([]byte, error) {
	headers := s.Headers
	if headers == nil {
		headers = map[string]string{}
	}
	outputs := map[string]any{"headers": headers, "body": s.Body}
	if s.Item != nil {
		outputs["item"] = s.Item
	}
	return json.Marshal(outputs)
}

// onSamples tells what the line does on each sample, and how to find the real
// path where no sample has it.
func (c condition) onSamples(samples []exporters.Sample) []exporters.Check {
	var checks []exporters.Check
	found := false
	for i, s := range samples {
		check, has := c.onSample(s.Label(i), s)
		found = found || has
		if check.Text != "" {
			checks = append(checks, check)
		}
	}
	if !found {
		checks = append(checks, exporters.Check{Result: exporters.Warn, Text: "None of your samples has " + c.path() +
			". To read the real path, open a past run, click the trigger and press Show raw outputs; then paste them as a sample."})
	}
	return checks
}

// onSample reports whether the sample names an editor, and what follows.
func (c condition) onSample(name string, s exporters.Sample) (exporters.Check, bool) {
	outputs, err := outputsOf(s)
	if err != nil {
		return exporters.Check{Result: exporters.Warn, Text: name + " could not be read: " + err.Error() + "."}, false
	}
	editor, err := wdl.Evaluate(outputs, "triggerBody()"+members(c.editor), wdl.Options{})
	if err != nil {
		return exporters.Check{Result: exporters.Warn, Text: name + " could not be read: " + err.Error() + "."}, false
	}
	switch {
	case !editor.OK:
		return exporters.Check{Result: exporters.Fail, Text: name + ": " + editor.Reason}, true
	case editor.Kind == "null":
		return exporters.Check{}, false
	case editor.Kind != "text":
		return exporters.Check{Result: exporters.Fail, Text: fmt.Sprintf("%s: %s is not text but of kind %s. Name the e-mail address below it.", name, c.path(), editor.Kind)}, true
	}
	r, err := c.try(c.nested(), outputs)
	if err != nil {
		return exporters.Check{Result: exporters.Warn, Text: name + " could not be read: " + err.Error() + "."}, true
	}
	if r.Outcome != wdl.Run && r.Outcome != wdl.Skip {
		return exporters.Check{Result: exporters.Fail, Text: name + ": " + r.Reason}, true
	}
	return exporters.Check{Result: exporters.OK, Text: fmt.Sprintf("%s, edited by %s: the flow %s.", name, editor.Text, does(r.Outcome))}, true
}
