package sqlite

import (
	"context"
	"runtime"
	"sync/atomic"

	"dedupedesk/ledger"
)

// Write runs f in a transaction that holds the write lock from its start. Calls that
// come at the same time share one, and its sync of the disk; each f is all or nothing
// by itself. f may run twice, on any goroutine, and sees what calls of its group
// wrote before it.
//
// Write waits up to ten seconds for its turn, or as long as ctx lasts. Once f runs,
// ctx no longer stops it: whoever gave up may find its claim granted. A panic of f is
// the caller's. Write is Corrupt from the first damage on that any call meets,
// whatever f would write, and Busy while another file is in the place of the one that
// was opened.
func (s *Store) Write(ctx context.Context, f func(ledger.Tx) error) error {
	return s.damage.note(s.writer.run(ctx, f))
}

// A call is one Write on its way.
type call struct {
	f     func(ledger.Tx) error
	stage atomic.Int32
	ended chan struct{} // closed once the rest is set

	err    error
	thrown any  // what f panicked with
	exited bool // f ended its goroutine
}

// The stages of a call. The caller may leave as long as it waits.
const (
	waits int32 = iota
	taken
	left
)

func newCall(f func(ledger.Tx) error) *call {
	return &call{f: f, ended: make(chan struct{})}
}

// end answers the caller.
func (c *call) end(err error) {
	c.err = err
	close(c.ended)
}

// result is what the caller gets once the call has ended. What f did to its goroutine
// it does to the caller's.
func (c *call) result() error {
	if c.thrown != nil {
		panic(c.thrown)
	}
	if c.exited {
		runtime.Goexit()
	}
	return c.err
}

// run has f done by the writer.
func (w *writer) run(ctx context.Context, f func(ledger.Tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	c := newCall(f)
	if w.alone(c) {
		return c.result()
	}
	ctx, cancel := context.WithTimeout(ctx, waitFor)
	defer cancel()
	if !w.queue.add(c) {
		return busy("The ledger is closed.", nil)
	}
	select {
	case <-c.ended:
	case <-ctx.Done():
		if c.stage.CompareAndSwap(waits, left) {
			if err := w.obstacle.Load(); err != nil {
				return *err
			}
			return ctx.Err()
		}
		<-c.ended
	}
	return c.result()
}
