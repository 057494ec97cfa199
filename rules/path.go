package rules

import (
	"strconv"
	"strings"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

// A path is a root (body, headers, query, item or the name of a loop) and the
// members below it; "[0]" is a place in a list.

// pathOf reads an expression that is nothing but a path. Optional steps
// (body.?id) count as plain ones.
func pathOf(e ast.Expr) ([]string, bool) { return readPath(e, false) }

// inJSON is the step into a text that holds JSON: json(body.Message).id. It is known
// where a missing field is named, and nowhere else: blocks and trees have no such step.
const inJSON = "json()"

func readPath(e ast.Expr, json bool) ([]string, bool) {
	switch e.Kind() {
	case ast.IdentKind:
		return []string{e.AsIdent()}, true
	case ast.SelectKind:
		s := e.AsSelect()
		if s.IsTestOnly() {
			return nil, false
		}
		return step(s.Operand(), s.FieldName(), json)
	case ast.CallKind:
		call := e.AsCall()
		switch call.FunctionName() {
		case "json":
			if !json || call.IsMemberFunction() || len(call.Args()) != 1 {
				return nil, false
			}
			return step(call.Args()[0], inJSON, json)
		case operators.Index, operators.OptIndex, operators.OptSelect:
		default:
			return nil, false
		}
		if len(call.Args()) != 2 || call.Args()[1].Kind() != ast.LiteralKind {
			return nil, false
		}
		switch key := call.Args()[1].AsLiteral().(type) {
		case types.String:
			if isIndex(string(key)) || key == inJSON {
				return nil, false // a member with the name of a place in a list
			}
			return step(call.Args()[0], string(key), json)
		case types.Int:
			if key >= 0 {
				return step(call.Args()[0], "["+strconv.FormatInt(int64(key), 10)+"]", json)
			}
		}
	}
	return nil, false
}

func step(operand ast.Expr, name string, json bool) ([]string, bool) {
	head, ok := readPath(operand, json)
	return append(head, name), ok
}

// isIndex tells "[0]" from a member name.
func isIndex(step string) bool {
	if len(step) < 3 || step[0] != '[' || step[len(step)-1] != ']' {
		return false
	}
	digits := step[1 : len(step)-1]
	_, err := strconv.ParseUint(digits, 10, 31)
	return err == nil && (digits == "0" || digits[0] != '0') && digits[0] != '+'
}

// pathsIn collects the longest paths of an expression, in order, once each.
func pathsIn(e ast.Expr) [][]string { return readPaths(e, false) }

func readPaths(e ast.Expr, json bool) [][]string {
	var out [][]string
	seen := map[string]bool{}
	var walk func(ast.Expr)
	walk = func(e ast.Expr) {
		if p, ok := readPath(e, json); ok {
			if text := pathText(p); !seen[text] {
				seen[text] = true
				out = append(out, p)
			}
			return
		}
		switch e.Kind() {
		case ast.SelectKind:
			walk(e.AsSelect().Operand())
		case ast.CallKind:
			if e.AsCall().IsMemberFunction() {
				walk(e.AsCall().Target())
			}
			for _, arg := range e.AsCall().Args() {
				walk(arg)
			}
		case ast.ListKind:
			for _, item := range e.AsList().Elements() {
				walk(item)
			}
		case ast.MapKind:
			for _, m := range e.AsMap().Entries() {
				walk(m.AsMapEntry().Value())
			}
		case ast.ComprehensionKind:
			walk(e.AsComprehension().IterRange())
		}
	}
	walk(e)
	return out
}

// reserved words of CEL cannot be selected with a dot.
var reserved = map[string]bool{
	"as": true, "break": true, "const": true, "continue": true, "else": true, "false": true,
	"for": true, "function": true, "if": true, "import": true, "in": true, "let": true,
	"loop": true, "null": true, "package": true, "namespace": true, "return": true,
	"true": true, "var": true, "void": true, "while": true,
}

func isName(s string) bool {
	for i, r := range s {
		if r != '_' && (r >= 0x80 || !isWord(r) || i == 0 && r <= '9') {
			return false
		}
	}
	return s != "" && !reserved[s]
}

// pathText writes a path as it stands in a formula. Header names always stand in
// brackets.
func pathText(path []string) string {
	text := path[0]
	for _, name := range path[1:] {
		if name == inJSON {
			text = "json(" + text + ")"
			continue
		}
		text += stepText(path[0], name)
	}
	return text
}

// stepText writes one step below a root.
func stepText(root, name string) string {
	switch {
	case isIndex(name):
		return name
	case root != "headers" && isName(name):
		return "." + name
	}
	return "[" + quote(name) + "]"
}

// quote writes a string constant of CEL.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range strings.ToValidUTF8(s, "\ufffd") {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case forbidden(r):
			b.WriteString(`\u` + hex4(r))
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

func hex4(r rune) string {
	s := strconv.FormatInt(int64(r), 16)
	return strings.Repeat("0", 4-len(s)) + s
}

// lookUp follows a path below a value. The code is "" for a scalar, otherwise
// what a part fault would say: missing, null, empty, spaces, list or map.
func lookUp(v any, steps []string) (any, KeyCode) {
	for _, name := range steps {
		if r, ok := v.(ref.Val); ok {
			v = r.Value()
		}
		if name == inJSON && v != nil {
			text, _ := v.(string)
			decoded, err := DecodeJSON([]byte(text))
			if err != nil {
				return nil, KeyFormula
			}
			v = decoded
			continue
		}
		var ok bool
		switch at := v.(type) {
		case Object:
			v, ok = at[name]
		case map[string]string:
			var text string
			text, ok = at[name]
			v = text
		case []any:
			if isIndex(name) {
				n, _ := strconv.Atoi(name[1 : len(name)-1])
				if ok = n < len(at); ok {
					v = at[n]
				}
			}
		}
		if !ok {
			return nil, KeyMissing
		}
	}
	if r, ok := v.(ref.Val); ok {
		if r.Type() == types.NullType {
			return nil, KeyNull
		}
		v = r.Value()
	}
	_, code := partText(v)
	return v, code
}
