package ledger

import "time"

// decidePerson carries out a person's act. It works on a row in any state, one
// that nobody knows included: that is the way out of it.
func decidePerson(row Row, found bool, req DecideRequest, p Policy, now time.Time) outcome {
	o := outcome{row: row}
	switch {
	case !found:
		o.refuse = unknownKeyKept()
		return o
	case req.State != "" && (req.State != row.State || req.Fence != row.Fence):
		o.refuse = &Error{Code: Changed, Msg: "This event key has changed since you looked. Look again before you decide."}
		return o
	}
	o.writeDown(req.Decision)
	// Whoever held the key is not its holder any more, and whoever holds it next
	// must not be mistaken for the one before.
	o.row.Token, o.row.TakenOver = "", true
	switch req.Decision {
	case Finished:
		if row.State != Done {
			o.row.DoneAt = now
			o.row.NextTryAt = time.Time{}
			o.move(Done, now)
		}
		o.decided(now, EventDecidedFinished, req)
	case Again:
		o.row.Generation++
		o.row.Attempts = 0
		o.row.Released = false
		o.row.DoneAt, o.row.Result = time.Time{}, ""
		o.row.NextTryAt = now
		o.move(Retryable, now)
		o.decided(now, EventDecidedAgain, req)
	case Block:
		o.row.DoneAt, o.row.NextTryAt = time.Time{}, time.Time{}
		o.move(Held, now)
		o.decided(now, EventDecidedBlock, req)
	case Forget:
		o.decided(now, EventForgotten, req)
		o.change = remove
		return o
	}
	o.change = replace
	o.settle(p, now)
	return o
}

// writeDown moves what only the row tells into the history before the decision
// loses it: the finish, and the first grant when the row goes.
func (o *outcome) writeDown(d Decision) {
	if d == Forget {
		o.logFirst()
	}
	if o.row.State == Done && o.row.Token != "" {
		o.log(o.row.DoneAt, EventFinished, "")
	}
}

// decided adds the audit line.
func (o *outcome) decided(now time.Time, kind string, req DecideRequest) {
	o.events = append(o.events, Event{
		At: now, Kind: kind, By: req.By, Text: req.Why, Fence: o.row.Fence,
	})
}
