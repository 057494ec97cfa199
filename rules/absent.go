package rules

import (
	"context"
	"slices"
	"unicode/utf8"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
)

// A field that no sample has is often a slip of the pen, and either(…) hides it. This
// file finds such fields in the text of a formula.

// absentFields marks the fields that no sample has, where one is near that some have.
func (t *trial) absentFields(ctx context.Context) {
	if slices.Index(t.tree.errs, nil) < 0 {
		return
	}
	t.absentIn(ctx, "key", t.rule.Key)
	t.absentIn(ctx, "when", t.rule.When)
	t.absentIn(ctx, "each", t.rule.Each)
}

func (t *trial) absentIn(ctx context.Context, place, text string) {
	tree, errs := plainTree(text)
	if tree == nil || len(errs.GetErrors()) > 0 {
		return
	}
	w := spans{text: []rune(text), info: tree.SourceInfo()}
	w.walk(tree.Expr(), func(path []string, from, to int) {
		if !roots[path[0]] || len(path) < 2 {
			return
		}
		if meant := t.meant(ctx, path); meant != "" {
			i := issueAt(place, text, from, to-from, "No sample has `%s`.", pathText(path))
			if i.mean(meant); slices.Contains(w.text[from:to], '?') {
				i.Instead = "" // what comes after needs a value that may be absent
			}
			t.absent = append(t.absent, i)
			t.near[pathText(path)] = i
		}
	})
}

// meant is the field that was most likely meant by one that no sample has, "" for none.
func (t *trial) meant(ctx context.Context, path []string) string {
	var nearest string
	for i, e := range t.events {
		if t.tree.errs[i] != nil {
			continue
		}
		s := &scope{body: e.Body, headers: e.Headers, query: e.Query}
		if path[0] != "item" {
			root, _ := s.ResolveName(path[0])
			if _, code := lookUp(root, path[1:]); code != KeyMissing {
				return ""
			}
			if nearest == "" {
				nearest = nearestField(e, pathText(path))
			}
			continue
		}
		if !t.program.HasEach() {
			return ""
		}
		items, _ := t.program.items(ctx, s)
		inBody := append([]string{"body"}, path[1:]...)
		for _, item := range items {
			if _, code := lookUp(item, path[1:]); code != KeyMissing {
				return ""
			}
			if nearest == "" {
				nearest = inItem(nearestField(Event{Body: item}, pathText(inBody)))
			}
		}
	}
	return nearest
}

// inItem turns a field of an event into the same of an item.
func inItem(text string) string {
	path, ok := parsePath(text)
	if !ok || text == "" {
		return ""
	}
	return pathText(append([]string{"item"}, path[1:]...))
}

// spans finds where the paths of a formula stand in its text, in code points.
type spans struct {
	text []rune
	info *ast.SourceInfo
}

// walk gives every path that is as long as can be, with its place.
func (w spans) walk(e ast.Expr, found func(path []string, from, to int)) {
	path, ok := pathOf(e)
	if header, is := headerPath(e); is {
		path, ok = header, true
	}
	if ok {
		if from, to := w.of(e); from < to && to <= len(w.text) {
			found(path, from, to)
		}
		return
	}
	switch e.Kind() {
	case ast.SelectKind:
		w.walk(e.AsSelect().Operand(), found)
	case ast.CallKind:
		if e.AsCall().IsMemberFunction() {
			w.walk(e.AsCall().Target(), found)
		}
		for _, arg := range e.AsCall().Args() {
			w.walk(arg, found)
		}
	case ast.ListKind:
		for _, item := range e.AsList().Elements() {
			w.walk(item, found)
		}
	case ast.MapKind:
		for _, m := range e.AsMap().Entries() {
			w.walk(m.AsMapEntry().Value(), found)
		}
	}
}

// of is where a path begins and ends. The parser places a step at its dot or bracket,
// and a call at its bracket.
func (w spans) of(e ast.Expr) (from, to int) {
	at, ok := w.info.GetOffsetRange(e.ID())
	if !ok {
		return 0, 0
	}
	switch e.Kind() {
	case ast.IdentKind:
		return int(at.Start), int(at.Start) + utf8.RuneCountInString(e.AsIdent())
	case ast.SelectKind:
		from, _ = w.of(e.AsSelect().Operand())
		return from, w.after(int(at.Start), e.AsSelect().FieldName())
	}
	args := e.AsCall().Args()
	last, ok := w.info.GetOffsetRange(args[len(args)-1].ID())
	switch name := e.AsCall().FunctionName(); {
	case !ok:
		return 0, 0
	case name == operators.OptSelect:
		field, _ := args[1].AsLiteral().(types.String)
		from, _ = w.of(args[0])
		return from, w.after(int(at.Start), string(field))
	case name == operators.Index || name == operators.OptIndex:
		from, _ = w.of(args[0])
		return from, w.after(int(last.Stop), "]")
	default:
		return int(at.Start) - utf8.RuneCountInString(name), w.after(int(last.Stop), ")")
	}
}

// after is the place behind the next word from a place on, 0 if it does not come.
func (w spans) after(at int, word string) int {
	for i, letters := at, []rune(word); i+len(letters) <= len(w.text); i++ {
		if slices.Equal(w.text[i:i+len(letters)], letters) {
			return i + len(letters)
		}
	}
	return 0
}
