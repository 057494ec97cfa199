package sqlite

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"dedupedesk/ledger"
)

// TestWritesAtOnceShareACommit counts commits, not time.
func TestWritesAtOnceShareACommit(t *testing.T) {
	s := openStore(t)
	calls := make([]func(ledger.Tx) error, 200)
	for i := range calls {
		calls[i] = put(fmt.Sprint("g", i))
	}
	before := s.writer.commits.Load()
	wantFine(t, together(t, s, calls...)...)
	if n := s.writer.commits.Load() - before; n != 1 {
		t.Errorf("%d commits", n)
	}
	if n := strings.Count(written(t, s), "g"); n != len(calls) {
		t.Errorf("%d written", n)
	}
}

// TestAGroupIsBounded: nobody waits for ever while others come.
func TestAGroupIsBounded(t *testing.T) {
	s := openStore(t)
	calls := make([]func(ledger.Tx) error, maxGroup+10)
	for i := range calls {
		calls[i] = put("g")
	}
	before := s.writer.commits.Load()
	wantFine(t, together(t, s, calls...)...)
	if n := s.writer.commits.Load() - before; n != 2 {
		t.Errorf("%d commits", n)
	}
	s.writer.hold = 0
	s.writer.company.Store(math.MaxInt64)
	before = s.writer.commits.Load()
	slow := func(tx ledger.Tx) error { time.Sleep(time.Millisecond); return put("g")(tx) }
	for range 3 {
		wantFine(t, ask(t.Context(), s, slow))
	}
	if n := s.writer.commits.Load() - before; n != 3 {
		t.Errorf("%d commits", n)
	}
}

// TestAFailedCallUndoesItselfAlone: the others of its group do not notice, but that
// they run again.
func TestAFailedCallUndoesItselfAlone(t *testing.T) {
	s := openStore(t)
	wanted := errors.New("wanted")
	ran := make([]int, 5)
	count := func(i int, f func(ledger.Tx) error) func(ledger.Tx) error {
		return func(tx ledger.Tx) error { ran[i]++; return f(tx) }
	}
	seen := func(tx ledger.Tx) error {
		if _, ok, err := tx.Setting(t.Context(), "g1"); ok || err != nil {
			t.Errorf("it sees what was undone: %v, %v", ok, err)
		}
		return put("g3")(tx)
	}
	got := together(t, s,
		count(0, put("g0")),
		count(1, func(tx ledger.Tx) error { return errors.Join(put("g1")(tx), wanted) }),
		count(2, func(ledger.Tx) error { return wanted }),
		count(3, seen),
		count(4, put("g4")))
	wantFine(t, got[0], got[3], got[4])
	if !errors.Is(got[1].err, wanted) || !errors.Is(got[2].err, wanted) {
		t.Errorf("%+v", got)
	}
	wantWritten(t, s, "g0 g3 g4")
	if want := []int{2, 1, 1, 1, 1}; !slices.Equal(ran, want) {
		t.Errorf("ran %v times, want %v", ran, want)
	}
}

// TestManyFailedCallsMakeNoCallRunOften: otherwise they would cost the square of
// their number.
func TestManyFailedCallsMakeNoCallRunOften(t *testing.T) {
	s := openStore(t)
	wanted := errors.New("wanted")
	var ran [60]int
	var calls []func(ledger.Tx) error
	for i := range ran {
		calls = append(calls, func(tx ledger.Tx) error {
			ran[i]++
			err := put(fmt.Sprint("g", i))(tx)
			if i%2 == 1 {
				return errors.Join(err, wanted)
			}
			return err
		})
	}
	for i, o := range together(t, s, calls...) {
		if errors.Is(o.err, wanted) != (i%2 == 1) || ran[i] > 2 {
			t.Errorf("call %d ran %d times: %+v", i, ran[i], o)
		}
	}
	if n := strings.Count(written(t, s), "g"); n != 30 {
		t.Errorf("%d written", n)
	}
}

// TestAPanicIsItsOwnCallers, and so is the end of a goroutine.
func TestAPanicIsItsOwnCallers(t *testing.T) {
	for name, bad := range map[string]func(){
		"panic": func() { panic("wanted") },
		"exit":  runtime.Goexit,
	} {
		t.Run(name, func(t *testing.T) {
			s := openStore(t)
			got := together(t, s, put("g0"),
				func(tx ledger.Tx) error { _ = put("g1")(tx); bad(); return nil },
				put("g2"))
			wantFine(t, got[0], got[2])
			if (got[1].thrown == "wanted") != (name == "panic") || got[1].exited != (name == "exit") {
				t.Errorf("its caller got %+v", got[1])
			}
			wantWritten(t, s, "g0 g2")
			wantFine(t, ask(t.Context(), s, put("g3")))
		})
	}
}

