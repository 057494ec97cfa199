package wdl

// A SyntaxError is a line that the language cannot read.
type SyntaxError struct {
	Offset int    // of the first code point that is wrong
	Reason string // a plain sentence
}

func (e *SyntaxError) Error() string { return e.Reason }

// A node is a part of a parsed expression. It knows the code points it came from.
type node interface{ span() (from, to int) }

type place struct{ from, to int }

func (p place) span() (int, int) { return p.from, p.to }

type literal struct {
	place
	value value
}

type call struct {
	place
	name string
	args []node
}

// An access reads a member or an element of what stands before it.
type access struct {
	place
	of   node
	key  node
	safe bool // ?[…]
}

// A template is what a whole line can be: one expression, or text.
type template struct {
	expr   node   // the expression of "@…"; nil for text
	pieces []any  // of text: string or node
	plain  bool   // text that does not begin with @ at all
	double bool   // text that begins with @@
	source []rune // the line
}

// text returns the source of n.
func (t template) text(n node) string {
	from, to := n.span()
	return string(t.source[from:to])
}

// walk calls f for n and all nodes below it, outermost first.
func walk(n node, f func(node)) {
	f(n)
	switch n := n.(type) {
	case call:
		for _, a := range n.args {
			walk(a, f)
		}
	case access:
		walk(n.of, f)
		walk(n.key, f)
	}
}

// nodes calls f for every node of the template.
func (t template) nodes(f func(node)) {
	if t.expr != nil {
		walk(t.expr, f)
	}
	for _, p := range t.pieces {
		if n, ok := p.(node); ok {
			walk(n, f)
		}
	}
}
