package ledger

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"time"
	"unicode/utf8"
)

// MaxImport is how many keys one call of [Ledger.Import] takes.
const MaxImport = 1000

// EventImported is the kind of the event that tells that a key came from a file.
const EventImported = "imported"

// wasInProgress is why an imported key is held whose work was under way.
const wasInProgress = "was in progress where it came from"

// An ImportRequest adds keys that were kept elsewhere.
type ImportRequest struct {
	// Keys as [Ledger.Export] gives them. Only Key is needed: Rule "" is DefaultRule,
	// State "" is Done, a time that is missing is now or follows from the others.
	// Stuck, Expired and ChangedAt are not read.
	Keys   []Key
	By     string // who imports, for the history
	DryRun bool   // only count
}

// An ImportResult tells what an import came to. Added and Present add up to the keys
// that were asked for.
type ImportResult struct {
	Added   int
	Present int   // there already; left as they are
	Open    []int // of those, the ones that came as finished and are not finished here
}

// Import adds keys, in one transaction. A key that is there already is left alone,
// whatever its state. Done stays done with its result; retryable and held stay what
// they are. Claimed becomes held: nobody here knows how its work ended. No token
// comes along, so what is held or was decided on by a person can be closed by a
// person alone; any other grant can be closed by its owner.
//
// Import returns what [CheckImport] does, Invalid for more than [MaxImport] keys or
// without By, UnknownRule for a rule that never was, Busy and Corrupt. On all of them
// nothing was added.
func (l *Ledger) Import(ctx context.Context, req ImportRequest) (ImportResult, error) {
	by := cleanError(req.By)
	if by == "" {
		return ImportResult{}, invalid("by", "Say who imports the keys.")
	}
	if len(req.Keys) > MaxImport {
		return ImportResult{}, invalid("keys", fmt.Sprintf("At most %d keys are imported at once.", MaxImport))
	}
	var res ImportResult
	add := func(r Reader, tx Tx, now time.Time) error {
		res = ImportResult{}
		t := importer{l: l, r: r, tx: tx, by: by, now: now, rules: map[string]Rule{}}
		for i, k := range req.Keys {
			state, added, err := t.add(ctx, k)
			if err != nil {
				return err
			}
			if added {
				res.Added++
				continue
			}
			res.Present++
			if (k.State == "" || k.State == Done) && state != Done {
				res.Open = append(res.Open, i)
			}
		}
		return nil
	}
	err := l.importIn(ctx, req.DryRun, add)
	if err != nil {
		return ImportResult{}, fmt.Errorf("import: %w", err)
	}
	return res, nil
}

// importIn runs add in a transaction, or on a snapshot where it must not write.
func (l *Ledger) importIn(ctx context.Context, dry bool, add func(Reader, Tx, time.Time) error) error {
	if dry {
		return l.read(ctx, func(r Reader) error {
			now, err := l.nowIn(ctx, r)
			if err != nil {
				return err
			}
			return add(r, nil, now)
		})
	}
	return l.write(ctx, func(tx Tx) error {
		m, err := l.time.in(ctx, tx)
		if err != nil {
			return err
		}
		return add(tx, tx, m.now)
	})
}

// An importer adds keys within one transaction.
type importer struct {
	l     *Ledger
	r     Reader
	tx    Tx // nil = only look
	by    string
	now   time.Time
	rules map[string]Rule
}

// add adds one key. Where it is there already, state is what it is in.
func (t *importer) add(ctx context.Context, k Key) (state State, added bool, err error) {
	if err := CheckImport(k, t.now); err != nil {
		return "", false, err
	}
	rule, err := t.rule(ctx, k.Rule)
	if err != nil {
		return "", false, err
	}
	// A key that stands for a row of a former formula is there.
	if rule.LooksBack(t.now) {
		tied, err := t.r.Tied(ctx, rule.ID, []string{k.Key})
		if err != nil {
			return "", false, err
		}
		if tied[0].ID != 0 {
			return tied[0].State, false, nil
		}
	}
	if t.tx != nil {
		secret, err := t.l.secret()
		if err != nil {
			return "", false, err
		}
		row := imported(k, rule, t.now, secret)
		if _, added, err = t.tx.Insert(ctx, row); err != nil {
			return "", false, err
		}
		if added {
			e := Event{At: t.now, Kind: EventImported, Owner: row.Owner, By: t.by, Fence: row.Fence}
			if k.State == Claimed {
				e.Text = wasInProgress
			}
			return row.State, true, t.tx.Append(ctx, rule.ID, k.Key, e)
		}
	}
	row, found, err := t.r.Load(ctx, rule.ID, k.Key)
	return row.State, !found, err
}

