package lab_test

import (
	"context"
	"errors"
	"reflect"
	"sync"
	"testing"
	"time"

	"dedupedesk/ledger/lab"
)

// A book is a guard in memory. A key whose run ended half way is held once its time is
// over.
type book struct {
	mu    sync.Mutex
	state map[string]string
	late  bool
}

func (b *book) Claim(_ context.Context, key, owner string) (lab.Grant, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch b.state[key] {
	case "":
		b.state[key] = "open"
		return lab.Grant{Run: true, Token: owner}, nil
	case "open":
		return lab.Grant{Held: b.late}, nil
	}
	return lab.Grant{}, nil
}

func (b *book) set(key, state string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.state[key] = state
	return nil
}

func (b *book) Done(_ context.Context, key string, _ lab.Grant) error    { return b.set(key, "done") }
func (b *book) Release(_ context.Context, key string, _ lab.Grant) error { return b.set(key, "") }
func (b *book) Pass(time.Duration)                                       { b.late = true }

func guard(context.Context) (lab.Guard, func() error, error) {
	return &book{state: map[string]string{}}, func() error { return nil }, nil
}

func run(t *testing.T, c lab.Config) *lab.Result {
	t.Helper()
	r, err := lab.Run(t.Context(), c, guard, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func want(t *testing.T, r *lab.Result, m lab.Method, serial bool, extra, lost int) {
	t.Helper()
	o, ok := r.Of(m, serial)
	if !ok || o.Extra != extra || o.Lost != lost || o.Partial {
		t.Errorf("%s, one at a time %v: %d extra rows, %d lost, want %d and %d", m, serial, o.Extra, o.Lost, extra, lost)
	}
}

// TestTheArticlesFigures: eight at once, copies back to back.
func TestTheArticlesFigures(t *testing.T) {
	t.Parallel()
	c := lab.Default()
	c.Pause = 8 * time.Millisecond // the built program is tried with the article's 20
	r := run(t, c)
	if r.Events != 500 || r.Deliveries != 678 {
		t.Errorf("%d events, %d deliveries", r.Events, r.Deliveries)
	}
	for m, extra := range map[lab.Method]int{lab.NoCheck: 178, lab.Look: 178, lab.WaitLook: 178, lab.Mark: 0, lab.Unique: 0, lab.Reserve: 0} {
		want(t, r, m, false, extra, 0)
	}
}

// TestOneAtATime a look is enough.
func TestOneAtATime(t *testing.T) {
	t.Parallel()
	c := lab.Default()
	c.Pause, c.Workers = time.Millisecond, 1
	r := run(t, c)
	for m, extra := range map[lab.Method]int{lab.NoCheck: 178, lab.Look: 0, lab.WaitLook: 0, lab.Mark: 0, lab.Unique: 0, lab.Reserve: 0} {
		want(t, r, m, false, extra, 0)
	}
	c.Workers, c.Serial, c.Events, c.Methods = 8, true, 60, []lab.Method{lab.Look}
	r = run(t, c)
	want(t, r, lab.Look, true, 0, 0)
	if o, _ := r.Of(lab.Look, false); o.Extra == 0 {
		t.Error("a look is enough for eight at once")
	}
}

// TestScatteredCopiesMeetSeldom, and still do.
func TestScatteredCopiesMeetSeldom(t *testing.T) {
	t.Parallel()
	c := lab.Default()
	c.Scattered, c.Methods = true, []lab.Method{lab.NoCheck, lab.Look, lab.Reserve}
	c.Pause = 8 * time.Millisecond
	r := run(t, c)
	want(t, r, lab.NoCheck, false, 178, 0)
	want(t, r, lab.Reserve, false, 0, 0)
	if o, _ := r.Of(lab.Look, false); o.Extra <= 0 || o.Extra >= 178 || o.Lost != 0 {
		t.Errorf("%d extra rows, %d lost", o.Extra, o.Lost)
	}
}

// TestRunsThatFailAndEnd: who marks first loses events, who reserves asks a person about
// those that nobody can know, and no method but these leaves one out.
func TestRunsThatFailAndEnd(t *testing.T) {
	t.Parallel()
	c := lab.Default()
	c.Pause, c.Fail, c.Crash = 8*time.Millisecond, 10, 10
	r := run(t, c)
	for _, m := range []lab.Method{lab.NoCheck, lab.Look, lab.WaitLook, lab.Unique} {
		if o, _ := r.Of(m, false); o.Lost != 0 || o.Again == 0 {
			t.Errorf("%s: %d lost, %d sent again", m, o.Lost, o.Again)
		}
	}
	if o, _ := r.Of(lab.Mark, false); o.Lost == 0 || o.Extra != 0 {
		t.Errorf("mark first: %d lost, %d extra", o.Lost, o.Extra)
	}
	if o, _ := r.Of(lab.Reserve, false); o.Lost != 0 || o.Extra != 0 || o.Held == 0 {
		t.Errorf("reserve first: %d lost, %d extra, %d wait for a person", o.Lost, o.Extra, o.Held)
	}
}

// TestTheSameConfigGivesTheSame rows twice in a row.
func TestTheSameConfigGivesTheSame(t *testing.T) {
	t.Parallel()
	c := lab.Default()
	c.Events, c.Pause, c.Fail = 200, 8*time.Millisecond, 5
	type figures struct{ extra, lost int }
	var before []figures
	for range 2 {
		var now []figures
		for _, o := range run(t, c).Methods {
			now = append(now, figures{o.Extra, o.Lost})
		}
		if before != nil && !reflect.DeepEqual(before, now) {
			t.Errorf("first %v, then %v", before, now)
		}
		before = now
	}
}

// TestFortyResentOrders are forty orders too many, and none where they are reserved.
func TestFortyResentOrders(t *testing.T) {
	t.Parallel()
	r := run(t, lab.Resent())
	if r.Deliveries != 80 {
		t.Errorf("%d deliveries", r.Deliveries)
	}
	want(t, r, lab.NoCheck, false, 40, 0)
	want(t, r, lab.Reserve, false, 0, 0)
}

func TestLanesShowTheOverlap(t *testing.T) {
	t.Parallel()
	c := lab.Resent()
	c.Methods = []lab.Method{lab.Look}
	o, _ := run(t, c).Of(lab.Look, false)
	doubled := o.Doubled()
	if len(doubled) != 40 {
		t.Fatalf("%d events got two rows", len(doubled))
	}
	lanes := o.Lanes(doubled[0])
	if len(lanes) != 2 {
		t.Fatalf("%+v", lanes)
	}
	a, b := lanes[0].Steps, lanes[1].Steps
	if a[0].Kind != lab.StepLookedNothing || b[0].Kind != lab.StepLookedNothing || a[2].Kind != lab.StepWrote || b[0].From >= a[2].From {
		t.Errorf("%v\n%v", a, b)
	}
	if o.Lanes(9999) != nil || o.Lanes(0) != nil {
		t.Error("an event that there is not has runs")
	}
}

// TestCancelGivesWhatWasCounted, at once.
func TestCancelGivesWhatWasCounted(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	told := 0
	r, err := lab.Run(ctx, lab.Default(), guard, func(p lab.Progress) {
		if told++; p.Method == lab.Look {
			cancel()
		}
	})
	if err != nil || !r.Partial || len(r.Methods) != 2 || !r.Methods[1].Partial || r.Methods[0].Extra != 178 {
		t.Errorf("%+v, %v", r, err)
	}
	if told == 0 {
		t.Error("nothing was told")
	}
}

func TestWhatIsOutOfBoundsIsNamed(t *testing.T) {
	t.Parallel()
	for field, change := range map[string]func(*lab.Config){
		"events":  func(c *lab.Config) { c.Events = 0 },
		"workers": func(c *lab.Config) { c.Workers = 65 },
		"thrice":  func(c *lab.Config) { c.Twice, c.Thrice = 60, 41 },
		"pause":   func(c *lab.Config) { c.Pause = time.Minute },
		"crash":   func(c *lab.Config) { c.Crash = 51 },
		"methods": func(c *lab.Config) { c.Methods = []lab.Method{"hope"} },
	} {
		c := lab.Default()
		change(&c)
		_, err := lab.Run(t.Context(), c, guard, nil)
		if fault, ok := errors.AsType[*lab.Fault](err); !ok || fault.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
}

// TestAFaultOfTheGuardEndsTheRun: no figures are made of it.
func TestAFaultOfTheGuardEndsTheRun(t *testing.T) {
	t.Parallel()
	c := lab.Resent()
	c.Methods = []lab.Method{lab.Reserve}
	gone := errors.New("gone")
	_, err := lab.Run(t.Context(), c, func(context.Context) (lab.Guard, func() error, error) {
		return broken{gone}, func() error { return nil }, nil
	}, nil)
	if !errors.Is(err, gone) {
		t.Errorf("%v", err)
	}
}

type broken struct{ err error }

func (b broken) Claim(context.Context, string, string) (lab.Grant, error) { return lab.Grant{}, b.err }
func (b broken) Done(context.Context, string, lab.Grant) error            { return b.err }
func (b broken) Release(context.Context, string, lab.Grant) error         { return b.err }
func (b broken) Pass(time.Duration)                                       {}
