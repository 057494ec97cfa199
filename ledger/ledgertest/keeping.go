package ledgertest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"dedupedesk/ledger"
)

const day = 24 * time.Hour

var keepingCases = []testCase{
	{"Peers45PruneByDoneAt", func(b *bench) {
		open := MustClaim(b, b.l, ledger.ClaimRequest{Rule: "shop", Key: "claimed-90"})
		b.clock.Step(59 * day)
		b.finish("done-31")
		b.clock.Step(2 * day)
		b.finish("done-29")
		b.clock.Step(29 * day)
		equal(b, "dry run", b.prune(ledger.PruneRequest{OlderThan: 30 * day, DryRun: true}), 1)
		equal(b, "nothing removed", len(b.keys(ledger.KeyQuery{})), 3)
		equal(b, "removed", b.prune(ledger.PruneRequest{OlderThan: 30 * day}), 1)
		equal(b, "left", fmt.Sprint(b.keys(ledger.KeyQuery{})), "[done-29 claimed-90]")
		d, err := b.done("claimed-90", open.Token, "")
		b.status(d, err, ledger.StatusDone)
	}},
	{"OnlyFinishedKeysArePruned", func(b *bench) {
		b.mixed()
		b.clock.Step(3650 * day)
		equal(b, "removed", b.prune(ledger.PruneRequest{OlderThan: time.Millisecond}), 2)
		equal(b, "left", fmt.Sprint(b.keys(ledger.KeyQuery{})), "[waiting live-2 live-1 held abandoned]")
	}},
	{"Peers46PruneOfANegativeAge", func(b *bench) {
		b.finish("a")
		_, err := b.l.Prune(b.Context(), ledger.PruneRequest{OlderThan: -day, BelowFloor: true})
		b.code(err, ledger.Invalid)
		equal(b, "field", ledger.FieldOf(err), "days")
		equal(b, "left", len(b.keys(ledger.KeyQuery{})), 1)
	}},
	{"Peers46PruneBelowTheFloor", pruneBelowTheFloor},
	{"Peers47PruneByTheRulesKeep", func(b *bench) {
		b.policy(func(p *ledger.Policy) { p.Keep = 3 * day })
		b.finish("shop-key")
		a := MustClaim(b, b.l, ledger.ClaimRequest{Key: "default-key"})
		_, err := b.l.Done(b.Context(), ledger.DoneRequest{Identity: ledger.Identity{Key: "default-key", Token: a.Token}})
		b.code(err, "")
		b.clock.Step(3 * day)
		equal(b, "exactly as old is kept", b.prune(ledger.PruneRequest{}), 0)
		b.clock.Step(time.Millisecond)
		equal(b, "removed", b.prune(ledger.PruneRequest{}), 1)
		equal(b, "left", fmt.Sprint(b.keys(ledger.KeyQuery{})), "[default-key]")
		b.clock.Step(32*day + time.Millisecond)
		equal(b, "removed from default", b.prune(ledger.PruneRequest{}), 1)
	}},
	{"PruneOfOneRule", func(b *bench) {
		b.rule("crm", ledger.DefaultPolicy())
		b.finish("a")
		a := MustClaim(b, b.l, ledger.ClaimRequest{Rule: "crm", Key: "b"})
		_, err := b.l.Done(b.Context(), ledger.DoneRequest{Identity: ledger.Identity{Rule: "crm", Key: "b", Token: a.Token}})
		b.code(err, "")
		b.code(b.l.ArchiveRule(b.Context(), "crm"), "")
		b.clock.Step(day)
		equal(b, "crm", b.prune(ledger.PruneRequest{OlderThan: time.Hour, Rule: "crm"}), 1)
		equal(b, "left", fmt.Sprint(b.keys(ledger.KeyQuery{})), "[a]")
		_, err = b.l.Prune(b.Context(), ledger.PruneRequest{OlderThan: time.Hour, Rule: "nobody"})
		b.code(err, ledger.UnknownRule)
	}},
	{"PruneTellsByRule", func(b *bench) {
		b.finish("a")
		b.finish("b")
		b.clock.Step(day)
		res, err := b.l.Prune(b.Context(), ledger.PruneRequest{OlderThan: time.Hour, DryRun: true})
		b.code(err, "")
		equal(b, "rules", fmt.Sprint(res.Rules), fmt.Sprint([]ledger.PrunedRule{
			{Rule: "default", Age: time.Hour}, {Rule: "shop", Removed: 2, Age: time.Hour},
		}))
	}},
	{"TheEnginePrunesByKeepBelowTheFloor", func(b *bench) {
		b.policy(func(p *ledger.Policy) { p.Keep, p.RetryWindow = day, 3*day })
		b.finish("a")
		b.clock.Step(day + time.Millisecond)
		res, err := b.l.PruneKept(b.Context())
		b.code(err, "")
		equal(b, "removed", res.Removed, 1)
		equal(b, "below", res.Rules[1].Below(), true)
	}},
	{"KeepTimeDoesNotSlideWithCopies", func(b *bench) {
		b.finish("a")
		b.clock.Step(29 * day)
		b.claim("a", "")
		b.clock.Step(2 * day)
		equal(b, "removed", b.prune(ledger.PruneRequest{OlderThan: 30 * day}), 1)
	}},
	{"PruneTakesTheHistoryAlong", func(b *bench) {
		a := b.grant("a")
		_, err := b.release("a", a.Token, 0)
		b.code(err, "")
		b.finish("a")
		b.clock.Step(40 * day)
		b.prune(ledger.PruneRequest{})
		equal(b, "fence", b.grant("a").Fence, 1)
		equal(b, "history", fmt.Sprint(b.kinds("a")), "[granted]")
	}},
	{"PruneInBatches", func(b *bench) {
		const many = 1203 // more than two batches
		b.finished(many)
		b.clock.Step(40 * day)
		var told []int64
		n := b.prune(ledger.PruneRequest{Progress: func(p ledger.PruneProgress) { told = append(told, p.Removed) }})
		equal(b, "removed", n, many)
		equal(b, "told at last", told[len(told)-1], many)
		equal(b, "in order", slices.IsSorted(told) && len(told) > 2, true)
		c, err := b.l.Counts(b.Context())
		b.code(err, "")
		equal(b, "left", c.Total, 0)
	}},
	{"AStoppedPruneTellsWhatItRemoved", func(b *bench) {
		b.finished(1203)
		b.clock.Step(40 * day)
		ctx, cancel := context.WithCancel(b.Context())
		defer cancel()
		res, err := b.l.Prune(ctx, ledger.PruneRequest{Progress: func(ledger.PruneProgress) { cancel() }})
		b.code(err, ledger.Busy)
		c, err := b.l.Counts(b.Context())
		b.code(err, "")
		equal(b, "left and removed", c.Total+res.Removed, 1203)
		equal(b, "some", c.Total > 0 && res.Removed > 0, true)
	}},
	{"Peers48ClaimsGoOnWhileMuchIsPruned", claimsWhilePruning},
}

