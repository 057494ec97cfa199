package makecom

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"dedupedesk/exporters"
)

// A reader knows where the parts of a key are found in a scenario.
type reader struct {
	arrival string // under which name the webhook hands the fields on
	poll    bool   // the fields come from a module that the person maps
	loops   bool   // there are items
}

// mapped writes each part of the key as the value of a form field. The server
// trims, escapes and joins them, and refuses an empty one.
func (r reader) mapped(parts []exporters.Part) ([]string, error) {
	values := make([]string, len(parts))
	for i, p := range parts {
		v, err := r.mapPart(i, p)
		if err != nil {
			return nil, err
		}
		values[i] = v
	}
	return values, nil
}

func (r reader) mapPart(i int, p exporters.Part) (string, error) {
	if len(p.Path) == 0 {
		return literal(i, p.Literal)
	}
	read, err := r.expression(i, p)
	if err != nil {
		return "", err
	}
	return "{{" + read + "}}", nil
}

// fields are what a trigger of the person's own has to be mapped to: one name for each
// part that is no item's.
func (r reader) fields(parts []exporters.Part) []pair {
	list := []pair{}
	for i, p := range parts {
		if len(p.Path) > 0 && p.Path[0] == "body" {
			list = append(list, pair{fieldName(i), "{{1." + fieldName(i) + "}}"})
		}
	}
	return list
}

func fieldName(i int) string { return "part" + strconv.Itoa(i+1) }

func literal(i int, text string) (string, error) {
	if doubleBraces(text) {
		return "", exporters.Cannot("Part %d of the key holds double braces, which Make takes for a field.", i+1)
	}
	return text, nil
}

func doubleBraces(text string) bool {
	return strings.Contains(text, "{{") || strings.Contains(text, "}}")
}

// expression reads a part with its stand-in and steps, without the braces around.
func (r reader) expression(i int, p exporters.Part) (string, error) {
	read, err := r.reading(i, p)
	if err != nil {
		return "", err
	}
	if p.Default != nil {
		if strings.ContainsAny(*p.Default, "\"{}\\") || strings.ContainsFunc(*p.Default, unicode.IsControl) {
			return "", exporters.Cannot("The stand-in value of part %d holds quotes, braces or line breaks, which Make cannot take.", i+1)
		}
		read = "ifempty(trim(" + read + `); "` + *p.Default + `")` // blank text is none, as in the rule
	}
	for _, step := range p.Steps {
		switch step {
		case "lower", "upper":
			read = step + "(" + read + ")"
		default:
			return "", exporters.CannotStep(i+1, p, step, "which Make cannot do")
		}
	}
	return read, nil
}

// headerName is what HTTP allows in one.
var headerName = regexp.MustCompile("^[A-Za-z0-9!#$%&'*+.^_|~-]+$")

func (r reader) reading(i int, p exporters.Part) (string, error) {
	path := p.Path
	switch path[0] {
	case "body":
		if len(path) == 1 {
			return "", exporters.Cannot("Part %d of the key is the whole body, not one value.", i+1)
		}
		if r.poll {
			return strconv.Itoa(fieldsID) + "." + fieldName(i), nil
		}
		return fieldPath(i, r.root(), path[1:])
	case "headers":
		if r.poll {
			return "", exporters.Cannot("Part %d of the key (%s) is a header. A trigger that looks by itself has none; use a field of the record.", i+1, p.Dotted())
		}
		if len(path) != 2 || !headerName.MatchString(path[1]) {
			return "", exporters.Cannot("Part %d of the key (%s) is no header that Make can read.", i+1, p.Dotted())
		}
		return `get(map(1.` + "`__IMTHEADERS__`" + `; "value"; "name"; "` + strings.ToLower(path[1]) + `"); 1)`, nil
	case "item":
		if !r.loops {
			return "", exporters.Cannot("Part %d of the key (%s) is about one element of a list, and this rule goes through none.", i+1, p.Dotted())
		}
		if len(path) == 1 {
			return "", exporters.Cannot("Part %d of the key is the whole item. How Make hands on an item that is one value is not confirmed, so this cannot be written for it.", i+1)
		}
		return fieldPath(i, strconv.Itoa(feederID), path[1:])
	}
	return "", exporters.Cannot("Part %d of the key (%s) is not part of what the scenario receives.", i+1, p.Dotted())
}

// root is where the fields of the webhook stand.
func (r reader) root() string {
	if r.arrival == top {
		return strconv.Itoa(triggerID)
	}
	return strconv.Itoa(triggerID) + "." + r.arrival
}

// list spells the list whose items get a key each.
func (r reader) list(path []string) (string, error) {
	switch {
	case r.poll:
		return "{{1.list}}", nil
	case len(path) < 2 || path[0] != "body":
		return "", exporters.Cannot("The list %s is not a field of what the scenario receives, so Make cannot go through it.", strings.Join(path, "."))
	}
	read, err := fieldPath(-1, r.root(), path[1:])
	if err != nil {
		return "", err
	}
	return "{{" + read + "}}", nil
}

// plainName needs no back ticks in Make.
var plainName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// fieldPath spells a field below read. Lists count from 1 in Make.
func fieldPath(i int, read string, names []string) (string, error) {
	for _, name := range names {
		if n, ok := exporters.Index(name); ok {
			read += "[" + strconv.Itoa(n+1) + "]"
			continue
		}
		switch {
		case plainName.MatchString(name):
			read += "." + name
		case name == "" || strings.ContainsAny(name, "`{}") || strings.ContainsFunc(name, unicode.IsControl):
			if i < 0 {
				return "", exporters.Cannot("The list of the items uses the field %q, whose name Make cannot spell.", name)
			}
			return "", exporters.Cannot("Part %d of the key uses the field %q, whose name Make cannot spell.", i+1, name)
		default:
			read += ".`" + name + "`"
		}
	}
	return read, nil
}

// needsHeaders reports whether the webhook has to hand on request headers.
func needsHeaders(parts []exporters.Part) bool {
	for _, p := range parts {
		if len(p.Path) > 0 && p.Path[0] == "headers" {
			return true
		}
	}
	return false
}
