package rules

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"sync"
)

// resends keeps the simulated resends of a tree's samples: no formula changes them. Any
// number of goroutines may use it.
type resends struct {
	mu   sync.Mutex
	kept map[string]madeAgain
}

type madeAgain struct {
	event Event
	err   error
}

// of returns the resend of the i-th event, with those fields changed.
func (r *resends) of(i int, e Event, paths [][]string) (Event, error) {
	name := fmt.Sprintf("%d %q", i, paths)
	r.mu.Lock()
	defer r.mu.Unlock()
	if found, ok := r.kept[name]; ok {
		return found.event, found.err
	}
	again, err := resent(e, paths)
	if r.kept == nil || len(r.kept) > 2*maxResent {
		r.kept = map[string]madeAgain{}
	}
	r.kept[name] = madeAgain{again, err}
	return again, err
}

// appendResent writes JSON with its members in falling order, over several lines.
func appendResent(out []byte, v any, indent string) []byte {
	deeper := indent + "  "
	item := func(first bool) {
		if !first {
			out = append(out, ',')
		}
		out = append(append(out, '\n'), deeper...)
	}
	switch v := v.(type) {
	case Object:
		names := slices.Sorted(maps.Keys(v))
		slices.Reverse(names)
		out = append(out, '{')
		for i, name := range names {
			item(i == 0)
			out = append(appendQuoted(out, name), " : "...)
			out = appendResent(out, v[name], deeper)
		}
		return append(append(append(out, '\n'), indent...), '}')
	case []any:
		out = append(out, '[')
		for i := range v {
			item(i == 0)
			out = appendResent(out, v[i], deeper)
		}
		return append(append(append(out, '\n'), indent...), ']')
	}
	return appendCanonical(out, v)
}

// resent is the event of a resend, written as text and read again.
func resent(e Event, paths [][]string) (Event, error) {
	for _, p := range paths {
		e = changeField(e, p)
	}
	body, err := DecodeJSON(bytes.TrimSpace(appendResent(nil, e.Body, "")))
	e.Body = body
	return e, err
}
