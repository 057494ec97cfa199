package cli

import (
	"math"
	"strconv"
	"time"

	"dedupedesk/ledger"
)

type pruneCommand struct {
	Days   string `arg:"" help:"How long ago, in days; 0.5 and 0 are fine."`
	DryRun bool   `help:"Only count."`
}

// longest is more than any key's age, and fits a [time.Duration].
const longest = 36500

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
	// The ledger takes 0 for "each rule's own time"; the script's 0 is "all that
	// are finished by now".
	age := max(time.Millisecond, time.Duration(min(days, longest)*24*float64(time.Hour)))
	res, err := l.Prune(c.ctx, ledger.PruneRequest{OlderThan: age, DryRun: p.DryRun})
	if err != nil {
		return err
	}
	n := res.Removed
	body := map[string]any{"pruned": n, "dry_run": p.DryRun}
	if p.DryRun {
		return c.answer(body, "would prune %d", n)
	}
	return c.answer(body, "pruned %d", n)
}
