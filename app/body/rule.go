package body

import (
	"encoding/json"

	"dedupedesk/ledger"
)

// A Rule is a rule: its file, and what the ledger adds.
type Rule struct {
	Rule      string          `json:"rule"`
	Title     string          `json:"title"`
	Version   int64           `json:"version"`
	ChangedAt string          `json:"changed_at"`
	File      json.RawMessage `json:"file,omitempty"` // none for default
}

// RuleOf returns the body of a rule.
func RuleOf(r ledger.Rule) Rule {
	return Rule{Rule: r.Name, Title: r.Title, Version: r.Version, ChangedAt: Stamp(r.ChangedAt), File: r.Doc}
}

// Value returns the rule that the body tells of, without its policy.
func (b Rule) Value() ledger.Rule {
	return ledger.Rule{Name: b.Rule, Title: b.Title, Version: b.Version, ChangedAt: Moment(b.ChangedAt), Doc: b.File}
}
