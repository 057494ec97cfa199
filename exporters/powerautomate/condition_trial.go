package powerautomate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"dedupedesk/exporters/wdl"
)

// A Trial is a condition with what it does on the person's event and on made ones.
type Trial struct {
	Line
	Sample   *wdl.LineResult // on the person's outputs; nil where there are none
	Variants []Variant
	Advice   []string // what the line says that it may not mean, each in a sentence
}

// A Variant is an event made from the person's own, or from the trigger's example
// where there is none, with another value in the field.
type Variant struct {
	Name    string          // a change by the flow's own account
	Outputs json.RawMessage // the whole event
	Now     time.Time       // the clock it was tried at
	Want    wdl.Outcome     // what is right: run, skip, or eval-error for a form no line can bear
	Result  wdl.LineResult  // what the line did, and why
	Note    string          // what to do about an error that cannot be helped; "" for none
}

// OK reports whether the line did what is right.
func (v Variant) OK() bool { return v.Result.Outcome == v.Want }

// OK reports whether the line did what is right on every made event.
func (t Trial) OK() bool {
	return !slices.ContainsFunc(t.Variants, func(v Variant) bool { return !v.OK() })
}

// Try writes the condition as [Pick.Line] does and works it out. outputs are the
// trigger outputs of a past run, or nil. It returns an error of wdl's for outputs
// that cannot be read, else an error in the same cases as Line.
func (p Pick) Try(outputs []byte, now time.Time) (Trial, error) {
	t, _ := FindTrigger(p.Trigger)
	base := t.Example
	if len(bytes.TrimSpace(outputs)) > 0 {
		base = outputs
		if _, err := wdl.Fields(outputs); err != nil {
			return Trial{}, err
		}
	} else {
		outputs = nil
	}
	r, c, err := p.read(outputs)
	if err != nil {
		return Trial{}, err
	}
	line, err := c.line(r)
	if err != nil {
		return Trial{}, err
	}
	trial := Trial{Line: line}
	if outputs != nil {
		result, err := c.try(line.Nested, outputs, now)
		if err != nil {
			return Trial{}, err
		}
		trial.Sample = &result
		trial.advise(result.Warnings)
	}
	for _, m := range r.made(c) {
		v, err := c.variant(line.Nested, base, m, now)
		if err != nil {
			return Trial{}, err
		}
		trial.Variants = append(trial.Variants, v)
	}
	trial.advise(c.notFound(outputs), c.spelling(line, trial.Variants))
	return trial, nil
}

// advise adds advice, each once.
func (t *Trial) advise(lists ...[]string) {
	for _, text := range slices.Concat(lists...) {
		if !slices.Contains(t.Advice, text) {
			t.Advice = append(t.Advice, text)
		}
	}
}

// notFound tells that the person's event has nothing at the path.
func (c clause) notFound(outputs []byte) []string {
	if outputs == nil || c.path == nil || c.kind != "" {
		return nil
	}
	return []string{"Your event holds nothing at " + c.name() + ", so nobody can see here whether the path is right and of what kind the field is. Paste an event that has a value there."}
}

// spelling compares the line with the designer's own way to write it.
func (c clause) spelling(l Line, variants []Variant) []string {
	if l.Slashed == "" {
		return nil
	}
	for _, v := range variants {
		r, err := c.try(l.Slashed, v.Outputs, v.Now)
		if err != nil || r.Outcome != v.Result.Outcome {
			return []string{"With slashes the line did not come to the same on the event \"" + v.Name + "\". Take the one with ?[ … ] after each name."}
		}
	}
	return nil
}

// try works a line out on one event.
func (c clause) try(line string, outputs []byte, now time.Time) (wdl.LineResult, error) {
	r, err := wdl.Test(outputs, []string{line}, wdl.Options{Now: now, Classic: c.classic})
	if err != nil {
		return wdl.LineResult{}, err
	}
	return r.Lines[0], nil
}

func (c clause) variant(line string, base []byte, m made, now time.Time) (Variant, error) {
	v := Variant{Name: m.name, Want: m.want, Now: now}
	if !m.at.IsZero() {
		v.Now = m.at
	}
	var err error
	if v.Outputs, err = m.outputs(base, c.path); err != nil {
		return v, err
	}
	if v.Result, err = c.try(line, v.Outputs, v.Now); err != nil {
		return v, err
	}
	if m.want == fails {
		v.Note = "No line can bear this form: the trigger fails and the flow does not start. Should events come like this, take the field out of the condition and test it inside the flow."
	}
	return v, nil
}

// outputs writes base with what m has at path.
func (m made) outputs(base []byte, path []string) (json.RawMessage, error) {
	if m.how == untouched || len(path) == 0 {
		return base, nil
	}
	root, err := object(base)
	if err != nil {
		return nil, err
	}
	at, last := root, len(path)-1
	for i, name := range path[:last] {
		name = spelled(at, name)
		if i == last-1 && m.how == flat {
			at[name] = m.set
			return json.Marshal(root)
		}
		if i == last-1 && m.how == hollow {
			at[name] = nil
			return json.Marshal(root)
		}
		inner, ok := at[name].(map[string]any)
		if !ok {
			inner = map[string]any{}
			at[name] = inner
		}
		at = inner
	}
	for name := range at { // no other spelling may stay
		if strings.EqualFold(name, path[last]) {
			delete(at, name)
		}
	}
	if m.how == holds {
		at[path[last]] = m.set
	}
	return json.Marshal(root)
}

// spelled returns the member of at that a path means by name: expressions read
// names without regard to capitals.
func spelled(at map[string]any, name string) string {
	if _, ok := at[name]; ok {
		return name
	}
	for _, other := range slices.Sorted(maps.Keys(at)) {
		if strings.EqualFold(other, name) {
			return other
		}
	}
	return name
}

// object reads outputs with every digit of their numbers.
func object(outputs []byte) (map[string]any, error) {
	d := json.NewDecoder(bytes.NewReader(outputs))
	d.UseNumber()
	var root map[string]any
	if err := d.Decode(&root); err != nil {
		return nil, fmt.Errorf("trigger outputs: %w", err)
	}
	return root, nil
}
