// Package calls keeps the log of the claim endpoint's calls: one line each in
// the engine's log, and the newest in memory for the Connect page.
//
// # What it promises
//
// A call is kept and logged without its key, its event and its password. In place of
// the key stands a short code, the same for all calls about one key of one rule until
// the engine stops, which tells nobody the key: it is made with a secret that is drawn
// at the start. The cause of a fault is logged where it is the house's own (status 500 and above)
// and never where it may quote what a caller sent. The newest [Kept] calls end
// with the engine. The time of the last call that was let in and not refused is written down
// through the keep function, at most once a minute, so that a restart does not
// say that no call ever came.
//
// # Concurrency
//
// A [Book] may be used by any number of goroutines at once. A [Call] belongs to
// the request that it is about.
package calls

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"log/slog"
	"net/http"
	"sync"
	"time"
)

// Kept is how many calls are remembered.
const Kept = 50

// A Call is one answered call.
type Call struct {
	At     time.Time
	Route  string // "POST /v1/claim"; "" where none was reached
	Rule   string
	Status int    // HTTP
	Answer string // "claimed", or a problem's code
	Key    string // the one key that the call was about, or ""; the book drops it
	Code   string // filled in by the book: the key's short code, 8 hexadecimal digits, or ""
	LetIn  bool   // it passed the guard
	From   string // the name of the password that came with it, or ""
	Cause  error  // of a fault; for the log alone

	Began time.Time     // on this process's own clock
	Took  time.Duration // filled in by the book
	Quiet bool          // counted only: neither logged nor remembered
	// Claims are the decisions that the call was answered, in order.
	Claims []Claim
}

// A Claim is one decision.
type Claim struct{ Rule, Status string }

type callKey struct{}

// With returns a context that carries c, so that whoever answers can say what
// came of the call.
func With(ctx context.Context, c *Call) context.Context {
	return context.WithValue(ctx, callKey{}, c)
}

// Of returns the call that ctx carries, or one that nobody reads.
func Of(ctx context.Context) *Call {
	if c, ok := ctx.Value(callKey{}).(*Call); ok {
		return c
	}
	return &Call{}
}

// A Book holds the newest calls.
type Book struct {
	now     func() time.Time
	keep    func(time.Time)
	log     *slog.Logger
	observe func(Call)
	secret  [32]byte // makes the short codes

	mu     sync.Mutex
	ring   [Kept]Call
	noted  int // how many calls ever were; the next one's place follows from it
	last   time.Time
	keptAt time.Time
}

// NewBook returns an empty book. last is the time of the last call as written
// down earlier, zero for none; keep is called, on the noting goroutine, with the
// time to write down.
func NewBook(now func() time.Time, last time.Time, keep func(time.Time), log *slog.Logger) *Book {
	b := &Book{now: now, last: last, keep: keep, log: log, observe: func(Call) {}}
	_, _ = rand.Read(b.secret[:]) // never fails, says its documentation
	return b
}

// code returns the short code of a key, "" for none.
func (b *Book) code(rule, key string) string {
	if key == "" {
		return ""
	}
	mac := hmac.New(sha256.New, b.secret[:])
	_, _ = mac.Write([]byte(rule + "\n" + key)) // a hash takes everything
	return hex.EncodeToString(mac.Sum(nil)[:4])
}

// Observe has each call told to f too, quiet ones included, on the noting goroutine.
// It is called before the book is used.
func (b *Book) Observe(f func(Call)) { b.observe = f }

// Note logs a call and remembers it, with the book's own time, unless it is quiet.
func (b *Book) Note(ctx context.Context, c Call) {
	c.Took = time.Since(c.Began)
	c.Code, c.Key = b.code(c.Rule, c.Key), ""
	b.observe(c)
	if c.Quiet {
		return
	}
	b.write(ctx, c)
	c.Cause, c.Claims = nil, nil
	b.mu.Lock()
	c.At = b.now()
	b.ring[b.noted%Kept] = c
	b.noted++
	real := c.LetIn && c.Status < http.StatusBadRequest
	if real {
		b.last = c.At
	}
	due := real && c.At.Sub(b.keptAt) >= time.Minute
	if due {
		b.keptAt = c.At
	}
	b.mu.Unlock()
	if due {
		b.keep(c.At)
	}
}

func (b *Book) write(ctx context.Context, c Call) {
	attrs := []slog.Attr{
		slog.String("route", c.Route), slog.String("rule", c.Rule), slog.Int("status", c.Status), slog.String("answer", c.Answer),
	}
	if c.Code != "" {
		attrs = append(attrs, slog.String("key", c.Code))
	}
	level := slog.LevelInfo
	if c.Status >= http.StatusInternalServerError {
		level = slog.LevelError
		attrs = append(attrs, slog.Any("cause", c.Cause))
	}
	b.log.LogAttrs(ctx, level, "call", attrs...)
}

// Newest returns at most n calls, newest first.
func (b *Book) Newest(n int) []Call {
	b.mu.Lock()
	defer b.mu.Unlock()
	n = min(n, b.noted, Kept)
	out := make([]Call, n)
	for i := range out {
		out[i] = b.ring[(b.noted-1-i)%Kept]
	}
	return out
}

// Last returns when the last call was let in and not refused, zero where none ever
// was.
func (b *Book) Last() time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.last
}
