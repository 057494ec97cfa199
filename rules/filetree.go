package rules

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

// jsonNode reads a rule file in JSON with the house's own decoder.
func jsonNode(data []byte) (node, error) {
	v, orders, err := decodeOrdered(data, true)
	if err != nil {
		if at, ok := err.(*SyntaxError); ok {
			return node{}, &FileError{Line: at.Line, Msg: fmt.Sprintf("column %d: %s", at.Column, at.Msg)}
		}
		return node{}, err
	}
	w := jsonWalk{data: data, orders: orders}
	return w.node(v, 1, strings.TrimSpace(string(data))), nil
}

// jsonWalk goes through a decoded value in the order of its text.
type jsonWalk struct {
	data   []byte
	orders [][]member
}

func (w *jsonWalk) node(v any, line int, source string) node {
	n := node{line: line}
	switch v := v.(type) {
	case nil:
		n.kind, n.text = "null", "null"
	case bool:
		n.kind, n.text = "bool", fmt.Sprint(v)
	case string:
		n.kind, n.text = "text", v
	case []any:
		n.kind, n.text = "list", source
		for _, item := range v {
			n.items = append(n.items, w.node(item, line, ""))
		}
	case Object:
		n.kind, n.text = "map", source
		order := w.orders[0]
		w.orders = w.orders[1:]
		for _, m := range order {
			at, _ := position(w.data, m.at)
			n.members = append(n.members, entry{m.name, at, w.node(v[m.name], at, string(w.data[m.from:m.to]))})
		}
		if len(n.members) > 0 && source == "" {
			n.line = n.members[0].line
		}
	default:
		n.kind = "number"
		if n.text = source; source == "" {
			n.text, _ = scalarText(v)
		}
	}
	return n
}

// json writes a node as JSON text. What came from JSON is already that.
func (n node) json(out []byte) ([]byte, error) {
	switch n.kind {
	case "null":
		return append(out, "null"...), nil
	case "bool":
		return append(out, strings.ToLower(n.text)...), nil
	case "text":
		return appendQuoted(out, n.text), nil
	case "number":
		if !jsonNumber.MatchString(n.text) {
			return nil, &FileError{Line: n.line, Field: "body", Msg: fmt.Sprintf("JSON cannot write the number %s; put it in quotes, or give the body as a text block.", n.text)}
		}
		if _, ok := number(n.text); !ok {
			return nil, &FileError{Line: n.line, Field: "body", Msg: fmt.Sprintf("This number has more than %d digits when written out.", maxDigits)}
		}
		return append(out, n.text...), nil
	}
	if n.text != "" {
		return append(out, n.text...), nil
	}
	open, shut := byte('['), byte(']')
	if n.kind == "map" {
		open, shut = '{', '}'
	}
	out = append(out, open)
	var err error
	for i, item := range n.items {
		if i > 0 {
			out = append(out, ',')
		}
		if out, err = item.json(out); err != nil {
			return nil, err
		}
	}
	for i, m := range n.members {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(appendQuoted(out, m.name), ':')
		if out, err = m.value.json(out); err != nil {
			return nil, err
		}
	}
	return append(out, shut), nil
}

var jsonNumber = regexp.MustCompile(`^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$`)

// yamlNode reads a rule file in YAML: one document, no anchors, no tags.
func yamlNode(data []byte) (n node, err error) {
	defer func() {
		// The YAML reader is known to panic on some inputs.
		if r := recover(); r != nil {
			n, err = node{}, &FileError{Msg: "The file cannot be read as YAML."}
		}
	}()
	var doc yaml.Node
	d := yaml.NewDecoder(bytes.NewReader(data))
	if err := d.Decode(&doc); err != nil {
		return node{}, yamlFault(err, data)
	}
	var more yaml.Node
	if d.Decode(&more) == nil {
		return node{}, &FileError{Line: more.Line, Msg: "The file holds more than one document; a rule has a file of its own."}
	}
	if len(doc.Content) != 1 {
		return node{}, &FileError{Msg: "The file is empty."}
	}
	return fromYAML(doc.Content[0], 0)
}

var yamlLine = regexp.MustCompile(`line ([0-9]+)`)

