package ledgertest

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"dedupedesk/ledger"
)

// copyWith wants a copy that carries another fingerprint than the first claim, or
// none, to be stopped as a copy and not as a mismatch.
func (b *bench) copyWith(first, second string) {
	b.Helper()
	key := first + "/" + second
	for _, want := range []struct {
		print  string
		status ledger.Status
	}{{first, ledger.StatusClaimed}, {second, ledger.StatusInProgress}} {
		a, err := b.l.Claim(b.Context(), ledger.ClaimRequest{Rule: "shop", Key: key, Fingerprint: want.print})
		b.status(a, err, want.status)
	}
	equal(b, key+" mismatches", b.life(key).Key.Mismatches, 0)
}

var claimCases = []testCase{
	{"Peers01ClaimOnAnEmptyLedger", func(b *bench) {
		a := b.claim("a", "")
		equal(b, "status", a.Status, ledger.StatusClaimed)
		equal(b, "fence", a.Fence, 1)
		equal(b, "attempt", a.Attempt, 1)
		equal(b, "lease", a.LeaseUntil, b.clock.Now().Add(lease))
		equal(b, "first seen", a.FirstSeen, b.clock.Now())
	}},
	{"Peers02SecondClaimWaits", func(b *bench) {
		b.grant("a")
		a := b.claim("a", "")
		equal(b, "status", a.Status, ledger.StatusInProgress)
		equal(b, "retry after", a.RetryAfter, time.Minute)
		b.clock.Step(lease - 300*time.Millisecond)
		equal(b, "retry after near the end", b.claim("a", "").RetryAfter, time.Second)
		equal(b, "copies", b.life("a").Key.Copies, 2)
	}},
	{"Peers03OneOfManyIsGranted", oneOfMany},
	{"Peers04SeedMix", seedMix},
	{"Peers05DoneKeepsItsResult", func(b *bench) {
		a := b.grant("a")
		d, err := b.done("a", a.Token, `{"id":7}`)
		b.status(d, err, ledger.StatusDone)
		c := b.claim("a", "")
		equal(b, "status", c.Status, ledger.StatusDone)
		equal(b, "result", string(c.Result), `{"id":7}`)
	}},
	{"Peers07TakeoverAtTheBoundary", func(b *bench) {
		first := b.grant("a")
		b.clock.Step(lease - time.Millisecond)
		equal(b, "a millisecond before", b.claim("a", "").Status, ledger.StatusInProgress)
		b.clock.Step(time.Millisecond)
		second := b.claim("a", "")
		equal(b, "at the boundary", second.Status, ledger.StatusClaimed)
		equal(b, "took over", second.TookOver, true)
		equal(b, "fence", second.Fence, 2)
		equal(b, "other token", second.Token != first.Token, true)
		equal(b, "history", fmt.Sprint(b.kinds("a")), "[granted took_over]")
	}},
	{"Peers17LoopWithOneKeyTwice", func(b *bench) {
		equal(b, "first", b.claim("a", "run-1-item-1").Run, true)
		equal(b, "second", b.claim("a", "run-1-item-2").Status, ledger.StatusInProgress)
	}},
	{"LostAnswerIsGivenAgain", func(b *bench) {
		first := b.claim("a", "run-1")
		b.clock.Step(time.Minute)
		again := b.claim("a", "run-1")
		equal(b, "token", again.Token, first.Token)
		equal(b, "repeated", again.Repeated, true)
		equal(b, "lease", again.LeaseUntil, first.LeaseUntil)
		equal(b, "fence", again.Fence, 1)
		equal(b, "copies", b.life("a").Key.Copies, 0)
		b.clock.Step(lease)
		late := b.claim("a", "run-1")
		equal(b, "no repeat once it ran out", late.Repeated, false)
		equal(b, "but a takeover", late.TookOver, true)
	}},
	{"NoOwnerIsNeverARepeat", func(b *bench) {
		b.claim("a", "")
		equal(b, "status", b.claim("a", "").Status, ledger.StatusInProgress)
	}},
	{"Peers22AskHoldsAnExpiredKey", func(b *bench) {
		b.policy(func(p *ledger.Policy) { p.OnExpiry = ledger.Ask })
		first := b.grant("a")
		b.clock.Step(lease)
		equal(b, "status", b.claim("a", "").Status, ledger.StatusHeld)
		equal(b, "again", b.claim("a", "").Status, ledger.StatusHeld)
		k := b.life("a").Key
		equal(b, "state", k.State, ledger.Held)
		equal(b, "stuck", k.Stuck, true)
		equal(b, "copies", k.Copies, 2)
		_, err := b.renew("a", first.Token)
		b.code(err, ledger.Closed)
		d, err := b.done("a", first.Token, "")
		b.status(d, err, ledger.StatusDone)
		equal(b, "late", d.Late, true)
	}},
	{"Peers25AttemptsUsedUp", func(b *bench) {
		b.policy(func(p *ledger.Policy) { p.MaxAttempts = 3 })
		for range 3 {
			a := b.grant("a")
			r, err := b.release("a", a.Token, 0)
			b.status(r, err, ledger.StatusReleased)
		}
		a := b.claim("a", "")
		equal(b, "status", a.Status, ledger.StatusHeld)
		equal(b, "reason", a.Reason, "All attempts are used up (3 so far). It needs a decision by a person. Do not do the work.")
		equal(b, "state", b.life("a").Key.State, ledger.Held)
	}},
	{"AttemptsUsedUpByExpiry", func(b *bench) {
		b.policy(func(p *ledger.Policy) { p.MaxAttempts = 1 })
		b.grant("a")
		b.clock.Step(lease)
		equal(b, "status", b.claim("a", "").Status, ledger.StatusHeld)
	}},
	{"Peers27FingerprintDiffers", func(b *bench) {
		ask := func(print string) ledger.Answer {
			a, err := b.l.Claim(b.Context(), ledger.ClaimRequest{Rule: "shop", Key: "a", Fingerprint: print})
			b.code(err, "")
			return a
		}
		a := ask("fp1:10")
		_, err := b.done("a", a.Token, `1`)
		b.code(err, "")
		equal(b, "status", ask("fp1:11").Status, ledger.StatusMismatch)
		k := b.life("a").Key
		equal(b, "state", k.State, ledger.Done)
		equal(b, "result", string(k.Result), `1`)
		equal(b, "mismatches", k.Mismatches, 1)
		equal(b, "copies", k.Copies, 0)
	}},
	{"Peers29SameFieldsAreNoMismatch", func(b *bench) { b.copyWith("fp1:10", "fp1:10") }},
	{"Peers30WithoutAFingerprintNothingIsCompared", func(b *bench) {
		b.copyWith("fp1:10", "")
		b.copyWith("", "fp1:10")
	}},
	{"MismatchComesBeforeATakeover", func(b *bench) {
		claim := func(print string) ledger.Status {
			a, err := b.l.Claim(b.Context(), ledger.ClaimRequest{Rule: "shop", Key: "a", Fingerprint: print})
			b.code(err, "")
			return a.Status
		}
		claim("x")
		b.clock.Step(2 * lease)
		equal(b, "expired", claim("y"), ledger.StatusMismatch)
		equal(b, "same content takes over", claim("x"), ledger.StatusClaimed)
	}},
	{"Peers43RulesAreIndependent", func(b *bench) {
		b.rule("crm", ledger.DefaultPolicy())
		b.grant("a")
		MustClaim(b, b.l, ledger.ClaimRequest{Rule: "crm", Key: "a"})
		MustClaim(b, b.l, ledger.ClaimRequest{Key: "a"})
	}},
	{"LeaseOfTheRequestWins", func(b *bench) {
		a, err := b.l.Claim(b.Context(), ledger.ClaimRequest{Rule: "shop", Key: "a", Lease: 5 * time.Second})
		b.code(err, "")
		equal(b, "lease", a.LeaseUntil, b.clock.Now().Add(5*time.Second))
		b.clock.Step(5 * time.Second)
		equal(b, "took over", b.claim("a", "").TookOver, true)
	}},
	{"ArrivalsKeepTheNewestFifty", func(b *bench) {
		b.grant("a")
		for i := range 120 {
			b.clock.Step(time.Second)
			b.claim("a", fmt.Sprint("copy-", i))
		}
		life := b.life("a")
		equal(b, "copies", life.Key.Copies, 120)
		equal(b, "arrivals", len(life.Arrivals), ledger.MaxArrivals)
		for i, a := range life.Arrivals {
			equal(b, "owner", a.Owner, fmt.Sprint("copy-", 119-i))
			equal(b, "time", a.At, b.clock.Now().Add(-time.Duration(i)*time.Second))
			equal(b, "status", a.Status, ledger.StatusInProgress)
		}
	}},
}

