package wdl

import (
	"errors"
	"fmt"
	"time"
)

// An Outcome is what a condition makes of an event.
type Outcome string

// Outcomes, from good to bad. Only Run lets the flow start.
const (
	Run        Outcome = "run"
	Skip       Outcome = "skip"        // the condition is false
	NotBoolean Outcome = "not-boolean" // the result is neither true nor false
	EvalError  Outcome = "eval-error"  // the line cannot be worked out on this data
	BadSyntax  Outcome = "bad-syntax"  // the line cannot be read
)

// worse reports whether a is worse than b.
func worse(a, b Outcome) bool {
	rank := func(o Outcome) int {
		for i, other := range []Outcome{Run, Skip, NotBoolean, EvalError, BadSyntax} {
			if o == other {
				return i
			}
		}
		return -1
	}
	return rank(a) > rank(b)
}

// Options say under which circumstances a condition is looked at.
type Options struct {
	Now time.Time // what utcNow() gives
	// Classic is set for triggers of the older kind (ApiConnection…), which
	// take a path with slashes as one name.
	Classic bool
}

// A SubValue is one part of a line and what it came to.
type SubValue struct {
	Text  string // as it stands in the line
	Value string // as JSON, cut off when long; for an error its reason
	Kind  string // text, number, boolean, null, list, object, error
}

// A LineResult tells what one line comes to.
type LineResult struct {
	Line     string
	Outcome  Outcome
	Offset   int    // of the fault, in code points from 0; -1 where there is none
	Reason   string // a plain sentence
	Steps    []SubValue
	Warnings []string
}

// A Result tells what all lines come to: the worst of them, for each has to be
// true.
type Result struct {
	Outcome  Outcome
	Lines    []LineResult
	Warnings []string // of the lines as a whole
}

// Test works out the lines of a trigger condition on outputs, the JSON of what
// triggerOutputs() returns after split-on. It returns an error where outputs is
// not a JSON object or larger than a megabyte.
//
// Without lines the result is Run, for then the flow starts at every event.
func Test(outputs []byte, lines []string, opts Options) (Result, error) {
	data, err := readOutputs(outputs)
	if err != nil {
		return Result{}, err
	}
	r := Result{Outcome: Run, Warnings: outputWarnings(data)}
	for _, line := range lines {
		lr := testLine(data, line, opts)
		if worse(lr.Outcome, r.Outcome) {
			r.Outcome = lr.Outcome
		}
		r.Lines = append(r.Lines, lr)
	}
	if len(lines) == 0 {
		r.Warnings = append(r.Warnings, "There is no condition, so the flow starts at every event.")
	}
	if len(lines) > maxLines {
		r.Warnings = append(r.Warnings, fmt.Sprintf("There are %d lines. The designer shows at most %d; join some with and(…).", len(lines), maxLines))
	}
	return r, nil
}

func readOutputs(outputs []byte) (*object, error) {
	if len(outputs) > maxOutputs {
		return nil, fmt.Errorf("trigger outputs: more than %d bytes", maxOutputs)
	}
	v, err := decode(outputs)
	if err != nil {
		return nil, fmt.Errorf("trigger outputs: %w", err)
	}
	o, ok := v.(*object)
	if !ok {
		return nil, fmt.Errorf("trigger outputs: this is %s, but must be an object with the member body", noun(v))
	}
	return o, nil
}

func outputWarnings(o *object) []string {
	if _, ok := o.get("body"); ok {
		return nil
	}
	return []string{"The trigger outputs have no member called body. Was only a part of them pasted?"}
}

func testLine(data *object, line string, opts Options) LineResult {
	r := LineResult{Line: line, Offset: -1}
	t, err := parseLine(line)
	if err != nil {
		return r.bad(err)
	}
	if t.plain {
		return r.bad(noAt(line))
	}
	e := &evaluator{outputs: data, now: opts.Now.UTC(), classic: opts.Classic, t: t}
	v, err := e.run()
	r.Steps = e.steps
	r.Warnings = append(e.warnings, lint(t, e.warnings, err != nil)...)
	if err != nil {
		return r.bad(err)
	}
	switch yes, ok := v.(bool); {
	case !ok:
		r.Outcome, r.Reason = NotBoolean, notBoolean(t, v)
	case yes:
		r.Outcome, r.Reason = Run, "The line is true: the flow starts."
	default:
		r.Outcome, r.Reason = Skip, "The line is false: the flow does not start."
	}
	return r
}

// bad fills in a fault.
func (r LineResult) bad(err error) LineResult {
	var syntax *SyntaxError
	var eval *evalError
	switch {
	case errors.As(err, &syntax):
		r.Outcome, r.Offset, r.Reason = BadSyntax, syntax.Offset, syntax.Reason
	case errors.As(err, &eval):
		r.Outcome, r.Offset, r.Reason = EvalError, eval.offset, eval.reason
	default:
		r.Outcome, r.Reason = EvalError, err.Error()
	}
	return r
}

// noAt explains a line that is plain text to the service.
func noAt(line string) error {
	for i, c := range []rune(line) {
		switch c {
		case ' ', '\t', '\n', '\u00a0':
			continue
		case '@':
			return &SyntaxError{0, "There is a space before the @. The @ must be the very first character, else the line is plain text."}
		}
		return &SyntaxError{i, "The line does not begin with @, so it is plain text to Power Automate."}
	}
	return &SyntaxError{0, "The line is empty."}
}

func notBoolean(t template, v value) string {
	switch {
	case t.double:
		return "The line begins with @@, which makes it plain text. Delete one @."
	case t.expr == nil:
		return "@{…} gives text, never true or false. Write the line without the braces."
	}
	return fmt.Sprintf("The result is %s (%s). A condition must come to true or false.", noun(v), render(v, 80))
}

// An Evaluated is what an expression comes to.
type Evaluated struct {
	OK     bool
	Text   string // the value as text, where OK
	Kind   string // text, number, boolean, null, list, object
	Offset int    // of the fault, -1 where there is none
	Reason string // of the fault

	Steps    []SubValue
	Warnings []string
}

// Evaluate works out an expression as it is typed into a field, without the @ at
// its front. It returns an error for outputs in the same cases as [Test].
func Evaluate(outputs []byte, expression string, opts Options) (Evaluated, error) {
	data, err := readOutputs(outputs)
	if err != nil {
		return Evaluated{}, err
	}
	t, err := parseExpression(expression)
	if err != nil {
		r := LineResult{}.bad(err)
		return Evaluated{Offset: r.Offset, Reason: r.Reason}, nil
	}
	e := &evaluator{outputs: data, now: opts.Now.UTC(), classic: opts.Classic, t: t}
	v, err := e.run()
	r := Evaluated{Offset: -1, Steps: e.steps, Warnings: e.warnings}
	if err != nil {
		l := LineResult{Offset: -1}.bad(err)
		r.Offset, r.Reason = l.Offset, l.Reason
		return r, nil
	}
	r.OK, r.Text, r.Kind = true, textOf(v), kind(v)
	return r, nil
}
