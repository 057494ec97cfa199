package triage_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"dedupedesk/app/triage"
	"dedupedesk/ledger"
	"dedupedesk/ledger/ledgertest"
	"dedupedesk/ledger/sqlite"
)

// house is a ledger with n keys whose time is over, on a clock that stands still.
func house(t *testing.T, n int) (*ledger.Ledger, *ledgertest.Clock, *triage.Book) {
	t.Helper()
	store, err := sqlite.Open(filepath.Join(t.TempDir(), "ledger.db"))
	if err != nil {
		t.Fatal(err)
	}
	clock := ledgertest.NewClockAt(time.Date(2026, 11, 30, 14, 5, 0, 0, time.UTC))
	l := ledger.New(store, clock, nil)
	b := triage.NewBook(l)
	t.Cleanup(func() {
		b.Close()
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	for i := range n {
		if _, err := l.Claim(t.Context(), ledger.ClaimRequest{Key: key(i), Owner: "run"}); err != nil {
			t.Fatal(err)
		}
	}
	clock.Step(time.Hour)
	return l, clock, b
}

func key(i int) string { return fmt.Sprintf("order:%04d", i) }

// all chooses every key that needs a decision.
func all(t *testing.T, b *triage.Book, want int) triage.Selection {
	t.Helper()
	s, err := b.ChooseAll(t.Context(), ledger.KeyQuery{View: ledger.ViewStuck}, "all")
	if err != nil || len(s.Items) != want {
		t.Fatalf("%d chosen, %v, want %d", len(s.Items), err, want)
	}
	return s
}

func over(t *testing.T, j *triage.Job, err error) triage.Progress {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	for !j.Progress().Ended() {
		j.Wait(time.Minute)
	}
	return j.Progress()
}

func stateOf(t *testing.T, l *ledger.Ledger, k string) ledger.State {
	t.Helper()
	life, err := l.Key(t.Context(), "", k)
	if err != nil {
		t.Fatal(err)
	}
	return life.Key.State
}

// TestExactlyWhatWasChosen: a key that came later is not touched, and one that changed is
// left alone and named.
func TestExactlyWhatWasChosen(t *testing.T) {
	l, clock, b := house(t, 250)
	s := all(t, b, 250)
	// Meanwhile a late run finishes one, a person blocks another, one is forgotten, and a
	// new one gets stuck.
	if _, err := l.Done(t.Context(), ledger.DoneRequest{Identity: ledger.Identity{Key: key(1), Owner: "run"}}); err != nil {
		t.Fatal(err)
	}
	for k, d := range map[string]ledger.Decision{key(2): ledger.Block, key(3): ledger.Forget} {
		if _, err := l.Decide(t.Context(), ledger.DecideRequest{Key: k, Decision: d, By: "Bo", Why: "looked"}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := l.Claim(t.Context(), ledger.ClaimRequest{Key: "late"}); err != nil {
		t.Fatal(err)
	}
	clock.Step(time.Hour)
	j, err := b.Start(s.ID, triage.Act{Decision: ledger.Again, By: "Ana", Why: "none is there"})
	p := over(t, j, err)
	if p.Done != 247 || p.LeftAlone != 3 || p.Total != 250 || p.Cancelled {
		t.Fatalf("%+v", p)
	}
	codes := map[string]ledger.Code{}
	for _, left := range p.Left {
		codes[left.Key] = left.Code
	}
	if codes[key(1)] != ledger.Changed || codes[key(2)] != ledger.Changed || codes[key(3)] != ledger.NotFound {
		t.Errorf("left alone: %v", codes)
	}
	for k, want := range map[string]ledger.State{key(0): ledger.Retryable, key(1): ledger.Done, key(2): ledger.Held, "late": ledger.Claimed} {
		if got := stateOf(t, l, k); got != want {
			t.Errorf("%s is %s, want %s", k, got, want)
		}
	}
	if life, err := l.Key(t.Context(), "", key(0)); err != nil || life.Events[len(life.Events)-1].By != "Ana" {
		t.Errorf("the decision is not signed: %+v %v", life.Events, err)
	}
}

// TestASelectionIsDecidedOnOnce, within an hour.
func TestASelectionIsDecidedOnOnce(t *testing.T) {
	_, clock, b := house(t, 3)
	act := triage.Act{Decision: ledger.Finished, By: "Ana", Why: "all there"}
	s, old := all(t, b, 3), all(t, b, 3)
	j, err := b.Start(s.ID, act)
	over(t, j, err)
	if _, err := b.Start(s.ID, act); ledger.CodeOf(err) != ledger.NotFound {
		t.Errorf("a second start: %v", err)
	}
	clock.Step(61 * time.Minute)
	if _, err := b.Start(old.ID, act); ledger.CodeOf(err) != ledger.NotFound {
		t.Errorf("an old selection: %v", err)
	}
	if _, err := b.Start(s.ID, triage.Act{Decision: ledger.Forget}); ledger.CodeOf(err) != ledger.Invalid {
		t.Errorf("forgetting many: %v", err)
	}
	if _, err := b.Choose(nil, ""); ledger.CodeOf(err) != ledger.Invalid {
		t.Errorf("no key: %v", err)
	}
}

// TestUndoPutsTheQuestionBack, for the keys that did not change since, and once.
func TestUndoPutsTheQuestionBack(t *testing.T) {
	l, _, b := house(t, 4)
	j, err := b.Start(all(t, b, 4).ID, triage.Act{Decision: ledger.Finished, By: "Ana", Why: "all there"})
	p := over(t, j, err)
	if !p.Undoable() || stateOf(t, l, key(0)) != ledger.Done {
		t.Fatalf("%+v", p)
	}
	if _, err := l.Decide(t.Context(), ledger.DecideRequest{Key: key(3), Decision: ledger.Again, By: "Bo", Why: "it was deleted"}); err != nil {
		t.Fatal(err)
	}
	back, err := b.Undo(p.ID, "Ana", "too early")
	u := over(t, back, err)
	if u.Done != 3 || u.LeftAlone != 1 || stateOf(t, l, key(0)) != ledger.Held || stateOf(t, l, key(3)) != ledger.Retryable {
		t.Errorf("%+v", u)
	}
	if _, err := b.Undo(p.ID, "Ana", "again"); ledger.CodeOf(err) != ledger.Changed {
		t.Errorf("a second undo: %v", err)
	}
	if _, err := b.Undo(u.ID, "Ana", "the undo"); ledger.CodeOf(err) != ledger.Changed {
		t.Errorf("undo of an undo: %v", err)
	}
	all(t, b, 3) // they need a decision again
	if list := b.Recent(); len(list) != 2 || list[0].ID != u.ID || list[1].UndoneBy != u.ID {
		t.Errorf("%+v", list)
	}
}

// TestCancelLeavesTheRest as it was, and the end of the engine does too.
func TestCancelLeavesTheRest(t *testing.T) {
	l, _, b := house(t, 400)
	j, err := b.Start(all(t, b, 400).ID, triage.Act{Decision: ledger.Block, By: "Ana", Why: "wait"})
	if err != nil {
		t.Fatal(err)
	}
	for j.Progress().Done == 0 {
		j.Wait(time.Millisecond)
	}
	b.Close()
	p := j.Progress()
	if !p.Ended() || p.LeftAlone != 0 {
		t.Fatalf("%+v", p)
	}
	held := 0
	err = l.Export(context.Background(), ledger.KeyQuery{State: ledger.Held}, func(ledger.Key) error { held++; return nil })
	if err != nil || held != p.Done {
		t.Errorf("%d are blocked, %d were told, %v", held, p.Done, err)
	}
	if p.Done < 400 && !p.Cancelled {
		t.Error("it does not say that it was cancelled")
	}
	if _, err := b.Choose([]triage.Item{{Key: "a"}}, ""); err != nil {
		t.Fatal(err)
	}
}

// TestTheNewestJobsAreRemembered, and no more.
func TestTheNewestJobsAreRemembered(t *testing.T) {
	l, _, b := house(t, 1)
	for range triage.Kept + 3 {
		life, err := l.Key(t.Context(), "", key(0))
		if err != nil {
			t.Fatal(err)
		}
		s, err := b.Choose([]triage.Item{triage.ItemOf(life.Key)}, "")
		if err != nil {
			t.Fatal(err)
		}
		j, err := b.Start(s.ID, triage.Act{Decision: ledger.Block, By: "Ana", Why: "wait"})
		over(t, j, err)
	}
	if n := len(b.Recent()); n != triage.Kept {
		t.Errorf("%d jobs are remembered", n)
	}
}
