package rules

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
)

// Issue is what is wrong with a rule, to be marked in the editor.
type Issue struct {
	Place  string // key, when, each, fingerprint[0], or the member of the rule
	Line   int    // from 1; 0 if no formula is meant
	Column int    // from 1, in UTF-16 units
	Length int    // of the text meant, in UTF-16 units; at least 1 in a formula
	Msg    string
	Hint   string // such as: Did you mean `body`?

	Instead string // what to write in the place of what is marked; "" if that is not known
}

// mean offers what was most likely meant.
func (i *Issue) mean(instead string) {
	i.Hint, i.Instead = "Did you mean `"+instead+"`?", instead
}

// Mend writes Instead in the place that is marked in text, the formula of the issue. It
// returns text where there is nothing to write.
func (i Issue) Mend(text string) string {
	lines := strings.Split(text, "\n")
	if i.Instead == "" || i.Line < 1 || i.Line > len(lines) {
		return text
	}
	units := utf16.Encode([]rune(lines[i.Line-1]))
	start := min(max(0, i.Column-1), len(units))
	end := min(start+i.Length, len(units))
	lines[i.Line-1] = string(utf16.Decode(units[:start])) + i.Instead + string(utf16.Decode(units[end:]))
	return strings.Join(lines, "\n")
}

// String returns the message and the hint.
func (i Issue) String() string {
	return strings.TrimSpace(i.Msg + " " + i.Hint)
}

// issueAt marks length code points from an offset in code points.
func issueAt(place, text string, offset, length int, format string, args ...any) Issue {
	runes := []rune(text)
	offset = max(0, min(offset, len(runes)))
	end := max(offset, min(offset+length, len(runes)))
	line, start := 1, 0
	for i, r := range runes[:offset] {
		if r == '\n' {
			line, start = line+1, i+1
		}
	}
	return Issue{
		Place: place, Line: line,
		Column: len(utf16.Encode(runes[start:offset])) + 1,
		Length: max(1, len(utf16.Encode(runes[offset:end]))),
		Msg:    fmt.Sprintf(format, args...),
	}
}

// syntaxIssue says in plain words where the parser gave up.
func syntaxIssue(place, text string, e *common.Error) Issue {
	if i, ok := brackets(place, text); ok {
		return i
	}
	if e.Location.Line() < 1 { // the parser reached a bound of its own
		return issueAt(place, text, 0, utf8.RuneCountInString(text), "The formula has too many steps in a row or in one another. Use fewer.")
	}
	offset := offsetOf(text, e.Location.Line(), e.Location.Column())
	word := wordAt(text, offset)
	if word == "" {
		return issueAt(place, text, max(0, offset-1), 1, "The formula ends too early.")
	}
	i := issueAt(place, text, offset, utf8.RuneCountInString(word), "I cannot read the formula from `%s` on.", word)
	first := strings.TrimSpace(string([]rune(text)[:offset])) == ""
	switch strings.ToLower(word) {
	case "=", "@":
		if i.Hint = "Compare with ==."; first || word == "@" {
			i.Hint = "A formula begins without `" + word + "`, such as key(\"stripe\", body.id)."
		}
	case "&", "and":
		i.Hint = "Join conditions with &&, and texts as parts: key(\"a\", body.id)."
	case "|", "or":
		i.Hint = "Join conditions with ||."
	case "not":
		i.Hint = "Write ! for not."
	case "“", "”", "‘", "’", "`":
		i.Hint = "Use straight quotes."
	}
	return i
}

// offsetOf turns a line (from 1) and column (from 0) of the parser into an
// offset; all count code points.
func offsetOf(text string, line, column int) int {
	offset := 0
	for l := 1; l < line; l++ {
		head, rest, ok := strings.Cut(text, "\n")
		if !ok {
			break
		}
		offset += utf8.RuneCountInString(head) + 1
		text = rest
	}
	return offset + max(0, column)
}

// wordAt returns the name, or the one character, at an offset.
func wordAt(text string, offset int) string {
	runes := []rune(text)
	if offset >= len(runes) {
		return ""
	}
	end := offset
	for end < len(runes) && (runes[end] == '_' || runes[end] < 0x80 && isWord(runes[end])) {
		end++
	}
	return string(runes[offset:max(end, offset+1)])
}

// tokenAt is wordAt, and the whole of a text in quotes.
func tokenAt(text string, offset int) string {
	word := wordAt(text, offset)
	if word != `"` && word != "'" {
		return word
	}
	runes := []rune(text)
	if end := quoteEnd(runes, offset); end >= 0 {
		return string(runes[offset : end+1])
	}
	return word
}

func isWord(r rune) bool {
	return r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
}

// brackets finds a bracket or quote without its partner.
func brackets(place, text string) (Issue, bool) {
	runes := []rune(text)
	pairs := map[rune]rune{')': '(', ']': '[', '}': '{'}
	var open []int
	for i := 0; i < len(runes); i++ {
		switch r := runes[i]; r {
		case '(', '[', '{':
			open = append(open, i)
		case ')', ']', '}':
			if len(open) == 0 || runes[open[len(open)-1]] != pairs[r] {
				return issueAt(place, text, i, 1, "This `%c` has no partner before it.", r), true
			}
			open = open[:len(open)-1]
		case '"', '\'':
			end := quoteEnd(runes, i)
			if end < 0 {
				return issueAt(place, text, i, 1, "This text has no closing quote."), true
			}
			i = end
		case '/':
			if i+1 < len(runes) && runes[i+1] == '/' {
				for i < len(runes) && runes[i] != '\n' {
					i++
				}
			}
		}
	}
	if len(open) > 0 {
		i := open[len(open)-1]
		return issueAt(place, text, i, 1, "This `%c` is never closed.", runes[i]), true
	}
	return Issue{}, false
}

