package cli

import (
	"cmp"
	"fmt"
	"path/filepath"

	"dedupedesk/app/keeping"
	"dedupedesk/ledger"
)

// healthFindings asks whether the ledger takes claims and is whole.
func (c *call) healthFindings(what string) func(*ledger.Ledger) ([]finding, error) {
	return func(l *ledger.Ledger) ([]finding, error) {
		if err := l.Check(c.ctx); err != nil {
			return nil, err
		}
		counts, err := l.Counts(c.ctx)
		if err != nil {
			return nil, err
		}
		reading := "Reading all of it, " + plural(counts.Total, "key", "keys")
		if err := c.during(reading, func() error { return l.Examine(c.ctx) }); err != nil {
			return nil, err
		}
		pause, paused, err := l.Paused(c.ctx)
		if err != nil {
			return nil, err
		}
		found := []finding{{"ok", fmt.Sprintf("%s takes claims. It holds %s.", what, plural(counts.Total, "key", "keys"))}}
		if paused {
			found = []finding{
				{"fault", pause.Warning() + " Resume at the foot of each page ends it, and so does dedupe doctor --resume."},
				{"ok", fmt.Sprintf("%s is whole. It holds %s.", what, plural(counts.Total, "key", "keys"))},
			}
		}
		if counts.Stuck > 0 {
			found = append(found, finding{"fault", fmt.Sprintf("%s a decision; see dedupe keys --state stuck.", plural(counts.Stuck, "key needs", "keys need"))})
		}
		return found, nil
	}
}

// endPause lets keys be given out again.
func endPause(c *call) error {
	l, err := c.openLedger()
	if err != nil {
		return err
	}
	return l.EndPause(c.ctx)
}

// timeFindings tells of a clock that was set back.
func (c *call) timeFindings(l *ledger.Ledger) ([]finding, error) {
	behind, err := l.ClockBehind(c.ctx)
	if err != nil || behind == 0 {
		return nil, err
	}
	return []finding{{"fault", ledger.ClockWarning(behind) + " dedupe doctor --accept-clock does that."}}, nil
}

// acceptClock makes this computer's clock the ledger's time again.
func acceptClock(c *call) error {
	l, err := c.openLedger()
	if err != nil {
		return err
	}
	_, err = l.AcceptClock(c.ctx)
	return err
}

// restoreFindings tells of a restore that nobody has accepted.
func (c *call) restoreFindings(l *ledger.Ledger) ([]finding, error) {
	since, ok, err := l.RestoredFrom(c.ctx)
	if err != nil || !ok {
		return nil, err
	}
	return []finding{{"fault", ledger.RestoreWarning(since) + " dedupe doctor --accept-restore does that."}}, nil
}

// acceptRestore notes that a person has seen to the keys that may be missing.
func (d *doctorCommand) acceptRestore(c *call) error {
	l, err := c.openLedger()
	if err != nil {
		return err
	}
	return l.AcceptRestore(c.ctx, cmp.Or(d.Name, c.program.Person))
}

// keepFindings warns of rules that forget keys while a copy may still come.
func (c *call) keepFindings(l *ledger.Ledger) ([]finding, error) {
	rules, err := l.Rules(c.ctx)
	if err != nil {
		return nil, err
	}
	var found []finding
	for _, r := range rules {
		advice, err := keeping.OfRule(c.ctx, l, r)
		if err != nil {
			return found, err
		}
		if w := advice.Warning(r.Policy.Keep); w != "" {
			found = append(found, finding{"fault", fmt.Sprintf("The rule %s: %s Change it on the rule's page, or as keep in its file.", r.Name, w)})
		}
	}
	return found, nil
}

// unreadableFindings tells of rows that a file of dedupe.py lost on its way.
func (c *call) unreadableFindings(l *ledger.Ledger) ([]finding, error) {
	unread, ok, err := l.Setting(c.ctx, ledger.SeenUnreadable)
	if err != nil || !ok {
		return nil, err
	}
	return []finding{{"note", "Rows of the file that dedupe.py made whose key could not be kept: " + unread +
		". No claim can ask for such a key. They are in the table seen_unreadable."}}, nil
}

func (c *call) tokenFindings(l *ledger.Ledger) ([]finding, error) {
	tokens, err := l.Tokens(c.ctx)
	if err != nil {
		return nil, err
	}
	for _, t := range tokens {
		if t.InForce(l.Now()) {
			return nil, nil
		}
	}
	return []finding{{"note", "There is no password yet, so the claim endpoint answers nobody. Make one with dedupe token new NAME."}}, nil
}

// The free space below which claims are in danger, and below which a copy of the key
// file may not fit, in bytes.
const (
	spaceForClaims = 200 << 20
	spaceBesides   = 100 << 20
)

// spaceFindings looks at the disk that holds the key file.
func spaceFindings(keyFile string) []finding {
	free, err := freeSpace(filepath.Dir(keyFile))
	if err != nil {
		return []finding{{"note", "How much space is free on the disk of the key file cannot be found out: " + err.Error()}}
	}
	size := sizeOf(keyFile) + sizeOf(keyFile+"-wal")
	switch {
	case free < spaceForClaims:
		return []finding{{"fault", "Only " + megabytes(free) + " are free on the disk of the key file. Free some space: on a full disk every claim is refused."}}
	case free < size+spaceBesides:
		return []finding{{"note", megabytes(free) + " are free on the disk of the key file, too little for a copy of it, which takes " + megabytes(size) + ". Write backups to another disk."}}
	}
	return []finding{{"ok", megabytes(free) + " are free on the disk of the key file."}}
}

func megabytes(n int64) string {
	if n >= 10<<30 {
		return fmt.Sprintf("%d GB", n>>30)
	}
	return fmt.Sprintf("%d MB", n>>20)
}
