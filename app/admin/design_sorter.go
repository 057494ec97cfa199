package admin

import (
	"context"
	"encoding/json"
	"strings"

	"dedupedesk/rules"
)

// A sorter tells which sample another one seems to be a copy of, each in one look: by
// its text, then by what names an event as its sender says, or as the samples that stood
// before speak for.
type sorter struct {
	texts, keys map[string]int // the first sample of each, from 0
	program     *rules.Program // nil where nothing names an event
	names       string         // what names an event, for people
	sure        bool           // another name is another event
	thing       bool           // it names a thing alone: two events may be about it
}

// newSorter returns a sorter that knows the samples of d but the newest.
func (p *designer) newSorter(ctx context.Context, d *draft) *sorter {
	parts, sure := p.idParts(d)
	s := &sorter{texts: map[string]int{}, keys: map[string]int{}, sure: sure}
	if len(parts) > 0 {
		full := (&rules.Rule{Rule: "sort", Key: rules.Formula(parts)}).WithDefaults()
		s.program, _ = p.Rules.Compile(&full)
	}
	var names []string
	s.thing = senderParts(d) == nil
	tree := p.trees.of(d.Rule.Samples[:len(d.Rule.Samples)-1])
	for _, part := range parts {
		if part.Path == nil {
			continue
		}
		names = append(names, part.Name())
		switch f, _ := tree.Find(rules.Part{Path: part.Path}.Text()); f.Role() {
		case rules.RoleMessage, rules.RoleKind, rules.RoleChange:
			s.thing = false
		}
	}
	s.names = strings.Join(names, " and ")
	for i, known := range tree.samples {
		event, err := tree.Event(i)
		s.know(i, s.namesOf(ctx, known, event, err))
	}
	return s
}

// sampleNames is what a sample is known by.
type sampleNames struct{ text, key string }

// namesOf returns what a sample is known by. Of one that err says cannot be read, that
// is its text alone.
func (s *sorter) namesOf(ctx context.Context, sample rules.Sample, event rules.Event, err error) sampleNames {
	names := sampleNames{text: textOf(sample)}
	if s.program == nil || err != nil {
		return names
	}
	if keyed, err := s.program.Keys(ctx, event); err == nil && len(keyed) == 1 {
		names.key = keyed[0].Key
	}
	return names
}

// find returns the sample that another one seems to be a copy of, and whether it has the
// same text; at is -1 for none.
func (s *sorter) find(names sampleNames) (at int, text bool) {
	if at, ok := s.texts[names.text]; ok {
		return at, true
	}
	if at, ok := s.keys[names.key]; ok {
		return at, false
	}
	return -1, false
}

// know keeps what a sample is known by, unless one before it is known by the same.
func (s *sorter) know(at int, names sampleNames) {
	if _, ok := s.texts[names.text]; !ok {
		s.texts[names.text] = at
	}
	if _, ok := s.keys[names.key]; !ok && names.key != "" {
		s.keys[names.key] = at
	}
}

// textOf is a sample's text with its headers, as one text.
func textOf(s rules.Sample) string {
	headers, _ := json.Marshal(s.Headers) // texts alone, by name
	return string(headers) + strings.TrimSpace(s.Body)
}
