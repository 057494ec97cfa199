package ledgertest

import (
	"fmt"
	"strings"
	"time"

	"dedupedesk/ledger"
)

var reportCases = []testCase{
	{"Peers06ReleaseKeepsTheRow", func(b *bench) {
		a := b.grant("a")
		r, err := b.release("a", a.Token, 0)
		b.status(r, err, ledger.StatusReleased)
		equal(b, "last error", b.life("a").Key.LastError, "it broke")
		again := b.grant("a")
		equal(b, "fence", again.Fence, 2)
		equal(b, "attempt", again.Attempt, 2)
		equal(b, "took over", again.TookOver, false)
		equal(b, "last error stays", b.life("a").Key.LastError, "it broke")
		equal(b, "history", fmt.Sprint(b.kinds("a")), "[granted released granted]")
	}},
	{"Peers09StaleDoneChangesNothing", func(b *bench) {
		first := b.grant("a")
		b.clock.Step(lease)
		second := b.grant("a")
		_, err := b.done("a", first.Token, `"A"`)
		b.code(err, ledger.Stale)
		equal(b, "history", fmt.Sprint(b.kinds("a")), "[granted took_over stale_done]")
		last := b.life("a").Events[2]
		equal(b, "told as a double run", strings.Contains(last.Text, "probable double run"), true)
		equal(b, "stale calls", b.life("a").Key.StaleCalls, 1)
		equal(b, "state", b.life("a").Key.State, ledger.Claimed)
		r, err := b.release("a", second.Token, 0)
		b.status(r, err, ledger.StatusReleased)
		equal(b, "attempt", b.grant("a").Attempt, 3)
	}},
	{"Bug42StaleReleaseFreesNobody", func(b *bench) {
		first := b.grant("a")
		b.clock.Step(lease)
		b.grant("a")
		_, err := b.release("a", first.Token, 0)
		b.code(err, ledger.Stale)
		equal(b, "still taken", b.claim("a", "").Status, ledger.StatusInProgress)
		equal(b, "history", fmt.Sprint(b.kinds("a")), "[granted took_over stale_release]")
	}},
	{"Peers11DoneTwiceKeepsTheFirstResult", func(b *bench) {
		a := b.grant("a")
		first, err := b.done("a", a.Token, `1`)
		b.status(first, err, ledger.StatusDone)
		equal(b, "already", first.Already, false)
		second, err := b.done("a", a.Token, `2`)
		b.status(second, err, ledger.StatusDone)
		equal(b, "already", second.Already, true)
		equal(b, "result", string(second.Result), `1`)
	}},
	{"Peers12ReleaseTwice", func(b *bench) {
		a := b.grant("a")
		_, err := b.release("a", a.Token, 0)
		b.code(err, "")
		r, err := b.release("a", a.Token, time.Hour)
		b.status(r, err, ledger.StatusReleased)
		equal(b, "already", r.Already, true)
		again := b.grant("a")
		equal(b, "attempt", again.Attempt, 2)
	}},
	{"Peers13UnknownKey", func(b *bench) {
		_, err := b.done("a", "1.x", "")
		b.code(err, ledger.NotFound)
		_, err = b.release("a", "1.x", 0)
		b.code(err, ledger.NotFound)
		_, err = b.renew("a", "1.x")
		b.code(err, ledger.NotFound)
		_, err = b.l.Key(b.Context(), "shop", "a")
		b.code(err, ledger.NotFound)
	}},
	{"Peers14TokenOfAnotherKey", func(b *bench) {
		one, two := b.grant("a"), b.grant("b")
		_, err := b.done("a", two.Token, "")
		b.code(err, ledger.Stale)
		_, err = b.done("b", one.Token, "")
		b.code(err, ledger.Stale)
		equal(b, "a", b.life("a").Key.State, ledger.Claimed)
		equal(b, "b", b.life("b").Key.State, ledger.Claimed)
	}},
	{"Peers15ReleaseAfterDone", func(b *bench) {
		a := b.grant("a")
		_, err := b.done("a", a.Token, "")
		b.code(err, "")
		_, err = b.release("a", a.Token, 0)
		b.code(err, ledger.Closed)
		_, err = b.renew("a", a.Token)
		b.code(err, ledger.Closed)
		equal(b, "state", b.life("a").Key.State, ledger.Done)
	}},
	{"DoneAfterItsOwnRelease", func(b *bench) {
		a := b.grant("a")
		_, err := b.release("a", a.Token, time.Minute)
		b.code(err, "")
		d, err := b.done("a", a.Token, `1`)
		b.status(d, err, ledger.StatusDone)
		equal(b, "late", d.Late, true)
		equal(b, "state", b.life("a").Key.State, ledger.Done)
		equal(b, "next try", b.life("a").Key.NextTryAt.IsZero(), true)
	}},
	{"DoneLateWithoutTakeover", func(b *bench) {
		a := b.grant("a")
		b.clock.Step(48 * time.Hour)
		d, err := b.done("a", a.Token, "")
		b.status(d, err, ledger.StatusDone)
		equal(b, "late", d.Late, true)
		equal(b, "status", b.claim("a", "").Status, ledger.StatusDone)
	}},
	{"Peers18RenewedLease", func(b *bench) {
		a := b.grant("a")
		for range 3 {
			b.clock.Step(600 * time.Second)
			r, err := b.renew("a", a.Token)
			b.status(r, err, ledger.StatusClaimed)
			equal(b, "lease", r.LeaseUntil, b.clock.Now().Add(lease))
		}
		b.clock.Step(lease - time.Second)
		equal(b, "other", b.claim("a", "").Status, ledger.StatusInProgress)
		b.clock.Step(time.Second)
		equal(b, "then", b.claim("a", "").TookOver, true)
	}},
	{"Peers19RenewRepeated", func(b *bench) {
		a := b.grant("a")
		for range 2 {
			r, err := b.renew("a", a.Token)
			b.status(r, err, ledger.StatusClaimed)
			equal(b, "fence", r.Fence, 1)
		}
	}},
	{"Peers20StaleRenew", func(b *bench) {
		a := b.grant("a")
		b.clock.Step(lease)
		second := b.grant("a")
		b.clock.Step(time.Minute)
		_, err := b.renew("a", a.Token)
		b.code(err, ledger.Stale)
		equal(b, "lease", b.life("a").Key.LeaseUntil, second.LeaseUntil)
	}},
	{"RenewAfterExpiryWithoutTakeover", func(b *bench) {
		a := b.grant("a")
		b.clock.Step(lease + time.Hour)
		r, err := b.renew("a", a.Token)
		b.status(r, err, ledger.StatusClaimed)
		equal(b, "other", b.claim("a", "").Status, ledger.StatusInProgress)
	}},
	{"RenewAfterRelease", func(b *bench) {
		a := b.grant("a")
		_, err := b.release("a", a.Token, 0)
		b.code(err, "")
		_, err = b.renew("a", a.Token)
		b.code(err, ledger.Closed)
	}},
	{"Peers26ReleaseWithAWait", func(b *bench) {
		a := b.grant("a")
		r, err := b.release("a", a.Token, time.Minute)
		b.status(r, err, ledger.StatusReleased)
		b.clock.Step(30 * time.Second)
		c := b.claim("a", "")
		equal(b, "status", c.Status, ledger.StatusInProgress)
		equal(b, "retry after", c.RetryAfter, 30*time.Second)
		b.clock.Step(30 * time.Second)
		equal(b, "due", b.claim("a", "").Run, true)
	}},
	{"OwnerReportsForItsGrant", func(b *bench) {
		b.claim("a", "run-1")
		id := func(owner string) ledger.Identity { return ledger.Identity{Rule: "shop", Key: "a", Owner: owner} }
		_, err := b.l.Done(b.Context(), ledger.DoneRequest{Identity: id("run-2")})
		b.code(err, ledger.Stale)
		d, err := b.l.Done(b.Context(), ledger.DoneRequest{Identity: id("run-1")})
		b.status(d, err, ledger.StatusDone)
	}},
	{"TokenDecidesWhereBothAreSent", func(b *bench) {
		first := b.claim("a", "run-1")
		b.clock.Step(lease)
		b.claim("a", "run-1")
		_, err := b.l.Done(b.Context(), ledger.DoneRequest{Identity: ledger.Identity{
			Rule: "shop", Key: "a", Token: first.Token, Owner: "run-1"}})
		b.code(err, ledger.Stale)
	}},
	{"StaleCallsWriteABoundedHistory", func(b *bench) {
		first := b.grant("a")
		b.clock.Step(lease)
		b.grant("a")
		for range 80 {
			_, err := b.done("a", first.Token, "")
			b.code(err, ledger.Stale)
		}
		equal(b, "stale calls", b.life("a").Key.StaleCalls, 80)
		equal(b, "events", len(b.life("a").Events), 52)
	}},
}

