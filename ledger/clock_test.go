package ledger_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"dedupedesk/ledger"
)

type fixedClock struct{ at time.Time }

func (c fixedClock) Now() time.Time { return c.at }

func TestTestClockReadsItsFileAtEachCall(t *testing.T) {
	path := filepath.Join(t.TempDir(), "clock")
	base := time.Date(2026, 11, 30, 9, 0, 0, 123_456_789, time.UTC)
	c := ledger.TestClock(path, fixedClock{base})
	told := base.Truncate(time.Millisecond)
	for _, tt := range []struct {
		text string
		by   time.Duration
		bad  bool
	}{
		{"+901s", 901 * time.Second, false},
		{"-1d", -24 * time.Hour, false},
		{"sleep +2h\n", 2 * time.Hour, false},
		{" +1d2h ", 26 * time.Hour, false},
		{"+0.5d", 12 * time.Hour, false},
		{"+1h30m", 90 * time.Minute, false},
		{"", 0, false},
		{"901s", 0, true},
		{"+", 0, true},
		{"+d", 0, true},
		{"+NaNd", 0, true},
		{"+-5s", 0, true},
		{"+12", 0, true},
		{"sleep -2h", 0, true},
		{"tomorrow", 0, true},
		{"+999999999d", 0, true},
	} {
		if err := os.WriteFile(path, []byte(tt.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := c.Now(); !got.Equal(told.Add(tt.by)) {
			t.Errorf("%q: now %v, want %v", tt.text, got, told.Add(tt.by))
		}
		if _, err := c.Shift(); (err != nil) != tt.bad {
			t.Errorf("%q: error %v", tt.text, err)
		}
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if text, err := c.Shift(); text != "" || err != nil || !c.Now().Equal(told) {
		t.Errorf("without a file: %q, %v, %v", text, err, c.Now())
	}
}

func TestSystemClockTellsWholeMillisecondsInOrder(t *testing.T) {
	c := ledger.SystemClock()
	last := c.Now()
	for range 10_000 {
		now := c.Now()
		if now.Before(last) || now.Nanosecond()%1_000_000 != 0 || now.Location() != time.UTC {
			t.Fatalf("%v after %v", now, last)
		}
		last = now
	}
}
