package ledger

import "time"

// A Scope is what an API token may do.
type Scope string

// The scopes. Admin includes claim.
const (
	ScopeClaim Scope = "claim"
	ScopeAdmin Scope = "admin"
)

// A Token is an API token as people see it: never its secret, which is shown once
// and kept as its SHA-256 hash.
type Token struct {
	ID        int64
	Name      string
	Scope     Scope
	Last4     string
	CreatedAt time.Time
	RevokedAt time.Time // zero = not revoked; may lie ahead, during an overlap
	UsedAt    time.Time // to the minute; zero = never
}

// InForce reports whether t is accepted at now: it was not revoked, or the overlap
// of its revocation is not over.
func (t Token) InForce(now time.Time) bool {
	return t.RevokedAt.IsZero() || now.Before(t.RevokedAt)
}
