package rules

import (
	"slices"
	"strconv"
	"unicode/utf8"
)

// EncodeJSON returns a decoded value as JSON in its canonical form: members
// sorted by code point, no spaces, every digit of a number kept. Values that
// [DecodeJSON] does not make are not allowed.
func EncodeJSON(v any) []byte { return appendCanonical(nil, v) }

// appendCanonical writes a decoded value as JSON in one form only: members
// sorted by code point, no spaces, numbers canonical, text unescaped but for
// what must be. Equal values give equal bytes, which is what digest hashes.
func appendCanonical(out []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(out, "null"...)
	case bool:
		return strconv.AppendBool(out, v)
	case string:
		return appendQuoted(out, v)
	case []any:
		out = append(out, '[')
		for i, item := range v {
			if i > 0 {
				out = append(out, ',')
			}
			out = appendCanonical(out, item)
		}
		return append(out, ']')
	case Object:
		return appendObject(out, v)
	}
	text, _ := scalarText(v)
	return append(out, text...)
}

func appendObject(out []byte, object Object) []byte {
	names := make([]string, 0, len(object))
	for name := range object {
		names = append(names, name)
	}
	slices.Sort(names)
	out = append(out, '{')
	for i, name := range names {
		if i > 0 {
			out = append(out, ',')
		}
		out = appendQuoted(out, name)
		out = append(out, ':')
		out = appendCanonical(out, object[name])
	}
	return append(out, '}')
}

func appendQuoted(out []byte, s string) []byte {
	const digits = "0123456789abcdef"
	out = append(out, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			out = append(out, '\\', byte(r))
		case r < ' ':
			out = append(out, '\\', 'u', '0', '0', digits[r>>4], digits[r&15])
		default:
			out = utf8.AppendRune(out, r)
		}
	}
	return append(out, '"')
}

// scalarText writes a boolean or number as a key shows it. It returns false for
// anything else, text included.
func scalarText(v any) (string, bool) {
	switch v := v.(type) {
	case bool:
		return strconv.FormatBool(v), true
	case int64:
		return strconv.FormatInt(v, 10), true
	case uint64:
		return strconv.FormatUint(v, 10), true
	case float64:
		return floatText(v)
	case Number:
		return string(v), true
	}
	return "", false
}
