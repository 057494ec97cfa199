package rules

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

// Tree is what samples hold, read once: the events themselves, and every field by
// its place. A page that shows one level asks for [Tree.Children], one that
// searches for [Tree.Search]; [Engine.JudgeTree] judges without reading again.
// A Tree never changes, so it may be kept as long as its samples are the same, and
// used by any number of goroutines at once.
type Tree struct {
	samples []Sample
	events  []Event
	errs    []error // why a sample cannot be read
	groups  []int
	top     branch
	count   int
	left    int
	fields  []Field        // all, a field before those below it
	guessed func() guesses // worked out once
	resends resends
}

// branch is a field and those below it, in the order of first sight.
type branch struct {
	at   int // in Tree.fields
	f    Field
	kids []*branch
	by   map[string]*branch
}

// Bounds of the field tree.
const (
	maxTree    = 20_000 // fields
	maxInList  = 50     // items of one list
	maxShown   = 200    // code points of a value
	nameOfNull = "null"
)

// NewTree reads samples. One that cannot be read has no part in the fields; see
// [Tree.Err].
func NewTree(samples []Sample) *Tree {
	t := &Tree{samples: samples, groups: groupsOf(samples), events: make([]Event, len(samples)), errs: make([]error, len(samples))}
	orders := make([][][]member, len(samples))
	for i, s := range samples {
		t.events[i], orders[i], t.errs[i] = parseSample(s.Body, s.Headers)
	}
	body, headers, query := t.root("body"), t.root("headers"), t.root("query")
	for i, e := range t.events {
		if t.errs[i] != nil {
			continue
		}
		w := walk{tree: t, sample: i, order: orders[i]}
		w.inside(body, e.Body)
		for root, texts := range map[*branch]map[string]string{headers: e.Headers, query: e.Query} {
			for _, name := range slices.Sorted(maps.Keys(texts)) {
				w.visit(root, name, texts[name])
			}
		}
		t.left = max(t.left, w.left)
	}
	names := map[string]nameOfTry{} // most come more than once
	t.flatten(&t.top, func(name string) nameOfTry {
		of, ok := names[name]
		if !ok {
			of = tryName(name)
			names[name] = of
		}
		return of
	})
	t.guessed = sync.OnceValue(t.guess)
	return t
}

// root makes the branch of body, headers or query. It is a field of the tree only
// where the body is no object.
func (t *Tree) root(name string) *branch {
	n := &branch{at: -1, f: Field{Path: []string{name}, Text: name, Name: name}}
	t.top.kids = append(t.top.kids, n)
	return n
}

// flatten lists the nodes and finishes their fields.
func (t *Tree) flatten(n *branch, of func(string) nameOfTry) {
	for _, kid := range n.kids {
		if kid.f.Kind != "" {
			kid.f.finish(t.groups)
			kid.f.sureTry, kid.f.guessTry = byTry(kid.f.Path, of)
			kid.at = len(t.fields)
			t.fields = append(t.fields, kid.f)
		}
		t.flatten(kid, of)
	}
}

// Event returns the i-th sample, from 0, as it was read, or why it cannot be.
func (t *Tree) Event(i int) (Event, error) { return t.events[i], t.errs[i] }

// Fields returns every path seen in any sample, each before those below it: of the body
// in the order of first sight, then headers, then query. Values holds one text for each
// sample, cut at 200 characters, "" where the sample lacks the field. Badges compare the
// samples' groups: good (same on copies, different between events, and more than an
// amount), changes (differs between copies), same (everywhere), missing, personal (looks
// like a person's data), list_position (goes through a place in a list). At most 20,000
// fields and 50 items of each list are listed. The caller must not change them.
func (t *Tree) Fields() []Field { return t.fields }

// Children returns the fields just below one, which is given as it stands in a
// formula (body.data); "" gives the members of the body, then headers and query.
// It returns none for a field that is not there or has nothing below it.
func (t *Tree) Children(of string) []Field {
	var out []Field
	add := func(n *branch) {
		for _, kid := range n.kids {
			out = append(out, t.fields[kid.at])
		}
	}
	if of != "" {
		if n := t.find(of); n != nil {
			add(n)
		}
		return out
	}
	for _, root := range t.top.kids {
		if root.at >= 0 {
			out = append(out, t.fields[root.at]) // a body that is a list, or a bare value
			continue
		}
		add(root)
	}
	return out
}

