package wdl

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// An evalError is a line that is well written but cannot be worked out on the
// data at hand.
type evalError struct {
	offset int
	reason string
}

func (e *evalError) Error() string { return e.reason }

// An argError is the fault of one argument of a function; the evaluator knows
// where that argument stands.
type argError struct {
	index  int // from 0; -1 for the call as a whole
	reason string
}

func (e *argError) Error() string { return e.reason }

func fault(index int, format string, args ...any) error {
	return &argError{index, fmt.Sprintf(format, args...)}
}

// An evaluator works out one template.
type evaluator struct {
	outputs  *object
	now      time.Time
	classic  bool
	t        template
	steps    []SubValue
	warnings []string
}

// warn keeps a warning once.
func (e *evaluator) warn(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(e.warnings, text) {
		e.warnings = append(e.warnings, text)
	}
}

// run works out the whole template. Text pieces make text.
func (e *evaluator) run() (value, error) {
	var bad error
	e.t.nodes(func(n node) {
		if c, ok := n.(call); ok && bad == nil {
			bad = checkCall(c)
		}
	})
	if bad != nil {
		return nil, bad
	}
	if e.t.expr != nil {
		return e.eval(e.t.expr)
	}
	var b strings.Builder
	for _, p := range e.t.pieces {
		n, ok := p.(node)
		if !ok {
			b.WriteString(p.(string))
			continue
		}
		v, err := e.eval(n)
		if err != nil {
			return nil, err
		}
		b.WriteString(textOf(v))
	}
	return b.String(), nil
}

// checkCall finds a function that does not exist or has the wrong number of
// arguments before anything is worked out, as the service does at saving.
func checkCall(c call) error {
	fn, ok := find(c.name)
	if !ok {
		return &evalError{c.from, unknown(c.name)}
	}
	if len(c.args) < fn.min || (fn.max >= 0 && len(c.args) > fn.max) {
		return &evalError{c.from, arity(fn, len(c.args))}
	}
	if fn.call == nil && !fn.lazy {
		return &evalError{c.from, cannot(fn.name)}
	}
	return nil
}

func arity(fn function, got int) string {
	want := fmt.Sprintf("%d to %d", fn.min, fn.max)
	switch {
	case fn.max < 0:
		want = fmt.Sprintf("at least %d", fn.min)
	case fn.min == fn.max:
		want = fmt.Sprint(fn.min)
	}
	return fmt.Sprintf("%s needs %s in its brackets, separated by commas; here are %d.", fn.name, want, got)
}

func (e *evaluator) eval(n node) (value, error) {
	switch n := n.(type) {
	case literal:
		return n.value, nil
	case call:
		v, err := e.call(n)
		return e.note(n, v, err)
	case access:
		v, err := e.access(n)
		return e.note(n, v, err)
	}
	panic("unreachable: a node is one of three")
}

// note keeps the value of a part of the line, to show why.
func (e *evaluator) note(n node, v value, err error) (value, error) {
	s := SubValue{Text: e.t.text(n), Kind: kind(v)}
	if err == nil && textSize(v) > maxResult {
		from, _ := n.span()
		err = &evalError{from, fmt.Sprintf("The result has more than %d characters.", maxResult)}
	}
	if err != nil {
		s.Kind, s.Value = "error", err.Error()
	} else {
		s.Value = render(v, shown)
	}
	e.steps = append(e.steps, s)
	return v, err
}

// shown is how much of a value a step shows.
const shown = 240

func textSize(v value) int {
	s, _ := v.(string)
	return len(s)
}

func (e *evaluator) call(c call) (value, error) {
	fn, ok := find(c.name)
	if !ok {
		return nil, &evalError{c.from, unknown(c.name)}
	}
	if fn.lazy {
		return e.lazy(c)
	}
	args := make([]value, len(c.args))
	for i, a := range c.args {
		v, err := e.eval(a)
		if err != nil {
			return nil, err
		}
		args[i] = v
	}
	v, err := fn.call(e, args)
	return v, e.locate(c, err)
}

// locate turns an argError into an evalError with its place in the line.
func (e *evaluator) locate(c call, err error) error {
	a, ok := err.(*argError) //nolint:errorlint // made by the function just called
	if !ok {
		return err
	}
	at := c.from
	if a.index >= 0 && a.index < len(c.args) {
		at, _ = c.args[a.index].span()
	}
	return &evalError{at, a.reason}
}

// lazy works out the functions that do not look at all of their arguments.
func (e *evaluator) lazy(c call) (value, error) {
	switch strings.ToLower(c.name) {
	case "and":
		return e.all(c, false)
	case "or":
		return e.all(c, true)
	case "if":
		yes, err := e.truth(c, 0)
		if err != nil {
			return nil, err
		}
		if yes {
			return e.eval(c.args[1])
		}
		return e.eval(c.args[2])
	default: // coalesce
		for _, a := range c.args {
			v, err := e.eval(a)
			if err != nil || v != nil {
				return v, err
			}
		}
		return nil, nil
	}
}

// all goes on until an argument equals stop.
func (e *evaluator) all(c call, stop bool) (value, error) {
	for i := range c.args {
		yes, err := e.truth(c, i)
		if err != nil {
			return nil, err
		}
		if yes == stop {
			return stop, nil
		}
	}
	return !stop, nil
}

func (e *evaluator) truth(c call, i int) (bool, error) {
	v, err := e.eval(c.args[i])
	if err != nil {
		return false, err
	}
	yes, ok := v.(bool)
	if !ok {
		from, _ := c.args[i].span()
		return false, &evalError{from, fmt.Sprintf("%s needs true or false here, but this is %s.", c.name, noun(v))}
	}
	return yes, nil
}
