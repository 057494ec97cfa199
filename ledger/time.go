package ledger

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// The ledger's time goes on from the highest time that was ever told, whatever
// happens to the machine's clock. What has to outlive the process is in the store,
// as [clockState]. A store with a server of its own tells the time itself, and none
// of this is needed.

const (
	// tolerance is how far wall and running time may part before that is more than a
	// small correction: sleep, or a clock that somebody set.
	tolerance = 30 * time.Second
	// slack is how far the times of two processes may differ.
	slack = time.Second
	// stateFor is how long what was read of the store's clockState is good for to who
	// only looks. A write reads it each time.
	stateFor = time.Second
	// highEvery is how exact the stored highest time is.
	highEvery = 30 * time.Second
)

// errOwed ends a transaction that may not decide yet: something about the clock has
// to be stored first.
var errOwed = errors.New("the clock's state has to be stored first")

// A moment is what a decision needs to know of time.
type moment struct {
	now time.Time
	gap gap
}

// A gap is a time in which nobody could report: the machine slept, or no engine ran.
type gap struct{ begin, end time.Time }

// ends reports when the grace that follows the gap is over for every lease.
func (g gap) ends() time.Time { return g.end.Add(StuckGrace) }

// A timekeeper tells one ledger's time.
type timekeeper struct {
	clock Clock

	mu     sync.Mutex
	began  bool
	last   Reading
	told   time.Time     // the last time told
	offset time.Duration // what the wall clock is behind
	server time.Duration // what a store's server is ahead of the machine
	served bool          // the store tells the time

	loaded bool
	stored clockState
	readAt time.Time // by the process's own clock, which no test shifts; zero = read it again

	engine   bool          // gaps are noticed
	starting bool          // the one before this start is not noticed yet
	beatAt   time.Time     // likewise by the process's own clock
	owed     *gap          // noticed and not stored yet
	awake    time.Duration // since when, by Reading.Run, nothing was noticed
	putOff   time.Time     // the end of the gap after which rows were seen to
}

func newTimekeeper(c Clock) *timekeeper { return &timekeeper{clock: c} }

// now tells the time.
func (k *timekeeper) now() time.Time {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.served {
		return whole(k.clock.Of(time.Now().Add(k.server)))
	}
	return whole(k.tell())
}

// whole cuts a time to what is stored.
func whole(t time.Time) time.Time { return t.UTC().Truncate(time.Millisecond) }

// tell reads the clock. The time told is never before one told earlier, and goes on
// as fast as the machine runs while the wall clock is behind it.
func (k *timekeeper) tell() time.Time {
	r := k.clock.Read()
	if !k.began {
		k.began, k.last, k.told = true, r, r.Wall
		return k.told
	}
	ran := max(0, r.Run-k.last.Run)
	parted := r.Wall.Sub(k.last.Wall) - ran
	before := k.told
	if parted > 0 {
		// The clock was set forward, which may be its repair.
		k.offset -= min(k.offset, parted)
	}
	if at := r.Wall.Add(k.offset); at.Before(k.told) {
		k.offset += k.told.Add(ran).Sub(at)
	}
	k.last, k.told = r, r.Wall.Add(k.offset)
	if k.engine && (parted.Abs() > tolerance || k.silent()) {
		k.notice(gap{before, k.told})
	}
	return k.told
}

// silent reports whether the engine's own beat has stopped: the process did not run,
// on systems too whose running time goes on in sleep.
func (k *timekeeper) silent() bool {
	silent := !k.beatAt.IsZero() && time.Since(k.beatAt) > tolerance
	if silent {
		k.beatAt = time.Now()
	}
	return silent
}

// notice remembers a gap until it is stored.
func (k *timekeeper) notice(g gap) {
	if k.owed != nil {
		g.begin = k.owed.begin
	}
	k.owed = &g
	k.awake = k.last.Run
}

// in tells the time within a transaction. It returns errOwed where something has to
// be stored before anything is decided.
func (k *timekeeper) in(ctx context.Context, r Reader) (moment, error) {
	at, ok, err := r.Now(ctx)
	if err != nil {
		return moment{}, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if ok {
		k.served, k.server = true, time.Until(at)
		return moment{now: whole(k.clock.Of(at))}, nil
	}
	if _, writes := r.(Tx); writes || time.Since(k.readAt) > stateFor {
		if err := k.load(ctx, r); err != nil {
			return moment{}, err
		}
	}
	m := moment{now: whole(k.tell()), gap: k.stored.gap}
	if k.owes() {
		return m, errOwed
	}
	return m, nil
}

// owes reports whether something has to be stored before anything is decided.
func (k *timekeeper) owes() bool {
	return k.owed != nil || (k.offset-k.stored.offset).Abs() > slack
}

// load reads what other processes have stored.
func (k *timekeeper) load(ctx context.Context, r Reader) error {
	s, err := clockStateIn(ctx, r)
	if err != nil {
		return err
	}
	k.take(s)
	return nil
}

// take makes s what the time goes on from.
func (k *timekeeper) take(s clockState) {
	afresh := !k.loaded || !s.accepted.Equal(k.stored.accepted)
	k.loaded, k.readAt, k.stored = true, time.Now(), s
	if afresh {
		r := k.clock.Read()
		k.began, k.last, k.offset = true, r, s.offsetAt(r.Wall)
		k.told = r.Wall.Add(k.offset)
	}
	if behind := s.high.Sub(k.tell()); behind > 0 {
		k.offset += behind
		k.told = k.last.Wall.Add(k.offset)
	}
	if k.starting {
		k.starting = false
		if !s.alive.IsZero() {
			k.notice(gap{s.alive, k.told})
		}
	}
}

// mark stores the highest time with a call that writes anyway. It returns errOwed
// where a person has accepted the clock since the call was judged.
func (k *timekeeper) mark(ctx context.Context, tx Tx, now time.Time) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.served || now.Sub(k.stored.high) < highEvery {
		return nil
	}
	was, err := clockStateIn(ctx, tx)
	if err != nil {
		return err
	}
	s := was
	if !s.accepted.Equal(k.stored.accepted) {
		return errOwed
	}
	s.high, k.stored.high = now, now
	if k.engine {
		s.alive, k.stored.alive = now, now
	}
	return s.put(ctx, tx, was)
}

// settle stores what is owed.
func (k *timekeeper) settle(ctx context.Context, s Store) error {
	var state clockState
	var owed *gap
	err := s.Write(ctx, func(tx Tx) error {
		k.mu.Lock()
		defer k.mu.Unlock()
		if err := k.load(ctx, tx); err != nil {
			return err
		}
		owed, state = k.owed, k.stored
		state.high = whole(k.tell())
		if k.engine {
			state.alive = state.high
		}
		state.offset = k.offset.Truncate(time.Millisecond)
		if owed != nil {
			state.gap = state.gap.and(*owed)
		}
		return state.put(ctx, tx, k.stored)
	})
	if err != nil {
		return fmt.Errorf("store the clock's state: %w", err)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.stored, k.readAt = state, time.Now()
	if k.owed == owed {
		k.owed = nil
	}
	return nil
}

// and joins a later gap to g where the grace after g was not over yet.
func (g gap) and(later gap) gap {
	if !g.end.IsZero() && later.begin.Before(g.ends()) && g.begin.Before(later.begin) {
		later.begin = g.begin
	}
	later.begin, later.end = whole(later.begin), whole(later.end)
	return later
}
