package rules

import (
	"errors"
	"fmt"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"github.com/google/cel-go/interpreter"
)

// partNode is one part of a key. Unlike CEL's own calls it sees the error of its
// argument, and says which field of the event caused it.
type partNode struct {
	id    int64
	part  int
	paths [][]string // the fields that the argument reads
	value interpreter.InterpretableV2
}

// ID implements [interpreter.Interpretable].
func (p *partNode) ID() int64 { return p.id }

// Eval implements [interpreter.Interpretable].
func (p *partNode) Eval(vars interpreter.Activation) ref.Val {
	return p.Exec(interpreter.AsFrame(vars))
}

// Exec implements [interpreter.InterpretableV2].
func (p *partNode) Exec(frame *interpreter.ExecutionFrame) ref.Val {
	v := p.value.Exec(frame)
	if fault, ok := v.(*types.Err); ok {
		return types.WrapErr(explain(frame, p.part, p.paths, fault))
	}
	if types.IsUnknown(v) {
		return v
	}
	text, code := valueText(v)
	if code != "" {
		path := ""
		if len(p.paths) == 1 {
			path = pathText(p.paths[0])
		}
		return types.WrapErr(partFault(p.part, path, code))
	}
	return types.String(escapePart(text))
}

// valueText is partText for values of a formula.
func valueText(v ref.Val) (text string, code KeyCode) {
	switch v := v.(type) {
	case types.String:
		return keyText(string(v))
	case types.Null:
		return "", KeyNull
	case types.Timestamp:
		return timeText(v.Time), ""
	case *types.Optional:
		if !v.HasValue() {
			return "", KeyMissing
		}
		return valueText(v.GetValue())
	case traits.Lister:
		return "", KeyList
	case traits.Mapper:
		return "", KeyMap
	}
	if text, ok := scalarText(v.Value()); ok {
		return text, ""
	}
	return "", KeyFormula
}

// explain finds the field behind an error: one that is not there, or not of the
// kind the formula needs. Errors of the bounds and of an inner key pass as they are.
func explain(frame *interpreter.ExecutionFrame, part int, paths [][]string, fault error) error {
	var inner *KeyError
	if stopped(fault) || noSecret(fault) || errors.As(fault, &inner) {
		return fault
	}
	for _, path := range paths {
		if code := lookUpIn(frame, path); absent(code) || code == KeyList || code == KeyMap {
			return partFault(part, pathText(path), code)
		}
	}
	return formulaFault(frame, label(part, ""), part, paths, fault)
}

// formulaFault says what a call of the house said. What CEL's own calls say is no
// sentence, so what stands in the fields of the formula is said in its place.
func formulaFault(vars interpreter.Activation, name string, part int, paths [][]string, fault error) *KeyError {
	why := "the formula does not fit its values." + kindsOf(vars, paths)
	var own *callError
	if errors.As(fault, &own) {
		why = own.msg
	}
	return &KeyError{Part: part, Code: KeyFormula, Msg: fmt.Sprintf("%s cannot be worked out for this event: %s", name, why)}
}

// kindsOf says what the first fields of a formula hold, "" where that is not known.
func kindsOf(vars interpreter.Activation, paths [][]string) string {
	var said []string
	for _, path := range paths {
		root, ok := vars.ResolveName(path[0])
		if !ok || len(path) < 2 || len(said) == 3 {
			continue
		}
		v, code := lookUp(root, path[1:])
		if kind := kindInWords(v, code); kind != "" {
			said = append(said, pathText(path)+" is "+kind)
		}
	}
	if said == nil {
		return ""
	}
	return " Here " + joinWords(said, "and") + "."
}

func kindInWords(v any, code KeyCode) string {
	switch code {
	case KeyMissing:
		return "missing"
	case KeyNull:
		return "null"
	case KeyEmpty, KeySpaces:
		return "empty"
	case KeyList:
		return "a list"
	case KeyMap:
		return "a group of fields"
	}
	switch v.(type) {
	case string:
		return "text"
	case bool:
		return "true or false"
	case int64, uint64, float64:
		return "a number"
	case Number:
		return "a number that is kept as text, digit for digit"
	}
	return ""
}

// stopped tells the errors of the bounds.
func stopped(err error) bool {
	return errors.Is(err, errTooMuch) || errors.Is(err, interpreter.InterruptError{})
}

// absent tells the codes of a field that holds nothing.
func absent(code KeyCode) bool {
	return code == KeyMissing || code == KeyNull || code == KeyEmpty || code == KeySpaces
}

// lookUpIn follows a path from the variables of a frame. An unknown root, such
// as the name of a loop that is over, has no code.
func lookUpIn(frame *interpreter.ExecutionFrame, path []string) KeyCode {
	root, ok := frame.ResolveName(path[0])
	if !ok {
		return ""
	}
	_, code := lookUp(root, path[1:])
	return code
}

// eitherNode is either(a, b): b where a is absent.
type eitherNode struct {
	id            int64
	paths         [][]string
	first, second interpreter.InterpretableV2
}

// ID implements [interpreter.Interpretable].
func (e *eitherNode) ID() int64 { return e.id }

// Eval implements [interpreter.Interpretable].
func (e *eitherNode) Eval(vars interpreter.Activation) ref.Val {
	return e.Exec(interpreter.AsFrame(vars))
}

// Exec implements [interpreter.InterpretableV2]. An error of the first value that
// no absent field explains is not covered up.
func (e *eitherNode) Exec(frame *interpreter.ExecutionFrame) ref.Val {
	v := e.first.Exec(frame)
	if fault, ok := v.(*types.Err); ok {
		if stopped(fault) {
			return v
		}
		for _, path := range e.paths {
			if absent(lookUpIn(frame, path)) {
				return e.second.Exec(frame)
			}
		}
		return v
	}
	if _, code := valueText(v); absent(code) {
		return e.second.Exec(frame)
	}
	if o, ok := v.(*types.Optional); ok {
		return o.GetValue()
	}
	return v
}
