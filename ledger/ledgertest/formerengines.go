package ledgertest

import (
	"fmt"
	"slices"
	"sync"

	"dedupedesk/ledger"
)

// changedUnderLoad has two engines claim by the formula in use while a third changes
// it, and then sends every event again with its new key. Time runs here: what counts is
// that no row of the former formula is dated after it was left.
func changedUnderLoad(b *bench) {
	const callers, rounds = 8, 4
	engines := make([]*ledger.Ledger, 3)
	for i := range engines {
		engines[i] = ledger.New(b.open(), ledger.SystemClock(), nil)
		defer engines[i].Close()
	}
	for round := range rounds {
		rule, err := engines[2].Rule(b.Context(), "shop")
		b.code(err, "")
		keys := make([][]string, callers)
		var group, warm sync.WaitGroup
		warm.Add(callers)
		for c := range callers {
			group.Go(func() {
				keys[c] = claimUntilChanged(b, engines[c%2], rule, fmt.Sprintf("%d-%d", round, c), warm.Done)
			})
		}
		warm.Wait()
		rule.Doc = fmt.Append(nil, "formula ", round)
		if _, err = engines[2].ChangeRule(b.Context(), ledger.RuleChange{Rule: rule, Why: ledger.Copies, Base: rule.Version}); err != nil {
			b.Errorf("change: %v", err)
		}
		group.Wait()
		versions, err := engines[2].Versions(b.Context(), "shop")
		b.code(err, "")
		for _, key := range slices.Concat(keys...) {
			a, err := engines[0].Claim(b.Context(), ledger.ClaimRequest{
				Rule: "shop", Key: "new-" + key, Former: []ledger.FormerKey{{Key: key, Until: versions[1].Until}},
			})
			if err != nil || a.Run {
				b.Errorf("%s was claimed by the former formula, left at %v, and then: %+v, %v", key, versions[1].Until, a, err)
			}
		}
	}
}

// claimUntilChanged claims new keys under a version of the rule until it is another
// one, and returns those that were granted. It calls warm after the first.
func claimUntilChanged(b *bench, l *ledger.Ledger, rule ledger.Rule, prefix string, warm func()) (granted []string) {
	for n := 0; ; n++ {
		key := fmt.Sprint(prefix, "-", n)
		a, err := l.Claim(b.Context(), ledger.ClaimRequest{Rule: "shop", Key: key, RuleVersion: rule.Version})
		if n == 0 {
			warm()
		}
		switch {
		case ledger.CodeOf(err) == ledger.RuleChanged:
			return granted
		case err != nil || !a.Run:
			b.Errorf("claim %s: %+v, %v", key, a, err)
			return granted
		}
		granted = append(granted, key)
	}
}
