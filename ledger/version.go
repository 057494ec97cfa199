package ledger

import (
	"bytes"
	"context"
	"fmt"
	"time"
)

// A Why says why the formula of a rule was changed, which decides what becomes of the
// keys that the former formula made.
type Why string

// The reasons of a change.
const (
	WhyNone Why = ""       // the formula is as it was, or had made no keys
	Copies  Why = "copies" // copies got through: claims look for the former formula's key too
	Merged  Why = "merged" // different events shared a key: the former keys say nothing any more
)

// The bounds of what is kept of a rule's past.
const (
	// MaxVersions is how many versions of a rule are kept in any case, the newest.
	MaxVersions = 50
	// MaxFormer is how many former formulas of one rule claims look back to at once.
	MaxFormer = 32
)

// A RuleVersion is one state of a rule file.
type RuleVersion struct {
	Version  int64
	Doc      []byte
	Since    time.Time // when it came into use: no key of the version before is first seen after it
	Why      Why       // why it took the place of the version before
	By       string    // who put it to use, as [RuleChange.By] said; "" = nobody was named
	Until    time.Time // when the next one took its place, which is that one's Since; zero = in use
	LookBack time.Time // until when claims look for its keys too; zero = they never did
}

// A RuleChange puts a rule in the place of another, or of none.
type RuleChange struct {
	Was  string // the name until now; "" = Rule.Name
	Rule Rule   // ID, Version and the times are not read
	Why  Why    // read where a rule with keys gets another Doc
	By   string // who changes it, one line, kept with the version; "" = not known
	Base int64  // 0 = not checked; else the version that Why was worked out with
}

// LooksBack reports whether claims at that time look for the keys of a former formula.
func (r Rule) LooksBack(now time.Time) bool {
	return !r.FormerAt.IsZero() && now.Before(r.FormerAt.Add(r.Policy.Keep))
}

