package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"dedupedesk/ledger"
)

const tokenColumns = `id, name, scope, last4, created_at, revoked_at, used_at, hash`

type hashedToken struct {
	token ledger.Token
	hash  []byte
}

func scanToken(rows pgx.Rows) (h hashedToken, err error) {
	t := &h.token
	err = rows.Scan(&t.ID, &t.Name, &t.Scope, &t.Last4,
		stamp{&t.CreatedAt}, stamp{&t.RevokedAt}, stamp{&t.UsedAt}, &h.hash)
	return h, err
}

// AllTokens returns every API token, oldest first.
func (r reading) AllTokens(ctx context.Context) ([]ledger.Token, error) {
	scan := func(rows pgx.Rows) (ledger.Token, error) {
		h, err := scanToken(rows)
		return h.token, err
	}
	return collect(ctx, r.s, scan, `SELECT `+tokenColumns+` FROM tokens ORDER BY id`+r.lock)
}

// TokenByHash returns the token with that hash.
func (r reading) TokenByHash(ctx context.Context, hash []byte) (ledger.Token, []byte, bool, error) {
	h, ok, err := single(ctx, r.s, scanToken, `SELECT `+tokenColumns+` FROM tokens WHERE hash = $1`+r.lock, hash)
	return h.token, h.hash, ok, err
}

// AddToken adds an API token. Where another one of its name came to be in force
// meanwhile, the transaction fails and is tried again.
func (t *tx) AddToken(ctx context.Context, k ledger.Token, hash []byte) (int64, error) {
	id, _, err := single(ctx, t.s, scanNumber, `
		INSERT INTO tokens (name, scope, hash, last4, created_at, revoked_at, used_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7)
		RETURNING id`,
		k.Name, string(k.Scope), hash, k.Last4, ms(k.CreatedAt), ms(k.RevokedAt), ms(k.UsedAt))
	return id, err
}

// SaveToken writes the times of a token.
func (t *tx) SaveToken(_ context.Context, k ledger.Token) error {
	t.s.later(`UPDATE tokens SET revoked_at = $1, used_at = $2 WHERE id = $3`, ms(k.RevokedAt), ms(k.UsedAt), k.ID)
	return nil
}
