package ledger

import (
	"context"
	"fmt"
	"time"
)

// Counts returns the figures of the whole ledger. They are kept as calls come in,
// so they cost little however many keys there are.
func (l *Ledger) Counts(ctx context.Context) (Counts, error) {
	var c Counts
	err := l.read(ctx, func(r Reader) error {
		now, err := l.nowIn(ctx, r)
		if err == nil {
			c, err = r.Counts(ctx, now)
		}
		return err
	})
	if err != nil {
		return Counts{}, fmt.Errorf("counts: %w", err)
	}
	return c, nil
}

// RuleUses returns how much each live rule is used, by name.
func (l *Ledger) RuleUses(ctx context.Context) ([]RuleUse, error) {
	var uses []RuleUse
	err := l.read(ctx, func(r Reader) error {
		now, err := l.nowIn(ctx, r)
		if err == nil {
			uses, err = r.RuleUses(ctx, now)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("rule uses: %w", err)
	}
	return uses, nil
}

// CopiesByDay returns how many copies of each rule were stopped on each UTC day, from the
// day of from on and before the day of until, by day and rule. Days and rules without any
// are left out; archived rules and keys that are pruned by now are not. It returns Busy and
// Corrupt.
func (l *Ledger) CopiesByDay(ctx context.Context, from, until time.Time) ([]DayCopies, error) {
	var days []DayCopies
	err := l.read(ctx, func(r Reader) (err error) {
		days, err = r.CopiesByDay(ctx, from, until)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("copies by day: %w", err)
	}
	return days, nil
}

// CallsByHour returns what came hour by hour and rule by rule, from the hour of from on
// and before the hour of until. Hours and rules without any call are left out; archived
// rules and keys that are pruned by now are not. What is older than [HoursKept] may be
// gone. It returns Busy and Corrupt.
func (l *Ledger) CallsByHour(ctx context.Context, from, until time.Time) ([]HourCalls, error) {
	var hours []HourCalls
	err := l.read(ctx, func(r Reader) (err error) {
		hours, err = r.CallsByHour(ctx, from, until)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("calls by hour: %w", err)
	}
	return hours, nil
}
