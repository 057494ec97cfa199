package rules

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"mime/multipart"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"
)

// Event is one delivery as a formula sees it.
type Event struct {
	Body    any               // as from DecodeJSON
	Headers map[string]string // names in lower case
	Query   map[string]string
}

// maxFields bounds the fields of a form.
const maxFields = 1000

// UnsupportedError is a body of a kind that formulas cannot read.
type UnsupportedError struct {
	Type string // the media type as sent; may be empty
	Err  error  // why it is not JSON either; may be nil
	Hint string // what it is and what to paste instead; may be empty
}

// Error names the type and what is read instead.
func (e *UnsupportedError) Error() string {
	if e.Hint != "" {
		return e.Hint
	}
	if e.Type == "" {
		return "The body is neither JSON nor a form."
	}
	return fmt.Sprintf("The body has the type %q; JSON, form fields and multipart text fields can be read.", e.Type)
}

// Unwrap returns why the body is not JSON.
func (e *UnsupportedError) Unwrap() error { return e.Err }

// DecodeEvent reads a delivery. JSON is read by [DecodeJSON], also under a text
// type or none if it parses; the fields of a form and the text fields of a
// multipart body become an [Object], a field that comes twice a list. Files are
// left out. An empty body is an empty object.
//
// It returns a [*SyntaxError] for a body that is broken, an [*UnsupportedError]
// for any other type.
func DecodeEvent(contentType string, body []byte, headers, query map[string]string) (Event, error) {
	e := Event{Headers: LowerNames(headers), Query: maps.Clone(query)}
	if e.Query == nil {
		e.Query = map[string]string{}
	}
	v, err := decodeBody(contentType, body)
	e.Body = v
	return e, err
}

func decodeBody(contentType string, body []byte) (any, error) {
	if len(bytes.TrimSpace(body)) == 0 {
		return Object{}, nil
	}
	media, params, err := mime.ParseMediaType(contentType)
	if err != nil && contentType != "" && media == "" {
		media = strings.ToLower(strings.TrimSpace(strings.Split(contentType, ";")[0]))
	}
	switch {
	case media == "application/json" || strings.HasSuffix(media, "+json"):
		return DecodeJSON(body)
	case media == formType:
		return decodeForm(string(body))
	case media == "multipart/form-data":
		return decodeMultipart(contentType, body, params["boundary"])
	case media == "" || strings.HasPrefix(media, "text/"):
		v, err := DecodeJSON(body)
		if err != nil && !looksLikeJSON(body) {
			return nil, &UnsupportedError{Type: contentType, Err: err}
		}
		return v, err
	}
	return nil, &UnsupportedError{Type: contentType}
}

// looksLikeJSON tells broken JSON, whose place is worth showing, from text.
func looksLikeJSON(body []byte) bool {
	body = bytes.TrimLeft(body, " \t\r\n\ufeff")
	return len(body) > 0 && (body[0] == '{' || body[0] == '[')
}

// LowerNames returns headers by their names in small letters, as an [Event] keeps
// them. It joins headers whose names differ in case alone, in name order.
func LowerNames(headers map[string]string) map[string]string {
	out := make(map[string]string, len(headers))
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		lower := strings.ToLower(strings.TrimSpace(name))
		if before, ok := out[lower]; ok {
			out[lower] = before + ", " + headers[name]
			continue
		}
		out[lower] = headers[name]
	}
	return out
}

// decodeForm reads application/x-www-form-urlencoded.
func decodeForm(text string) (any, error) {
	object, at := Object{}, 0
	for i, pair := range strings.Split(text, "&") {
		if i >= maxFields {
			return nil, &SyntaxError{1, at + 1, fmt.Sprintf("The form has more than %d fields.", maxFields)}
		}
		name, value, _ := strings.Cut(pair, "=")
		n, nameErr := url.QueryUnescape(name)
		v, valueErr := url.QueryUnescape(strings.TrimRight(value, "\r\n"))
		switch {
		case nameErr != nil || valueErr != nil:
			return nil, &SyntaxError{1, at + 1, "A % in this form field is not followed by two hexadecimal digits."}
		case !utf8.ValidString(n) || !utf8.ValidString(v):
			return nil, &SyntaxError{1, at + 1, "This form field is not UTF-8."}
		}
		if pair != "" {
			addField(object, n, v)
		}
		at += utf8.RuneCountInString(pair) + 1
	}
	return object, nil
}

func addField(object Object, name, value string) {
	switch before := object[name].(type) {
	case nil:
		object[name] = value
	case []any:
		object[name] = append(before, value)
	default:
		object[name] = []any{before, value}
	}
}

func decodeMultipart(contentType string, body []byte, boundary string) (any, error) {
	if boundary == "" {
		return nil, &UnsupportedError{Type: contentType, Err: errors.New("the type names no boundary")}
	}
	object, r := Object{}, multipart.NewReader(bytes.NewReader(body), boundary)
	broken := func(msg string) error { return &SyntaxError{1, 1, msg} }
	for count := 0; ; count++ {
		part, err := r.NextPart()
		if err == io.EOF {
			return object, nil
		}
		if err != nil {
			return nil, broken("The multipart body cannot be taken apart: its end or a boundary is missing.")
		}
		if count >= maxFields {
			return nil, broken(fmt.Sprintf("The form has more than %d fields.", maxFields))
		}
		if part.FileName() != "" || part.FormName() == "" {
			continue
		}
		value, err := io.ReadAll(part)
		if err != nil {
			return nil, broken("The multipart body ends inside a field.")
		}
		if !utf8.Valid(value) || !utf8.ValidString(part.FormName()) {
			return nil, broken(fmt.Sprintf("The form field %q is not UTF-8.", part.FormName()))
		}
		addField(object, part.FormName(), string(value))
	}
}
