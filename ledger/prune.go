package ledger

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"time"
)

// A PruneRequest asks for finished keys to be forgotten.
type PruneRequest struct {
	OlderThan  time.Duration // since they were finished; 0 = their rule's keep time
	Rule       string        // "" = all rules, archived ones included
	DryRun     bool          // only count
	BelowFloor bool          // a person wants keys forgotten that a copy may still come for

	// Floors tells by a rule's name for how long its platform can run an event again,
	// beside the sender's own retries, which the rule's policy tells.
	Floors   map[string]time.Duration
	Progress func(PruneProgress) // called after each batch; may be nil
}

// A PruneProgress tells how far a prune is.
type PruneProgress struct {
	Rule    string
	Removed int64 // of all rules so far
}

// A PruneResult tells what a prune removed or, where it was a dry run, would remove.
type PruneResult struct {
	Removed int64
	Rules   []PrunedRule // those that were asked for, by name
}

// A PrunedRule is one rule's part of a prune.
type PrunedRule struct {
	Rule    string
	Removed int64
	Age     time.Duration // what was finished longer ago than this goes
	Floor   time.Duration // what was finished less long ago may have a copy on its way; 0 = unknown
}

// Below reports whether keys go that a copy may still come for.
func (r PrunedRule) Below() bool { return r.Age < r.Floor }

// LogValue tells a log what was removed, by rule.
func (r PruneResult) LogValue() slog.Value {
	attrs := []slog.Attr{slog.Int64("removed", r.Removed)}
	for _, p := range r.Rules {
		if p.Removed > 0 {
			attrs = append(attrs, slog.Int64("rule:"+p.Rule, p.Removed))
		}
	}
	return slog.GroupValue(attrs...)
}

// floorOf returns how long finished keys are kept at least, so that no copy comes
// after they are forgotten: a quarter more than the longest time in which one may
// come. why is that time in words.
func (r Rule) floorOf(platform time.Duration) (floor time.Duration, why string) {
	window := max(platform, r.Policy.RetryWindow, 0)
	why = "its platform can run an event again for " + days(window)
	if window == r.Policy.RetryWindow {
		why = "its sender may send an event again for " + days(window)
	}
	return Floor(window), why
}

// Floor returns how long a finished key is kept at least where copies may come for as
// long as window: a quarter longer. It is 0 for a window that is 0 or less.
func Floor(window time.Duration) time.Duration { return max(0, window+window/4) }

// days says a length of time in days, rounded up to what a person can type, and in
// hours where it is short.
func days(d time.Duration) string {
	const step = 24 * time.Hour / 100
	n := (d + step - 1) / step
	text := strings.TrimRight(strings.TrimRight(fmt.Sprintf("%d.%02d", n/100, n%100), "0"), ".")
	text = counted(text, "day")
	if d < 24*time.Hour {
		text = counted(fmt.Sprint(int((d+time.Hour-1)/time.Hour)), "hour") + " (" + text + ")"
	}
	return text
}

func counted(n, noun string) string {
	if n == "1" {
		return "1 " + noun
	}
	return n + " " + noun + "s"
}

