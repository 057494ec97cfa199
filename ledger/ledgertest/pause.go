package ledgertest

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"dedupedesk/ledger"
)

func pauseAll(b *trial) (any, error) { return nil, b.l.Pause(b.Context(), "Ada") }
func endPause(b *trial) (any, error) { return nil, b.l.EndPause(b.Context()) }
func paused(b *trial)                { claimed(b); b.must(pauseAll) }

var pauseCases = []testCase{
	{"APauseLetsNothingThrough", func(b *bench) {
		b.grant("open")
		b.grant("over")
		b.clock.Step(lease)
		b.code(b.l.Pause(b.Context(), "Ada"), "")
		for _, key := range []string{"new", "open", "over"} {
			a, err := b.l.Claim(b.Context(), ledger.ClaimRequest{Rule: "shop", Key: key, Owner: "run"})
			b.code(err, ledger.Paused)
			equal(b, "run", a.Run || a.Token != "", false)
		}
		_, err := b.l.Claim(b.Context(), ledger.ClaimRequest{Key: "plain"})
		b.code(err, ledger.Paused)
		equal(b, "keys", len(b.keys(ledger.KeyQuery{})), 2)
		equal(b, "no copy is counted", b.life("open").Key.Copies, 0)
	}},
	{"InAPauseWhatRunsIsReported", func(b *bench) {
		finished, failed, slow := b.grant("finished"), b.grant("failed"), b.grant("slow")
		b.code(b.l.Pause(b.Context(), "Ada"), "")
		a, err := b.done("finished", finished.Token, "")
		b.status(a, err, ledger.StatusDone)
		a, err = b.release("failed", failed.Token, 0)
		b.status(a, err, ledger.StatusReleased)
		a, err = b.renew("slow", slow.Token)
		b.status(a, err, ledger.StatusClaimed)
		b.decide("failed", ledger.Finished)
	}},
	{"APauseOutlivesItsProcess", func(b *bench) {
		at := b.clock.Now()
		b.code(b.l.Pause(b.Context(), "Ada"), "")
		b.restart()
		b.clock.Step(minute)
		b.code(b.l.Pause(b.Context(), "Bob"), "") // it is paused already
		p, ok, err := b.l.Paused(b.Context())
		b.code(err, "")
		equal(b, "paused", fmt.Sprint(p, ok), fmt.Sprint(ledger.Pause{Since: at, By: "Ada"}, true))
		equal(b, "told", strings.Contains(p.Warning(), "by Ada since"), true)
		b.code(b.l.EndPause(b.Context()), "")
		b.code(b.l.EndPause(b.Context()), "")
		b.grant("a")
		_, ok, err = b.l.Paused(b.Context())
		b.code(err, "")
		equal(b, "paused", ok, false)
	}},
	{"APauseHoldsForEveryProcessAtOnce", pauseOfOthers},
	{"APauseThatCannotBeReadHolds", func(b *bench) {
		b.code(b.l.PutSetting(b.Context(), ledger.SettingPaused, "?"), "")
		_, err := b.l.Claim(b.Context(), ledger.ClaimRequest{Key: "a"})
		b.code(err, ledger.Paused)
		p, ok, err := b.l.Paused(b.Context())
		b.code(err, "")
		equal(b, "paused", fmt.Sprint(p, ok), fmt.Sprint(ledger.Pause{}, true))
	}},
	{"APauseNeedsAName", func(b *bench) {
		b.code(b.l.Pause(b.Context(), " "), ledger.Invalid)
		b.grant("a")
	}},
	{"APauseChangesNoRule", func(b *bench) {
		before, err := b.l.Rules(b.Context())
		b.code(err, "")
		b.code(b.l.Pause(b.Context(), "Ada"), "")
		after, err := b.l.Rules(b.Context())
		b.code(err, "")
		equal(b, "rules", fmt.Sprint(after), fmt.Sprint(before))
	}},
}

// pauseOfOthers lets two processes claim while a third pauses, and wants no grant that
// began after the pause was told.
func pauseOfOthers(b *bench) {
	var told atomic.Bool
	var callers sync.WaitGroup
	for p := range 2 {
		l := ledger.New(b.open(), b.clock, nil)
		b.Cleanup(func() { b.code(l.Close(), "") })
		for c := range 4 {
			callers.Go(func() {
				for n := 0; ; n++ {
					late := told.Load()
					a, err := l.Claim(b.Context(), ledger.ClaimRequest{Rule: "shop", Key: fmt.Sprint(p, c, n)})
					var refused *ledger.Error
					switch {
					case err == nil && a.Run && !late:
					case errors.As(err, &refused) && refused.Code == ledger.Paused:
						return
					default:
						b.Errorf("after the pause %v: %+v, %v", late, a, err)
						return
					}
				}
			})
		}
	}
	b.code(b.l.Pause(b.Context(), "Ada"), "")
	granted, err := b.l.Counts(b.Context())
	told.Store(true)
	b.code(err, "")
	callers.Wait()
	after, err := b.l.Counts(b.Context())
	b.code(err, "")
	equal(b, "keys, once all callers are told", after.Total, granted.Total)
}