func (t *importer) rule(ctx context.Context, name string) (Rule, error) {
	if name == "" {
		name = DefaultRule
	}
	rule, ok := t.rules[name]
	if ok {
		return rule, nil
	}
	rule, ok, err := t.r.RuleNamed(ctx, name)
	if err == nil && !ok {
		err = unknownRule(name)
	}
	t.rules[name] = rule
	return rule, err
}

// imported returns the row that k becomes.
func imported(k Key, rule Rule, now time.Time, secret string) Row {
	r := Row{
		RuleID: rule.ID, Rule: rule.Name, Key: k.Key, State: k.State,
		Fence: k.Fence, Attempts: k.Attempts, Generation: max(1, k.Generation), Lease: rule.Policy.Lease,
		Owner: k.Owner, Fingerprint: k.Fingerprint, LastError: cleanError(k.LastError), Result: string(k.Result),
		Copies: k.Copies, Mismatches: k.Mismatches, StaleCalls: k.StaleCalls,
		FirstSeen: whole(k.FirstSeen), ClaimedAt: whole(k.ClaimedAt), LeaseUntil: whole(k.LeaseUntil),
		DoneAt: whole(k.DoneAt), NextTryAt: whole(k.NextTryAt), ChangedAt: now,
	}
	voided := r.State == Held || (r.State == Retryable && r.Generation > 1 && r.Attempts == 0)
	switch r.State {
	case "", Done:
		r.State, r.DoneAt = Done, cmp.Or(r.DoneAt, now)
		r.ChangedAt = r.DoneAt
	case Claimed:
		r.State = Held
	case Retryable:
		r.NextTryAt, r.Released = cmp.Or(r.NextTryAt, now), !voided
	}
	r.ClaimedAt = cmp.Or(r.ClaimedAt, cmp.Or(r.DoneAt, now))
	r.FirstSeen = cmp.Or(r.FirstSeen, r.ClaimedAt)
	r.LeaseUntil = cmp.Or(r.LeaseUntil, r.ClaimedAt.Add(r.Lease))
	r.CalledAt = r.ClaimedAt // an import is nobody's call
	if r.DoneAt.After(r.CalledAt) {
		r.CalledAt = r.DoneAt
	}
	if voided {
		r.TakenOver = true
	} else {
		// Nobody has this token. That there is one tells that no person has decided.
		r.Token = tokenText(r.Fence, secret)
	}
	r.StuckAt = stuckAt(r, rule.Policy)
	return r
}

// maxCount bounds what a file may say of counters.
const maxCount = 1 << 53

// CheckImport returns an Invalid error that blames the member of k, by its name in
// files, which keeps it from being imported now; nil where nothing does. Keys are
// checked as those of claims are.
func CheckImport(k Key, now time.Time) error {
	if err := validKey(k.Key); err != nil {
		return err
	}
	if k.State != "" && !k.State.Known() {
		return invalid("state", "A state is one of claimed, done, retryable and held.")
	}
	if err := cmp.Or(validName("owner", k.Owner), validName("fingerprint", k.Fingerprint)); err != nil {
		return err
	}
	if len(k.Result) > MaxResult {
		return invalid("result", "The result is larger than 8 KB.")
	}
	if len(k.Result) > 0 && !(utf8.Valid(k.Result) && json.Valid(k.Result)) {
		return invalid("result", "The result is not valid JSON.")
	}
	for _, c := range []struct {
		field string
		n     int64
	}{
		{"fence", k.Fence}, {"attempts", int64(k.Attempts)}, {"generation", k.Generation},
		{"copies", k.Copies}, {"mismatches", k.Mismatches}, {"stale_calls", k.StaleCalls},
	} {
		if c.n < 0 || c.n > maxCount {
			return invalid(c.field, c.field+" must be a whole number, 0 or more.")
		}
	}
	return checkTimes(k, now)
}

// checkTimes refuses times that no ledger with a sound clock wrote.
func checkTimes(k Key, now time.Time) error {
	const slack = 24 * time.Hour // two machines' clocks may differ
	past, due := now.Add(slack), now.Add(slack+MaxLease)
	for _, c := range []struct {
		field    string
		at, last time.Time
	}{
		{"first_seen", k.FirstSeen, past}, {"claimed_at", k.ClaimedAt, past}, {"done_at", k.DoneAt, past},
		{"lease_until", k.LeaseUntil, due}, {"next_try_at", k.NextTryAt, due},
	} {
		switch {
		case c.at.IsZero():
		case c.at.UnixMilli() < 0:
			return invalid(c.field, c.field+" is before 1970.")
		case c.at.After(c.last):
			return invalid(c.field, c.field+" lies in the future. Check the clocks of this computer and of the one that the key comes from.")
		}
	}
	if !k.DoneAt.IsZero() && k.State != "" && k.State != Done {
		return invalid("done_at", "done_at goes with the state done alone.")
	}
	return nil
}
