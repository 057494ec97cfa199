package rules

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// Field is one line of the field tree: a path seen in any sample.
type Field struct {
	Path     []string
	Text     string // as it stands in a formula
	Name     string // the last step
	Depth    int    // 0 for members of the body and for headers
	Kind     string // object, list, text, number, bool or null
	Values   []string
	Missing  []int // the samples that lack it, or hold nothing there
	Empty    []int // those of Missing that have it, as null or as empty text
	Badges   []Badge
	Children int

	whole []string  // the values uncut, as a key would hold them
	codes []KeyCode // why a sample has no value; "" if it has
}

// Bounds of the field tree.
const (
	maxTree    = 2000 // fields
	maxInList  = 50   // items of one list
	maxShown   = 200  // code points of a value
	nameOfNull = "null"
)

// Fields returns every path seen in any sample, in the order of first sight,
// headers after the body. Values holds one text for each sample, cut at 200
// characters, "" where the sample lacks the field. Badges compare the samples'
// groups: good (same on copies, different between events, and more than an amount),
// changes (differs between copies), same (everywhere), missing, personal (looks like a person's
// data), list_position (goes through a place in a list). At most 2,000 fields
// and 50 items of each list are listed.
//
// The error is that of the first sample that cannot be read, with its number;
// the fields of the others are returned with it.
func Fields(samples []Sample) ([]Field, error) {
	t := tree{count: len(samples), index: map[string]int{}}
	var first error
	events := make([]Event, len(samples))
	for i, s := range samples {
		e, order, err := parseSample(s.Body, s.Headers)
		if err != nil {
			if first == nil {
				first = fmt.Errorf("sample %d: %w", i+1, err)
			}
			continue
		}
		events[i] = e
		w := bodyWalk{tree: &t, sample: i, order: order}
		w.visit([]string{"body"}, e.Body, "")
	}
	for i, e := range events {
		for _, name := range slices.Sorted(maps.Keys(e.Headers)) {
			t.see([]string{"headers", name}, i, e.Headers[name], 0, "")
		}
	}
	groups := groupsOf(samples)
	for i := range t.fields {
		t.fields[i].finish(groups)
	}
	return t.fields, first
}

type tree struct {
	count  int
	fields []Field
	index  map[string]int
}

// see notes the value of a path in a sample. New paths are put after the last
// field under their parent, so that the tree stays together.
func (t *tree) see(path []string, sample int, v any, children int, parent string) {
	text := pathText(path)
	at, known := t.index[text]
	if !known {
		if len(t.fields) >= maxTree {
			return
		}
		f := Field{Path: slices.Clone(path), Text: text, Name: path[len(path)-1], Depth: max(0, len(path)-2),
			Values: make([]string, t.count), whole: make([]string, t.count), codes: make([]KeyCode, t.count)}
		for i := range f.codes {
			f.codes[i] = KeyMissing
		}
		at = t.insert(f, parent)
	}
	f := &t.fields[at]
	if kind := kindOf(v); f.Kind == "" || f.Kind == nameOfNull {
		f.Kind = kind
	}
	f.Children = max(f.Children, children)
	f.whole[sample], f.codes[sample] = partText(v)
	f.Values[sample] = shown(v, f.whole[sample])
}

func (t *tree) insert(f Field, parent string) int {
	at := len(t.fields)
	if p, ok := t.index[parent]; ok {
		at = p + 1
		for at < len(t.fields) && len(t.fields[at].Path) > len(t.fields[p].Path) {
			at++
		}
	}
	t.fields = slices.Insert(t.fields, at, f)
	for i := at; i < len(t.fields); i++ {
		t.index[t.fields[i].Text] = i
	}
	return at
}

func kindOf(v any) string {
	switch v.(type) {
	case nil:
		return nameOfNull
	case bool:
		return "bool"
	case string:
		return "text"
	case []any:
		return "list"
	case Object:
		return "object"
	}
	return "number"
}

// shown is what the tree displays for a value.
func shown(v any, whole string) string {
	switch v := v.(type) {
	case nil:
		return nameOfNull
	case []any, Object:
		return ""
	case string:
		whole = v
	}
	if runes := []rune(whole); len(runes) > maxShown {
		return string(runes[:maxShown]) + "…"
	}
	return whole
}

// bodyWalk goes through a body in the order of its text.
type bodyWalk struct {
	tree   *tree
	sample int
	order  [][]member
}

