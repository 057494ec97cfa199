package wdl

import "strings"

// A Field is a place in trigger outputs that an expression can read.
type Field struct {
	Path  []string // names below the outputs: body, Editor, Email
	Kind  string   // text, number, boolean, null, list, object
	Value string   // text as it is, others as JSON; cut off when long
}

// Fields lists the places in outputs in their order, each object before its
// members. What lies inside a list is left out: how many elements an event will
// have is not known. It returns an error for outputs in the same cases as [Test].
func Fields(outputs []byte) ([]Field, error) {
	data, err := readOutputs(outputs)
	if err != nil {
		return nil, err
	}
	return appendFields(nil, nil, data), nil
}

func appendFields(list []Field, path []string, o *object) []Field {
	for _, name := range o.names {
		v := o.values[name]
		at := append(append([]string{}, path...), name)
		list = append(list, Field{Path: at, Kind: kind(v), Value: shortly(v)})
		if inner, ok := v.(*object); ok {
			list = appendFields(list, at, inner)
		}
	}
	return list
}

func shortly(v value) string {
	s, ok := v.(string)
	if !ok {
		return render(v, shown)
	}
	if runes := []rune(s); len(runes) > shown {
		return string(runes[:shown]) + "…"
	}
	return s
}

// Read spells the reading of path with a question mark before each name, which
// every trigger understands:
//
//	body, Editor, Email   triggerBody()?['Editor']?['Email']
func Read(path []string) string {
	at := "triggerOutputs()"
	if len(path) > 0 && path[0] == "body" {
		at, path = "triggerBody()", path[1:]
	}
	for _, name := range path {
		at += "?[" + Quote(name) + "]"
	}
	return at
}

// ReadSlashed spells the reading of path as the designer of a current trigger
// does, and reports false where slashes cannot say it:
//
//	body, Editor, Email   triggerOutputs()?['body/Editor/Email']
func ReadSlashed(path []string) (string, bool) {
	if len(path) == 0 {
		return "", false
	}
	for _, name := range path {
		if name == "" || strings.Contains(name, "/") {
			return "", false
		}
	}
	return "triggerOutputs()?[" + Quote(strings.Join(path, "/")) + "]", true
}

// ParsePath reads back what [Read] and [ReadSlashed] write, in any of their mixed
// forms and with or without an @ before it. It reports false for an expression
// that is more than a path of names.
func ParsePath(expression string) ([]string, bool) {
	t, err := parseExpression(strings.TrimPrefix(strings.TrimSpace(expression), "@"))
	if err != nil {
		return nil, false
	}
	return pathOf(t.expr)
}

func pathOf(n node) ([]string, bool) {
	switch n := n.(type) {
	case call:
		switch {
		case len(n.args) > 0:
		case strings.EqualFold(n.name, "triggerBody"):
			return []string{"body"}, true
		case strings.EqualFold(n.name, "triggerOutputs"):
			return nil, true
		}
	case access:
		path, ok := pathOf(n.of)
		key, literal := n.key.(literal)
		name, text := key.value.(string)
		if !ok || !literal || !text {
			return nil, false
		}
		if _, root := n.of.(call); root && len(path) == 0 {
			return strings.Split(name, "/"), true
		}
		return append(path, name), true
	}
	return nil, false
}

// Number reports whether s can stand in an expression as a number, and writes it
// plainly: 1,200 is none, 1e3 is 1000.
func Number(s string) (string, bool) {
	if !looksNumeric(s) {
		return "", false
	}
	n, ok := parseNumber(s)
	return n.text, ok
}
