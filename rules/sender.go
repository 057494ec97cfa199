package rules

import "slices"

// Sender is what is known of a kind of delivery from documents, beyond what samples
// show. Package presets writes them down, with their sources.
type Sender struct {
	Name  string // short, the first part of its keys: stripe
	Title string // as people write it: Stripe

	Key         string // formula for repeats of one message
	BusinessKey string // formula for once per order, charge or item; "" if there is none
	Choose      string // when to take the business key, in a sentence
	Each, When  string // of both

	// Changed lists the fields that differ when an event is sent again, as they stand
	// in a formula: body.pending_webhooks, headers["x-slack-retry-num"], or
	// item.attemptNumber for every item of Each.
	Changed []string
	TestIDs []TestID // what every press of the sender's test button carries
}

// TestID is a value by which a test is known.
type TestID struct {
	Field string // as it stands in a formula, item.… for an item of Each
	Value string // as it stands in a key
}

// WithSenders tells the engine of senders. find is asked with the sender that the
// rule names, which may be "", and a delivery; it returns false where it does not
// know. Without it the engine goes by names and by the samples alone.
func WithSenders(find func(name string, e Event) (Sender, bool)) Option {
	return func(engine *Engine) { engine.sender = find }
}

// senderOf finds the sender of the samples: that of the first one that can be read.
func (e *Engine) senderOf(name string, t *Tree) Sender {
	at := slices.Index(t.errs, nil)
	if at < 0 || e.sender == nil {
		return Sender{}
	}
	s, _ := e.sender(name, t.events[at])
	return s
}

// fieldsIn lists the fields that a formula reads, as they stand in it.
func fieldsIn(formula string) []string {
	tree, errs := plainTree(formula)
	if tree == nil || len(errs.GetErrors()) > 0 {
		return nil
	}
	var out []string
	for _, p := range pathsIn(tree.Expr()) {
		if roots[p[0]] && len(p) > 1 {
			out = append(out, pathText(p))
		}
	}
	return out
}

// has tells whether every field of a formula of this sender is in the tree, and in
// every sample. Those of items are not looked for.
func (t *Tree) has(formula string) bool {
	fields := fieldsIn(formula)
	return len(fields) > 0 && !slices.ContainsFunc(fields, func(text string) bool {
		f, ok := t.Find(text)
		return !(ok && len(f.Missing) == 0) && text[:min(5, len(text))] != "item."
	})
}
