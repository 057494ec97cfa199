package exporters

import (
	"fmt"
	"slices"
	"time"
)

// A Setup is all that an exporter needs to know.
type Setup struct {
	Rule, Title string // Rule is "" where the person wants one setting without a rule
	Sender      string // who sends the events, as rule files name it: stripe; "" where it is not said
	Parts       []Part // the key as a list; empty without a rule
	Expressible bool   // false: the formula is more than Parts can say
	FoldCase    bool   // the rule ignores capitals: of its whole key, escapes too, it makes small letters

	// Each is the path of the list whose items get a key each; nil for one key of
	// the whole event. Paths of Parts that begin with "item" read the item then.
	Each []string

	// Splits tells of a rule that makes a key for each item of a list, which may be no
	// path: Each is empty then, and an event sent whole gets several answers.
	Splits bool

	// Outside holds what the rule's formulas read of an event beside its body, of its list,
	// condition and fingerprint too: headers, x-id or query, id. One name alone is any
	// field below it. Paths of Parts need not stand here again.
	Outside [][]string
	When    string // the formula of the condition; an event that does not meet it is ignored

	Lease         time.Duration // time allowed for one run
	OnExpiry      string        // next, ask
	Keep          time.Duration // how long finished keys are kept; 0 = 35 days, as of a rule that does not say
	Answer        string        // branch, wait, strict
	IfUnreachable string        // stop, go_on

	Here string // the endpoint's address on this computer, http://127.0.0.1:47821; "" where it is not known

	Details map[string]string // what the person typed, by Field.Name
	Samples []Sample
}

// KeepDays returns how many days a store of the platform keeps what is finished, so that
// no key is forgotten before the rule forgets it: whole days, and at least least.
func (s Setup) KeepDays(least int) int {
	const day = 24 * time.Hour
	keep := s.Keep
	if keep == 0 {
		keep = 35 * day
	}
	return max(least, int((keep+day-1)/day))
}

// A Field is one thing to ask the person for. If Choices is not empty, the
// answer is one of them and the first is the default.
type Field struct {
	Name, Label, Help, Example string
	Required                   bool
	WithRule                   bool     // matters to a setup with a rule alone
	Question                   bool     // one of the first questions: it decides the way
	Routes                     []string // the ways it matters to; nil for all
	// Only holds the answers of other fields, by their names, with which this one
	// matters; nil for any.
	Only    map[string][]string
	Choices []Choice
	Senders map[string]string // Setup.Sender to the choice that is its default
	Bars    map[string]Bar    // choices, by their values, that an answer to another field rules out
}

// A Bar rules a choice out where another field has one of the answers. Instead is the
// choice that is taken in its place.
type Bar struct {
	Other   Field
	Answers []string
	Instead string
}

// A Choice is one answer to a Field: what is stored, and what the person reads.
type Choice struct{ Value, Text string }

// A File is something to save and import.
type File struct {
	Name  string
	Data  []byte
	About string
}

// An Exporter makes checklists for one platform.
type Exporter interface {
	Name() string  // power-automate, make, sharepoint
	Title() string // the platform's own name
	About() string // one sentence
	Cloud() bool   // it runs on its vendor's computers, which cannot reach this one
	Fields() []Field

	// Ways returns the ways for s in the order of advice, each with its reason. At
	// least one of the platform's own is not blocked. A setup without a rule gets
	// those that need none.
	Ways(s Setup) []Way

	// Build returns the checklist for s on the way that [Chosen] returns. It returns
	// an *InputError for a detail that cannot be right, and blocks the steps that
	// lack a required one. A setup without a rule gets the settings that need none.
	Build(s Setup) (Checklist, error)
}

// An InputError tells which of the typed details is wrong, in words for the
// person who typed it.
type InputError struct {
	Field string // Field.Name, "" for the setup as a whole
	Msg   string
}

func (e *InputError) Error() string {
	if e.Field == "" {
		return e.Msg
	}
	return fmt.Sprintf("%s: %s", e.Field, e.Msg)
}

// Detail returns what was typed for f, its default where nothing was typed or another
// answer rules out what was, and an *InputError where the answer is none of its choices.
func (s Setup) Detail(f Field) (string, error) {
	v := s.Details[f.Name]
	if len(f.Choices) == 0 {
		return v, nil
	}
	has := func(v string) func(Choice) bool { return func(c Choice) bool { return c.Value == v } }
	switch open := f.open(s); {
	case v != "" && slices.ContainsFunc(open, has(v)):
		return v, nil
	case v == "" || slices.ContainsFunc(f.Choices, has(v)):
		return f.preset(s, open), nil
	}
	return "", &InputError{Field: f.Name, Msg: fmt.Sprintf("%q is not one of the choices.", v)}
}

// preset is the answer to f that is taken until a person gives one: the sender's, or the
// first, or what is taken instead of one that is ruled out.
func (f Field) preset(s Setup, open []Choice) string {
	for _, want := range []string{s.Details[f.Name], f.Senders[s.Sender], f.Choices[0].Value} {
		if slices.ContainsFunc(open, func(c Choice) bool { return c.Value == want }) {
			return want
		}
		if bar, ok := f.Bars[want]; ok {
			return bar.Instead
		}
	}
	return open[0].Value
}

// open are the choices that no other answer rules out.
func (f Field) open(s Setup) []Choice {
	if len(f.Bars) == 0 {
		return f.Choices
	}
	var list []Choice
	for _, c := range f.Choices {
		if bar, ok := f.Bars[c.Value]; !ok || !slices.Contains(bar.Answers, s.Answered(bar.Other)) {
			list = append(list, c)
		}
	}
	return list
}
