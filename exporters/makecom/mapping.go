package makecom

import (
	"regexp"
	"strconv"
	"strings"

	"dedupedesk/exporters"
)

// mapped writes each part of the key as the value of a form field. The server
// trims, escapes and joins them, and refuses an empty one.
func mapped(parts []exporters.Part, arrival string) ([]string, error) {
	values := make([]string, len(parts))
	for i, p := range parts {
		v, err := mapPart(i, p, arrival)
		if err != nil {
			return nil, err
		}
		values[i] = v
	}
	return values, nil
}

func mapPart(i int, p exporters.Part, arrival string) (string, error) {
	if len(p.Path) == 0 {
		if strings.Contains(p.Literal, "{{") || strings.Contains(p.Literal, "}}") {
			return "", exporters.Cannot("Part %d of the key holds double braces, which Make takes for a field.", i+1)
		}
		return p.Literal, nil
	}
	read, err := reading(i, p, arrival)
	if err != nil {
		return "", err
	}
	if p.Default != nil {
		if strings.ContainsAny(*p.Default, "\"{}\\") {
			return "", exporters.Cannot("The stand-in value of part %d holds quotes or braces, which Make cannot take.", i+1)
		}
		read = "ifempty(" + read + `; "` + *p.Default + `")`
	}
	for _, step := range p.Steps {
		switch step {
		case "lower", "upper":
			read = step + "(" + read + ")"
		default:
			return "", exporters.CannotStep(i+1, p, step, "which Make cannot do before it sends the part")
		}
	}
	return "{{" + read + "}}", nil
}

// headerName is what HTTP allows in one.
var headerName = regexp.MustCompile("^[A-Za-z0-9!#$%&'*+.^_|~-]+$")

func reading(i int, p exporters.Part, arrival string) (string, error) {
	path := p.Path
	switch path[0] {
	case "body":
		if len(path) == 1 {
			return "", exporters.Cannot("Part %d of the key is the whole body, not one value.", i+1)
		}
		return fieldPath(i, path[1:], arrival)
	case "headers":
		if len(path) != 2 || !headerName.MatchString(path[1]) {
			return "", exporters.Cannot("Part %d of the key (%s) is no header that Make can read.", i+1, p.Dotted())
		}
		return `get(map(1.` + "`__IMTHEADERS__`" + `; "value"; "name"; "` + strings.ToLower(path[1]) + `"); 1)`, nil
	case "item":
		return "", exporters.Cannot("Part %d of the key (%s) is about one element of a list. This blueprint has no loop yet.", i+1, p.Dotted())
	}
	return "", exporters.Cannot("Part %d of the key (%s) is not part of what the webhook receives.", i+1, p.Dotted())
}

// plainName needs no back ticks in Make.
var plainName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// fieldPath spells a field of the webhook's bundle. Lists count from 1 in Make.
func fieldPath(i int, names []string, arrival string) (string, error) {
	read := "1"
	if arrival != top {
		read += "." + arrival
	}
	for _, name := range names {
		if n, ok := exporters.Index(name); ok {
			read += "[" + strconv.Itoa(n+1) + "]"
			continue
		}
		switch {
		case plainName.MatchString(name):
			read += "." + name
		case name == "" || strings.ContainsAny(name, "`{}"):
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