// TestWhoeverLeavesBeforeItsTurnWritesNothing, and whoever is in the group waits.
func TestWhoeverLeavesBeforeItsTurnWritesNothing(t *testing.T) {
	s := openStore(t)
	s.writer.company.Store(math.MaxInt64)
	ctx, cancel := context.WithCancel(t.Context())
	inside, release := make(chan struct{}), make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		// It gives up too late.
		wantFine(t, ask(ctx, s, func(tx ledger.Tx) error { close(inside); <-release; return put("g0")(tx) }))
	})
	<-inside
	wg.Go(func() {
		got := ask(ctx, s, func(tx ledger.Tx) error { t.Error("it ran"); return put("g1")(tx) })
		if ledger.CodeOf(got.err) != ledger.Busy || !errors.Is(got.err, context.Canceled) {
			t.Errorf("%+v", got)
		}
		close(release)
	})
	inQueue(s, 1)
	cancel()
	wg.Wait()
	wantWritten(t, s, "g0")
}

// TestACommitThatFailsGrantsNobody: a key of a rule that is not there is found out by
// SQLite only at the end.
func TestACommitThatFailsGrantsNobody(t *testing.T) {
	s := openStore(t)
	refused := errors.New("refused for what another call wrote")
	orphan := func(ledgerTx ledger.Tx) error {
		tx := ledgerTx.(tx)
		if _, err := tx.exec("PRAGMA defer_foreign_keys = 1"); err != nil {
			return err
		}
		now := time.Now().UTC().Truncate(time.Millisecond)
		_, _, err := tx.Insert(t.Context(), ledger.Row{RuleID: 99, Key: "a", State: ledger.Claimed, Fence: 1, Attempts: 1,
			Lease: time.Minute, FirstSeen: now, ClaimedAt: now, LeaseUntil: now, ChangedAt: now, CalledAt: now, Generation: 1})
		return err
	}
	got := together(t, s, put("g0"), orphan, func(ledger.Tx) error { return refused }, put("g3"))
	for i, o := range got {
		if o.err == nil || o.err == refused || !strings.Contains(o.err.Error(), "commit") {
			t.Errorf("caller %d: %+v", i, o)
		}
	}
	wantWritten(t, s, "")
	wantFine(t, together(t, s, put("g4"), put("g5"))...)
	wantWritten(t, s, "g4 g5")
}

// TestWhoRunsAgainMayFindTheFileUnfit, and so does whoever waits behind.
func TestWhoRunsAgainMayFindTheFileUnfit(t *testing.T) {
	s := openStore(t)
	spoil := func(tx ledger.Tx) error {
		told := corrupt(damagedText, nil)
		s.damage.first.Store(&told)
		return errors.Join(put("g1")(tx), told)
	}
	for i, o := range together(t, s, put("g0"), spoil, put("g2"), put("g3")) {
		if ledger.CodeOf(o.err) != ledger.Corrupt {
			t.Errorf("caller %d: %+v", i, o)
		}
	}
	wantWritten(t, s, "")
}

// TestAFullDiskInAGroup: SQLite ends the transaction by itself then. What comes after
// is not written outside of one.
func TestAFullDiskInAGroup(t *testing.T) {
	s := openStore(t)
	pages, err := s.writer.session.number("PRAGMA page_count")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.writer.session.exec(fmt.Sprint("PRAGMA max_page_count = ", pages+1)); err != nil {
		t.Fatal(err)
	}
	hidden := func(tx ledger.Tx) error {
		_ = tx.PutSetting(t.Context(), "g1", strings.Repeat("x", 1<<20))
		if err := put("g1-after")(tx); err == nil {
			t.Error("the transaction is over, and this was written")
		}
		return nil // as if nothing had happened
	}
	got := together(t, s, put("g0"), hidden, put("g2"))
	wantFine(t, got[0], got[2])
	if ledger.CodeOf(got[1].err) != ledger.Busy || !strings.Contains(ledger.MessageOf(got[1].err), "full") {
		t.Errorf("%+v", got[1])
	}
	wantWritten(t, s, "g0 g2")
}

func TestATransactionThatIsOverWritesNothing(t *testing.T) {
	s := openStore(t)
	var kept ledger.Tx
	wantFine(t, ask(t.Context(), s, func(tx ledger.Tx) error { kept = tx; return nil }))
	wantFine(t, ask(t.Context(), s, func(tx ledger.Tx) error {
		if err := put("g0")(kept); !errors.Is(err, errOver) {
			t.Errorf("%v", err)
		}
		_, _, err := kept.RuleNamed(t.Context(), "default")
		if !errors.Is(err, errOver) {
			t.Errorf("%v", err)
		}
		return nil
	}))
	wantWritten(t, s, "")
}

// TestCloseWaitsForWhoeverIsThere.
func TestCloseWaitsForWhoeverIsThere(t *testing.T) {
	s := openStore(t)
	inside, release := make(chan struct{}), make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		wantFine(t, ask(t.Context(), s, func(tx ledger.Tx) error { close(inside); <-release; return put("g0")(tx) }))
	})
	<-inside
	wg.Go(func() { wantFine(t, ask(t.Context(), s, put("g1"))) })
	inQueue(s, 1)
	wg.Go(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	for !closing(s) {
		time.Sleep(100 * time.Microsecond)
	}
	if got := ask(t.Context(), s, put("g2")); ledger.CodeOf(got.err) != ledger.Busy {
		t.Errorf("%+v", got)
	}
	close(release)
	wg.Wait()
	again, err := Open(s.path)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	wantWritten(t, again, "g0 g1")
}

func closing(s *Store) bool {
	s.writer.queue.mu.Lock()
	defer s.writer.queue.mu.Unlock()
	return s.writer.queue.closed
}
