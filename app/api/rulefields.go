package api

import (
	"dedupedesk/app/describe"
	"dedupedesk/ledger"
)

// whyFields are what stands in the address of a rule that is kept.
var whyFields = []describe.Field{
	{Name: "why", Title: "Why the formula changed", Kind: describe.Choice, Choices: []string{string(ledger.Copies), string(ledger.Merged)},
		Text: "copies: copies got through, so for the keep time the former formula's key is looked for too, and what ran does not run again. " +
			"merged: different events shared a key, so the former keys count no more. Without it, merged if the samples show it, else copies."},
}

// ruleFields are the members of a rule file.
var ruleFields = []describe.Field{
	{Name: "rule", Title: "Name", Kind: describe.Text, Needed: true, Example: "stripe-events", Text: "1 to 64 of a to z, 0 to 9, dot, underscore and dash."},
	{Name: "title", Title: "Title", Kind: describe.Text, Example: "Stripe events", Text: "What people read."},
	{Name: "sender", Title: "Sender", Kind: describe.Text, Example: "stripe", Text: "Who sends the events, by the name of its preset."},
	{Name: "key", Title: "Formula", Kind: describe.Text, Needed: true, Example: `key("stripe", body.id)`, Text: "What makes the event key."},
	{Name: "each", Title: "Each", Kind: describe.Text, Example: "body.lines", Text: "A list: one key is made for each of its items."},
	{Name: "when", Title: "When", Kind: describe.Text, Example: `body.status == "paid"`, Text: "An event that does not meet this is ignored."},
	{Name: "lease", Title: "Time allowed", Kind: describe.Duration, Example: "15m", Text: "5 seconds to 7 days."},
	{Name: "on_expiry", Title: "When the time is over", Kind: describe.Choice, Choices: []string{"next", "ask"}, Text: "Let the next copy run, or ask a person."},
	{Name: "max_attempts", Title: "Tries", Kind: describe.Whole, Example: 3, Text: "After so many a person decides. 0 is no limit."},
	{Name: "keep", Title: "Forget after", Kind: describe.Duration, Example: "35d", Text: "How long a finished key is known."},
	{Name: "answer", Title: "Answer profile", Kind: describe.Choice, Choices: []string{string(Branch), string(Wait), string(Strict)}, Text: "Which HTTP statuses decisions have."},
	{Name: "long_keys", Title: "Long keys", Kind: describe.Choice, Choices: []string{"", "sha256"}, Text: "A key over 255 characters is refused, or replaced by its hash."},
	{Name: "fold_case", Title: "Capitals do not count", Kind: describe.Flag, Text: "A and a are the same key, as in a SharePoint column."},
	{Name: "fingerprint", Title: "Fingerprint", Kind: describe.Parts, Example: []any{"body.amount"}, Text: "Formulas of contents that must be the same on every copy."},
	{Name: "if_unreachable", Title: "If it cannot be reached", Kind: describe.Choice, Choices: []string{"stop", "go_on"}, Text: "What exported steps do then."},
	{Name: "cost_per_double", Title: "Cost of a double", Kind: describe.Text, Example: "12.50 EUR", Text: "With it Home says what the copies stopped this week would have cost."},
	{Name: "keep_samples", Title: "Samples kept", Kind: describe.Whole, Text: "How many of the newest events that came to the rule's own address an engine keeps in its memory, to be shown on the page of their key; 0 keeps none."},
	{Name: "samples", Title: "Samples", Kind: describe.List, Text: "Deliveries with group, name, headers and body, by which the formula is judged."},
}
