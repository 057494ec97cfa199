package cli

import (
	"encoding/json"

	"dedupedesk/app/body"
	"dedupedesk/ledger"
	"dedupedesk/rules"
)

// reportFlags name the key that is reported, and by whom. Without token and
// owner, only a grant made without them is meant.
type reportFlags struct {
	Key   string `arg:"" help:"The event key."`
	Rule  string `complete:"rule" placeholder:"NAME" help:"The rule that the key belongs to."`
	Owner string `placeholder:"ID" help:"The owner that the claim was made with."`
}

func (r reportFlags) identity(c *call) (ledger.Identity, error) {
	id := ledger.Identity{Rule: ruleName(r.Rule), Key: r.Key, Owner: r.Owner, Token: c.flags.grant()}
	id.Plain = id.Token == "" && id.Owner == ""
	if id.Plain && c.flags.URL != "" {
		return id, misuse("Through --url a key is closed by its token or owner. Give --token or --owner as at the claim.")
	}
	_, err := rules.CheckNamedKey(r.Key)
	return id, keyFault(err)
}

type doneCommand struct {
	reportFlags
	Result string `placeholder:"JSON" help:"What the work made, such as the new record's id. Copies get it as answer."`
}

// Run closes the key as finished.
func (d *doneCommand) Run(c *call) error {
	id, keeper, err := d.start(c)
	if err != nil {
		return err
	}
	a, err := keeper.done(c.ctx, ledger.DoneRequest{Identity: id, Result: resultOf(d.Result)})
	return c.report(a, err, "done", d.Key)
}

// resultOf takes JSON as it is and any other text as a JSON text.
func resultOf(s string) json.RawMessage {
	if s == "" {
		return nil
	}
	if _, err := rules.DecodeJSON([]byte(s)); err == nil {
		return json.RawMessage(s)
	}
	text, err := json.Marshal(s)
	if err != nil {
		return nil // text always encodes
	}
	return text
}

type releaseCommand struct {
	reportFlags
	Error      string `placeholder:"TEXT" help:"Why the work failed."`
	RetryAfter string `placeholder:"TIME" help:"How long the next try must wait."`
}

// Run gives the key back.
func (r *releaseCommand) Run(c *call) error {
	wait, err := duration("--retry-after", r.RetryAfter)
	if err != nil {
		return err
	}
	id, keeper, err := r.start(c)
	if err != nil {
		return err
	}
	a, err := keeper.release(c.ctx, ledger.ReleaseRequest{Identity: id, Error: r.Error, RetryAfter: wait})
	return c.report(a, err, "release", r.Key)
}

type renewCommand struct{ reportFlags }

// Run starts the time allowed anew.
func (r *renewCommand) Run(c *call) error {
	lease, err := c.flags.lease()
	if err != nil {
		return err
	}
	id, keeper, err := r.start(c)
	if err != nil {
		return err
	}
	a, err := keeper.renew(c.ctx, ledger.RenewRequest{Identity: id, Lease: lease})
	return c.report(a, err, "renew", r.Key)
}

func (r reportFlags) start(c *call) (ledger.Identity, keeper, error) {
	id, err := r.identity(c)
	if err != nil {
		return id, nil, err
	}
	k, err := c.keeper()
	return id, k, err
}

// report prints the answer to a report in the script's words: "done KEY".
func (c *call) report(a ledger.Answer, err error, word, key string) error {
	if err != nil {
		return err
	}
	if c.flags.Verbose && a.Reason != "" {
		c.say("%s", a.Reason)
	}
	return c.answer(body.ReportOf(a), "%s %s", word, key)
}
