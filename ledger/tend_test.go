package ledger

import (
	"testing"
	"time"
)

// TestNothingIsPrunedInTheQuietTime: fifteen minutes after a start or a wake.
func TestNothingIsPrunedInTheQuietTime(t *testing.T) {
	clock := &movedClock{at: noon}
	k := newTimekeeper(clock)
	wantQuiet := func(when string, want bool) {
		t.Helper()
		k.beat()
		if _, quiet := k.quietTime(); quiet != want {
			t.Errorf("%s: quiet %v", when, quiet)
		}
	}
	k.resume()
	wantQuiet("at the start", false)
	clock.pass(QuietFor - time.Second)
	wantQuiet("just before", false)
	clock.pass(time.Second)
	wantQuiet("after it", true)
	clock.at = clock.at.Add(time.Hour) // sleep
	wantQuiet("on wake", false)
	clock.pass(QuietFor)
	wantQuiet("after the wake", true)
}

// TestAProcessThatDidNotRunHasSlept: where the machine's running time goes on in
// sleep, the missing beat tells.
func TestAProcessThatDidNotRunHasSlept(t *testing.T) {
	clock := &movedClock{at: noon}
	k := newTimekeeper(clock)
	k.resume()
	k.take(clockState{})
	k.tell()
	k.beatAt = k.beatAt.Add(-tolerance - time.Second)
	clock.pass(time.Hour)
	if k.tell(); k.owed == nil || !k.owed.begin.Equal(noon) || !k.owed.end.Equal(noon.Add(time.Hour)) {
		t.Errorf("owed %+v", k.owed)
	}
}

type movedClock struct {
	at  time.Time
	ran time.Duration
}

func (c *movedClock) pass(d time.Duration)          { c.at, c.ran = c.at.Add(d), c.ran+d }
func (c *movedClock) Read() Reading                 { return Reading{Wall: c.at, Run: c.ran} }
func (c *movedClock) Of(server time.Time) time.Time { return server }
