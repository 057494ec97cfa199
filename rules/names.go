package rules

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/parser"
)

// loops are the calls that give names to their items, and how many.
var loops = map[string]int{
	"all": 1, "exists": 1, "exists_one": 1, "existsOne": 1, "map": 1, "filter": 1,
	"optMap": 1, "optFlatMap": 1, "sortBy": 1,
}

// plainTree parses a formula without replacing anything, so that every node
// stands where the person wrote it.
func plainTree(text string) (*ast.AST, *common.Errors) {
	p, err := parser.NewParser(parser.EnableOptionalSyntax(true), parser.MaxRecursionDepth(maxNesting*4),
		parser.ExpressionSizeCodePointLimit(MaxFormula), parser.ErrorRecoveryLimit(4))
	if err != nil {
		panic(err) // the options are constants
	}
	return p.Parse(common.NewTextSource(text))
}

// nameCheck looks for names that nobody knows, before the type checker does, to
// say so in the person's words.
type nameCheck struct {
	place, text string
	tree        *ast.AST
	fields      []string // body, headers, …
	functions   func(string) bool
	known       []string // function names to guess from
	issues      []Issue
}

func (c *nameCheck) walk(e ast.Expr, bound []string) {
	switch e.Kind() {
	case ast.IdentKind:
		c.ident(e, bound)
	case ast.SelectKind:
		c.walk(e.AsSelect().Operand(), bound)
	case ast.CallKind:
		c.call(e, bound)
	case ast.ListKind:
		for _, item := range e.AsList().Elements() {
			c.walk(item, bound)
		}
	case ast.MapKind:
		for _, m := range e.AsMap().Entries() {
			c.walk(m.AsMapEntry().Key(), bound)
			c.walk(m.AsMapEntry().Value(), bound)
		}
	}
}

func (c *nameCheck) ident(e ast.Expr, bound []string) {
	name := e.AsIdent()
	if slices.Contains(c.fields, name) || slices.Contains(bound, name) || typeNames[name] {
		return
	}
	i := c.issue(e, name, "I do not know the field `%s`.", name)
	switch near := nearest(name, append(slices.Clone(bound), c.fields...)); {
	case name == "item":
		i.Msg = "`item` is known only in a rule that goes through a list (each)."
	case near != "":
		i.Hint = "Did you mean `" + near + "`?"
	case slices.Contains([]string{"event", "payload", "data", "json", "request", "trigger"}, name):
		i.Hint = "What the sender sent is called `body`."
	default:
		i.Hint = "Fields start with `body`, `headers` or `query`; text stands in double quotes."
	}
	c.issues = append(c.issues, i)
}

// typeNames may stand where a value does: type(x) == string.
var typeNames = map[string]bool{
	"bool": true, "bytes": true, "double": true, "int": true, "list": true, "map": true,
	"null_type": true, "string": true, "type": true, "uint": true, "optional_type": true,
}

// namespaces hold functions with a dot in their name.
var namespaces = map[string]bool{"math": true, "lists": true, "regex": true, "strings": true, "optional": true, "google": true}

func (c *nameCheck) call(e ast.Expr, bound []string) {
	call := e.AsCall()
	name, inside := call.FunctionName(), bound
	if call.IsMemberFunction() {
		target := call.Target()
		if target.Kind() == ast.IdentKind && namespaces[target.AsIdent()] && !slices.Contains(bound, target.AsIdent()) {
			name = target.AsIdent() + "." + name
		} else {
			c.walk(target, bound)
		}
	}
	args := call.Args()
	if n := loops[name]; n > 0 && call.IsMemberFunction() && len(args) > n && args[0].Kind() == ast.IdentKind {
		inside = append(slices.Clone(bound), args[0].AsIdent())
		args = args[n:]
	} else if !c.functions(name) {
		i := c.issue(e, name, "I do not know the function `%s`.", name)
		if near := nearest(name, c.known); near != "" {
			i.Hint = "Did you mean `" + near + "`?"
		}
		c.issues = append(c.issues, i)
	}
	for _, arg := range args {
		c.walk(arg, inside)
	}
}

// issue marks name at the node, or just before it: the parser places a call at
// its bracket.
func (c *nameCheck) issue(e ast.Expr, name, format string, args ...any) Issue {
	offset := 0
	if at, ok := c.tree.SourceInfo().GetOffsetRange(e.ID()); ok {
		offset = int(at.Start)
	}
	length := utf8.RuneCountInString(name)
	runes := []rune(c.text)
	if e.Kind() == ast.CallKind && offset <= len(runes) {
		last := name[strings.LastIndex(name, ".")+1:]
		if i := strings.LastIndex(string(runes[:offset]), last); i >= 0 {
			offset, length = utf8.RuneCountInString(string(runes[:offset])[:i]), utf8.RuneCountInString(last)
		}
	}
	return issueAt(c.place, c.text, offset, length, format, args...)
}

// literalText returns the text of a string constant.
func literalText(e ast.Expr) (string, bool) {
	if e.Kind() != ast.LiteralKind {
		return "", false
	}
	s, ok := e.AsLiteral().(types.String)
	return string(s), ok
}
