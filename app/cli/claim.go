package cli

import (
	"dedupedesk/app/body"
	"dedupedesk/ledger"
)

type claimCommand struct {
	Key   string `arg:"" help:"The event key."`
	Rule  string `complete:"rule" placeholder:"NAME" help:"The rule that the key belongs to."`
	Owner string `placeholder:"ID" help:"Your id for this attempt. The same owner may ask again and closes the key without a token."`
}

// Run asks for the key. Without an owner, the caller is taken for one that cannot
// carry a token, as the script's callers are, unless --json shows it the token.
func (k *claimCommand) Run(c *call) error {
	lease, err := c.flags.lease()
	if err != nil {
		return err
	}
	keeper, err := c.keeper()
	if err != nil {
		return err
	}
	remote := c.flags.URL != ""
	d, err := keeper.claim(c.ctx, ledger.ClaimRequest{
		Rule: ruleName(k.Rule), Key: k.Key, Owner: k.Owner, Lease: lease, Plain: k.Owner == "" && !remote,
	})
	if err != nil {
		return err
	}
	if d.Run && remote && k.Owner == "" && !c.flags.JSON {
		c.say("Through --url a key is closed by its owner or token: add --owner ID to claim and done, or --json to see the token.")
	}
	if c.flags.Verbose || d.TookOver || needsPerson(d.Status) {
		c.say("%s", d.Reason)
	}
	word := "claimed"
	if !d.Run {
		word = "skip: already seen"
	}
	if err := c.answer(body.ClaimOf(d.Answer), "%s", word); err != nil || d.Run {
		return err
	}
	return errNo
}

// needsPerson tells the answers that no later copy will mend by itself.
func needsPerson(s ledger.Status) bool {
	return s == ledger.StatusHeld || s == ledger.StatusMismatch
}
