// Package presets holds what is known of senders: which id tells their events
// apart, what changes between tries, how long they try, and a rule that follows
// from it.
//
// Each sender is one txtar file, embedded: a comment in words, the rule, the
// facts with their source and the day it was read, deliveries, and the key that
// the first of them must give.
//
// # What it promises
//
// The package's test runs every rule on its deliveries, so a preset that is wrong
// about its own sample does not ship. A fact with Confirmed false was recalled and
// not read again, or not tried by anybody here; screens must say so. What is
// returned is the caller's own and may be changed.
//
// # Units
//
// Days are written as 2026-10-31; how long a sender tries is a [rules.Duration].
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
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/rogpeppe/go-internal/txtar"

	"dedupedesk/rules"
)

//go:embed *.txtar
var files embed.FS

// Preset is one sender.
type Preset struct {
	Sender string // its short name, such as stripe
	Title  string
	Notes  string     // what to know, in a few sentences
	Rule   rules.Rule // event level; its samples are a delivery, a copy of it and another event
	Key    string     // what the first sample must give
	Facts  Facts
}

// Facts is what the sender documents.
type Facts struct {
	EventID    Fact `json:"event_id"`    // what names an event
	BusinessID Fact `json:"business_id"` // what names the thing that the event is about
	Changes    Fact `json:"changes"`     // what differs between tries of one event
	Retries    Fact `json:"retries"`

	// RetryWindow is how long the sender tries again, 0 if it never does by itself.
	RetryWindow rules.Duration `json:"-"`
	// BusinessKey is the formula for once per order, charge or item.
	BusinessKey string `json:"business_key"`
}

// Fact is one statement and where it stands.
type Fact struct {
	Text      string `json:"text"`
	Source    string `json:"source"`    // the page
	Read      string `json:"read"`      // the day it was read, as 2026-10-31
	Confirmed bool   `json:"confirmed"` // false: recalled, or tried by nobody here
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

// All returns every preset, sorted by sender.
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

// BySender returns the preset of a sender, false if there is none.
func BySender(name string) (Preset, bool) {
	all, err := parsed()
	if err != nil {
		panic(err) // the files are constants of the program, and a test reads them
	}
	for _, p := range all {
		if p.Sender == name {
			return p.clone(), true
		}
	}
	return Preset{}, false
}

// clone copies what a caller might change.
func (p Preset) clone() Preset {
	p.Rule.Fingerprint = slices.Clone(p.Rule.Fingerprint)
	p.Rule.Samples = slices.Clone(p.Rule.Samples)
	for i := range p.Rule.Samples {
		p.Rule.Samples[i].Headers = maps.Clone(p.Rule.Samples[i].Headers)
	}
	return p
}

// deliveries names the samples of a preset and their groups.
var deliveries = []struct{ file, group, name string }{
	{"sample", "A", "first delivery"}, {"copy", "A", "copy of it"}, {"other", "B", "another event"},
}

func parse(data []byte) (Preset, error) {
	archive, parts := txtar.Parse(data), map[string]string{}
	for _, f := range archive.Files {
		parts[f.Name] = string(f.Data)
	}
	p := Preset{Notes: strings.TrimSpace(string(archive.Comment)), Key: strings.TrimSpace(parts["key"])}
	rule, err := rules.Parse([]byte(parts["rule.yaml"]))
	if err != nil {
		return p, err
	}
	p.Rule, p.Sender, p.Title = *rule, rule.Sender, rule.Title
	var window struct {
		RetryWindow string `json:"retry_window"`
	}
	for _, into := range []any{&p.Facts, &window} {
		if err := json.Unmarshal([]byte(parts["facts.json"]), into); err != nil {
			return p, fmt.Errorf("facts.json: %w", err)
		}
	}
	if window.RetryWindow != "" {
		if p.Facts.RetryWindow, err = rules.ParseDuration(window.RetryWindow); err != nil {
			return p, fmt.Errorf("facts.json: %w", err)
		}
	}
	for _, d := range deliveries {
		s := rules.Sample{Group: d.group, Name: d.name, Body: parts[d.file+".json"]}
		if headers, ok := parts[d.file+".headers.json"]; ok {
			if err := json.Unmarshal([]byte(headers), &s.Headers); err != nil {
				return p, fmt.Errorf("%s.headers.json: %w", d.file, err)
			}
		}
		p.Rule.Samples = append(p.Rule.Samples, s)
	}
	return p, nil
}
