package ledger

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// TokenPrefix begins every API token, and no token of a grant.
const TokenPrefix = "dd_"

// NewToken makes an API token: [TokenPrefix] and 43 characters of base64url from 32 random
// bytes. The secret is returned this once; the ledger keeps its hash.
//
// NewToken returns Invalid with field name for an empty or long name or one that a
// token in force has (revoke that one first, with an overlap to rotate), Invalid
// with field scope, Busy and Corrupt.
func (l *Ledger) NewToken(ctx context.Context, name string, scope Scope) (secret string, t Token, err error) {
	if strings.TrimSpace(name) == "" || utf8.RuneCountInString(name) > 64 || cleanError(name) != name {
		return "", Token{}, invalid("name", "The name of a password is 1 to 64 characters on one line.")
	}
	if scope != ScopeClaim && scope != ScopeAdmin {
		return "", Token{}, invalid("scope", "The scope of a password is either claim or admin.")
	}
	var b [32]byte
	if _, err := io.ReadFull(l.random, b[:]); err != nil {
		return "", Token{}, fmt.Errorf("draw an API token: %w", err)
	}
	secret = TokenPrefix + base64.RawURLEncoding.EncodeToString(b[:])
	hash := sha256.Sum256([]byte(secret))
	err = l.write(ctx, func(tx Tx) error {
		all, err := tx.AllTokens(ctx)
		if err != nil {
			return err
		}
		for _, old := range all {
			if old.Name == name && old.RevokedAt.IsZero() {
				return invalid("name", fmt.Sprintf("There is a password named %q already. Revoke it first, or take another name.", name))
			}
		}
		now, err := l.nowIn(ctx, tx)
		if err != nil {
			return err
		}
		t = Token{Name: name, Scope: scope, Last4: secret[len(secret)-4:], CreatedAt: now}
		t.ID, err = tx.AddToken(ctx, t, hash[:])
		return err
	})
	if err != nil {
		return "", Token{}, fmt.Errorf("new token: %w", err)
	}
	return secret, t, nil
}

// Tokens returns every API token, oldest first, revoked ones included.
func (l *Ledger) Tokens(ctx context.Context) ([]Token, error) {
	var all []Token
	err := l.read(ctx, func(r Reader) (err error) {
		all, err = r.AllTokens(ctx)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("tokens: %w", err)
	}
	return all, nil
}

// RevokeToken ends the tokens of that name: at once, or after the overlap that a
// rotation needs. A revocation is never put off by a later one. Every
// process refuses them within a second of that.
//
// RevokeToken returns Invalid with field after for a negative overlap, NotFound
// where no token in force has the name, Busy and Corrupt.
func (l *Ledger) RevokeToken(ctx context.Context, name string, after time.Duration) error {
	if after < 0 {
		return invalid("after", "The overlap is 0 or more.")
	}
	err := l.write(ctx, func(tx Tx) error {
		all, err := tx.AllTokens(ctx)
		if err != nil {
			return err
		}
		now, err := l.nowIn(ctx, tx)
		if err != nil {
			return err
		}
		at, found := now.Add(after), false
		for _, t := range all {
			if t.Name != name || !t.InForce(now) {
				continue
			}
			found = true
			if t.RevokedAt.IsZero() || at.Before(t.RevokedAt) {
				t.RevokedAt = at
			}
			if err := tx.SaveToken(ctx, t); err != nil {
				return err
			}
		}
		if !found {
			return &Error{Code: NotFound, Msg: fmt.Sprintf("There is no password named %.64q in force.", name)}
		}
		return nil
	})
	l.tokens.clear()
	if err != nil {
		return fmt.Errorf("revoke token: %w", err)
	}
	return nil
}

const (
	usedEvery = time.Minute            // how exact Token.UsedAt is
	touchFor  = 200 * time.Millisecond // how long a call may be kept waiting for it
)

// CheckToken returns the token that secret belongs to and whether it is in force.
// An unknown or revoked one is false, not an error. What another process
// changed holds within a second.
//
// CheckToken returns Busy and Corrupt.
func (l *Ledger) CheckToken(ctx context.Context, secret string) (Token, bool, error) {
	if !strings.HasPrefix(secret, TokenPrefix) || len(secret) > 100 {
		return Token{}, false, nil
	}
	hash := sha256.Sum256([]byte(secret))
	t, cached := l.tokens.load(hash)
	if !cached {
		var found bool
		var err error
		if t, found, err = l.lookUp(ctx, hash); err != nil || !found {
			return Token{}, false, err
		}
	}
	now := l.Now()
	if !t.InForce(now) {
		return Token{}, false, nil
	}
	if since := now.Sub(t.UsedAt); since >= usedEvery || since < 0 {
		t, cached = l.touch(ctx, t, hash, now), false
	}
	if !cached {
		l.tokens.keep(hash, t)
	}
	return t, true, nil
}

func (l *Ledger) lookUp(ctx context.Context, hash [32]byte) (t Token, found bool, err error) {
	var stored []byte
	err = l.read(ctx, func(r Reader) (err error) {
		t, stored, found, err = r.TokenByHash(ctx, hash[:])
		return err
	})
	if err != nil {
		return Token{}, false, fmt.Errorf("check token: %w", err)
	}
	return t, found && subtle.ConstantTimeCompare(stored, hash[:]) == 1, nil
}

// touch notes that a token was used. That it cannot be noted is no reason to turn
// its holder away: the call itself will meet the same trouble and say so.
func (l *Ledger) touch(ctx context.Context, t Token, hash [32]byte, now time.Time) Token {
	ctx, cancel := context.WithTimeout(ctx, touchFor)
	defer cancel()
	err := l.write(ctx, func(tx Tx) error {
		fresh, _, ok, err := tx.TokenByHash(ctx, hash[:])
		if err != nil || !ok {
			return err
		}
		fresh.UsedAt = now
		return tx.SaveToken(ctx, fresh)
	})
	if err == nil {
		t.UsedAt = now
	}
	return t
}

// A tokenCache spares the claim path one read a call. What it holds is at most a
// second old by the process's own clock, which no test shifts.
type tokenCache struct {
	mu   sync.Mutex
	held map[[32]byte]cachedToken
}

type cachedToken struct {
	token Token
	until time.Time
}

const (
	tokenCacheFor  = time.Second
	tokenCacheSize = 1000
)

func newTokenCache() *tokenCache {
	return &tokenCache{held: make(map[[32]byte]cachedToken)}
}

func (c *tokenCache) load(hash [32]byte) (Token, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	t, ok := c.held[hash]
	if !ok || !time.Now().Before(t.until) {
		return Token{}, false
	}
	return t.token, true
}

func (c *tokenCache) keep(hash [32]byte, t Token) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.held) >= tokenCacheSize {
		clear(c.held)
	}
	c.held[hash] = cachedToken{token: t, until: time.Now().Add(tokenCacheFor)}
}

func (c *tokenCache) clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.held)
}
