package wdl

import (
	"fmt"
	"strings"
	"unicode"
)

// Kinds of token. A punctuation mark is its own kind.
const (
	tokEnd   = 'E'
	tokIdent = 'I'
	tokText  = 'T'
)

type token struct {
	kind rune
	text string // of an identifier, or the unescaped content of a text
	from int
	to   int
}

// scanner splits source into tokens. It starts and stops where it is told.
type scanner struct {
	source []rune
	at     int
}

const marks = ".,(){}@[]?'"

func (s *scanner) next() (token, error) {
	for s.at < len(s.source) && unicode.IsSpace(s.source[s.at]) {
		s.at++
	}
	from := s.at
	if from == len(s.source) {
		return token{kind: tokEnd, from: from, to: from}, nil
	}
	r := s.source[from]
	switch {
	case r == '\'':
		return s.text()
	case strings.ContainsRune(marks, r):
		s.at++
		return token{kind: r, text: string(r), from: from, to: s.at}, nil
	}
	if err := strange(r, from); err != nil {
		return token{}, err
	}
	return s.ident(), nil
}

// text reads a quoted text, in which a doubled apostrophe is one apostrophe.
func (s *scanner) text() (token, error) {
	from := s.at
	var b strings.Builder
	for s.at++; s.at < len(s.source); s.at++ {
		if s.source[s.at] != '\'' {
			b.WriteRune(s.source[s.at])
			continue
		}
		if s.at+1 < len(s.source) && s.source[s.at+1] == '\'' {
			b.WriteRune('\'')
			s.at++
			continue
		}
		s.at++
		return token{kind: tokText, text: b.String(), from: from, to: s.at}, nil
	}
	return token{}, &SyntaxError{from, "The text that begins here has no closing apostrophe ('). An apostrophe inside text is written twice: 'O''Brien'."}
}

// ident reads a name or number. A dot belongs to it only between digits, and a
// sign only after the e of a number.
func (s *scanner) ident() token {
	from := s.at
	for s.at < len(s.source) {
		r := s.source[s.at]
		if unicode.IsSpace(r) || isQuote(r) || narrow(r) != 0 || (strings.ContainsRune(marks, r) && !s.decimalDot(from)) {
			break
		}
		s.at++
	}
	return token{kind: tokIdent, text: string(s.source[from:s.at]), from: from, to: s.at}
}

// decimalDot reports whether the scanner stands at the dot of 1.5 or -1.5.
func (s *scanner) decimalDot(from int) bool {
	if s.source[s.at] != '.' || s.at+1 >= len(s.source) || !digit(s.source[s.at+1]) {
		return false
	}
	whole := s.source[from:s.at]
	if len(whole) > 0 && (whole[0] == '+' || whole[0] == '-') {
		whole = whole[1:]
	}
	for _, r := range whole {
		if !digit(r) {
			return false
		}
	}
	return len(whole) > 0
}

func digit(r rune) bool { return r >= '0' && r <= '9' }

func isQuote(r rune) bool { return strings.ContainsRune("\"“”„‘’‚`´", r) }

// narrow is the mark that a wide one stands for, 0 for any other character.
func narrow(r rune) rune {
	wide := []rune("，（）．［］｛｝＠？＇")
	for i, w := range wide {
		if w == r {
			return []rune(",().[]{}@?'")[i]
		}
	}
	return 0
}

// strange refuses characters that a word processor or another language put in.
func strange(r rune, at int) error {
	switch {
	case r == '"':
		return &SyntaxError{at, "Text stands in single quotes ('), not in double quotes (\")."}
	case isQuote(r):
		return &SyntaxError{at, fmt.Sprintf("The character %c is a typographic quote, as a word processor makes it. Write a straight apostrophe (').", r)}
	case narrow(r) != 0:
		return &SyntaxError{at, fmt.Sprintf("The character %c is a wide form, as Asian keyboards write it. Write %c.", r, narrow(r))}
	case unicode.IsControl(r) || r == '\ufeff' || r == '\u200b' || r == '\u2060':
		return &SyntaxError{at, fmt.Sprintf("There is an invisible character here (U+%04X). Delete it and type the place again.", r)}
	}
	return nil
}