func pruneBelowTheFloor(b *bench) {
	b.policy(func(p *ledger.Policy) { p.RetryWindow = 4 * day })
	b.finish("a")
	b.clock.Step(30 * day)
	for _, tt := range []struct {
		req  ledger.PruneRequest
		want string // what the refusal names; "" = none
	}{
		{ledger.PruneRequest{OlderThan: 5*day - 1}, "5 days or longer, since its sender may send an event again for 4 days"},
		{ledger.PruneRequest{OlderThan: 5 * day, Floors: map[string]time.Duration{"shop": 28 * day}},
			"35 days or longer, since its platform can run an event again for 28 days"},
		{ledger.PruneRequest{OlderThan: day, Rule: "default"}, ""},
		{ledger.PruneRequest{OlderThan: 31 * day, Floors: map[string]time.Duration{"other": 28 * day}}, ""},
		{ledger.PruneRequest{OlderThan: 29*day - 1, DryRun: true}, ""},
	} {
		res, err := b.l.Prune(b.Context(), tt.req)
		if tt.want == "" {
			b.code(err, "")
			continue
		}
		b.code(err, ledger.Invalid)
		equal(b, "field", ledger.FieldOf(err), "days")
		equal(b, "removed", res.Removed, 0)
		if said := ledger.MessageOf(err); !strings.Contains(said, `"shop"`) || !strings.Contains(said, tt.want) {
			b.Errorf("refused with %q, want %q", said, tt.want)
		}
	}
	equal(b, "left", len(b.keys(ledger.KeyQuery{})), 1)
	res, err := b.l.Prune(b.Context(), ledger.PruneRequest{OlderThan: day, DryRun: true})
	b.code(err, "")
	equal(b, "the dry run tells", res.Rules[1].Below() && !res.Rules[0].Below(), true)
	equal(b, "removed by a person's will", b.prune(ledger.PruneRequest{OlderThan: day, BelowFloor: true}), 1)
}