// Versions returns what is kept of a rule's past, newest first: [MaxVersions], the one in
// use among them, and older ones as long as claims look for their keys. It is that of an archived
// rule too.
//
// Versions returns UnknownRule for a rule that never was, Busy and Corrupt.
func (l *Ledger) Versions(ctx context.Context, rule string) ([]RuleVersion, error) {
	if rule == "" {
		rule = DefaultRule
	}
	var all []RuleVersion
	err := l.read(ctx, func(r Reader) error {
		named, ok, err := r.RuleNamed(ctx, rule)
		if err != nil {
			return err
		}
		if !ok {
			return unknownRule(rule)
		}
		if all, err = r.RuleVersions(ctx, named.ID); err != nil {
			return err
		}
		finish(all, named.Policy.Keep)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("versions: %w", err)
	}
	return all, nil
}

// finish fills in what a version has from the one after it. Where that one is not kept,
// nobody looks back.
func finish(newestFirst []RuleVersion, keep time.Duration) {
	for i := 1; i < len(newestFirst); i++ {
		v, next := &newestFirst[i], newestFirst[i-1]
		v.Until = next.Since
		if next.Why == Copies && next.Version == v.Version+1 {
			v.LookBack = next.Since.Add(keep)
		}
	}
}

// ChangeRule is [Ledger.PutRule] for a rule whose formula may have changed. Where
// c.Why is Copies and the rule has keys, claims look for the keys of the version that
// ends here too, for as long as finished keys are kept: see [ClaimRequest.Former].
//
// ChangeRule returns what PutRule does, Invalid with field why for a reason that there
// is not, or where claims would look back to more than [MaxFormer] versions, and
// RuleChanged where c.Base is not the rule's version. On all of these nothing was changed.
func (l *Ledger) ChangeRule(ctx context.Context, c RuleChange) (Rule, error) {
	r, was := c.Rule, c.Was
	if was == "" {
		was = r.Name
	}
	if was == DefaultRule && r.Name != was {
		return Rule{}, invalid("rule", "The default rule keeps its name: scripts rely on it.")
	}
	if !ValidRuleName(r.Name) {
		return Rule{}, badRuleName()
	}
	if err := r.Policy.check(); err != nil {
		return Rule{}, err
	}
	if c.Why != WhyNone && c.Why != Copies && c.Why != Merged {
		return Rule{}, invalid("why", "Why a formula changed is either copies (copies got through) or merged (different events shared a key).")
	}
	r.Policy = r.Policy.whole()
	var saved Rule
	var existed bool
	err := l.write(ctx, func(tx Tx) (err error) {
		stored, ok, err := ruleToPut(ctx, tx, was, r)
		if err != nil {
			return err
		}
		if c.Base != 0 && stored.Version != c.Base {
			return &Error{Code: RuleChanged, Msg: "The rule was changed by somebody else in between. Look at it and save again."}
		}
		existed = ok
		saved, err = l.saveVersion(ctx, tx, stored, r, c)
		return err
	})
	if err == nil && existed {
		// Also where the window is as it was: an earlier call may have come only so far.
		err = l.restick(ctx, saved)
	}
	if err != nil {
		return Rule{}, fmt.Errorf("put rule: %w", err)
	}
	return saved, nil
}

// saveVersion writes r over stored, which is the zero Rule where there is none, and
// keeps it as a version where it differs.
func (l *Ledger) saveVersion(ctx context.Context, tx Tx, stored, r Rule, c RuleChange) (Rule, error) {
	now, err := l.nowIn(ctx, tx)
	if err != nil {
		return Rule{}, err
	}
	saved := r
	saved.ID, saved.Version, saved.CreatedAt = stored.ID, stored.Version, stored.CreatedAt
	saved.ChangedAt, saved.ArchivedAt, saved.FormerAt = now, time.Time{}, stored.FormerAt
	isNew := stored.ID == 0
	if isNew {
		saved.CreatedAt = now
	}
	another := isNew || stored.Policy != r.Policy || !bytes.Equal(stored.Doc, r.Doc)
	if another {
		saved.Version++
	}
	// From here on no call of the version before ends, so what follows sees all of them.
	if saved.ID, err = tx.SaveRule(ctx, saved); err != nil || !another {
		return saved, err
	}
	last, err := tx.LastChange(ctx, saved.ID)
	if err != nil {
		return Rule{}, err
	}
	v := RuleVersion{Version: saved.Version, Doc: r.Doc, Since: now, By: cleanError(c.By)}
	if last.After(now) {
		v.Since = last // two clocks: whatever stands was there before
	}
	if !isNew && !last.IsZero() && !bytes.Equal(stored.Doc, r.Doc) {
		v.Why = c.Why
	}
	if err := tx.AddRuleVersion(ctx, saved.ID, v); err != nil {
		return Rule{}, err
	}
	if v.Why == Copies {
		saved.FormerAt = v.Since
		if _, err := tx.SaveRule(ctx, saved); err != nil {
			return Rule{}, err
		}
	}
	return saved, dropVersions(ctx, tx, saved, now)
}

// dropVersions forgets the versions that are beyond the bound and say nothing any more:
// neither is their key looked for, nor do they tell that of the one before.
func dropVersions(ctx context.Context, tx Tx, rule Rule, now time.Time) error {
	all, err := tx.RuleVersions(ctx, rule.ID)
	if err != nil {
		return err
	}
	finish(all, rule.Policy.Keep)
	former := 0
	for i, v := range all {
		if now.Before(v.LookBack) {
			former++
			continue
		}
		tells := i+1 < len(all) && now.Before(all[i+1].LookBack)
		if i >= MaxVersions && !tells {
			if err := tx.DropRuleVersion(ctx, rule.ID, v.Version); err != nil {
				return err
			}
		}
	}
	if former > MaxFormer {
		return invalid("why", fmt.Sprintf("The formula of this rule was changed %d times while keys of it are kept, and the keys of so many formulas cannot be looked for. "+
			"Keep the formula that is in use, or say that the former one merged different events.", former))
	}
	return nil
}
