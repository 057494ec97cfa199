package ledger

import (
	"bytes"
	"context"
	"fmt"
)

// Rules returns the live rules by name, or Busy or Corrupt.
func (l *Ledger) Rules(ctx context.Context) ([]Rule, error) {
	var all []Rule
	err := l.read(ctx, func(r Reader) (err error) {
		all, err = r.AllRules(ctx)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("rules: %w", err)
	}
	live := make([]Rule, 0, len(all))
	for _, r := range all {
		if r.ArchivedAt.IsZero() {
			live = append(live, r)
		}
	}
	return live, nil
}

// Rule returns the live rule of that name. It returns UnknownRule where there is
// none, or it is archived, Busy and Corrupt.
func (l *Ledger) Rule(ctx context.Context, name string) (Rule, error) {
	if name == "" {
		name = DefaultRule
	}
	var rule Rule
	err := l.read(ctx, func(r Reader) error {
		var ok bool
		var err error
		rule, ok, err = r.RuleNamed(ctx, name)
		if err == nil && (!ok || !rule.ArchivedAt.IsZero()) {
			return unknownRule(name)
		}
		return err
	})
	if err != nil {
		return Rule{}, fmt.Errorf("rule: %w", err)
	}
	return rule, nil
}

// PutRule creates the rule of that name, brings an archived one back with its
// history, or replaces a live one, and returns it as stored. Where was is set and
// is another name, the rule of that name gets the new one in the same write, with
// its keys and their history; where it has it already, with the same Doc, the call is
// a repeat whose answer was lost. ID, Version and the times of r are not
// read. The version goes up by one if Doc or Policy differ. Claims do not look for keys
// of the version before: see [Ledger.ChangeRule].
//
// PutRule returns Invalid for a bad policy, Invalid with field rule for a bad name,
// for a new one that is taken, by an archived rule too, and for a new one of the
// default rule, and UnknownRule where no live rule is named was. On these nothing was
// changed. It returns Busy and Corrupt, on which the rule may be saved already, and the
// same call again ends what is left to do.
func (l *Ledger) PutRule(ctx context.Context, was string, r Rule) (Rule, error) {
	return l.ChangeRule(ctx, RuleChange{Was: was, Rule: r})
}

// ruleToPut returns the rule that is about to be written over, if there is one: that
// of the name, or the one that gets the name.
func ruleToPut(ctx context.Context, tx Tx, was string, r Rule) (Rule, bool, error) {
	there, found, err := tx.RuleNamed(ctx, r.Name)
	if err != nil || was == r.Name {
		return there, found, err
	}
	old, ok, err := tx.RuleNamed(ctx, was)
	switch live := ok && old.ArchivedAt.IsZero(); {
	case err != nil:
		return Rule{}, false, err
	case live && found:
		return Rule{}, false, invalid("rule", fmt.Sprintf("There is a rule named %q already, or there was one whose history is kept.", r.Name))
	case live:
		return old, true, nil
	case found && there.ArchivedAt.IsZero() && bytes.Equal(there.Doc, r.Doc):
		return there, true, nil // renamed by the same call before; anything else is another rule
	}
	return Rule{}, false, unknownRule(was)
}

// restick works out anew when the waiting keys of a rule count as lost, a page per
// transaction so that claims go on in between.
func (l *Ledger) restick(ctx context.Context, rule Rule) error {
	q := RowQuery{RuleID: rule.ID, State: Retryable, Order: ByChange, Limit: 200}
	return l.eachPage(ctx, q, func(tx Tx, row Row) error {
		at := stuckAt(row, rule.Policy)
		if at.Equal(row.StuckAt) {
			return nil
		}
		row.StuckAt = at
		_, err := tx.Replace(ctx, row)
		return err
	})
}

// ArchiveRule takes a rule out of use. Its keys stay, are pruned as before, and are
// its keys again if the name comes back.
//
// ArchiveRule returns Invalid with field rule for the default rule, UnknownRule,
// Busy and Corrupt.
func (l *Ledger) ArchiveRule(ctx context.Context, name string) error {
	if name == DefaultRule {
		return invalid("rule", "The default rule cannot be archived: scripts rely on it.")
	}
	err := l.write(ctx, func(tx Tx) error {
		rule, ok, err := tx.RuleNamed(ctx, name)
		if err != nil {
			return err
		}
		if !ok || !rule.ArchivedAt.IsZero() {
			return unknownRule(name)
		}
		if rule.ArchivedAt, err = l.nowIn(ctx, tx); err != nil {
			return err
		}
		rule.ChangedAt = rule.ArchivedAt
		_, err = tx.SaveRule(ctx, rule)
		return err
	})
	if err != nil {
		return fmt.Errorf("archive rule: %w", err)
	}
	return nil
}

func badRuleName() error {
	return invalid("rule", "A rule's name is 1 to 64 of a-z, 0-9, dot, dash and underscore, and starts with a letter or digit.")
}
