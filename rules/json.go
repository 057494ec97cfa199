package rules

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// Object is a decoded JSON object.
type Object = map[string]any

// MaxDepth is how deep lists and objects may lie in one another.
const MaxDepth = 64

// SyntaxError says where a text stops being readable.
type SyntaxError struct {
	Line   int // from 1
	Column int // from 1, in code points
	Msg    string
}

// Error returns the place and the message.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Msg)
}

// DecodeJSON reads one JSON value. It returns nil, bool, string, int64, uint64,
// float64, [Number], []any or [Object]; see [Number] for which number becomes
// what.
//
// It refuses with a [*SyntaxError] what other readers let pass and what would
// make two readers disagree: a member that comes twice, bad UTF-8, half a
// surrogate pair, depth over [MaxDepth], text after the value, NaN, and numbers
// of more than 400 digits. A byte order mark at the start is skipped.
func DecodeJSON(data []byte) (any, error) {
	v, _, err := decodeOrdered(data, false)
	return v, err
}

// member is one name of an object as it stands in the text.
type member struct {
	name     string
	at       int // offset of the name
	from, to int // offsets of its value
}

// decodeOrdered is DecodeJSON that, when asked, also returns the members of
// every object in the order of the text. The lists come in the order in which
// the objects open, so a walk in the same order can take them one by one.
func decodeOrdered(data []byte, ordered bool) (any, [][]member, error) {
	d := &decoder{data: data, ordered: ordered}
	d.at = len(data) - len(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")))
	d.space()
	v, err := d.value(0)
	if err != nil {
		return nil, nil, err
	}
	if d.space(); d.at < len(data) {
		return nil, nil, d.fail(d.at, "There is more text after the end of the value.")
	}
	return v, d.orders, nil
}

type decoder struct {
	data    []byte
	at      int
	ordered bool
	orders  [][]member
}

func (d *decoder) fail(at int, format string, args ...any) error {
	line, column := position(d.data, at)
	return &SyntaxError{Line: line, Column: column, Msg: fmt.Sprintf(format, args...)}
}

// position counts lines and code points up to an offset.
func position(data []byte, at int) (line, column int) {
	at = min(at, len(data))
	start := bytes.LastIndexByte(data[:at], '\n') + 1
	return bytes.Count(data[:at], []byte("\n")) + 1, utf8.RuneCount(data[start:at]) + 1
}

func (d *decoder) space() {
	for d.at < len(d.data) {
		switch d.data[d.at] {
		case ' ', '\t', '\n', '\r':
			d.at++
		default:
			return
		}
	}
}

func (d *decoder) value(depth int) (any, error) {
	if d.at >= len(d.data) {
		return nil, d.fail(d.at, "The text ends too early: a value is missing here.")
	}
	switch c := d.data[d.at]; {
	case c == '{':
		return d.object(depth + 1)
	case c == '[':
		return d.list(depth + 1)
	case c == '"':
		return d.text()
	case c == '-' || c >= '0' && c <= '9':
		return d.number()
	}
	return d.word()
}

func (d *decoder) object(depth int) (any, error) {
	if depth > MaxDepth {
		return nil, d.fail(d.at, "Lists and objects lie more than %d deep in one another.", MaxDepth)
	}
	object, slot := Object{}, len(d.orders)
	if d.ordered {
		d.orders = append(d.orders, nil)
	}
	d.at++
	if d.space(); d.take('}') {
		return object, nil
	}
	for {
		m, v, err := d.member(object, depth)
		if err != nil {
			return nil, err
		}
		object[m.name] = v
		if d.ordered {
			d.orders[slot] = append(d.orders[slot], m)
		}
		if d.take('}') {
			return object, nil
		}
		if !d.take(',') {
			return nil, d.fail(d.at, "A comma or } is missing here.")
		}
		if d.space(); d.next('}') {
			return nil, d.fail(d.at, "There is a comma too many before this }.")
		}
	}
}

func (d *decoder) member(object Object, depth int) (member, any, error) {
	m := member{at: d.at}
	if !d.next('"') {
		return m, nil, d.fail(d.at, "A name in double quotes is missing here, such as \"id\".")
	}
	name, err := d.text()
	if err != nil {
		return m, nil, err
	}
	if _, twice := object[name]; twice {
		return m, nil, d.fail(m.at, "The member %q comes twice.", name)
	}
	if d.space(); !d.take(':') {
		return m, nil, d.fail(d.at, "A colon is missing after the member name.")
	}
	d.space()
	m.name, m.from = name, d.at
	v, err := d.value(depth)
	m.to = d.at
	d.space()
	return m, v, err
}

func (d *decoder) list(depth int) (any, error) {
	if depth > MaxDepth {
		return nil, d.fail(d.at, "Lists and objects lie more than %d deep in one another.", MaxDepth)
	}
	list := []any{}
	d.at++
	if d.space(); d.take(']') {
		return list, nil
	}
	for {
		v, err := d.value(depth)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
		if d.space(); d.take(']') {
			return list, nil
		}
		if !d.take(',') {
			return nil, d.fail(d.at, "A comma or ] is missing here.")
		}
		if d.space(); d.next(']') {
			return nil, d.fail(d.at, "There is a comma too many before this ].")
		}
	}
}

func (d *decoder) next(c byte) bool { return d.at < len(d.data) && d.data[d.at] == c }

func (d *decoder) take(c byte) bool {
	if d.next(c) {
		d.at++
		return true
	}
	return false
}

func (d *decoder) word() (any, error) {
	end := d.at
	for end < len(d.data) && (d.data[end]|0x20 >= 'a' && d.data[end]|0x20 <= 'z') {
		end++
	}
	word, at := string(d.data[d.at:end]), d.at
	d.at = end
	switch word {
	case "null":
		return nil, nil
	case "true":
		return true, nil
	case "false":
		return false, nil
	case "NaN", "nan", "Infinity", "inf":
		return nil, d.fail(at, "%s is not a number in JSON.", word)
	case "None", "True", "False", "undefined":
		return nil, d.fail(at, "JSON writes null, true or false here, not %s.", word)
	case "":
		return nil, d.fail(at, "A value is missing here.%s", d.oddity(at))
	}
	return nil, d.fail(at, "Text must stand in double quotes.")
}

// oddity explains the usual slips at a place where a value should begin.
func (d *decoder) oddity(at int) string {
	r, _ := utf8.DecodeRune(d.data[at:])
	switch r {
	case '\'', '\u2018', '\u2019', '\u201c', '\u201d':
		return " JSON uses straight double quotes."
	case '/', '#':
		return " JSON has no comments."
	case '+':
		return " A number has no plus sign."
	case '.':
		return " A number needs a digit before the point."
	case utf8.RuneError:
		return " The text is not UTF-8."
	}
	return ""
}
