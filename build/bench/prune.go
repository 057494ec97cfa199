package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"dedupedesk/ledger"
)

const (
	claimEvery = time.Second / 50 // the load beside the prune
	pruneAim   = 250              // ms, of 99 of 100 claims
)

// A steady load starts a claim at each tick, whether those before are answered or
// not, and keeps how long each took from its tick on: a caller that has to wait for
// its turn is not left out.
type steady struct {
	took series // ms
	errs []error
}

// run loads l until ctx ends.
func (s *steady) run(ctx context.Context, l *ledger.Ledger) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	start := time.Now()
	for n := time.Duration(0); ; n++ {
		due := start.Add(n * claimEvery)
		select {
		case <-ctx.Done():
			wg.Wait()
			return
		case <-time.After(time.Until(due)):
		}
		wg.Go(func() {
			_, err := claimNew(context.WithoutCancel(ctx), l)
			took := millis(time.Since(due))
			mu.Lock()
			defer mu.Unlock()
			s.took = append(s.took, took)
			if err != nil {
				s.errs = append(s.errs, err)
			}
		})
	}
}

// percentile returns the value that p of 100 do not exceed.
func (s series) percentile(p float64) float64 {
	if len(s) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(s))
	return sorted[min(len(sorted)-1, int(float64(len(sorted))*p/100))]
}

// prune removes many finished keys while claims go on.
func (b *bench) prune(ctx context.Context) (err error) {
	dir, err := b.largeFolder(ctx)
	if err != nil {
		return err
	}
	path := ledgerIn(dir)
	l, err := open(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	var idle steady
	alone, stop := context.WithTimeout(ctx, b.idle)
	defer stop()
	idle.run(alone, l)
	before, err := l.Counts(ctx)
	if err != nil {
		return err
	}
	var busy steady
	loaded, stop := context.WithCancel(ctx)
	defer stop()
	var wg sync.WaitGroup
	var log largest
	wg.Go(func() { busy.run(loaded, l) })
	wg.Go(func() { log.watch(loaded, path+"-wal") })
	start := time.Now()
	n, pruned := pruneAll(ctx, l)
	took := time.Since(start)
	stop()
	wg.Wait()
	if pruned != nil {
		return pruned
	}
	after, err := l.Counts(ctx)
	if err != nil {
		return err
	}
	if after.Finished != before.Finished-n || n < int64(b.many/2) {
		return fmt.Errorf("%d keys were removed; %d finished ones before, %d after", n, before.Finished, after.Finished)
	}
	return b.reportPrune(idle, busy, n, took, log.size)
}

// pruneAll removes every key that was finished when the file was filled.
func pruneAll(ctx context.Context, l *ledger.Ledger) (int64, error) {
	// Nobody comes with a copy of a filled key, so the floors do not matter.
	res, err := l.Prune(ctx, ledger.PruneRequest{OlderThan: 30 * time.Minute, BelowFloor: true})
	return res.Removed, err
}

func (b *bench) reportPrune(idle, busy steady, n int64, took time.Duration, log int64) error {
	once := func(name string, v float64, unit string) figure {
		return figure{Name: name, Value: v, Least: v, Most: v, Unit: unit}
	}
	r := b.report
	f := once("prune of "+fmt.Sprint(n)+" finished keys", took.Seconds(), "s")
	f.Note = fmt.Sprintf("%.0f keys a second", float64(n)/took.Seconds())
	r.add(f)
	r.add(once("claim, no prune: half of them within", idle.took.median(), "ms"))
	r.add(once("claim, no prune: 99 of 100 within", idle.took.percentile(99), "ms"))
	r.add(once("claim during prune: half of them within", busy.took.median(), "ms"))
	f = once("claim during prune: 99 of 100 within", busy.took.percentile(99), "ms")
	f.Note = fmt.Sprintf("of %d claims", len(busy.took))
	r.aimed(f, atMost(pruneAim))
	r.add(once("claim during prune: slowest", slices.Max(busy.took), "ms"))
	r.aimed(once("claims that failed", float64(len(busy.errs)+len(idle.errs)), "claims"), atMost(0))
	r.add(once("largest log", float64(log)/(1<<20), "MB"))
	for _, err := range slices.Concat(idle.errs, busy.errs) {
		return fmt.Errorf("a claim failed: %w", err)
	}
	return nil
}

// largest remembers how large a file was at most.
type largest struct{ size int64 }

func (g *largest) watch(ctx context.Context, path string) {
	for ctx.Err() == nil {
		if info, err := os.Stat(path); err == nil {
			g.size = max(g.size, info.Size())
		}
		time.Sleep(20 * time.Millisecond)
	}
}
