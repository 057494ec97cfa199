// Package keeping works out for how long the finished keys of a rule have to be kept:
// longer than any copy may still come. A copy that comes after its key was forgotten
// runs again.
//
// # What it promises
//
// It knows two reasons for a late copy: the rule's sender, which tries again for a
// while, and the platform whose checklist was begun for the rule, on which a person
// can run an old event again. A quarter is added to the longest. Where nothing is
// known it gives no advice, which does not mean that no copy comes.
//
// # Units
//
// A window is written in whole days or hours, a floor in hours or in days to a
// hundredth.
//
// # Errors
//
// Those of reading the settings.
//
// # Concurrency
//
// All functions may be called by any number of goroutines at once.
package keeping

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"dedupedesk/app/setup"
	"dedupedesk/ledger"
	"dedupedesk/rules"
	"dedupedesk/rules/presets"
)

const day = 24 * time.Hour

// A Window is one reason for a late copy.
type Window struct {
	Text      string // who may do what, without how long
	For       time.Duration
	But       string // where it is longer, in words; may be ""
	Source    string // the page
	Read      string // the day it was read, as 2026-10-31; "" if it was not
	Confirmed bool   // false: recalled, and not read again
}

// platforms are what people can run again, by the name of the checklist. A platform
// that is not there either keeps no old events or guards by its own store.
var platforms = map[string]Window{
	"power-automate": {
		Text: "Power Automate can run an event of its run history again", For: 28 * day,
		Source: "Microsoft, Troubleshoot common problems with Power Automate triggers", Read: "2026-10-31", Confirmed: true,
	},
	"make": {
		Text: "Make can replay an event of its webhook log", For: 3 * day, But: "30 days on an Enterprise plan",
		Source: "Make, Webhooks", Read: "2026-10-31", Confirmed: true,
	},
	"n8n": {
		Text: "n8n keeps executions that a person can try again", For: 14 * day, But: "longer where EXECUTIONS_DATA_MAX_AGE says so",
		Source: "n8n, Execution data", Read: "2026-12-01",
	},
}

// An Advice says how long finished keys are kept at least.
type Advice struct {
	Windows  []Window      // longest first
	Platform time.Duration // the longest that is a platform's; 0 = none
}

// Of returns the advice for a rule of a sender, which may be "", with the checklists
// that are in use for it.
func Of(sender string, checklists []string) Advice {
	var a Advice
	if p, ok := presets.BySender(sender); ok && p.Facts.RetryWindow > 0 {
		f, text := p.Facts.Retries, p.Name+" may send an event again"
		if p.Facts.RetriedBy == presets.ByPerson {
			text = "A person can let " + p.Name + " send an event again"
		}
		a.Windows = append(a.Windows, Window{
			Text: text, For: time.Duration(p.Facts.RetryWindow),
			Source: f.Source, Read: f.Read, Confirmed: f.Confirmed,
		})
	}
	for _, name := range checklists {
		if w, ok := platforms[name]; ok {
			a.Windows = append(a.Windows, w)
			a.Platform = max(a.Platform, w.For)
		}
	}
	slices.SortStableFunc(a.Windows, func(x, y Window) int { return int(y.For/time.Second) - int(x.For/time.Second) })
	return a
}

// Begun returns the names of the checklists that were begun for a rule, sorted. It
// returns Busy and Corrupt.
func Begun(ctx context.Context, l *ledger.Ledger, ruleID int64) ([]string, error) {
	prefix := setup.RecordName(ruleID, "")
	kept, err := l.SettingsWithPrefix(ctx, prefix)
	if err != nil {
		return nil, err
	}
	var names []string
	for name := range kept {
		names = append(names, strings.TrimPrefix(name, prefix))
	}
	slices.Sort(names)
	return names, nil
}

// OfRule returns the advice for a rule as the ledger has it. A rule file that cannot
// be read has no sender here. It returns Busy and Corrupt.
func OfRule(ctx context.Context, l *ledger.Ledger, r ledger.Rule) (Advice, error) {
	names, err := Begun(ctx, l, r.ID)
	if err != nil {
		return Advice{}, err
	}
	sender := ""
	if file, err := rules.Parse(r.Doc); err == nil {
		sender = file.Sender
	}
	return Of(sender, names), nil
}

// Floor returns how long finished keys are kept at least, 0 where nothing is known.
func (a Advice) Floor() time.Duration {
	if len(a.Windows) == 0 {
		return 0
	}
	return ledger.Floor(a.Windows[0].For)
}

// Sentence says how long to keep finished keys and why, "" where nothing is known.
func (a Advice) Sentence() string {
	if len(a.Windows) == 0 {
		return ""
	}
	return a.reasons() + ". Keep finished keys " + span(a.Floor()) + " or longer."
}

// Warning says what a keep time below the floor means and what to do, "" where keep
// is long enough.
func (a Advice) Warning(keep time.Duration) string {
	if keep >= a.Floor() {
		return ""
	}
	return "Finished keys are forgotten after " + span(keep) + ", but " + a.reasons() +
		". A copy that comes later would run again. Keep them " + span(a.Floor()) + " or longer."
}

func (a Advice) reasons() string {
	var parts []string
	for _, w := range a.Windows {
		part := w.Text + " for " + span(w.For)
		if w.But != "" {
			part += " (" + w.But + ")"
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ", and ")
}

// Sources says where the advice stands, one line a window.
func (a Advice) Sources() []string {
	var lines []string
	for _, w := range a.Windows {
		line := w.Source
		if w.Read != "" {
			line += " (read " + w.Read + ")"
		}
		if !w.Confirmed {
			line += ", not confirmed"
		}
		lines = append(lines, line)
	}
	return lines
}

// span writes a length of time in hours below two days, else in days, rounded up.
func span(d time.Duration) string {
	unit, word := day, "day"
	if d < 2*day && d%day != 0 {
		unit, word = time.Hour, "hour"
	}
	hundredths := (d*100 + unit - 1) / unit
	n := strconv.FormatFloat(float64(hundredths)/100, 'f', -1, 64)
	if n != "1" {
		word += "s"
	}
	return fmt.Sprint(n, " ", word)
}
