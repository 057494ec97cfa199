package wdl

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// maxDepth bounds nesting of data and of expressions.
const maxDepth = 64

// decode reads one JSON text with all digits of its numbers and its members in
// order. Of two members with one name the last counts, as in the service.
func decode(data []byte) (value, error) {
	if !utf8.Valid(data) {
		return nil, errors.New("the text is not UTF-8")
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	v, err := decodeValue(d, 0)
	if err != nil {
		return nil, placed(data, d, err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, placed(data, d, errors.New("there is more text after the end"))
	}
	return v, nil
}

// placed adds the line to an error.
func placed(data []byte, d *json.Decoder, err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = errors.New("the text ends too early")
	}
	at := min(int(d.InputOffset()), len(data))
	return fmt.Errorf("line %d: %w", 1+bytes.Count(data[:at], []byte("\n")), err)
}

func decodeValue(d *json.Decoder, depth int) (value, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("nested deeper than %d", maxDepth)
	}
	t, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch t := t.(type) {
	case json.Delim:
		if t == '[' {
			return decodeList(d, depth)
		}
		return decodeObject(d, depth)
	case json.Number:
		n, ok := parseNumber(t.String())
		if !ok {
			return nil, fmt.Errorf("the number %.40s has too many digits", t)
		}
		return n, nil
	default:
		return t, nil
	}
}

func decodeList(d *json.Decoder, depth int) (value, error) {
	list := []value{}
	for d.More() {
		v, err := decodeValue(d, depth+1)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	_, err := d.Token()
	return list, err
}

func decodeObject(d *json.Decoder, depth int) (value, error) {
	o := newObject()
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, err
		}
		v, err := decodeValue(d, depth+1)
		if err != nil {
			return nil, err
		}
		o.remove(name.(string))
		o.set(name.(string), v)
	}
	_, err := d.Token()
	return o, err
}

// render writes v as JSON, cut off after limit bytes or so.
func render(v value, limit int) string {
	var b strings.Builder
	if !renderTo(&b, v, limit) {
		b.WriteString("…")
	}
	return b.String()
}

// renderTo reports whether all of v was written.
func renderTo(b *strings.Builder, v value, limit int) bool {
	if b.Len() > limit {
		return false
	}
	switch v := v.(type) {
	case nil:
		b.WriteString("null")
	case bool:
		fmt.Fprint(b, v)
	case number:
		b.WriteString(v.text)
	case string:
		return renderText(b, v, limit)
	case []value:
		b.WriteByte('[')
		for i, item := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			if !renderTo(b, item, limit) {
				return false
			}
		}
		b.WriteByte(']')
	case *object:
		return renderObject(b, v, limit)
	}
	return true
}

func renderObject(b *strings.Builder, o *object, limit int) bool {
	b.WriteByte('{')
	for i, name := range o.names {
		if i > 0 {
			b.WriteByte(',')
		}
		if !renderText(b, name, limit) {
			return false
		}
		b.WriteByte(':')
		if !renderTo(b, o.values[name], limit) {
			return false
		}
	}
	b.WriteByte('}')
	return true
}

func renderText(b *strings.Builder, s string, limit int) bool {
	whole := true
	if room := max(limit-b.Len(), 0); len(s) > room {
		for room > 0 && !utf8.RuneStart(s[room]) {
			room--
		}
		s, whole = s[:room], false
	}
	var quoted bytes.Buffer
	enc := json.NewEncoder(&quoted)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // text cannot fail to encode
	b.Write(bytes.TrimSuffix(quoted.Bytes(), []byte("\n")))
	return whole
}