// Prune removes finished keys with their history: those finished longer ago than
// req.OlderThan, or than their rule's keep time where that is 0. Keys in any other
// state are never removed. It works in batches with pauses, so that claims go on
// meanwhile. Where it returns an error, the result tells what was removed until then.
//
// Prune returns Invalid with field days for a negative time and, unless it is a dry
// run or req.BelowFloor is set, for keys that a copy may still come for: those
// younger than a rule's floor. Then nothing was removed. It returns UnknownRule for a
// rule that never was, Busy and Corrupt.
func (l *Ledger) Prune(ctx context.Context, req PruneRequest) (PruneResult, error) {
	if req.OlderThan < 0 {
		return PruneResult{}, invalid("days", "The age of keys to forget must be 0 days or more. Nothing was forgotten.")
	}
	rules, now, err := l.rulesToPrune(ctx, req.Rule)
	if err != nil {
		return PruneResult{}, fmt.Errorf("prune: %w", err)
	}
	var res PruneResult
	for _, rule := range rules {
		p := PrunedRule{Rule: rule.Name, Age: req.OlderThan}
		if p.Age == 0 {
			p.Age = rule.Policy.Keep
		}
		var why string
		p.Floor, why = rule.floorOf(req.Floors[rule.Name])
		if p.Below() && !req.DryRun && !req.BelowFloor {
			return PruneResult{}, belowFloor(rule.Name, p.Floor, why)
		}
		res.Rules = append(res.Rules, p)
	}
	for i := range res.Rules {
		p := &res.Rules[i]
		if req.DryRun {
			p.Removed, err = l.countDone(ctx, rules[i].ID, now.Add(-p.Age))
			res.Removed += p.Removed
		} else {
			err = l.pruneRule(ctx, rules[i].ID, now.Add(-p.Age), func(n int64) {
				p.Removed += n
				res.Removed += n
				if req.Progress != nil {
					req.Progress(PruneProgress{Rule: p.Rule, Removed: res.Removed})
				}
			})
		}
		if err != nil {
			return res, fmt.Errorf("prune: %w", err)
		}
	}
	return res, nil
}

// PruneKept removes finished keys that are older than their rule's keep time. It is
// for the engine to call by itself: a keep time below the floor is the decision of
// whoever set it, and was warned of. The caller keeps it from being called while
// old events may come at once, which is after a start and after sleep.
//
// PruneKept returns Busy and Corrupt.
func (l *Ledger) PruneKept(ctx context.Context) (PruneResult, error) {
	return l.Prune(ctx, PruneRequest{BelowFloor: true})
}

func belowFloor(rule string, floor time.Duration, why string) error {
	return invalid("days", fmt.Sprintf("The rule %q must keep finished keys for %s or longer, since %s and a copy would run again. Nothing was forgotten. "+
		"Ask for %s or more, or leave this rule out.", rule, days(floor), why, days(floor)))
}

// rulesToPrune returns the rules that are meant, and the time.
func (l *Ledger) rulesToPrune(ctx context.Context, name string) (rules []Rule, now time.Time, err error) {
	err = l.read(ctx, func(r Reader) error {
		var err error
		if now, err = l.nowIn(ctx, r); err != nil {
			return err
		}
		if name == "" {
			rules, err = r.AllRules(ctx)
			return err
		}
		rule, ok, err := r.RuleNamed(ctx, name)
		if err == nil && !ok {
			err = unknownRule(name)
		}
		rules = []Rule{rule}
		return err
	})
	return rules, now, err
}

func (l *Ledger) countDone(ctx context.Context, ruleID int64, before time.Time) (n int64, err error) {
	err = l.read(ctx, func(r Reader) error {
		n, err = r.DoneBefore(ctx, ruleID, before)
		return err
	})
	return n, err
}

const (
	pruneBatch = 500
	prunePause = 5 * time.Millisecond
)

// pruneRule removes a rule's keys and tells removed how many after each batch.
func (l *Ledger) pruneRule(ctx context.Context, ruleID int64, before time.Time, removed func(int64)) error {
	for {
		var n int64
		began := time.Now()
		err := l.write(ctx, func(tx Tx) (err error) {
			n, err = tx.Prune(ctx, ruleID, before, pruneBatch)
			return err
		})
		if err != nil {
			return err
		}
		if n > 0 {
			removed(n)
		}
		if n < pruneBatch {
			return nil
		}
		// At most half of the store's time, however slow it is.
		if err := pauseFor(ctx, max(prunePause, time.Since(began))); err != nil {
			return err
		}
	}
}

// pauseFor waits between two batches. It returns Busy where ctx ends.
func pauseFor(ctx context.Context, pause time.Duration) error {
	wait := time.NewTimer(pause)
	defer wait.Stop()
	select {
	case <-wait.C:
		return nil
	case <-ctx.Done():
		return &Error{Code: Busy, Err: ctx.Err(), Msg: "The work was stopped before its end. What was done until then stays done."}
	}
}
