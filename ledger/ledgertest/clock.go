package ledgertest

import (
	"fmt"
	"time"

	"dedupedesk/ledger"
)

// served reports whether the store's server tells the time. Its clock rules: nothing
// that happens to this machine's clock gives anybody a grace.
func (b *bench) served() (ok bool) {
	b.Helper()
	err := b.store.Read(b.Context(), func(r ledger.Reader) (err error) {
		_, ok, err = r.Now(b.Context())
		return err
	})
	b.code(err, "")
	return ok
}

// engine makes the bench's ledger that of an engine that starts.
func (b *bench) engine() {
	b.Helper()
	b.code(b.l.Resume(b.Context()), "")
	b.code(b.l.PutOffStuck(b.Context()), "")
}

// waits checks that a key is not given, and for how long.
func (b *bench) waits(key string, atMost time.Duration) {
	b.Helper()
	a := b.claim(key, "")
	if a.Status != ledger.StatusInProgress || a.RetryAfter < time.Second || a.RetryAfter > atMost {
		b.Fatalf("%s: %+v, want in progress for at most %v", key, a, atMost)
	}
}

// takesOver checks that a key is given to the next one.
func (b *bench) takesOver(key string) {
	b.Helper()
	if a := b.claim(key, ""); !a.TookOver {
		b.Fatalf("%s: %+v, want a takeover", key, a)
	}
}

