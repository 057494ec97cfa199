package exporters

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
)

// JSON returns the sample's body as JSON with every digit of its numbers.
// Members are in alphabetical order.
func (s Sample) JSON() ([]byte, error) {
	var b bytes.Buffer
	if err := encode(&b, s.Body, 0); err != nil {
		return nil, fmt.Errorf("sample %s: %w", s.Name, err)
	}
	return b.Bytes(), nil
}

// maxDepth is deeper than any event and shallow enough for the stack.
const maxDepth = 128

func encode(b *bytes.Buffer, v any, depth int) error {
	if depth > maxDepth {
		return fmt.Errorf("nested deeper than %d", maxDepth)
	}
	switch v := v.(type) {
	case nil:
		b.WriteString("null")
	case bool:
		b.WriteString(strconv.FormatBool(v))
	case string:
		return encodeText(b, v)
	case int64:
		b.WriteString(strconv.FormatInt(v, 10))
	case uint64:
		b.WriteString(strconv.FormatUint(v, 10))
	case int:
		b.WriteString(strconv.Itoa(v))
	case float64:
		return encodeFloat(b, v)
	case []any:
		return encodeList(b, v, depth)
	case map[string]any:
		return encodeObject(b, v, depth)
	default:
		return encodeDigits(b, v)
	}
	return nil
}

func encodeText(b *bytes.Buffer, s string) error {
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		return err
	}
	b.Truncate(b.Len() - 1) // the encoder ends with a newline
	return nil
}

// encodeFloat writes a decimal without an exponent, as the house writes it.
func encodeFloat(b *bytes.Buffer, f float64) error {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return fmt.Errorf("%v is no JSON number", f)
	}
	b.WriteString(strconv.FormatFloat(f, 'f', -1, 64))
	return nil
}

func encodeList(b *bytes.Buffer, list []any, depth int) error {
	b.WriteByte('[')
	for i, v := range list {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := encode(b, v, depth+1); err != nil {
			return err
		}
	}
	b.WriteByte(']')
	return nil
}

func encodeObject(b *bytes.Buffer, o map[string]any, depth int) error {
	names := make([]string, 0, len(o))
	for name := range o {
		names = append(names, name)
	}
	slices.Sort(names)
	b.WriteByte('{')
	for i, name := range names {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := encodeText(b, name); err != nil {
			return err
		}
		b.WriteByte(':')
		if err := encode(b, o[name], depth+1); err != nil {
			return err
		}
	}
	b.WriteByte('}')
	return nil
}

// encodeDigits writes a number that is kept as text in a type of its own. The
// type is the decoder's, which this package does not know.
func encodeDigits(b *bytes.Buffer, v any) error {
	r := reflect.ValueOf(v)
	if r.Kind() != reflect.String {
		return fmt.Errorf("%T is no decoded JSON", v)
	}
	digits := r.String()
	if digits == "" || (digits[0] != '-' && (digits[0] < '0' || digits[0] > '9')) || !json.Valid([]byte(digits)) {
		return fmt.Errorf("%q is no JSON number", digits)
	}
	b.WriteString(digits)
	return nil
}
