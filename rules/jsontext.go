package rules

import (
	"unicode/utf16"
	"unicode/utf8"
)

// number reads a number by JSON's grammar and keeps its digits.
func (d *decoder) number() (any, error) {
	start := d.at
	d.take('-')
	switch {
	case d.next('0'):
		d.at++
		if d.digit() {
			return nil, d.fail(start, "A number does not start with 0.")
		}
	case !d.digits():
		return nil, d.fail(start, "A digit is missing in this number.")
	}
	if d.take('.') && !d.digits() {
		return nil, d.fail(start, "A digit is missing after the point of this number.")
	}
	if d.take('e') || d.take('E') {
		if !d.take('+') {
			d.take('-')
		}
		if !d.digits() {
			return nil, d.fail(start, "A digit is missing in the exponent of this number.")
		}
	}
	v, ok := number(string(d.data[start:d.at]))
	if !ok {
		return nil, d.fail(start, "This number has more than %d digits when written out.", maxDigits)
	}
	return v, nil
}

func (d *decoder) digit() bool {
	return d.at < len(d.data) && d.data[d.at] >= '0' && d.data[d.at] <= '9'
}

func (d *decoder) digits() bool {
	start := d.at
	for d.digit() {
		d.at++
	}
	return d.at > start
}

// text reads a string. Most have no escape and are cut out in one piece.
func (d *decoder) text() (string, error) {
	start := d.at
	d.at++
	for i := d.at; i < len(d.data); i++ {
		c := d.data[i]
		if c == '"' {
			s := string(d.data[d.at:i])
			d.at = i + 1
			return s, nil
		}
		if c < ' ' || c == '\\' || c >= utf8.RuneSelf {
			return d.oddText(start)
		}
	}
	return "", d.fail(start, "This text has no closing quote.")
}

func (d *decoder) oddText(start int) (string, error) {
	var out []byte
	for d.at < len(d.data) {
		c := d.data[d.at]
		switch {
		case c == '"':
			d.at++
			return string(out), nil
		case c == '\\':
			r, err := d.escape()
			if err != nil {
				return "", err
			}
			out = utf8.AppendRune(out, r)
		case c == '\n' || c == '\r':
			return "", d.fail(start, "This text has no closing quote in its line; a line break inside text is written \\n.")
		case c < ' ':
			return "", d.fail(d.at, "A control character inside text must be written as an escape.")
		case c < utf8.RuneSelf:
			out = append(out, c)
			d.at++
		default:
			r, size := utf8.DecodeRune(d.data[d.at:])
			if r == utf8.RuneError && size == 1 {
				return "", d.fail(d.at, "The text is not UTF-8.")
			}
			out = append(out, d.data[d.at:d.at+size]...)
			d.at += size
		}
	}
	return "", d.fail(start, "This text has no closing quote.")
}

func (d *decoder) escape() (rune, error) {
	at := d.at
	if d.at+1 >= len(d.data) {
		return 0, d.fail(at, "The text ends inside an escape.")
	}
	c := d.data[d.at+1]
	d.at += 2
	switch c {
	case '"', '\\', '/':
		return rune(c), nil
	case 'b':
		return '\b', nil
	case 'f':
		return '\f', nil
	case 'n':
		return '\n', nil
	case 'r':
		return '\r', nil
	case 't':
		return '\t', nil
	case 'u':
		return d.unicode(at)
	}
	return 0, d.fail(at, "There is no escape \\%s; a backslash is written \\\\.", string(rune(c)))
}

// unicode reads the four digits of \u, and the other half of a pair.
func (d *decoder) unicode(at int) (rune, error) {
	r, ok := d.hex()
	if !ok {
		return 0, d.fail(at, "\\u needs four hexadecimal digits.")
	}
	if !utf16.IsSurrogate(r) {
		return r, nil
	}
	if d.take('\\') && d.take('u') {
		if low, ok := d.hex(); ok {
			if both := utf16.DecodeRune(r, low); both != utf8.RuneError {
				return both, nil
			}
		}
	}
	return 0, d.fail(at, "This is half of a character: the other half is missing.")
}

func (d *decoder) hex() (rune, bool) {
	if d.at+4 > len(d.data) {
		return 0, false
	}
	var r rune
	for _, c := range d.data[d.at : d.at+4] {
		switch {
		case c >= '0' && c <= '9':
			r = r<<4 | rune(c-'0')
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			r = r<<4 | rune(c|0x20-'a'+10)
		default:
			return 0, false
		}
	}
	d.at += 4
	return r, true
}
