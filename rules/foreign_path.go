package rules

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// This file knows how other tools write a field: triggerBody()?['id'], {{1.id}},
// {{ $json.body.id }}. As a formula they cannot be read, and inside a text they would be
// one key for all events.

var (
	// wrappedPath is {{…}} and @{…}; nakedPath is what stands without braces.
	wrappedPath = regexp.MustCompile(`=?\{\{([^{}]*)\}\}|@\{([^{}]*)\}`)
	nakedPath   = regexp.MustCompile(automatePath + `|\$(?:json|input|node|\('[^']*'\)|\("[^"]*"\))(?:` + dotted + `)*`)

	wholeAutomate = regexp.MustCompile(`^@?` + automatePath + `$`)
	automateStep  = regexp.MustCompile(`\[(?:'([^']*)'|([0-9]+))\]`)
	itemNode      = regexp.MustCompile(`^\$(?:json|input\.(?:item|first\(\)|last\(\))\.json|(?:\('[^']*'\)|\("[^"]*"\))\.(?:item|first\(\)|last\(\))\.json|node\[[^\]]*\]\.json)`)
	makePath      = regexp.MustCompile(`^[0-9]+\.(.+)$`)
	zapierPath    = regexp.MustCompile(`^[0-9]+__(.+)$`)
	dottedStep    = regexp.MustCompile("^\\??\\.?(?:`([^`]*)`|([A-Za-z_][A-Za-z0-9_-]*)|\\[[\"']([^\"'\\]]*)[\"']\\]|(\\[[0-9]*\\]))")
)

const (
	automatePath = `(?:triggerBody\(\)|triggerOutputs\(\)|trigger\(\)|item\(\)|(?:body|outputs|items|variables|parameters)\('[^']*'\))(?:\??\[(?:'[^']*'|[0-9]+)\])*`
	dotted       = `\??\.[A-Za-z_][A-Za-z0-9_]*(?:\(\))?|\[[^\]]*\]`
)

// foreignPaths marks fields that are written as another tool writes them.
func foreignPaths(place, text string) []Issue {
	if !strings.ContainsAny(text, "{$@'") {
		return nil
	}
	var out []Issue
	quoted, end := quotedSpans(text), 0
	for end < len(text) {
		at, inside := nextForeign(text, end, quoted)
		if at == nil {
			break
		}
		out = append(out, foreignIssue(place, text, at, inside, quoted))
		end = at[1]
	}
	return out
}

// nextForeign finds the next foreign path from a byte on, and what stands between its
// braces. Without braces it counts outside of quotes alone.
func nextForeign(text string, from int, quoted [][2]int) (at []int, inside string) {
	if m := wrappedPath.FindStringSubmatchIndex(text[from:]); m != nil {
		inner := m[2:4]
		if inner[0] < 0 {
			inner = m[4:6]
		}
		at, inside = []int{from + m[0], from + m[1]}, text[from+inner[0]:from+inner[1]]
	}
	for _, m := range nakedPath.FindAllStringIndex(text[from:], -1) {
		m[0], m[1] = m[0]+from, m[1]+from
		if at != nil && m[0] >= at[0] {
			break
		}
		if span(quoted, m[0]) != nil {
			continue
		}
		inside = text[m[0]:m[1]]
		if m[0] > 0 && text[m[0]-1] == '@' {
			m[0]--
		}
		return m, inside
	}
	return at, inside
}

func foreignIssue(place, text string, at []int, inside string, quoted [][2]int) Issue {
	tool, path := foreignPath(strings.TrimSpace(inside))
	from, to := at[0], at[1]
	around := span(quoted, from)
	whole := around != nil && around[0] == from-1 && around[1] == to
	if whole {
		from, to = around[0], around[1]+1
	}
	before := utf8.RuneCountInString(text[:from])
	i := issueAt(place, text, before, utf8.RuneCountInString(text[from:to]), "That is %s way to write it.", tool)
	switch {
	case path == nil:
		i.Hint = "Here a field is written with dots, such as body.order.id."
	case around != nil && !whole:
		i.Hint = "Here a text in quotes is taken as it stands. Write `" + pathText(path) + "` without quotes, as a part of its own."
	default:
		i.Instead = pathText(path)
		i.Hint = "Here it is `" + i.Instead + "`."
	}
	return i
}

