package ledger

import "time"

// decideClaim answers a claim. A grant whose time ran out while nobody could report
// counts as live for the grace. The first match decides: mismatch, done, live,
// held, attempts used up, expired with ask, not due, grant. secret is the random
// part of the token should there be a grant.
func decideClaim(row Row, found bool, req ClaimRequest, p Policy, m moment, secret string) outcome {
	now := m.now
	if !found {
		return firstGrant(row, req, p, now, secret)
	}
	o := outcome{row: row}
	if !row.State.Known() {
		o.refuse = unknownState()
		return o
	}
	until := row.until(m.gap)
	live := row.State == Claimed && now.Before(until)
	usedUp := p.MaxAttempts > 0 && row.Attempts >= p.MaxAttempts
	switch {
	case row.FirstSeen.After(req.PrintsAfter) && differs(row.Fingerprint, req.Fingerprint):
		o.row.Mismatches++
		o.stop(req, p, now, StatusMismatch, mismatchReason(row, now), 0)
	case row.State == Done:
		o.stop(req, p, now, StatusDone, doneReason(row, now), 0)
		o.answer.KeptUntil = row.DoneAt.Add(p.Keep)
		if row.Result != "" {
			o.answer.Result = []byte(row.Result)
		}
	case live && req.Owner != "" && req.Owner == row.Owner:
		o.answer = o.grantAnswer(repeatedReason)
		o.answer.Repeated, o.answer.LeaseUntil = true, until
	case live:
		o.stop(req, p, now, StatusInProgress, liveReason(row, now), until.Sub(now))
	case row.State == Held:
		o.stop(req, p, now, StatusHeld, heldReason(row), 0)
	case usedUp:
		o.hold(now, "attempts used up")
		o.stop(req, p, now, StatusHeld, usedUpReason(row), 0)
	case row.State == Claimed && p.OnExpiry == Ask:
		o.hold(now, "the time allowed ran out")
		o.stop(req, p, now, StatusHeld, askReason(row, now), 0)
	case row.State == Retryable && now.Before(row.NextTryAt):
		o.stop(req, p, now, StatusInProgress, notDueReason(row, now), row.NextTryAt.Sub(now))
	default:
		o.grant(req, p, now, secret)
	}
	return o
}

// differs reports whether two fingerprints are both present and not equal.
func differs(a, b string) bool { return a != "" && b != "" && a != b }

// firstGrant grants a key that has no row. row carries the identity alone.
func firstGrant(row Row, req ClaimRequest, p Policy, now time.Time, secret string) outcome {
	o := outcome{row: Row{
		RuleID: row.RuleID, Rule: row.Rule, Key: row.Key,
		FirstSeen: now, Generation: 1,
	}}
	o.give(req, p, now, secret)
	o.change = insert
	o.answer = o.grantAnswer(grantedReason)
	return o
}

// grant gives the key again, after a release or a lease that ran out.
func (o *outcome) grant(req ClaimRequest, p Policy, now time.Time, secret string) {
	took := o.row.State == Claimed
	kind, reason := EventGranted, againReason
	o.logFirst()
	if took {
		kind, reason = EventTookOver, tookOverReason(o.row, now)
		o.row.TakenOver = true
	}
	o.give(req, p, now, secret)
	o.log(now, kind, "")
	o.answer = o.grantAnswer(reason)
	o.answer.TookOver = took
}

// give writes a new grant into the row.
func (o *outcome) give(req ClaimRequest, p Policy, now time.Time, secret string) {
	r := &o.row
	r.Fence++
	r.Attempts++
	r.Token = tokenText(r.Fence, secret)
	r.Owner = req.Owner
	r.Plain = req.Plain && req.Owner == ""
	r.Released = false
	r.Lease = p.Lease
	if req.Lease != 0 {
		r.Lease = req.Lease.Truncate(time.Millisecond)
	}
	r.ClaimedAt, r.LeaseUntil = now, now.Add(r.Lease)
	r.NextTryAt = time.Time{}
	if r.Fingerprint == "" {
		r.Fingerprint = req.Fingerprint
	}
	o.move(Claimed, now)
	o.settle(p, now)
}

// hold stops the key until a person decides. The grant's own token stays good for
// a late done.
func (o *outcome) hold(now time.Time, why string) {
	o.move(Held, now)
	o.log(now, EventHeld, why)
}

// stop counts a copy and answers it. A mismatch is counted by its own counter.
func (o *outcome) stop(req ClaimRequest, p Policy, now time.Time, s Status, reason string, left time.Duration) {
	if s != StatusMismatch {
		o.row.Copies++
	}
	o.change = replace
	o.settle(p, now)
	o.arrival = &Arrival{At: now, Owner: req.Owner, Status: s}
	o.answer = answerFor(o.row, s, reason)
	if left > 0 {
		o.answer.RetryAfter = wait(left)
	}
}

// grantAnswer tells the holder what it holds.
func (o *outcome) grantAnswer(reason string) Answer {
	a := answerFor(o.row, StatusClaimed, reason)
	a.Run, a.Token, a.LeaseUntil = true, o.row.Token, o.row.LeaseUntil
	return a
}
