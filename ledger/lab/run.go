package lab

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"
)

// A Progress is how far an experiment is.
type Progress struct {
	Method   Method
	Serial   bool
	Done, Of int // deliveries of this method
	Extra    int // rows beyond the first so far
	Ended    []Outcome
}

// Run makes an experiment. guard makes a guard for each time that Reserve is tried, and
// closes it after. told is called now and then with how far it is, by one goroutine at a
// time; it may be nil. Where ctx ends, the result is partial and the error is nil.
func Run(ctx context.Context, c Config, guard func(context.Context) (Guard, func() error, error), told func(Progress)) (_ *Result, err error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "dedupe-lab-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	all, start := c.deliveries(), time.Now()
	r := &Result{Config: c, Events: c.Events, Deliveries: len(all)}
	modes := []bool{false}
	if c.Serial {
		modes = append(modes, true)
	}
	for _, serial := range modes {
		for _, m := range c.methods() {
			e := &experiment{c: c, method: m, serial: serial, all: all, makeGuard: guard, told: told, ended: r.Methods}
			o, err := e.run(ctx, dir)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", m, err)
			}
			r.Methods, r.Took = append(r.Methods, o), time.Since(start)
			if o.Partial {
				r.Partial = true
				return r, nil
			}
		}
	}
	return r, nil
}

// An experiment is one method in one mode.
type experiment struct {
	c         Config
	method    Method
	serial    bool
	all       []delivery
	makeGuard func(context.Context) (Guard, func() error, error)
	told      func(Progress)
	ended     []Outcome

	table *table
	guard Guard
	lanes lanes
	mu    sync.Mutex
	done  int
	again []delivery
	held  map[int]bool
	fault error
}

func (e *experiment) run(ctx context.Context, dir string) (o Outcome, err error) {
	start := time.Now()
	e.lanes.of, e.held = map[int][]*Lane{}, map[int]bool{}
	if e.table, err = openTable(context.WithoutCancel(ctx), dir, fmt.Sprintf("%s %v", e.method, e.serial), e.method == Unique); err != nil {
		return o, err
	}
	defer func() { err = errors.Join(err, e.table.close()) }()
	if e.method == Reserve {
		g, closed, err := e.makeGuard(ctx)
		if err != nil {
			return o, err
		}
		e.guard = g
		defer func() { err = errors.Join(err, closed()) }()
	}
	e.deliver(ctx, e.all, false)
	// Whoever got no answer, or a fault, sends again when things have calmed down.
	if again := e.again; len(again) > 0 && ctx.Err() == nil {
		if e.guard != nil {
			e.guard.Pass(allowedTime)
		}
		e.deliver(ctx, again, true)
	}
	if e.fault != nil && ctx.Err() == nil {
		return o, e.fault
	}
	return e.outcome(ctx, time.Since(start))
}

// outcome counts the rows.
func (e *experiment) outcome(ctx context.Context, took time.Duration) (Outcome, error) {
	extra, events, err := e.table.count(context.WithoutCancel(ctx))
	o := Outcome{Method: e.method, Serial: e.serial, Extra: extra, Held: len(e.held), Again: len(e.again), Took: took, Partial: ctx.Err() != nil, lanes: e.lanes.of}
	for event := range e.held {
		rowless := true
		for _, l := range e.lanes.of[event] {
			rowless = rowless && l.Rows() == 0
		}
		if rowless {
			events++ // not lost: a person is asked
		}
	}
	if !o.Partial {
		o.Lost = e.c.Events - events
	}
	return o, err
}

// deliver lets deliveries enter, one a tick or one after the other, and waits for all.
func (e *experiment) deliver(ctx context.Context, all []delivery, again bool) {
	t, pause := newTicker(e.c.tick()), e.c.Workers
	if t.alone = e.serial || e.c.Workers == 1; t.alone {
		t.tick, pause = e.c.Pause, 1
	}
	defer context.AfterFunc(ctx, t.stop)()
	var running sync.WaitGroup
	for _, d := range all {
		if ctx.Err() != nil || e.failed() {
			break
		}
		began := t.begin()
		if t.alone {
			e.work(ctx, t, pause, began, d, again)
			continue
		}
		running.Go(func() { e.work(ctx, t, pause, began, d, again) })
		if t.next(ctx) != nil {
			break
		}
	}
	e.tickUntil(ctx, t, &running)
}

// tickUntil goes on until all runs have ended.
func (e *experiment) tickUntil(ctx context.Context, t *ticker, running *sync.WaitGroup) {
	over := make(chan struct{})
	go func() { running.Wait(); close(over) }()
	for {
		select {
		case <-over:
			return
		default:
		}
		if t.next(ctx) != nil {
			t.stop()
			<-over
			return
		}
	}
}

// work is one run.
func (e *experiment) work(ctx context.Context, t *ticker, pause, began int, d delivery, again bool) {
	lane := &Lane{Run: d.run(), Again: again}
	if again {
		lane.Run, d.fate = lane.Run+" again", works
	}
	h := &handler{t: t, pause: pause, table: e.table, guard: e.guard, d: d, began: began, lane: lane}
	end, err := h.run(ctx, e.method)
	t.end()
	e.lanes.add(d.event, lane)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.done++
	switch {
	case err != nil:
		e.fault = errors.Join(e.fault, err)
	case end.again:
		e.again = append(e.again, d)
	}
	if end.held {
		e.held[d.event] = true
	}
	e.tell(ctx)
}

func (e *experiment) failed() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.fault != nil
}

// tellEvery is after how many deliveries progress is told.
const tellEvery = 20

func (e *experiment) tell(ctx context.Context) {
	if e.told == nil || e.done%tellEvery != 0 {
		return
	}
	if extra, _, err := e.table.count(ctx); err == nil {
		e.told(Progress{Method: e.method, Serial: e.serial, Done: min(e.done, len(e.all)), Of: len(e.all), Extra: extra, Ended: e.ended})
	}
}
