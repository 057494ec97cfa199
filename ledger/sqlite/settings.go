package sqlite

import (
	"context"
	"database/sql"

	"dedupedesk/ledger"
)

// A tx writes by the writer's connection.
type tx struct {
	reading
	w *writer
}

// changed runs a statement and reports whether it changed a row.
func (t tx) changed(ctx context.Context, query string, args ...any) (bool, error) {
	res, err := t.w.ExecContext(ctx, query, args...)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n > 0, err
}

const tokenColumns = `id, name, scope, last4, created_at, revoked_at, used_at, hash`

type hashedToken struct {
	token ledger.Token
	hash  []byte
}

func scanToken(rows *sql.Rows) (h hashedToken, err error) {
	t := &h.token
	err = rows.Scan(&t.ID, &t.Name, &t.Scope, &t.Last4,
		stamp{&t.CreatedAt}, stamp{&t.RevokedAt}, stamp{&t.UsedAt}, &h.hash)
	return h, err
}

// AllTokens returns every API token, oldest first.
func (r reading) AllTokens(ctx context.Context) ([]ledger.Token, error) {
	scan := func(rows *sql.Rows) (ledger.Token, error) {
		h, err := scanToken(rows)
		return h.token, err
	}
	return collect(ctx, r.db, scan, `SELECT `+tokenColumns+` FROM tokens ORDER BY id`)
}

// TokenByHash returns the token with that hash.
func (r reading) TokenByHash(ctx context.Context, hash []byte) (ledger.Token, []byte, bool, error) {
	h, ok, err := single(ctx, r.db, scanToken, `SELECT `+tokenColumns+` FROM tokens WHERE hash = ?`, hash)
	return h.token, h.hash, ok, err
}

// AddToken adds an API token.
func (t tx) AddToken(ctx context.Context, k ledger.Token, hash []byte) (int64, error) {
	res, err := t.w.ExecContext(ctx, `
		INSERT INTO tokens (name, scope, hash, last4, created_at, revoked_at, used_at)
		VALUES (?, ?, ?, ?, ?, ?, ?)`,
		k.Name, string(k.Scope), hash, k.Last4, ms(k.CreatedAt), ms(k.RevokedAt), ms(k.UsedAt))
	if err != nil {
		return 0, err
	}
	return res.LastInsertId()
}

// SaveToken writes the times of a token.
func (t tx) SaveToken(ctx context.Context, k ledger.Token) error {
	_, err := t.w.ExecContext(ctx, `
		UPDATE tokens
		SET revoked_at = ?, used_at = ?
		WHERE id = ?`, ms(k.RevokedAt), ms(k.UsedAt), k.ID)
	return err
}

// Setting returns a named value.
func (r reading) Setting(ctx context.Context, name string) (string, bool, error) {
	scan := func(rows *sql.Rows) (v string, err error) {
		err = rows.Scan(&v)
		return v, err
	}
	return single(ctx, r.db, scan, `SELECT value FROM settings WHERE name = ?`, name)
}

// Settings returns the values whose names start with prefix.
func (r reading) Settings(ctx context.Context, prefix string) (map[string]string, error) {
	scan := func(rows *sql.Rows) (p [2]string, err error) {
		err = rows.Scan(&p[0], &p[1])
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

// PutSetting sets a named value; "" deletes it.
func (t tx) PutSetting(ctx context.Context, name, value string) error {
	if value == "" {
		_, err := t.w.ExecContext(ctx, `DELETE FROM settings WHERE name = ?`, name)
		return err
	}
	_, err := t.w.ExecContext(ctx, `INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)`, name, value)
	return err
}