// claimsWhilePruning is case 48, scaled: the tests' time is short, build/bench runs it
// at full size. Each batch waits until a claim was answered since the batch before.
func claimsWhilePruning(b *bench) {
	const many = 20_000
	b.finished(many)
	b.clock.Step(40 * day)
	var answered atomic.Int64
	stop := make(chan struct{})
	var callers sync.WaitGroup
	for caller := range 4 {
		callers.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-stop:
					return
				default:
				}
				key := fmt.Sprint("live-", caller, "-", i)
				a, err := b.l.Claim(b.Context(), ledger.ClaimRequest{Rule: "shop", Key: key})
				if err != nil || !a.Run {
					b.Errorf("Claim %s: %+v, %v", key, a, err)
					return
				}
				if _, err := b.done(key, a.Token, ""); err != nil {
					b.Errorf("Done %s: %v", key, err)
					return
				}
				answered.Add(1)
			}
		})
	}
	var seen int64
	n := b.prune(ledger.PruneRequest{Progress: func(ledger.PruneProgress) {
		for answered.Load() == seen && !b.Failed() {
			time.Sleep(time.Millisecond)
		}
		seen = answered.Load()
	}})
	close(stop)
	callers.Wait()
	equal(b, "removed", n, many)
	c, err := b.l.Counts(b.Context())
	b.code(err, "")
	equal(b, "left", c.Total, answered.Load())
	equal(b, "finished", c.Finished, answered.Load())
}

// prune prunes and returns how many keys went.
func (b *bench) prune(req ledger.PruneRequest) int64 {
	b.Helper()
	res, err := b.l.Prune(b.Context(), req)
	b.code(err, "")
	var sum int64
	for _, r := range res.Rules {
		sum += r.Removed
	}
	equal(b, "the sum of the rules", sum, res.Removed)
	return res.Removed
}

// finished adds done rows to shop, finished now, below the ledger: quickly.
func (b *bench) finished(many int) {
	b.Helper()
	row := b.row("")
	row.State, row.DoneAt = ledger.Done, b.clock.Now()
	for from := 0; from < many; from += 1000 {
		b.write(func(ctx context.Context, tx ledger.Tx) error {
			for i := from; i < min(many, from+1000); i++ {
				row.Key = fmt.Sprint("done-", i)
				if _, ok, err := tx.Insert(ctx, row); err != nil || !ok {
					return fmt.Errorf("insert %s: %v, %w", row.Key, ok, err)
				}
			}
			return nil
		})
	}
}

// finish claims a key of shop and reports it finished.
func (b *bench) finish(key string) {
	b.Helper()
	if _, err := b.done(key, b.grant(key).Token, ""); err != nil {
		b.Fatalf("Done %s: %v", key, err)
	}
}
