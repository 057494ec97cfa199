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
	forms       map[string]form
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
		i.mean(near)
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

// form says how a function is called: lower(text), or text.trim().
type form struct{ global, member bool }

func (c *nameCheck) call(e ast.Expr, bound []string) {
	call := e.AsCall()
	name, inside, spaced := call.FunctionName(), bound, false
	if call.IsMemberFunction() {
		target := call.Target()
		spaced = target.Kind() == ast.IdentKind && !slices.Contains(bound, target.AsIdent()) && namespaces[target.AsIdent()]
		switch {
		case spaced:
			name = target.AsIdent() + "." + name
		case c.foreignMethod(e, bound):
			name = target.AsIdent() + "." + name
		default:
			c.walk(target, bound)
		}
	}
	args := call.Args()
	if n := loops[name]; n > 0 && call.IsMemberFunction() && len(args) > n && args[0].Kind() == ast.IdentKind {
		inside = append(slices.Clone(bound), args[0].AsIdent())
		args = args[n:]
	} else if !spaced || !c.functions(name) {
		c.named(e, name)
	}
	for _, arg := range args {
		c.walk(arg, inside)
	}
}

// named finds a function that nobody knows, and one that is called in the other form.
func (c *nameCheck) named(e ast.Expr, name string) {
	member, fits := e.AsCall().IsMemberFunction(), c.forms[name]
	abroad, isForeign := foreignName(name)
	i := Issue{}
	switch {
	case !c.functions(name):
		i = c.issue(e, name, "I do not know the function `%s`.", name)
		same := slices.IndexFunc(c.known, func(known string) bool { return strings.EqualFold(known, name) })
		near := nearest(name, c.known)
		switch {
		case same >= 0:
			i.mean(c.known[same])
		case isForeign && abroad.instead != "" && member:
			i.Hint = "Write " + abroad.instead + "(…) around its value."
		case isForeign && abroad.instead != "":
			if i.mean(abroad.instead); abroad.hint != "" {
				i.Hint = abroad.hint
			}
		case isForeign:
			i.Hint = abroad.hint
		case near != "":
			i.mean(near)
		}
	case !member && fits.member && !fits.global:
		i = c.issue(e, name, "`%s` stands after its value and a dot.", name)
		i.Hint = "Write " + signatureOf(name) + "."
		if isForeign && abroad.hint != "" {
			i.Hint = abroad.hint
		}
	case member && fits.global && !fits.member:
		i = c.issue(e, name, "`%s` has its value in brackets.", name)
		i.Hint = "Write " + signatureOf(name) + "."
	case (name == "key" || name == "digest") && (len(e.AsCall().Args()) == 0 || len(e.AsCall().Args()) > maxParts):
		i = c.issue(e, name, "`%s` takes 1 to %d values.", name, maxParts)
		i.Hint = "Write " + signatureOf(name) + "."
	default:
		return
	}
	c.issues = append(c.issues, i)
}

// foreignMethod finds JSON.parse(…), Date.now() and their like, which are no fields.
func (c *nameCheck) foreignMethod(e ast.Expr, bound []string) bool {
	call, target := e.AsCall(), e.AsCall().Target()
	if target.Kind() != ast.IdentKind || slices.Contains(bound, target.AsIdent()) || slices.Contains(c.fields, target.AsIdent()) {
		return false
	}
	name := target.AsIdent() + "." + call.FunctionName()
	_, ok := foreignName(name)
	return ok && !c.functions(name)
}

// signatureOf is how a function is written, with the names of what goes in.
func signatureOf(name string) string {
	for _, f := range Functions() {
		if f.Name == name {
			return f.Signature
		}
	}
	return name + "(…)"
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
		before := string(runes[:offset])
		if i := strings.LastIndex(before, last); i >= 0 {
			if head := strings.TrimSuffix(name, last); strings.HasSuffix(before[:i], head) {
				i, last = i-len(head), name
			}
			offset, length = utf8.RuneCountInString(before[:i]), utf8.RuneCountInString(last)
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
