package sqlite

import (
	"context"
)

// Setting returns a named value.
func (r reading) Setting(ctx context.Context, name string) (string, bool, error) {
	return single(ctx, r.db, scanText, `SELECT value FROM settings WHERE name = ?`, name)
}

// Settings returns the values whose names start with prefix.
func (r reading) Settings(ctx context.Context, prefix string) (map[string]string, error) {
	scan := func(row scanner) (p [2]string, err error) {
		err = row.Scan(&p[0], &p[1])
		return p, err
	}
	pairs, err := collect(ctx, r.db, scan,
		`SELECT name, value FROM settings WHERE name >= ? AND name < ?`, prefix, prefix+"\xff")
	if err != nil {
		return nil, err
	}
	values := make(map[string]string, len(pairs))
	for _, p := range pairs {
		values[p[0]] = p[1]
	}
	return values, nil
}

// Setting returns a named value, from memory where nobody has written since it was read.
func (t tx) Setting(ctx context.Context, name string) (string, bool, error) {
	values, err := t.Settings(ctx, name)
	value, ok := values[name]
	return value, ok, err
}

// Settings returns the values whose names start with prefix. The map is not the
// caller's to change.
func (t tx) Settings(ctx context.Context, prefix string) (map[string]string, error) {
	if err := t.mayGoOn(); err != nil {
		return nil, err
	}
	if values, ok := t.w.known.settings(prefix); ok {
		return values, nil
	}
	values, err := t.reading.Settings(ctx, prefix)
	if err == nil {
		t.w.known.keepSettings(prefix, values)
	}
	return values, err
}

// PutSetting sets a named value; "" deletes it.
func (t tx) PutSetting(ctx context.Context, name, value string) error {
	t.w.known.change()
	if value == "" {
		_, err := t.exec(`DELETE FROM settings WHERE name = ?`, name)
		return err
	}
	_, err := t.exec(`INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)`, name, value)
	return err
}

// AddSetting sets a named value where there is none.
func (t tx) AddSetting(_ context.Context, name, value string) error {
	t.w.known.change()
	_, err := t.exec(`INSERT OR IGNORE INTO settings (name, value) VALUES (?, ?)`, name, value)
	return err
}
