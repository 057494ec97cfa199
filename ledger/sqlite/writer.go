package sqlite

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"
)

// A writer has one connection and one goroutine, which serves calls in groups. A
// group is one transaction: it begins at once with whoever waits, takes in who comes
// while it works, and commits. Who comes during the commit is the next group. As long
// as calls come one by one, each serves itself: to hand it to the goroutine and back
// would cost a third of what the disk takes.
//
// What serves holds the turn.
type writer struct {
	turn    sync.Mutex
	session *session
	queue   *queue
	pace    pace
	known   known
	schema  int // the newest that this program knows
	inserts *statements
	updates *statements
	fit     func() error      // why nothing may be written now
	note    func(error) error // remembers what an error tells of the file

	company  atomic.Int64          // when calls last came at once, in Unix nanoseconds
	commits  atomic.Int64          // groups that were committed
	obstacle atomic.Pointer[error] // what keeps the writer from beginning
	stopped  chan struct{}         // closed once nothing is served any more
	hold     time.Duration         // for how long a group takes calls in

	// The group at hand. It is kept here since a call may end the goroutine that
	// serves it, and another one goes on.
	ran   []*call // in the open transaction
	again []*call // to run once more: another call spoilt their transaction
}

// The bounds of a group, since its calls wait for one another.
const (
	maxGroup = 512
	maxHold  = 20 * time.Millisecond
)

// lonely is for how long no two calls came at once before one serves itself.
const lonely = 10 * time.Millisecond

func newWriter(s *session, schema int, fit func() error, note func(error) error) *writer {
	w := &writer{
		session: s, schema: schema, queue: newQueue(), fit: fit, note: note, hold: maxHold, stopped: make(chan struct{}),
		inserts: newStatements(insertText), updates: newStatements(updateText),
	}
	go w.serve()
	return w
}

// close waits for the calls that are there and closes the connection.
func (w *writer) close() error {
	w.queue.close()
	<-w.stopped
	w.turn.Lock() // for good: the connection is gone
	return w.session.close()
}

// serve does groups until the queue is closed and empty. A call may end the goroutine
// that serves it: then another one goes on.
func (w *writer) serve() {
	done := false
	defer func() {
		if !done {
			go w.serve()
		}
	}()
	for w.groups(); w.queue.await(); {
		w.groups()
	}
	done = true
	close(w.stopped)
}

// groups serves the calls that have to run again, then those that wait. The former
// get no company, so that no call makes others run more than twice.
func (w *writer) groups() {
	w.turn.Lock()
	defer w.turn.Unlock()
	for len(w.again) > 0 {
		w.group(true)
	}
	if w.queue.waiting() {
		w.group(false)
	}
	for len(w.again) > 0 {
		w.group(true)
	}
}

// group is one transaction.
func (w *writer) group(rerun bool) {
	if !w.begin(rerun) {
		return
	}
	defer w.pace.ended()
	began := time.Now()
	for c := w.next(rerun, began); c != nil; c = w.next(rerun, began) {
		if !w.attempt(c) {
			return
		}
	}
	w.commit()
}

// alone serves a call on its caller's goroutine, and reports whether it did. It does
// not where others are there, or have been of late, nor where another process writes.
func (w *writer) alone(c *call) bool {
	now := time.Now().UnixNano()
	if now-w.company.Load() < int64(lonely) {
		return false
	}
	if !w.turn.TryLock() {
		w.company.Store(now)
		return false
	}
	defer w.turn.Unlock()
	if w.queue.busy() {
		w.company.Store(now)
		return false
	}
	err := w.fit()
	if err == nil {
		w.pace.leaveGap()
		_, err = w.session.exec("BEGIN IMMEDIATE")
	}
	if locked(err) {
		return false
	}
	if err == nil {
		err = w.look()
	}
	if err != nil {
		w.rollback()
		c.end(w.note(fmt.Errorf("begin: %w", err)))
		return true
	}
	defer w.pace.ended()
	if w.attempt(c) {
		w.commit()
	}
	return true
}

