package ledger

import "time"

// The decide functions are the whole transition table. They are pure: a row, a
// request, a policy and a time go in, an outcome comes out. What they return is
// applied by [Ledger] in the transaction that loaded the row.

// A change says what an outcome does to the row.
type change int

const (
	keep    change = iota // leave the row as it is
	insert                // add it
	replace               // write it over the one that was loaded
	remove                // delete it
)

// An outcome is what a call comes to. The change, the events and the arrival are
// written first; then refuse is returned, if set, else the answer.
type outcome struct {
	row     Row
	change  change
	events  []Event
	arrival *Arrival
	answer  Answer
	refuse  error
}

// settle fills in what every changed row carries.
func (o *outcome) settle(p Policy, now time.Time) {
	o.row.CalledAt = now
	if o.row.State.Known() {
		o.row.StuckAt = stuckAt(o.row, p)
	}
}

// move changes the row's state.
func (o *outcome) move(s State, now time.Time) {
	o.row.State, o.row.ChangedAt = s, now
	o.change = replace
}

// log adds a line to the history, in the name of the grant that stands.
func (o *outcome) log(now time.Time, kind, text string) {
	o.events = append(o.events, Event{
		At: now, Kind: kind, Owner: o.row.Owner, Text: text, Fence: o.row.Fence,
	})
}

// logFirst writes down the first grant. The row tells it as long as it is the
// only one, so it is written just before the row stops telling it.
func (o *outcome) logFirst() {
	if o.row.Fence == 1 {
		o.log(o.row.ClaimedAt, EventGranted, "")
	}
}

// unknownState is the answer to any call on a row that nobody understands.
func unknownState() error {
	return &Error{
		Code: Corrupt,
		Msg: "The ledger file holds a state that this program does not know for this key. " +
			"Nothing was granted. A person has to decide on the key.",
	}
}

// answerFor fills in what every answer about a row carries.
func answerFor(r Row, status Status, reason string) Answer {
	return Answer{
		Status: status, Rule: r.Rule, Key: r.Key, Fence: r.Fence, Attempt: r.Attempts,
		FirstSeen: r.FirstSeen, Reason: reason,
	}
}

// wait cuts a remaining time to what a caller is told: whole seconds, rounded up,
// 1 s to 60 s.
func wait(left time.Duration) time.Duration {
	seconds := (left + time.Second - 1) / time.Second * time.Second
	return min(max(seconds, time.Second), time.Minute)
}
