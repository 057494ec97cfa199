package admin

import (
	"context"

	"dedupedesk/frontend/page"
	"dedupedesk/ledger"
	"dedupedesk/rules"
)

// changed tells whether a rule file makes keys in another way than the one in use. A
// formula that is only spaced otherwise does not.
func changed(inUse, draft *rules.Rule) bool {
	return !sameFormula(inUse.Key, draft.Key) || inUse.Each != draft.Each || inUse.FoldCase != draft.FoldCase || inUse.LongKeys != draft.LongKeys
}

// askWhy asks why the formula of a rule in use is changed, where it has made keys: what
// was finished under them either stays known, or does not.
func (p *designer) askWhy(ctx context.Context, d *draft, inUse *page.InUseView, v *page.UseView) error {
	if inUse == nil || !inUse.Changed || inUse.Formula == "" {
		return nil
	}
	if inUse.Keys == "0" {
		v.Warning = "No event was seen under the formula in use yet, so nothing runs twice by this change. Steps in your tools that hold the key in their own language have to be changed too."
		return nil
	}
	look, err := p.Intake.Outlook(ctx, d.Of, &d.Rule)
	if err != nil {
		return err
	}
	why := look.Why
	if d.Why != ledger.WhyNone {
		why = d.Why
	}
	v.Why = page.WhyView{Keys: inUse.Keys, Merged: why == ledger.Merged, Keep: inWords(d.Rule.WithDefaults().Keep), Items: look.Items}
	switch {
	case d.Why != ledger.WhyNone:
	case look.Why == ledger.Merged:
		v.Why.Proposed = "Your samples show it: the formula in use gives different events one key."
	default:
		v.Why.Proposed = "Filled in as the safer answer: your samples do not show that different events share a key."
	}
	return nil
}
