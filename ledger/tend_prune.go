package ledger

import (
	"context"
	"fmt"
	"time"
)

// QuietFor is how long after a start or a wake nothing is pruned by itself: who was
// off may still send old events again.
const QuietFor = 15 * time.Minute

const (
	// longGap is a gap after which a day is waited instead. A clock that is a year
	// ahead by mistake must not forget every key before somebody sees it.
	longGap = 48 * time.Hour
	// pruneEvery is how often one ledger is pruned, whatever the number of engines.
	pruneEvery = 6 * time.Hour
	// pruneAgain is how soon an engine looks whether it is time.
	pruneAgain = 10 * time.Minute
)

// settingPruned is when an engine pruned last, in milliseconds.
const settingPruned = "ledger.pruned_at"

// quietAfter returns how long after a gap nothing is pruned by itself.
func quietAfter(g gap) time.Duration {
	if g.end.Sub(g.begin) > longGap {
		return 24 * time.Hour
	}
	return QuietFor
}

// tendPruning prunes whenever it is time to, until ctx ends.
func (l *Ledger) tendPruning(ctx context.Context, pruned func(PruneResult), failed func(error)) {
	var looked time.Duration // by Reading.Run; 0 = never
	everySecond(ctx, func() {
		run, quiet := l.time.quietTime()
		if !quiet || (looked != 0 && run-looked < pruneAgain) {
			return
		}
		looked = run
		res, err := l.keep(ctx)
		if res.Removed > 0 {
			pruned(res)
		}
		if err != nil && ctx.Err() == nil {
			failed(fmt.Errorf("forget finished keys: %w", err))
		}
	})
}

// keep prunes if no engine has for pruneEvery.
func (l *Ledger) keep(ctx context.Context) (PruneResult, error) {
	due := false
	err := l.write(ctx, func(tx Tx) error {
		now, err := l.nowIn(ctx, tx)
		if err != nil {
			return err
		}
		text, _, err := tx.Setting(ctx, settingPruned)
		if err != nil {
			return err
		}
		// Written before the work: of several engines one does it, and a fault is tried
		// again at the next turn, not every few minutes.
		if due = text <= millis(now.Add(-pruneEvery)); !due {
			return nil
		}
		return tx.PutSetting(ctx, settingPruned, millis(now))
	})
	if err != nil || !due {
		return PruneResult{}, err
	}
	return l.PruneKept(ctx)
}

// quietTime returns the time run and whether it was quiet for long enough.
func (k *timekeeper) quietTime() (run time.Duration, quiet bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	run = k.clock.Read().Run
	return run, run-k.awake >= k.quiet
}
