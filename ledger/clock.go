package ledger

import "time"

// A Clock is what a ledger tells time by. It is safe for concurrent use.
type Clock interface {
	// Read returns what the machine's clock shows now.
	Read() Reading
	// Of returns what the ledger calls the time that a store's server shows. It is
	// that time, unless a test moves it.
	Of(server time.Time) time.Time
}

// A Reading is what a machine's clock shows at one moment. Two of them tell apart
// that time passed, that the clock was set, and that the machine slept.
type Reading struct {
	Wall time.Time     // UTC; people set it, and it goes on while the machine sleeps
	Run  time.Duration // since a moment of no importance; nobody sets it. Most systems stop it in sleep
}

// SystemClock returns the machine's clock.
func SystemClock() Clock { return systemClock{start: time.Now()} }

type systemClock struct{ start time.Time }

func (c systemClock) Read() Reading {
	now := time.Now()
	return Reading{Wall: now.Round(0).UTC(), Run: now.Sub(c.start)}
}

func (c systemClock) Of(server time.Time) time.Time { return server }
