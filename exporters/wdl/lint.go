package wdl

import (
	"slices"
	"strings"
)

// lint looks at how a line is written, whatever the data: advice that holds even
// where the sample at hand goes well. said is what was already warned of; failed is
// set for a line that could not be worked out, whose fault says more than advice.
func lint(t template, said []string, failed bool) []string {
	var warnings []string
	add := func(text string) {
		if !slices.Contains(warnings, text) && !slices.Contains(said, text) {
			warnings = append(warnings, text)
		}
	}
	guarded := guards(t)
	t.nodes(func(n node) {
		switch n := n.(type) {
		case access:
			lintAccess(t, n, failed, add)
		case call:
			switch strings.ToLower(n.name) {
			case "equals":
				lintEquals(n, add)
			case "startswith", "endswith":
				if len(n.args) == 2 && !lowered(n.args[0]) {
					add("Whether " + n.name + " looks at capitals is told in two ways. Write toLower(…) on both sides, so that it does not matter.")
				}
			}
			if !failed {
				lintEmpty(t, n, guarded, add)
			}
		}
	})
	return warnings
}

// lintAccess looks at the reading of one member.
func lintAccess(t template, a access, failed bool, add func(string)) {
	if _, root := a.of.(call); !a.safe && !root && !failed {
		add("Without a question mark before it, " + t.text(a.key) + " makes an event fail that does not have it. Write ?[ instead of [.")
	}
	key, _ := a.key.(literal)
	name, _ := key.value.(string)
	switch {
	case strings.Contains(strings.ToLower(name), "oldvalue"):
		add("We know of no event that holds what a column held before. Compare with the last version inside the flow.")
	case strings.EqualFold(name, "emailAddress"), strings.Contains(strings.ToLower(name), "/emailaddress"):
		add("emailAddress is how Microsoft Graph writes a sender. The trigger for new mail (V3) has from as text.")
	}
}

// needsValue are functions that fail on null, with what to put in its place.
var needsValue = map[string]string{
	"tolower": "''", "toupper": "''", "trim": "''", "startswith": "''", "endswith": "''", "indexof": "''", "lastindexof": "''", "nthindexof": "''",
	"contains": "''", "length": "''", "substring": "''", "slice": "''", "split": "''", "replace": "''", "first": "''", "last": "''",
	"int": "0", "float": "0", "greater": "0", "greaterorequals": "0", "less": "0", "lessorequals": "0", "add": "0", "sub": "0", "mul": "0", "div": "0", "mod": "0",
}

// lintEmpty finds a field that is handed bare to a function that fails on null.
func lintEmpty(t template, c call, guarded []string, add func(string)) {
	instead, ok := needsValue[strings.ToLower(c.name)]
	if !ok {
		return
	}
	for _, arg := range c.args {
		if a, bare := arg.(access); bare && a.safe && !slices.Contains(guarded, t.text(a)) {
			add("Where " + t.text(a) + " is empty (null), " + c.name + " fails and the flow does not start. Write coalesce(…," + instead + ") around it.")
		}
	}
}

// guards lists the parts of a line that it asks about being empty.
func guards(t template) []string {
	var list []string
	t.nodes(func(n node) {
		c, ok := n.(call)
		if !ok {
			return
		}
		null := strings.EqualFold(c.name, "empty")
		for _, arg := range c.args {
			l, ok := arg.(literal)
			null = null || strings.EqualFold(c.name, "equals") && ok && l.value == nil
		}
		if null {
			for _, arg := range c.args {
				list = append(list, t.text(arg))
			}
		}
	})
	return list
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
