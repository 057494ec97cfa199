package ledger

import (
	"context"
	"fmt"
)

// The bounds of settings, in bytes.
const (
	maxSettingName = 200
	maxSetting     = 4 << 20
)

// SeenUnreadable is the setting that says how many rows of a file of the seed
// article's dedupe.py could not become keys when the file was taken over: those whose
// key is empty, over 64 KB or, once made readable, the key of another row. They are
// kept as they were in the table seen_unreadable. It is not set where there were none.
const SeenUnreadable = "ledger.seen_unreadable"

// Setting returns a named value and whether it is set, or Busy or Corrupt.
func (l *Ledger) Setting(ctx context.Context, name string) (value string, ok bool, err error) {
	err = l.read(ctx, func(r Reader) (err error) {
		value, ok, err = r.Setting(ctx, name)
		return err
	})
	if err != nil {
		return "", false, fmt.Errorf("setting: %w", err)
	}
	return value, ok, nil
}

// PutSetting sets a named value; "" deletes it. It returns Invalid for a name that
// is empty or over 200 bytes or a value over 4 MB, Busy and Corrupt.
func (l *Ledger) PutSetting(ctx context.Context, name, value string) error {
	if name == "" || len(name) > maxSettingName {
		return invalid("name", "A setting's name is 1 to 200 bytes.")
	}
	if len(value) > maxSetting {
		return invalid("value", "The value is larger than 4 MB.")
	}
	err := l.write(ctx, func(tx Tx) error { return tx.PutSetting(ctx, name, value) })
	if err != nil {
		return fmt.Errorf("put setting: %w", err)
	}
	return nil
}

// KeepSetting returns the named value; where there is none yet, it is value from now
// on. All who ask get the same, also several engines at once. It returns Busy or
// Corrupt.
func (l *Ledger) KeepSetting(ctx context.Context, name, value string) (string, error) {
	if kept, ok, err := l.Setting(ctx, name); ok || err != nil {
		return kept, err
	}
	if err := l.write(ctx, func(tx Tx) error { return tx.AddSetting(ctx, name, value) }); err != nil {
		return "", fmt.Errorf("keep setting: %w", err)
	}
	kept, _, err := l.Setting(ctx, name)
	return kept, err
}

// SettingsWithPrefix returns the values whose names start with prefix, by name, or
// Busy or Corrupt.
func (l *Ledger) SettingsWithPrefix(ctx context.Context, prefix string) (map[string]string, error) {
	var values map[string]string
	err := l.read(ctx, func(r Reader) (err error) {
		values, err = r.Settings(ctx, prefix)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("settings: %w", err)
	}
	return values, nil
}
