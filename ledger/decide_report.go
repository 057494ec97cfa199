package ledger

import (
	"crypto/subtle"
	"time"
)

// holds reports whether id proves the grant that stands in r. A plain grant can be
// named without proof, as long as no other grant of the row could be meant.
func (r Row) holds(id Identity) bool {
	switch {
	case r.Token == "":
		return false
	case id.Token != "":
		return subtle.ConstantTimeCompare([]byte(id.Token), []byte(r.Token)) == 1
	case id.Owner != "":
		return id.Owner == r.Owner
	}
	return id.Plain && r.Plain && !r.TakenOver
}

// reported starts the outcome of a done, release or renew: refused where the key
// is unknown or the state is.
func reported(row Row, found bool) outcome {
	o := outcome{row: row}
	switch {
	case !found:
		o.refuse = unknownKeyKept()
	case !row.State.Known():
		o.refuse = unknownState()
	}
	return o
}

// decideDone answers a done: the work happened, so it counts late, after the
// grant's own release, and while a person was asked.
func decideDone(row Row, found bool, req DoneRequest, p Policy, now time.Time) outcome {
	o := reported(row, found)
	switch {
	case o.refuse != nil:
	case !row.holds(req.Identity):
		o.stale(req.Identity, p, now, EventStaleDone, staleDoneText(row))
	case row.State == Done:
		o.answer = answerFor(row, StatusDone, alreadyDoneReason(row, now))
		o.answer.Already = true
	default:
		late := !row.live(now)
		o.row.DoneAt = now
		o.row.Result = string(req.Result)
		o.row.NextTryAt = time.Time{}
		o.move(Done, now)
		o.settle(p, now)
		o.answer = answerFor(o.row, StatusDone, finishedReason(late))
		o.answer.Late = late
	}
	if o.refuse != nil {
		return o
	}
	o.answer.KeptUntil = o.row.DoneAt.Add(p.Keep)
	if o.row.Result != "" {
		o.answer.Result = []byte(o.row.Result)
	}
	return o
}

// decideRelease answers a release. The row stays, so that attempts, error and
// fence are not lost and a late release cannot free somebody else's grant.
func decideRelease(row Row, found bool, req ReleaseRequest, p Policy, now time.Time) outcome {
	o := reported(row, found)
	switch {
	case o.refuse != nil:
	case !row.holds(req.Identity):
		o.stale(req.Identity, p, now, EventStaleRelease, "tried to give the key back, but it does not hold it any more")
	case row.State == Done:
		o.refuse = closed("This event key is finished already. It cannot be given back.")
	case row.Released:
		o.answer = answerFor(row, StatusReleased, "You gave it back before. Nothing was changed.")
		o.answer.Already = true
	default:
		o.row.Released = true
		o.row.LastError = req.Error
		o.row.NextTryAt = now.Add(req.RetryAfter.Truncate(time.Millisecond))
		o.move(Retryable, now)
		o.settle(p, now)
		o.log(now, EventReleased, req.Error)
		o.answer = answerFor(o.row, StatusReleased, releasedReason(req.RetryAfter))
		if req.RetryAfter > 0 {
			o.answer.RetryAfter = wait(req.RetryAfter)
		}
	}
	return o
}

// decideRenew answers a renew: the lease runs from now, even if it had run out,
// as long as nobody took over.
func decideRenew(row Row, found bool, req RenewRequest, p Policy, now time.Time) outcome {
	o := reported(row, found)
	switch {
	case o.refuse != nil:
	case !row.holds(req.Identity):
		o.stale(req.Identity, p, now, "", "")
	case row.State == Done:
		o.refuse = closed("This event key is finished already. It needs no more time.")
	case row.State == Held:
		o.refuse = closed("A person has to decide on this event key. It gets no more time.")
	case row.State == Retryable:
		o.refuse = closed("You gave this event key back. Claim it again to go on.")
	default:
		o.row.Lease = p.Lease
		if req.Lease != 0 {
			o.row.Lease = req.Lease.Truncate(time.Millisecond)
		}
		o.row.LeaseUntil = now.Add(o.row.Lease)
		o.change = replace
		o.settle(p, now)
		o.answer = answerFor(o.row, StatusClaimed, "You have more time.")
		o.answer.LeaseUntil = o.row.LeaseUntil
	}
	return o
}

// maxStaleEvents bounds the history that a caller who never stops can write.
const maxStaleEvents = 50

// stale refuses a caller that does not hold the key, and remembers that it came.
func (o *outcome) stale(id Identity, p Policy, now time.Time, kind, text string) {
	o.row.StaleCalls++
	o.change = replace
	o.settle(p, now)
	if kind != "" && o.row.StaleCalls <= maxStaleEvents {
		o.events = append(o.events, Event{
			At: now, Kind: kind, Owner: id.Owner, Text: text, Fence: tokenFence(id.Token),
		})
	}
	o.refuse = &Error{Code: Stale, Msg: staleReason(o.row, id)}
}

func closed(msg string) error { return &Error{Code: Closed, Msg: msg} }
