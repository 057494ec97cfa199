package cli

import (
	"fmt"
	"time"
)

// A progress tells on the error output how far long work is: on a terminal in a line
// that is written over, with -v in a line now and then, else not at all.
type progress struct {
	call     *call
	verb     string // what is done, such as exported
	things   string // with what: keys or deliveries
	total    int64  // 0 = unknown
	terminal bool
	began    time.Time
	told     time.Time
	drawn    bool // a line stands on the terminal
}

// progressEvery is how often a line is written.
const (
	progressEvery  = 200 * time.Millisecond // on a terminal
	progressSeldom = 2 * time.Second        // elsewhere
)

func (c *call) progress(verb, things string, total int64) *progress {
	now := time.Now()
	p := &progress{call: c, verb: verb, things: things, total: total, terminal: draws(c.program.Err), began: now, told: now}
	if p.terminal {
		p.told = time.Time{} // a line that is written over may come at once
	}
	return p
}

// at tells that n keys are through.
func (p *progress) at(n int64) {
	if !p.terminal && !p.call.flags.Verbose {
		return
	}
	every := progressSeldom
	if p.terminal {
		every = progressEvery
	}
	if time.Since(p.told) < every {
		return
	}
	p.told = time.Now()
	if p.terminal {
		p.drawn = true
		_, _ = fmt.Fprintf(p.call.program.Err, "\r\x1b[Kdedupe: %s", p.line(n))
		return
	}
	p.call.say("%s", p.line(n))
}

// end clears the line and, with -v, tells the sum.
func (p *progress) end(n int64) {
	if p.drawn {
		_, _ = fmt.Fprint(p.call.program.Err, "\r\x1b[K")
	}
	if p.call.flags.Verbose {
		p.call.say("%s", p.line(n))
	}
}

func (p *progress) line(n int64) string {
	of := ""
	if p.total > 0 {
		of = fmt.Sprintf(" of %d", p.total)
	}
	rate := float64(n) / max(time.Since(p.began).Seconds(), 0.001)
	return fmt.Sprintf("%s %d%s %s, %.0f a second", p.verb, n, of, p.things, rate)
}
