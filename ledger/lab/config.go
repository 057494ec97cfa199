package lab

import (
	"fmt"
	"slices"
	"time"
)

// A Method is how a handler tries to write each event once.
type Method string

// The methods, in the order in which they are shown.
const (
	NoCheck  Method = "no check"       // writes
	Look     Method = "look first"     // looks whether a row is there, works, writes
	WaitLook Method = "wait then look" // waits, then as Look
	Mark     Method = "mark first"     // writes a mark that comes once, works, writes
	Unique   Method = "unique column"  // works, writes into a table that refuses a second row
	Reserve  Method = "reserve first"  // asks the guard, works, writes, reports
)

// Methods are all of them.
func Methods() []Method { return []Method{NoCheck, Look, WaitLook, Mark, Unique, Reserve} }

// The bounds of an experiment.
const (
	MaxEvents  = 5000
	MaxWorkers = 64
	MaxPause   = time.Second
)

// A Config is one experiment.
type Config struct {
	Events    int           // at least 1
	Twice     int           // percent of the events that arrive twice
	Thrice    int           // percent of the events that arrive three times
	Workers   int           // deliveries that are worked on at once
	Pause     time.Duration // that the work takes
	Scattered bool          // copies come anywhere, not back to back
	Fail      int           // percent of the deliveries whose work fails, and whose sender sends again
	Crash     int           // percent of the deliveries that end half way, one half before their row and one after
	Seed      uint64
	Serial    bool     // each method one at a time, too
	Methods   []Method // nil = all
	Cost      int      // of an extra row, in whole units of Currency; 0 = not counted
	Currency  string
}

// Default is the article's test.
func Default() Config {
	return Config{Events: 500, Twice: 25, Thrice: 5, Workers: 8, Pause: 20 * time.Millisecond, Seed: 1}
}

// Resent is the worked example: 40 orders whose events are all sent again.
func Resent() Config {
	c := Default()
	c.Events, c.Twice, c.Thrice, c.Cost, c.Currency = 40, 100, 0, 22, "USD"
	return c
}

// A Fault is a field of a Config that is out of bounds, in a sentence.
type Fault struct{ Field, Msg string }

// Error returns the sentence.
func (f *Fault) Error() string { return f.Msg }

// Check returns a [*Fault] for the first field that is out of bounds.
func (c Config) Check() error {
	for _, b := range []struct {
		field, what      string
		value, low, high int
	}{
		{"events", "The number of events", c.Events, 1, MaxEvents},
		{"workers", "The number at the same time", c.Workers, 1, MaxWorkers},
		{"twice", "The share that comes twice", c.Twice, 0, 100},
		{"thrice", "The share that comes three times", c.Thrice, 0, 100},
		{"fail", "The share of runs that fail", c.Fail, 0, 50},
		{"crash", "The share of runs that end half way", c.Crash, 0, 50},
		{"cost", "The cost of an extra row", c.Cost, 0, 1_000_000},
	} {
		if b.value < b.low || b.value > b.high {
			return &Fault{b.field, fmt.Sprintf("%s lies between %d and %d.", b.what, b.low, b.high)}
		}
	}
	switch {
	case c.Twice+c.Thrice > 100:
		return &Fault{"thrice", "The shares that come twice and three times are more than 100 % together."}
	case c.Pause < time.Millisecond || c.Pause > MaxPause:
		return &Fault{"pause", fmt.Sprintf("The work takes between 1 and %d milliseconds.", MaxPause.Milliseconds())}
	}
	for _, m := range c.Methods {
		if !slices.Contains(Methods(), m) {
			return &Fault{"methods", fmt.Sprintf("There is no method %q.", m)}
		}
	}
	return nil
}

func (c Config) methods() []Method {
	if c.Methods == nil {
		return Methods()
	}
	return c.Methods
}

// Mode says how many work at once: "8 at once", or "one at a time".
func (c Config) Mode(serial bool) string {
	if serial || c.Workers == 1 {
		return "one at a time"
	}
	return fmt.Sprintf("%d at once", c.Workers)
}

// tick is from one delivery to the next.
func (c Config) tick() time.Duration { return c.Pause / time.Duration(c.Workers) }
