package admin

import (
	"strconv"
	"strings"
	"time"

	"dedupedesk/frontend/page"
	"dedupedesk/ledger"
)

// sinceOf is the moment from which on a key stands as it does.
func sinceOf(k ledger.Key) time.Time {
	switch {
	case k.State == ledger.Done:
		return k.DoneAt
	case k.State == ledger.Claimed && k.Stuck && k.Expired:
		return k.LeaseUntil
	case k.State == ledger.Claimed:
		return k.ClaimedAt
	}
	return k.ChangedAt
}

// stuckReason says why a key needs a decision. What the ledger says of a held key
// is meant for a caller; a person reads it otherwise.
func stuckReason(k ledger.Key) string {
	if k.State == ledger.Held {
		return "It is blocked until somebody decides."
	}
	return k.StuckWhy
}

// stuckShort is why a key needs a decision and what a copy meets meanwhile, short
// enough for a line of the list. Of an ended rule nobody knows what a copy meets.
func stuckShort(k ledger.Key, rule ledger.Rule) string {
	why := "Time over, nothing came back"
	switch {
	case !k.State.Known():
		return "A state that this program does not know"
	case k.State == ledger.Held:
		return "Blocked until somebody decides"
	case k.Attempts >= 3:
		why = "Several attempts, none finished"
	case k.State == ledger.Retryable:
		why = "Given back, nobody tried again"
	}
	switch {
	case rule.Name == "" || k.State == ledger.Claimed && !k.Expired:
		return why
	case mayRun(k, rule):
		return why + ". The next copy may run"
	}
	return why + ". Copies are stopped"
}

// runName names a run by the id that it chose for itself.
func runName(owner string) string {
	switch {
	case owner == "":
		return "a run without a name"
	case strings.HasPrefix(strings.ToLower(owner), "run"):
		return isolate(owner)
	}
	return "run " + isolate(owner)
}

// sentence returns s with a capital at its start.
func sentence(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// isolate keeps text of unknown writing direction from turning the words around it.
func isolate(s string) string {
	for _, r := range s {
		if r > 0x7e {
			return "\u2068" + s + "\u2069"
		}
	}
	return s
}

// howLong says how long d is, in the largest unit that is at least two of.
func howLong(d time.Duration) string {
	n, unit := int64(d/time.Second), "second"
	switch {
	case d >= 48*time.Hour:
		n, unit = int64(d/(24*time.Hour)), "day"
	case d >= 2*time.Hour:
		n, unit = int64(d/time.Hour), "hour"
	case d >= 2*time.Minute:
		n, unit = int64(d/time.Minute), "minute"
	}
	if n != 1 {
		unit += "s"
	}
	return page.Count(n) + " " + unit
}

// lookFor returns the piece of a key that a person finds again at the destination:
// the longest part with a digit in it, unescaped; the whole key where none has one.
func lookFor(key string) string {
	best := ""
	for part := range strings.SplitSeq(key, ":") {
		if strings.ContainsAny(part, "0123456789") && len(part) > len(best) {
			best = part
		}
	}
	if best == "" || strings.HasPrefix(key, "sha256:") {
		return key
	}
	return strings.NewReplacer("%3A", ":", "%25", "%").Replace(best)
}

// fenceText is a fence as a form carries it.
func fenceText(k ledger.Key) string { return strconv.FormatInt(k.Fence, 10) }
