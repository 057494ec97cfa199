// Package session keeps who may use the pages: one-time codes and the browser
// sessions that they open.
//
// # What it promises
//
// A code opens one session, once, within [CodeLife]. A session has two secrets:
// an id, which the browser keeps as a cookie, and a header value, which the page
// keeps in its own storage. Cookies of 127.0.0.1 reach every port of this
// computer, so a change asks for both. Nothing is written to disk: the end of
// the engine ends all sessions.
//
// # Concurrency
//
// A [Book] may be used by any number of goroutines at once.
package session

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"sync"
	"time"
)

// A Role bounds what a session may do. Each includes the ones before it.
type Role string

// The roles.
const (
	Look   Role = "look"   // see everything
	Decide Role = "decide" // and decide on keys
	Change Role = "change" // and change rules, passwords and settings
)

var ranks = map[Role]int{Look: 1, Decide: 2, Change: 3}

// ParseRole returns the role of that name. ok is false for any other text.
func ParseRole(s string) (r Role, ok bool) {
	_, ok = ranks[Role(s)]
	return Role(s), ok
}

// Covers tells whether r may do what needs the role need.
func (r Role) Covers(need Role) bool { return ranks[r] >= ranks[need] }

// CodeLife is how long a one-time code may be used; SessionLife how long a
// session lasts after its last request.
const (
	CodeLife    = 5 * time.Minute
	SessionLife = 12 * time.Hour
)

// maxOpen bounds what a caller with the engine's secret can pile up.
const maxOpen = 1000

// A Session is who sits before a page.
type Session struct {
	Name string // signs decisions
	Role Role
}

// A Book holds the open codes and sessions.
type Book struct {
	now func() time.Time

	mu       sync.Mutex
	codes    map[[32]byte]entry
	sessions map[[32]byte]entry
}

type entry struct {
	Session
	header [32]byte
	until  time.Time
}

// NewBook returns an empty book. now is the wall clock.
func NewBook(now func() time.Time) *Book {
	return &Book{now: now, codes: map[[32]byte]entry{}, sessions: map[[32]byte]entry{}}
}

// NewCode returns a code that opens one session for s.
func (b *Book) NewCode(s Session) string {
	code := rand.Text()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.sweep(b.codes)
	b.codes[sha256.Sum256([]byte(code))] = entry{Session: s, until: b.now().Add(CodeLife)}
	return code
}

// Open trades a code for a session's two secrets. ok is false for a code that is
// unknown, used or too old.
func (b *Book) Open(code string) (id, header string, ok bool) {
	sum := sha256.Sum256([]byte(code))
	b.mu.Lock()
	defer b.mu.Unlock()
	e, found := b.codes[sum]
	delete(b.codes, sum)
	if !found || b.now().After(e.until) {
		return "", "", false
	}
	b.sweep(b.sessions)
	id, header = rand.Text(), rand.Text()
	e.header = sha256.Sum256([]byte(header))
	e.until = b.now().Add(SessionLife)
	b.sessions[sha256.Sum256([]byte(id))] = e
	return id, header, true
}

// Find returns the session with that id, and lets it live on.
func (b *Book) Find(id string) (s Session, ok bool) {
	e, ok := b.touch(id)
	return e.Session, ok
}

// FindForChange returns the session with that id where header is its own.
func (b *Book) FindForChange(id, header string) (s Session, ok bool) {
	e, ok := b.touch(id)
	sum := sha256.Sum256([]byte(header))
	if !ok || subtle.ConstantTimeCompare(sum[:], e.header[:]) != 1 {
		return Session{}, false
	}
	return e.Session, true
}

// touch looks an id up by its hash, so the look-up's timing tells nothing of it.
func (b *Book) touch(id string) (entry, bool) {
	sum := sha256.Sum256([]byte(id))
	b.mu.Lock()
	defer b.mu.Unlock()
	e, found := b.sessions[sum]
	if !found || b.now().After(e.until) {
		delete(b.sessions, sum)
		return entry{}, false
	}
	e.until = b.now().Add(SessionLife)
	b.sessions[sum] = e
	return e, true
}

// sweep drops what has ended, and where that is not enough, the oldest.
func (b *Book) sweep(m map[[32]byte]entry) {
	now := b.now()
	for k, e := range m {
		if now.After(e.until) {
			delete(m, k)
		}
	}
	for len(m) >= maxOpen {
		var oldest [32]byte
		first := true
		for k, e := range m {
			if first || e.until.Before(m[oldest].until) {
				oldest, first = k, false
			}
		}
		delete(m, oldest)
	}
}
