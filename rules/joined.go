package rules

import (
	"strings"
	"unicode/utf8"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
)

// Fields joined by hand, with + or as other tools are written with -, are what key(…)
// is for. This file finds them where a value of the key stands.

// joined is a formula whose fields are joined by hand.
type joined struct {
	formula string // the same with parts of key(…)
	whole   bool   // nothing but them, no key(…) around
	minus   bool   // one of them is joined with -
	text    bool   // a text stands between two of them
	fields  [][]string
}

// joinedByHand returns nil where no two fields are joined, or more than fields and
// texts are.
func joinedByHand(text string) *joined {
	tree, errs := plainTree(text)
	if tree == nil || len(errs.GetErrors()) > 0 {
		return nil
	}
	values := []ast.Expr{tree.Expr()}
	if e := tree.Expr(); e.Kind() == ast.CallKind && e.AsCall().FunctionName() == "key" {
		values = e.AsCall().Args()
	}
	j := &joined{whole: isJoin(tree.Expr())}
	var parts []string
	found := false
	for _, e := range values {
		if isJoin(e) {
			fields := len(j.fields)
			if more := j.operands(e, tree.SourceInfo()); more != nil && len(j.fields) > fields+1 {
				parts, found = append(parts, more...), true
				continue
			}
			j.fields = j.fields[:fields]
		}
		source, err := cel.ExprToString(e, tree.SourceInfo())
		if err != nil {
			return nil
		}
		parts = append(parts, source)
	}
	if !found {
		return nil
	}
	j.formula = "key(" + strings.Join(parts, ", ") + ")"
	return j
}

func isJoin(e ast.Expr) bool {
	return e.Kind() == ast.CallKind && (e.AsCall().FunctionName() == operators.Add || e.AsCall().FunctionName() == operators.Subtract)
}

// operands are the parts that a join is made of, nil where one is no part. A text of
// marks alone, such as a dash, is left out: key(…) puts its own colon.
func (j *joined) operands(e ast.Expr, info *ast.SourceInfo) []string {
	if path, ok := pathOf(insideString(e)); ok && len(path) > 1 {
		j.fields = append(j.fields, path)
		return []string{pathText(path)}
	}
	if e.Kind() == ast.LiteralKind {
		value, ok := e.AsLiteral().(types.String)
		if !ok {
			return nil
		}
		j.text = true
		if word := strings.Trim(string(value), " -_:;,.|/#+~*"); word != "" {
			return []string{quote(word)}
		}
		return []string{}
	}
	if !isJoin(e) {
		if e.Kind() != ast.CallKind || e.AsCall().IsMemberFunction() || len(e.AsCall().Args()) != 1 {
			return nil
		}
		source, err := cel.ExprToString(e, info)
		paths := pathsIn(e)
		if err != nil || len(paths) != 1 {
			return nil
		}
		j.fields = append(j.fields, paths[0])
		return []string{source}
	}
	j.minus = j.minus || e.AsCall().FunctionName() == operators.Subtract
	left := j.operands(e.AsCall().Args()[0], info)
	right := j.operands(e.AsCall().Args()[1], info)
	if left == nil || right == nil {
		return nil
	}
	return append(left, right...)
}

// insideString is what stands in string(…), which key(…) does not need.
func insideString(e ast.Expr) ast.Expr {
	if e.Kind() == ast.CallKind && e.AsCall().FunctionName() == "string" && !e.AsCall().IsMemberFunction() && len(e.AsCall().Args()) == 1 {
		return e.AsCall().Args()[0]
	}
	return e
}

// parted returns how the key's fields stand as parts, nil where they are not joined by
// hand, or where they are numbers that are worked with.
func (t *trial) parted() *joined {
	j := joinedByHand(t.rule.Key)
	if j == nil {
		return nil
	}
	texts := j.text
	for _, path := range j.fields {
		f, _ := t.field(Part{Path: path})
		texts = texts || f.Kind == "text"
	}
	if !texts {
		return nil
	}
	if _, issues := t.engine.Compile(&Rule{Key: j.formula, Each: t.rule.Each}); issues != nil {
		return nil
	}
	return j
}

// partsInstead offers key(…) for a formula that is refused because it joins by hand.
func (t *trial) partsInstead(v *Verdict) {
	j := t.parted()
	if j == nil {
		return
	}
	why := "`+` joins two texts, or adds two numbers."
	if j.minus {
		why = "`-` takes one number from another."
	}
	i := issueAt("key", t.rule.Key, 0, utf8.RuneCountInString(t.rule.Key), "%s", why)
	i.Hint = "Parts of a key stand side by side: `" + j.formula + "`."
	if !strings.Contains(t.rule.Key, "\n") {
		i.Instead = j.formula
	}
	t.absent = append(t.absent, i)
	v.Text += " " + i.String()
	v.Fix = &Fix{Label: "Use key(…)", Formula: j.formula}
}

// joined advises parts where the joined texts are the key. As one part of key(…) they
// may be what names a thing, such as a table in a schema.
func (t *trial) joined() {
	j := t.parted()
	if j == nil || !j.whole || len(t.keyedEvents()) == 0 {
		return
	}
	t.add(Verdict{Code: VerdictJoined, Fix: &Fix{Label: "Use key(…)", Formula: j.formula},
		Text: "The fields are joined by hand, so two events can get one key: 1 and 23 join to the same as 12 and 3, and so do values that hold the mark between. Parts of key(…) stay apart."})
}
