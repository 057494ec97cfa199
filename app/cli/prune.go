package cli

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"dedupedesk/app/keeping"
	"dedupedesk/ledger"
)

type pruneCommand struct {
	Days       string `arg:"" help:"How long ago, in days; 0.5 and 0 are fine."`
	DryRun     bool   `help:"Only count."`
	Rule       string `complete:"rule" placeholder:"NAME" help:"Only keys of this rule."`
	BelowFloor bool   `help:"Also forget keys that a copy may still come for. Such a copy runs again."`
}

// longest is more than any key's age, and fits a [time.Duration].
const longest = 36500

// A prunedBody is one rule's part under --json.
type prunedBody struct {
	Rule       string `json:"rule"`
	Pruned     int64  `json:"pruned"`
	BelowFloor bool   `json:"below_floor"`
}

// Run forgets finished keys.
func (p *pruneCommand) Run(c *call) error {
	days, err := strconv.ParseFloat(p.Days, 64)
	if err != nil || math.IsNaN(days) || math.IsInf(days, 0) || days < 0 {
		return misuse("DAYS must be a number of days, 0 or more, such as 35. Nothing was forgotten.")
	}
	l, err := c.openLedger()
	if err != nil {
		return err
	}
	advice, err := c.keepAdvice(l)
	if err != nil {
		return err
	}
	// The ledger takes 0 for "each rule's own time"; the script's 0 is "all that
	// are finished by now".
	age := max(time.Millisecond, time.Duration(min(days, longest)*24*float64(time.Hour)))
	work := c.progress("forgot", "keys", 0)
	res, err := l.Prune(c.ctx, ledger.PruneRequest{
		OlderThan: age, Rule: p.Rule, DryRun: p.DryRun, BelowFloor: p.BelowFloor, Floors: platformWindows(advice),
		Progress: func(now ledger.PruneProgress) { work.at(now.Removed) },
	})
	if !p.DryRun {
		work.end(res.Removed)
	}
	switch {
	case ledger.FieldOf(err) == "days":
		return &ledger.Error{Code: ledger.Invalid, Field: "days", Msg: sentence(err) + " --below-floor forgets them all the same."}
	case err != nil && res.Removed > 0:
		return told(fmt.Sprintf("%s forgotten, then the prune was stopped: ", plural(res.Removed, "key was", "keys were")), err)
	case err != nil:
		return err
	}
	rules := make([]prunedBody, len(res.Rules))
	for i, r := range res.Rules {
		rules[i] = prunedBody{r.Rule, r.Removed, r.Below()}
		if p.DryRun && r.Below() {
			c.say("The rule %s keeps finished keys longer than that. %s To forget them all the same, add --below-floor.", r.Rule, advice[r.Rule].Sentence())
		}
	}
	word := "pruned"
	if p.DryRun {
		word = "would prune"
	}
	return c.answer(map[string]any{"pruned": res.Removed, "dry_run": p.DryRun, "rules": rules}, "%s %d", word, res.Removed)
}

// keepAdvice returns for how long each rule's finished keys must be kept.
func (c *call) keepAdvice(l *ledger.Ledger) (map[string]keeping.Advice, error) {
	rules, err := l.Rules(c.ctx)
	if err != nil {
		return nil, err
	}
	all := map[string]keeping.Advice{}
	for _, r := range rules {
		if all[r.Name], err = keeping.OfRule(c.ctx, l, r); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func platformWindows(advice map[string]keeping.Advice) map[string]time.Duration {
	windows := map[string]time.Duration{}
	for rule, a := range advice {
		windows[rule] = a.Platform
	}
	return windows
}