// quoteEnd returns where the text that opens at i ends, -1 if it does not.
func quoteEnd(runes []rune, i int) int {
	quote, raw := runes[i], i > 0 && (runes[i-1] == 'r' || runes[i-1] == 'R')
	triple := i+2 < len(runes) && runes[i+1] == quote && runes[i+2] == quote
	if triple {
		i += 2
	}
	for j := i + 1; j < len(runes); j++ {
		switch {
		case runes[j] == '\\' && !raw:
			j++
		case runes[j] == '\n' && !triple:
			return -1
		case runes[j] == quote && !triple:
			return j
		case runes[j] == quote && j+2 < len(runes) && runes[j+1] == quote && runes[j+2] == quote:
			return j + 2
		}
	}
	return -1
}

// deepest is how deep brackets lie in one another, counted before the parser,
// whose time grows with it.
func deepest(text string) (depth, at int) {
	now := 0
	for i, r := range []rune(text) {
		switch r {
		case '(', '[', '{':
			if now++; now > depth {
				depth, at = now, i
			}
		case ')', ']', '}':
			now--
		}
	}
	return depth, at
}

// checkIssues turns what the type checker says into sentences. The place comes
// from the checker, the words from the node it points to: its own are no sentences.
func checkIssues(place, text string, found *cel.Issues, tree *ast.AST) []Issue {
	var out []Issue
	for _, e := range found.Errors() {
		offset := offsetOf(text, e.Location.Line(), e.Location.Column())
		if e.Location.Line() < 1 {
			offset = 0
		}
		msg, hint := checkSentence(text, offset, tree)
		i := issueAt(place, text, offset, utf8.RuneCountInString(tokenAt(text, offset)), "%s", msg)
		i.Hint = hint
		out = append(out, i)
	}
	return out
}

func checkSentence(text string, offset int, tree *ast.AST) (msg, hint string) {
	word := tokenAt(text, offset)
	if name := callAt(tree, offset, false); name != "" {
		return callSentence(name)
	}
	if name := callAt(tree, offset, true); constantSentences[name] != "" {
		return constantSentences[name], ""
	}
	if word == "" {
		return "The formula does not fit together.", ""
	}
	if slices.ContainsFunc(Functions(), func(f Function) bool { return f.Name == word }) {
		hint = "Write " + signatureOf(word) + "."
	}
	return fmt.Sprintf("The formula does not fit together at `%s`.", word), hint
}

// callSentence says of a call that its values do not fit, and what would.
func callSentence(name string) (msg, hint string) {
	const joining = " Parts of a key stand side by side: key(\"a\", body.id)."
	switch name {
	case operators.Conditional:
		return "Both results of `? :` must be of one kind, and what stands before the ? true or false.", ""
	case operators.Index, operators.OptIndex:
		return "`[…]` cannot be used with these values.", "Before it stands a list or a group of fields, inside a place or a name."
	case operators.Add:
		return "`+` cannot be used between these two values.", "It joins two texts, or adds two numbers of one kind." + joining
	case operators.LogicalAnd, operators.LogicalOr, operators.LogicalNot:
		hint = "It stands with conditions alone, such as body.type == \"paid\"."
	case operators.Equals, operators.NotEquals, operators.Less, operators.LessEquals, operators.Greater, operators.GreaterEquals:
		hint = "Both must be of one kind: text and text, or number and number."
	case operators.Subtract, operators.Multiply, operators.Divide, operators.Modulo, operators.Negate:
		hint = "It needs numbers of one kind."
	case operators.In:
		hint = "After it stands a list, or a group of fields."
	}
	if op, ok := operators.FindReverse(name); ok && op != "" {
		return fmt.Sprintf("`%s` cannot be used with these values.", op), hint
	}
	if loops[name] > 0 {
		return fmt.Sprintf("`%s` cannot be used here.", name), fmt.Sprintf("It goes through a list, and at most %d such calls stand in one another.", maxLoopNest)
	}
	return fmt.Sprintf("`%s` cannot be used with these values.", name), "Write " + signatureOf(name) + "."
}

// constantSentences say of the calls whose constant text is read beforehand that it
// cannot be read.
var constantSentences = map[string]string{
	"matches":   "This regular expression cannot be read.",
	"timestamp": "This is no moment such as 2024-01-31T08:00:00Z.",
	"duration":  "This is no length of time such as 90s, 15m or 2h.",
}

// callAt returns the function whose call the parser placed at offset; with inside, the
// one that has an argument there.
func callAt(tree *ast.AST, offset int, inside bool) string {
	name := ""
	here := func(e ast.Expr) bool {
		at, ok := tree.SourceInfo().GetOffsetRange(e.ID())
		return ok && int(at.Start) == offset
	}
	ast.PostOrderVisit(tree.Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		if e.Kind() == ast.CallKind && (!inside && here(e) || inside && slices.ContainsFunc(e.AsCall().Args(), here)) {
			name = e.AsCall().FunctionName()
		}
	}))
	return name
}
