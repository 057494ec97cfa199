package powerautomate

import (
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"

	"dedupedesk/exporters"
	"dedupedesk/exporters/wdl"
)

// keyExpression writes the parts as one expression that gives the rule's key. It
// returns an [exporters.Inexpressible] for what the language cannot say.
//
// Text inside a part is trimmed and escaped as the rule does it. An empty part, a list
// and a group of fields make the expression fail, which stops the run: such a key would
// be the same for many events. Text in square or curly brackets cannot be told from them
// and fails as well. The expression cannot fold white space inside a
// value or join accents, so its result has to be compared with the rule's.
//
// item is the expression for the item that Apply to each is at.
func keyExpression(parts []exporters.Part, item string) (string, error) {
	var pieces []string
	literal := ""
	flush := func() {
		if literal != "" {
			pieces = append(pieces, wdl.Quote(literal))
			literal = ""
		}
	}
	for i, p := range parts {
		if i > 0 {
			literal += ":"
		}
		if len(p.Path) == 0 {
			text := escape(clean(p.Literal))
			if text == "" {
				return "", exporters.Cannot("Part %d of the key is empty.", i+1)
			}
			literal += text
			continue
		}
		flush()
		piece, err := pathPiece(i, p, item)
		if err != nil {
			return "", err
		}
		pieces = append(pieces, piece)
	}
	flush()
	switch len(pieces) {
	case 0:
		return "", exporters.Cannot("The key has no parts.")
	case 1:
		return pieces[0], nil
	}
	return "concat(" + strings.Join(pieces, ",") + ")", nil
}

// clean does to a literal what the rule's key does to text.
func clean(s string) string { return norm.NFC.String(strings.Join(strings.Fields(s), " ")) }

func escape(s string) string { return strings.NewReplacer("%", "%25", ":", "%3A").Replace(s) }

// bracketed reports text that the expression cannot tell from a list or a group.
func bracketed(s string) bool {
	s = strings.TrimSpace(s)
	return strings.HasPrefix(s, "[") && strings.HasSuffix(s, "]") || strings.HasPrefix(s, "{") && strings.HasSuffix(s, "}")
}

func pathPiece(i int, p exporters.Part, item string) (string, error) {
	if p.Default != nil && bracketed(*p.Default) {
		return "", exporters.Cannot("The stand-in of part %d (%s) stands in brackets, and Power Automate cannot tell it from a list. Choose another one in the rule.", i+1, p.Dotted())
	}
	text, err := valueText(i, p, item)
	if err != nil {
		return "", err
	}
	text = "trim(" + text + ")"
	escaped := "replace(replace(" + text + ",'%','%25'),':','%3A')"
	// The number is read even where a function looks at all of its arguments, so a bad
	// part fails in either way of working out "if". A list and a group have a text too,
	// which begins and ends with brackets; [] would be the same for many events.
	bad := "or(empty(" + text + "),contains(createArray('[]','{}'),concat(first(" + text + "),last(" + text + "))))"
	guard := "int(if(" + bad + ",'part " + strconv.Itoa(i+1) + " is no single value','0'))"
	return "substring(" + escaped + "," + guard + ")", nil
}

// valueText writes the part's value as text, with the rule's steps.
func valueText(i int, p exporters.Part, item string) (string, error) {
	read, err := value(i, p, item)
	if err != nil {
		return "", err
	}
	text := "string(" + read + ")"
	for _, step := range p.Steps {
		switch step {
		case "lower":
			text = "toLower(" + text + ")"
		case "upper":
			text = "toUpper(" + text + ")"
		default:
			return "", exporters.CannotStep(i+1, p, step, "which this language cannot do")
		}
	}
	return text, nil
}

// value reads the part's value as it came, or what stands in for one that is missing,
// null or blank.
func value(i int, p exporters.Part, item string) (string, error) {
	read, err := reading(i, p, item)
	if err == nil && p.Default != nil {
		read = "if(empty(trim(string(" + read + ")))," + wdl.Quote(*p.Default) + "," + read + ")"
	}
	return read, err
}

// reading spells the path to the part's value.
func reading(i int, p exporters.Part, item string) (string, error) {
	root, rest := p.Path[0], p.Path[1:]
	var at string
	switch root {
	case "body":
		at = "triggerBody()"
	case "headers":
		at = "triggerOutputs()?['headers']"
	case "query":
		at = "triggerOutputs()?['queries']"
	case "item":
		at = item
	default:
		return "", exporters.Cannot("Part %d of the key (%s) is not part of the trigger outputs.", i+1, p.Dotted())
	}
	if len(rest) == 0 && root != "item" {
		return "", exporters.Cannot("Part %d of the key is the whole %s, not one value.", i+1, root)
	}
	return at + below(rest), nil
}

// below spells the steps of a path into an object or a list.
func below(path []string) string {
	at := ""
	for _, name := range path {
		if n, ok := exporters.Index(name); ok {
			at += "?[" + strconv.Itoa(n) + "]"
			continue
		}
		at += "?[" + wdl.Quote(name) + "]"
	}
	return at
}
