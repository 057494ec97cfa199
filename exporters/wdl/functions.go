package wdl

import (
	"strings"
)

// A function of the language. Facts follow "Reference guide to workflow
// expression functions" (Azure Logic Apps documentation) and the tests of
// ScoreUnder/IllogicApps, read 2026-11-30.
type function struct {
	name     string
	min, max int  // number of arguments; max -1 = any
	lazy     bool // worked out by the evaluator, which may leave arguments alone
	call     func(e *evaluator, args []value) (value, error)
}

// find returns the function of that name in any case. One without call and not
// lazy exists but cannot be worked out here.
func find(name string) (function, bool) {
	lower := strings.ToLower(name)
	for _, group := range functionGroups() {
		if fn, ok := group[lower]; ok {
			return fn, true
		}
	}
	if known, ok := named(otherFunctions+" "+randomFunctions, name); ok {
		return function{name: known, max: -1}, true
	}
	return function{}, false
}

func functionGroups() []map[string]function {
	return []map[string]function{logicFunctions, textFunctions, listFunctions, setFunctions, numberFunctions, timeFunctions, codeFunctions}
}

// argText returns argument i, which must be text.
func argText(name string, args []value, i int) (string, error) {
	if s, ok := args[i].(string); ok {
		return s, nil
	}
	if args[i] == nil {
		return "", fault(i, "%s needs text here, but this is empty (null). Write coalesce(…,'') around it.", name)
	}
	if _, ok := args[i].(number); ok {
		return "", fault(i, "%s needs text here, but this is a number. Write string(…) around it.", name)
	}
	return "", fault(i, "%s needs text here, but this is %s.", name, noun(args[i]))
}

// argInt returns argument i, which must be a whole number.
func argInt(name string, args []value, i int) (int64, error) {
	n, ok := args[i].(number)
	if !ok {
		return 0, fault(i, "%s needs a whole number here, but this is %s.", name, noun(args[i]))
	}
	whole, ok := n.int64()
	if !ok {
		return 0, fault(i, "%s needs a whole number here, but this is %s.", name, n.text)
	}
	return whole, nil
}

// argNumber returns argument i, which must be a number.
func argNumber(name string, args []value, i int) (number, error) {
	if n, ok := args[i].(number); ok {
		return n, nil
	}
	return number{}, fault(i, "%s needs a number here, but this is %s.", name, noun(args[i]))
}

// textOf writes v as string() and concat() do.
func textOf(v value) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case bool:
		if v {
			return "True"
		}
		return "False"
	case number:
		return v.text
	default:
		return render(v, maxResult)
	}
}
