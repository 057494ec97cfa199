package ledgertest

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"dedupedesk/ledger"
)

// formula puts another rule file in the place of shop's.
func (b *bench) formula(doc string, why ledger.Why) ledger.Rule {
	b.Helper()
	r, err := b.change(doc, why, 0)
	if err != nil {
		b.Fatalf("change the formula to %s: %v", doc, err)
	}
	return r
}

func (b *bench) change(doc string, why ledger.Why, base int64) (ledger.Rule, error) {
	was, err := b.l.Rule(b.Context(), "shop")
	if err != nil {
		return ledger.Rule{}, err
	}
	was.Doc = []byte(doc)
	return b.l.ChangeRule(b.Context(), ledger.RuleChange{Rule: was, Why: why, By: " Ana\nB", Base: base})
}

func (b *bench) versions() []ledger.RuleVersion {
	b.Helper()
	all, err := b.l.Versions(b.Context(), "shop")
	if err != nil {
		b.Fatalf("Versions: %v", err)
	}
	return all
}

// left returns former keys, each of the formula that was left the one before the other.
func (b *bench) left(keys ...string) []ledger.FormerKey {
	b.Helper()
	all := b.versions()
	var former []ledger.FormerKey
	for i, key := range keys {
		former = append(former, ledger.FormerKey{Key: key, Until: all[i+1].Until})
	}
	return former
}

// look claims a key of shop that the former formulas made these keys of.
func (b *bench) look(key, owner string, former ...string) ledger.Answer {
	b.Helper()
	a, err := b.l.Claim(b.Context(), ledger.ClaimRequest{Rule: "shop", Key: key, Owner: owner, Former: b.left(former...)})
	if err != nil {
		b.Fatalf("Claim %s, was %v: %v", key, former, err)
	}
	return a
}

