package presets

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"dedupedesk/rules"
)

// Facts is what is known of a sender's deliveries. In facts.yaml a fact is written
// as {source: text}, and sources: names each source's page and the day it was read.
//
// A fact whose Text is "" is not known.
type Facts struct {
	EventID    Fact // what names an event, or what has to be put together
	NoEventID  bool // the sender gives its events no id: the key is put together, or needs help from the sender's side
	BusinessID Fact // what names the thing that the event is about
	// BusinessKey is the formula for once per order, charge or item; "" if the delivery
	// names no such thing. It goes with the rule's each and when.
	BusinessKey string
	Choose      string // when to take the business key; advice of the house

	Changes Fact // what differs when an event is sent again
	// Changed lists the same for programs: fields as they stand in a formula, such as
	// headers["x-slack-retry-num"], or item.attemptNumber of every item of the list.
	Changed []string

	Retries     Fact
	RetriedBy   Retrier
	RetryWindow rules.Duration // for how long it may be sent again; 0 if not known, or never
	KeepAdvice  string         // what else speaks for keeping finished keys long; may be ""

	Waits    Fact           // how long the sender waits for the answer
	WaitsFor rules.Duration // 0 if not known

	Hooks      Fact     // what several hooks on one source do
	HookFields []string // what differs between deliveries of one event to several hooks, written as in Changed

	Pitfalls []Fact // what goes wrong

	TestButton Fact
	TestIDs    []TestID // what every test carries

	Bodies string // where the deliveries of the preset come from
}

// Fact is one statement and where it stands.
type Fact struct {
	Text      string
	Source    string // the page
	Read      string // the day it was read, as 2026-10-31; "" if it was not
	Confirmed bool   // false: recalled and not read again
}

// TestID is a value by which a test is known.
type TestID struct {
	Field string `yaml:"field"` // as it stands in a formula
	Value string `yaml:"value"` // as it stands in a key
}

// Retrier says who sends an event again after a failure.
type Retrier string

// Who sends an event again.
const (
	BySenderItself Retrier = "sender"  // by itself, after a failure
	ByPerson       Retrier = "person"  // a person, by a button or a call; never by itself
	ByTrigger      Retrier = "trigger" // a trigger that asks again and again, and may see an item twice
	ByNobody       Retrier = "nobody"
	RetrierUnknown Retrier = "unknown"
)

// source is a page that facts stand on. Without a day it was not read.
type source struct {
	Page string `yaml:"page"`
	Read string `yaml:"read"`
}

// rawFact is {source: text}.
type rawFact struct{ source, text string }

// UnmarshalYAML implements [yaml.Unmarshaler].
func (f *rawFact) UnmarshalYAML(n *yaml.Node) error {
	var m map[string]string
	if err := n.Decode(&m); err != nil {
		return err
	}
	if len(m) != 1 {
		return fmt.Errorf("line %d: a fact is one source and its text", n.Line)
	}
	for f.source, f.text = range m {
	}
	return nil
}

// rawFacts is facts.yaml. That of a further kind is read over the sender's.
type rawFacts struct {
	Name      string            `yaml:"name"`
	Sources   map[string]source `yaml:"sources"`
	Recognise []string          `yaml:"recognise"`
	EventID   rawFact           `yaml:"event_id"`
	NoEventID bool              `yaml:"no_event_id"`
	Business  struct {
		ID     rawFact `yaml:"id"`
		Key    string  `yaml:"key"`
		Choose string  `yaml:"choose"`
	} `yaml:"business"`
	Changes struct {
		Says   rawFact  `yaml:"says"`
		Fields []string `yaml:"fields"`
	} `yaml:"changes"`
	Retries struct {
		Says   rawFact `yaml:"says"`
		By     Retrier `yaml:"by"`
		Window string  `yaml:"window"`
	} `yaml:"retries"`
	Keep  string `yaml:"keep"`
	Waits struct {
		Says rawFact `yaml:"says"`
		For  string  `yaml:"for"`
	} `yaml:"waits"`
	Hooks struct {
		Says   rawFact  `yaml:"says"`
		Fields []string `yaml:"fields"`
	} `yaml:"hooks"`
	Pitfalls []rawFact `yaml:"pitfalls"`
	Test     struct {
		Says rawFact  `yaml:"says"`
		IDs  []TestID `yaml:"ids"`
	} `yaml:"test"`
	Bodies string `yaml:"bodies"`
}

