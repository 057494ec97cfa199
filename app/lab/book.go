package lab

import (
	"context"
	"errors"
	"sync"
	"time"

	"dedupedesk/ledger/lab"
)

// ErrRunning is returned where a run goes on.
var ErrRunning = errors.New("a run goes on; cancel it first")

// A State is how the lab stands.
type State struct {
	Running  bool
	Config   lab.Config   // of the run that goes on, or of the newest
	Progress lab.Progress // of the run that goes on
	Result   *lab.Result  // of the newest run; nil before the first
	Before   *lab.Result  // of the one before it, or nil
	Fault    error        // why the newest run ended without a result
	Began    time.Time
}

// A Book holds the runs of the page.
type Book struct {
	run    func(context.Context, lab.Config, func(lab.Progress)) (*lab.Result, error)
	mu     sync.Mutex
	state  State
	cancel context.CancelFunc
	ended  chan struct{} // closed when no run goes on
}

// NewBook returns a book whose experiments run makes.
func NewBook(run func(context.Context, lab.Config, func(lab.Progress)) (*lab.Result, error)) *Book {
	over := make(chan struct{})
	close(over)
	return &Book{run: run, ended: over, state: State{Config: lab.Default()}}
}

// Start begins an experiment. It returns [ErrRunning] and what [lab.Config.Check] does.
func (b *Book) Start(c lab.Config) error {
	if err := c.Check(); err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.state.Running {
		return ErrRunning
	}
	ctx, cancel := context.WithCancel(context.Background())
	b.cancel, b.ended = cancel, make(chan struct{})
	b.state.Running, b.state.Config, b.state.Fault, b.state.Began, b.state.Progress = true, c, nil, time.Now(), lab.Progress{}
	go b.follow(ctx, c, b.ended)
	return nil
}

func (b *Book) follow(ctx context.Context, c lab.Config, ended chan struct{}) {
	defer close(ended)
	r, err := b.run(ctx, c, func(p lab.Progress) {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.state.Progress = p
	})
	b.mu.Lock()
	defer b.mu.Unlock()
	b.cancel()
	b.state.Running = false
	if b.state.Fault = err; err == nil {
		b.state.Before, b.state.Result = b.state.Result, r
	}
}

// Cancel ends the run that goes on, and returns when it has ended.
func (b *Book) Cancel() {
	b.mu.Lock()
	cancel, ended := b.cancel, b.ended
	b.mu.Unlock()
	if cancel != nil {
		cancel()
	}
	<-ended
}

// Close cancels what goes on.
func (b *Book) Close() { b.Cancel() }

// State returns how the lab stands.
func (b *Book) State() State {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.state
}
