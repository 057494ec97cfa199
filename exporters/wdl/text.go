package wdl

import (
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

var textFunctions = map[string]function{
	"tolower":     {name: "toLower", min: 1, max: 1, call: onText("toLower", strings.ToLower)},
	"toupper":     {name: "toUpper", min: 1, max: 1, call: onText("toUpper", strings.ToUpper)},
	"trim":        {name: "trim", min: 1, max: 1, call: onText("trim", strings.TrimSpace)},
	"string":      {name: "string", min: 1, max: 1, call: toString},
	"concat":      {name: "concat", min: 1, max: -1, call: concat},
	"replace":     {name: "replace", min: 3, max: 3, call: replace},
	"startswith":  {name: "startsWith", min: 2, max: 2, call: affix("startsWith", strings.HasPrefix)},
	"endswith":    {name: "endsWith", min: 2, max: 2, call: affix("endsWith", strings.HasSuffix)},
	"indexof":     {name: "indexOf", min: 2, max: 2, call: indexOf("indexOf", strings.Index)},
	"lastindexof": {name: "lastIndexOf", min: 2, max: 2, call: indexOf("lastIndexOf", lastIndex)},
	"nthindexof":  {name: "nthIndexOf", min: 3, max: 3, call: nthIndexOf},
	"substring":   {name: "substring", min: 2, max: 3, call: substring},
	"slice":       {name: "slice", min: 2, max: 3, call: slice},
	"split":       {name: "split", min: 2, max: 2, call: split},
	"json":        {name: "json", min: 1, max: 1, call: parseJSON},
}

// Lengths and places count UTF-16 units, as the service does.
func unitsOf(s string) []uint16         { return utf16.Encode([]rune(s)) }
func textOfUnits(units []uint16) string { return string(utf16.Decode(units)) }

// compareUnits orders text as the service does, by UTF-16 unit.
func compareUnits(a, b string) int {
	return slices.Compare(unitsOf(a), unitsOf(b))
}

func onText(name string, f func(string) string) func(*evaluator, []value) (value, error) {
	return func(_ *evaluator, args []value) (value, error) {
		s, err := argText(name, args, 0)
		if err != nil {
			return nil, err
		}
		return f(s), nil
	}
}

func toString(e *evaluator, args []value) (value, error) {
	if n, ok := args[0].(number); ok && n.odd {
		e.warn("How the service writes a number that arrives like this one (%s) is not known to us.", n.text)
	}
	return textOf(args[0]), nil
}

func concat(e *evaluator, args []value) (value, error) {
	var b strings.Builder
	for i := range args {
		s, err := toString(e, args[i:i+1])
		if err != nil {
			return nil, err
		}
		if b.Len()+len(s.(string)) > maxResult {
			return nil, fault(-1, "The result has more than %d characters.", maxResult)
		}
		b.WriteString(s.(string))
	}
	return b.String(), nil
}

func replace(_ *evaluator, args []value) (value, error) {
	var s [3]string
	for i := range s {
		var err error
		if s[i], err = argText("replace", args, i); err != nil {
			return nil, err
		}
	}
	if s[1] == "" {
		return nil, fault(1, "replace needs a text to look for that is not empty.")
	}
	if n := strings.Count(s[0], s[1]); len(s[0])+n*(len(s[2])-len(s[1])) > maxResult {
		return nil, fault(-1, "The result has more than %d characters.", maxResult)
	}
	return strings.ReplaceAll(s[0], s[1], s[2]), nil
}

func twoTexts(name string, args []value) (s, part string, err error) {
	if s, err = argText(name, args, 0); err == nil {
		part, err = argText(name, args, 1)
	}
	return s, part, err
}

func warnCapitals(e *evaluator, name string) {
	e.warn("%s: the documentation says that capitals do not matter, the engines look at them. Write toLower(…) on both sides.", name)
}

func affix(name string, has func(s, part string) bool) func(*evaluator, []value) (value, error) {
	return func(e *evaluator, args []value) (value, error) {
		s, part, err := twoTexts(name, args)
		if err != nil {
			return nil, err
		}
		yes := has(s, part)
		if yes != has(strings.ToLower(s), strings.ToLower(part)) {
			warnCapitals(e, name)
		}
		return yes, nil
	}
}

func indexOf(name string, find func(s, part string) int) func(*evaluator, []value) (value, error) {
	return func(e *evaluator, args []value) (value, error) {
		s, part, err := twoTexts(name, args)
		if err != nil {
			return nil, err
		}
		at := find(s, part)
		if at != find(strings.ToLower(s), strings.ToLower(part)) {
			warnCapitals(e, name)
		}
		if at < 0 {
			return intNumber(-1), nil
		}
		return intNumber(int64(len(unitsOf(s[:at])))), nil
	}
}

// lastIndex finds empty text at the last character, as the documentation has it.
func lastIndex(s, part string) int {
	if part != "" {
		return strings.LastIndex(s, part)
	}
	if s == "" {
		return 0
	}
	_, last := utf8.DecodeLastRuneInString(s)
	return len(s) - last
}

// nthIndexOf finds the first, second … place, or counts from the back where the
// number is negative.
func nthIndexOf(e *evaluator, args []value) (value, error) {
	s, part, err := twoTexts("nthIndexOf", args)
	if err != nil {
		return nil, err
	}
	n, err := argInt("nthIndexOf", args, 2)
	if err != nil {
		return nil, err
	}
	if n == 0 || part == "" {
		return nil, fault(-1, "nthIndexOf needs a text to look for that is not empty, and a number other than 0.")
	}
	at := nth(s, part, n)
	if at != nth(strings.ToLower(s), strings.ToLower(part), n) {
		warnCapitals(e, "nthIndexOf")
	}
	if at < 0 {
		return intNumber(-1), nil
	}
	return intNumber(int64(len(unitsOf(s[:at])))), nil
}

// nth returns the byte at which the place begins, or -1.
func nth(s, part string, n int64) int {
	var places []int
	for from := 0; ; {
		at := strings.Index(s[from:], part)
		if at < 0 {
			break
		}
		places = append(places, from+at)
		from += at + 1
	}
	if n < 0 {
		n += int64(len(places)) + 1
	}
	if n < 1 || n > int64(len(places)) {
		return -1
	}
	return places[n-1]
}

func substring(_ *evaluator, args []value) (value, error) {
	units, start, end, err := cut("substring", args)
	if err != nil {
		return nil, err
	}
	if len(args) == 3 {
		end += start // the third argument is a length
	}
	if start < 0 || end < start || end > int64(len(units)) {
		return nil, fault(1, "substring: the place lies outside the text, which has %d characters.", len(units))
	}
	return textOfUnits(units[start:end]), nil
}

// slice is substring's forgiving sister: it takes an end, counts negative places
// from the back, and gives empty text for what lies outside.
func slice(_ *evaluator, args []value) (value, error) {
	units, start, end, err := cut("slice", args)
	if err != nil {
		return nil, err
	}
	n := int64(len(units))
	clamp := func(at int64) int64 {
		if at < 0 {
			at += n
		}
		return min(max(at, 0), n)
	}
	start, end = clamp(start), clamp(end)
	if end < start {
		return "", nil
	}
	return textOfUnits(units[start:end]), nil
}

// cut reads (text, start[, end]); a missing end is the text's length.
func cut(name string, args []value) (units []uint16, start, end int64, err error) {
	s, err := argText(name, args, 0)
	if err != nil {
		return nil, 0, 0, err
	}
	units = unitsOf(s)
	if start, err = argInt(name, args, 1); err != nil {
		return nil, 0, 0, err
	}
	end = int64(len(units))
	if len(args) == 3 {
		if end, err = argInt(name, args, 2); err != nil {
			return nil, 0, 0, err
		}
	}
	const far = 1 << 40 // keeps start+length from running over
	return units, min(max(start, -far), far), min(max(end, -far), far), nil
}

func split(_ *evaluator, args []value) (value, error) {
	s, err := argText("split", args, 0)
	if err != nil {
		return nil, err
	}
	sep, err := argText("split", args, 1)
	if err != nil {
		return nil, err
	}
	if sep == "" {
		return []value{s}, nil
	}
	list := []value{}
	for _, part := range strings.Split(s, sep) {
		list = append(list, part)
	}
	return list, nil
}

func parseJSON(_ *evaluator, args []value) (value, error) {
	s, err := argText("json", args, 0)
	if err != nil {
		return nil, err
	}
	v, err := decode([]byte(s))
	if err != nil {
		return nil, fault(0, "json can not read this text: %v.", err)
	}
	return v, nil
}
