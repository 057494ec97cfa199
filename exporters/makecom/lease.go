package makecom

import (
	"fmt"
	"time"

	"dedupedesk/exporters"
)

// Make's own times, from "Automatic retry of incomplete executions" (eight
// attempts within 7 h 51 min) and the execution page (a run may last 40
// minutes), read 2026-11-30. The first try and the last one take their time too.
const (
	longestTries = 7*time.Hour + 51*time.Minute
	longestRun   = 40 * time.Minute
	resumeLease  = 10 * time.Hour // longestTries and two runs, in full hours
)

// resumesFor says how long Make goes on by itself.
const resumesFor = "Make goes on trying for up to 7 hours 51 minutes, and a run may last 40 minutes before and behind that."

// wants is what the rule has to say where Make goes on with a run by itself. A run that
// a person resumes later still goes on without asking, so nobody may take its key over.
func wants(s exporters.Setup) []exporters.Want {
	list := exporters.LeaseWant(s, resumeLease, resumesFor)
	if s.OnExpiry != "ask" {
		list = append(list, exporters.Want{Setting: "on_expiry", Value: "ask", Why: "A run that Make gave up waits under Incomplete executions and goes on without asking again when somebody resumes it. Until a person has decided, no copy may take its key over."})
	}
	return list
}

func leaseText(s exporters.Setup) string {
	return fmt.Sprintf("The rule allows %s for one run. %s Allow at least %s, else a copy takes the key over while Make still works on it.", exporters.Spell(s.Lease), resumesFor, exporters.Spell(resumeLease))
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
		checks = append(checks, exporters.Check{Result: exporters.Warn, Text: "When Make gives up, its run waits under Incomplete executions and the key stays In progress. After the time allowed the next copy takes the key over, and a run that is resumed later works a second time. Let the rule ask a person when a run dies half way."})
	}
	return checks
}
