package ledger

import (
	"encoding/json"
	"time"
)

// A ClaimRequest asks for a key.
type ClaimRequest struct {
	Rule        string        // "" = DefaultRule
	Key         string        // 1 to MaxKeyRunes code points, no control or bidi characters, not only spaces
	Owner       string        // optional id of this attempt; the same owner gets its live grant again
	Fingerprint string        // optional digest of the content that must not differ between copies
	Lease       time.Duration // 0 = the rule's
	RuleVersion int64         // 0 = not checked; else the version the key was worked out with
	RuleID      int64         // 0 = not checked; else the rule it was worked out with, whatever the name means now
	Plain       bool          // the caller cannot carry a token; ignored where Owner is set

	// Former are the keys that former formulas of the rule make of the event, newest
	// formula first, at most [MaxFormer]. Where Key has no row, and the rule looks back,
	// the first of their rows decides, and the answer's key is that row's.
	Former []FormerKey
	// PrintsAfter is when the rule began to make fingerprints the way that Fingerprint
	// was made. Rows first seen until then hold one of another kind, which tells nothing
	// and is not compared. The zero time compares all.
	PrintsAfter time.Time
	// Seen holds keys that were answered in the same request: a claim that comes to one
	// of them is a copy, whoever owns it. May be nil.
	Seen map[string]bool
}

// An Identity names a key and proves who reports on it. Token decides where it is
// set, else Owner, else Plain.
type Identity struct {
	Rule, Key string
	Former    []FormerKey // of the same event, newest formula first: the row that the proof fits is meant
	Token     string
	Owner     string
	Plain     bool // the grant was made without token and owner
}

// A DoneRequest reports work as finished.
type DoneRequest struct {
	Identity
	Result json.RawMessage // optional, valid JSON up to MaxResult bytes
}

// A ReleaseRequest gives a key back because the work was not done.
type ReleaseRequest struct {
	Identity
	Error      string        // optional; cut to 500 code points, control characters removed
	RetryAfter time.Duration // wait before the next claim gets it; 0 to MaxLease
}

// A RenewRequest asks for more time.
type RenewRequest struct {
	Identity
	Lease time.Duration // from now; 0 = the rule's
}

// An Answer is what a call is told. Run is true only for a grant and its repeat.
type Answer struct {
	Status     Status
	Run        bool
	Rule, Key  string
	Token      string // only of a grant or its repeat
	Fence      int64  // +1 on every grant of the row
	Attempt    int    // attempts since the key was new or let run again
	LeaseUntil time.Time
	Repeated   bool          // the same owner asked again and got its own grant
	TookOver   bool          // the grant before ran out of time
	Late       bool          // done, but after the time allowed, a release or a hold
	Already    bool          // done or released before by the same grant
	RetryAfter time.Duration // 0 = none; else whole seconds, 1 s to 60 s
	Result     json.RawMessage
	FirstSeen  time.Time
	KeptUntil  time.Time // of a finished key: so long at least it is known, as the rule stands now
	Reason     string    // one plain sentence
}

// A DecideRequest is a person's act on one key. By and Why are both needed.
type DecideRequest struct {
	Rule, Key string
	Decision  Decision
	By, Why   string
	Fence     int64 // as drawn, together with State
	State     State // as drawn; "" = not checked
}
