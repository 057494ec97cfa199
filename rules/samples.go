package rules

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"strings"
)

// several is the error for a text with more than one event.
func several(n int, format string) error {
	return &UnsupportedError{Hint: fmt.Sprintf(format, n) + ", and a sample is one event. Add each of them, or try them all with Test with a file, which is below the samples of a rule, or with dedupe rule key FILE --rule NAME --groups on the command line."}
}

// ParseSamples takes a paste apart that may hold several events: the rows of a table,
// JSON lines, the items of n8n, the bundles of Make, or HTTP requests one after the
// other. Each sample has a name that says where it stood, and can be read by
// [ParseSample]; headers are given to each. A text that holds one event is returned as
// it is.
//
// It returns the error of the first that cannot be read, which names it, and then no
// sample.
func ParseSamples(text string, headers map[string]string) ([]Sample, error) {
	samples, err := pieces(text)
	if err != nil {
		return nil, err
	}
	for i := range samples {
		s := &samples[i]
		if len(headers) > 0 {
			s.Headers = maps.Clone(headers)
		}
		if _, err := s.Event(); err != nil {
			if len(samples) > 1 {
				err = fmt.Errorf("%s: %w", s.Name, err)
			}
			return nil, err
		}
	}
	return samples, nil
}

// pieces finds what a paste holds, one piece at least.
func pieces(text string) ([]Sample, error) {
	if found := splitItems(text); found != nil {
		return found, nil
	}
	if found := splitLines(text); found != nil {
		return found, nil
	}
	if found := splitRequests(text); found != nil {
		return found, nil
	}
	_, isRequest := splitRequest(text)
	if !isRequest && !looksLikeJSON([]byte(text)) && !looksLikeForm(text) {
		t, err := ReadTable(text, false)
		if err != nil {
			return nil, err
		}
		if t != nil && len(t.Rows) > 1 {
			found := make([]Sample, len(t.Rows))
			for i := range found {
				found[i] = t.Sample(i)
			}
			return found, nil
		}
	}
	return []Sample{{Body: text}}, nil
}

// splitItems returns the items of a list as n8n and Make show it, nil for all else.
func splitItems(text string) []Sample {
	v, err := DecodeJSON([]byte(text))
	list, ok := v.([]any)
	if err != nil || !ok || len(list) < 2 {
		return nil
	}
	for _, item := range list {
		if !isItem(item) {
			return nil
		}
	}
	var raw []json.RawMessage
	if json.Unmarshal([]byte(strings.TrimPrefix(text, "\ufeff")), &raw) != nil || len(raw) != len(list) {
		return nil
	}
	out := make([]Sample, len(raw))
	for i, item := range raw {
		out[i] = Sample{Name: fmt.Sprintf("item %d", i+1), Body: string(item)}
	}
	return out
}

// splitLines returns the objects of JSON lines, nil for all else.
func splitLines(text string) []Sample {
	var out []Sample
	number := 0
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		number++
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if v, err := DecodeJSON([]byte(line)); err != nil || !isObject(v) {
			return nil
		}
		out = append(out, Sample{Name: fmt.Sprintf("line %d", number), Body: line})
	}
	if len(out) < 2 {
		return nil
	}
	return out
}

func isObject(v any) bool {
	_, ok := v.(Object)
	return ok
}

// sentLine is the first line of a request as it was sent.
var sentLine = regexp.MustCompile(`(?m)^(?:GET|POST|PUT|PATCH|DELETE) \S+ HTTP/[0-9.]+\r?$`)

// splitRequests returns the requests of a text, nil for fewer than two.
func splitRequests(text string) []Sample {
	at := sentLine.FindAllStringIndex(text, -1)
	if len(at) < 2 || strings.TrimSpace(strings.TrimPrefix(text[:at[0][0]], "\ufeff")) != "" {
		return nil
	}
	out := make([]Sample, len(at))
	for i := range at {
		end := len(text)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		out[i] = Sample{Name: fmt.Sprintf("request %d", i+1), Body: strings.TrimSpace(text[at[i][0]:end])}
	}
	return out
}
