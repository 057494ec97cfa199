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
	File      json.RawMessage `json:"file,omitempty" doc:"The rule file. None for default."` // none for default
}

// RuleOf returns the body of a rule.
func RuleOf(r ledger.Rule) Rule {
	return Rule{Rule: r.Name, Title: r.Title, Version: r.Version, ChangedAt: Stamp(r.ChangedAt), File: r.Doc}
}

// Value returns the rule that the body tells of, without its policy.
func (b Rule) Value() ledger.Rule {
	return ledger.Rule{Name: b.Rule, Title: b.Title, Version: b.Version, ChangedAt: Moment(b.ChangedAt), Doc: b.File}
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
