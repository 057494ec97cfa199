package wdl

import (
	"fmt"
	"strings"
	"unicode"
)

// parseLine reads a whole line as the service does: "@" and one expression, or
// text in which "@{…}" stands for a value.
func parseLine(line string) (template, error) {
	t := template{source: []rune(line)}
	if len(t.source) > maxLine {
		return t, &SyntaxError{maxLine, fmt.Sprintf("The line has %d characters. At most %d are allowed.", len(t.source), maxLine)}
	}
	switch {
	case strings.HasPrefix(line, "@@"):
		t.double = true
		return t, t.interpolate()
	case strings.HasPrefix(line, "@{"):
		return t, t.interpolate()
	case strings.HasPrefix(line, "@"):
		var err error
		t.expr, err = parseWhole(t.source, 1)
		return t, err
	default:
		t.plain = true
		return t, t.interpolate()
	}
}

// parseExpression reads an expression as it is typed into a field, without "@".
func parseExpression(text string) (template, error) {
	t := template{source: []rune(text)}
	if len(t.source) > maxLine {
		return t, &SyntaxError{maxLine, fmt.Sprintf("The expression has %d characters. At most %d are allowed.", len(t.source), maxLine)}
	}
	var err error
	t.expr, err = parseWhole(t.source, 0)
	return t, err
}

// parseWhole reads one expression that must reach to the end.
func parseWhole(source []rune, at int) (node, error) {
	p := &parser{scan: scanner{source: source, at: at}}
	if err := p.advance(); err != nil {
		return nil, err
	}
	n, err := p.expression(0)
	if err != nil {
		return nil, err
	}
	if p.tok.kind != tokEnd {
		return nil, leftOver(p.tok)
	}
	return n, nil
}

// interpolate splits text at "@{…}". "@@{" is a literal "@{".
func (t *template) interpolate() error {
	var text []rune
	flush := func() {
		if len(text) > 0 {
			t.pieces = append(t.pieces, string(text))
			text = nil
		}
	}
	for at := 0; at < len(t.source); {
		switch rest := t.source[at:]; {
		case len(rest) > 1 && rest[0] == '@' && rest[1] == '@':
			text = append(text, '@')
			at += 2
			if at == 2 || at < len(t.source) && t.source[at] == '{' {
				continue
			}
			text = append(text, '@')
		case len(rest) > 1 && rest[0] == '@' && rest[1] == '{':
			flush()
			n, end, err := parsePiece(t.source, at+2)
			if err != nil {
				return err
			}
			t.pieces = append(t.pieces, n)
			at = end
		default:
			text = append(text, rest[0])
			at++
		}
	}
	flush()
	return nil
}

// parsePiece reads the expression of "@{…}" and returns the place behind "}".
func parsePiece(source []rune, at int) (node, int, error) {
	p := &parser{scan: scanner{source: source, at: at}}
	if err := p.advance(); err != nil {
		return nil, 0, err
	}
	n, err := p.expression(0)
	if err != nil {
		return nil, 0, err
	}
	if p.tok.kind != '}' {
		return nil, 0, &SyntaxError{p.tok.from, "A closing brace } is missing here."}
	}
	return n, p.tok.to, nil
}

type parser struct {
	scan scanner
	tok  token // the token not yet used
}

func (p *parser) advance() error {
	tok, err := p.scan.next()
	p.tok = tok
	return err
}

func (p *parser) expression(depth int) (node, error) {
	if depth > maxDepth {
		return nil, &SyntaxError{p.tok.from, fmt.Sprintf("The expression is nested deeper than %d.", maxDepth)}
	}
	first := p.tok
	switch first.kind {
	case tokText:
		return p.literal(first.text)
	case tokIdent:
		return p.identifier(depth)
	case tokEnd:
		return nil, &SyntaxError{first.from, "The line ends where a value should stand."}
	case '@':
		return nil, &SyntaxError{first.from, "There is a second @. Only the first character of the line is an @."}
	case '.':
		return nil, &SyntaxError{first.from, "A value should stand here, not a dot. A number begins with a digit: 0.5, not .5."}
	default:
		return nil, &SyntaxError{first.from, fmt.Sprintf("A value should stand here, not %q.", first.text)}
	}
}

// literal uses the current token as v. Nothing can be read from a literal.
func (p *parser) literal(v value) (node, error) {
	n := literal{place{p.tok.from, p.tok.to}, v}
	if err := p.advance(); err != nil {
		return nil, err
	}
	switch p.tok.kind {
	case '.', '[', '?':
		return nil, &SyntaxError{p.tok.from, "Nothing can be read out of a value that is written here. Put a function such as triggerBody() before it."}
	}
	return n, nil
}

