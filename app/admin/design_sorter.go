package admin

import (
	"context"
	"encoding/json"
	"strings"

	"dedupedesk/rules"
)

// A sorter puts many samples to events, each in one look: by its text, then by what
// names an event as its sender says, or as the samples that stood before speak for.
type sorter struct {
	texts, keys map[string]string // the event of each
	program     *rules.Program    // nil where nothing names an event
}

// newSorter returns a sorter that knows the samples of d but the newest.
func (p *designer) newSorter(ctx context.Context, d *draft) *sorter {
	s := &sorter{texts: map[string]string{}, keys: map[string]string{}}
	if parts, _ := p.idParts(d); len(parts) > 0 {
		full := (&rules.Rule{Rule: "sort", Key: rules.Formula(parts)}).WithDefaults()
		s.program, _ = p.Rules.Compile(&full)
	}
	for _, known := range d.Rule.Samples[:len(d.Rule.Samples)-1] {
		s.know(ctx, known)
	}
	return s
}

// group returns the event that a sample seems to belong to, "" for one of its own.
func (s *sorter) group(ctx context.Context, sample rules.Sample) string {
	if g := s.texts[textOf(sample)]; g != "" {
		return g
	}
	return s.keys[s.keyOf(ctx, sample)]
}

// know keeps what a sample of an event is known by. The first one of a text or key
// stands.
func (s *sorter) know(ctx context.Context, sample rules.Sample) {
	if sample.Group == "" {
		return
	}
	if text := textOf(sample); s.texts[text] == "" {
		s.texts[text] = sample.Group
	}
	if key := s.keyOf(ctx, sample); key != "" && s.keys[key] == "" {
		s.keys[key] = sample.Group
	}
}

// keyOf returns what names the event of a sample, "" for nothing.
func (s *sorter) keyOf(ctx context.Context, sample rules.Sample) string {
	e, err := sample.Event()
	if s.program == nil || err != nil {
		return ""
	}
	keyed, err := s.program.Keys(ctx, e)
	if err != nil || len(keyed) != 1 {
		return ""
	}
	return keyed[0].Key
}

// textOf is a sample's text with its headers, as one text.
func textOf(s rules.Sample) string {
	headers, _ := json.Marshal(s.Headers) // texts alone, by name
	return string(headers) + strings.TrimSpace(s.Body)
}
