// Package setup hands a rule to the exporters, which know nothing of rules: its
// key as a list of parts, its settings, and its samples with the keys they get.
//
// # What it promises
//
// A sample is handed over with the key that the endpoint would answer for it, or
// without one where it is refused. A sample that says nothing about the key, one
// that cannot be read or that the rule ignores, is left out. Where the rule makes a
// key for each item, each item is a sample.
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
		Rule: r.Name, Title: r.Title, Sender: r.File.Sender, Lease: r.Policy.Lease, Keep: r.Policy.Keep, OnExpiry: string(r.Policy.OnExpiry),
		Answer: r.File.Answer, IfUnreachable: r.File.IfUnreachable, FoldCase: r.File.FoldCase,
	}
	if s.Title == "" {
		s.Title = r.Name
	}
	if r.Program == nil {
		return s
	}
	s.Outside, s.When, s.Splits = r.Program.Outside(), r.File.When, r.Program.HasEach()
	parts, ok := rules.Parts(r.File.Key)
	if r.Program.HasEach() {
		s.Each, s.Expressible = listOf(r.File.Each)
	} else {
		s.Expressible = true
	}
	s.Expressible = s.Expressible && ok
	for _, p := range parts {
		s.Parts = append(s.Parts, exporters.Part{Literal: p.Literal, Path: p.Path, Steps: p.Steps, Default: p.Default})
	}
	for _, sample := range r.File.Samples {
		s.Samples = append(s.Samples, samplesOf(ctx, r.Program, sample)...)
	}
	return s
}

// listOf reads the formula of a list as a path, and tells whether it is no more.
func listOf(each string) ([]string, bool) {
	parts, ok := rules.Parts("key(" + each + ")")
	if !ok || len(parts) != 1 {
		return nil, false
	}
	p := parts[0]
	return p.Path, len(p.Path) > 0 && len(p.Steps) == 0 && p.Default == nil
}

// samplesOf returns a sample for each key of it. One without a key says that the
// platform must refuse it as well.
func samplesOf(ctx context.Context, p *rules.Program, sample rules.Sample) []exporters.Sample {
	e, err := sample.Event()
	if err != nil {
		return nil
	}
	out := exporters.Sample{Name: sample.Name, Group: sample.Group, Body: rules.EncodeJSON(e.Body), Headers: e.Headers}
	keyed, err := p.Keys(ctx, e)
	if err != nil {
		return []exporters.Sample{out}
	}
	var list []exporters.Sample
	for _, k := range keyed {
		if k.Ignored {
			continue
		}
		one := out
		if p.HasEach() {
			one.Item = rules.EncodeJSON(k.Item)
		}
		if k.Err == nil {
			one.Key = k.Key
		}
		list = append(list, one)
	}
	return list
}
