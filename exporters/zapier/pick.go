package zapier

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"dedupedesk/exporters"
)

// A pick is where the value of a part of the key comes from.
type pick struct {
	number  int // of the part, from 1
	part    exporters.Part
	literal string // typed as it is; "" for one that is chosen from a list
	pill    string // what to choose, in words
	input   string // name of its row where code reads it
}

// picks says where each part comes from. It returns an [exporters.Inexpressible] for
// what cannot be chosen in Zapier.
func picks(s exporters.Setup, w wish) ([]pick, error) {
	if beyond(s) {
		return nil, beyondPicks(s, w)
	}
	if len(s.Each) > 0 && !slices.ContainsFunc(s.Parts, func(p exporters.Part) bool { return of(p, "item") }) {
		return nil, exporters.Cannot("The rule goes through a list, but no part of its key is read from an item, so all items would have one key.")
	}
	if len(s.Each) > 0 && w.raw {
		return nil, exporters.Cannot("The rule goes through a list, and a part of its key is a header or one place of a list. For that the webhook has to hand the event on as it was written, and then Zapier has no list to go through.")
	}
	list := make([]pick, len(s.Parts))
	names := headerNames(s)
	for i, p := range s.Parts {
		k := pick{number: i + 1, part: p, input: fmt.Sprintf("part%d", i+1)}
		if w.raw && of(p, "headers") {
			if !handsOn(p.Path) {
				return nil, exporters.Cannot("Part %d of the key (%s) is no header that Zapier can hand on.", i+1, p.Dotted())
			}
			k.input = fmt.Sprintf("header%d", slices.Index(names, strings.ToLower(p.Path[len(p.Path)-1]))+1)
		}
		var err error
		if len(p.Path) == 0 {
			k.literal, err = typed(i, p.Literal)
		} else if !w.raw {
			k.pill, err = pill(i, p, len(s.Each) > 0)
		}
		if err == nil && !w.raw && (w.tables || !w.code) {
			err = formattable(k)
		}
		if err != nil {
			return nil, err
		}
		list[i] = k
	}
	return list, nil
}

func beyondPicks(s exporters.Setup, w wish) error {
	switch {
	case s.Splits || len(s.Each) > 0:
		return exporters.Cannot("The formula of this rule does more than a list of fields can say, and it goes through a list. Zapier would have to send each item as this program cuts it, which it cannot.")
	case w.trigger != triggerWebhook:
		return exporters.Cannot("The formula of this rule does more than a list of fields can say, so the whole event has to be sent. A trigger of an app hands on fields, not the event as it was written. Start the Zap with a webhook.")
	}
	return nil
}

func of(p exporters.Part, root string) bool { return len(p.Path) > 0 && p.Path[0] == root }

// typed is a text that is pasted into a box of Zapier, cleaned as the server does it.
func typed(i int, text string) (string, error) {
	text = strings.Join(strings.Fields(text), " ")
	switch {
	case text == "":
		return "", exporters.Cannot("Part %d of the key is empty.", i+1)
	case strings.Contains(text, "{{") || strings.Contains(text, "}}"):
		return "", exporters.Cannot("Part %d of the key holds double braces, which Zapier takes for a field.", i+1)
	case strings.ContainsFunc(text, unicode.IsControl):
		return "", exporters.Cannot("Part %d of the key holds a control character.", i+1)
	}
	return text, nil
}

// plainName says why the rule's name cannot be pasted, "" where it can.
func plainName(rule string) string {
	switch {
	case strings.Contains(rule, "{{") || strings.Contains(rule, "}}"):
		return "The rule's name holds double braces, which Zapier takes for a field. Rename the rule."
	case rule != strings.TrimSpace(rule) || strings.ContainsFunc(rule, unicode.IsControl):
		return "The rule's name holds a line break, a control character or a space at its ends, which a box of Zapier may lose. Rename the rule."
	}
	return ""
}

// pill says in words which field of the trigger, or of the loop, is meant.
func pill(i int, p exporters.Part, loops bool) (string, error) {
	if slices.ContainsFunc(p.Path, isIndex) {
		return "", exporters.Cannot("Part %d of the key (%s) is one place of a list. Zapier hands a list on as one field with all its values.", i+1, p.Dotted())
	}
	switch p.Path[0] {
	case "headers", "query":
		return "", exporters.Cannot("Part %d of the key (%s) does not come with the fields of this trigger. Start the Zap with a webhook, or use a field of the record.", i+1, p.Dotted())
	case "item":
		if !loops {
			return "", exporters.Cannot("Part %d of the key (%s) is about one element of a list, and this rule goes through none.", i+1, p.Dotted())
		}
		return fmt.Sprintf("part%d of the step Each item", i+1), nil
	case "body":
	default:
		return "", exporters.Cannot("Part %d of the key (%s) is not part of what the Zap receives.", i+1, p.Dotted())
	}
	if len(p.Path) == 1 {
		return "", exporters.Cannot("Part %d of the key is the whole body, not one value.", i+1)
	}
	return fieldName(p.Path[1:]) + " of the trigger", nil
}

// fieldName is a field as Zapier's list shows it: nested names stand side by side.
func fieldName(names []string) string { return quoteName(strings.Join(names, " ")) }

// quoteName puts a name in quotes as it is, for somebody who looks for it in a list.
func quoteName(name string) string { return "\"" + name + "\"" }

// headerName is what HTTP allows in one.
var headerName = regexp.MustCompile("^[A-Za-z0-9!#$%&'*+.^_|~-]+$")

// handsOn tells whether Catch Raw Hook hands on what a rule reads at path.
func handsOn(path []string) bool {
	return path[0] == "headers" && len(path) == 2 && headerName.MatchString(path[1])
}

// headerNames are the headers that the rule reads, those of the key first, each once.
func headerNames(s exporters.Setup) []string {
	var names []string
	add := func(path []string) {
		if len(path) == 2 && path[0] == "headers" && !slices.Contains(names, strings.ToLower(path[1])) {
			names = append(names, strings.ToLower(path[1]))
		}
	}
	for _, p := range s.Parts {
		add(p.Path)
	}
	for _, path := range s.Outside {
		add(path)
	}
	return names
}

// claimPicks are the picks of a call to this program. Where the event is sent whole, all
// that the rule reads has to be sent with it.
func claimPicks(s exporters.Setup, w wish) ([]pick, error) {
	if w.raw {
		if err := s.Unsent(title, handsOn); err != nil {
			return nil, err
		}
	}
	return picks(s, w)
}
