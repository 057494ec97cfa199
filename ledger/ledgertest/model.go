package ledgertest

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"pgregory.net/rapid"

	"dedupedesk/ledger"
)

// seeds is how many fixed sequences each backend walks: the same on all of them.
const seeds = 25

// runModel drives random sequences of calls, clock steps and restarts through the
// ledger and a model: fixed ones, then what rapid draws anew each time.
func runModel(t *testing.T, empty func(t *testing.T) func() ledger.Store) {
	b := newBench(t, empty(t))
	walks := 0
	check := func(rt *rapid.T) {
		walks++
		walkThrough(rt, b, fmt.Sprint("walk-", walks))
	}
	for seed := range byte(seeds) {
		input := make([]byte, 64<<10)
		_, _ = rand.NewChaCha8([32]byte{seed}).Read(input) // it never fails
		t.Run(fmt.Sprint("seed-", seed), func(t *testing.T) {
			rapid.MakeFuzz(check)(t, input)
		})
	}
	t.Run("drawn", func(t *testing.T) { rapid.Check(t, check) })
}

// A model is what a key has come to, in as few words as the promise needs: who holds
// it until when. It is not a copy of the decide functions.
type model struct {
	state           ledger.State // "" = no row
	token, owner    string       // of the grant that stands; token is "" once a person decided
	print           string       // fingerprint
	claimed, until  time.Time
	lease           time.Duration
	since           time.Duration // when it was given, by what has really passed
	due, done       time.Time
	given           bool // the grant that stands was given back
	fence           int64
	attempts        int
	generation      int64
	copies, differs int64
	result          string
}

// live reports whether the grant that stands has time at now, or the grace after a
// gap in which nobody could report.
func (m *model) live(now, gapBegin, gapEnd time.Time) bool {
	until := m.until
	if m.claimed.Before(gapEnd) && m.until.After(gapBegin) {
		if grace := gapEnd.Add(min(2*time.Minute, m.lease)); grace.After(until) {
			until = grace
		}
	}
	return m.state == ledger.Claimed && now.Before(until)
}

// answer is what the table says to a claim of the model's key, in its order.
func (m *model) answer(req ledger.ClaimRequest, p ledger.Policy, now, gapBegin, gapEnd time.Time) (s ledger.Status, repeated bool) {
	usedUp := p.MaxAttempts > 0 && m.attempts >= p.MaxAttempts
	switch {
	case m.state == "":
		return ledger.StatusClaimed, false
	case m.print != "" && req.Fingerprint != "" && m.print != req.Fingerprint:
		return ledger.StatusMismatch, false
	case m.state == ledger.Done:
		return ledger.StatusDone, false
	case m.live(now, gapBegin, gapEnd) && req.Owner != "" && req.Owner == m.owner:
		return ledger.StatusClaimed, true
	case m.live(now, gapBegin, gapEnd):
		return ledger.StatusInProgress, false
	case m.state == ledger.Held || usedUp || (m.state == ledger.Claimed && p.OnExpiry == ledger.Ask):
		return ledger.StatusHeld, false
	case m.state == ledger.Retryable && now.Before(m.due):
		return ledger.StatusInProgress, false
	}
	return ledger.StatusClaimed, false
}

// claim carries out what answer said.
func (m *model) claim(s ledger.Status, req ledger.ClaimRequest, a ledger.Answer, now time.Time) {
	switch {
	case s == ledger.StatusMismatch:
		m.differs++
	case s == ledger.StatusClaimed && a.Repeated:
	case s == ledger.StatusClaimed:
		if m.state == "" {
			*m = model{generation: 1}
		}
		m.state, m.given, m.token, m.owner = ledger.Claimed, false, a.Token, req.Owner
		m.fence++
		m.attempts++
		m.claimed, m.lease = now, lease
		if req.Lease != 0 {
			m.lease = req.Lease
		}
		m.until = now.Add(m.lease)
		if m.print == "" {
			m.print = req.Fingerprint
		}
	default:
		m.copies++
		if s == ledger.StatusHeld {
			m.state = ledger.Held
		}
	}
}

// report carries out a done, release or renew by a token, and says how it must end.
func (m *model) report(op, token, result string, wait time.Duration, now time.Time) ledger.Code {
	switch {
	case m.state == "":
		return ledger.NotFound
	case token != m.token:
		return ledger.Stale
	case op == "done":
		if m.state != ledger.Done {
			m.state, m.result, m.done = ledger.Done, result, now
		}
	case m.state == ledger.Done:
		return ledger.Closed
	case op == "renew" && m.state != ledger.Claimed:
		return ledger.Closed
	case op == "renew":
		m.until, m.lease = now.Add(lease), lease
	case !m.given:
		m.state, m.due, m.given = ledger.Retryable, now.Add(wait), true
	}
	return ""
}

// decide carries out a person's act.
func (m *model) decide(d ledger.Decision, now time.Time) {
	m.token = ""
	switch d {
	case ledger.Finished:
		if m.state != ledger.Done {
			m.state, m.done = ledger.Done, now
		}
	case ledger.Again:
		m.state, m.due, m.result, m.attempts, m.given = ledger.Retryable, now, "", 0, false
		m.generation++
	case ledger.Block:
		m.state = ledger.Held
	case ledger.Forget:
		*m = model{}
	}
}
