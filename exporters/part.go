package exporters

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Part is one piece of a rule's key: either a literal, or a path into the
// event with the steps that are applied to its value. The parts in order, each
// cleaned and escaped, joined by colons, are the key.
type Part struct {
	Literal string
	Path    []string // "body", "data", "id"; a list index is "[0]"; "headers", "x-id"
	Steps   []string // lower, upper, fold, time, day:<zone>, ...
	Default *string  // stands in for a value that is absent; nil = absence is an error
}

// Dotted returns the path as people read it: body.data.id.
func (p Part) Dotted() string { return strings.Join(p.Path, ".") }

// NoItem returns an [Inexpressible] for a rule that goes through a list though no part of
// its key is read from an item, nil for every other.
func (s Setup) NoItem() error {
	if len(s.Each) == 0 || slices.ContainsFunc(s.Parts, func(p Part) bool { return len(p.Path) > 0 && p.Path[0] == "item" }) {
		return nil
	}
	return Cannot("The rule goes through a list, but no part of its key is read from an item, so all items would have one key.")
}

// Index reads an element of a [Part.Path] that counts into a list: 0 of "[0]".
// It reports false for the name of a member.
func Index(element string) (int, bool) {
	inner, ok := strings.CutPrefix(element, "[")
	if !ok {
		return 0, false
	}
	inner, ok = strings.CutSuffix(inner, "]")
	if !ok {
		return 0, false
	}
	n, err := strconv.Atoi(inner)
	return n, err == nil && n >= 0
}

// An Inexpressible is what a platform cannot say of a rule's key, in a sentence
// for the person who wants it said.
type Inexpressible string

func (e Inexpressible) Error() string { return string(e) }

// Cannot returns an [Inexpressible].
func Cannot(format string, args ...any) error { return Inexpressible(fmt.Sprintf(format, args...)) }

// CannotStep returns the [Inexpressible] for a step of the part with that number,
// from 1, that a platform lacks. why ends the sentence: which Make cannot do.
func CannotStep(number int, p Part, step, why string) error {
	if step == "secret" {
		return Cannot("Part %d of the key (%s) is hidden with secret(…). Only this program can do that, so the platform cannot make the key by itself.", number, p.Dotted())
	}
	return Cannot("Part %d of the key (%s) uses the step %q, %s.", number, p.Dotted(), step, why)
}
