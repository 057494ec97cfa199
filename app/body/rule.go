package body

import (
	"encoding/json"

	"dedupedesk/ledger"
)

// A Rule is a rule: its file, and what the ledger adds.
type Rule struct {
	Rule      string          `json:"rule" doc:"Its name."`
	Title     string          `json:"title" doc:"What people read."`
	Version   int64           `json:"version" doc:"One more with every change."`
	ChangedAt string          `json:"changed_at" format:"date-time" doc:"The newest change."`
	LookBack  string          `json:"look_back_until,omitempty" format:"date-time" doc:"Until then a claim looks for the keys of former formulas too. None where the formula never changed because copies got through."`
	LookNote  string          `json:"look_back_note,omitempty" doc:"What the look-back does not reach, in a sentence. None where it reaches all."`
	File      json.RawMessage `json:"file,omitempty" doc:"The rule file. None for default."` // none for default
}

// RuleOf returns the body of a rule.
func RuleOf(r ledger.Rule) Rule {
	b := Rule{Rule: r.Name, Title: r.Title, Version: r.Version, ChangedAt: Stamp(r.ChangedAt), File: r.Doc}
	if !r.FormerAt.IsZero() {
		b.LookBack = Stamp(r.FormerAt.Add(r.Policy.Keep))
	}
	return b
}

// Value returns the rule that the body tells of, without its policy: FormerAt is when
// the look-back ends.
func (b Rule) Value() ledger.Rule {
	return ledger.Rule{Name: b.Rule, Title: b.Title, Version: b.Version, ChangedAt: Moment(b.ChangedAt), FormerAt: Moment(b.LookBack), Doc: b.File}
}

// Rules are all live rules.
type Rules struct {
	Rules []Rule `json:"rules" doc:"The live rules, by name."`
}

// An Archived is a rule that was archived.
type Archived struct {
	Rule     string `json:"rule" doc:"Its name."`
	Archived bool   `json:"archived" doc:"Always true."`
}
