package admin

import (
	"crypto/sha256"
	"fmt"
	"hash/fnv"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"dedupedesk/frontend/page"
	"dedupedesk/rules"
)

// Bounds of what the field tree shows at once. The rest is one press, or a search,
// away.
const (
	openRows  = 150 // rows up to which branches stand open by themselves
	levelRows = 200 // fields of one level; a press shows as many more
	foundRows = 200 // fields that a search lists
	maxRows   = 2000
)

// A fold is what a person did to the tree, as the page says it with each request.
// Nobody keeps it.
type fold struct {
	version    string // of the tree that the page shows
	find       string
	open, shut []string // branches, as they stand in a formula; "" is the top
	more       []string // levels of which more is shown, once for each press
}

func foldOf(form url.Values) fold {
	return fold{version: form.Get("tree"), find: strings.TrimSpace(form.Get("find")), open: form["open"], shut: form["shut"], more: form["more"]}
}

// fields draws the tree again as the page wants it folded. It changes nothing.
func (p *designer) fields(w http.ResponseWriter, r *http.Request, t *turn) error {
	f := foldOf(t.form)
	f.version = "" // it asks because it wants another one
	v := fieldsView(t.draft, p.trees.of(t.draft.seen()), f)
	v.Draft, v.May = t.draft.ID, mayChange(r)
	return p.fragment(w, r, http.StatusOK, page.FieldRows(v))
}

// seen are the samples whose fields are shown: those that are judged, or all while
// none is.
func (d *draft) seen() []rules.Sample {
	if judged := d.judged().Samples; len(judged) > 0 {
		return judged
	}
	return d.Rule.Samples
}

// fieldsView is the tree of fields with the values of the shown sample.
func fieldsView(d *draft, tree readSamples, f fold) page.FieldsView {
	v := page.FieldsView{Sample: fmt.Sprintf("sample %d", d.Shown+1), Any: len(tree.Fields()) > 0, Find: f.find, Version: treeVersion(d, tree.sum, f)}
	if v.Same = v.Version == f.version && f.version != ""; v.Same {
		return v // the page has it, down to the last badge
	}
	b := fieldRows{draft: d, tree: tree.Tree, fold: f, events: countEvents(d.judged().Samples)}
	if f.find == "" {
		b.opened = b.openAtFirst()
		b.level("", 0)
	} else {
		for _, field := range tree.Search(f.find, foundRows+1) {
			b.found(field)
		}
		v.Left = len(b.rows) > foundRows
		b.rows = b.rows[:min(len(b.rows), foundRows)]
	}
	v.Rows = b.rows
	if left := tree.Left(); left > 0 {
		v.More = fmt.Sprintf("%s more are not listed. Type their path into the formula.", page.Count(int64(left)))
	}
	return v
}

// treeVersion changes with everything that the tree shows but for which fields are
// in the key: that the page marks itself.
func treeVersion(d *draft, samples string, f fold) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s %d %q %q %q %q", samples, d.Shown, f.find, f.open, f.shut, f.more)
	return fmt.Sprintf("%x", h.Sum(nil)[:8])
}

// fieldRows collects the rows that stand open.
type fieldRows struct {
	draft  *draft
	tree   *rules.Tree
	fold   fold
	events int
	opened map[string]bool
	rows   []page.FieldRowView
}

// openAtFirst opens branches from the top down while few rows stand open: all of a
// small event, the upper levels of a large one.
func (b *fieldRows) openAtFirst() map[string]bool {
	opened := map[string]bool{}
	level := b.tree.Children("")
	for left := openRows - len(level); len(level) > 0; {
		var next []rules.Field
		for _, f := range level {
			if !branch(f) {
				continue
			}
			kids := b.tree.Children(f.Text)
			if len(kids) > left {
				continue
			}
			left -= len(kids)
			opened[f.Text] = true
			next = append(next, kids...)
		}
		level = next
	}
	return opened
}

func branch(f rules.Field) bool { return f.Kind == "object" || f.Kind == "list" }

