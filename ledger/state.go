package ledger

// A State is what a row says. Stuck and expired are not states: they are read off
// the row and the clock.
type State string

// The stored states. Any other text found in a row is [Corrupt], never a free key.
const (
	Claimed   State = "claimed"   // somebody was told to do the work
	Done      State = "done"      // the work is finished
	Retryable State = "retryable" // released: the next claim gets it, when due
	Held      State = "held"      // nobody gets it until a person decides
)

// Known reports whether s is one of the stored states.
func (s State) Known() bool {
	switch s {
	case Claimed, Done, Retryable, Held:
		return true
	}
	return false
}

// A Status is what a call is answered.
type Status string

// The statuses.
const (
	StatusClaimed    Status = "claimed"     // do the work
	StatusInProgress Status = "in_progress" // somebody is on it, or its wait is not over
	StatusDone       Status = "done"        // already finished
	StatusHeld       Status = "held"        // a person has to decide
	StatusMismatch   Status = "mismatch"    // same key, other content
	StatusReleased   Status = "released"    // given back
)

// A View is one of the lists of keys that people look at. Every key is in
// [ViewAll] and in exactly one of the others.
type View string

// The views.
const (
	ViewAll        View = ""            // every key
	ViewInProgress View = "in_progress" // claimed and not stuck
	ViewFinished   View = "finished"    // done
	ViewWaiting    View = "waiting"     // retryable and not stuck
	ViewStuck      View = "stuck"       // needs a decision
)

// A Decision is a person's act on one key.
type Decision string

// The decisions. Each needs a name and a reason, leaves a line in the history and
// voids the token of the grant that stood.
const (
	Finished Decision = "finished" // the work did happen: done
	Again    Decision = "again"    // let the next copy run: retryable, generation +1
	Block    Decision = "block"    // keep it blocked: held
	Forget   Decision = "forget"   // remove the row; the history stays
)
