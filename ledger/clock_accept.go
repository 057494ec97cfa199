package ledger

import (
	"context"
	"fmt"
	"time"
)

// ClockBehind returns how far the machine's clock is behind the ledger's time: it
// was set back, and time goes on from the highest one told. It is 0 where the two
// agree to half a minute, and where a server tells the time; else whole minutes. It returns Busy and
// Corrupt.
func (l *Ledger) ClockBehind(ctx context.Context) (time.Duration, error) {
	err := l.read(ctx, func(r Reader) error {
		_, err := l.nowIn(ctx, r)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("clock: %w", err)
	}
	return l.time.behind(), nil
}

func (k *timekeeper) behind() time.Duration {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.served || k.offset <= tolerance {
		return 0
	}
	return k.offset.Round(time.Minute)
}

// AcceptClock makes the machine's clock the ledger's time again, after a person has
// looked at it. Keys in progress then have at most their whole time left, and keys
// that wait at most their whole wait: nobody is kept waiting a day because the clock
// was a day ahead. A password that was revoked by the time before stays revoked. It
// returns by how much time went back, 0 where there was nothing to accept.
//
// AcceptClock returns Busy and Corrupt. On both, what it left undone an engine does.
func (l *Ledger) AcceptClock(ctx context.Context) (time.Duration, error) {
	by, err := l.ClockBehind(ctx)
	if err != nil || by == 0 {
		return 0, err
	}
	state := clockState{accepted: l.time.wall()}
	state.high = state.accepted
	// First all processes learn the new time, since they ask for it before they decide.
	// By the time before, deadlines that are shortened would be long over.
	err = l.write(ctx, func(tx Tx) error {
		was, err := clockStateIn(ctx, tx)
		if err != nil {
			return err
		}
		if !was.alive.IsZero() {
			state.alive = state.accepted
		}
		if err := revokeEarlier(ctx, tx, state.accepted, by+time.Minute); err != nil {
			return err
		}
		return state.put(ctx, tx, was)
	})
	if err != nil {
		return 0, fmt.Errorf("accept the clock: %w", err)
	}
	l.time.accept(state)
	l.tokens.clear()
	if err := l.clamp(ctx, state); err != nil {
		return by, fmt.Errorf("accept the clock: %w", err)
	}
	return by, nil
}

// revokeEarlier moves revocations that lie ahead back by what the time goes back, or
// by a little more: a password that was revoked is not in force again.
func revokeEarlier(ctx context.Context, tx Tx, now time.Time, by time.Duration) error {
	all, err := tx.AllTokens(ctx)
	if err != nil {
		return err
	}
	for _, t := range all {
		if !t.RevokedAt.After(now) {
			continue
		}
		if t.RevokedAt = t.RevokedAt.Add(-by); t.RevokedAt.Before(now) {
			t.RevokedAt = now
		}
		if err := tx.SaveToken(ctx, t); err != nil {
			return err
		}
	}
	return nil
}

// wall returns the machine's own time.
func (k *timekeeper) wall() time.Time {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.tell()
	return whole(k.last.Wall)
}

func (k *timekeeper) accept(s clockState) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.take(s)
}

// clamp shortens what was reckoned by a clock that was ahead, and notes that it is
// done for the acceptance in s. To do it twice changes nothing.
func (l *Ledger) clamp(ctx context.Context, s clockState) error {
	for _, state := range []State{Claimed, Retryable, Held} {
		q := RowQuery{State: state, Order: ByChange, Limit: 200}
		err := l.eachPage(ctx, q, func(tx Tx, row Row) error {
			short := row.clamped(l.Now())
			if short == row {
				return nil
			}
			_, err := tx.Replace(ctx, short) // changed meanwhile: then by the right clock
			return err
		})
		if err != nil {
			return err
		}
	}
	if err := l.PutSetting(ctx, settingClamped, millis(s.accepted)); err != nil {
		return err
	}
	l.time.clampedFor(s.accepted)
	return nil
}

func (k *timekeeper) clampedFor(accepted time.Time) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.stored.clamped = accepted
}

// clamped returns r with no deadline further from now than its whole length.
func (r Row) clamped(now time.Time) Row {
	var ahead time.Duration
	switch r.State {
	case Claimed:
		ahead = r.LeaseUntil.Sub(now.Add(r.Lease))
	case Retryable:
		ahead = r.NextTryAt.Sub(now.Add(max(0, r.NextTryAt.Sub(r.ChangedAt))))
	case Held:
		ahead = r.StuckAt.Sub(now)
	}
	if ahead <= 0 {
		return r
	}
	switch r.State {
	case Claimed:
		r.LeaseUntil = r.LeaseUntil.Add(-ahead)
	case Retryable:
		r.NextTryAt = r.NextTryAt.Add(-ahead)
	}
	r.StuckAt = r.StuckAt.Add(-ahead)
	return r
}

// ClockWarning says what it means that the clock is behind and what to do, in words.
func ClockWarning(behind time.Duration) string {
	return "The clock of this computer is " + span(behind) + " behind the latest time that keys were claimed at: it was set back, or was ahead before. " +
		"Time for keys goes on from then, so that nothing runs twice. Set the clock right. If it is right as it is, accept it: then nobody waits for the time before."
}
