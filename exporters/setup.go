package exporters

import (
	"fmt"
	"time"
)

// A Setup is all that an exporter needs to know.
type Setup struct {
	Rule, Title string // Rule is "" where the person wants one setting without a rule
	Parts       []Part // the key as a list; empty without a rule
	Expressible bool   // false: the formula is more than Parts can say
	FoldCase    bool   // the rule ignores capitals; see [Setup.KeyParts]

	Lease         time.Duration // time allowed for one run
	OnExpiry      string        // next, ask
	Answer        string        // branch, wait, strict
	IfUnreachable string        // stop, go_on

	Details map[string]string // what the person typed, by Field.Name
	Samples []Sample
}

// A Field is one thing to ask the person for. If Choices is not empty, the
// answer is one of them and the first is the default.
type Field struct {
	Name, Label, Help, Example string
	Required                   bool
	WithRule                   bool // matters to a setup with a rule alone
	Choices                    []string
}

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

	// Build returns the checklist for s. It returns an *InputError for a detail
	// that cannot be right, and blocks the steps that lack a required one. A setup
	// without a rule gets the settings that need none.
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

// Detail returns what was typed for f, its first choice where nothing was typed,
// and an *InputError where the answer is none of its choices.
func (s Setup) Detail(f Field) (string, error) {
	v := s.Details[f.Name]
	if len(f.Choices) == 0 {
		return v, nil
	}
	if v == "" {
		return f.Choices[0], nil
	}
	for _, c := range f.Choices {
		if v == c {
			return v, nil
		}
	}
	return "", &InputError{Field: f.Name, Msg: fmt.Sprintf("%q is not one of the choices.", v)}
}
