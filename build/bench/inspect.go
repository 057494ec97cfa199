package main

import (
	"context"
	"errors"
	"fmt"

	"dedupedesk/ledger"
)

// looked is how many keys of each view are looked at.
const looked = 50

// inspect looks through the ledger at a file that was filled with n keys: at the
// figures, at the file as a whole, and at the newest keys of each view and rule,
// whose history is read and whose copies are claimed.
func inspect(ctx context.Context, path string, n int) (err error) {
	l, err := open(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	if err := l.Examine(ctx); err != nil {
		return err
	}
	c, err := l.Counts(ctx)
	if err != nil {
		return err
	}
	total, open := int64(n+len(kinds())), int64(n/1000)
	// The model of an open key is still in progress, the others' time is over.
	if c.Total != total || c.InProgress != 1 || c.Stuck != open || c.Finished != total-open-1 {
		return fmt.Errorf("of %d keys, the figures are %+v", total, c)
	}
	for _, rule := range []string{ordersRule, ledger.DefaultRule} {
		for _, view := range []ledger.View{ledger.ViewFinished, ledger.ViewStuck} {
			p, err := l.Keys(ctx, ledger.KeyQuery{Rule: rule, View: view, Limit: looked})
			if err != nil {
				return err
			}
			for _, k := range p.Keys {
				if err := lookAt(ctx, l, k); err != nil {
					return fmt.Errorf("%s: %w", k.Key, err)
				}
			}
			if view == ledger.ViewFinished && len(p.Keys) == 0 {
				return fmt.Errorf("no finished key of the rule %s", rule)
			}
		}
	}
	return nil
}

// lookAt reads a key's history, and claims a finished one, which has to be refused.
func lookAt(ctx context.Context, l *ledger.Ledger, k ledger.Key) error {
	life, err := l.Key(ctx, k.Rule, k.Key)
	if err != nil {
		return err
	}
	if len(life.Events) == 0 || life.Events[0].Kind != ledger.EventGranted {
		return fmt.Errorf("its history begins with %+v", life.Events)
	}
	if int64(len(life.Arrivals)) != k.Copies {
		return fmt.Errorf("%d copies, %d arrivals", k.Copies, len(life.Arrivals))
	}
	if k.State != ledger.Done {
		return nil
	}
	a, err := l.Claim(ctx, ledger.ClaimRequest{Rule: k.Rule, Key: k.Key})
	if err == nil && (a.Run || a.Status != ledger.StatusDone || string(a.Result) != string(k.Result)) {
		err = fmt.Errorf("finished, and a copy is answered %s", a.Status)
	}
	return err
}