// yamlFault keeps the line the YAML reader names, which its error does not carry
// otherwise. What is wrong there is said from the line itself.
func yamlFault(err error, data []byte) error {
	f := &FileError{Msg: "The file is empty."}
	if len(bytes.TrimSpace(data)) == 0 {
		return f
	}
	if m := yamlLine.FindStringSubmatch(err.Error()); m != nil {
		fmt.Sscan(m[1], &f.Line)
	}
	lines := bytes.Split(data, []byte("\n"))
	f.Msg = "The file cannot be read as YAML. " + yamlSlip("")
	for _, n := range []int{f.Line, f.Line + 1, f.Line - 1} { // the reader names the one before or after as well
		if n < 1 || n > len(lines) {
			continue
		}
		if slip := yamlSlip(string(lines[n-1])); slip != yamlSlip("") {
			f.Line, f.Msg = n, "The file cannot be read as YAML. "+slip
			break
		}
	}
	return f
}

// quotedValue is a text in quotes, and the space after it.
var quotedValue = regexp.MustCompile(`^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')\s*`)

// yamlSlip says what is wrong with a line, or what to look for.
func yamlSlip(line string) string {
	indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	_, value, _ := strings.Cut(line, ": ")
	value = strings.TrimSpace(value)
	switch {
	case strings.Contains(indent, "\t"):
		return "This line begins with a tab: use spaces."
	case value == "":
	case strings.ContainsAny(value[:1], "@`%,"):
		return "A value that begins with " + value[:1] + " stands in quotes."
	case !strings.ContainsAny(value[:1], "\"'|>{[") && strings.Contains(value, ": "):
		return "A value that holds a colon and a space stands in single quotes."
	case strings.ContainsAny(value[:1], "\"'") && !quotedValue.MatchString(value):
		return "The quote of this value does not end."
	case strings.ContainsAny(value[:1], "\"'") && !strings.HasPrefix(quotedValue.ReplaceAllString(value, "")+"#", "#"):
		return "After the quotes of this value comes more. A formula stands in single quotes as a whole, such as key: 'key(\"stripe\", body.id)'."
	}
	return "Look for a quote or bracket without its partner, and for lines that do not begin below one another."
}

func fromYAML(y *yaml.Node, depth int) (node, error) {
	n := node{line: y.Line}
	switch {
	case depth > MaxDepth:
		return n, &FileError{Line: y.Line, Msg: fmt.Sprintf("Values lie more than %d deep in one another.", MaxDepth)}
	case y.Kind == yaml.AliasNode || y.Anchor != "":
		return n, &FileError{Line: y.Line, Msg: "A rule file has no anchors (& and *)."}
	case y.Style&yaml.TaggedStyle != 0:
		return n, &FileError{Line: y.Line, Msg: "A rule file has no tags (!)."}
	}
	switch y.Kind {
	case yaml.SequenceNode:
		n.kind = "list"
		for _, c := range y.Content {
			item, err := fromYAML(c, depth+1)
			if err != nil {
				return n, err
			}
			n.items = append(n.items, item)
		}
	case yaml.MappingNode:
		return n, n.fillMap(y, depth)
	default:
		n.text = y.Value
		switch tag := y.ShortTag(); {
		case tag == "!!str" && y.Style == 0 && jsonNumber.MatchString(y.Value):
			n.kind = "number" // one that the YAML reader cannot hold, such as 1e400
		case tag == "!!null":
			n.kind = "null"
		case tag == "!!bool":
			n.kind = "bool"
		case tag == "!!int", tag == "!!float":
			n.kind = "number"
		default:
			n.kind = "text" // a date without quotes is the text it was written as
		}
	}
	return n, nil
}

func (n *node) fillMap(y *yaml.Node, depth int) error {
	n.kind = "map"
	seen := map[string]bool{}
	for i := 0; i+1 < len(y.Content); i += 2 {
		name := y.Content[i]
		switch {
		case name.Kind != yaml.ScalarNode || name.Anchor != "" || name.ShortTag() == "!!merge":
			return &FileError{Line: name.Line, Msg: "A member name is plain text."}
		case seen[name.Value]:
			return &FileError{Line: name.Line, Field: name.Value, Msg: "This member comes twice."}
		}
		seen[name.Value] = true
		v, err := fromYAML(y.Content[i+1], depth+1)
		if err != nil {
			return err
		}
		n.members = append(n.members, entry{name.Value, name.Line, v})
	}
	return nil
}
