// Package ledgertest is the contract of a [ledger.Store] as tests: a backend that
// passes [Run] gives the answers of the ledger's transition table, to one caller and
// to many at once.
//
// Tests that stand for a case of the collected reference cases carry its number:
// Peers07 is case 7 of the black-box catalogue. All of them tell the time by a clock
// that only they move, in UTC and whole milliseconds, and none looks at how long
// anything takes.
package ledgertest

import (
	"context"
	"sync"
	"testing"
	"time"

	"dedupedesk/ledger"
)

// Run checks the stores of one backend. It calls empty once per case; empty makes a
// database that holds the rule default alone, and returns what opens it, each time as
// another process would. Run closes what it opened.
func Run(t *testing.T, empty func(t *testing.T) (open func() ledger.Store)) {
	for _, group := range [][]testCase{
		claimCases, reportCases, plainCases, personCases, viewerCases,
		keepingCases, pauseCases, transferCases, ruleCases, tokenCases, storeCases, inputCases, clockCases, pruneCases, formerCases,
	} {
		for _, tt := range group {
			t.Run(tt.name, func(t *testing.T) {
				t.Parallel()
				tt.test(newBench(t, empty(t)))
			})
		}
	}
	t.Run("Model", func(t *testing.T) { runModel(t, empty) })
	t.Run("Formulas", func(t *testing.T) { runFormulas(t, empty) })
}

type testCase struct {
	name string
	test func(b *bench)
}

// A Clock stands still until a test moves it. It is a server's clock too, so that a
// store with a server tells the same time. It is safe for concurrent use.
type Clock struct {
	mu  sync.Mutex
	now time.Time
	ran time.Duration
}

// NewClock returns a clock at a time of no importance.
func NewClock() *Clock { return NewClockAt(time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)) }

// NewClockAt returns a clock at a time.
func NewClockAt(at time.Time) *Clock { return &Clock{now: at} }

// Now returns the time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Read returns the time, as wall clock and as time run.
func (c *Clock) Read() ledger.Reading {
	c.mu.Lock()
	defer c.mu.Unlock()
	return ledger.Reading{Wall: c.now, Run: c.ran}
}

// Of returns the time, whatever a server's is.
func (c *Clock) Of(time.Time) time.Time { return c.Now() }

// Step lets time pass.
func (c *Clock) Step(by time.Duration) { c.move(by, by) }

// Set sets the wall clock forward or back, as a person does, or as sleep does.
func (c *Clock) Set(by time.Duration) { c.move(by, 0) }

func (c *Clock) move(wall, ran time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now, c.ran = c.now.Add(wall), c.ran+ran
}

// MustClaim claims and stops the test unless that is granted.
func MustClaim(tb testing.TB, l *ledger.Ledger, req ledger.ClaimRequest) ledger.Answer {
	tb.Helper()
	a, err := l.Claim(context.Background(), req)
	if err != nil {
		tb.Fatalf("claim %q: %v", req.Key, err)
	}
	if !a.Run || a.Status != ledger.StatusClaimed || a.Token == "" {
		tb.Fatalf("claim %q: got %+v, want a grant", req.Key, a)
	}
	return a
}

const lease = 900 * time.Second

// A bench is what one case works on: a ledger with a rule named shop, whose policy is
// the default one, and its clock.
type bench struct {
	*testing.T
	open  func() ledger.Store
	l     *ledger.Ledger
	store ledger.Store
	clock *Clock
}

func newBench(t *testing.T, open func() ledger.Store) *bench {
	b := &bench{T: t, open: open, clock: NewClock()}
	b.start()
	t.Cleanup(b.stop)
	b.rule("shop", ledger.DefaultPolicy())
	return b
}

// start opens the ledger as a process that starts does.
func (b *bench) start() {
	b.store = b.open()
	b.l = ledger.New(b.store, b.clock, nil)
}

func (b *bench) stop() {
	if err := b.l.Close(); err != nil {
		b.Errorf("Close: %v", err)
	}
}

