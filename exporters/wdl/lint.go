package wdl

import (
	"slices"
	"strings"
)

// lint looks at how a line is written, whatever the data: advice that holds even
// where the sample at hand goes well. said is what was already warned of.
func lint(t template, said []string) []string {
	var warnings []string
	add := func(text string) {
		if !slices.Contains(warnings, text) && !slices.Contains(said, text) {
			warnings = append(warnings, text)
		}
	}
	t.nodes(func(n node) {
		c, ok := n.(call)
		if !ok {
			return
		}
		switch strings.ToLower(c.name) {
		case "equals":
			lintEquals(c, add)
		case "startswith", "endswith":
			if len(c.args) == 2 && !lowered(c.args[0]) {
				add("Whether " + c.name + " looks at capitals is told in two ways. Write toLower(…) on both sides, so that it does not matter.")
			}
		}
	})
	return warnings
}

func lintEquals(c call, add func(string)) {
	if len(c.args) != 2 {
		return
	}
	for i, side := range c.args {
		other := c.args[1-i]
		l, ok := side.(literal)
		if !ok {
			continue
		}
		if _, both := other.(literal); both {
			continue
		}
		switch v := l.value.(type) {
		case bool:
			if !v {
				add("A Yes/No column that was never set is empty (null), not false. Write not(equals(…,true)).")
			}
		case string:
			lintText(v, other, add)
		}
	}
}

func lintText(text string, other node, add func(string)) {
	switch {
	case text == "":
		if coalesced(other) {
			return
		}
		add("A column without a value is empty (null), and null is not the empty text ''. Write empty(…).")
	case strings.Contains(text, "@") && !lowered(other):
		add("Capitals in an e-mail address differ from one place to another, and equals looks at them. Write toLower(coalesce(…,'')) and the address in small letters.")
	case lowered(other) && text != strings.ToLower(text):
		add("The other side is in small letters, but " + Quote(text) + " has capitals: this is never equal.")
	}
}

// coalesced reports whether n gives something else for null.
func coalesced(n node) bool {
	c, ok := n.(call)
	return ok && strings.EqualFold(c.name, "coalesce")
}

// lowered reports whether n gives small letters.
func lowered(n node) bool {
	c, ok := n.(call)
	if !ok {
		return false
	}
	switch strings.ToLower(c.name) {
	case "tolower":
		return true
	case "trim":
		return len(c.args) == 1 && lowered(c.args[0])
	}
	return false
}
