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

// A Clock tells the ledger's time: UTC, cut to whole milliseconds.
type Clock interface{ Now() time.Time }

// SystemClock returns the machine's clock. Within one process it never goes
// backwards: while the wall clock is behind a time already told, it goes on from
// that time.
func SystemClock() Clock { return &systemClock{} }

type systemClock struct {
	mu   sync.Mutex
	read time.Time // the last reading, with its monotonic part
	told time.Time // the last time told
}

func (c *systemClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	wall := now.Round(0).UTC()
	if wall.Before(c.told) {
		wall = c.told.Add(now.Sub(c.read))
	}
	c.read, c.told = now, wall
	return wall.Truncate(time.Millisecond)
}

// TestClockEnv is the environment variable that names the file of a [TestClock].
const TestClockEnv = "DEDUPE_TEST_CLOCK"

// TestClock returns base shifted by what the file at path holds, read again at
// each call: `+901s` as if that time had passed, `-1d` as if the clock had been
// set back, `sleep +2h` as if the machine had slept so long. A missing or empty
// file shifts nothing. Text of any other form shifts nothing either, and
// [ShiftedClock.Shift] tells.
func TestClock(path string, base Clock) *ShiftedClock {
	return &ShiftedClock{path: path, base: base}
}

// A ShiftedClock is the clock that [TestClock] returns. It holds nothing but its
// path and base, so it is safe for concurrent use.
type ShiftedClock struct {
	path string
	base Clock
}

// Now returns the shifted time.
func (c *ShiftedClock) Now() time.Time {
	_, by, err := c.load()
	if err != nil {
		by = 0
	}
	return c.base.Now().Add(by).UTC().Truncate(time.Millisecond)
}

// Shift returns the text in the file, trimmed, for the banner that tells people
// of it; "" where nothing is shifted. The error is that of a file that cannot be
// read or understood.
func (c *ShiftedClock) Shift() (text string, err error) {
	text, _, err = c.load()
	return text, err
}

func (c *ShiftedClock) load() (string, time.Duration, error) {
	b, err := os.ReadFile(c.path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", 0, nil
	}
	if err != nil {
		return "", 0, fmt.Errorf("test clock: %w", err)
	}
	text := strings.TrimSpace(string(b))
	if text == "" {
		return "", 0, nil
	}
	by, err := parseShift(text)
	if err != nil {
		return text, 0, fmt.Errorf("test clock: %w", err)
	}
	return text, by, nil
}

// parseShift reads `+901s`, `-1d`, `+1d2h` or `sleep +2h`. A sleep moves the time
// just as a passing does; what a sleep means beyond that is for its reader.
func parseShift(text string) (time.Duration, error) {
	amount, slept := strings.CutPrefix(text, "sleep ")
	amount = strings.TrimSpace(amount)
	if amount == "" || (amount[0] != '+' && amount[0] != '-') {
		return 0, fmt.Errorf("%.40q has no leading + or -", text)
	}
	if slept && amount[0] == '-' {
		return 0, fmt.Errorf("%.40q: a machine cannot sleep backwards", text)
	}
	var days float64
	rest := amount[1:]
	if n, after, ok := strings.Cut(rest, "d"); ok {
		d, err := strconv.ParseFloat(n, 64)
		if err != nil || !(d >= 0 && d <= 36500) {
			return 0, fmt.Errorf("%.40q has no whole number of days", text)
		}
		days, rest = d, after
	}
	var by time.Duration
	if rest != "" {
		d, err := time.ParseDuration(rest)
		if err != nil || d < 0 || d > 36500*24*time.Hour {
			return 0, fmt.Errorf("%.40q is not a time like 901s, 2h or 1d", text)
		}
		by = d
	} else if amount[len(amount)-1] != 'd' {
		return 0, fmt.Errorf("%.40q is not a time like 901s, 2h or 1d", text)
	}
	by += time.Duration(days * float64(24*time.Hour))
	if amount[0] == '-' {
		by = -by
	}
	return by, nil
}
