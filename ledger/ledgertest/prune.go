package ledgertest

import (
	"context"
	"strconv"
	"time"

	"dedupedesk/ledger"
)

// tended runs an engine's tending until stop is true, or reports that it never was.
func (b *bench) tended(what string, stop func() bool) {
	b.Helper()
	ctx, cancel := context.WithCancel(b.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		b.l.Tend(ctx, func(ledger.PruneResult) {}, func(err error) { b.Errorf("Tend: %v", err) })
	}()
	deadline := time.Now().Add(30 * time.Second)
	for !stop() && time.Now().Before(deadline) {
		time.Sleep(20 * time.Millisecond)
	}
	cancel()
	<-ended
	if !stop() {
		b.Fatalf("tending never came to: %s", what)
	}
}

// noted reports whether a setting is there.
func (b *bench) noted(name string) bool {
	b.Helper()
	_, ok, err := b.l.Setting(b.Context(), name)
	b.code(err, "")
	return ok
}

func (b *bench) total() int64 {
	b.Helper()
	c, err := b.l.Counts(b.Context())
	b.code(err, "")
	return c.Total
}

// pruneCases are about what an engine forgets by itself.
var pruneCases = []testCase{
	{"AnEngineForgetsWhatIsOldEnough", func(b *bench) {
		b.policy(func(p *ledger.Policy) { p.Keep = 3 * day })
		b.engine()
		b.finish("old")
		b.clock.Step(16 * time.Minute)
		b.tended("noting the time", func() bool { return b.noted("ledger.pruned_at") })
		// Two days a turn, so that no gap looks like a clock ahead.
		b.clock.Step(47 * time.Hour)
		b.tended("a turn", b.prunedNow)
		equal(b, "keys", b.total(), 1)
		b.clock.Step(47 * time.Hour)
		b.tended("forgetting", func() bool { return b.total() == 0 })
	}},
	{"AClockAYearAheadForgetsNothingForADay", func(b *bench) {
		b.engine()
		b.clock.Step(16 * time.Minute)
		b.tended("noting the time", func() bool { return b.noted("ledger.pruned_at") })
		b.finish("fresh")
		b.clock.Set(365 * day)
		b.restart() // to start anew changes nothing
		b.engine()
		b.clock.Step(time.Hour)
		b.tended("waiting", func() bool { return b.noted("ledger.prune_after") })
		b.restart()
		b.engine()
		b.clock.Step(22 * time.Hour)
		equal(b, "keys", b.total(), 1)
		b.clock.Step(2 * time.Hour)
		b.tended("forgetting", func() bool { return b.total() == 0 })
	}},
}

// prunedNow reports whether an engine pruned at this time.
func (b *bench) prunedNow() bool {
	text, _, err := b.l.Setting(b.Context(), "ledger.pruned_at")
	b.code(err, "")
	return text == milli(b.clock.Now())
}

// milli writes a time down as the settings hold it.
func milli(t time.Time) string { return strconv.FormatInt(t.UnixMilli(), 10) }
