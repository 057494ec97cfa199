package ledger

import (
	"context"
	"encoding/json"
	"fmt"
	"time"
)

const (
	// settingBackupMade is in a backup alone: when it was made.
	settingBackupMade = "backup.made_at"
	// settingRestored tells since when the keys of a restored ledger may be missing.
	settingRestored = "restored.from"
	// settingRestoreAccepted tells who took that on last, for those who ask later.
	settingRestoreAccepted = "restored.accepted"
)

// settingTime is how a time is written in these settings.
const settingTime = "2006-01-02T15:04:05.000Z07:00"

// RestoredFrom returns since when keys may be missing: the ledger is a backup, or was
// restored from one, and nobody has accepted that yet. A key that was claimed or
// finished after since is not known here, so another copy of it would run. ok is false
// where the ledger is no backup; since is the zero time where it is one that does not
// tell when it was made.
//
// RestoredFrom returns Busy and Corrupt.
func (l *Ledger) RestoredFrom(ctx context.Context) (since time.Time, ok bool, err error) {
	err = l.read(ctx, func(r Reader) (err error) {
		since, ok, err = restoredFrom(ctx, r)
		return err
	})
	if err != nil {
		return time.Time{}, false, fmt.Errorf("restored from: %w", err)
	}
	return since, ok, nil
}

// restoredFrom returns the earlier of the times that the settings hold.
func restoredFrom(ctx context.Context, r Reader) (since time.Time, ok bool, err error) {
	for _, name := range []string{settingRestored, settingBackupMade} {
		text, found, err := r.Setting(ctx, name)
		if err != nil {
			return time.Time{}, false, err
		}
		if !found {
			continue
		}
		// What cannot be read is the zero time, which is the earliest: all may be missing.
		at, _ := time.Parse(settingTime, text)
		if at = whole(at); !ok || at.Before(since) {
			since = at
		}
		ok = true
	}
	return since, ok, nil
}

// MarkRestored makes the ledger of a backup file one that was restored from it, and
// returns what [Ledger.RestoredFrom] does from then on. Where the file does not tell
// when it was made, it is taken for made at otherwise.
//
// MarkRestored returns Busy and Corrupt.
func (l *Ledger) MarkRestored(ctx context.Context, otherwise time.Time) (since time.Time, err error) {
	err = l.write(ctx, func(tx Tx) error {
		var ok bool
		var err error
		if since, ok, err = restoredFrom(ctx, tx); err != nil {
			return err
		}
		if !ok || since.IsZero() {
			since = whole(otherwise)
		}
		if err := tx.PutSetting(ctx, settingBackupMade, ""); err != nil {
			return err
		}
		return tx.PutSetting(ctx, settingRestored, since.Format(settingTime))
	})
	if err != nil {
		return time.Time{}, fmt.Errorf("mark restored: %w", err)
	}
	return since, nil
}

// AcceptRestore writes down that a person knows that keys may be missing, and has seen
// to the copies that would run again. It changes nothing where nothing is missing.
//
// AcceptRestore returns Invalid without by, Busy and Corrupt.
func (l *Ledger) AcceptRestore(ctx context.Context, by string) error {
	if by = cleanError(by); by == "" {
		return invalid("by", "Say who accepts that keys may be missing.")
	}
	err := l.write(ctx, func(tx Tx) error {
		since, ok, err := restoredFrom(ctx, tx)
		if err != nil || !ok {
			return err
		}
		m, err := l.time.in(ctx, tx)
		if err != nil {
			return err
		}
		line, err := json.Marshal(map[string]string{"since": since.Format(settingTime), "at": m.now.Format(settingTime), "by": by})
		if err != nil {
			return err
		}
		for name, value := range map[string]string{settingBackupMade: "", settingRestored: "", settingRestoreAccepted: string(line)} {
			if err := tx.PutSetting(ctx, name, value); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("accept the restore: %w", err)
	}
	return nil
}

// RestoreWarning says what a restore means and what to do, in words.
func RestoreWarning(since time.Time) string {
	from := "since a time that is not known"
	if !since.IsZero() {
		from = "since " + since.Format("2006-01-02 15:04") + " UTC"
	}
	return "This ledger comes from a backup. Keys that were claimed or finished " + from + " may be forgotten: " +
		"a copy of such an event runs again. Look in the destinations for what was done since then and mark those keys as finished, then accept this."
}
