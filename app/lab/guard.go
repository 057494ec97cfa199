// Package lab runs the lab's experiments for people: it hands the program's own endpoint
// to the method that reserves first, and keeps the runs of the page.
//
// # What it promises
//
// One run at a time goes on in a [Book], which keeps the newest two results in memory. A
// run is cancelled within a step. No key of the program's ledger is touched: each run has
// a ledger of its own, which is removed.
//
// # Concurrency
//
// A Book may be used by any number of goroutines at once.
package lab

import (
	"context"
	"time"

	"dedupedesk/app/body"
	"dedupedesk/app/scratch"
	"dedupedesk/ledger"
	"dedupedesk/ledger/lab"
	"dedupedesk/rules"
)

// The rule of the lab: a run that ends half way waits for a person, since nobody can know
// whether its row was written.
const (
	ruleName = "lab"
	allowed  = rules.Duration(15 * time.Minute)
)

// Run makes an experiment in which Reserve asks an endpoint of its own over HTTP. It
// returns what [lab.Run] does.
func Run(ctx context.Context, n scratch.Needs, c lab.Config, told func(lab.Progress)) (*lab.Result, error) {
	return lab.Run(ctx, c, func(ctx context.Context) (lab.Guard, func() error, error) {
		e, err := scratch.Start(ctx, n)
		if err != nil {
			return nil, nil, err
		}
		err = e.PutRule(ctx, &rules.Rule{Rule: ruleName, Key: `key("lab", body.id)`, OnExpiry: string(ledger.Ask), Lease: allowed})
		return asked{e}, e.Close, err
	}, told)
}

// asked is a guard that is asked over HTTP.
type asked struct{ e *scratch.Endpoint }

func (a asked) Claim(ctx context.Context, key, owner string) (lab.Grant, error) {
	c, err := a.e.ClaimKey(ctx, ruleName, key, owner)
	return lab.Grant{Run: c.Run, Held: c.Status == string(ledger.StatusHeld), Token: c.Token}, err
}

func (a asked) Done(ctx context.Context, key string, g lab.Grant) error {
	return a.e.Done(ctx, body.Claim{Rule: ruleName, Key: key, Token: g.Token})
}

func (a asked) Release(ctx context.Context, key string, g lab.Grant) error {
	return a.e.Release(ctx, body.Claim{Rule: ruleName, Key: key, Token: g.Token})
}

func (a asked) Pass(d time.Duration) { a.e.Pass(d) }
