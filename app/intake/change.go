package intake

import (
	"context"
	"fmt"

	"dedupedesk/ledger"
	"dedupedesk/rules"
)

// A Change puts a rule file to use.
type Change struct {
	Name string // of the rule until now; "" = the file's own
	File *rules.Rule
	Why  ledger.Why // why the formula changed; WhyNone = as [Outlook.Why] proposes
	By   string     // who changes it; "" = not known
}

// An Outlook tells what a rule file would change in the rule that is in use.
type Outlook struct {
	Version int64      // of the rule in use; 0 = there is none
	Formula bool       // some events get another key
	Items   bool       // they are split another way: look-back only where both find as many items
	Keys    int64      // of the rule, which the formulas until now made; 0 = nothing to look back to
	Why     ledger.Why // the proposed reason; WhyNone = the formula makes the same keys, or there is none of it
}

// Outlook works out what file would change in the rule of that name, "" meaning the
// file's own. The proposed reason is Merged where the formula in use gives different
// events of the samples one key. Else it is Copies: that keeps what ran from running
// again.
//
// Outlook returns Busy and Corrupt, and what keeps the rule in use from being read.
func (in *Intake) Outlook(ctx context.Context, name string, file *rules.Rule) (Outlook, error) {
	if name == "" {
		name = file.Rule
	}
	versions, err := in.ledger.Versions(ctx, name)
	if ledger.CodeOf(err) == ledger.UnknownRule {
		return Outlook{}, nil
	}
	if err != nil {
		return Outlook{}, err
	}
	out := Outlook{Version: versions[0].Version}
	// A file that cannot be read makes no keys now, so there are none to look for.
	was, err := fileOf(ledger.Rule{Name: name, Doc: versions[0].Doc})
	if full := file.WithDefaults(); err != nil || was.Key == "" || sameKeys(was, &full) {
		return out, nil
	}
	out.Formula, out.Items = true, was.Each != file.Each
	if out.Keys, err = in.keysOf(ctx, name); err != nil {
		return Outlook{}, err
	}
	out.Why = in.proposed(ctx, was, file)
	return out, nil
}

// keysOf returns how many keys a rule has. Those of an archived one are not counted.
func (in *Intake) keysOf(ctx context.Context, name string) (int64, error) {
	uses, err := in.ledger.RuleUses(ctx)
	for _, u := range uses {
		if u.Rule == name {
			return u.Keys, err
		}
	}
	return 0, err
}

// proposed judges the formula that is left on the samples of the file that comes, or on
// its own where that has none.
func (in *Intake) proposed(ctx context.Context, was, file *rules.Rule) ledger.Why {
	judged := *was
	if len(file.Samples) > 0 {
		judged.Samples = file.Samples
	}
	for _, v := range in.engine.Judge(ctx, &judged).Verdicts {
		switch v.Code {
		case rules.VerdictEventsMerged, rules.VerdictConstantKey:
			if v.Fail {
				return ledger.Merged
			}
		}
	}
	return ledger.Copies
}

// ChangeRule checks a rule file and keeps it under c.Name. Where that is not the file's
// own name, the rule is renamed, or was already by the same call before. Where its
// formula changed for Copies, claims look for the key of the former formula too, for as
// long as finished keys are kept.
//
// ChangeRule returns an [*IssuesError] for a faulty formula, Invalid for what the ledger
// refuses, and UnknownRule for a rename of a rule that is not there. On all of them
// nothing was changed.
func (in *Intake) ChangeRule(ctx context.Context, c Change) (*Rule, error) {
	full := c.File.WithDefaults()
	if _, issues := in.engine.Compile(&full); len(issues) > 0 {
		return nil, &IssuesError{Rule: c.File.Rule, Issues: issues}
	}
	doc, err := c.File.JSON()
	if err != nil {
		return nil, fmt.Errorf("encode rule %q: %w", c.File.Rule, err)
	}
	// What is kept must be readable again, within the same bounds.
	if _, err := rules.Parse(doc); err != nil {
		return nil, err
	}
	kept := ledger.Rule{Name: c.File.Rule, Title: c.File.Title, Doc: doc, Policy: PolicyOf(&full)}
	var lr ledger.Rule
	for range tries {
		if lr, err = in.change(ctx, c, kept); ledger.CodeOf(err) != ledger.RuleChanged {
			break
		}
	}
	in.forget(nameOf(c.Name))
	if err != nil {
		return nil, err
	}
	in.forget(c.File.Rule)
	return in.load(ctx, lr.Name, nil)
}

// change works out why the formula changed, by the version in use, and saves the rule
// unless that is another one by then.
func (in *Intake) change(ctx context.Context, c Change, r ledger.Rule) (ledger.Rule, error) {
	look, err := in.Outlook(ctx, c.Name, c.File)
	if err != nil {
		return ledger.Rule{}, err
	}
	why := look.Why
	if look.Formula && c.Why != ledger.WhyNone {
		why = c.Why
	}
	return in.ledger.ChangeRule(ctx, ledger.RuleChange{Was: c.Name, Rule: r, Why: why, By: c.By, Base: look.Version})
}
