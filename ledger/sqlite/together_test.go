package sqlite

import (
	"context"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"dedupedesk/ledger"
)

// put returns a call that writes a setting.
func put(name string) func(ledger.Tx) error {
	return func(t ledger.Tx) error { return t.PutSetting(context.Background(), name, "x") }
}

// written returns the settings whose names start with g, in order.
func written(t *testing.T, s *Store) string {
	t.Helper()
	var names []string
	err := s.Read(t.Context(), func(r ledger.Reader) error {
		all, err := r.Settings(t.Context(), "g")
		for name := range all {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

// An outcome is what one of several callers got.
type outcome struct {
	err    error
	thrown any
	exited bool
}

// together has the writer meet calls in one group, in this order, and returns what
// each caller got. The first of them is on the writer while the others come.
func together(t *testing.T, s *Store, calls ...func(ledger.Tx) error) []outcome {
	t.Helper()
	s.writer.hold = time.Hour
	s.writer.company.Store(math.MaxInt64) // else the first one would serve itself
	got := make([]outcome, len(calls))
	var wg sync.WaitGroup
	started, release := make(chan struct{}), make(chan struct{})
	first := sync.OnceFunc(func() { close(started); <-release })
	for i, f := range calls {
		write := func(tx ledger.Tx) error {
			if i == 0 {
				first()
			}
			return f(tx)
		}
		wg.Go(func() { got[i] = ask(t.Context(), s, write) })
		if i == 0 {
			<-started
		} else {
			inQueue(s, i)
		}
	}
	close(release)
	wg.Wait()
	return got
}

// inQueue waits until n calls wait for the writer.
func inQueue(s *Store, n int) {
	for {
		s.writer.queue.mu.Lock()
		there := len(s.writer.queue.calls)
		s.writer.queue.mu.Unlock()
		if there == n {
			return
		}
		time.Sleep(100 * time.Microsecond)
	}
}

// ask is a Write that tells what became of its goroutine.
func ask(ctx context.Context, s *Store, f func(ledger.Tx) error) (got outcome) {
	over := make(chan struct{})
	go func() {
		defer close(over)
		got.exited = true
		defer func() {
			if got.thrown = recover(); got.thrown != nil {
				got.exited = false
			}
		}()
		got.err = s.Write(ctx, f)
		got.exited = false
	}()
	<-over
	return got
}

func wantFine(t *testing.T, got ...outcome) {
	t.Helper()
	for i, o := range got {
		if o != (outcome{}) {
			t.Errorf("caller %d: %+v", i, o)
		}
	}
}

func wantWritten(t *testing.T, s *Store, want string) {
	t.Helper()
	if got := written(t, s); got != want {
		t.Errorf("written: %q, want %q", got, want)
	}
}