// Find returns the field that stands so in a formula, false if no sample has it.
func (t *Tree) Find(text string) (Field, bool) {
	if n := t.find(text); n != nil && n.at >= 0 {
		return t.fields[n.at], true
	}
	return Field{}, false
}

// find goes down from the roots; every text of a field begins with its parent's.
func (t *Tree) find(text string) *branch {
	n := &t.top
	for {
		var next *branch
		for _, kid := range n.kids {
			rest, ok := strings.CutPrefix(text, kid.f.Text)
			if ok && rest == "" {
				return kid
			}
			if ok && (rest[0] == '.' || rest[0] == '[') {
				next = kid
				break
			}
		}
		if next == nil {
			return nil
		}
		n = next
	}
}

// Search returns at most limit fields whose path, or whose value in a sample,
// holds the words; capitals do not count. Fields whose name holds them come first.
func (t *Tree) Search(words string, limit int) []Field {
	words = strings.ToLower(strings.TrimSpace(words))
	var named, others []Field
	for _, f := range t.fields {
		holds := func(s string) bool { return strings.Contains(strings.ToLower(s), words) }
		switch {
		case words == "" || len(named) == limit:
			return named
		case holds(f.Name):
			named = append(named, f)
		case len(others) < limit && (holds(f.Text) || slices.ContainsFunc(f.Values, holds)):
			others = append(others, f)
		}
	}
	return append(named, others[:min(len(others), limit-len(named))]...)
}

// Left is how many fields of one sample are not in the tree: it holds at most
// 20,000 fields, and 50 items of each list.
func (t *Tree) Left() int { return t.left }

// Err is the error of the first sample that cannot be read, with its number, nil
// if all can.
func (t *Tree) Err() error {
	for i, err := range t.errs {
		if err != nil {
			return fmt.Errorf("sample %d: %w", i+1, err)
		}
	}
	return nil
}

// walk goes through one sample's body in the order of its text.
type walk struct {
	tree   *Tree
	sample int
	order  [][]member
	left   int
}

// visit notes a value below a branch, and what is inside it.
func (w *walk) visit(parent *branch, name string, v any) {
	n := w.tree.kid(parent, name)
	if n == nil {
		w.skip(v)
		return
	}
	w.inside(n, v)
}

func (w *walk) inside(n *branch, v any) {
	switch v := v.(type) {
	case Object:
		names := w.names(v)
		if len(n.f.Path) > 1 {
			n.f.see(w.sample, len(w.tree.samples), v, len(names))
		}
		for _, name := range names {
			if isIndex(name) {
				w.skip(v[name]) // no formula of blocks can name it
				continue
			}
			w.visit(n, name, v[name])
		}
	case []any:
		n.f.see(w.sample, len(w.tree.samples), v, len(v))
		for i, item := range v {
			if i >= maxInList {
				w.skip(item)
				continue
			}
			w.visit(n, fmt.Sprintf("[%d]", i), item)
		}
	default:
		n.f.see(w.sample, len(w.tree.samples), v, 0)
	}
}

// kid returns the branch of a name, a new one where there is none, nil where the
// tree is full.
func (t *Tree) kid(parent *branch, name string) *branch {
	if n := parent.by[name]; n != nil {
		return n
	}
	if t.count >= maxTree {
		return nil
	}
	t.count++
	path := append(slices.Clip(parent.f.Path), name)
	n := &branch{at: -1, f: Field{Path: path, Text: parent.f.Text + stepText(path[0], name), Name: name, Depth: len(path) - 2}}
	if parent.by == nil {
		parent.by = map[string]*branch{}
	}
	parent.by[name] = n
	parent.kids = append(parent.kids, n)
	return n
}

// names takes the next object's members in the order of the text.
func (w *walk) names(object Object) []string {
	if w.order == nil {
		return slices.Sorted(maps.Keys(object))
	}
	names := make([]string, 0, len(object))
	for _, m := range w.order[0] {
		names = append(names, m.name)
	}
	w.order = w.order[1:]
	return names
}

// skip passes over a value that is not listed, and counts its fields.
func (w *walk) skip(v any) {
	w.left++
	switch v := v.(type) {
	case Object:
		for _, name := range w.names(v) {
			w.skip(v[name])
		}
	case []any:
		for _, item := range v {
			w.skip(item)
		}
	}
}
