package wdl

import (
	"fmt"
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
	for _, group := range []map[string]function{logicFunctions, textFunctions, listFunctions, numberFunctions, timeFunctions, zoneFunctions} {
		if fn, ok := group[lower]; ok {
			return fn, true
		}
	}
	for _, known := range strings.Fields(otherFunctions) {
		if strings.EqualFold(known, name) {
			return function{name: known, max: -1}, true
		}
	}
	return function{}, false
}

// otherFunctions exist and may stand in a condition, but are not worked out here.
const otherFunctions = `base64 base64ToBinary base64ToString binary chunk dataUri dataUriToBinary dataUriToString decimal decodeBase64
decodeDataUri decodeUriComponent encodeUriComponent formatNumber getFutureTime getPastTime
guid intersection isFloat isInt nthIndexOf parseDateTime rand removeProperty reverse
setProperty addProperty sort subtractFromTime union uriComponent uriComponentToBinary
uriComponentToString uriHost uriPath uriPathAndQuery uriPort uriQuery uriScheme workflow
xml xpath parameters trigger listCallbackUrl dateDifference addToTime startOfHour startOfMonth
dayOfYear`

// actionFunctions exist, but a trigger has no actions before it.
const actionFunctions = `outputs body actions actionBody actionOutputs variables items item result
iterationIndexes formDataValue formDataMultiValues multipartBody triggerFormDataValue
triggerFormDataMultiValues triggerMultipartBody action`

// unknown explains a name that is no usable function.
func unknown(name string) string {
	for _, known := range strings.Fields(actionFunctions) {
		if strings.EqualFold(known, name) {
			return fmt.Sprintf("%s() reads a step of the flow. A trigger condition sees only the trigger: use triggerBody() or triggerOutputs().", known)
		}
	}
	text := fmt.Sprintf("There is no function called %s.", name)
	switch strings.ToLower(name) {
	case "equalsignorecase":
		return text + " Write equals(toLower(first), 'lower-case text')."
	case "isnull", "isempty", "isblank":
		return text + " Write empty(…)."
	case "lower", "lcase":
		return text + " Write toLower(…)."
	case "upper", "ucase":
		return text + " Write toUpper(…)."
	case "equal", "eq":
		return text + " Write equals(…)."
	case "len", "count":
		return text + " Write length(…)."
	case "iif":
		return text + " Write if(…)."
	case "ifnull", "nvl", "isnotnull":
		return text + " Write coalesce(…)."
	}
	return text
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
