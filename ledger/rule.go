package ledger

import "time"

// DefaultRule is the name of the rule that takes plain keys. It always exists: it
// cannot be renamed or archived.
const DefaultRule = "default"

// An OnExpiry says what happens to a claim whose time has run out.
type OnExpiry string

// The two ways to fail: a double is the price of Next, a gap that of Ask.
const (
	Next OnExpiry = "next" // the next copy runs
	Ask  OnExpiry = "ask"  // a person is asked
)

// The bounds of requests and policies.
const (
	MinLease    = 5 * time.Second
	MaxLease    = 7 * 24 * time.Hour
	MaxKeyRunes = 255
	MaxResult   = 8 << 10 // bytes of JSON

	maxCallerText = 255 // code points of an owner or fingerprint, bytes of a token
	maxError      = 500 // code points kept of an error text
	maxKeep       = 3650 * 24 * time.Hour
)

// A Policy is how a rule treats its keys.
type Policy struct {
	Lease       time.Duration // time allowed; MinLease to MaxLease
	Keep        time.Duration // how long finished keys are kept, from done_at; 1 h to 3650 days
	OnExpiry    OnExpiry
	MaxAttempts int           // attempts before a key is held; 0 = no limit
	RetryWindow time.Duration // how long the sender retries; 0 = nobody retries, <0 = unknown (1 h)
}

// DefaultPolicy returns the policy of a rule that says nothing: 15 minutes, 35
// days, the next copy runs, no limit, retries unknown.
func DefaultPolicy() Policy {
	return Policy{Lease: 15 * time.Minute, Keep: 35 * 24 * time.Hour, OnExpiry: Next, RetryWindow: -1}
}

// A Rule is one thing that must happen once, as the ledger sees it: a name, a
// policy and the rule file, which the ledger keeps and never reads.
type Rule struct {
	ID         int64
	Name       string // 1 to 64 of a-z 0-9 . _ -, starts with a letter or digit
	Title      string
	Version    int64 // 1 at first, +1 on each change of Doc or Policy
	Doc        []byte
	Policy     Policy
	CreatedAt  time.Time
	ChangedAt  time.Time
	ArchivedAt time.Time // zero = live
	FormerAt   time.Time // when a formula was left last because copies got through; zero = never
}

// ValidRuleName reports whether name may name a rule.
func ValidRuleName(name string) bool {
	if len(name) < 1 || len(name) > 64 {
		return false
	}
	for i, c := range []byte(name) {
		switch {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9':
		case i > 0 && (c == '.' || c == '_' || c == '-'):
		default:
			return false
		}
	}
	return true
}

func (p Policy) check() error {
	switch {
	case p.Lease < MinLease || p.Lease > MaxLease:
		return badLease()
	case p.Keep < time.Hour || p.Keep > maxKeep:
		return invalid("keep", "Finished keys are kept for at least one hour and at most 3650 days.")
	case p.OnExpiry != Next && p.OnExpiry != Ask:
		return invalid("on_expiry", "What happens when the time runs out is either next or ask.")
	case p.MaxAttempts < 0 || p.MaxAttempts > 1_000_000:
		return invalid("max_attempts", "The number of attempts is 0 (no limit) or more.")
	case p.RetryWindow > maxKeep:
		return invalid("retry_window", "A sender's retry window is at most 3650 days.")
	}
	return nil
}

// whole cuts p to what is stored: whole milliseconds, and one value for unknown.
func (p Policy) whole() Policy {
	p.Lease, p.Keep = p.Lease.Truncate(time.Millisecond), p.Keep.Truncate(time.Millisecond)
	p.RetryWindow = max(-1, p.RetryWindow)
	if p.RetryWindow > 0 {
		p.RetryWindow = p.RetryWindow.Truncate(time.Millisecond)
	}
	return p
}

// window returns how long a due key may wait before it counts as lost.
func (p Policy) window() time.Duration {
	if p.RetryWindow < 0 {
		return time.Hour
	}
	return p.RetryWindow
}
