package wdl

import "strings"

var listFunctions = map[string]function{
	"contains":    {name: "contains", min: 2, max: 2, call: contains},
	"empty":       {name: "empty", min: 1, max: 1, call: empty},
	"length":      {name: "length", min: 1, max: 1, call: length},
	"first":       {name: "first", min: 1, max: 1, call: end("first", func(int) int { return 0 })},
	"last":        {name: "last", min: 1, max: 1, call: end("last", func(n int) int { return n - 1 })},
	"join":        {name: "join", min: 2, max: 2, call: join},
	"skip":        {name: "skip", min: 2, max: 2, call: part("skip")},
	"take":        {name: "take", min: 2, max: 2, call: part("take")},
	"createarray": {name: "createArray", min: 1, max: -1, call: func(_ *evaluator, args []value) (value, error) { return args, nil }},
	"array":       {name: "array", min: 1, max: 1, call: func(_ *evaluator, args []value) (value, error) { return args, nil }},
}

func contains(e *evaluator, args []value) (value, error) {
	switch of := args[0].(type) {
	case nil:
		return nil, fault(0, "contains needs text, a list or an object here, but this is empty (null). Write coalesce(…,'') around it.")
	case string:
		s, err := argText("contains", args, 1)
		if err != nil {
			return nil, err
		}
		yes := strings.Contains(of, s)
		if !yes && strings.Contains(strings.ToLower(of), strings.ToLower(s)) {
			e.warn("contains looks at capitals: %s is there, but written otherwise. Use toLower(…).", Quote(s))
		}
		return yes, nil
	case []value:
		return e.holds(of, args[1]), nil
	case *object:
		s, err := argText("contains", args, 1)
		if err != nil {
			return nil, err
		}
		_, yes := of.get(s)
		return yes, nil
	}
	return nil, fault(0, "contains needs text, a list or an object here, but this is %s.", noun(args[0]))
}

// holds looks for an element, and warns where a person would see one.
func (e *evaluator) holds(list []value, want value) bool {
	if holds(list, want) {
		return true
	}
	text, ok := want.(string)
	if !ok {
		return false
	}
	for _, v := range list {
		if o, ok := v.(*object); ok {
			if inner, _ := o.get("Value"); equal(inner, text) {
				e.warn("This is a list of objects, so the text %s is no element of it, though one of them has that Value.", Quote(text))
			}
		}
	}
	return false
}

func empty(_ *evaluator, args []value) (value, error) {
	switch v := args[0].(type) {
	case nil:
		return true, nil
	case string:
		return v == "", nil
	case []value:
		return len(v) == 0, nil
	case *object:
		return len(v.names) == 0, nil
	}
	return nil, fault(0, "empty needs text, a list or an object here, but this is %s.", noun(args[0]))
}

func length(_ *evaluator, args []value) (value, error) {
	switch v := args[0].(type) {
	case string:
		return intNumber(int64(len(unitsOf(v)))), nil
	case []value:
		return intNumber(int64(len(v))), nil
	}
	return nil, fault(0, "length needs text or a list here, but this is %s.", noun(args[0]))
}

// end reads the first or last character or element.
func end(name string, at func(n int) int) func(*evaluator, []value) (value, error) {
	return func(_ *evaluator, args []value) (value, error) {
		switch v := args[0].(type) {
		case string:
			units := unitsOf(v)
			if len(units) == 0 {
				return "", nil
			}
			i := at(len(units))
			return textOfUnits(units[i : i+1]), nil
		case []value:
			if len(v) == 0 {
				return nil, nil
			}
			return v[at(len(v))], nil
		}
		return nil, fault(0, "%s needs text or a list here, but this is %s.", name, noun(args[0]))
	}
}

func join(e *evaluator, args []value) (value, error) {
	list, ok := args[0].([]value)
	if !ok {
		return nil, fault(0, "join needs a list here, but this is %s.", noun(args[0]))
	}
	sep, err := argText("join", args, 1)
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	for i, v := range list {
		if i > 0 {
			b.WriteString(sep)
		}
		b.WriteString(textOf(v))
		if b.Len() > maxResult {
			return nil, fault(-1, "The result has more than %d characters.", maxResult)
		}
	}
	return b.String(), nil
}

// part keeps or leaves out the first elements of a list, or characters of text.
func part(name string) func(*evaluator, []value) (value, error) {
	return func(_ *evaluator, args []value) (value, error) {
		n, err := argInt(name, args, 1)
		if err != nil {
			return nil, err
		}
		if n < 0 {
			return nil, fault(1, "%s needs 0 or a larger number here.", name)
		}
		switch v := args[0].(type) {
		case string:
			if name == "skip" {
				return nil, fault(0, "skip needs a list here, but this is text. Write slice(…) for text.")
			}
			units := unitsOf(v)
			from, to := bounds(name, n, len(units))
			return textOfUnits(units[from:to]), nil
		case []value:
			from, to := bounds(name, n, len(v))
			return v[from:to], nil
		}
		return nil, fault(0, "%s needs text or a list here, but this is %s.", name, noun(args[0]))
	}
}

func bounds(name string, n int64, size int) (from, to int) {
	at := int(min(max(n, 0), int64(size)))
	if name == "take" {
		return 0, at
	}
	return at, size
}