func (w *bodyWalk) visit(path []string, v any, parent string) {
	text := pathText(path)
	switch v := v.(type) {
	case Object:
		names := w.names(v)
		if len(path) > 1 {
			w.tree.see(path, w.sample, v, len(names), parent)
		}
		for _, name := range names {
			if isIndex(name) {
				w.skip(v[name]) // no formula of blocks can name it
				continue
			}
			w.visit(append(path, name), v[name], text)
		}
	case []any:
		w.tree.see(path, w.sample, v, len(v), parent)
		for i, item := range v {
			if i >= maxInList {
				w.skip(item)
				continue
			}
			w.visit(append(path, fmt.Sprintf("[%d]", i)), item, text)
		}
	default:
		w.tree.see(path, w.sample, v, 0, parent)
	}
}

// names takes the next object's members in the order of the text.
func (w *bodyWalk) names(object Object) []string {
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

// skip passes over the objects inside a value that is not listed.
func (w *bodyWalk) skip(v any) {
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

// groupsOf gives each sample the number of its event. A sample without a group
// is an event of its own.
func groupsOf(samples []Sample) []int {
	out, seen, next := make([]int, len(samples)), map[string]int{}, 0
	for i, s := range samples {
		g, ok := seen[s.Group]
		if !ok || s.Group == "" {
			g, next = next, next+1
			seen[s.Group] = g
		}
		out[i] = g
	}
	return out
}

// finish works out the badges.
func (f *Field) finish(groups []int) {
	for i, code := range f.codes {
		if absent(code) {
			f.Missing = append(f.Missing, i)
			if code != KeyMissing {
				f.Empty = append(f.Empty, i)
			}
		}
	}
	scalar := f.Kind != "object" && f.Kind != "list"
	if scalar {
		stable, apart := f.compare(groups)
		switch {
		case !stable:
			f.Badges = append(f.Badges, BadgeChanges)
		case len(f.Missing) > 0:
		case apart && slices.Max(groups) > 0 && f.Role() != RoleAmount:
			f.Badges = append(f.Badges, BadgeGood)
		case len(groups) > 1 && f.constant():
			f.Badges = append(f.Badges, BadgeSame)
		}
	}
	if len(f.Missing) > 0 {
		f.Badges = append(f.Badges, BadgeMissing)
	}
	if scalar && f.personal() {
		f.Badges = append(f.Badges, BadgePersonal)
	}
	if slices.ContainsFunc(f.Path, isIndex) {
		f.Badges = append(f.Badges, BadgeListPosition)
	}
}

// compare tells whether copies have the same value, and whether every two events
// have different ones.
func (f *Field) compare(groups []int) (stable, apart bool) {
	stable, apart = true, true
	for i := range groups {
		for j := range i {
			same := f.whole[i] == f.whole[j] && f.codes[i] == f.codes[j]
			switch {
			case groups[i] == groups[j] && !same:
				stable = false
			case groups[i] != groups[j] && same:
				apart = false
			}
		}
	}
	return stable, apart
}

func (f *Field) constant() bool {
	for _, v := range f.whole {
		if v != f.whole[0] {
			return false
		}
	}
	return true
}

// Has tells whether the field carries a badge.
func (f Field) Has(badge Badge) bool { return slices.Contains(f.Badges, badge) }

var (
	emailForm     = regexp.MustCompile(`^[^@\s]+@[^@\s]+\.[^@\s.]{2,}$`)
	phoneForm     = regexp.MustCompile(`^\+[0-9][0-9 ()./-]{6,20}$`)
	personalNames = regexp.MustCompile(`^(e-?mail|phone|mobile|fax|firstname|lastname|fullname|surname|givenname|familyname|birthday|birthdate|dateofbirth|address1?|street|ssn|iban|displayname)$`)
)

// personal tells what looks like a person's data, by its name or its form.
func (f *Field) personal() bool {
	name := strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "").Replace(f.Name))
	if personalNames.MatchString(name) && !f.constantlyAbsent() {
		return true
	}
	if n := nameOf(f.Path); n.isID() && slices.Contains(n.words, "message") {
		return false // the Message-ID of a mail has the form of an address
	}
	return slices.ContainsFunc(f.whole, personalValue)
}

func (f *Field) constantlyAbsent() bool { return len(f.Missing) == len(f.whole) }

func personalValue(v string) bool { return emailForm.MatchString(v) || phoneForm.MatchString(v) }
