package ledger

import (
	"context"
	"fmt"
	"time"
)

// checkSetting is what Check writes. It is in the store like any other setting, so
// a full disk shows.
const checkSetting = "ledger.checked_at"

// checkEvery is for how long a Check that went well stands. Pages and monitors ask
// every few seconds, and each write is a sync of the disk.
const checkEvery = 10 * time.Second

// A lastCheck remembers when Check last wrote. Whoever checks holds its turn, which
// others wait for no longer than their context lasts.
type lastCheck struct {
	turn chan struct{}
	at   time.Time // zero after a failure
}

func newLastCheck() *lastCheck { return &lastCheck{turn: make(chan struct{}, 1)} }

// Check returns nil if the ledger can answer claims now: it writes something, or
// did so with success in the last 10 seconds. Else it returns Busy, also where ctx
// ends first, or Corrupt.
func (l *Ledger) Check(ctx context.Context) error {
	select {
	case l.checked.turn <- struct{}{}:
	case <-ctx.Done():
		return &Error{Code: Busy, Err: ctx.Err(),
			Msg: "The call was given up before the ledger could answer. Try again."}
	}
	defer func() { <-l.checked.turn }()
	if !l.checked.at.IsZero() && time.Since(l.checked.at) < checkEvery {
		return nil
	}
	l.checked.at = time.Time{}
	at := l.Now().Format("2006-01-02T15:04:05.000Z07:00")
	err := l.store.Write(ctx, func(tx Tx) error { return tx.PutSetting(ctx, checkSetting, at) })
	if err != nil {
		return fmt.Errorf("check: %w", err)
	}
	l.checked.at = time.Now()
	return nil
}
