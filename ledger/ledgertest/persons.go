package ledgertest

import (
	"fmt"
	"strings"
	"time"

	"dedupedesk/ledger"
)

var personCases = []testCase{
	{"Peers23DecidedFinished", func(b *bench) {
		token := b.hold("a")
		k := b.decide("a", ledger.Finished)
		equal(b, "state", k.State, ledger.Done)
		equal(b, "claim", b.claim("a", "").Status, ledger.StatusDone)
		_, err := b.done("a", token, "")
		b.code(err, ledger.Stale)
		equal(b, "no double run in this", strings.Contains(b.lastEvent("a").Text, "double run"), false)
	}},
	{"Peers24DecidedAgain", func(b *bench) {
		b.hold("a")
		before := b.life("a").Key
		k := b.decide("a", ledger.Again)
		equal(b, "generation", k.Generation, 2)
		equal(b, "state", k.State, ledger.Retryable)
		a := b.grant("a")
		equal(b, "fence is higher", a.Fence > before.Fence, true)
		equal(b, "attempt", a.Attempt, 1)
		e := b.event("a", ledger.EventDecidedAgain)
		equal(b, "by", e.By, "Ada")
		equal(b, "why", e.Text, "looked it up")
	}},
	{"Peers72AgainIsOneExtraRun", func(b *bench) {
		a := b.grant("a")
		_, err := b.done("a", a.Token, `{"id":7}`)
		b.code(err, "")
		b.decide("a", ledger.Again)
		second := b.grant("a")
		equal(b, "redelivery", b.claim("a", "").Status, ledger.StatusInProgress)
		_, err = b.done("a", a.Token, "")
		b.code(err, ledger.Stale)
		d, err := b.done("a", second.Token, `{"id":8}`)
		b.status(d, err, ledger.StatusDone)
		c := b.claim("a", "")
		equal(b, "then", c.Status, ledger.StatusDone)
		equal(b, "result", string(c.Result), `{"id":8}`)
		equal(b, "history", fmt.Sprint(b.kinds("a")), "[granted finished decided_again granted stale_done finished]")
	}},
	{"AgainAfterUsedUpAttempts", func(b *bench) {
		b.policy(func(p *ledger.Policy) { p.MaxAttempts = 1 })
		a := b.grant("a")
		_, err := b.release("a", a.Token, 0)
		b.code(err, "")
		equal(b, "held", b.claim("a", "").Status, ledger.StatusHeld)
		b.decide("a", ledger.Again)
		b.grant("a")
	}},
	{"DecidedBlock", func(b *bench) {
		a := b.grant("a")
		b.decide("a", ledger.Block)
		equal(b, "claim", b.claim("a", "").Status, ledger.StatusHeld)
		_, err := b.renew("a", a.Token)
		b.code(err, ledger.Stale)
		b.clock.Step(365 * 24 * time.Hour)
		equal(b, "for good", b.claim("a", "").Status, ledger.StatusHeld)
	}},
	{"Forgotten", func(b *bench) {
		a := b.grant("a")
		_, err := b.done("a", a.Token, "")
		b.code(err, "")
		b.claim("a", "")
		b.clock.Step(time.Minute)
		b.decide("a", ledger.Forget)
		_, err = b.l.Key(b.Context(), "shop", "a")
		b.code(err, ledger.NotFound)
		b.clock.Step(time.Minute)
		again := b.grant("a")
		equal(b, "fence starts again", again.Fence, 1)
		_, err = b.done("a", a.Token, "")
		b.code(err, ledger.Stale)
		equal(b, "history", fmt.Sprint(b.kinds("a")), "[granted finished forgotten granted stale_done]")
		equal(b, "arrivals went", len(b.life("a").Arrivals), 0)
	}},
	{"DecidedAsDrawn", func(b *bench) {
		b.grant("a")
		drawn := b.life("a").Key
		b.clock.Step(lease)
		b.grant("a")
		_, err := b.l.Decide(b.Context(), ledger.DecideRequest{Rule: "shop", Key: "a", Decision: ledger.Again,
			By: "Ada", Why: "x", Fence: drawn.Fence, State: drawn.State})
		b.code(err, ledger.Changed)
		equal(b, "state", b.life("a").Key.State, ledger.Claimed)
	}},
	{"DecisionsNeedANameAndAReason", func(b *bench) {
		b.grant("a")
		for field, req := range map[string]ledger.DecideRequest{
			"by":       {Rule: "shop", Key: "a", Decision: ledger.Again, Why: "x", By: " \n"},
			"why":      {Rule: "shop", Key: "a", Decision: ledger.Again, By: "Ada"},
			"decision": {Rule: "shop", Key: "a", Decision: "perhaps", By: "Ada", Why: "x"},
			"key":      {Rule: "shop", Decision: ledger.Again, By: "Ada", Why: "x"},
		} {
			_, err := b.l.Decide(b.Context(), req)
			b.code(err, ledger.Invalid)
			equal(b, "field", ledger.FieldOf(err), field)
		}
		_, err := b.l.Decide(b.Context(), ledger.DecideRequest{Rule: "shop", Key: "b", Decision: ledger.Again, By: "Ada", Why: "x"})
		b.code(err, ledger.NotFound)
	}},
	{"Bug43CrashIsStuckAfterTheGrace", func(b *bench) {
		b.grant("a")
		b.clock.Step(lease + ledger.StuckGrace - time.Millisecond)
		equal(b, "not yet", b.life("a").Key.Stuck, false)
		equal(b, "but expired", b.life("a").Key.Expired, true)
		b.clock.Step(time.Millisecond)
		equal(b, "stuck", b.life("a").Key.Stuck, true)
		equal(b, "why", b.life("a").Key.StuckWhy != "", true)
	}},
	{"GraceIsTheLeaseWhereThatIsShorter", func(b *bench) {
		MustClaim(b, b.l, ledger.ClaimRequest{Rule: "shop", Key: "a", Lease: 5 * time.Second})
		b.clock.Step(10*time.Second - time.Millisecond)
		equal(b, "not yet", b.life("a").Key.Stuck, false)
		b.clock.Step(time.Millisecond)
		equal(b, "stuck", b.life("a").Key.Stuck, true)
	}},
	{"ThreeEndedAttemptsAreStuck", func(b *bench) {
		for i := range 3 {
			a := b.grant("a")
			equal(b, "a live attempt is left alone", b.life("a").Key.Stuck, false)
			_, err := b.release("a", a.Token, 0)
			b.code(err, "")
			equal(b, fmt.Sprint("after ", i+1), b.life("a").Key.Stuck, i == 2)
		}
		b.grant("a")
		equal(b, "a fourth does not hide it", b.life("a").Key.Stuck, true)
	}},
	{"Bug48ReleasedAndNotTriedAgain", func(b *bench) {
		for name, tt := range map[string]struct{ window, stuck time.Duration }{
			"unknown": {-1, time.Hour}, "nobody": {0, 0}, "days": {72 * time.Hour, 72 * time.Hour},
		} {
			b.policy(func(p *ledger.Policy) { p.RetryWindow = tt.window })
			a := b.grant(name)
			_, err := b.release(name, a.Token, time.Minute)
			b.code(err, "")
			b.clock.Step(time.Minute + tt.stuck - time.Millisecond)
			equal(b, name+" not yet", b.life(name).Key.Stuck, false)
			b.clock.Step(time.Millisecond)
			equal(b, name, b.life(name).Key.Stuck, true)
			b.grant(name)
			equal(b, name+" claimed", b.life(name).Key.Stuck, false)
		}
	}},
	{"AChangedRetryWindowHoldsForWaitingKeys", func(b *bench) {
		a := b.grant("a")
		_, err := b.release("a", a.Token, 0)
		b.code(err, "")
		b.policy(func(p *ledger.Policy) { p.RetryWindow = 0 })
		equal(b, "stuck", b.life("a").Key.Stuck, true)
		b.policy(func(p *ledger.Policy) { p.RetryWindow = time.Hour })
		equal(b, "stuck", b.life("a").Key.Stuck, false)
	}},
	{"AgainIsNotStuckAtOnce", func(b *bench) {
		b.policy(func(p *ledger.Policy) { p.RetryWindow = 0 })
		b.grant("a")
		equal(b, "stuck", b.decide("a", ledger.Again).Stuck, false)
		b.clock.Step(time.Hour)
		equal(b, "after an hour", b.life("a").Key.Stuck, true)
	}},
}

// hold brings a key of shop to be held and returns the token of its grant.
func (b *bench) hold(key string) string {
	b.Helper()
	b.policy(func(p *ledger.Policy) { p.OnExpiry = ledger.Ask })
	a := b.grant(key)
	b.clock.Step(lease)
	if c := b.claim(key, ""); c.Status != ledger.StatusHeld {
		b.Fatalf("claim %s: got %+v, want held", key, c)
	}
	return a.Token
}

func (b *bench) event(key, kind string) ledger.Event {
	b.Helper()
	for _, e := range b.life(key).Events {
		if e.Kind == kind {
			return e
		}
	}
	b.Fatalf("%s has no event %s", key, kind)
	return ledger.Event{}
}

func (b *bench) lastEvent(key string) ledger.Event {
	b.Helper()
	all := b.life(key).Events
	return all[len(all)-1]
}
