package sqlite

import "time"

// A pace leaves gaps between transactions. While this process keeps the file busy,
// others find none by themselves: the seed article's script, as every program that
// leaves the waiting to SQLite, looks for one only ten times a second.
type pace struct {
	since, last time.Time // when the streak began, when its last transaction ended
	others      time.Time // when another process was last seen to write
}

const (
	streak   = 100 * time.Millisecond // after so long without a pause, leave one
	gap      = 4 * time.Millisecond
	wideGap  = 12 * time.Millisecond // while others write too
	othersGo = 2 * time.Second       // how long they are remembered
)

// leaveGap pauses where that is due.
func (p *pace) leaveGap() {
	now := time.Now()
	if now.Sub(p.last) > time.Millisecond {
		p.since = now
	}
	if now.Sub(p.since) <= streak {
		return
	}
	pause := gap
	if now.Sub(p.others) < othersGo {
		pause = wideGap
	}
	time.Sleep(pause)
	p.since = time.Now()
}

// ended notes that a transaction has ended.
func (p *pace) ended() { p.last = time.Now() }
