package rules

import (
	"slices"
	"strconv"
	"strings"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"
)

// Part is one block of a key: a fixed text, or a field with steps. Blocks are
// the part of the language that a person can click together and that exporters
// can write in another platform's language. A step named day carries its zone:
// day:Europe/Berlin.
type Part struct {
	Literal string   // the text of a part without Path
	Path    []string // body, data, object, id; "[0]" is a place in a list; headers, x-github-delivery
	Steps   []string // lower, upper, fold, time, digest, secret or day:<zone>, applied from left to right
	Default *string  // stands in where the field is absent, before the steps
}

// blockSteps are the functions of one argument that a block may show.
var blockSteps = []string{"lower", "upper", "fold", "time", "digest", "secret"}

// Parts reads a formula as blocks. It returns false for a formula that blocks
// cannot show, and for one that does not parse.
func Parts(formula string) ([]Part, bool) {
	if len(formula) > MaxFormula {
		return nil, false
	}
	if depth, _ := deepest(formula); depth > maxNesting {
		return nil, false
	}
	tree, errs := plainTree(formula)
	if tree == nil || len(errs.GetErrors()) > 0 || tree.Expr().Kind() != ast.CallKind {
		return nil, false
	}
	call := tree.Expr().AsCall()
	if call.FunctionName() != "key" || call.IsMemberFunction() || len(call.Args()) == 0 || len(call.Args()) > maxParts {
		return nil, false
	}
	parts := make([]Part, len(call.Args()))
	for i, arg := range call.Args() {
		p, ok := partOf(arg)
		if !ok {
			return nil, false
		}
		parts[i] = p
	}
	return parts, true
}

func partOf(e ast.Expr) (Part, bool) {
	if e.Kind() == ast.LiteralKind {
		return literalPart(e)
	}
	if path, ok := headerPath(e); ok {
		return Part{Path: path}, true
	}
	if path, ok := pathOf(e); ok {
		return Part{Path: path}, plainPath(e) && roots[path[0]]
	}
	if e.Kind() != ast.CallKind || e.AsCall().IsMemberFunction() {
		return Part{}, false
	}
	call := e.AsCall()
	name, args := call.FunctionName(), call.Args()
	if len(args) == 0 {
		return Part{}, false
	}
	p, ok := partOf(args[0])
	if !ok || p.Path == nil {
		return Part{}, false
	}
	switch {
	case len(args) == 1 && slices.Contains(blockSteps, name):
		p.Steps = append(p.Steps, name)
		return p, true
	case len(args) == 2 && name == "day":
		zone, ok := literalText(args[1])
		p.Steps = append(p.Steps, "day:"+zone)
		return p, ok
	case len(args) == 2 && name == "either" && p.Default == nil && p.Steps == nil:
		text, ok := literalText(args[1])
		p.Default = &text
		return p, ok
	}
	return Part{}, false
}

// roots are what a block's path may start with.
var roots = map[string]bool{"body": true, "headers": true, "query": true, "item": true}

func literalPart(e ast.Expr) (Part, bool) {
	switch v := e.AsLiteral().(type) {
	case types.String:
		return Part{Literal: string(v)}, true
	case types.Int:
		return Part{Literal: strconv.FormatInt(int64(v), 10)}, true
	}
	return Part{}, false
}

// headerPath reads header("X-Any-Case").
func headerPath(e ast.Expr) ([]string, bool) {
	if e.Kind() != ast.CallKind || e.AsCall().FunctionName() != "header" || e.AsCall().IsMemberFunction() || len(e.AsCall().Args()) != 1 {
		return nil, false
	}
	name, ok := literalText(e.AsCall().Args()[0])
	return []string{"headers", strings.ToLower(name)}, ok && !isIndex(name)
}

// plainPath refuses optional steps, which blocks do not show.
func plainPath(e ast.Expr) bool {
	plain := true
	ast.PostOrderVisit(e, ast.NewExprVisitor(func(e ast.Expr) {
		if e.Kind() == ast.CallKind && e.AsCall().FunctionName() != "_[_]" {
			plain = false
		}
	}))
	return plain
}

// Formula writes blocks as a formula, in one form only: [Parts] of it gives the
// same blocks.
func Formula(parts []Part) string {
	texts := make([]string, len(parts))
	for i, p := range parts {
		texts[i] = p.Text()
	}
	return "key(" + strings.Join(texts, ", ") + ")"
}

// Text writes one block as it stands in the formula.
func (p Part) Text() string {
	if p.Path == nil {
		return quote(p.Literal)
	}
	text := pathText(p.Path)
	if p.Default != nil {
		text = "either(" + text + ", " + quote(*p.Default) + ")"
	}
	for _, step := range p.Steps {
		if zone, ok := strings.CutPrefix(step, "day:"); ok {
			text = "day(" + text + ", " + quote(zone) + ")"
			continue
		}
		text = step + "(" + text + ")"
	}
	return text
}

// Name writes the field of a block for people: data.object.id, or the header's
// name. It is "" for fixed text.
func (p Part) Name() string {
	switch {
	case len(p.Path) == 0:
		return ""
	case len(p.Path) == 1:
		return p.Path[0]
	case p.Path[0] == "headers":
		return p.Path[1]
	case p.Path[0] == "body":
		text := strings.TrimPrefix(pathText(p.Path), "body")
		return strings.TrimPrefix(text, ".")
	}
	return pathText(p.Path)
}