// restart is what another process finds after this one.
func (b *bench) restart() {
	b.stop()
	b.start()
}

func (b *bench) rule(name string, p ledger.Policy) ledger.Rule {
	b.Helper()
	r, err := b.l.PutRule(b.Context(), "", ledger.Rule{Name: name, Policy: p, Doc: []byte("{}")})
	if err != nil {
		b.Fatalf("PutRule %s: %v", name, err)
	}
	return r
}

// policy changes the policy of shop.
func (b *bench) policy(change func(*ledger.Policy)) {
	b.Helper()
	p := ledger.DefaultPolicy()
	change(&p)
	b.rule("shop", p)
}

// claim claims a key of shop and returns the answer, whatever it is.
func (b *bench) claim(key, owner string) ledger.Answer {
	b.Helper()
	a, err := b.l.Claim(b.Context(), ledger.ClaimRequest{Rule: "shop", Key: key, Owner: owner})
	if err != nil {
		b.Fatalf("Claim %s: %v", key, err)
	}
	if a.Run != (a.Status == ledger.StatusClaimed) || a.Run != (a.Token != "") {
		b.Errorf("Claim %s: run %v, token %q with status %q", key, a.Run, a.Token, a.Status)
	}
	if a.Reason == "" {
		b.Errorf("Claim %s: no reason", key)
	}
	return a
}

// grant claims a key of shop and stops unless that is granted.
func (b *bench) grant(key string) ledger.Answer {
	b.Helper()
	return MustClaim(b, b.l, ledger.ClaimRequest{Rule: "shop", Key: key})
}

func by(key, token string) ledger.Identity {
	return ledger.Identity{Rule: "shop", Key: key, Token: token}
}

func (b *bench) done(key, token, result string) (ledger.Answer, error) {
	return b.l.Done(b.Context(), ledger.DoneRequest{Identity: by(key, token), Result: []byte(result)})
}

func (b *bench) release(key, token string, after time.Duration) (ledger.Answer, error) {
	return b.l.Release(b.Context(), ledger.ReleaseRequest{Identity: by(key, token), Error: "it broke", RetryAfter: after})
}

func (b *bench) renew(key, token string) (ledger.Answer, error) {
	return b.l.Renew(b.Context(), ledger.RenewRequest{Identity: by(key, token)})
}

func (b *bench) decide(key string, d ledger.Decision) ledger.Key {
	b.Helper()
	k, err := b.l.Decide(b.Context(), ledger.DecideRequest{Rule: "shop", Key: key, Decision: d, By: "Ada", Why: "looked it up"})
	if err != nil {
		b.Fatalf("Decide %s %s: %v", key, d, err)
	}
	return k
}

func (b *bench) life(key string) ledger.Life {
	b.Helper()
	life, err := b.l.Key(b.Context(), "shop", key)
	if err != nil {
		b.Fatalf("Key %s: %v", key, err)
	}
	return life
}

func (b *bench) kinds(key string) []string {
	b.Helper()
	var kinds []string
	for _, e := range b.life(key).Events {
		kinds = append(kinds, e.Kind)
	}
	return kinds
}

// status checks the status of an answer that came without error.
func (b *bench) status(a ledger.Answer, err error, want ledger.Status) {
	b.Helper()
	if err != nil || a.Status != want {
		b.Fatalf("got %+v, %v, want status %q", a, err, want)
	}
}

// code checks the code of an error.
func (b *bench) code(err error, want ledger.Code) {
	b.Helper()
	if got := ledger.CodeOf(err); got != want {
		b.Fatalf("got code %q (%v), want %q", got, err, want)
	}
	if want != "" && ledger.MessageOf(err) == "" {
		b.Errorf("code %q without a message", want)
	}
}

func equal[T comparable](b *bench, what string, got, want T) {
	b.Helper()
	if got != want {
		b.Errorf("%s: got %v, want %v", what, got, want)
	}
}
