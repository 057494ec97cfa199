package n8n

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"dedupedesk/exporters"
)

// quote writes text as a literal of JavaScript that may stand between n8n's double
// braces: braces and dollars are written by their numbers, so that nobody takes them for
// the end of the expression or for the name of a node.
func quote(text string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // a text always encodes
	return strings.NewReplacer("{", `\u007b`, "}", `\u007d`, "$", `\u0024`).Replace(strings.TrimSuffix(b.String(), "\n"))
}

// A member is a name and an expression for its value.
type member struct{ name, value string }

// object writes an expression that gives the JSON of an object. The spaces keep two
// closing braces apart, which would end it.
func object(members ...member) string {
	var list []string
	for _, m := range members {
		list = append(list, quote(m.name)+": "+m.value)
	}
	return "={{ JSON.stringify({ " + strings.Join(list, ", ") + " }) }}"
}

// read spells a path below something that may lack any part of it.
func read(from string, path []string) string {
	for _, name := range path {
		if n, ok := exporters.Index(name); ok {
			from = "[" + from + "].find(Array.isArray)?.[" + strconv.Itoa(n) + "]" // a text has places too
			continue
		}
		from += "?.[" + quote(name) + "]"
	}
	return from
}

// letters changes the letters of a text one by one, as the rule does; another value, and
// letters whose change is another one in JavaScript, give nothing, so that they are refused.
func letters(value, step string) string {
	text := "[" + value + "].find(v => typeof v === \"string\""
	change := "Array.from(c.toLowerCase())[0]"
	if step == "upper" {
		text += " && !/[\\u1f80-\\u1faf\\u1fb3\\u1fc3\\u1ff3]/.test(v)"
		change = "Array.from(c.toUpperCase()).length === 1 ? c.toUpperCase() : c"
	}
	return "(t => t === undefined ? undefined : Array.from(t, c => " + change + ").join(\"\"))(" + text + "))"
}

// ofText are names that JavaScript reads of a text or a list as well.
func ofText(name string) bool {
	_, err := strconv.Atoi(name)
	return err == nil || name == "length"
}

// refused are names that n8n reads of no object, as of utils.ts of n8n 2.8.4
// (isSafeObjectProperty), read 2026-12-01.
func refused(name string) bool {
	return slices.Contains([]string{
		"__proto__", "prototype", "constructor", "getPrototypeOf", "mainModule", "binding", "_load", "prepareStackTrace",
		"__lookupGetter__", "__lookupSetter__", "__defineGetter__", "__defineSetter__",
	}, name)
}

// plain tells whether n8n can hand the value over that p reads, and this program needs
// no more than it to make the part.
func plain(p exporters.Part) bool {
	return len(p.Path) != 1 && len(p.Steps) == 0 && p.Default == nil && !slices.ContainsFunc(p.Path, refused) && !slices.ContainsFunc(p.Path, ofText)
}

// value writes what part i of a key is, for an item of "What to ask". In a loop an item
// has the members event and item.
func value(i int, p exporters.Part, loop bool) (string, error) {
	if len(p.Path) == 0 {
		return quote(p.Literal), nil
	}
	event := "$json"
	if loop {
		event += ".event"
	}
	var from string
	switch p.Path[0] {
	case "body", "headers", "query":
		from = event + "." + p.Path[0]
	case "item":
		from = "$json.item"
	default:
		return "", exporters.Cannot("Part %d of the key (%s) is not part of what n8n receives.", i+1, p.Dotted())
	}
	if slices.ContainsFunc(p.Path, ofText) {
		return "", exporters.Cannot("Part %d of the key (%s) reads a field whose name n8n takes for the length of a text, or for one of its letters.", i+1, p.Dotted())
	}
	if slices.ContainsFunc(p.Path, refused) {
		return "", exporters.Cannot("Part %d of the key (%s) reads a field whose name n8n refuses.", i+1, p.Dotted())
	}
	text := read(from, p.Path[1:])
	if p.Default != nil {
		return "", exporters.Cannot("Part %d of the key (%s) has a stand-in value, which this workflow cannot send for each item of a list.", i+1, p.Dotted())
	}
	for _, step := range p.Steps {
		switch step {
		case "lower", "upper":
			text = letters(text, step)
		default:
			return "", exporters.CannotStep(i+1, p, step, "which this workflow cannot do for each item of a list")
		}
	}
	return text, nil
}

// ask returns the members that name the event to this program: the parts, or the event
// as a whole where this program has to do more with it.
func ask(s exporters.Setup) ([]member, error) {
	loop := len(s.Each) > 0
	if whole(s) {
		return askEvent(s)
	}
	var values []string
	for i, p := range s.Parts {
		v, err := value(i, p, loop)
		if err != nil {
			return nil, err
		}
		values = append(values, v)
	}
	return []member{{"part", "[" + strings.Join(values, ", ") + "]"}}, nil
}

// whole tells that this program needs the event itself: for its key, or to look at the
// condition.
func whole(s exporters.Setup) bool {
	return !s.Expressible || len(s.Parts) == 0 || len(s.Each) == 0 && (s.When != "" || s.Splits || !allPlain(s.Parts))
}

func allPlain(parts []exporters.Part) bool {
	return !slices.ContainsFunc(parts, func(p exporters.Part) bool { return !plain(p) })
}

// askEvent sends the event as it came, with its headers.
func askEvent(s exporters.Setup) ([]member, error) {
	if s.Splits || len(s.Each) > 0 || slices.ContainsFunc(s.Samples, func(one exporters.Sample) bool { return one.Item != nil }) {
		return nil, exporters.Cannot("The rule makes a key for each item of a list by a formula that does more than a list of fields can say. This workflow cannot go through such a list.")
	}
	return []member{{"event", "$json.body"}, {"headers", "$json.headers ?? { }"}}, nil
}
