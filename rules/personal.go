package rules

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
)

// The lints of this file find personal data that a key would hold in plain letters.

// personal looks at a block.
func (t *trial) personal(n int, p Part) {
	if slices.Contains(p.Steps, "digest") || slices.Contains(p.Steps, "secret") {
		return
	}
	if v, ok := t.personalField(p.Path); ok {
		v.Fix = t.change("Store a short code instead", n, func(p *Part) { p.Steps = append(p.Steps, t.shortStep()) })
		t.add(v)
	}
}

// personalBeyond looks at all fields of a formula that blocks cannot show, or of which
// a part is more than a field.
func (t *trial) personalBeyond() {
	tree, errs := plainTree(t.rule.Key)
	if t.parts != nil || tree == nil || len(errs.GetErrors()) > 0 {
		return
	}
	w := spans{text: []rune(t.rule.Key), info: tree.SourceInfo()}
	w.shown(tree.Expr(), func(path []string, from, to int) {
		v, ok := t.personalField(path)
		if !ok || slices.ContainsFunc(t.out, func(o Verdict) bool { return o.Code == v.Code && o.Path == v.Path }) {
			return
		}
		formula := string(w.text[:from]) + t.shortStep() + "(" + string(w.text[from:to]) + ")" + string(w.text[to:])
		if _, issues := t.engine.Compile(&Rule{Key: formula, Each: t.rule.Each}); issues == nil {
			v.Fix = &Fix{Label: "Store a short code instead", Formula: formula}
		}
		t.add(v)
	})
}

// shortStep is the function that hides a value: by secret(…) nobody finds it by trying.
func (t *trial) shortStep() string {
	if t.engine.secret.load != nil {
		return "secret"
	}
	return "digest"
}

// personalField says of a field that holds personal data that it does not belong in a
// key.
func (t *trial) personalField(path []string) (Verdict, bool) {
	f, known := t.field(Part{Path: path})
	if each := strings.TrimSpace(t.rule.Each); path[0] == "item" && each != "" {
		f, known = t.tree.Find(each + "[0]" + strings.TrimPrefix(pathText(path), "item"))
	}
	if !known || !f.Has(BadgePersonal) {
		return Verdict{}, false
	}
	what := "Personal data does not belong in keys."
	if slices.ContainsFunc(f.whole, emailForm.MatchString) {
		what = "Email addresses do not belong in keys."
	}
	text := what + fmt.Sprintf(" `%s` would be stored in the key file and shown in lists.", Part{Path: path}.Name())
	if t.shortStep() == "secret" {
		text += " Its short code is made with a secret of this program: Make, Zapier and others then cannot make the key themselves and have to ask it."
	}
	return Verdict{Code: VerdictPersonalData, Path: pathText(path), Text: text}, true
}

// unseen are the calls whose result shows nothing of what they are given.
var unseen = map[string]bool{
	"digest": true, "secret": true, "size": true, "has": true, "matches": true, "startsWith": true, "endsWith": true, "contains": true,
	operators.Equals: true, operators.NotEquals: true, operators.Less: true, operators.LessEquals: true, operators.Greater: true,
	operators.GreaterEquals: true, operators.LogicalAnd: true, operators.LogicalOr: true, operators.LogicalNot: true, operators.In: true,
}

// shown gives the fields whose letters are in the value of an expression, with the
// place of the largest call around each that reads no other: lower(body.email).
func (w spans) shown(e ast.Expr, found func(path []string, from, to int)) {
	if path, from, to := w.wrapped(e); path != nil {
		if from < to && to <= len(w.text) {
			found(path, from, to)
		}
		return
	}
	switch e.Kind() {
	case ast.SelectKind:
		w.shown(e.AsSelect().Operand(), found)
	case ast.CallKind:
		call := e.AsCall()
		args := call.Args()
		switch name := call.FunctionName(); {
		case unseen[name]:
			return
		case name == operators.Conditional:
			args = args[1:]
		case call.IsMemberFunction():
			w.shown(call.Target(), found)
		}
		for _, arg := range args {
			w.shown(arg, found)
		}
	case ast.ListKind:
		for _, item := range e.AsList().Elements() {
			w.shown(item, found)
		}
	}
}

// wrapped tells a path, and a call that makes a text of one and of constants; the path
// is nil for all else.
func (w spans) wrapped(e ast.Expr) (path []string, from, to int) {
	path, ok := pathOf(e)
	if header, is := headerPath(e); is {
		path, ok = header, true
	}
	if ok {
		from, to = w.of(e)
		return path, from, to
	}
	if e.Kind() != ast.CallKind || e.AsCall().IsMemberFunction() {
		return nil, 0, 0
	}
	name, end := e.AsCall().FunctionName(), 0
	if name == "key" || unseen[name] || !isName(name) {
		return nil, 0, 0
	}
	for _, arg := range e.AsCall().Args() {
		inner, _, stop := w.wrapped(arg)
		switch {
		case inner != nil && path != nil, inner == nil && arg.Kind() != ast.LiteralKind:
			return nil, 0, 0
		case inner != nil:
			path, end = inner, stop
		default:
			at, _ := w.info.GetOffsetRange(arg.ID())
			end = int(at.Stop)
		}
	}
	at, _ := w.info.GetOffsetRange(e.ID())
	return path, int(at.Start) - utf8.RuneCountInString(name), w.after(end, ")")
}
