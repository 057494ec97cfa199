package ledger

import (
	"context"
	"fmt"
	"strconv"
	"time"
)

// QuietFor is how long after a start or a wake nothing is pruned by itself: who was
// off may still send old events again.
const QuietFor = 15 * time.Minute

const (
	// pruneEvery is how often one ledger is pruned, whatever the number of engines.
	pruneEvery = 6 * time.Hour
	// pruneAgain is how soon an engine looks whether it is time.
	pruneAgain = 10 * time.Minute
	// longAgo is since when nobody has pruned if the clock ran ahead, or no engine ran.
	longAgo = 48 * time.Hour
	// pruneLater is how long is waited then. A clock that is a year ahead by mistake
	// must not forget every key before somebody sees it.
	pruneLater = 24 * time.Hour
)

// The settings of the automatic prune, in milliseconds: when it was last, and before
// when it is not.
const (
	settingPruned     = "ledger.pruned_at"
	settingPruneAfter = "ledger.prune_after"
)

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

// keep prunes, figures of old hours too, if no engine has for pruneEvery.
func (l *Ledger) keep(ctx context.Context) (PruneResult, error) {
	due := false
	err := l.write(ctx, func(tx Tx) (err error) {
		if due, err = l.pruneDue(ctx, tx); err != nil || !due {
			return err
		}
		now, err := l.nowIn(ctx, tx)
		if err != nil {
			return err
		}
		return tx.DropHours(ctx, now.Add(-HoursKept))
	})
	if err != nil || !due {
		return PruneResult{}, err
	}
	return l.PruneKept(ctx)
}

// pruneDue decides whether it is time, and notes that it was decided: of several
// engines one does the work, and a fault is tried again at the next turn, not every
// few minutes.
func (l *Ledger) pruneDue(ctx context.Context, tx Tx) (bool, error) {
	now, err := l.nowIn(ctx, tx)
	if err != nil {
		return false, err
	}
	values, err := tx.Settings(ctx, "ledger.prune")
	if err != nil {
		return false, err
	}
	last, after := milliTime(values[settingPruned]), milliTime(values[settingPruneAfter])
	switch {
	case last.IsZero(), last.After(now):
		// Never yet, or by a clock that was ahead.
		return false, tx.PutSetting(ctx, settingPruned, millis(now))
	case now.Sub(last) > longAgo && (after.Before(last) || after.Sub(now) > pruneLater):
		return false, tx.PutSetting(ctx, settingPruneAfter, millis(now.Add(pruneLater)))
	case now.Sub(last) < pruneEvery, now.Before(after) && after.Sub(now) <= pruneLater:
		return false, nil
	}
	return true, tx.PutSetting(ctx, settingPruned, millis(now))
}

// milliTime reads a time that millis wrote; anything else is the zero time.
func milliTime(text string) time.Time {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n == 0 {
		return time.Time{}
	}
	return time.UnixMilli(n).UTC()
}

// quietTime returns the time run and whether it was quiet for long enough.
func (k *timekeeper) quietTime() (run time.Duration, quiet bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	run = k.clock.Read().Run
	return run, run-k.awake >= QuietFor
}