var formerCases = []testCase{
	{"AFormerKeysRowDecidesByTheSameTable", formerTable},
	{"WhereEventsWereMergedTheFormerKeysSayNothing", func(b *bench) {
		b.finish("old")
		b.formula("new", ledger.Merged)
		equal(b, "status", b.look("a", "", "old").Status, ledger.StatusClaimed)
		equal(b, "looks back", b.versions()[1].LookBack.IsZero(), true)
	}},
	{"TheKeysOwnRowDecidesAlone", func(b *bench) {
		b.finish("old")
		given := b.grant("a")
		b.formula("new", ledger.Copies)
		a := b.look("a", "", "old")
		equal(b, "status", a.Status, ledger.StatusInProgress)
		equal(b, "key", a.Key, "a")
		equal(b, "reason", strings.Contains(a.Reason, "earlier formula"), false)
		d, err := b.done("a", given.Token, "")
		b.status(d, err, ledger.StatusDone)
	}},
	{"ARowOfTheNewFormulaIsNoFormerOne", func(b *bench) {
		b.grant("x")
		b.formula("new", ledger.Copies)
		b.clock.Step(time.Millisecond)
		b.finish("old")
		equal(b, "status", b.look("a", "", "old").Status, ledger.StatusClaimed)
	}},
	{"TheNewestFormerFormulaDecides", func(b *bench) {
		b.finish("first")
		b.formula("second", ledger.Copies)
		b.clock.Step(time.Minute)
		live := b.look("second", "") // another event, as far as anybody can tell
		b.formula("third", ledger.Copies)
		a := b.look("third", "", "second", "first")
		equal(b, "status", a.Status, ledger.StatusInProgress)
		equal(b, "key", a.Key, live.Key)
		equal(b, "older", b.look("other", "", "none", "first").Status, ledger.StatusDone)
	}},
	{"AFormulaBeforeTheOneThatMergedIsLookedBackTo", func(b *bench) {
		b.finish("first")
		b.formula("second", ledger.Copies)
		b.formula("third", ledger.Merged)
		former := []ledger.FormerKey{{Key: "first", Until: b.versions()[2].Until}}
		a, err := b.l.Claim(b.Context(), ledger.ClaimRequest{Rule: "shop", Key: "third", Former: former})
		b.status(a, err, ledger.StatusDone)
	}},
	{"AKeyMeansOneRowWhateverFormerKeyItsCopyHas", func(b *bench) {
		given := b.grant("try-1")
		b.grant("x")
		b.formula("new", ledger.Copies)
		equal(b, "first copy", b.look("a", "", "try-1").Status, ledger.StatusInProgress)
		for range 2 {
			equal(b, "second copy", b.look("a", "", "try-2").Status, ledger.StatusInProgress)
			equal(b, "without", b.look("a", "").Key, "try-1")
			b.restart()
		}
		equal(b, "life", b.life("a").Key.Key, "try-1")
		// Who reports by the new key means the same row, whoever works the former one out.
		d, err := b.done("a", given.Token, "")
		b.status(d, err, ledger.StatusDone)
		equal(b, "key", d.Key, "try-1")
		equal(b, "after", b.look("a", "", "try-3").Status, ledger.StatusDone)
	}},
	{"OfManyCopiesOneRuns", formerRace},
	{"TheLookBackEndsWithTheKeepTime", func(b *bench) {
		b.finish("old")
		b.finish("older")
		b.formula("new", ledger.Copies)
		at := b.versions()[1].LookBack
		equal(b, "until", at, b.clock.Now().Add(ledger.DefaultPolicy().Keep))
		b.clock.Step(at.Sub(b.clock.Now()) - time.Millisecond)
		equal(b, "the last moment", b.look("a", "", "old").Status, ledger.StatusDone)
		b.clock.Step(time.Millisecond)
		equal(b, "over", b.look("b", "", "older").Status, ledger.StatusClaimed)
	}},
	{"ALongerKeepTimeIsALongerLookBack", func(b *bench) {
		b.finish("old")
		b.formula("new", ledger.Copies)
		r, err := b.l.Rule(b.Context(), "shop")
		b.code(err, "")
		r.Policy.Keep = 90 * day
		_, err = b.l.PutRule(b.Context(), "", r)
		b.code(err, "")
		b.clock.Step(89 * day)
		former := []ledger.FormerKey{{Key: "old", Until: b.versions()[2].Until}}
		a, err := b.l.Claim(b.Context(), ledger.ClaimRequest{Rule: "shop", Key: "a", Former: former})
		b.status(a, err, ledger.StatusDone)
	}},
	{"ARuleWithoutKeysLooksBackToNothing", func(b *bench) {
		b.formula("new", ledger.Copies)
		v := b.versions()
		equal(b, "why", v[0].Why, ledger.WhyNone)
		equal(b, "looks back", v[1].LookBack.IsZero(), true)
	}},
	{"WhatAPersonForgetsOrPruneRemovesIsForgotten", func(b *bench) {
		for _, key := range []string{"forgotten", "pruned"} {
			b.finish(key)
		}
		b.formula("new", ledger.Copies)
		equal(b, "before", b.look("a", "", "forgotten").Status, ledger.StatusDone)
		equal(b, "before", b.look("b", "", "pruned").Status, ledger.StatusDone)
		b.decide("a", ledger.Forget) // by the key that is tied to it
		b.clock.Step(2 * time.Hour)
		_, err := b.l.Prune(b.Context(), ledger.PruneRequest{Rule: "shop", OlderThan: time.Hour})
		b.code(err, "")
		for _, key := range []string{"a", "b"} {
			a := b.look(key, "", "forgotten")
			equal(b, "after", a.Status, ledger.StatusClaimed)
			equal(b, "key", a.Key, key)
		}
	}},
	{"AReportFindsTheRowThatItsProofFits", formerReports},
	{"TwoKeysOfOneRequestThatComeToOneRow", func(b *bench) {
		given := b.grant("old")
		r, err := b.release("old", given.Token, 0)
		b.status(r, err, ledger.StatusReleased)
		b.formula("new", ledger.Copies)
		seen := map[string]bool{}
		for i, want := range []ledger.Status{ledger.StatusClaimed, ledger.StatusInProgress} {
			a, err := b.l.Claim(b.Context(), ledger.ClaimRequest{
				Rule: "shop", Key: fmt.Sprint("line-", i), Owner: "run-1", Former: b.left("old"), Seen: seen,
			})
			b.status(a, err, want)
			seen[a.Key] = true
		}
	}},
	{"FingerprintsOfAnotherKindAreNotCompared", func(b *bench) {
		print := func(key, print string, after time.Time) ledger.Status {
			a, err := b.l.Claim(b.Context(), ledger.ClaimRequest{Rule: "shop", Key: key, Fingerprint: print, PrintsAfter: after})
			b.code(err, "")
			return a.Status
		}
		equal(b, "first", print("a", "amount:1", time.Time{}), ledger.StatusClaimed)
		at := b.formula("other contents", ledger.WhyNone).ChangedAt
		b.clock.Step(time.Second)
		equal(b, "another kind", print("a", "total:1", at), ledger.StatusInProgress)
		equal(b, "new", print("b", "total:1", at), ledger.StatusClaimed)
		equal(b, "the same kind", print("b", "total:2", at), ledger.StatusMismatch)
		equal(b, "a caller's own", print("a", "total:1", time.Time{}), ledger.StatusMismatch)
	}},
	{"AnImportLeavesAKeyThatMeansAnothersRow", func(b *bench) {
		b.grant("old")
		b.formula("new", ledger.Copies)
		b.look("a", "", "old")
		res, err := b.l.Import(b.Context(), ledger.ImportRequest{By: "Ada", Keys: []ledger.Key{{Rule: "shop", Key: "a"}, {Rule: "shop", Key: "b"}}})
		b.code(err, "")
		equal(b, "result", fmt.Sprint(res), "{1 1 [0]}")
		equal(b, "status", b.look("a", "").Status, ledger.StatusInProgress)
	}},
	{"AFormulaThatIsChangedUnderLoad", changedUnderLoad},
	{"VersionsAreKept", versionsAreKept},
	{"VersionsAreBounded", versionsAreBounded},
	{"AChangeByAnotherInBetweenIsRefused", func(b *bench) {
		b.grant("x")
		v := b.formula("mine", ledger.Copies).Version
		_, err := b.change("late", ledger.Merged, v-1)
		b.code(err, ledger.RuleChanged)
		_, err = b.change("late", "because", v)
		b.code(err, ledger.Invalid)
		equal(b, "field", ledger.FieldOf(err), "why")
		equal(b, "doc", string(b.versions()[0].Doc), "mine")
		if _, err = b.change("next", ledger.Merged, v); err != nil {
			b.Fatal(err)
		}
	}},
}

