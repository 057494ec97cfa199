package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"dedupedesk/ledger"
)

func scanBytes(rows pgx.Rows) (s string, err error) {
	err = rows.Scan(text{&s})
	return s, err
}

const settingNamed = `SELECT value FROM settings WHERE name = $1`

// Setting returns a named value.
func (r reading) Setting(ctx context.Context, name string) (string, bool, error) {
	return single(ctx, r.s, scanBytes, settingNamed+r.lock, []byte(name))
}

// Setting returns a named value. Whether all is paused came along with the rule.
func (t *tx) Setting(ctx context.Context, name string) (string, bool, error) {
	if name == ledger.SettingPaused && t.paused != nil {
		value, ok, err := first(*t.paused, nil)
		return value, ok, err
	}
	return t.reading.Setting(ctx, name)
}

// Settings returns the values whose names start with prefix.
func (r reading) Settings(ctx context.Context, prefix string) (map[string]string, error) {
	scan := func(rows pgx.Rows) (p [2]string, err error) {
		err = rows.Scan(text{&p[0]}, text{&p[1]})
		return p, err
	}
	pairs, err := collect(ctx, r.s, scan,
		`SELECT name, value FROM settings WHERE name >= $1 AND name < $2 ORDER BY name`+r.lock,
		[]byte(prefix), []byte(prefix+"\xff"))
	if err != nil {
		return nil, err
	}
	values := make(map[string]string, len(pairs))
	for _, p := range pairs {
		values[p[0]] = p[1]
	}
	return values, nil
}

// PutSetting sets a named value; "" deletes it.
func (t *tx) PutSetting(_ context.Context, name, value string) error {
	t.paused = nil
	if value == "" {
		t.s.later(`DELETE FROM settings WHERE name = $1`, []byte(name))
		return nil
	}
	t.s.later(`
		INSERT INTO settings (name, value)
		VALUES ($1, $2)
		ON CONFLICT (name) DO UPDATE SET value = excluded.value`, []byte(name), []byte(value))
	return nil
}

// AddSetting sets a named value where there is none.
func (t *tx) AddSetting(_ context.Context, name, value string) error {
	t.s.later(`INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING`, []byte(name), []byte(value))
	return nil
}
