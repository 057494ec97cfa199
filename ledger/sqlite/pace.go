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
	streak = 100 * time.Millisecond // after so long without a pause …
	gap    = 4 * time.Millisecond   // … leave one
	// While others write too, they get as much of the time as this process: what looks
	// ten times a second then finds a gap well within one.
	share      = 20 * time.Millisecond
	othersStay = 3 * time.Second // how long they are remembered
)

// leaveGap pauses where that is due.
func (p *pace) leaveGap() {
	now := time.Now()
	if now.Sub(p.last) > time.Millisecond {
		p.since = now
	}
	after, pause := streak, gap
	if now.Sub(p.others) < othersStay {
		after, pause = share, share
	}
	if now.Sub(p.since) > after {
		time.Sleep(pause)
		p.since = time.Now()
	}
}

// ended notes that a transaction has ended.
func (p *pace) ended() { p.last = time.Now() }
