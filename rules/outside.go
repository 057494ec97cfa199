package rules

import (
	"slices"
	"strings"

	"github.com/google/cel-go/common/ast"
)

// Outside returns what p reads of an event beside its body: the paths below headers and
// query in its key, list, condition and fingerprint, each once and in that order. A path
// of one name means that any of them may be read. Whoever sends the body of an event
// alone sends too little for a rule with such paths, and a stand-in may hide it.
func (p *Program) Outside() [][]string {
	var out [][]string
	seen := map[string]bool{}
	for _, f := range append([]*formula{p.key, p.each, p.when}, p.fingerprint...) {
		if f == nil {
			continue
		}
		for _, path := range f.outside {
			if text := strings.Join(path, "\x00"); !seen[text] {
				seen[text] = true
				out = append(out, path)
			}
		}
	}
	return out
}

// outsideOf finds the paths below headers and query in an expression, in loops too.
func outsideOf(e ast.Expr) [][]string {
	var out [][]string
	within := map[int64]bool{} // parts of a path that was found
	ast.PreOrderVisit(e, ast.NewExprVisitor(func(e ast.Expr) {
		if within[e.ID()] {
			return
		}
		path, ok := readPath(e, false)
		if !ok || !slices.Contains([]string{"headers", "query"}, path[0]) {
			return
		}
		ast.PreOrderVisit(e, ast.NewExprVisitor(func(e ast.Expr) { within[e.ID()] = true }))
		out = append(out, path)
	}))
	return out
}