// formerTable claims a new key of an event whose former key has a row in each state.
func formerTable(b *bench) {
	give := func(key string) string { return b.grant(key).Token }
	type want struct {
		status   ledger.Status
		attempt  int
		repeated bool
		tookOver bool
	}
	for name, tt := range map[string]struct {
		prepare func(key string)
		owner   string
		want    want
	}{
		"done":      {func(key string) { b.finish(key) }, "", want{status: ledger.StatusDone, attempt: 1}},
		"live":      {func(key string) { give(key) }, "", want{status: ledger.StatusInProgress, attempt: 1}},
		"own":       {func(key string) { b.claim(key, "run-1") }, "run-1", want{status: ledger.StatusClaimed, attempt: 1, repeated: true}},
		"due":       {func(key string) { b.mustRelease(key, give(key), 0) }, "", want{status: ledger.StatusClaimed, attempt: 2}},
		"not-due":   {func(key string) { b.mustRelease(key, give(key), time.Hour) }, "", want{status: ledger.StatusInProgress, attempt: 1}},
		"held":      {func(key string) { give(key); b.decide(key, ledger.Block) }, "", want{status: ledger.StatusHeld, attempt: 1}},
		"expired":   {func(key string) { give(key); b.clock.Step(lease) }, "", want{status: ledger.StatusClaimed, attempt: 2, tookOver: true}},
		"run-again": {func(key string) { b.finish(key); b.decide(key, ledger.Again) }, "", want{status: ledger.StatusClaimed, attempt: 1}},
	} {
		b.formula("before "+name, ledger.Copies)
		tt.prepare("old-" + name)
		b.formula("after "+name, ledger.Copies)
		a := b.look("new-"+name, tt.owner, "old-"+name)
		equal(b, name, want{a.Status, a.Attempt, a.Repeated, a.TookOver}, tt.want)
		equal(b, name+": key", a.Key, "old-"+name)
		equal(b, name+": says so", strings.Contains(a.Reason, "earlier formula"), true)
		equal(b, name+": fence", a.Fence, b.life("old-"+name).Key.Fence)
		_, err := b.l.Key(b.Context(), "shop", "new-"+name)
		b.code(err, "")
	}
}

func (b *bench) mustRelease(key, token string, after time.Duration) {
	b.Helper()
	a, err := b.release(key, token, after)
	b.status(a, err, ledger.StatusReleased)
}

