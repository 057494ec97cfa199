package ledger

import (
	"context"
	"fmt"
	"strconv"
	"time"
)

// The settings that hold what a store knows of the clock, in whole milliseconds. The
// view ledger_now of package sqlite reads them too.
const (
	clockSettings   = "clock."
	settingHigh     = clockSettings + "high"      // the highest time told, to half a minute
	settingAlive    = clockSettings + "alive"     // when an engine ran last, likewise
	settingOffset   = clockSettings + "offset"    // what the wall clock is behind
	settingGapBegin = clockSettings + "gap_begin" // the last gap
	settingGapEnd   = clockSettings + "gap_end"
	settingAccepted = clockSettings + "accepted" // when a person accepted the wall clock last
	settingClamped  = clockSettings + "clamped"  // the acceptance after which deadlines were shortened
)

// A clockState is what a store keeps of the clock.
type clockState struct {
	high     time.Time
	alive    time.Time
	offset   time.Duration
	gap      gap
	accepted time.Time
	clamped  time.Time
}

// parseClockState reads the settings. What cannot be read is Corrupt: to go on
// without it could free a key that is in use.
func parseClockState(values map[string]string) (s clockState, err error) {
	number := func(name string) int64 {
		text, ok := values[name]
		if !ok {
			return 0
		}
		n, bad := strconv.ParseInt(text, 10, 64)
		if bad != nil && err == nil {
			err = &Error{Code: Corrupt, Err: fmt.Errorf("setting %s: %w", name, bad),
				Msg: "The ledger's clock cannot be read. Nothing was granted. Restore a backup."}
		}
		return n
	}
	at := func(name string) time.Time {
		if n := number(name); n != 0 {
			return time.UnixMilli(n).UTC()
		}
		return time.Time{}
	}
	s.high, s.alive, s.accepted, s.clamped = at(settingHigh), at(settingAlive), at(settingAccepted), at(settingClamped)
	s.offset = time.Duration(number(settingOffset)) * time.Millisecond
	s.gap = gap{at(settingGapBegin), at(settingGapEnd)}
	return s, err
}

// clockStateIn reads the state within a transaction.
func clockStateIn(ctx context.Context, r Reader) (clockState, error) {
	values, err := r.Settings(ctx, clockSettings)
	if err != nil {
		return clockState{}, err
	}
	return parseClockState(values)
}

// offsetAt returns what a wall clock that shows wall lacks of the ledger's time. One
// that has come back to it was set right. How much time passed since the state was
// stored is not known, so half of what it lacked tells; in doubt the time is late,
// which gives no key away. The view ledger_now says the same.
func (s clockState) offsetAt(wall time.Time) time.Duration {
	if s.offset > tolerance && !wall.Before(s.high.Add(-s.offset/2)) {
		return 0
	}
	return s.offset
}

// millis writes a time down; the zero time is "", which deletes the setting.
func millis(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return strconv.FormatInt(t.UnixMilli(), 10)
}

// values returns s as settings; "" means that there is none.
func (s clockState) values() map[string]string {
	offset := ""
	if s.offset != 0 {
		offset = strconv.FormatInt(s.offset.Milliseconds(), 10)
	}
	return map[string]string{
		settingHigh: millis(s.high), settingAlive: millis(s.alive), settingOffset: offset, settingAccepted: millis(s.accepted),
		settingGapBegin: millis(s.gap.begin), settingGapEnd: millis(s.gap.end), settingClamped: millis(s.clamped),
	}
}

// put writes what differs from was.
func (s clockState) put(ctx context.Context, tx Tx, was clockState) error {
	old := was.values()
	for name, value := range s.values() {
		if value == old[name] {
			continue
		}
		if err := tx.PutSetting(ctx, name, value); err != nil {
			return err
		}
	}
	return nil
}
