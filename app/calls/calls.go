// Package calls remembers the newest calls of the claim endpoint, for the
// Connect page and for the question whether a real call ever came.
//
// # What it promises
//
// A call is kept without its key, its event and its password. The newest [Kept]
// calls live in memory and end with the engine. The time of the last call is
// also written down through the keep function, at most once a minute, so that a
// restart does not say that no call ever came.
//
// # Concurrency
//
// A [Book] may be used by any number of goroutines at once.
package calls

import (
	"sync"
	"time"
)

// Kept is how many calls are remembered.
const Kept = 50

// A Call is one answered call.
type Call struct {
	At     time.Time
	Route  string // "POST /v1/claim"
	Rule   string
	Status int    // HTTP
	Answer string // "claimed", or a problem's code
}

// A Book holds the newest calls.
type Book struct {
	now  func() time.Time
	keep func(time.Time)

	mu     sync.Mutex
	ring   []Call // oldest first
	last   time.Time
	keptAt time.Time
}

// NewBook returns an empty book. last is the time of the last call as written
// down earlier, zero for none; keep is called, on a goroutine of the caller, with
// the time to write down.
func NewBook(now func() time.Time, last time.Time, keep func(time.Time)) *Book {
	return &Book{now: now, last: last, keep: keep}
}

// Note adds a call, with the book's own time.
func (b *Book) Note(c Call) {
	b.mu.Lock()
	c.At = b.now()
	if len(b.ring) == Kept {
		b.ring = append(b.ring[:0], b.ring[1:]...)
	}
	b.ring = append(b.ring, c)
	b.last = c.At
	due := c.At.Sub(b.keptAt) >= time.Minute
	if due {
		b.keptAt = c.At
	}
	b.mu.Unlock()
	if due {
		b.keep(c.At)
	}
}

// Newest returns at most n calls, newest first.
func (b *Book) Newest(n int) []Call {
	b.mu.Lock()
	defer b.mu.Unlock()
	n = min(n, len(b.ring))
	out := make([]Call, n)
	for i := range out {
		out[i] = b.ring[len(b.ring)-1-i]
	}
	return out
}

// Last returns when the last call came, zero where none ever did.
func (b *Book) Last() time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.last
}
