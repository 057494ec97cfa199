package wdl

import (
	"fmt"
	"strings"
)

// leftOver explains text behind the end of an expression.
func leftOver(tok token) error {
	switch tok.kind {
	case ')':
		return &SyntaxError{tok.from, "There is one closing bracket too many."}
	case '@':
		return &SyntaxError{tok.from, "There is a second @. Only the first character of the line is an @."}
	case tokIdent:
		if hint := operatorHint(tok.text); hint != "" {
			return &SyntaxError{tok.from, fmt.Sprintf("The expression ends before %q.%s", tok.text, hint)}
		}
	}
	return &SyntaxError{tok.from, fmt.Sprintf("The expression ends before %q. Nothing may follow it.", tok.text)}
}

// between explains a token where a comma or bracket should stand behind arg.
func between(tok token, arg node) error {
	if l, ok := arg.(literal); ok && tok.kind == tokIdent {
		if _, text := l.value.(string); text && l.to == tok.from {
			return &SyntaxError{tok.from, "The text ended just before this. An apostrophe inside text is written twice: 'O''Brien'."}
		}
	}
	switch tok.kind {
	case '@':
		return &SyntaxError{tok.from, "There is a second @. Only the first character of the line is an @."}
	case tokIdent:
		if hint := operatorHint(tok.text); hint != "" {
			return &SyntaxError{tok.from, fmt.Sprintf("%q does not exist in this language.%s", tok.text, hint)}
		}
	}
	return &SyntaxError{tok.from, fmt.Sprintf("A comma or a closing bracket ) should stand before %q.", tok.text)}
}

// bare explains a word that is neither a value nor a call.
func bare(tok token) error {
	if hint := operatorHint(tok.text); hint != "" {
		return &SyntaxError{tok.from, fmt.Sprintf("%q does not exist in this language.%s", tok.text, hint)}
	}
	return &SyntaxError{tok.from, fmt.Sprintf("%q stands alone. Text is written in apostrophes ('%s'), a function with brackets (%s()).", tok.text, tok.text, tok.text)}
}

// operatorHint says which function does what an operator of another language
// does, or "".
func operatorHint(s string) string {
	switch strings.ToLower(s) {
	case "&&", "&", "and":
		return " Write and(first, second) around both."
	case "||", "|", "or":
		return " Write or(first, second) around both."
	case "==", "=", "eq", "===":
		return " Write equals(first, second)."
	case "!=", "<>", "ne":
		return " Write not(equals(first, second))."
	case ">", "gt":
		return " Write greater(first, second)."
	case ">=", "ge":
		return " Write greaterOrEquals(first, second)."
	case "<", "lt":
		return " Write less(first, second)."
	case "<=", "le":
		return " Write lessOrEquals(first, second)."
	case "+", "-", "*", "/":
		return " Write add, sub, mul or div around both."
	}
	if strings.HasPrefix(s, "!") {
		return " Write not(…) around it."
	}
	return ""
}
