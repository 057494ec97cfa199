package ledger

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// Resume is called once when an engine starts, before it answers. Grants that were
// live when the last one stopped get a grace before anybody may take them over:
// their holders could not report. From then on the ledger notices when the machine
// slept. Where a server tells the time, the grace is not needed and Resume only asks
// for the time.
//
// Resume returns Busy and Corrupt. What it could not store then, the first claim has
// to store before it is answered.
func (l *Ledger) Resume(ctx context.Context) error {
	l.time.resume()
	err := l.read(ctx, func(r Reader) error {
		_, err := l.nowIn(ctx, r)
		return err
	})
	if err == nil && !l.time.isServed() {
		err = l.catchUp(ctx)
	}
	if err != nil {
		return fmt.Errorf("resume: %w", err)
	}
	return nil
}

// resume begins to notice gaps.
func (k *timekeeper) resume() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.engine, k.starting = true, true
	k.awake = k.clock.Read().Run
	k.beatAt, k.readAt = time.Now(), time.Time{}
}

// beat tells that the process runs. It reports whether something about the clock has
// to be stored or seen to.
func (k *timekeeper) beat() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.tell()
	k.beatAt = time.Now()
	if k.served {
		return false
	}
	s := k.stored
	// While the wall clock is behind, others can only tell how far from a high that is
	// young.
	old := k.offset > slack && k.told.Sub(s.high) > highEvery*2/3
	return k.owes() || old || !s.gap.end.Equal(k.putOff) || !s.clamped.Equal(s.accepted)
}

// catchUp stores what is owed. That is all that a claim waits for.
func (l *Ledger) catchUp(ctx context.Context) error {
	return l.checked.note(ctx, l.time.settle(ctx, l.store))
}

// PutOffStuck does what a gap or an accepted clock leaves to do row by row, beside the
// calls: keys in progress count as stuck only after their grace, and no wait is longer
// than it was asked for. [Ledger.Tend] calls it. To do it twice changes nothing.
//
// PutOffStuck returns Busy and Corrupt.
func (l *Ledger) PutOffStuck(ctx context.Context) error {
	if l.time.isServed() {
		return nil
	}
	s := l.time.state()
	if !s.clamped.Equal(s.accepted) {
		if err := l.clamp(ctx, s); err != nil {
			return fmt.Errorf("shorten waits: %w", err)
		}
	}
	if !s.gap.end.IsZero() {
		if err := l.putOffStuck(ctx, s.gap); err != nil {
			return fmt.Errorf("put off what counts as stuck: %w", err)
		}
	}
	l.time.seenTo(s.gap)
	return nil
}

// seenTo notes that the rows that a gap touched are done.
func (k *timekeeper) seenTo(g gap) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.putOff = g.end
}

func (k *timekeeper) state() clockState {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.stored
}

// putOffStuck moves the time from which on keys in progress count as stuck behind
// their grace.
func (l *Ledger) putOffStuck(ctx context.Context, g gap) error {
	q := RowQuery{State: Claimed, Order: ByChange, Limit: 200}
	return l.eachPage(ctx, q, func(tx Tx, row Row) error {
		until := row.until(g)
		after := until.Add(min(StuckGrace, row.Lease))
		if until.Equal(row.LeaseUntil) || !row.StuckAt.Before(after) {
			return nil
		}
		row.StuckAt = after
		_, err := tx.Replace(ctx, row) // changed meanwhile: then its new grant has its own time
		return err
	})
}

// eachPage hands rows to f, a page per transaction so that claims go on in between.
func (l *Ledger) eachPage(ctx context.Context, q RowQuery, f func(Tx, Row) error) error {
	for {
		var rows []Row
		err := l.write(ctx, func(tx Tx) (err error) {
			if rows, err = tx.Rows(ctx, q); err != nil {
				return err
			}
			for _, row := range rows {
				if err := f(tx, row); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil || len(rows) < q.Limit {
			return err
		}
		last := rows[len(rows)-1]
		q.After = Position{At: last.ChangedAt, ID: last.ID}
	}
}

// Tend looks after the ledger while an engine runs, until ctx ends: it notices sleep
// and a clock that was set, forgets finished keys whose keep time is over, and stores
// the highest time at the end. It tells pruned what was forgotten, and failed what it
// could not do and will try again; a claim that needs it to be done first is refused
// by itself.
func (l *Ledger) Tend(ctx context.Context, pruned func(PruneResult), failed func(error)) {
	var running sync.WaitGroup
	owed := make(chan struct{}, 1)
	// Storing and pruning may take long, and a beat that they held up would look like
	// sleep.
	running.Go(func() {
		everySecond(ctx, func() {
			if l.time.beat() {
				select {
				case owed <- struct{}{}:
				default: // the one before is not done yet
				}
			}
		})
	})
	running.Go(func() { l.tendPruning(ctx, pruned, failed) })
	for {
		err := l.PutOffStuck(ctx)
		if err == nil {
			select {
			case <-ctx.Done():
			case <-owed:
				err = l.catchUp(ctx)
			}
		}
		switch {
		case ctx.Err() != nil:
			running.Wait()
			l.rest(context.WithoutCancel(ctx), failed)
			return
		case err != nil:
			failed(fmt.Errorf("see to the time asleep: %w", err))
			_ = pauseFor(ctx, failedPause) // ended by ctx, which is looked at next
		}
	}
}

// failedPause is how long an engine waits before it tries again what it could not
// store. A claim that needs it stored tries at once.
const failedPause = 30 * time.Second

func everySecond(ctx context.Context, f func()) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			f()
		}
	}
}

// rest stores the highest time, so that the next start knows since when nobody could
// report.
func (l *Ledger) rest(ctx context.Context, failed func(error)) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	if l.time.isServed() {
		return
	}
	if err := l.time.settle(ctx, l.store); err != nil {
		failed(fmt.Errorf("store the time of the stop: %w", err))
	}
}

func (k *timekeeper) isServed() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.served
}
