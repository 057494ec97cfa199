package rules

import (
	"maps"
	"net/url"
	"regexp"
	"strings"
)

// Sample is a delivery kept with a rule to prove it.
type Sample struct {
	Group   string // copies of one event share a group; none: an event of its own
	Name    string
	Headers map[string]string
	Body    string // the text exactly as given
}

// Event reads the sample as [ParseSample] does.
func (s Sample) Event() (Event, error) { return ParseSample(s.Body, s.Headers) }

// ParseSample reads what people paste: JSON, a whole HTTP request with its
// headers, a form if the headers say so or it looks like one, or what a Power Automate trigger shows
// ({"headers":{...},"body":{...}}), of which the body becomes the body. Headers
// given apart win over those in the text. Errors are those of [DecodeEvent];
// lines count from the start of the text. XML, CSV and curl lines are an
// [*UnsupportedError] that says what to paste instead.
func ParseSample(text string, headers map[string]string) (Event, error) {
	e, _, err := parseSample(text, headers)
	return e, err
}

// parseSample also returns the member order of the body, nil if there is none.
func parseSample(text string, headers map[string]string) (Event, [][]member, error) {
	request, isRequest := splitRequest(text)
	given := LowerNames(headers)
	if isRequest {
		all := LowerNames(request.headers)
		maps.Copy(all, given)
		given = all
	}
	contentType := given["content-type"]
	switch kind := strings.ToLower(contentType); {
	case strings.Contains(kind, "json") || looksLikeJSON([]byte(request.body)):
		contentType = "application/json"
	case contentType == "" && looksLikeForm(request.body):
		contentType = "application/x-www-form-urlencoded"
		request.body = strings.TrimSpace(request.body)
	case contentType == "":
		contentType = "application/json"
	}
	e, err := DecodeEvent(contentType, []byte(request.body), given, request.query)
	if err != nil {
		if hint := unread(request.body); hint != "" {
			return e, nil, &UnsupportedError{Type: contentType, Err: err, Hint: hint}
		}
		if at, ok := err.(*SyntaxError); ok {
			at.Line += request.line
		}
		return e, nil, err
	}
	var order [][]member
	if contentType == "application/json" {
		if _, order, err = decodeOrdered([]byte(request.body), true); err != nil {
			order = nil // an empty body has no order
		}
	}
	return unwrapOutputs(e, order)
}

// unwrapOutputs takes the trigger outputs of Power Automate apart.
func unwrapOutputs(e Event, order [][]member) (Event, [][]member, error) {
	object, ok := e.Body.(Object)
	if !ok {
		return e, order, nil
	}
	headers, ok := object["headers"].(Object)
	if _, hasBody := object["body"]; !ok || !hasBody {
		return e, order, nil
	}
	for name := range object {
		switch name {
		case "headers", "body", "queries", "statusCode", "method", "relativePath", "relativePathParameters":
		default:
			return e, order, nil
		}
	}
	fill(e.Headers, LowerNames(texts(headers)))
	if queries, ok := object["queries"].(Object); ok {
		fill(e.Query, texts(queries))
	}
	e.Body = object["body"]
	return e, nil, nil
}

// texts keeps the members that are text, or can be written as text.
func texts(object Object) map[string]string {
	out := map[string]string{}
	for name, v := range object {
		text, ok := v.(string)
		if !ok {
			text, ok = scalarText(v)
		}
		if ok {
			out[name] = text
		}
	}
	return out
}

// fill adds the names that into lacks.
func fill(into, from map[string]string) {
	for name, value := range from {
		if _, taken := into[name]; !taken {
			into[name] = value
		}
	}
}

type request struct {
	headers, query map[string]string
	body           string
	line           int // lines before the body
}

var (
	requestLine = regexp.MustCompile(`^(?:GET|POST|PUT|PATCH|DELETE) (\S+)(?: HTTP/[0-9.]+)?$`)
	headerLine  = regexp.MustCompile(`^([A-Za-z0-9!#$%&'*+.^_|~-]+):[ \t]*(.*)$`)
)

// splitRequest takes a pasted HTTP request apart. It returns false, and the text
// as body, for anything else.
func splitRequest(text string) (request, bool) {
	r := request{headers: map[string]string{}, query: map[string]string{}, body: text}
	lines := strings.Split(text, "\n")
	i := 0
	for i < len(lines) && strings.TrimSpace(lines[i]) == "" {
		i++
	}
	if i == len(lines) {
		return r, false
	}
	first := requestLine.FindStringSubmatch(strings.TrimSpace(lines[i]))
	if first != nil {
		i++
	}
	start := i
	for ; i < len(lines); i++ {
		line := strings.TrimRight(lines[i], "\r")
		if strings.TrimSpace(line) == "" {
			break
		}
		h := headerLine.FindStringSubmatch(line)
		if h == nil {
			return request{query: map[string]string{}, body: text}, false
		}
		r.headers[h[1]] = strings.TrimSpace(h[2])
	}
	if first == nil && (i == start || i == len(lines)) {
		return request{query: map[string]string{}, body: text}, false
	}
	if first != nil {
		if _, raw, ok := strings.Cut(first[1], "?"); ok {
			if values, err := url.ParseQuery(raw); err == nil {
				for name := range values {
					r.query[name] = values.Get(name)
				}
			}
		}
	}
	r.body, r.line = "", i+1
	if i < len(lines) {
		r.body = strings.Join(lines[i+1:], "\n")
	}
	return r, true
}
