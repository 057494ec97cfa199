package lab

import (
	"context"
	"sync"
	"time"
)

// A ticker counts the time of a run. The steps of a tick have to be over before it goes
// on, so that no step is late for the one that it has to come before.
type ticker struct {
	alone bool // one run at a time: its waits move the time
	tick  time.Duration
	mu    sync.Mutex
	moved *sync.Cond
	now   int
	steps int         // under way
	due   map[int]int // runs that wait, by the tick that they wait for
	ended bool
	start time.Time
}

func newTicker(tick time.Duration) *ticker {
	t := &ticker{tick: tick, due: map[int]int{}, start: time.Now()}
	t.moved = sync.NewCond(&t.mu)
	return t
}

// begin notes that a step is under way, and returns when it began.
func (t *ticker) begin() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.steps++
	return t.now
}

// end notes that a step is over.
func (t *ticker) end() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.steps--
	t.moved.Broadcast()
}

// wait lets ticks pass between two steps. It returns when the next one began, or ctx's
// error.
func (t *ticker) wait(ctx context.Context, ticks int) (int, error) {
	t.end()
	if t.alone {
		pause(ctx, time.Duration(ticks)*t.tick)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	until := t.now + ticks
	if t.alone {
		t.now = until
	}
	if t.now >= until || t.ended {
		t.steps++
		return t.now, ctx.Err()
	}
	t.due[until]++ // the step is counted as soon as its tick comes
	for t.now < until && !t.ended {
		t.moved.Wait()
	}
	return t.now, ctx.Err()
}

// next goes on by one tick, when its time has come, and returns when the steps that were
// waiting for it are over.
func (t *ticker) next(ctx context.Context) error {
	t.settle()
	pause(ctx, time.Until(t.start.Add(time.Duration(t.now+1)*t.tick)))
	t.mu.Lock()
	t.now++
	t.steps += t.due[t.now]
	delete(t.due, t.now)
	t.moved.Broadcast()
	t.mu.Unlock()
	t.settle()
	return ctx.Err()
}

// settle waits until no step is under way.
func (t *ticker) settle() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for t.steps > 0 {
		t.moved.Wait()
	}
}

// stop lets every wait go, so that a run that was cancelled ends.
func (t *ticker) stop() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ended = true
	for at, n := range t.due {
		t.steps += n
		delete(t.due, at)
	}
	t.moved.Broadcast()
}

// pause returns after d, or when ctx ends.
func pause(ctx context.Context, d time.Duration) {
	if d <= 0 {
		return
	}
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