func (b *fieldRows) isOpen(path string) bool {
	switch {
	case slices.Contains(b.fold.shut, path):
		return false
	case slices.Contains(b.fold.open, path):
		return true
	}
	return b.opened[path]
}

// level adds the fields just below one, and what stands open below them.
func (b *fieldRows) level(of string, depth int) {
	kids, shown := b.tree.Children(of), levelRows
	for _, path := range b.fold.more {
		if path == of {
			shown += levelRows
		}
	}
	for i, f := range kids {
		if i >= shown || len(b.rows) >= maxRows {
			b.rows = append(b.rows, page.FieldRowView{ID: rowID(of + "\x00more"), Path: of, Depth: depth, Rest: len(kids) - i})
			return
		}
		row := b.row(f)
		row.Depth = depth
		if row.Branch {
			row.Open = b.isOpen(f.Text)
		}
		b.rows = append(b.rows, row)
		if row.Open {
			b.level(f.Text, depth+1)
		}
	}
}

// found adds a field that a search found, by its whole path. Branches stand for
// what is in them and are left out.
func (b *fieldRows) found(f rules.Field) {
	if branch(f) {
		return
	}
	row := b.row(f)
	if f.Path[0] != "headers" {
		row.Name = rules.Part{Path: f.Path}.Name()
	}
	b.rows = append(b.rows, row)
}

// rowID names a row on the page.
func rowID(path string) string {
	h := fnv.New64a()
	_, _ = h.Write([]byte(path)) // never fails
	return fmt.Sprintf("field-%x", h.Sum64())
}

func (b *fieldRows) row(f rules.Field) page.FieldRowView {
	row := page.FieldRowView{ID: rowID(f.Text), Path: f.Text, Name: f.Name, Branch: branch(f)}
	switch f.Kind {
	case "object":
		row.Kind = page.Counted(f.Children, "field")
		return row
	case "list":
		row.Kind = page.Counted(f.Children, "item")
		return row
	}
	row.Value, row.None = shownValue(b.draft, f)
	for _, code := range f.Badges {
		if code == rules.BadgeSame && b.events < 2 {
			continue // with one event alone it means nothing
		}
		badge := page.FieldBadge(string(code), numbersOf(f.Missing))
		if code == rules.BadgeMissing && len(f.Empty) == len(f.Missing) {
			badge.Text, badge.Title = "EMPTY in "+numbersOf(f.Empty), "It is there, as null or without text. Such an event would be refused."
		}
		if badge.Text != "" {
			row.Badges = append(row.Badges, badge)
		}
	}
	return row
}

// chosenFields are the fields in the key, as the tree names them.
func chosenFields(d *draft) []string {
	var out []string
	parts, beyond := d.parts()
	for _, p := range parts {
		if p.Path != nil && !beyond {
			out = append(out, outOfItem(d.Rule.Each, rules.Part{Path: p.Path}.Text()))
		}
	}
	return out
}

// countEvents counts the events that samples belong to. One without a group is an
// event of its own.
func countEvents(samples []rules.Sample) int {
	n := len(groupNames(samples))
	for _, s := range samples {
		if s.Group == "" {
			n++
		}
	}
	return n
}

// shownValue is a field's value in the shown sample. While that sample waits for
// its question, it is not among the fields' samples, and the first one stands in.
func shownValue(d *draft, f rules.Field) (value string, none bool) {
	i := d.Shown
	if i >= len(f.Values) {
		i = 0
	}
	if i >= len(f.Values) {
		return "", true
	}
	return f.Values[i], f.Values[i] == "" && slices.Contains(f.Missing, i)
}

// numbersShown is how many samples a badge names.
const numbersShown = 3

// numbersOf names samples by their numbers: 3, or 1, 2, 5 and 7 more.
func numbersOf(samples []int) string {
	words := make([]string, len(samples))
	for i, n := range samples {
		words[i] = strconv.Itoa(n + 1)
	}
	if more := len(words) - numbersShown; more > 1 {
		return strings.Join(words[:numbersShown], ", ") + fmt.Sprintf(" and %d more", more)
	}
	return strings.Join(words, ", ")
}
