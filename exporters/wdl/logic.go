package wdl

import (
	"strings"
)

var logicFunctions = map[string]function{
	"and":             {name: "and", min: 1, max: -1, lazy: true},
	"or":              {name: "or", min: 1, max: -1, lazy: true},
	"if":              {name: "if", min: 3, max: 3, lazy: true},
	"coalesce":        {name: "coalesce", min: 1, max: -1, lazy: true},
	"not":             {name: "not", min: 1, max: 1, call: not},
	"equals":          {name: "equals", min: 2, max: 2, call: equals},
	"greater":         {name: "greater", min: 2, max: 2, call: compare("greater", func(c int) bool { return c > 0 })},
	"greaterorequals": {name: "greaterOrEquals", min: 2, max: 2, call: compare("greaterOrEquals", func(c int) bool { return c >= 0 })},
	"less":            {name: "less", min: 2, max: 2, call: compare("less", func(c int) bool { return c < 0 })},
	"lessorequals":    {name: "lessOrEquals", min: 2, max: 2, call: compare("lessOrEquals", func(c int) bool { return c <= 0 })},
	"bool":            {name: "bool", min: 1, max: 1, call: toBool},
	"triggerbody":     {name: "triggerBody", call: triggerBody},
	"trigger":         {name: "trigger", call: trigger},
	"triggeroutputs":  {name: "triggerOutputs", call: func(e *evaluator, _ []value) (value, error) { return e.outputs, nil }},
}

func triggerBody(e *evaluator, _ []value) (value, error) {
	body, _ := e.outputs.get("body")
	return body, nil
}

// trigger holds the outputs and much else that an event does not tell; access refuses
// to read that.
func trigger(e *evaluator, _ []value) (value, error) {
	o := newObject()
	o.set("outputs", e.outputs)
	return o, nil
}

func not(_ *evaluator, args []value) (value, error) {
	yes, ok := args[0].(bool)
	if !ok {
		return nil, fault(0, "not needs true or false here, but this is %s.", noun(args[0]))
	}
	return !yes, nil
}

// equals compares without error. Where the documents and engines disagree, or
// where the difference is one that people do not see, it warns.
func equals(e *evaluator, args []value) (value, error) {
	a, b := args[0], args[1]
	if truth, text, ok := boolAndText(a, b); ok {
		e.warn("True or false is compared with text here. The engines differ on this; write the value without apostrophes.")
		return (truth && text == "True") || (!truth && text == "False"), nil
	}
	if equal(a, b) {
		return true, nil
	}
	e.explain(a, b)
	e.explain(b, a)
	return false, nil
}

func boolAndText(a, b value) (truth bool, text string, ok bool) {
	if s, is := a.(string); is {
		if t, is := b.(bool); is {
			return t, s, true
		}
	}
	if s, is := b.(string); is {
		if t, is := a.(bool); is {
			return t, s, true
		}
	}
	return false, "", false
}

// explain warns of a pair that looks equal to a person and is not.
func (e *evaluator) explain(a, b value) {
	text, isText := b.(string)
	switch a := a.(type) {
	case nil:
		switch {
		case isText && text == "":
			e.warn("Empty (null) is not the empty text ''. Documents and engines differ on this; write empty(…).")
		case b == false:
			e.warn("A Yes/No column that was never set is empty (null), not false. Write not(equals(…,true)).")
		}
	case *object:
		if isText {
			e.warn("An object is compared with the text %s and never equals it.%s", Quote(text), memberHint(a))
		}
	case []value:
		if isText {
			e.warn("A list is compared with the text %s and never equals it.", Quote(text))
		}
	case number:
		if isText && text == a.text {
			e.warn("The number %s is compared with the text %s. Those are never equal.", a.text, Quote(text))
		}
		if _, ok := b.(bool); ok {
			e.warn("True or false is compared with a number here. The documentation calls true and 1 equal, the engines do not.")
		}
	case string:
		if isText && a != text && a < text {
			if strings.EqualFold(strings.TrimSpace(a), strings.TrimSpace(text)) {
				e.warn("%s and %s differ only in capitals or outer spaces. equals looks at both: use toLower(…) and trim(…).", Quote(a), Quote(text))
			}
		}
	}
}

// memberHint names the member of a choice or person column that is text.
func memberHint(o *object) string {
	for _, name := range []string{"Value", "Email", "DisplayName"} {
		if _, ok := o.get(name); ok {
			return " Did you mean its " + name + "? Write ?['" + name + "'] behind it."
		}
	}
	return ""
}

// compare orders two numbers, or two texts by their UTF-16 units.
func compare(name string, want func(int) bool) func(*evaluator, []value) (value, error) {
	return func(e *evaluator, args []value) (value, error) {
		switch a := args[0].(type) {
		case number:
			if b, ok := args[1].(number); ok {
				return want(a.rat.Cmp(b.rat)), nil
			}
		case string:
			if b, ok := args[1].(string); ok {
				e.warnOfDigits(name, a, b)
				return want(compareUnits(a, b)), nil
			}
		}
		for i := range args {
			if args[i] == nil {
				return nil, fault(i, "%s cannot compare something that is empty (null). Write coalesce(…,0) around it.", name)
			}
		}
		hint := ""
		if kind(args[0]) == "text" && kind(args[1]) == "number" || kind(args[0]) == "number" && kind(args[1]) == "text" {
			hint = " Write int(…) or float(…) around the text."
		}
		return nil, fault(-1, "%s compares two numbers or two texts, but here are %s and %s.%s", name, noun(args[0]), noun(args[1]), hint)
	}
}

// warnOfDigits tells of two numbers that came as text and are ordered as such.
func (e *evaluator) warnOfDigits(name, a, b string) {
	x, isNumber := parseNumber(a)
	y, both := parseNumber(b)
	if isNumber && both && x.rat.Cmp(y.rat) != compareUnits(a, b) {
		e.warn("%s compares %s and %s as text, letter by letter. Write float(…) around both to compare numbers.", name, Quote(a), Quote(b))
	}
}

func toBool(_ *evaluator, args []value) (value, error) {
	switch v := args[0].(type) {
	case bool:
		return v, nil
	case string:
		switch strings.ToLower(v) {
		case "true":
			return true, nil
		case "false":
			return false, nil
		}
	case number:
		return v.rat.Sign() != 0, nil
	}
	return nil, fault(0, "bool can not make true or false of %s.", render(args[0], shown))
}
