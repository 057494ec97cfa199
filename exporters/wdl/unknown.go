package wdl

import (
	"fmt"
	"strings"
)

// otherFunctions exist and may stand in a condition, but are not worked out here.
// They make bytes, read XML, or ask for what only the service knows.
const otherFunctions = `base64ToBinary binary dataUriToBinary decodeDataUri uriComponentToBinary
xml xpath parameters workflow listCallbackUrl appsetting triggerFormDataValue
triggerFormDataMultiValues triggerMultipartBody`

// randomFunctions give something else each time.
const randomFunctions = `guid rand`

// actionFunctions exist, but a trigger has no actions before it.
const actionFunctions = `outputs body actions actionBody actionOutputs variables items item result
iterationIndexes formDataValue formDataMultiValues multipartBody action`

// named returns the function of a list by its name in any case.
func named(list, name string) (string, bool) {
	for _, known := range strings.Fields(list) {
		if strings.EqualFold(known, name) {
			return known, true
		}
	}
	return "", false
}

// cannot tells why a function that exists is not worked out.
func cannot(name string) string {
	if _, random := named(randomFunctions, name); random {
		return fmt.Sprintf("%s gives something else each time, so nothing can be said of it. It never belongs in a condition or a key: no two events could be told to be the same.", name)
	}
	return fmt.Sprintf("%s exists, but this checker can not work it out. Try the line in Power Automate itself.", name)
}

// unknown explains a name that is no usable function.
func unknown(name string) string {
	if known, ok := named(actionFunctions, name); ok {
		return fmt.Sprintf("%s() reads a step of the flow. A trigger condition sees only the trigger: use triggerBody() or triggerOutputs().", known)
	}
	text := fmt.Sprintf("There is no function called %s.", name)
	if instead, ok := elsewhere[strings.ToLower(name)]; ok {
		return text + " Write " + instead + "."
	}
	if near := nearest(name); near != "" {
		return text + " Did you mean " + near + "?"
	}
	return text
}

// elsewhere are functions of other languages, and what to write for them.
var elsewhere = map[string]string{
	"equalsignorecase": "equals(toLower(first), 'lower-case text')",
	"isnull":           "empty(…)", "isempty": "empty(…)", "isblank": "empty(…)",
	"isnotnull": "not(empty(…))", "isnotempty": "not(empty(…))",
	"lower": "toLower(…)", "lcase": "toLower(…)", "tolowercase": "toLower(…)",
	"upper": "toUpper(…)", "ucase": "toUpper(…)", "touppercase": "toUpper(…)",
	"equal": "equals(…)", "eq": "equals(…)", "notequals": "not(equals(…))", "notequal": "not(equals(…))", "ne": "not(equals(…))",
	"greaterthan": "greater(…)", "gt": "greater(…)", "greaterthanorequals": "greaterOrEquals(…)", "ge": "greaterOrEquals(…)",
	"lessthan": "less(…)", "lt": "less(…)", "lessthanorequals": "lessOrEquals(…)", "le": "lessOrEquals(…)",
	"len": "length(…)", "count": "length(…)", "size": "length(…)",
	"iif": "if(…)", "switch": "if(…) inside if(…)",
	"ifnull": "coalesce(…)", "nvl": "coalesce(…)", "isnullorempty": "empty(…)",
	"now": "utcNow()", "today": "utcNow('yyyy-MM-dd')", "getdate": "utcNow()",
	"includes": "contains(…)", "instr": "indexOf(…)", "tostring": "string(…)", "toint": "int(…)", "tonumber": "float(…)",
}

// nearest returns the function whose name is written almost like name, or "".
func nearest(name string) string {
	best, least := "", 3 // more than two slips is another word
	consider := func(known string) {
		if d := slips(strings.ToLower(known), strings.ToLower(name)); d < least || d == least && known < best {
			best, least = known, d
		}
	}
	for _, group := range functionGroups() {
		for _, fn := range group {
			consider(fn.name)
		}
	}
	for _, known := range strings.Fields(otherFunctions) {
		consider(known)
	}
	if least > len(name)/3 {
		return ""
	}
	return best
}

// slips counts the letters to put in, take out or change to make b of a.
func slips(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		corner := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := corner
			if a[i] != b[j] {
				change++
			}
			corner = row[j+1]
			row[j+1] = min(change, corner+1, row[j]+1)
		}
	}
	return row[len(b)]
}
