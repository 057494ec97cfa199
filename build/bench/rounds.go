package main

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// A series is one value for each round, of one thing.
type series []float64

// median returns the middle of s, or of its middle two.
func (s series) median() float64 {
	sorted := slices.Sorted(slices.Values(s))
	n := len(sorted)
	if n == 0 {
		return 0
	}
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// figure sums s up.
func (s series) figure(name, unit string) figure {
	return figure{Name: name, Value: s.median(), Least: slices.Min(s), Most: slices.Max(s), Unit: unit}
}

// each returns f of each value.
func (s series) each(f func(float64) float64) series {
	out := make(series, len(s))
	for i, v := range s {
		out[i] = f(v)
	}
	return out
}

// over returns the ratio of each round: what a and b met in one round is alike, so
// their ratio swings less than either.
func (s series) over(b series) series {
	out := make(series, len(s))
	for i, v := range s {
		out[i] = v / b[i]
	}
	return out
}

// A side is one of the things compared. It returns the time per operation.
type side func(context.Context) (time.Duration, error)

// inTurn runs all sides in each of n rounds, after one that does not count, and
// returns their times per operation in milliseconds. Every second round goes
// backwards, so that none is always the first.
func inTurn(ctx context.Context, n int, sides ...side) ([]series, error) {
	out := make([]series, len(sides))
	for round := -1; round < n; round++ {
		for i := range sides {
			if round%2 != 0 {
				i = len(sides) - 1 - i
			}
			took, err := sides[i](ctx)
			if err != nil {
				return nil, err
			}
			if round >= 0 {
				out[i] = append(out[i], millis(took))
			}
		}
	}
	return out, nil
}

// A burst is callers that call again and again.
type burst struct {
	callers int
	lasts   time.Duration
	most    int64 // operations; 0 = as many as there is time for
}

// run calls f by all callers at once until the time is over, and returns the time
// per operation: wall time by operations done.
func (b burst) run(ctx context.Context, f func(context.Context) error) (time.Duration, error) {
	var begun, done atomic.Int64
	var wg sync.WaitGroup
	errs := make(chan error, b.callers)
	start := time.Now()
	for range b.callers {
		wg.Go(func() {
			for time.Since(start) < b.lasts && (b.most == 0 || begun.Add(1) <= b.most) {
				if err := f(ctx); err != nil {
					errs <- err
					return
				}
				done.Add(1)
			}
		})
	}
	wg.Wait()
	took := time.Since(start)
	select {
	case err := <-errs:
		return 0, err
	default:
	}
	if done.Load() == 0 {
		return 0, fmt.Errorf("nothing was done in %v", b.lasts)
	}
	return took / time.Duration(done.Load()), nil
}

// side is b with f as one of the things compared.
func (b burst) side(f func(context.Context) error) side {
	return func(ctx context.Context) (time.Duration, error) { return b.run(ctx, f) }
}

// worked is a side that also writes down to spent how much processor time of this
// process an operation took, in microseconds, where the system tells. It swings less
// than the time that passes while others are at work on the machine.
func worked(s side, spent *series) side { return workedBy(processorTime, s, spent) }

// workedBy is worked for the process that spentSoFar tells of.
func workedBy(spentSoFar func() (time.Duration, bool), s side, spent *series) side {
	return func(ctx context.Context) (time.Duration, error) {
		start := time.Now()
		before, _ := spentSoFar()
		took, err := s(ctx)
		after, ok := spentSoFar()
		if err == nil && ok {
			operations := float64(time.Since(start)) / float64(took)
			*spent = append(*spent, float64(after-before)/float64(time.Microsecond)/operations)
		}
		return took, err
	}
}

// perSecond turns milliseconds per operation into operations a second.
func perSecond(ms float64) float64 { return 1000 / ms }

func millis(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