// read lays facts.yaml over what r holds already.
func (r *rawFacts) read(text string) error {
	r.Sources = maps.Clone(r.Sources)
	d := yaml.NewDecoder(strings.NewReader(text))
	d.KnownFields(true)
	return d.Decode(r)
}

var dayForm = regexp.MustCompile(`^20[0-9]{2}-[01][0-9]-[0-3][0-9]$`)

// facts checks what was read and looks the sources up.
func (r *rawFacts) facts() (Facts, error) {
	f := Facts{
		NoEventID: r.NoEventID, BusinessKey: r.Business.Key, Choose: r.Business.Choose, Changed: r.Changes.Fields,
		HookFields: r.Hooks.Fields,
		RetriedBy:  r.Retries.By, KeepAdvice: r.Keep, TestIDs: r.Test.IDs, Bodies: r.Bodies,
	}
	var faults []error
	look := func(field string, raw rawFact, needed bool) Fact {
		fact, err := r.fact(raw)
		if err == nil && needed && fact.Text == "" {
			err = errors.New("is missing")
		}
		if err != nil {
			faults = append(faults, fmt.Errorf("facts.yaml: %s %w", field, err))
		}
		return fact
	}
	f.EventID = look("event_id", r.EventID, true)
	f.BusinessID = look("business.id", r.Business.ID, true)
	f.Changes = look("changes.says", r.Changes.Says, true)
	f.Retries = look("retries.says", r.Retries.Says, true)
	f.Waits = look("waits.says", r.Waits.Says, r.Waits.For != "")
	f.Hooks = look("hooks.says", r.Hooks.Says, len(r.Hooks.Fields) > 0)
	f.TestButton = look("test.says", r.Test.Says, len(r.Test.IDs) > 0)
	for i, raw := range r.Pitfalls {
		f.Pitfalls = append(f.Pitfalls, look(fmt.Sprintf("pitfalls[%d]", i), raw, true))
	}
	span := func(field, text string, into *rules.Duration) {
		if text == "" {
			return
		}
		d, err := rules.ParseDuration(text)
		if err != nil {
			faults = append(faults, fmt.Errorf("facts.yaml: %s: %w", field, err))
		}
		*into = d
	}
	span("retries.window", r.Retries.Window, &f.RetryWindow)
	span("waits.for", r.Waits.For, &f.WaitsFor)
	return f, errors.Join(append(faults, r.check(&f)...)...)
}

// fact looks a fact's source up.
func (r *rawFacts) fact(raw rawFact) (Fact, error) {
	if raw.source == "" && raw.text == "" {
		return Fact{}, nil
	}
	s, ok := r.Sources[raw.source]
	switch {
	case !ok || s.Page == "":
		return Fact{}, fmt.Errorf("names the source %q, which has no page", raw.source)
	case s.Read != "" && !dayForm.MatchString(s.Read):
		return Fact{}, fmt.Errorf("was read on %q, which is no day", s.Read)
	case strings.TrimSpace(raw.text) == "":
		return Fact{}, errors.New("has no text")
	}
	return Fact{Text: strings.TrimSpace(raw.text), Source: s.Page, Read: s.Read, Confirmed: s.Read != ""}, nil
}

// check holds the values of facts against one another.
func (r *rawFacts) check(f *Facts) []error {
	var faults []error
	need := func(ok bool, msg string) {
		if !ok {
			faults = append(faults, errors.New("facts.yaml: "+msg))
		}
	}
	need(r.Name != "", "name is missing")
	need(len(r.Recognise) > 0, "recognise is missing")
	need(f.Bodies != "", "bodies is missing")
	need((f.BusinessKey == "") == (f.Choose == ""), "business has a key without choose, or choose without a key")
	need(slices.Contains([]Retrier{BySenderItself, ByPerson, ByTrigger, ByNobody, RetrierUnknown}, f.RetriedBy), "retries.by is none of the five")
	need(f.RetriedBy != ByNobody || f.RetryWindow == 0, "retries.by is nobody, and there is a window")
	for _, id := range f.TestIDs {
		need(id.Field != "" && id.Value != "", "test.ids lack field or value")
	}
	return faults
}

// clone copies the lists.
func (f Facts) clone() Facts {
	f.Changed, f.HookFields = slices.Clone(f.Changed), slices.Clone(f.HookFields)
	f.Pitfalls, f.TestIDs = slices.Clone(f.Pitfalls), slices.Clone(f.TestIDs)
	return f
}
