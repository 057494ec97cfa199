package rules

import (
	"fmt"
	"slices"
)

// This file looks for what could keep apart the different events that share a key.

// addDifference names a field that differs between the samples of a verdict, and offers
// to add it. A field that may be another one on every copy is named and not offered: the
// key would then stop nothing.
func (t *trial) addDifference(v *Verdict) {
	best, time := t.difference(v.Samples)
	switch {
	case best != nil:
		p := Part{Path: best.Path}
		v.Path = best.Text
		v.Text += fmt.Sprintf(" Add a field that differs: `%s`.", p.Name())
		v.Fix = &Fix{Label: "Add it", Formula: Formula(append(slices.Clone(t.parts), p))}
	case time != nil:
		v.Text += fmt.Sprintf(" Of the fields that differ only `%s` could be added, and a time may be another one on every copy. Add a copy of one of these events first: it shows what stays the same.", Part{Path: time.Path}.Name())
	case t.alike(v.Samples):
		v.Text += " Nothing in these samples tells them apart: have the source send an id, such as a column with a number of its own."
	}
}

// difference finds the likeliest field by which the samples differ: an id or a word
// before an amount, which two events may share by chance and which therefore needs an id
// beside it. A time of which no copy shows that it stays the same is returned apart.
func (t *trial) difference(samples []int) (best, time *Field) {
	var amount *Field
	for _, f := range t.tree.guessed().fit {
		if !f.apartIn(samples) {
			continue
		}
		role := f.Role()
		switch {
		case role != RoleChange && timeLike(f.Name, f.whole) && !t.onCopies():
			if time == nil {
				time = &f
			}
		case role == RoleAmount:
			if amount == nil && t.hasID() {
				amount = &f
			}
		default:
			return &f, nil
		}
	}
	return amount, time
}

// apartIn tells whether no two of the samples have the same value.
func (f Field) apartIn(samples []int) bool {
	seen := map[string]bool{}
	for _, i := range samples {
		if seen[f.whole[i]] {
			return false
		}
		seen[f.whole[i]] = true
	}
	return true
}

// onCopies tells whether some event has a copy, so that a field fit for a key is known
// to stay the same.
func (t *trial) onCopies() bool {
	return slices.ContainsFunc(t.tree.byEvent(), func(samples []int) bool { return len(samples) > 1 })
}

// hasID tells whether a part of the key is an id.
func (t *trial) hasID() bool {
	return slices.ContainsFunc(t.parts, func(p Part) bool {
		if p.Path == nil {
			return false
		}
		f, _ := t.field(p)
		return f.Role() == RoleRecord || f.Role() == RoleMessage
	})
}
