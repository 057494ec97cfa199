package ledger

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"
)

// checkSetting is what Check writes. It is in the store like any other setting, so
// a full disk shows.
const checkSetting = "ledger.checked_at"

// trialSetting is what Check writes, and deletes again, after a failure. A small
// write may still fit on a disk that has no room for a claim, so it is larger than
// any claim with all its indexes.
const (
	trialSetting = "ledger.trial"
	trialSize    = 128 << 10 // bytes
)

// checkEvery is for how long a Check that went well stands. Pages and monitors ask
// every few seconds, and each write is a sync of the disk.
const checkEvery = 10 * time.Second

// A lastCheck remembers when Check last wrote. Whoever checks holds its turn, which
// others wait for no longer than their context lasts.
type lastCheck struct {
	turn chan struct{}
	at   time.Time // zero after a failure

	failures atomic.Int64 // of calls, since the start
	settled  int64        // how many of them a trial has answered
}

func newLastCheck() *lastCheck { return &lastCheck{turn: make(chan struct{}, 1)} }

// note counts a call that the store could not answer. A caller that gave up tells
// nothing about the store.
func (c *lastCheck) note(ctx context.Context, err error) error {
	switch CodeOf(err) {
	case Busy, Corrupt:
		if cause := ctx.Err(); cause == nil || !errors.Is(err, cause) {
			c.failures.Add(1)
		}
	}
	return err
}

// maxOwed is how often one call may have to store the clock's state first.
const maxOwed = 3

// write is the store's Write, and remembers that it failed. Where the clock's state
// has to be stored before f can decide, that is done and f runs again.
func (l *Ledger) write(ctx context.Context, f func(tx Tx) error) error {
	err := l.store.Write(ctx, f)
	for range maxOwed {
		if !errors.Is(err, errOwed) {
			break
		}
		if err = l.time.settle(ctx, l.store); err == nil {
			err = l.store.Write(ctx, f)
		}
	}
	return l.checked.note(ctx, err)
}

// read is the store's Read, and remembers that it failed.
func (l *Ledger) read(ctx context.Context, f func(r Reader) error) error {
	return l.checked.note(ctx, l.store.Read(ctx, f))
}

// Check returns nil if the ledger can answer claims now: it writes something, or
// did so with success in the last 10 seconds. After any call that failed it writes
// more than a claim would. Else it returns Busy, also where ctx ends first, or Corrupt.
func (l *Ledger) Check(ctx context.Context) error {
	c := l.checked
	select {
	case c.turn <- struct{}{}:
	case <-ctx.Done():
		return &Error{Code: Busy, Err: ctx.Err(),
			Msg: "The call was given up before the ledger could answer. Try again."}
	}
	defer func() { <-c.turn }()
	failures := c.failures.Load()
	doubt := failures != c.settled
	if !doubt && !c.at.IsZero() && time.Since(c.at) < checkEvery {
		return nil
	}
	c.at = time.Time{}
	if doubt {
		if err := l.tryWriting(ctx); err != nil {
			return fmt.Errorf("check: %w", err)
		}
	}
	at := l.Now().Format("2006-01-02T15:04:05.000Z07:00")
	err := l.write(ctx, func(tx Tx) error { return tx.PutSetting(ctx, checkSetting, at) })
	if err != nil {
		return fmt.Errorf("check: %w", err)
	}
	c.at, c.settled = time.Now(), failures
	return nil
}

// tryWriting commits something as large as a claim and deletes it again.
func (l *Ledger) tryWriting(ctx context.Context) error {
	for _, value := range []string{strings.Repeat("x", trialSize), ""} {
		err := l.write(ctx, func(tx Tx) error { return tx.PutSetting(ctx, trialSetting, value) })
		if err != nil {
			return err
		}
	}
	return nil
}

// Examine reads all that is kept. It returns Corrupt where that is damaged, after
// which nothing is granted until the program starts anew, and Busy. It takes a few
// seconds for a million keys; calls go on meanwhile.
func (l *Ledger) Examine(ctx context.Context) error {
	if err := l.checked.note(ctx, l.store.Examine(ctx)); err != nil {
		return fmt.Errorf("examine: %w", err)
	}
	return nil
}
