package calls

import (
	"testing"
	"time"
)

func TestBookKeepsTheNewestAndTheLastTime(t *testing.T) {
	now := time.Date(2026, 11, 30, 8, 0, 0, 0, time.UTC)
	var kept []time.Time
	b := NewBook(func() time.Time { return now }, time.Time{}, func(at time.Time) { kept = append(kept, at) })
	if !b.Last().IsZero() {
		t.Fatal("a new book knows of a call")
	}
	for i := range Kept + 10 {
		b.Note(Call{Status: i})
		now = now.Add(time.Second)
	}
	got := b.Newest(3)
	if len(got) != 3 || got[0].Status != Kept+9 || got[2].Status != Kept+7 {
		t.Errorf("Newest(3) = %+v", got)
	}
	if n := len(b.Newest(1000)); n != Kept {
		t.Errorf("%d calls are kept, want %d", n, Kept)
	}
	if len(kept) != 1 {
		t.Errorf("the last time was written down %d times in a minute, want 1", len(kept))
	}
	if want := now.Add(-time.Second); !b.Last().Equal(want) {
		t.Errorf("Last = %v, want %v", b.Last(), want)
	}
}