// formerRace has many copies of one event come at once, by different former keys: one
// was given back, the others are not known, and all mean the same new key.
func formerRace(b *bench) {
	const rounds, callers = 8, 16
	for i := range rounds {
		old := fmt.Sprint("old-", i)
		b.mustRelease(old, b.grant(old).Token, 0)
	}
	b.formula("new", ledger.Copies)
	for i := range rounds {
		former := make([][]ledger.FormerKey, callers)
		for c := range callers {
			former[c] = b.left(fmt.Sprint("old-", i) + strings.Repeat("x", c%2))
		}
		runs := make([]bool, callers)
		keys := make([]string, callers)
		var group sync.WaitGroup
		for c := range callers {
			group.Go(func() {
				a, err := b.l.Claim(b.Context(), ledger.ClaimRequest{Rule: "shop", Key: fmt.Sprint("new-", i), Former: former[c]})
				if err != nil {
					b.Errorf("claim: %v", err)
				}
				runs[c], keys[c] = a.Run, a.Key
			})
		}
		group.Wait()
		ran := 0
		for c := range callers {
			if runs[c] {
				ran++
			}
			equal(b, "key", keys[c], keys[0])
		}
		equal(b, "runs", ran, 1)
	}
}

func formerReports(b *bench) {
	first := b.grant("old-1")
	second := b.grant("old-2")
	b.formula("new", ledger.Merged)
	b.clock.Step(time.Second)
	report := func(key, token string, former ...string) (ledger.Answer, error) {
		id := ledger.Identity{Rule: "shop", Key: key, Token: token, Former: b.left(former...)}
		return b.l.Done(b.Context(), ledger.DoneRequest{Identity: id})
	}
	// A copy that came by another key has a row of its own now.
	b.grant("a")
	d, err := report("a", first.Token, "old-1")
	b.status(d, err, ledger.StatusDone)
	equal(b, "key", d.Key, "old-1")
	d, err = report("none", second.Token, "old-2")
	b.status(d, err, ledger.StatusDone)
	// Nobody's proof: the key's own row is the one that is told of it.
	_, err = report("a", "9.x", "old-1")
	b.code(err, ledger.Stale)
	equal(b, "stale calls", b.life("a").Key.StaleCalls, 1)
	_, err = report("none", "9.x", "old-1")
	b.code(err, ledger.Stale)
	_, err = report("none", "9.x", "nobody")
	b.code(err, ledger.NotFound)
}

func versionsAreKept(b *bench) {
	b.grant("x")
	first := b.versions()
	equal(b, "at first", len(first), 1)
	b.clock.Step(time.Hour)
	b.formula("second", ledger.Copies)
	b.clock.Step(time.Hour)
	b.policy(func(p *ledger.Policy) { p.MaxAttempts = 3 }) // and another file
	b.code(b.rename("shop", "store"), "")
	b.code(b.l.ArchiveRule(b.Context(), "store"), "")
	b.restart()
	all, err := b.l.Versions(b.Context(), "store")
	b.code(err, "")
	var got []string
	for _, v := range all {
		got = append(got, fmt.Sprintf("%d %s %q %q %v", v.Version, v.Doc, v.Why, v.By, b.clock.Now().Sub(v.Since)))
	}
	equal(b, "versions", strings.Join(got, "; "), `3 {} "" "" 0s; 2 second "copies" "Ana B" 1h0m0s; 1 {} "" "" 2h0m0s`)
	equal(b, "until", all[2].Until, all[1].Since)
	equal(b, "in use", all[0].Until.IsZero(), true)
	_, err = b.l.Versions(b.Context(), "nobody")
	b.code(err, ledger.UnknownRule)
	_, err = b.l.Versions(b.Context(), "")
	b.code(err, "")
}

func versionsAreBounded(b *bench) {
	b.grant("x")
	for i := range ledger.MaxFormer {
		b.formula(fmt.Sprint("tried-", i), ledger.Copies)
	}
	_, err := b.change("one too many", ledger.Copies, 0)
	b.code(err, ledger.Invalid)
	equal(b, "field", ledger.FieldOf(err), "why")
	equal(b, "in use", string(b.versions()[0].Doc), fmt.Sprint("tried-", ledger.MaxFormer-1))
	for i := range ledger.MaxVersions + 3 {
		b.formula(fmt.Sprint("settings-", i), ledger.WhyNone)
	}
	former := 0
	for _, v := range b.versions() {
		if !v.LookBack.IsZero() {
			former++
		}
	}
	equal(b, "looked back to", former, ledger.MaxFormer)
	equal(b, "with the one that tells of the last", len(b.versions()), ledger.MaxVersions+ledger.MaxFormer+1)
	b.clock.Step(36 * day)
	b.formula("later", ledger.WhyNone)
	equal(b, "the newest", len(b.versions()), ledger.MaxVersions)
}
