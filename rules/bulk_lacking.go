package rules

import (
	"fmt"
	"slices"
	"strings"
)

// A Lacking says of a [Bulk] that no delivery has a field that the key reads: the file
// is probably of another sender, or its columns are called otherwise.
type Lacking struct {
	Path string   // the field, as it stands in a formula
	Has  []string // the names that the first delivery has in its place, sorted
	Near []string // those of them that may be meant, as they stand in a formula, three at most
	Text string   // in two or three sentences
}

// maxNames is how many names a sentence has.
const maxNames = 12

// Lacking returns nil where some delivery got a key, and where what is missing is not
// the reason.
func (b *Bulk) Lacking() *Lacking {
	all := b.Refusals()
	first := slices.IndexFunc(all, func(r *Refusal) bool { return r.Code == KeyMissing })
	if b.totals.Keys > 0 || b.lacks == nil || first < 0 {
		return nil
	}
	missing := all[first].Path
	parts, ok := Parts("key(" + missing + ")")
	if !ok || len(parts[0].Path) < 2 {
		return nil
	}
	path := parts[0].Path
	root, _ := (&scope{body: b.lacks.Body, headers: b.lacks.Headers, query: b.lacks.Query}).ResolveName(path[0])
	for i := 1; i < len(path); i++ {
		at, _ := lookUp(root, path[1:i])
		names := memberNames(at)
		if len(names) == 0 {
			return nil
		}
		if slices.Contains(names, path[i]) {
			continue
		}
		l := &Lacking{Path: missing, Has: names}
		for _, name := range meantBy(path[i:], names) {
			l.Near = append(l.Near, pathText(append(slices.Clone(path[:i]), name)))
		}
		l.Text = l.sentences(path, i)
		return l
	}
	return nil
}

// meantBy returns the names that are near the first of these steps, or have all words of
// the last one: Order ID for id.
func meantBy(steps, names []string) []string {
	var out []string
	if name := nearest(steps[0], names); name != "" {
		out = append(out, name)
	}
	last := nameWords(steps[len(steps)-1])
	for _, name := range names {
		has := nameWords(name)
		if !slices.Contains(out, name) && len(last) > 0 && !slices.ContainsFunc(last, func(w string) bool { return !slices.Contains(has, w) }) {
			out = append(out, name)
		}
	}
	return out[:min(len(out), 3)]
}

func (l *Lacking) sentences(path []string, at int) string {
	var names []string
	for _, name := range l.Has[:min(len(l.Has), maxNames)] {
		names = append(names, "`"+name+"`")
	}
	if more := len(l.Has) - len(names); more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	where := "The first one has"
	if at > 1 {
		where = "In `" + pathText(path[:at]) + "` the first one has"
	}
	text := fmt.Sprintf("No delivery of this file has `%s`, which the key reads. %s %s.", l.Path, where, joinWords(names, "and"))
	if l.Near != nil {
		var meant []string
		for _, near := range l.Near {
			meant = append(meant, "`"+near+"`")
		}
		text += " Did you mean " + strings.Join(meant, " or ") + "?"
	}
	return text
}
