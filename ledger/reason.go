package ledger

import (
	"fmt"
	"time"
)

// The sentences that callers read. They are for people who build automations, so
// they say what to do, in the words of the screens.

const (
	grantedReason  = "You got it. Do the work, then report it finished."
	againReason    = "You got it: an earlier try was given back. Do the work, then report it finished."
	repeatedReason = "You have it already, from asking before. Go on with the work, then report it finished."
)

func tookOverReason(r Row, now time.Time) string {
	return "You got it: an earlier run had it and its time ran out " + ago(now.Sub(r.LeaseUntil)) +
		". Check whether that run did the work, then do it and report it finished."
}

func liveReason(r Row, now time.Time) string {
	if !r.live(now) {
		return "Somebody was on it while this computer slept or was off, and gets a little more time to report. Do not do the work."
	}
	return "Somebody is already on it (reserved " + ago(now.Sub(r.ClaimedAt)) + "). Do not do the work."
}

func notDueReason(r Row, now time.Time) string {
	return "An earlier try failed and asked to wait " + span(r.NextTryAt.Sub(now)) + " more. Do not do the work yet."
}

func doneReason(r Row, now time.Time) string {
	return "This was finished " + ago(now.Sub(r.DoneAt)) + ". Do not do the work again."
}

func mismatchReason(r Row, now time.Time) string {
	return "This event key was first used " + ago(now.Sub(r.FirstSeen)) +
		" with different content. Do not do the work; check how the key is built."
}

func heldReason(r Row) string {
	if r.Token == "" {
		return "A person keeps this event key blocked. Do not do the work."
	}
	return "This event key needs a decision by a person. Do not do the work."
}

func usedUpReason(r Row) string {
	return fmt.Sprintf("All attempts are used up (%d so far). It needs a decision by a person. Do not do the work.", r.Attempts)
}

func askReason(r Row, now time.Time) string {
	return "An earlier run ran out of time " + ago(now.Sub(r.LeaseUntil)) +
		" and may have done the work. It needs a decision by a person. Do not do the work."
}

func finishedReason(late bool) string {
	if late {
		return "Reported finished, late, but nobody else did it in between. Copies will be stopped."
	}
	return "Reported finished. Copies will be stopped."
}

func alreadyDoneReason(r Row, now time.Time) string {
	return "You reported it finished " + ago(now.Sub(r.DoneAt)) + ". Nothing was changed."
}

func releasedReason(after time.Duration) string {
	if after > 0 {
		return "Given back. The next copy may try after " + span(after) + "."
	}
	return "Given back. The next copy may try."
}

func staleDoneText(r Row) string {
	switch {
	case r.Token == "":
		return "reported finished after a person had decided"
	case r.State == Done:
		return "reported finished, but another run had finished it: probable double run"
	}
	return "reported finished, but another run has the key: probable double run"
}

func staleReason(r Row, id Identity) string {
	switch {
	case r.Token == "":
		return "A person has decided on this event key since. Your report changed nothing."
	case id.Token == "" && id.Owner == "" && r.Plain:
		return "Another run has taken this event key over, so it is not clear whose report this is. Report with the token of your grant. Nothing was changed."
	case id.Token == "" && id.Owner == "":
		return "This event key was given to a caller with a token or an owner. Report with that one. Nothing was changed."
	}
	return "You do not hold this event key any more: another run has it or finished it. Your report changed nothing."
}

// ago says how long ago something was, in the largest unit that fits.
func ago(d time.Duration) string {
	if d < time.Second {
		return "just now"
	}
	return span(d) + " ago"
}

// span says a length of time in the largest unit that fits, rounded down but never
// to nothing.
func span(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%d s", max(1, int(d/time.Second)))
	case d < time.Hour:
		return fmt.Sprintf("%d min", int(d/time.Minute))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h", int(d/time.Hour))
	}
	return fmt.Sprintf("%d days", int(d/(24*time.Hour)))
}
