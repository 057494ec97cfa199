package sqlite

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"

	"dedupedesk/ledger"
)

// TestALoneCallServesItself, with all that is promised to a group.
func TestALoneCallServesItself(t *testing.T) {
	s := openStore(t)
	id := goroutine()
	before := s.writer.commits.Load()
	err := s.Write(t.Context(), func(tx ledger.Tx) error {
		if goroutine() != id {
			t.Error("it ran elsewhere")
		}
		return put("g0")(tx)
	})
	if err != nil || s.writer.commits.Load() != before+1 {
		t.Errorf("%v", err)
	}
	wanted := errors.New("wanted")
	bad := func(after func() error) func(ledger.Tx) error {
		return func(tx ledger.Tx) error { return errors.Join(put("g1")(tx), after()) }
	}
	if got := ask(t.Context(), s, bad(func() error { return wanted })); !errors.Is(got.err, wanted) {
		t.Errorf("%+v", got)
	}
	if got := ask(t.Context(), s, bad(func() error { panic("wanted") })); got.thrown != "wanted" {
		t.Errorf("%+v", got)
	}
	if got := ask(t.Context(), s, bad(func() error { runtime.Goexit(); return nil })); !got.exited {
		t.Errorf("%+v", got)
	}
	wantFine(t, ask(t.Context(), s, put("g2")))
	wantWritten(t, s, "g0 g2")
}

// goroutine returns the name of the goroutine that asks.
func goroutine() string {
	b := make([]byte, 64)
	name, _, _ := strings.Cut(string(b[:runtime.Stack(b, false)]), " [")
	return name
}

// TestWhoComesDuringALoneCallIsAGroup, whatever the lone one does meanwhile.
func TestWhoComesDuringALoneCallIsAGroup(t *testing.T) {
	s := openStore(t)
	inside, release := make(chan struct{}), make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		wantFine(t, ask(t.Context(), s, func(tx ledger.Tx) error { close(inside); <-release; return put("g0")(tx) }))
	})
	<-inside
	for i := range 20 {
		wg.Go(func() { wantFine(t, ask(t.Context(), s, put(fmt.Sprint("h", i)))) })
	}
	inQueue(s, 20)
	before := s.writer.commits.Load()
	close(release)
	wg.Wait()
	if n := s.writer.commits.Load() - before; n != 2 {
		t.Errorf("%d commits", n)
	}
	if s.writer.company.Load() == 0 {
		t.Error("nobody noticed the company")
	}
}
