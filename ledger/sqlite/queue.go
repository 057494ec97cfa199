package sqlite

import "sync"

// A queue holds the calls that wait for the writer, in their order. It is safe for
// concurrent use.
type queue struct {
	mu     sync.Mutex
	calls  []*call
	closed bool
	more   chan struct{} // holds something after a call was added or the queue closed
}

func newQueue() *queue { return &queue{more: make(chan struct{}, 1)} }

// add reports false where the queue is closed.
func (q *queue) add(c *call) bool {
	q.mu.Lock()
	open := !q.closed
	if open {
		q.calls = append(q.calls, c)
	}
	q.mu.Unlock()
	q.wake()
	return open
}

func (q *queue) wake() {
	select {
	case q.more <- struct{}{}:
	default:
	}
}

// next takes the oldest call whose caller still waits, or returns nil.
func (q *queue) next() *call {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.some() {
		c := q.calls[0]
		q.drop()
		if c.stage.CompareAndSwap(waits, taken) {
			return c
		}
	}
	return nil
}

// some reports whether there is a call whose caller still waits.
func (q *queue) some() bool {
	for len(q.calls) > 0 && q.calls[0].stage.Load() == left {
		q.drop()
	}
	return len(q.calls) > 0
}

// drop forgets the first call.
func (q *queue) drop() {
	q.calls[0] = nil
	if q.calls = q.calls[1:]; len(q.calls) == 0 {
		q.calls = nil
	}
}

// waiting reports whether any caller waits.
func (q *queue) waiting() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.some()
}

// busy reports whether any caller waits, or the queue is closed.
func (q *queue) busy() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.closed || q.some()
}

// await waits for a call, and reports false once the queue is closed and empty.
func (q *queue) await() bool {
	for {
		q.mu.Lock()
		some, closed := q.some(), q.closed
		q.mu.Unlock()
		if some || closed {
			return some
		}
		<-q.more
	}
}

// close lets no call in any more.
func (q *queue) close() {
	q.mu.Lock()
	q.closed = true
	q.mu.Unlock()
	q.wake()
}
