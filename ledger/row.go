package ledger

import "time"

// A Row is everything a store keeps about one key. Zero times are absent.
type Row struct {
	ID          int64 // the store's; 0 before Insert
	RuleID      int64
	Rule        string // the rule's name; read only
	Key         string
	Version     int64 // +1 on each replacement; what compare-and-swap compares
	State       State
	Fence       int64
	Token       string // of the grant that stands; "" once a person has decided
	Owner       string
	Plain       bool // granted to a caller that carries no token
	TakenOver   bool // sticky: a grant of this row was taken over or voided
	Released    bool // the grant that stands was given back
	Attempts    int
	Lease       time.Duration // of the last grant or renewal
	FirstSeen   time.Time
	ClaimedAt   time.Time
	LeaseUntil  time.Time
	DoneAt      time.Time
	NextTryAt   time.Time
	ChangedAt   time.Time
	CalledAt    time.Time // the last call that wrote the row
	StuckAt     time.Time // from then on the key is stuck; zero = never
	LastError   string
	Result      string // JSON or ""
	Fingerprint string
	Copies      int64
	Mismatches  int64
	StaleCalls  int64
	Generation  int64
}

// StuckGrace is how long an expired claim may wait to be taken over before it
// counts as stuck; the lease where that is shorter.
const StuckGrace = 2 * time.Minute

// stuckAttempts is how many attempts may end without done before a key is stuck.
const stuckAttempts = 3

// live reports whether the grant still has time at now.
func (r Row) live(now time.Time) bool {
	return r.State == Claimed && now.Before(r.LeaseUntil)
}

// until returns when the grant that stands may be taken over: when its time is over,
// or later where a gap kept its holder from reporting.
func (r Row) until(g gap) time.Time {
	if r.State != Claimed || !r.ClaimedAt.Before(g.end) || !r.LeaseUntil.After(g.begin) {
		return r.LeaseUntil
	}
	if grace := g.end.Add(min(StuckGrace, r.Lease)); grace.After(r.LeaseUntil) {
		return grace
	}
	return r.LeaseUntil
}

// stuckSince returns from when on nothing will move the key on by itself, or the
// zero time. A state that nobody knows has been stuck since 1970, whatever the row says.
func (r Row) stuckSince() time.Time {
	if !r.State.Known() {
		return time.UnixMilli(0).UTC()
	}
	return r.StuckAt
}

// stuck reports whether nothing will move the key on by itself.
func (r Row) stuck(now time.Time) bool {
	since := r.stuckSince()
	return !since.IsZero() && !now.Before(since)
}

// stuckAt works out from when on r is stuck if nobody calls again. An attempt
// counts once it has ended, so a live third attempt is left to its worker.
func stuckAt(r Row, p Policy) time.Time {
	switch r.State {
	case Held:
		return r.ChangedAt
	case Claimed:
		if r.Attempts > stuckAttempts {
			return r.ClaimedAt
		}
		if r.Attempts == stuckAttempts {
			return r.LeaseUntil
		}
		return r.LeaseUntil.Add(min(StuckGrace, r.Lease))
	case Retryable:
		if r.Attempts >= stuckAttempts {
			return r.ChangedAt
		}
		window := p.window()
		// A person who lets a key run again has an hour to send it again.
		if r.Token == "" && window == 0 {
			window = time.Hour
		}
		return r.NextTryAt.Add(window)
	}
	return time.Time{}
}

// stuckWhy says why r is stuck, for people.
func (r Row) stuckWhy(now time.Time) string {
	switch {
	case !r.State.Known():
		return "The ledger file holds a state that this program does not know. The key is not given to anybody."
	case !r.stuck(now):
		return ""
	case r.State == Held:
		return heldReason(r)
	case r.State == Claimed && now.Before(r.LeaseUntil):
		return "Three attempts ended without being reported finished. Another one is running now."
	case r.Attempts >= stuckAttempts:
		return "Three attempts or more ended without being reported finished."
	case r.State == Claimed:
		return "The time allowed ran out " + ago(now.Sub(r.LeaseUntil)) + " and nobody reported it finished or tried again."
	}
	return "It was given back and nobody has tried again since. The event may be lost."
}

// key turns a row into what people see.
func (r Row) key(now time.Time) Key {
	k := Key{
		Rule: r.Rule, Key: r.Key, State: r.State,
		Stuck: r.stuck(now), StuckWhy: r.stuckWhy(now),
		Expired: r.State == Claimed && !r.live(now),
		Owner:   r.Owner, Fence: r.Fence, Attempts: r.Attempts,
		FirstSeen: r.FirstSeen, ClaimedAt: r.ClaimedAt, LeaseUntil: r.LeaseUntil,
		DoneAt: r.DoneAt, NextTryAt: r.NextTryAt, ChangedAt: r.ChangedAt,
		LastError: r.LastError, Fingerprint: r.Fingerprint,
		Copies: r.Copies, Mismatches: r.Mismatches, StaleCalls: r.StaleCalls,
		Generation: r.Generation,
	}
	if r.Result != "" {
		k.Result = []byte(r.Result)
	}
	return k
}
