// Package presets holds what is known of senders: which id tells their events
// apart, what changes when they send again, for how long they try, what goes wrong
// with them, and rules that follow from it.
//
//	All, BySender           the presets
//	Preset.For              the kind of delivery that an event is
//	Recognise               the sender of an event
//	Known                   the same for the rules' engine
//
// # A preset
//
// Each sender is one txtar file, embedded. Its comment tells in a few sentences what
// to know. Its parts are
//
//	rule.yaml      the rule for repeats of one message
//	facts.yaml     what the sender documents, each fact with its source; see facts.go
//	keys.yaml      the keys that the deliveries must give, at both levels
//	sample.json    a delivery; sample.headers.json its headers
//	copy.json      the same event sent again; where absent, sent again unchanged
//	other.json     another event
//	no-event.json  a first contact or test that must give no key; may be absent
//
// A body that is not JSON is a part sample.body, and so on. A sender with several
// kinds of delivery has the others in folders of the same parts: push/rule.yaml. Their
// facts are those of the sender, except where push/facts.yaml says something else.
//
// # What it promises
//
// The package's test runs every formula on its deliveries, so a preset that is wrong
// about its own sample does not ship: a copy has the keys of the sample, another event
// has keys of its own, and between sample and copy there changes what the facts say
// and nothing else. The first part of every key is the sender's name. A [Fact] that is
// not confirmed was recalled and not read again; screens must say so. Nothing here was
// tried in an account of a sender. What is returned is the caller's own and may be
// changed.
//
// # Units
//
// Days are written as 2026-10-31; spans of time are a [rules.Duration].
//
// # Errors
//
// A file that cannot be read is a fault of the house, found by the package's test.
//
// # Concurrency
//
// All functions may be called by any number of goroutines at once.
package presets

import (
	"embed"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"sync"

	"dedupedesk/rules"
)

//go:embed *.txtar
var files embed.FS

// Preset is one sender. What it embeds is its usual delivery.
type Preset struct {
	Sender string // its short name, such as google-sheets; first part of its keys
	Name   string // as people write it, such as Google Sheets
	Notes  string // what to know, in a few sentences
	Delivery
	Others []Delivery // further kinds of delivery, in the order of the file
}

// Delivery is one kind of delivery of a sender.
type Delivery struct {
	Kind  string // "" for the usual one, else such as push
	Title string // that of the rule
	// Rule is for repeats of one message. Its samples are a delivery and a copy of it
	// in group A, and another event in group B.
	Rule  rules.Rule
	Facts Facts
	// Keys and BusinessKeys are what the first sample gives, one for each item where
	// the rule has each. BusinessKeys is nil without a Facts.BusinessKey.
	Keys, BusinessKeys []string
	NoEvent            *rules.Sample // gives no key: it is ignored, or refused for want of the list; may be nil

	otherKeys, otherBusinessKeys []string // of the other event
	marks                        []string // conditions, each of which tells this delivery
}

// parsed reads the files once.
var parsed = sync.OnceValues(parseAll)

func parseAll() ([]Preset, error) {
	names, err := fs.Glob(files, "*.txtar")
	if err != nil {
		return nil, err
	}
	var out []Preset
	for _, name := range names {
		data, err := files.ReadFile(name)
		if err != nil {
			return nil, err
		}
		p, err := parse(data)
		if err != nil {
			return nil, fmt.Errorf("read the preset %s: %w", name, err)
		}
		out = append(out, p)
	}
	return out, nil
}

// mustParsed is for callers after the package's test: the files are constants of the
// program.
func mustParsed() []Preset {
	all, err := parsed()
	if err != nil {
		panic(err)
	}
	return all
}

// All returns every preset, sorted by sender. An error is a fault of the house.
func All() ([]Preset, error) {
	all, err := parsed()
	if err != nil {
		return nil, err
	}
	out := make([]Preset, len(all))
	for i, p := range all {
		out[i] = p.clone()
	}
	return out, nil
}

// BySender returns the preset of a sender by its short name, false if there is none.
func BySender(name string) (Preset, bool) {
	for _, p := range mustParsed() {
		if p.Sender == name {
			return p.clone(), true
		}
	}
	return Preset{}, false
}

// clone copies what a caller might change.
func (p Preset) clone() Preset {
	p.Delivery = p.Delivery.clone()
	p.Others = slices.Clone(p.Others)
	for i := range p.Others {
		p.Others[i] = p.Others[i].clone()
	}
	return p
}

func (d Delivery) clone() Delivery {
	d.Rule.Fingerprint = slices.Clone(d.Rule.Fingerprint)
	d.Rule.Samples = slices.Clone(d.Rule.Samples)
	for i := range d.Rule.Samples {
		d.Rule.Samples[i].Headers = maps.Clone(d.Rule.Samples[i].Headers)
	}
	if d.NoEvent != nil {
		s := *d.NoEvent
		s.Headers = maps.Clone(s.Headers)
		d.NoEvent = &s
	}
	d.Keys, d.BusinessKeys = slices.Clone(d.Keys), slices.Clone(d.BusinessKeys)
	d.Facts = d.Facts.clone()
	return d
}

// Deliveries returns all kinds of delivery, the usual one first.
func (p Preset) Deliveries() []Delivery {
	return append([]Delivery{p.Delivery}, p.Others...)
}

// BusinessRule returns the rule for once per order, charge or item: Rule with the
// other formula. It returns false where the sender names no such thing.
func (d Delivery) BusinessRule() (rules.Rule, bool) {
	r := d.Rule
	r.Key = d.Facts.BusinessKey
	return r, r.Key != ""
}
