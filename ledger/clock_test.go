package ledger_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"dedupedesk/ledger"
)

type fixedClock struct{ at time.Time }

func (c fixedClock) Read() ledger.Reading          { return ledger.Reading{Wall: c.at} }
func (c fixedClock) Of(server time.Time) time.Time { return server }

func TestTestClockReadsItsFileAtEachCall(t *testing.T) {
	path := filepath.Join(t.TempDir(), "clock")
	base := time.Date(2026, 11, 30, 9, 0, 0, 123_456_789, time.UTC)
	c := ledger.TestClock(path, fixedClock{base})
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
		if got := c.Read().Wall; !got.Equal(base.Add(tt.by)) {
			t.Errorf("%q: now %v, want %v", tt.text, got, base.Add(tt.by))
		}
		if _, err := c.Shift(); (err != nil) != tt.bad {
			t.Errorf("%q: error %v", tt.text, err)
		}
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if text, err := c.Shift(); text != "" || err != nil || !c.Read().Wall.Equal(base) {
		t.Errorf("without a file: %q, %v, %v", text, err, c.Read().Wall)
	}
}

// TestTestClockTellsSleepFromPassing: only what passed while running counts as run,
// and what the file held at the start is neither.
func TestTestClockTellsSleepFromPassing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "clock")
	c := ledger.TestClock(path, fixedClock{time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)})
	for _, tt := range []struct {
		text string
		ran  time.Duration
	}{
		{"+1h", 0}, {"+2h", time.Hour}, {"sleep +5h", time.Hour}, {"+6h", 2 * time.Hour}, {"-1d", 2 * time.Hour},
	} {
		if err := os.WriteFile(path, []byte(tt.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := c.Read().Run; got != tt.ran {
			t.Errorf("%q: ran %v, want %v", tt.text, got, tt.ran)
		}
	}
}