// next returns the next call of the group, or nil where it is complete.
func (w *writer) next(rerun bool, began time.Time) *call {
	switch {
	case rerun && len(w.again) == 0:
		return nil
	case rerun:
		c := w.again[0]
		w.again = w.again[1:]
		return c
	case len(w.ran) == maxGroup, len(w.ran) > 0 && time.Since(began) > w.hold:
		return nil
	}
	return w.queue.next()
}

// begin starts a transaction and reports whether it did. Where it did not, whoever
// it was for has been told, or has left.
func (w *writer) begin(rerun bool) bool {
	err := w.fit()
	if err == nil {
		w.pace.leaveGap()
		var ok bool
		if ok, err = w.lock(rerun); !ok && err == nil {
			return false
		}
	}
	if err == nil {
		err = w.look()
	}
	if err == nil {
		return true
	}
	w.rollback()
	w.refuse(w.note(fmt.Errorf("begin: %w", err)))
	return false
}

// refuse tells everybody who is there that no transaction could begin.
func (w *writer) refuse(err error) {
	for _, c := range w.again {
		c.end(err)
	}
	w.again = nil
	for c := w.queue.next(); c != nil; c = w.queue.next() {
		c.end(err)
	}
}

// lock takes the write lock of the file. It tries, with short pauses of uneven length
// so that waiting programs do not step in time, as long as anybody waits for it.
func (w *writer) lock(rerun bool) (ok bool, err error) {
	defer w.obstacle.Store(nil)
	began := time.Now()
	for {
		_, err := w.session.exec("BEGIN IMMEDIATE")
		if !locked(err) {
			return err == nil, err
		}
		told := coded(fmt.Errorf("begin: %w", err))
		w.obstacle.Store(&told)
		switch {
		case rerun && time.Since(began) > waitFor:
			return false, err
		case !rerun && !w.queue.waiting():
			return false, nil
		}
		time.Sleep(pause())
	}
}

// pause is how long to wait before a lock is tried again.
func pause() time.Duration { return 200*time.Microsecond + rand.N(3*time.Millisecond) }

// look sees whether another connection has written since the last transaction. It
// returns Busy, then and later, where that was a newer program, which brought the file
// to a schema that this one does not know.
func (w *writer) look() error {
	version, err := w.session.number("PRAGMA data_version")
	if err != nil || version == w.known.version {
		return err
	}
	schema, err := w.session.number("PRAGMA user_version")
	if err != nil {
		return err
	}
	if schema > int64(w.schema) {
		return newer(int(schema), w.schema)
	}
	w.known.forget()
	w.known.version = version
	w.pace.others = time.Now()
	return nil
}

// attempt runs a call in the open transaction and reports whether the transaction is
// as it should be. Else it is undone, the call is told, and the others run again.
func (w *writer) attempt(c *call) (sound bool) {
	t := &turn{w: w}
	returned := false
	defer func() {
		t.over = true
		if !returned {
			c.thrown = recover()
			c.exited = c.thrown == nil
		}
		if sound = returned && t.failed == nil && (c.err == nil || !t.wrote); sound {
			w.ran = append(w.ran, c)
			return
		}
		w.rollback()
		w.again = append(w.ran, w.again...)
		w.ran = nil
		c.end(w.note(c.err))
	}()
	c.err = c.f(newTx(t))
	returned = true
	if t.failed != nil {
		_ = w.note(t.failed)
		if c.err == nil {
			c.err = t.failed
		}
	}
	return
}

// commit ends the transaction and tells its calls. What a call was refused for may be
// what another one of the group wrote, so if that is lost, so is the refusal.
func (w *writer) commit() {
	_, err := w.session.exec("COMMIT")
	if err != nil {
		err = w.note(fmt.Errorf("commit: %w", err))
		w.rollback()
	} else {
		w.commits.Add(1)
		w.known.settle()
	}
	if len(w.ran) > 1 {
		w.company.Store(time.Now().UnixNano())
	}
	for _, c := range w.ran {
		if err != nil {
			c.err = err
		}
		c.end(c.err)
	}
	clear(w.ran)
	w.ran = w.ran[:0]
}

// rollback undoes what is open. SQLite has done so by itself after some errors: then
// this one fails.
func (w *writer) rollback() {
	_, _ = w.session.exec("ROLLBACK")
	w.known.settle()
}
