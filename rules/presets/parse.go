package presets

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"
	"go.yaml.in/yaml/v3"

	"dedupedesk/rules"
)

// samples names the deliveries of a rule and their groups.
var samples = [...]struct{ part, group, name string }{
	{"sample", "A", "first delivery"}, {"copy", "A", "copy of it"}, {"other", "B", "another event"},
}

// parts is the files of one kind of delivery, by name; taking one out marks it as
// known.
type parts map[string]string

func (p parts) take(name string) (string, bool) {
	text, ok := p[name]
	delete(p, name)
	return text, ok
}

// parse reads one preset. It refuses a part that it does not know.
func parse(data []byte) (Preset, error) {
	archive := txtar.Parse(data)
	p := Preset{Notes: strings.TrimSpace(string(archive.Comment))}
	var kinds []string
	folders := map[string]parts{}
	for _, f := range archive.Files {
		kind, name, ok := strings.Cut(f.Name, "/")
		if !ok {
			kind, name = "", f.Name
		}
		if folders[kind] == nil {
			folders[kind] = parts{}
			kinds = append(kinds, kind)
		}
		folders[kind][name] = string(f.Data)
	}
	if len(kinds) == 0 || kinds[0] != "" || p.Notes == "" {
		return p, errors.New("it begins with notes and the usual delivery")
	}
	var sender rawFacts
	for _, kind := range kinds {
		facts := sender
		d, err := parseDelivery(kind, folders[kind], &facts)
		if err != nil {
			return p, fmt.Errorf("%s/: %w", kind, err)
		}
		if kind == "" {
			sender, p.Delivery = facts, d
			continue
		}
		p.Others = append(p.Others, d)
	}
	p.Sender, p.Name = p.Rule.Sender, sender.Name
	return p, nil
}

// parseDelivery reads one kind of delivery. facts holds those of the sender, and
// then those of this kind.
func parseDelivery(kind string, files parts, facts *rawFacts) (Delivery, error) {
	d := Delivery{Kind: kind}
	text, _ := files.take("rule.yaml")
	rule, err := rules.Parse([]byte(text))
	if err != nil {
		return d, fmt.Errorf("rule.yaml: %w", err)
	}
	d.Rule, d.Title = *rule, rule.Title
	if text, ok := files.take("facts.yaml"); ok {
		if kind != "" {
			facts.Recognise = nil // each kind is known by marks of its own
		}
		if err := facts.read(text); err != nil {
			return d, fmt.Errorf("facts.yaml: %w", err)
		}
	}
	if d.Facts, err = facts.facts(); err != nil {
		return d, err
	}
	d.marks = facts.Recognise
	if err := d.readSamples(files); err != nil {
		return d, err
	}
	if err := d.readKeys(files); err != nil {
		return d, fmt.Errorf("keys.yaml: %w", err)
	}
	for name := range files {
		return d, fmt.Errorf("the part %s is not known", name)
	}
	return d.clone(), nil
}

// readSamples reads the deliveries that prove the rule, and what is no event.
func (d *Delivery) readSamples(files parts) error {
	for _, s := range samples {
		sample, ok, err := files.sample(s.part)
		switch {
		case err != nil:
			return err
		case !ok && s.part == "copy":
			sample = d.Rule.Samples[0] // sent again unchanged
		case !ok:
			return fmt.Errorf("%s is missing", s.part)
		case sample.Headers == nil && s.part != "sample":
			sample.Headers = d.Rule.Samples[0].Headers
		}
		sample.Group, sample.Name = s.group, s.name
		d.Rule.Samples = append(d.Rule.Samples, sample)
	}
	s, ok, err := files.sample("no-event")
	if ok && err == nil {
		s.Name = "no event"
		d.NoEvent = &s
	}
	return err
}

// sample takes a delivery's body and headers out.
func (p parts) sample(name string) (rules.Sample, bool, error) {
	var s rules.Sample
	body, ok := p.take(name + ".json")
	if !ok {
		body, ok = p.take(name + ".body")
		body = strings.TrimSuffix(body, "\n")
	}
	s.Body = body
	if text, found := p.take(name + ".headers.json"); found {
		if err := json.Unmarshal([]byte(text), &s.Headers); err != nil {
			return s, ok, fmt.Errorf("%s.headers.json: %w", name, err)
		}
	}
	return s, ok || s.Headers != nil, nil
}

// readKeys reads what the deliveries must give.
func (d *Delivery) readKeys(files parts) error {
	type level struct {
		Sample []string `yaml:"sample"`
		Other  []string `yaml:"other"`
	}
	var keys struct {
		Event    level `yaml:"event"`
		Business level `yaml:"business"`
	}
	text, _ := files.take("keys.yaml")
	decoder := yaml.NewDecoder(strings.NewReader(text))
	decoder.KnownFields(true)
	if err := decoder.Decode(&keys); err != nil {
		return err
	}
	d.Keys, d.otherKeys = keys.Event.Sample, keys.Event.Other
	d.BusinessKeys, d.otherBusinessKeys = keys.Business.Sample, keys.Business.Other
	return nil
}
