package presets

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"dedupedesk/rules"
)

// mark tells one kind of delivery of one sender.
type mark struct {
	sender, kind string
	general      bool // of a format that many senders use
	program      *rules.Program
}

// general names the presets that are a format, not a company: a sender of that
// format with a preset of its own comes first.
var general = map[string]bool{"cloudevents": true, "standard-webhooks": true}

// marks compiles what tells the senders apart, once.
var marks = sync.OnceValues(compileMarks)

func compileMarks() ([]mark, error) {
	all, err := parsed()
	if err != nil {
		return nil, err
	}
	engine, err := rules.New()
	if err != nil {
		return nil, err
	}
	var out []mark
	for _, p := range all {
		for _, d := range p.Deliveries() {
			// One or of all conditions: CEL passes over those that fail for want of a field
			// where another holds.
			program, issues := engine.Compile(&rules.Rule{Key: `key("yes")`, When: "(" + strings.Join(d.marks, ") || (") + ")"})
			if issues != nil {
				return nil, fmt.Errorf("compile the marks of %s %s: %v", p.Sender, d.Kind, issues)
			}
			out = append(out, mark{p.Sender, d.Kind, general[p.Sender], program})
		}
	}
	return out, nil
}

// fits tells whether the event carries the mark. An event without the fields that
// the mark looks at does not.
func (m mark) fits(e rules.Event) bool {
	keyed, err := m.program.Keys(context.Background(), e)
	return err == nil && !keyed[0].Ignored
}

// Recognise returns the short name of the sender of an event, by its headers or its
// body. It returns false for an event that no preset knows, or more than one: a wrong
// guess would advise a wrong key. A format that many senders share is named only where
// no sender is known.
func Recognise(e rules.Event) (sender string, ok bool) {
	all, err := marks()
	if err != nil {
		panic(err) // the files are constants of the program, and a test reads them
	}
	var own, shared []string
	for _, m := range all {
		into := &own
		if m.general {
			into = &shared
		}
		if n := len(*into); (n == 0 || (*into)[n-1] != m.sender) && m.fits(e) {
			*into = append(*into, m.sender)
		}
	}
	if len(own) == 0 {
		own = shared
	}
	if len(own) != 1 {
		return "", false
	}
	return own[0], true
}

// For returns the kind of delivery that an event of this sender is, the usual one
// where no mark tells.
func (p Preset) For(e rules.Event) Delivery {
	all, err := marks()
	if err != nil {
		panic(err)
	}
	for _, m := range all {
		if m.sender != p.Sender || !m.fits(e) {
			continue
		}
		for _, d := range p.Others {
			if d.Kind == m.kind {
				return d
			}
		}
	}
	return p.Delivery
}
