package sqlite

import (
	"context"

	"dedupedesk/ledger"
)

const tokenColumns = `id, name, scope, last4, created_at, revoked_at, used_at, hash`

type hashedToken struct {
	token ledger.Token
	hash  []byte
}

func scanToken(row scanner) (h hashedToken, err error) {
	t := &h.token
	err = row.Scan(&t.ID, &t.Name, &t.Scope, &t.Last4,
		stamp{&t.CreatedAt}, stamp{&t.RevokedAt}, stamp{&t.UsedAt}, &h.hash)
	return h, err
}

// AllTokens returns every API token, oldest first.
func (r reading) AllTokens(ctx context.Context) ([]ledger.Token, error) {
	scan := func(row scanner) (ledger.Token, error) {
		h, err := scanToken(row)
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
	res, err := t.exec(`
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
	_, err := t.exec(`
		UPDATE tokens
		SET revoked_at = ?, used_at = ?
		WHERE id = ?`, ms(k.RevokedAt), ms(k.UsedAt), k.ID)
	return err
}
