package rules

import (
	"maps"
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

// ParseSample reads what people paste for one event:
//
//   - JSON;
//   - a whole HTTP request with its headers, as sent, as a tunnel's inspector shows
//     it or as curl -v prints it, also with a body in chunks;
//   - a curl command of bash, cmd or PowerShell, and Invoke-RestMethod, with what it sends;
//   - a form or a multipart body, if the headers say so or it looks like a form;
//   - a row of a table (CSV), with or without its header line: see [Table];
//   - what a Power Automate trigger, a Make bundle or an n8n item shows, of which the
//     body becomes the body, and headers and query what they are called.
//
// Headers given apart win over those in the text. Errors are those of [DecodeEvent];
// lines count from the start of the text. XML, HTML, prose, a command that sends a file,
// and a text that holds several events are an [*UnsupportedError] that says what to do instead: see
// [ParseSamples].
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
	e := Event{Headers: given, Query: request.query}
	body, order, err := request.decode(given["content-type"])
	if err != nil {
		if at, ok := err.(*SyntaxError); ok {
			if at.Line == 1 {
				at.Column += request.column
			}
			at.Line += request.line
		}
		return e, nil, err
	}
	e.Body = body
	if order != nil {
		return unwrap(e, request.body, order)
	}
	return e, nil, nil
}

// decode reads the body as what its type says, or as what it looks like.
func (r *request) decode(contentType string) (any, [][]member, error) {
	kind := strings.ToLower(contentType)
	table := strings.HasPrefix(kind, "text/csv")
	switch {
	case strings.TrimSpace(r.body) == "":
		return Object{}, nil, nil
	case strings.Contains(kind, "json") || looksLikeJSON([]byte(r.body)):
		return r.json()
	case kind == "" && looksLikeForm(r.body):
		v, err := decodeForm(strings.TrimSpace(r.body))
		return v, nil, err
	case kind == "" || table || strings.HasPrefix(kind, "text/plain"):
		return r.table(table)
	}
	v, err := decodeBody(contentType, []byte(r.body))
	return v, nil, r.told(contentType, err)
}

// table reads the one row of a table; what is none may still be JSON, unless sure.
func (r *request) table(sure bool) (any, [][]member, error) {
	t, err := ReadTable(r.body, sure)
	switch {
	case err != nil:
		return nil, nil, err
	case t == nil:
		return r.json()
	case len(t.Rows) > 1:
		return nil, nil, several(len(t.Rows), "This is a table of %d rows")
	}
	r.body = t.object(0)
	return r.json()
}

func (r *request) json() (any, [][]member, error) {
	v, order, err := decodeOrdered([]byte(r.body), true)
	return v, order, r.told("application/json", err)
}

// told says of text that is not read what it is, if that is known.
func (r *request) told(kind string, err error) error {
	if err == nil {
		return nil
	}
	if hint := unread(r.body); hint != "" {
		return &UnsupportedError{Type: kind, Err: err, Hint: hint}
	}
	return err
}
