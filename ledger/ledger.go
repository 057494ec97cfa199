package ledger

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// A Ledger decides who gets which key. It is safe for concurrent use.
type Ledger struct {
	store   Store
	time    *timekeeper
	random  io.Reader
	tokens  *tokenCache
	checked *lastCheck
}

// New returns a ledger on store. It tells time by clock, or by the store's server
// where it has one, and takes the secret part of tokens from random, crypto/rand
// where that is nil. The ledger closes store.
func New(store Store, clock Clock, random io.Reader) *Ledger {
	if random == nil {
		random = rand.Reader
	}
	return &Ledger{store: store, time: newTimekeeper(clock), random: random, tokens: newTokenCache(), checked: newLastCheck()}
}

// Close closes the store.
func (l *Ledger) Close() error { return l.store.Close() }

// Claim asks for a key.
//
// Where Answer.Run is true the caller holds the key and has to do the work and
// report it with Answer.Token before Answer.LeaseUntil. Any other answer is a
// decision not to run: in progress, done, held or mismatch. Where Claim returns
// an error, nothing was granted, or the grant was written and its answer lost:
// asking again with the same non-empty Owner tells.
//
// Claim returns Invalid for a bad key, lease, owner or fingerprint, UnknownRule,
// RuleChanged where req.RuleVersion or req.RuleID is not the rule's, Paused, Busy and
// Corrupt.
func (l *Ledger) Claim(ctx context.Context, req ClaimRequest) (Answer, error) {
	if err := req.check(); err != nil {
		return Answer{}, err
	}
	secret, err := l.secret()
	if err != nil {
		return Answer{}, err
	}
	n := named{rule: req.Rule, key: req.Key, former: req.Former, claims: true}
	return l.act(ctx, "claim", n, func(rule Rule, row Row, found bool, m moment) (outcome, error) {
		switch {
		case !rule.ArchivedAt.IsZero():
			return outcome{}, unknownRule(rule.Name)
		case req.RuleVersion != 0 && req.RuleVersion != rule.Version,
			req.RuleID != 0 && req.RuleID != rule.ID:
			return outcome{}, &Error{Code: RuleChanged, Msg: "The rule was changed while this event was on its way. Send it again."}
		}
		if req.Seen[row.Key] {
			req.Owner = "" // the second of two in one request is a copy
		}
		o := decideClaim(row, found, req, rule.Policy, m, secret)
		if row.Key != req.Key && o.refuse == nil {
			o.answer.Reason += formerReason
		}
		return o, nil
	})
}

// Done reports the work of a key as finished. It is accepted late, as long as
// nobody took over and no person decided: the work did happen. Repeated by the
// same grant it changes nothing, and the first result stays.
//
// Done returns Invalid for a bad result or an identity without proof, NotFound,
// Stale where the grant does not hold the key any more, which is written into the
// history as a probable double run, UnknownRule, Busy and Corrupt.
func (l *Ledger) Done(ctx context.Context, req DoneRequest) (Answer, error) {
	if err := req.check(); err != nil {
		return Answer{}, err
	}
	return l.act(ctx, "done", req.Identity.named(), func(rule Rule, row Row, found bool, m moment) (outcome, error) {
		return decideDone(row, found, req, rule.Policy, m.now), nil
	})
}

// Release gives a key back, because the work was not done. The next claim gets it,
// after req.RetryAfter where that is set. Repeated by the same grant it changes
// nothing.
//
// Release returns Invalid, NotFound, Stale, Closed where the key is finished,
// UnknownRule, Busy and Corrupt.
func (l *Ledger) Release(ctx context.Context, req ReleaseRequest) (Answer, error) {
	if err := req.check(); err != nil {
		return Answer{}, err
	}
	req.Error = cleanError(req.Error)
	return l.act(ctx, "release", req.Identity.named(), func(rule Rule, row Row, found bool, m moment) (outcome, error) {
		return decideRelease(row, found, req, rule.Policy, m.now), nil
	})
}

// Renew gives the holder of a key more time, counted from now. It works after the
// lease has run out too, as long as nobody took over.
//
// Renew returns Invalid, NotFound, Stale, Closed where the key is not in progress,
// UnknownRule, Busy and Corrupt.
func (l *Ledger) Renew(ctx context.Context, req RenewRequest) (Answer, error) {
	if err := req.check(); err != nil {
		return Answer{}, err
	}
	return l.act(ctx, "renew", req.Identity.named(), func(rule Rule, row Row, found bool, m moment) (outcome, error) {
		return decideRenew(row, found, req, rule.Policy, m.now), nil
	})
}

// Decide carries out a person's act on one key and returns the key as it is
// afterwards; for Forget, as it was when it was removed.
//
// Decide returns Invalid for an unknown decision or a missing By or Why,
// NotFound, Changed where the key is not as drawn, UnknownRule, Busy and Corrupt.
func (l *Ledger) Decide(ctx context.Context, req DecideRequest) (Key, error) {
	if err := req.check(); err != nil {
		return Key{}, err
	}
	req.By, req.Why = cleanError(req.By), cleanError(req.Why)
	var after Key
	_, err := l.act(ctx, "decide", named{rule: req.Rule, key: req.Key}, func(rule Rule, row Row, found bool, m moment) (outcome, error) {
		o := decidePerson(row, found, req, rule.Policy, m.now)
		after = o.row.key(m.now)
		return o, nil
	})
	if err != nil {
		return Key{}, err
	}
	return after, nil
}