// A plain grant is one whose holder carries neither token nor owner.
var plainCases = []testCase{
	{"PlainReportsForItself", func(b *bench) {
		b.plain("a")
		d, err := b.plainDone("a")
		b.status(d, err, ledger.StatusDone)
		b.plain("b")
		r, err := b.plainRelease("b")
		b.status(r, err, ledger.StatusReleased)
		b.plain("b")
	}},
	{"PlainNeverTouchesATokensGrant", func(b *bench) {
		b.grant("a")
		_, err := b.plainDone("a")
		b.code(err, ledger.Stale)
		b.claim("b", "run-1")
		_, err = b.plainRelease("b")
		b.code(err, ledger.Stale)
	}},
	{"PlainIsRefusedAfterATakeover", func(b *bench) {
		b.plain("a")
		b.clock.Step(lease)
		second := b.plain("a")
		_, err := b.plainDone("a")
		b.code(err, ledger.Stale)
		_, err = b.plainRelease("a")
		b.code(err, ledger.Stale)
		equal(b, "state", b.life("a").Key.State, ledger.Claimed)
		d, err := b.done("a", second.Token, "")
		b.status(d, err, ledger.StatusDone)
	}},
	{"PlainIsRefusedAfterADecision", func(b *bench) {
		b.plain("a")
		b.decide("a", ledger.Again)
		b.plain("a")
		_, err := b.plainRelease("a")
		b.code(err, ledger.Stale)
	}},
	{"PlainWithAnOwnerIsTheOwners", func(b *bench) {
		_, err := b.l.Claim(b.Context(), ledger.ClaimRequest{Rule: "shop", Key: "a", Owner: "run-1", Plain: true})
		b.code(err, "")
		_, err = b.plainDone("a")
		b.code(err, ledger.Stale)
	}},
	{"ReportWithoutProof", func(b *bench) {
		b.plain("a")
		_, err := b.done("a", "", "")
		b.code(err, ledger.Invalid)
		equal(b, "field", ledger.FieldOf(err), "token")
	}},
}

func (b *bench) plain(key string) ledger.Answer {
	b.Helper()
	return MustClaim(b, b.l, ledger.ClaimRequest{Rule: "shop", Key: key, Plain: true})
}

func (b *bench) plainDone(key string) (ledger.Answer, error) {
	return b.l.Done(b.Context(), ledger.DoneRequest{Identity: ledger.Identity{Rule: "shop", Key: key, Plain: true}})
}

func (b *bench) plainRelease(key string) (ledger.Answer, error) {
	return b.l.Release(b.Context(), ledger.ReleaseRequest{Identity: ledger.Identity{Rule: "shop", Key: key, Plain: true}})
}
