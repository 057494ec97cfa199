package makecom

import (
	"fmt"
	"time"

	"dedupedesk/exporters"
)

// Make's own times, from "Automatic retry of incomplete executions" (eight
// attempts within 7 h 51 min) and the execution page (a run may last 40
// minutes), read 2026-11-30.
const (
	resumeLease = 8 * time.Hour
	longestRun  = 40 * time.Minute
)

func leaseText(s exporters.Setup) string {
	return fmt.Sprintf("The rule allows %s for one run. Make goes on trying for 7 hours 51 minutes, so allow at least 8 hours, else a copy takes the key over while Make still works on it.", exporters.Spell(s.Lease))
}

// leaseChecks compares the time allowed with the time that a run may take.
func leaseChecks(s exporters.Setup, w wish) []exporters.Check {
	switch {
	case w.resumes && s.Lease < resumeLease:
		return []exporters.Check{{Result: exporters.Fail, Text: leaseText(s)}}
	case s.Lease < longestRun:
		return []exporters.Check{{Result: exporters.Warn, Text: fmt.Sprintf("The rule allows %s for one run. A run in Make may last 40 minutes; if yours can, allow more.", exporters.Spell(s.Lease))}}
	}
	checks := []exporters.Check{{Result: exporters.OK, Text: fmt.Sprintf("The rule allows %s for one run, longer than a run may last.", exporters.Spell(s.Lease))}}
	if w.resumes && s.OnExpiry != "ask" {
		checks = append(checks, exporters.Check{Result: exporters.Warn, Text: "When Make gives up, the key stays In progress and the next copy takes it over after the time allowed. Set the rule to ask a person instead, if a second run is worse than a missing one."})
	}
	return checks
}