// maxConflicts is how often a row may change between its loading and its writing
// before a call gives up. On a store with one writer it never does.
const maxConflicts = 8

// act finds a row, has it decided and applies the outcome, in one transaction. The
// time is read inside it, after any wait for the store.
func (l *Ledger) act(ctx context.Context, op string, n named, decide func(Rule, Row, bool, moment) (outcome, error)) (Answer, error) {
	if n.rule == "" {
		n.rule = DefaultRule
	}
	var out outcome
	err := l.write(ctx, func(tx Tx) error {
		rule, ok, err := tx.RuleNamed(ctx, n.rule)
		if err != nil {
			return err
		}
		if !ok {
			return unknownRule(n.rule)
		}
		if n.claims { // a pause stops nothing else
			if err := notPaused(ctx, tx); err != nil {
				return err
			}
		}
		for range maxConflicts {
			at, m, err := l.find(ctx, tx, rule, n)
			if err != nil {
				return err
			}
			if out, err = decide(rule, at.row, at.found, m); err != nil {
				return err
			}
			if applied, err := apply(ctx, tx, out, n.tieOf(at)); err != nil {
				return err
			} else if applied {
				return l.time.mark(ctx, tx, m.now)
			}
		}
		return &Error{Code: Busy, Msg: "Too many calls for this event key at once. Try again in a moment."}
	})
	if err != nil {
		return Answer{}, fmt.Errorf("%s: %w", op, err)
	}
	if out.refuse != nil {
		return Answer{}, fmt.Errorf("%s: %w", op, out.refuse)
	}
	return out.answer, nil
}

// find returns the row that a call is about, or the identity of a new one, and the time.
func (l *Ledger) find(ctx context.Context, tx Tx, rule Rule, n named) (place, moment, error) {
	var at place
	var err error
	if at.row, at.found, err = tx.Load(ctx, rule.ID, n.key); err != nil {
		return at, moment{}, err
	}
	// After the row was loaded: that may have waited for whoever held it.
	m, err := l.time.in(ctx, tx)
	if err != nil {
		return at, m, err
	}
	sought, err := n.seek(ctx, tx, rule, at, m.now)
	if err != nil {
		return at, m, err
	}
	if sought.row.ID != at.row.ID {
		if m, err = l.time.in(ctx, tx); err != nil { // as above
			return at, m, err
		}
	}
	sought.row.RuleID, sought.row.Rule = rule.ID, rule.Name
	if !sought.found {
		sought.row.Key = n.key
	}
	return sought, m, nil
}

// apply writes an outcome, ties tie to its row unless that is "", and reports false if
// the row was changed meanwhile.
func apply(ctx context.Context, tx Tx, o outcome, tie string) (ok bool, err error) {
	id := o.row.ID
	switch o.change {
	case insert:
		id, ok, err = tx.Insert(ctx, o.row)
	case replace:
		ok, err = tx.Replace(ctx, o.row)
	case remove:
		ok, err = tx.Remove(ctx, o.row)
	default:
		ok = true
	}
	if err != nil || !ok {
		return false, err
	}
	if tie != "" && o.refuse == nil {
		if err := tx.Tie(ctx, o.row.RuleID, tie, id); err != nil {
			return false, err
		}
	}
	if o.arrival != nil {
		if err := tx.Arrive(ctx, id, o.row.Copies+o.row.Mismatches, *o.arrival); err != nil {
			return false, err
		}
	}
	for _, e := range o.events {
		if err := tx.Append(ctx, o.row.RuleID, o.row.Key, e); err != nil {
			return false, err
		}
	}
	return true, nil
}

// Now returns the ledger's time: UTC, in whole milliseconds. Where a server tells
// the time, it is the machine's estimate of it since the last call.
func (l *Ledger) Now() time.Time { return l.time.now() }

// secret draws 128 random bits.
func (l *Ledger) secret() (string, error) {
	var b [16]byte
	if _, err := io.ReadFull(l.random, b[:]); err != nil {
		return "", fmt.Errorf("draw a token: %w", err)
	}
	return base64.RawURLEncoding.EncodeToString(b[:]), nil
}

// tokenText joins fence and secret to what a holder is given.
func tokenText(fence int64, secret string) string {
	return strconv.FormatInt(fence, 10) + "." + secret
}

// tokenFence returns the fence that a token claims to carry, or 0. It proves
// nothing and is only written into the history.
func tokenFence(token string) int64 {
	text, _, _ := strings.Cut(token, ".")
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 {
		return 0
	}
	return n
}

func unknownRule(name string) error {
	return &Error{Code: UnknownRule, Msg: fmt.Sprintf("There is no rule named %.64q.", name)}
}
