package scratch

import (
	"sync/atomic"
	"time"

	"dedupedesk/ledger"
)

// A clock is the computer's, and what was added to it.
type clock struct {
	base  ledger.Clock
	added atomic.Int64
}

func (c *clock) pass(d time.Duration) { c.added.Add(int64(d)) }

// Read adds to both, as if the time had passed while the program ran.
func (c *clock) Read() ledger.Reading {
	r, added := c.base.Read(), time.Duration(c.added.Load())
	return ledger.Reading{Wall: r.Wall.Add(added), Run: r.Run + added}
}

func (c *clock) Of(server time.Time) time.Time { return server.Add(time.Duration(c.added.Load())) }

func (c *clock) now() time.Time { return c.Read().Wall }
