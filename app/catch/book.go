// Package catch lets an editor wait for a real event: a program sends one to the
// claim endpoint's address for it, and the editor takes it as a sample. Nothing is
// claimed by that.
//
// # What it promises
//
// Deliveries are in memory alone and end with the wait, or with the engine. What
// proves a caller (passwords, cookies, signatures) is masked in the headers before
// anything is kept; bodies stay as they came, since any field may be the key. A wait ends [Longest] after it began, or [Patience] after its editor asked
// last; it holds at most [MostDeliveries], and [MostBytes] of them.
//
// # Concurrency
//
// A [Book] may be used by any number of goroutines at once.
package catch

import (
	"errors"
	"maps"
	"strings"
	"sync"
	"time"
)

// Bounds of a wait. A browser lets a page that nobody sees ask once a minute.
const (
	Longest        = 10 * time.Minute
	Patience       = 90 * time.Second
	MostWaits      = 8
	MostDeliveries = 20
	MostBytes      = 4 << 20
)

// Why a delivery is not taken.
var (
	ErrNobody = errors.New("no editor waits for an event")
	ErrFull   = errors.New("the editors that wait hold as much as they can")
)

// A Delivery is one event as it came, with the secrets of its headers masked.
type Delivery struct {
	At      time.Time
	Headers map[string]string
	Body    string
}

type wait struct {
	began, asked time.Time
	bytes        int
	caught       []Delivery
}

func (w *wait) over(now time.Time) bool {
	return now.Sub(w.began) >= Longest || now.Sub(w.asked) >= Patience
}

// A Book holds the waits of all editors.
type Book struct {
	now   func() time.Time
	mu    sync.Mutex
	waits map[string]*wait
}

// NewBook returns a book in which nobody waits. now need not be the ledger's time.
func NewBook(now func() time.Time) *Book { return &Book{now: now, waits: map[string]*wait{}} }

// Wait begins a wait under a name, or begins it anew. Where too many wait, the one
// that asked longest ago ends.
func (b *Book) Wait(name string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.now()
	b.waits[name] = &wait{began: now, asked: now}
	for len(b.waits) > MostWaits {
		oldest := name
		for other, w := range b.waits {
			if w.asked.Before(b.waits[oldest].asked) || oldest == name {
				oldest = other
			}
		}
		delete(b.waits, oldest)
	}
}

// Look returns how long a wait goes on, 0 where there is none or it is over. Asked
// by the editor itself, it goes on for [Patience] at least.
func (b *Book) Look(name string, editor bool) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	w, now := b.waits[name], b.now()
	if w == nil {
		return 0
	}
	if w.over(now) {
		delete(b.waits, name)
		return 0
	}
	if editor {
		w.asked = now
	}
	return w.began.Add(Longest).Sub(now)
}

// Has tells whether a delivery came to a wait.
func (b *Book) Has(name string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	w := b.waits[name]
	return w != nil && len(w.caught) > 0
}

// Take returns the earliest delivery of a wait and lets go of it, false where none
// came.
func (b *Book) Take(name string) (Delivery, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	w := b.waits[name]
	if w == nil || len(w.caught) == 0 {
		return Delivery{}, false
	}
	d := w.caught[0]
	w.caught, w.bytes = w.caught[1:], w.bytes-len(d.Body)
	return d, true
}

// Stop ends a wait with what it holds.
func (b *Book) Stop(name string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.waits, name)
}

// Waiting tells whether any editor waits.
func (b *Book) Waiting() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.waiting()
}

func (b *Book) waiting() bool {
	now := b.now()
	maps.DeleteFunc(b.waits, func(_ string, w *wait) bool { return w.over(now) })
	return len(b.waits) > 0
}

// Put hands a delivery to every editor that waits. It returns [ErrNobody] or
// [ErrFull] where none takes it.
func (b *Book) Put(headers map[string]string, body string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.waiting() {
		return ErrNobody
	}
	d, taken := Delivery{At: b.now(), Headers: Masked(headers), Body: body}, false
	for _, w := range b.waits {
		if len(w.caught) < MostDeliveries && w.bytes+len(body) <= MostBytes {
			w.caught, w.bytes, taken = append(w.caught, d), w.bytes+len(body), true
		}
	}
	if !taken {
		return ErrFull
	}
	return nil
}

// secretWords are in the names of headers that prove who sends.
var secretWords = []string{"authorization", "cookie", "signature", "hmac", "token", "secret", "password", "api-key", "apikey", "credential"}

// Mask stands for a secret.
const Mask = "(masked)"

// Masked returns headers with the values of those masked that prove who sends.
func Masked(headers map[string]string) map[string]string {
	out := maps.Clone(headers)
	for name := range out {
		for _, word := range secretWords {
			if strings.Contains(strings.ToLower(name), word) {
				out[name] = Mask
			}
		}
	}
	return out
}
