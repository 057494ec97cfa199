package makecom

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

func (s *sim) formula(text string, seen map[int]any) any {
	p := &imlParser{s: s, text: text, seen: seen}
	v := p.expression()
	if strings.TrimSpace(p.text) != "" {
		s.t.Fatalf("formula %q: cannot read %q", text, p.text)
	}
	return v
}

// imlParser reads the part of Make's formula language that is written here.
type imlParser struct {
	s    *sim
	text string
	seen map[int]any
}

var (
	imlString = regexp.MustCompile(`^"([^"]*)"`)
	imlNumber = regexp.MustCompile(`^-?[0-9]+`)
	imlName   = regexp.MustCompile("^(?:[A-Za-z_][A-Za-z0-9_]*|`[^`]*`)")
)

func (p *imlParser) skip(r *regexp.Regexp) (string, bool) {
	p.text = strings.TrimLeft(p.text, " ")
	hit := r.FindString(p.text)
	p.text = p.text[len(hit):]
	return hit, hit != ""
}

func (p *imlParser) is(sign string) bool {
	rest, ok := strings.CutPrefix(strings.TrimLeft(p.text, " "), sign)
	if ok {
		p.text = rest
	}
	return ok
}

func (p *imlParser) expression() any {
	v := p.operand()
	if p.is("=") {
		return asText(v) == asText(p.operand())
	}
	return v
}

func (p *imlParser) operand() any {
	if hit, ok := p.skip(imlString); ok {
		return hit[1 : len(hit)-1]
	}
	if hit, ok := p.skip(imlNumber); ok {
		n, _ := strconv.Atoi(hit)
		if strings.HasPrefix(p.text, ".") || strings.HasPrefix(p.text, "[") {
			return p.path(p.seen[n])
		}
		return n
	}
	name, _ := p.skip(imlName)
	if !p.is("(") {
		return map[string]any{"executionId": p.s.run, "now": simNow.Format(time.RFC3339)}[name]
	}
	var args []any
	for !p.is(")") {
		args = append(args, p.expression())
		p.is(";")
		if p.text == "" {
			p.s.t.Fatalf("%s( is not closed", name)
		}
	}
	return p.function(name, args)
}

func (p *imlParser) path(at any) any {
	for {
		switch {
		case p.is("."):
			name, _ := p.skip(imlName)
			here, _ := at.(map[string]any)
			at = here[strings.Trim(name, "`")]
		case p.is("["):
			n, _ := p.skip(imlNumber)
			p.is("]")
			i, _ := strconv.Atoi(n)
			list, _ := at.([]any)
			at = nil
			if i >= 1 && i <= len(list) {
				at = list[i-1]
			}
		default:
			return at
		}
	}
}

func (p *imlParser) function(name string, args []any) any {
	text := func(i int) string { return asText(args[i]) }
	switch name {
	case "addMinutes", "addDays":
		n, _ := args[1].(int)
		unit := map[string]time.Duration{"addMinutes": time.Minute, "addDays": 24 * time.Hour}[name]
		return simNow.Add(time.Duration(n) * unit).Format(time.RFC3339)
	case "trim":
		return strings.TrimSpace(text(0))
	case "lower":
		return strings.ToLower(text(0))
	case "upper":
		return strings.ToUpper(text(0))
	case "replace":
		if text(1) != `/\s+/g` {
			p.s.t.Fatalf("the sim knows no pattern %s", text(1))
		}
		return regexp.MustCompile(`[\s\p{Z}\x{85}\v]+`).ReplaceAllString(text(0), text(2))
	case "split":
		return strings.Split(text(0), text(1))
	case "join":
		return strings.Join(args[0].([]string), text(1))
	case "ifempty":
		if text(0) != "" {
			return args[0]
		}
		return args[1]
	case "if":
		if args[0] == true {
			return args[1]
		}
		return args[2]
	case "map":
		var found []any
		list, _ := args[0].([]any)
		for _, item := range list {
			if m, ok := item.(map[string]any); ok && asText(m[text(2)]) == text(3) {
				found = append(found, m[text(1)])
			}
		}
		return found
	case "get":
		list, _ := args[0].([]any)
		if n, _ := args[1].(int); n >= 1 && n <= len(list) {
			return list[n-1]
		}
		return nil
	}
	p.s.t.Fatalf("the sim knows no function %s", name)
	return nil
}
