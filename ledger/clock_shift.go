package ledger

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

// TestClockEnv is the environment variable that names the file of a [TestClock].
const TestClockEnv = "DEDUPE_TEST_CLOCK"

// TestClock returns base shifted by what the file at path holds, read again at
// each call: `+901s` as if that time had passed, `-1d` as if the clock had been
// set back, `sleep +2h` as if the machine had slept so long. What a change of the
// file adds has passed, or was slept, at that moment. A missing or empty file shifts
// nothing. Text of any other form shifts nothing either, and [ShiftedClock.Shift]
// tells. A server's time is shifted alike.
func TestClock(path string, base Clock) *ShiftedClock {
	return &ShiftedClock{path: path, base: base}
}

// A ShiftedClock is the clock that [TestClock] returns.
type ShiftedClock struct {
	path string
	base Clock

	mu    sync.Mutex
	begun bool
	by    time.Duration // the shift that was read last
	ran   time.Duration // how much of all shifts so far passed while running
}

// Read returns the shifted reading.
func (c *ShiftedClock) Read() Reading {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.current()
	if c.begun && !s.slept {
		c.ran += max(0, s.by-c.by)
	}
	c.by, c.begun = s.by, true
	r := c.base.Read()
	return Reading{Wall: r.Wall.Add(s.by), Run: r.Run + c.ran}
}

// Of returns the shifted time of a server.
func (c *ShiftedClock) Of(server time.Time) time.Time {
	return c.base.Of(server).Add(c.current().by)
}

// current returns the shift in the file, none where it cannot be understood.
func (c *ShiftedClock) current() shift {
	_, s, err := c.load()
	if err != nil {
		return shift{}
	}
	return s
}

// Shift returns the text in the file, trimmed, for the banner that tells people
// of it; "" where nothing is shifted. The error is that of a file that cannot be
// read or understood.
func (c *ShiftedClock) Shift() (text string, err error) {
	text, _, err = c.load()
	return text, err
}

func (c *ShiftedClock) load() (string, shift, error) {
	b, err := os.ReadFile(c.path)
	if err == nil && len(b) == 0 {
		// It may be about to be written: an empty moment is no step back and forth.
		time.Sleep(2 * time.Millisecond)
		b, err = os.ReadFile(c.path)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return "", shift{}, nil
	}
	if err != nil {
		return "", shift{}, fmt.Errorf("test clock: %w", err)
	}
	text := strings.TrimSpace(string(b))
	if text == "" {
		return "", shift{}, nil
	}
	s, err := parseShift(text)
	if err != nil {
		return text, shift{}, fmt.Errorf("test clock: %w", err)
	}
	return text, s, nil
}

// A shift is what a test clock's file says.
type shift struct {
	by    time.Duration
	slept bool
}

// parseShift reads `+901s`, `-1d`, `+1d2h` or `sleep +2h`.
func parseShift(text string) (shift, error) {
	amount, slept := strings.CutPrefix(text, "sleep ")
	amount = strings.TrimSpace(amount)
	if amount == "" || (amount[0] != '+' && amount[0] != '-') {
		return shift{}, fmt.Errorf("%.40q has no leading + or -", text)
	}
	if slept && amount[0] == '-' {
		return shift{}, fmt.Errorf("%.40q: a machine cannot sleep backwards", text)
	}
	var days float64
	rest := amount[1:]
	if n, after, ok := strings.Cut(rest, "d"); ok {
		d, err := strconv.ParseFloat(n, 64)
		if err != nil || !(d >= 0 && d <= 36500) {
			return shift{}, fmt.Errorf("%.40q has no whole number of days", text)
		}
		days, rest = d, after
	}
	var by time.Duration
	if rest != "" {
		d, err := time.ParseDuration(rest)
		if err != nil || d < 0 || d > 36500*24*time.Hour {
			return shift{}, fmt.Errorf("%.40q is not a time like 901s, 2h or 1d", text)
		}
		by = d
	} else if amount[len(amount)-1] != 'd' {
		return shift{}, fmt.Errorf("%.40q is not a time like 901s, 2h or 1d", text)
	}
	by += time.Duration(days * float64(24*time.Hour))
	if amount[0] == '-' {
		by = -by
	}
	return shift{by: by, slept: slept}, nil
}
