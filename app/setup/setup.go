// Package setup hands a rule to the exporters, which know nothing of rules: its
// key as a list of parts, its settings, and its samples with the keys they get.
//
// # What it promises
//
// A sample is handed over with the key that the endpoint would answer for it, or
// without one where it is refused. A sample that says nothing about the key, one
// that cannot be read or that the rule ignores, is left out.
//
// # Concurrency
//
// Of may be called by any number of goroutines at once.
package setup

import (
	"context"

	"dedupedesk/app/intake"
	"dedupedesk/exporters"
	"dedupedesk/rules"
)

// Of returns what an exporter needs to know of r. Its Details are empty.
func Of(ctx context.Context, r *intake.Rule) exporters.Setup {
	s := exporters.Setup{
		Rule: r.Name, Title: r.Title, Lease: r.Policy.Lease, OnExpiry: string(r.Policy.OnExpiry),
		Answer: r.File.Answer, IfUnreachable: r.File.IfUnreachable, FoldCase: r.File.FoldCase,
	}
	if s.Title == "" {
		s.Title = r.Name
	}
	if r.Program == nil {
		return s
	}
	parts, ok := rules.Parts(r.File.Key)
	// A key for each item is made of the item, which a list of paths into the event
	// cannot say.
	s.Expressible = ok && !r.Program.HasEach()
	for _, p := range parts {
		s.Parts = append(s.Parts, exporters.Part{Literal: p.Literal, Path: p.Path, Steps: p.Steps, Default: p.Default})
	}
	for _, sample := range r.File.Samples {
		if out, ok := sampleOf(ctx, r.Program, sample); ok {
			s.Samples = append(s.Samples, out)
		}
	}
	return s
}

func sampleOf(ctx context.Context, p *rules.Program, sample rules.Sample) (out exporters.Sample, ok bool) {
	e, err := sample.Event()
	if err != nil {
		return out, false
	}
	out = exporters.Sample{Name: sample.Name, Group: sample.Group, Body: rules.EncodeJSON(e.Body), Headers: e.Headers}
	keyed, err := p.Keys(ctx, e)
	switch {
	case err != nil || len(keyed) != 1 || keyed[0].Err != nil:
		return out, true // without a key: the platform must refuse it as well
	case keyed[0].Ignored:
		return out, false
	}
	out.Key = keyed[0].Key
	return out, true
}
