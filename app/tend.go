package main

import (
	"context"

	"dedupedesk/ledger"
)

// tend does what an engine owes the ledger beside answering: it examines the key
// file, notices sleep and a clock that was set, and tells of keys that need a decision. The returned function ends that and
// waits for its end.
func (e *engine) tend(ctx context.Context) (end func()) {
	// Who cannot be reached or written to now may be in a moment: the calls say so
	// themselves, and the pages have to be up to show it.
	if err := e.ledger.Resume(ctx); err != nil {
		e.log.Error("the time since the last stop was not stored", "cause", err)
	}
	ctx, stop := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		told := make(chan struct{})
		go func() { defer close(told); e.alerts.Run(ctx) }()
		examined := make(chan struct{})
		go func() { defer close(examined); e.examine(ctx) }()
		e.ledger.Tend(ctx,
			func(res ledger.PruneResult) {
				e.metrics.Pruned(res.Removed)
				e.log.Info("forgot finished keys whose keep time is over", "pruned", res)
			},
			func(err error) { e.log.Error("tend the ledger", "cause", err) })
		<-examined
		<-told
	}()
	return func() { stop(); <-done }
}

// examine reads through the key file once, beside the first calls: it takes
// seconds at a million keys. What it finds stops the granting by itself.
func (e *engine) examine(ctx context.Context) {
	if err := e.ledger.Examine(ctx); err != nil && ctx.Err() == nil {
		e.log.Error("the key file was examined", "cause", err)
	}
	if n, ok, err := e.ledger.Setting(ctx, ledger.SeenUnreadable); err == nil && ok {
		e.log.Warn("rows of the script's own file could not be taken over; they stand in the table seen_unreadable", "rows", n)
	}
}
