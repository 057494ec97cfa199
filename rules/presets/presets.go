// Package presets holds what is known of senders: which id tells their events
// apart, what changes between tries, how long they try, and a rule that follows
// from it.
//
// Each sender is one txtar file, embedded: a comment in words, the rule, the
// facts with their source and the day it was read, deliveries, and the key that
// the first of them must give. The package's test runs every rule on its
// deliveries, so a preset that is wrong about its own sample does not ship.
//
// A fact with Confirmed false was recalled and not read again, or not tried by
// anybody here; screens must say so.
//
// Errors of this package are faults of the house. What it returns is made anew
// for each call and may be changed by the caller.
package presets

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"strings"

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

// All returns every preset, sorted by sender.
func All() ([]Preset, error) {
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
		p, err := parse(string(data))
		if err != nil {
			return nil, fmt.Errorf("read the preset %s: %w", name, err)
		}
		out = append(out, p)
	}
	return out, nil
}

// BySender returns the preset of a sender, false if there is none.
func BySender(name string) (Preset, bool) {
	all, err := All()
	if err != nil {
		return Preset{}, false
	}
	for _, p := range all {
		if p.Sender == name {
			return p, true
		}
	}
	return Preset{}, false
}

// deliveries names the samples of a preset and their groups.
var deliveries = []struct{ file, group, name string }{
	{"sample", "A", "first delivery"}, {"copy", "A", "copy of it"}, {"other", "B", "another event"},
}

func parse(text string) (Preset, error) {
	notes, parts := split(text)
	p := Preset{Notes: strings.TrimSpace(notes), Key: strings.TrimSpace(parts["key"])}
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

// split takes a txtar archive apart: the comment, and the files by name.
func split(text string) (comment string, files map[string]string) {
	files = map[string]string{}
	name := ""
	for line := range strings.Lines(text) {
		if head, ok := strings.CutPrefix(strings.TrimSpace(line), "-- "); ok {
			if next, ok := strings.CutSuffix(head, " --"); ok {
				name = next
				files[name] = ""
				continue
			}
		}
		if name == "" {
			comment += line
		} else {
			files[name] += line
		}
	}
	return comment, files
}
