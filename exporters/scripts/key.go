package scripts

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"dedupedesk/exporters"
)

// A tongue is how a language that makes the key itself writes a part.
type tongue struct {
	name    string // Apps Script cannot …
	literal func(text string) (string, error)
	part    func(root string, path []string, number int, step string, other *string) (string, error)
	roots   map[string]string // of an event: why it has it not, "" where it has
}

// keyParts writes the parts of s's key, of which a rule that ignores capitals makes small
// letters when they are joined. It returns an [exporters.Inexpressible] for what
// the language cannot say.
func keyParts(s exporters.Setup, in tongue) ([]string, error) {
	if !s.Expressible || len(s.Parts) == 0 {
		return nil, exporters.Cannot("The formula of this rule does more than a list of fields can say, so %s cannot make its key. Only this program can.", in.name)
	}
	var texts []string
	for i, p := range s.Parts {
		text, err := onePart(i+1, p, in)
		if err != nil {
			return nil, err
		}
		texts = append(texts, text)
	}
	return texts, nil
}

func onePart(number int, p exporters.Part, in tongue) (string, error) {
	if len(p.Path) == 0 {
		return in.literal(p.Literal)
	}
	why, known := in.roots[p.Path[0]]
	if !known {
		why = "there is no such thing in an event."
	}
	if why != "" {
		return "", exporters.Cannot("Part %d of the key (%s) cannot be read: %s", number, p.Dotted(), why)
	}
	if len(p.Path) == 1 {
		return "", exporters.Cannot("Part %d of the key is the whole %s, not one value.", number, p.Path[0])
	}
	step := ""
	for i, one := range p.Steps {
		last := i == len(p.Steps)-1
		switch {
		case one != "lower" && one != "upper":
			return "", exporters.CannotStep(number, p, one, "which "+in.name+" cannot do as the rule does")
		case last:
			step = one // the last of several decides
		}
	}
	return in.part(p.Path[0], p.Path[1:], number, step, p.Default)
}

// appsScript reads the event that a web app or a trigger hands over.
func appsScript() tongue {
	return tongue{
		name:    "Apps Script",
		literal: func(text string) (string, error) { return "part(" + jsonText(text) + ", 0)", nil },
		part: func(root string, path []string, number int, step string, other *string) (string, error) {
			call := "part(read(" + list(append([]string{root}, path...)) + ", from), " + strconv.Itoa(number)
			switch {
			case other != nil:
				call += ", " + jsonText(step) + ", " + jsonText(*other)
			case step != "":
				call += ", " + jsonText(step)
			}
			return call + ")", nil
		},
		roots: map[string]string{
			"body": "", "item": "",
			"headers": "a web app of Apps Script is not told the headers of a call. Use a field of the body.",
			"query":   "this file hands over the body of a call alone. Use a field of the body.",
		},
	}
}

// postgres reads the event as jsonb.
func postgres() tongue {
	quoted := func(text string) (string, error) {
		literal, err := sql(text)
		return "to_jsonb(" + literal + "::text)", err
	}
	return tongue{
		name: "PostgreSQL",
		literal: func(text string) (string, error) {
			literal, err := quoted(text)
			return "dedupe.part(" + literal + ", 0)", err
		},
		part: func(root string, path []string, number int, step string, other *string) (string, error) {
			names, err := sqlPath(path)
			if err != nil {
				return "", err
			}
			value := root + " #> " + names
			if other != nil {
				literal, err := sql(*other)
				if err != nil {
					return "", err
				}
				value = "dedupe.either(" + value + ", " + literal + ")"
			}
			call := "dedupe.part(" + value + ", " + strconv.Itoa(number)
			if step != "" {
				call += ", '" + step + "'"
			}
			return call + ")", nil
		},
		roots: map[string]string{"body": "", "headers": "", "item": "", "query": "it is no part of the event that the function is given. Use a field of the body."},
	}
}

// functionName names the key's function after the rule. A rule whose name does not fit
// gets some letters more, so that two rules never share one.
func functionName(rule string) string {
	plain := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '_' {
			return r
		}
		return '_'
	}, rule)
	if plain == rule && len(plain) <= 40 {
		return "key_of_" + plain
	}
	sum := sha256.Sum256([]byte(rule))
	return "key_of_" + plain[:min(len(plain), 40)] + "_" + hex.EncodeToString(sum[:3])
}