func (p *parser) identifier(depth int) (node, error) {
	name := p.tok
	switch strings.ToLower(name.text) {
	case "true":
		return p.literal(true)
	case "false":
		return p.literal(false)
	case "null":
		return p.literal(nil)
	}
	if looksNumeric(name.text) {
		n, ok := parseNumber(name.text)
		if !ok {
			return nil, &SyntaxError{name.from, fmt.Sprintf("%q is not a number.", name.text)}
		}
		if !n.float && !n.fits() {
			return nil, &SyntaxError{name.from, "This whole number is larger than the service can hold (9223372036854775807). Write it as text in apostrophes, and string(…) around the other side."}
		}
		return p.literal(n)
	}
	if err := p.advance(); err != nil {
		return nil, err
	}
	switch {
	case p.tok.kind == '.' && (name.text == "+" || name.text == "-"):
		return nil, &SyntaxError{p.tok.from, "A number begins with a digit: 0.5, not .5."}
	case p.tok.kind != '(':
		return nil, bare(name)
	}
	if !validName(name.text) {
		return nil, &SyntaxError{name.from, fmt.Sprintf("%q is not the name of a function.%s", name.text, operatorHint(name.text))}
	}
	args, end, err := p.arguments(depth)
	if err != nil {
		return nil, err
	}
	return p.accessors(call{place{name.from, end}, name.text, args}, depth)
}

// arguments reads "(a, b)" and returns the place behind the bracket.
func (p *parser) arguments(depth int) ([]node, int, error) {
	open := p.tok
	if err := p.advance(); err != nil {
		return nil, 0, err
	}
	var args []node
	if p.tok.kind == ')' {
		end := p.tok.to
		return nil, end, p.advance()
	}
	for {
		arg, err := p.expression(depth + 1)
		if err != nil {
			return nil, 0, err
		}
		args = append(args, arg)
		switch p.tok.kind {
		case ',':
			if err := p.advance(); err != nil {
				return nil, 0, err
			}
		case ')':
			end := p.tok.to
			return args, end, p.advance()
		case tokEnd:
			return nil, 0, &SyntaxError{p.tok.from, fmt.Sprintf("A closing bracket ) is missing. The bracket at position %d is still open.", open.from+1)}
		default:
			return nil, 0, between(p.tok, arg)
		}
	}
}

// accessors reads the "?['a']" and ".b" that follow n.
func (p *parser) accessors(n node, depth int) (node, error) {
	for {
		safe := p.tok.kind == '?'
		if safe {
			if err := p.advance(); err != nil {
				return nil, err
			}
			if p.tok.kind == '?' {
				return nil, &SyntaxError{p.tok.from, "There are two question marks. Write ?[ with one."}
			}
			if p.tok.kind != '[' && p.tok.kind != '.' {
				return nil, &SyntaxError{p.tok.from, "After a question mark stands [ or a dot, as in ?['Title']."}
			}
		}
		var err error
		switch p.tok.kind {
		case '.':
			n, err = p.dot(n, safe)
		case '[':
			n, err = p.index(n, safe, depth)
		default:
			return n, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

func (p *parser) dot(of node, safe bool) (node, error) {
	if err := p.advance(); err != nil {
		return nil, err
	}
	if p.tok.kind != tokIdent {
		return nil, &SyntaxError{p.tok.from, "After a dot stands the name of a property."}
	}
	name := p.tok
	from, _ := of.span()
	key := literal{place{name.from, name.to}, name.text}
	return access{place{from, name.to}, of, key, safe}, p.advance()
}

func (p *parser) index(of node, safe bool, depth int) (node, error) {
	if err := p.advance(); err != nil {
		return nil, err
	}
	key, err := p.expression(depth + 1)
	if err != nil {
		return nil, err
	}
	if p.tok.kind != ']' {
		return nil, &SyntaxError{p.tok.from, "A closing square bracket ] is missing here."}
	}
	from, _ := of.span()
	return access{place{from, p.tok.to}, of, key, safe}, p.advance()
}

func looksNumeric(s string) bool {
	s = strings.TrimLeft(s, "+-")
	return s != "" && digit(rune(s[0]))
}

func validName(s string) bool {
	for i, r := range s {
		if !unicode.IsLetter(r) && r != '_' && (i == 0 || !unicode.IsDigit(r)) {
			return false
		}
	}
	return s != ""
}
