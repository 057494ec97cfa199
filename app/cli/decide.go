package cli

import (
	"dedupedesk/ledger"
)

type decideCommand struct {
	Key      string `arg:"" help:"The event key."`
	Decision string `arg:"" enum:"finished,again,block,forget" help:"finished: the work is done. again: let it run again. block: keep it blocked. forget: as if it never came."`
	Why      string `required:"" placeholder:"TEXT" help:"Your reason, for those who ask later."`
	Rule     string `complete:"rule" placeholder:"NAME" help:"The rule that the key belongs to."`
	Name     string `placeholder:"NAME" help:"Who decides; your user name if not given."`
}

// Run records a person's decision.
func (d *decideCommand) Run(c *call) error {
	by := d.Name
	if by == "" {
		by = c.program.Person
	}
	l, err := c.openLedger()
	if err != nil {
		return err
	}
	k, err := l.Decide(c.ctx, ledger.DecideRequest{
		Rule: ruleName(d.Rule), Key: d.Key, Decision: ledger.Decision(d.Decision), By: by, Why: d.Why,
	})
	if err != nil {
		return err
	}
	body := map[string]any{"rule": ruleName(d.Rule), "key": d.Key, "decision": d.Decision, "by": by, "state": string(k.State)}
	return c.answer(body, "%s %s", d.Decision, d.Key)
}
