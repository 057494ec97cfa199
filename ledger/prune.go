package ledger

import (
	"context"
	"fmt"
	"time"
)

// Prune removes finished keys with their history: those finished longer ago than
// olderThan, or than their rule's keep time where olderThan is 0. Keys in any
// other state are never removed. It works in batches with pauses, so that claims
// go on meanwhile. With dryRun it removes nothing. It returns how many keys were,
// or would be, removed; on an error, how many were removed until then.
//
// Prune returns Invalid with field days for a negative time, Busy and Corrupt.
func (l *Ledger) Prune(ctx context.Context, olderThan time.Duration, dryRun bool) (int64, error) {
	if olderThan < 0 {
		return 0, invalid("days", "The age of keys to remove must be more than 0 days.")
	}
	var rules []Rule
	err := l.read(ctx, func(r Reader) (err error) {
		rules, err = r.AllRules(ctx)
		return err
	})
	var total int64
	for _, rule := range rules {
		if err != nil {
			break
		}
		age := olderThan
		if age == 0 {
			age = rule.Policy.Keep
		}
		before := l.Now().Add(-age)
		var n int64
		if dryRun {
			n, err = l.countDone(ctx, rule.ID, before)
		} else {
			n, err = l.pruneRule(ctx, rule.ID, before)
		}
		total += n
	}
	if err != nil {
		return total, fmt.Errorf("prune: %w", err)
	}
	return total, nil
}

func (l *Ledger) countDone(ctx context.Context, ruleID int64, before time.Time) (n int64, err error) {
	err = l.read(ctx, func(r Reader) error {
		n, err = r.DoneBefore(ctx, ruleID, before)
		return err
	})
	return n, err
}

const (
	pruneBatch = 500
	prunePause = 5 * time.Millisecond
)

func (l *Ledger) pruneRule(ctx context.Context, ruleID int64, before time.Time) (int64, error) {
	var total int64
	for {
		var n int64
		err := l.write(ctx, func(tx Tx) (err error) {
			n, err = tx.Prune(ctx, ruleID, before, pruneBatch)
			return err
		})
		if err != nil {
			return total, err
		}
		total += n
		if n < pruneBatch {
			return total, nil
		}
		select {
		case <-ctx.Done():
			return total, ctx.Err()
		case <-time.After(prunePause):
		}
	}
}
