package triage

import (
	"context"
	"slices"
	"sync"
	"time"

	"dedupedesk/ledger"
)

// An Act is what a person decided, and why.
type Act struct {
	Decision ledger.Decision
	By, Why  string
	Undoes   string // id of the job that it takes back, or ""
}

// A Left is a key that was left alone.
type Left struct {
	Item
	Code ledger.Code // Changed, NotFound, or what went wrong
	Msg  string
}

// maxLeft is how many keys that were left alone are listed. All are counted.
const maxLeft = 1000

// Progress is how far a job is.
type Progress struct {
	ID        string
	Act       Act
	Words     string // of the filter, "" where the keys were ticked
	Total     int
	Done      int
	LeftAlone int
	Left      []Left // the first ones
	StartedAt time.Time
	EndedAt   time.Time // zero while it runs
	Cancelled bool      // by a person, or because the engine stopped
	UndoneBy  string    // id of the job that took it back, or ""
}

// Ended tells whether the job is over.
func (p Progress) Ended() bool { return !p.EndedAt.IsZero() }

// Undoable tells whether the job can be taken back: keys were marked as finished, and
// nobody took that back yet.
func (p Progress) Undoable() bool {
	return p.Ended() && p.Done > 0 && p.Act.Decision == ledger.Finished && p.UndoneBy == ""
}

// A Job decides on the keys of a selection.
type Job struct {
	mu    sync.Mutex
	p     Progress
	after []Item // the keys decided on, as they stood then
	stop  context.CancelFunc
	over  chan struct{}
}

// Progress returns how far the job is.
func (j *Job) Progress() Progress {
	j.mu.Lock()
	defer j.mu.Unlock()
	p := j.p
	p.Left = slices.Clone(p.Left)
	return p
}

// Cancel ends the job after the keys that are being decided on. Those not reached stay as
// they were.
func (j *Job) Cancel() {
	j.mu.Lock()
	if !j.p.Ended() {
		j.p.Cancelled = true
	}
	j.mu.Unlock()
	j.stop()
}

// Wait returns when the job is over, at the latest after d.
func (j *Job) Wait(d time.Duration) {
	late := time.NewTimer(d)
	defer late.Stop()
	select {
	case <-j.over:
	case <-late.C:
	}
}

// writers is how many decisions are under way at once. The store joins what comes at once
// into one commit.
const writers = 8

// run decides on items, several at a time, until all are done or ctx ends.
func (j *Job) run(ctx context.Context, l *ledger.Ledger, items []Item, now func() time.Time) {
	defer close(j.over)
	defer j.stop()
	next := make(chan Item)
	var wg sync.WaitGroup
	for range writers {
		wg.Go(func() {
			for item := range next {
				j.decide(ctx, l, item)
			}
		})
	}
feeding:
	for _, item := range items {
		select {
		case next <- item:
		case <-ctx.Done():
			break feeding
		}
	}
	close(next)
	wg.Wait()
	j.mu.Lock()
	defer j.mu.Unlock()
	j.p.EndedAt = now()
	j.p.Cancelled = j.p.Done+j.p.LeftAlone < j.p.Total
}

func (j *Job) decide(ctx context.Context, l *ledger.Ledger, item Item) {
	// What was begun is carried out: a cancelled write could have happened all the same.
	k, err := l.Decide(context.WithoutCancel(ctx), ledger.DecideRequest{
		Rule: item.Rule, Key: item.Key, Decision: j.p.Act.Decision, By: j.p.Act.By, Why: j.p.Act.Why, Fence: item.Fence, State: item.State,
	})
	j.mu.Lock()
	defer j.mu.Unlock()
	if err != nil {
		j.p.LeftAlone++
		if len(j.p.Left) < maxLeft {
			j.p.Left = append(j.p.Left, Left{Item: item, Code: ledger.CodeOf(err), Msg: ledger.MessageOf(err)})
		}
		return
	}
	j.p.Done++
	j.after = append(j.after, ItemOf(k))
}