// oneOfMany lets 64 callers ask for one new key, many times over.
func oneOfMany(b *bench) {
	for round := range 20 {
		var granted, waiting atomic.Int32
		var wg sync.WaitGroup
		start := make(chan struct{})
		key := fmt.Sprint("key-", round)
		for i := range 64 {
			wg.Go(func() {
				<-start
				a, err := b.l.Claim(b.Context(), ledger.ClaimRequest{Rule: "shop", Key: key, Owner: fmt.Sprint(i)})
				switch {
				case err != nil:
					b.Errorf("Claim: %v", err)
				case a.Run:
					granted.Add(1)
				case a.Status == ledger.StatusInProgress:
					waiting.Add(1)
				}
			})
		}
		close(start)
		wg.Wait()
		if granted.Load() != 1 || waiting.Load() != 63 {
			b.Fatalf("round %d: %d granted and %d waiting of 64", round, granted.Load(), waiting.Load())
		}
		equal(b, "copies", b.life(key).Key.Copies, 63)
	}
}

// seedMix is the article's test: 500 events, 678 deliveries, eight workers. Each
// worker claims, writes a row and reports it.
func seedMix(b *bench) {
	var deliveries []string
	for i := range 500 {
		copies := 1
		switch {
		case i%20 == 0: // 25 of them three times
			copies = 3
		case i%4 == 1 || i == 2 || i == 3 || i == 6: // 128 of them twice
			copies = 2
		}
		for range copies {
			deliveries = append(deliveries, fmt.Sprint("evt-", i))
		}
	}
	equal(b, "deliveries", len(deliveries), 678)
	var mu sync.Mutex
	rows := make(map[string]int)
	next := make(chan string)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for key := range next {
				a, err := b.l.Claim(b.Context(), ledger.ClaimRequest{Rule: "shop", Key: key})
				if err != nil {
					b.Errorf("Claim: %v", err)
				}
				if !a.Run {
					continue
				}
				mu.Lock()
				rows[key]++
				mu.Unlock()
				if _, err := b.done(key, a.Token, ""); err != nil {
					b.Errorf("Done: %v", err)
				}
			}
		})
	}
	for _, key := range deliveries {
		next <- key
	}
	close(next)
	wg.Wait()
	equal(b, "rows", len(rows), 500)
	for key, n := range rows {
		equal(b, key, n, 1)
	}
	c, err := b.l.Counts(b.Context())
	b.code(err, "")
	equal(b, "finished", c.Finished, 500)
	equal(b, "copies stopped", c.CopiesStopped, 178)
}