// foreignPath says whose path it is, and which field of the event; nil where that cannot
// be told.
func foreignPath(text string) (tool string, path []string) {
	switch {
	case strings.HasPrefix(text, "$"):
		head := itemNode.FindString(text)
		if head == "" {
			return "n8n's", nil
		}
		return "n8n's", rooted(dottedSteps(text[len(head):]))
	case nakedPath.MatchString(text):
		if !wholeAutomate.MatchString(text) {
			return "Power Automate's", nil
		}
		return "Power Automate's", automateSteps(text)
	}
	if m := makePath.FindStringSubmatch(text); m != nil {
		path = rooted(dottedSteps(m[1]))
		for i, s := range path {
			switch n, err := strconv.Atoi(strings.Trim(s, "[]")); {
			case s == "[]":
				path[i] = "[0]"
			case isIndex(s) && err == nil:
				path[i] = "[" + strconv.Itoa(max(0, n-1)) + "]" // Make counts from 1
			}
		}
		return "Make's", path
	}
	if m := zapierPath.FindStringSubmatch(text); m != nil {
		return "Zapier's", rooted(strings.Split(m[1], "__"))
	}
	if rest, ok := strings.CutPrefix(strings.TrimPrefix(text, "bundle."), "inputData"); ok {
		return "Zapier's", rooted(dottedSteps(rest))
	}
	steps := dottedSteps(text)
	for len(steps) > 1 && slices.Contains([]string{"steps", "trigger", "event"}, steps[0]) {
		steps = steps[1:]
	}
	return "another tool's", rooted(steps)
}

// rooted puts steps below body, headers or query. n8n shows these three beside one
// another.
func rooted(steps []string) []string {
	switch {
	case len(steps) == 0:
		return nil
	case len(steps) > 1 && (steps[0] == "body" || steps[0] == "query"):
		return steps
	case len(steps) > 1 && steps[0] == "headers":
		return []string{"headers", strings.ToLower(steps[1])}
	}
	return append([]string{"body"}, steps...)
}

// dottedSteps reads .order["no"].`a b`[0]; nil for what is more than steps.
func dottedSteps(text string) []string {
	var out []string
	for text != "" {
		m := dottedStep.FindStringSubmatch(text)
		if m == nil {
			return nil
		}
		out = append(out, m[1]+m[2]+m[3]+m[4])
		text = text[len(m[0]):]
	}
	return out
}

// automateSteps reads triggerOutputs()?['body/id'], nil for a variable.
func automateSteps(text string) []string {
	text = strings.TrimPrefix(text, "@")
	call, _, _ := strings.Cut(text, "(")
	var steps []string
	for _, m := range automateStep.FindAllStringSubmatch(text[strings.Index(text, ")"):], -1) {
		switch {
		case m[2] != "":
			steps = append(steps, "["+m[2]+"]")
		case call == "triggerOutputs" || call == "outputs" || call == "trigger":
			steps = append(steps, strings.Split(m[1], "/")...)
		default:
			steps = append(steps, m[1])
		}
	}
	switch {
	case call == "triggerBody" || call == "body":
		return append([]string{"body"}, steps...)
	case call == "item" || call == "items":
		return append([]string{"item"}, steps...)
	case call == "variables" || call == "parameters":
		return nil
	}
	if len(steps) > 1 && steps[0] == "outputs" {
		steps = steps[1:]
	}
	if len(steps) > 0 && steps[0] == "queries" {
		steps[0] = "query"
	}
	if len(steps) < 2 || !roots[steps[0]] {
		return nil
	}
	return rooted(steps)
}

// quotedSpans lists where texts in quotes begin and end, in bytes.
func quotedSpans(text string) [][2]int {
	var out [][2]int
	runes := []rune(text)
	at := func(n int) int { return len(string(runes[:n])) }
	for i := 0; i < len(runes); i++ {
		if runes[i] != '"' && runes[i] != '\'' {
			continue
		}
		end := quoteEnd(runes, i)
		if end < 0 {
			break
		}
		out = append(out, [2]int{at(i), at(end)})
		i = end
	}
	return out
}

// span is the text in quotes around a place, nil for none.
func span(quoted [][2]int, at int) *[2]int {
	for i := range quoted {
		if quoted[i][0] < at && at < quoted[i][1] {
			return &quoted[i]
		}
	}
	return nil
}