var clockCases = []testCase{
	{"Peers50SleepGivesAGrace", func(b *bench) {
		b.engine()
		b.grant("a")
		b.clock.Set(2 * time.Hour)
		if b.served() {
			b.takesOver("a")
			return
		}
		b.waits("a", time.Minute)
		b.clock.Step(2*time.Minute - time.Millisecond)
		b.waits("a", time.Second)
		b.clock.Step(time.Millisecond)
		b.takesOver("a")
	}},
	{"TheGraceIsTheLeaseWhereThatIsShorter", func(b *bench) {
		if b.served() {
			return
		}
		b.engine()
		MustClaim(b, b.l, ledger.ClaimRequest{Rule: "shop", Key: "a", Lease: 10 * time.Second})
		b.clock.Set(time.Hour)
		b.waits("a", 10*time.Second)
		b.clock.Step(10 * time.Second)
		b.takesOver("a")
	}},
	{"WhatRanOutBeforeTheSleepGetsNoGrace", func(b *bench) {
		b.engine()
		b.grant("a")
		b.clock.Step(lease)
		b.grant("other") // tells the time before the sleep
		b.clock.Set(time.Hour)
		b.takesOver("a")
	}},
	{"InTheGraceItsOwnReportCounts", func(b *bench) {
		b.engine()
		a := b.claim("a", "run-1")
		b.clock.Set(time.Hour)
		again := b.claim("a", "run-1")
		if !b.served() {
			equal(b, "repeated", again.Repeated && again.Token == a.Token, true)
			equal(b, "until", again.LeaseUntil, b.clock.Now().Add(2*time.Minute))
			d, err := b.done("a", a.Token, "")
			b.status(d, err, ledger.StatusDone)
			equal(b, "late", d.Late, true)
		}
	}},
	{"InTheGraceNobodyIsAsked", func(b *bench) {
		if b.served() {
			return
		}
		b.policy(func(p *ledger.Policy) { p.OnExpiry = ledger.Ask })
		b.engine()
		b.grant("a")
		b.clock.Set(time.Hour)
		b.waits("a", time.Minute)
		b.clock.Step(2 * time.Minute)
		equal(b, "after it", b.claim("a", "").Status, ledger.StatusHeld)
	}},
	{"AKeyInItsGraceIsNotStuck", func(b *bench) {
		if b.served() {
			return
		}
		b.engine()
		b.grant("a")
		b.clock.Set(2 * time.Hour)
		b.restart()
		b.engine()
		equal(b, "stuck in the grace", b.life("a").Key.Stuck, false)
		b.clock.Step(4*time.Minute - time.Millisecond)
		equal(b, "still", b.life("a").Key.Stuck, false)
		b.clock.Step(time.Millisecond)
		equal(b, "after it", b.life("a").Key.Stuck, true)
	}},
	{"TwoSleepsInARowGiveOneGraceAfterTheSecond", func(b *bench) {
		if b.served() {
			return
		}
		b.engine()
		b.grant("a")
		b.clock.Set(time.Hour)
		b.waits("a", time.Minute)
		b.clock.Step(time.Minute)
		b.clock.Set(time.Hour)
		b.waits("a", time.Minute)
		b.clock.Step(2*time.Minute - time.Millisecond)
		b.waits("a", time.Second)
		b.clock.Step(time.Millisecond)
		b.takesOver("a")
	}},
	{"Peers51GraceAfterAStart", func(b *bench) {
		b.engine()
		b.grant("a")
		b.clock.Step(time.Minute)
		b.restart()
		b.engine()
		b.waits("a", time.Minute) // before its time is over
		b.clock.Step(lease - time.Minute)
		b.takesOver("a") // the grace was over before the lease
		b.grant("b")
		b.clock.Step(2 * lease)
		b.restart()
		b.engine()
		if b.served() {
			b.takesOver("b")
			return
		}
		b.waits("b", time.Minute)
		b.clock.Step(2 * time.Minute)
		b.takesOver("b")
	}},
	{"ACallOfTheCommandLineStartsNoGraceAndKeepsOne", func(b *bench) {
		b.engine()
		b.grant("a")
		b.grant("b")
		b.clock.Set(2 * time.Hour)
		b.restart() // no engine
		b.takesOver("a")
		if b.served() {
			return
		}
		b.restart()
		b.engine()
		b.restart() // finds the engine's gap in the store
		b.waits("b", time.Minute)
		b.clock.Step(2 * time.Minute)
		b.takesOver("b")
	}},
	{"AClockSetBackDoesNotStopTime", func(b *bench) {
		if b.served() {
			return
		}
		b.grant("a")
		at := b.clock.Now()
		b.clock.Set(-24 * time.Hour)
		b.clock.Step(lease - time.Millisecond)
		b.waits("a", time.Second)
		b.clock.Step(time.Millisecond)
		b.takesOver("a")
		equal(b, "time goes on", b.l.Now(), at.Add(lease))
		behind, err := b.l.ClockBehind(b.Context())
		b.code(err, "")
		equal(b, "behind", behind, 24*time.Hour)
		b.restart() // another process knows
		equal(b, "another process", b.life("a").Key.ClaimedAt, at.Add(lease))
		b.waits("a", time.Minute)
		b.clock.Step(lease)
		b.takesOver("a")
	}},
	{"AClockSetBackBetweenTwoProcesses", func(b *bench) {
		if b.served() {
			return
		}
		b.grant("a")
		b.stop()
		b.clock.Set(-24 * time.Hour)
		b.start()
		b.waits("a", time.Minute)
		behind, err := b.l.ClockBehind(b.Context())
		b.code(err, "")
		equal(b, "behind", behind, 24*time.Hour)
		b.clock.Step(lease)
		b.takesOver("a")
	}},
	{"AClockThatIsRepairedIsFollowed", func(b *bench) {
		if b.served() {
			return
		}
		b.grant("a")
		b.clock.Set(-time.Hour)
		b.waits("a", time.Minute)
		b.clock.Set(time.Hour)
		b.waits("a", time.Minute)
		behind, err := b.l.ClockBehind(b.Context())
		b.code(err, "")
		equal(b, "behind", behind, 0)
		equal(b, "time", b.l.Now(), b.clock.Now())
	}},
	{"SmallStepsBackAreNoMatter", func(b *bench) {
		if b.served() {
			return
		}
		b.grant("a")
		b.clock.Set(-20 * time.Second)
		b.restart()
		b.waits("a", time.Minute)
		behind, err := b.l.ClockBehind(b.Context())
		b.code(err, "")
		equal(b, "behind", behind, 0)
	}},
	{"APersonAcceptsTheClock", acceptsTheClock},
	{"AnAcceptedClockShortensWaits", func(b *bench) {
		if b.served() {
			return
		}
		a := b.grant("waiting")
		b.clock.Set(24 * time.Hour) // by mistake
		open := b.grant("open")
		_, err := b.release("waiting", a.Token, time.Hour)
		b.code(err, "")
		b.clock.Set(-24 * time.Hour)
		b.waits("open", time.Minute)
		by, err := b.l.AcceptClock(b.Context())
		b.code(err, "")
		equal(b, "by", by, 24*time.Hour)
		equal(b, "time", b.l.Now(), b.clock.Now())
		b.clock.Step(lease - time.Millisecond)
		b.waits("open", time.Second)
		b.clock.Step(time.Millisecond)
		b.takesOver("open")
		_, err = b.done("open", open.Token, "")
		b.code(err, ledger.Stale)
		b.clock.Step(time.Hour - lease - time.Millisecond)
		b.waits("waiting", time.Second)
		b.clock.Step(time.Millisecond)
		b.grant("waiting")
	}},
	{"AnAcceptedClockTakesNothingFromALongLease", func(b *bench) {
		if b.served() {
			return
		}
		MustClaim(b, b.l, ledger.ClaimRequest{Rule: "shop", Key: "long", Lease: 48 * time.Hour})
		until := b.life("long").Key.LeaseUntil
		b.clock.Set(24 * time.Hour)
		b.grant("other")
		b.clock.Set(-24 * time.Hour)
		_, err := b.l.AcceptClock(b.Context())
		b.code(err, "")
		equal(b, "until", b.life("long").Key.LeaseUntil, until)
	}},
	{"TheClocksStateThatCannotBeReadGrantsNothing", func(b *bench) {
		if b.served() {
			return
		}
		b.grant("a")
		b.code(b.l.PutSetting(b.Context(), "clock.high", "noon"), "")
		b.restart()
		_, err := b.l.Claim(b.Context(), ledger.ClaimRequest{Rule: "shop", Key: "b"})
		b.code(err, ledger.Corrupt)
	}},
}

// acceptsTheClock: what was accepted stays accepted, for other processes too.
func acceptsTheClock(b *bench) {
	by, err := b.l.AcceptClock(b.Context())
	b.code(err, "")
	equal(b, "nothing to accept", by, 0)
	if b.served() {
		return
	}
	b.grant("a")
	other := ledger.New(b.open(), b.clock, nil)
	defer func() { b.code(other.Close(), "") }()
	_, err = other.ClockBehind(b.Context()) // it knows the time before
	b.code(err, "")
	b.clock.Set(-24 * time.Hour)
	b.waits("a", time.Minute)
	_, err = b.l.AcceptClock(b.Context())
	b.code(err, "")
	a, err := other.Claim(b.Context(), ledger.ClaimRequest{Rule: "shop", Key: "a"})
	b.status(a, err, ledger.StatusInProgress) // by the time before it would be over
	for name, l := range map[string]*ledger.Ledger{"own": b.l, "other": other} {
		behind, err := l.ClockBehind(b.Context())
		b.code(err, "")
		equal(b, name+" behind", behind, 0)
		equal(b, name+" time", fmt.Sprint(l.Now()), fmt.Sprint(b.clock.Now()))
	}
	b.waits("a", time.Minute)
}
