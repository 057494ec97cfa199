package powerautomate

import (
	"dedupedesk/exporters"
	"dedupedesk/exporters/flowdef"
)

// A Paste is a scope that a person pastes into a flow.
type Paste struct {
	Seed    string         // the same seed gives the same text
	Scope   flowdef.Action // left alone where Blocked says why
	Blocked string
	Details []string // what the scope is made of

	After    string // what to choose once it is there; "" for nothing
	Why      string
	NotFixed string
	Checks   []exporters.Check
	Driven   string // against what it was driven here, a sentence; "" for nothing
}

// PasteSteps hand the scope over, to the classic designer and to the new one. It returns
// an error for a scope that the validator would not let pass, which is our own fault.
func PasteSteps(p Paste) ([]exporters.Step, error) {
	after := p.After
	if after != "" {
		after = " " + after
	}
	driven := p.Driven
	if driven != "" {
		driven += " "
	}
	classic := exporters.Step{
		ID: "paste-classic", Title: "Classic designer: paste the steps",
		Where:      "Copy the text of this step. In the flow, directly below the trigger: + New step > My clipboard, press Ctrl+V there, then click Run once." + after,
		ValueLabel: "Scope for My clipboard",
		Why:        p.Why,
		NotFixed:   "It is put into a flow that you have: take the old steps out of the flow, into the scope Work. " + p.NotFixed,
		Sources:    []exporters.Source{clipboardPage, actionsPage},
		Tried:      "Unofficial: the form of the clipboard is taken from a public browser extension and no page of Microsoft. " + driven + "Not pasted into Power Automate by us.",
		Blocked:    p.Blocked, Details: p.Details, Checks: p.Checks,
	}
	modern := classic
	modern.ID, modern.Title, modern.ValueLabel = "paste-new", "New designer: paste the steps", "Scope for Paste an action"
	modern.Where = "Copy the text of this step. In the flow, directly below the trigger: right-click the + > Paste an action (or Ctrl+V). If that stays grey, switch New designer off and take the step before." + after
	modern.NotFixed = "One of the two designers is enough. " + classic.NotFixed
	modern.Sources, modern.Checks = []exporters.Source{clipboardPage, designerPage}, nil
	if p.Blocked != "" {
		return []exporters.Step{classic, modern}, nil
	}
	var err error
	if classic.Value, err = flowdef.ClassicPaste(p.Seed, p.Scope); err != nil {
		return nil, err
	}
	if modern.Value, err = flowdef.NewPaste(p.Scope); err != nil {
		return nil, err
	}
	return []exporters.Step{classic, modern}, checkFile([]byte(classic.Value))
}

// StopsOnly says of a store of the platform's own that it cannot run anyway, where the
// rule wants that, and nothing else.
func StopsOnly(s exporters.Setup) []exporters.Check {
	if s.IfUnreachable != "go_on" {
		return nil
	}
	return []exporters.Check{{Result: exporters.Warn, Text: "The rule says to run anyway where nobody can be asked. This way stops the run then: a list that does not answer also does not take the row."}}
}

// WorkStep has the person's own steps put into the scope. result says where the id of
// what was made goes.
func WorkStep(result string) exporters.Step {
	return exporters.Step{
		ID: "work", Title: "Put your work in",
		Where:    "In the scope Work: add your own steps and delete Your work last. " + result + " Take the id alone, never the whole record: a report that is too long is refused.",
		Why:      "Only what stands inside Work is guarded, and only a failure inside Work gives the key back.",
		NotFixed: "If a step failed after it had half worked, the next run does that half again. Several steps that must not happen twice share one key here: give each a key of its destination's own, or a scope of its own.",
		Sources:  []exporters.Source{actionsPage}, Tried: exporters.NotTried,
	}
}
