package cli

import (
	"dedupedesk/app/body"
	"dedupedesk/ledger"
)

type tokenCommand struct {
	New    tokenNew    `cmd:"" help:"Make a password and print it alone. It is shown this once."`
	List   tokenList   `cmd:"" help:"List passwords by their last four characters."`
	Revoke tokenRevoke `cmd:"" help:"End a password."`
}

type tokenNew struct {
	Name  string `arg:"" help:"What it is for, such as make-orders."`
	Scope string `enum:"claim,admin" default:"claim" help:"claim: reserve and finish keys. admin: also read keys and change rules."`
}

// Run makes a password.
func (t *tokenNew) Run(c *call) error {
	l, err := c.openLedger()
	if err != nil {
		return err
	}
	secret, made, err := l.NewToken(c.ctx, t.Name, ledger.Scope(t.Scope))
	if err != nil {
		return err
	}
	return c.answer(map[string]any{"name": made.Name, "scope": string(made.Scope), "token": secret}, "%s", secret)
}

type tokenList struct{}

// tokenBody is a password as --json shows it: never the secret.
type tokenBody struct {
	Name      string `json:"name"`
	Scope     string `json:"scope"`
	Last4     string `json:"last4"`
	CreatedAt string `json:"created_at"`
	RevokedAt string `json:"revoked_at,omitempty"`
	UsedAt    string `json:"used_at,omitempty"`
}

// Run lists passwords.
func (t *tokenList) Run(c *call) error {
	l, err := c.openLedger()
	if err != nil {
		return err
	}
	list, err := l.Tokens(c.ctx)
	if err != nil {
		return err
	}
	bodies := make([]tokenBody, len(list))
	rows := [][]string{{"NAME", "SCOPE", "ENDS IN", "MADE", "LAST USED", "ENDED"}}
	for i, k := range list {
		bodies[i] = tokenBody{k.Name, string(k.Scope), k.Last4, body.Stamp(k.CreatedAt), body.Stamp(k.RevokedAt), body.Stamp(k.UsedAt)}
		used := clock(k.UsedAt)
		if used == "" {
			used = "never"
		}
		rows = append(rows, []string{k.Name, string(k.Scope), k.Last4, clock(k.CreatedAt), used, clock(k.RevokedAt)})
	}
	if c.flags.JSON {
		return c.printJSON(map[string]any{"tokens": bodies})
	}
	if len(list) == 0 {
		c.say("There are no passwords yet. Make one with: dedupe token new NAME")
		return nil
	}
	return c.table(rows)
}

type tokenRevoke struct {
	Name  string `arg:"" complete:"password" help:"The password's name."`
	After string `placeholder:"TIME" help:"Let it work for this long, while the new one is put in place, such as 24h. At once if not given."`
}

// Run ends a password.
func (t *tokenRevoke) Run(c *call) error {
	after, err := duration("--after", t.After)
	if err != nil {
		return err
	}
	l, err := c.openLedger()
	if err != nil {
		return err
	}
	if err := l.RevokeToken(c.ctx, t.Name, after); err != nil {
		return err
	}
	return c.answer(map[string]any{"name": t.Name, "revoked": true, "after": int64(after.Seconds())}, "revoked %s", t.Name)
}
