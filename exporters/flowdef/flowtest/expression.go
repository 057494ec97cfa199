package flowtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"dedupedesk/exporters/wdl"
)

// reads finds the functions that read the run. The evaluator knows the trigger alone, so
// they become reads of the trigger, where [Run.state] puts what they give.
var reads = regexp.MustCompile(`\b(outputs|actions|items)\(('[^']*')\)|\bworkflow\(\)`)

// fill works out every expression of inputs.
func (r *Run) fill(inputs json.RawMessage) (any, error) {
	d := json.NewDecoder(bytes.NewReader(inputs))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, fmt.Errorf("inputs: %w", err)
	}
	return r.filled(v)
}

func (r *Run) filled(v any) (any, error) {
	var err error
	switch v := v.(type) {
	case string:
		return r.value(v)
	case []any:
		for i := range v {
			if v[i], err = r.filled(v[i]); err != nil {
				return nil, err
			}
		}
	case map[string]any:
		for name := range v {
			if name == "retryPolicy" || name == "authentication" {
				continue
			}
			if v[name], err = r.filled(v[name]); err != nil {
				return nil, err
			}
		}
	}
	return v, nil
}

// inline finds an expression inside of a text.
var inline = regexp.MustCompile(`@\{((?:[^{}']|'[^']*')*)\}`)

// value reads a text of the definition as the platform does.
func (r *Run) value(s string) (any, error) {
	switch {
	case strings.HasPrefix(s, "@@"):
		return s[1:], nil
	case strings.HasPrefix(s, "@") && !strings.HasPrefix(s, "@{"):
		return r.evaluate(s[1:])
	}
	var fault error
	text := inline.ReplaceAllStringFunc(s, func(hit string) string {
		v, err := r.evaluate(hit[2 : len(hit)-1])
		fault = errors.Join(fault, err)
		return written(v)
	})
	return text, fault
}

func written(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	}
	data, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(data)
}

func (r *Run) evaluate(expression string) (any, error) {
	state, err := r.state()
	if err != nil {
		return nil, err
	}
	plain := reads.ReplaceAllStringFunc(expression, func(call string) string {
		hit := reads.FindStringSubmatch(call)
		if hit[1] == "" {
			return "triggerOutputs()?['@workflow']"
		}
		return "triggerOutputs()?['@" + hit[1] + "']?[" + hit[2] + "]"
	})
	got, err := wdl.Evaluate(state, plain, wdl.Options{Now: time.Unix(0, 0)})
	switch {
	case err != nil:
		return nil, err
	case !got.OK:
		return nil, errors.New(got.Reason)
	}
	switch got.Kind {
	case "null":
		return nil, nil
	case "boolean":
		return got.Text == "True", nil
	case "text":
		return got.Text, nil
	}
	return decoded([]byte(got.Text)), nil
}

// state is the trigger's outputs with what the run has come to beside them.
func (r *Run) state() ([]byte, error) {
	var trigger map[string]any
	d := json.NewDecoder(bytes.NewReader(r.Trigger))
	d.UseNumber()
	if err := d.Decode(&trigger); err != nil {
		return nil, fmt.Errorf("trigger: %w", err)
	}
	actions := map[string]any{}
	for name, status := range r.Statuses {
		actions[name] = map[string]any{"status": status, "outputs": r.outputs[name]}
	}
	trigger["@workflow"] = map[string]any{"run": map[string]any{"name": r.ID}}
	trigger["@outputs"], trigger["@actions"], trigger["@items"] = r.outputs, actions, r.items
	return json.Marshal(trigger)
}

// test works out a condition in rows.
func (r *Run) test(raw json.RawMessage) (bool, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v map[string]any
	if err := d.Decode(&v); err != nil {
		return false, fmt.Errorf("condition: %w", err)
	}
	return r.holds(v)
}

func (r *Run) holds(v map[string]any) (bool, error) {
	for operator, args := range v {
		list, _ := args.([]any)
		switch operator {
		case "or", "and":
			all := true
			for _, item := range list {
				one, ok := item.(map[string]any)
				yes, err := r.holds(one)
				if err != nil || !ok {
					return false, errors.Join(err, fmt.Errorf("%s of %v", operator, item))
				}
				if yes && operator == "or" {
					return true, nil
				}
				all = all && yes
			}
			return all && operator == "and", nil
		case "equals", "contains":
			return r.compare(operator, list)
		}
		return false, fmt.Errorf("the operator %q is not known here", operator)
	}
	return false, errors.New("a condition without operator")
}

// compare hands both sides to the evaluator, so that they compare as the platform does.
func (r *Run) compare(operator string, list []any) (bool, error) {
	if len(list) != 2 {
		return false, fmt.Errorf("%s of %d values", operator, len(list))
	}
	sides := make([]string, 2)
	for i, side := range list {
		switch side := side.(type) {
		case string:
			sides[i] = wdl.Quote(side)
			if expression, ok := strings.CutPrefix(side, "@"); ok {
				sides[i] = expression
			}
		default:
			sides[i] = written(side)
		}
	}
	v, err := r.evaluate(operator + "(" + sides[0] + "," + sides[1] + ")")
	yes, _ := v.(bool)
	return yes, err
}
