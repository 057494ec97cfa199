package intake

import (
	"context"
	"errors"
	"slices"
	"time"

	"dedupedesk/ledger"
	"dedupedesk/rules"
)

// A former is a formula that the rule had before. Its condition counts no more: the
// item is one that the rule takes now, so what matters is whether its key was used.
type former struct {
	*Rule
	until    time.Time // when it was left
	lookBack time.Time // until when claims look for its keys; zero = they do not
}

// sameKeys reports whether two rule files make the same key of every event.
func sameKeys(a, b *rules.Rule) bool {
	return a.Key == b.Key && a.Each == b.Each && a.FoldCase == b.FoldCase && a.LongKeys == b.LongKeys
}

// samePrints reports whether their fingerprints can be compared.
func samePrints(a, b *rules.Rule) bool {
	return a.Each == b.Each && slices.Equal(a.Fingerprint, b.Fingerprint)
}

// remember fills in what the rule was before: its former formulas, each once, by the
// last time it was left, and since when its fingerprints are made as they are now. A
// formula that cannot be read any more makes no keys.
func (in *Intake) remember(ctx context.Context, r *Rule) error {
	if r.Version == 1 {
		return nil
	}
	versions, err := in.ledger.Versions(ctx, r.Name)
	if err != nil {
		return err
	}
	var since time.Time // of the version looked at before, which is newer
	alike := true
	for _, v := range versions {
		if v.Version >= r.Version {
			since = v.Since
			continue
		}
		file, err := fileOf(ledger.Rule{Name: r.Name, Doc: v.Doc})
		if alike && (err != nil || !samePrints(file, r.File)) {
			alike, r.printsAfter = false, since
		}
		since = v.Since
		if err == nil {
			in.addFormer(r, v, file)
		}
	}
	return nil
}

func (in *Intake) addFormer(r *Rule, v ledger.RuleVersion, file *rules.Rule) {
	known := func(f former) bool { return sameKeys(f.File, file) }
	if file.Key == "" || sameKeys(file, r.File) || slices.ContainsFunc(r.former, known) {
		return
	}
	bare := *file
	bare.When, bare.Fingerprint, bare.Samples = "", nil, nil
	program, issues := in.engine.Compile(&bare)
	if len(issues) > 0 {
		return
	}
	was := &Rule{Rule: ledger.Rule{Name: r.Name, Policy: r.Policy}, File: &bare, Program: program}
	r.former = append(r.former, former{Rule: was, until: v.Until, lookBack: v.LookBack})
}

// LookBackNote says in a sentence which old keys claims do not find at that time, "" for
// none: those of events that a former formula split another way.
func (r *Rule) LookBackNote(now time.Time) string {
	if !slices.ContainsFunc(r.former, func(f former) bool { return f.lookedFor(now) && f.File.Each != r.File.Each }) {
		return ""
	}
	return "The list is split in another way than before. Old keys are looked for only where both formulas find the same number of items in an event; else its items run, also those that ran before."
}

// lookedFor reports whether a claim looks for the keys of f.
func (f former) lookedFor(now time.Time) bool { return now.Before(f.lookBack) }

// reported reports whether a run may still report that was started by f, whatever it
// was left for.
func (f former) reported(now time.Time) bool { return now.Before(f.until.Add(f.Policy.Keep)) }

// formerKeys returns for each key of src the keys that former formulas make of the same
// event or item, newest formula first. A formula that fails on the event made no key of
// it, and one that finds another number of items cannot be compared, so it is passed
// over. An error says nothing of the event: what its keys were is not known.
func (r *Rule) formerKeys(ctx context.Context, src Source, keyed []rules.Keyed, wanted func(former) bool, most int) ([][]ledger.FormerKey, error) {
	all := make([][]ledger.FormerKey, len(keyed))
	for _, f := range r.former {
		if !wanted(f) {
			continue
		}
		keys, err := keysUnder(ctx, f.Rule, src)
		if _, faulty := errors.AsType[*rules.KeyError](err); err != nil && !faulty {
			return nil, err
		}
		if len(keys) != len(keyed) {
			continue
		}
		for i, k := range keys {
			if _, faulty := errors.AsType[*rules.KeyError](k.Err); k.Err != nil && !faulty {
				return nil, k.Err
			}
			known := func(f ledger.FormerKey) bool { return f.Key == k.Key }
			if k.Key != "" && k.Key != keyed[i].Key && len(all[i]) < most && !slices.ContainsFunc(all[i], known) {
				all[i] = append(all[i], ledger.FormerKey{Key: k.Key, Until: f.until})
			}
		}
	}
	return all, nil
}

// keysUnder returns the keys that a rule with a formula makes of src.
func keysUnder(ctx context.Context, r *Rule, src Source) ([]rules.Keyed, error) {
	if src.Event != nil {
		return r.Program.Keys(ctx, *src.Event)
	}
	key, err := readyKey(r, src)
	if err != nil {
		return nil, err
	}
	return []rules.Keyed{{Key: key}}, nil
}
