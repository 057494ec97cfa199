package ledgertest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"dedupedesk/ledger"
)

var transferCases = []testCase{
	{"ExportGivesEveryKeyOnceInOrder", exportInOrder},
	{"AnExportWhileKeysComeAndChange", exportUnderChange},
	{"AnExportStopsWhereItIsToldTo", func(b *bench) {
		b.finished(3)
		wanted := errors.New("wanted")
		n := 0
		err := b.l.Export(b.Context(), ledger.KeyQuery{}, func(ledger.Key) error { n++; return wanted })
		equal(b, "error", errors.Is(err, wanted), true)
		equal(b, "keys", n, 1)
	}},
	{"BadExports", func(b *bench) {
		for _, q := range []ledger.KeyQuery{{Limit: 1}, {View: ledger.ViewStuck}, {Cursor: "x"}, {State: "odd"}} {
			b.code(b.l.Export(b.Context(), q, nil), ledger.Invalid)
		}
		b.code(b.l.Export(b.Context(), ledger.KeyQuery{Rule: "nobody"}, nil), ledger.UnknownRule)
	}},
	{"WhatIsExportedIsImportedAsItWas", exportAndImport},
	{"AKeyAloneIsImportedAsFinished", func(b *bench) {
		b.imports(ledger.Key{Rule: "shop", Key: "a"}, ledger.Key{Key: "plain"})
		equal(b, "status", b.claim("a", "").Status, ledger.StatusDone)
		k := b.life("a").Key
		equal(b, "done", k.DoneAt, b.clock.Now())
		equal(b, "never granted here", k.Fence, 0)
		equal(b, "history", fmt.Sprint(b.kinds("a")), "[imported finished]")
		_, err := b.l.Key(b.Context(), "", "plain")
		b.code(err, "")
		b.decide("a", ledger.Again)
		equal(b, "fence", b.grant("a").Fence, 1)
	}},
	{"WhatWasInProgressIsHeld", importInProgress},
	{"AnImportedReleaseMayRunAgain", func(b *bench) {
		b.imports(ledger.Key{Rule: "shop", Key: "a", State: ledger.Retryable, Owner: "run-1", Fence: 3, Attempts: 2, LastError: "it broke",
			NextTryAt: b.clock.Now().Add(time.Minute)})
		equal(b, "not due", b.claim("a", "run-2").Status, ledger.StatusInProgress)
		b.clock.Step(time.Minute)
		a := b.claim("a", "run-2")
		equal(b, "due", a.Status, ledger.StatusClaimed)
		equal(b, "fence", a.Fence, 4)
		equal(b, "attempt", a.Attempt, 3)
	}},
	{"AnImportedReleaseWhoseWorkWasDoneAfterAll", func(b *bench) {
		released := ledger.Key{Rule: "shop", State: ledger.Retryable, Owner: "run-1", Fence: 1, Attempts: 1}
		again := released
		released.Key, again.Key, again.Attempts, again.Generation = "a", "b", 0, 2
		b.imports(released, again)
		d, err := b.byOwner("a", "run-1")
		b.status(d, err, ledger.StatusDone)
		_, err = b.byOwner("b", "run-1") // a person had let it run again
		b.code(err, ledger.Stale)
	}},
	{"ImportLeavesAloneWhatIsThere", func(b *bench) {
		first := b.grant("open")
		b.finish("done")
		res := b.imports(
			ledger.Key{Rule: "shop", Key: "new"},
			ledger.Key{Rule: "shop", Key: "open", Result: []byte(`1`)},
			ledger.Key{Rule: "shop", Key: "done", State: ledger.Retryable},
			ledger.Key{Rule: "shop", Key: "new", State: ledger.Held},
		)
		equal(b, "counts", fmt.Sprint(res), "{1 3 [1]}")
		equal(b, "done", b.claim("done", "").Status, ledger.StatusDone)
		equal(b, "new", b.claim("new", "").Status, ledger.StatusDone)
		d, err := b.done("open", first.Token, `2`)
		b.status(d, err, ledger.StatusDone)
		equal(b, "its own result", string(b.life("open").Key.Result), `2`)
	}},
	{"ADryImportAddsNothing", func(b *bench) {
		b.grant("open")
		res, err := b.l.Import(b.Context(), ledger.ImportRequest{By: "Ada", DryRun: true, Keys: []ledger.Key{
			{Rule: "shop", Key: "new"}, {Rule: "shop", Key: "open"},
		}})
		b.code(err, "")
		equal(b, "counts", fmt.Sprint(res), "{1 1 [1]}")
		equal(b, "keys", fmt.Sprint(b.keys(ledger.KeyQuery{})), "[open]")
	}},
	{"BadImportsAddNothing", badImports},
	{"ImportsOfAnArchivedRule", func(b *bench) {
		b.code(b.l.ArchiveRule(b.Context(), "shop"), "")
		b.imports(ledger.Key{Rule: "shop", Key: "a"})
		b.rule("shop", ledger.DefaultPolicy())
		equal(b, "status", b.claim("a", "").Status, ledger.StatusDone)
	}},
	{"Bug56AnImportAndClaimsOfTheSameKeys", importAgainstClaims},
	{"ARestoreIsToldUntilAPersonAcceptsIt", restoreIsTold},
}

func (b *bench) byOwner(key, owner string) (ledger.Answer, error) {
	return b.l.Done(b.Context(), ledger.DoneRequest{Identity: ledger.Identity{Rule: "shop", Key: key, Owner: owner}})
}

func (b *bench) imports(keys ...ledger.Key) ledger.ImportResult {
	b.Helper()
	res, err := b.l.Import(b.Context(), ledger.ImportRequest{Keys: keys, By: "Ada"})
	b.code(err, "")
	equal(b, "all counted", res.Added+res.Present, len(keys))
	return res
}

func (b *bench) exports(q ledger.KeyQuery) []ledger.Key {
	b.Helper()
	var keys []ledger.Key
	err := b.l.Export(b.Context(), q, func(k ledger.Key) error {
		keys = append(keys, k)
		return nil
	})
	b.code(err, "")
	return keys
}

func exportInOrder(b *bench) {
	b.rule("crm", ledger.DefaultPolicy())
	const many = 1100 // more than a page, and each twice
	b.finished(many)
	for from := 0; from < many; from += 550 {
		var keys []ledger.Key
		for i := range 550 {
			keys = append(keys, ledger.Key{Rule: "crm", Key: fmt.Sprint("done-", from+i)})
		}
		b.imports(keys...)
	}
	b.grant("é")
	b.grant("Z")
	all := b.exports(ledger.KeyQuery{})
	equal(b, "keys", len(all), 2*many+2)
	seen := map[string]bool{}
	for _, k := range all {
		seen[k.Rule+" "+k.Key] = true
	}
	equal(b, "different ones", len(seen), len(all))
	equal(b, "by code point", slices.IsSortedFunc(all, func(x, y ledger.Key) int { return strings.Compare(x.Key, y.Key) }), true)
	for q, want := range map[*ledger.KeyQuery]int{
		{Rule: "crm"}: many, {Rule: "shop", State: ledger.Claimed}: 2, {Prefix: "done-10"}: 222, {Prefix: "none"}: 0,
		{Rule: "crm", State: ledger.Claimed}: 0, {Since: b.clock.Now().Add(time.Second)}: 0,
	} {
		equal(b, fmt.Sprintf("%+v", *q), len(b.exports(*q)), want)
	}
}

// exportUnderChange changes a key and adds two at each step of an export: what was
// there before comes once.
func exportUnderChange(b *bench) {
	const many = 1100 // more than a page
	b.finished(many)
	seen := map[string]int{}
	steps := 0
	err := b.l.Export(b.Context(), ledger.KeyQuery{}, func(k ledger.Key) error {
		seen[k.Key]++
		if steps++; steps%100 == 0 {
			b.claim(k.Key, "a copy")
			b.grant(fmt.Sprint("before-", steps))
			b.grant(fmt.Sprint("later-", steps))
		}
		return nil
	})
	b.code(err, "")
	for key, n := range seen {
		equal(b, key, n, 1)
	}
	for i := range many {
		equal(b, fmt.Sprint("done-", i), seen[fmt.Sprint("done-", i)], 1)
	}
}

// exportAndImport takes keys in every state out, has them forgotten and puts them back.
func exportAndImport(b *bench) {
	b.mixed()
	b.decide("done-2", ledger.Again)
	a, err := b.l.Claim(b.Context(), ledger.ClaimRequest{Rule: "shop", Key: "rich", Owner: "run-1", Fingerprint: "fp1:x"})
	b.code(err, "")
	b.claim("rich", "run-2")
	_, err = b.l.Claim(b.Context(), ledger.ClaimRequest{Rule: "shop", Key: "rich", Fingerprint: "fp1:y"})
	b.code(err, "")
	_, err = b.release("rich", a.Token, time.Minute)
	b.code(err, "")
	_, err = b.done("rich", a.Token, `{"id": 7}`)
	b.code(err, "")
	before := b.exports(ledger.KeyQuery{})
	for _, k := range before {
		b.decide(k.Key, ledger.Forget)
	}
	b.clock.Step(time.Minute)
	b.imports(before...)
	for i, k := range b.exports(ledger.KeyQuery{}) {
		was := before[i]
		if was.State == ledger.Claimed {
			was.State = ledger.Held
		}
		for _, key := range []*ledger.Key{&k, &was} { // what follows from the others and the time
			key.ChangedAt, key.Stuck, key.StuckWhy, key.Expired = time.Time{}, false, "", false
		}
		equal(b, k.Key, fmt.Sprintf("%+v", k), fmt.Sprintf("%+v", was))
	}
}

func importInProgress(b *bench) {
	b.imports(
		ledger.Key{Rule: "shop", Key: "a", State: ledger.Claimed, Owner: "run-1", Fence: 1, Attempts: 1, ClaimedAt: b.clock.Now().Add(-time.Hour)},
		ledger.Key{Rule: "shop", Key: "blocked", State: ledger.Held, Owner: "run-1", Fence: 1, Attempts: 1},
	)
	for _, key := range []string{"a", "blocked"} {
		equal(b, key, b.claim(key, "run-1").Status, ledger.StatusHeld)
		equal(b, key+" stuck", b.life(key).Key.Stuck, true)
		for _, id := range []ledger.Identity{
			{Rule: "shop", Key: key, Token: "1.x"}, {Rule: "shop", Key: key, Plain: true}, {Rule: "shop", Key: key, Owner: "run-2"},
		} {
			_, err := b.l.Done(b.Context(), ledger.DoneRequest{Identity: id})
			b.code(err, ledger.Stale)
		}
	}
	e := b.event("a", ledger.EventImported)
	equal(b, "why", e.Text, "was in progress where it came from")
	equal(b, "by", e.By, "Ada")
	// The work did happen, so the next copy must not run: only its own run can say so.
	d, err := b.byOwner("a", "run-1")
	b.status(d, err, ledger.StatusDone)
	_, err = b.byOwner("blocked", "run-1")
	b.code(err, ledger.Stale)
	b.decide("blocked", ledger.Again)
	b.grant("blocked")
}

func badImports(b *bench) {
	now := b.clock.Now()
	good := ledger.Key{Rule: "shop", Key: "good"}
	for field, bad := range map[string]ledger.Key{
		"key": {Rule: "shop", Key: "a\nb"}, "state": {Rule: "shop", Key: "a", State: "odd"},
		"owner": {Rule: "shop", Key: "a", Owner: "x\x00"}, "fingerprint": {Rule: "shop", Key: "a", Fingerprint: "\xff"},
		"result": {Rule: "shop", Key: "a", Result: []byte("{")}, "fence": {Rule: "shop", Key: "a", Fence: -1},
		"attempts": {Rule: "shop", Key: "a", Attempts: 1 << 60}, "done_at": {Rule: "shop", Key: "a", DoneAt: now.Add(25 * time.Hour)},
		"claimed_at":  {Rule: "shop", Key: "a", ClaimedAt: time.UnixMilli(-1)},
		"next_try_at": {Rule: "shop", Key: "a", State: ledger.Retryable, NextTryAt: now.Add(9 * day)},
	} {
		_, err := b.l.Import(b.Context(), ledger.ImportRequest{By: "Ada", Keys: []ledger.Key{good, bad}})
		b.code(err, ledger.Invalid)
		equal(b, "field", ledger.FieldOf(err), field)
	}
	_, err := b.l.Import(b.Context(), ledger.ImportRequest{By: "Ada", Keys: []ledger.Key{good, {Rule: "nobody", Key: "a"}}})
	b.code(err, ledger.UnknownRule)
	_, err = b.l.Import(b.Context(), ledger.ImportRequest{By: "Ada", Keys: []ledger.Key{good, {Rule: "shop", Key: "a", State: ledger.Held, DoneAt: now}}})
	equal(b, "an end without an end", ledger.FieldOf(err), "done_at")
	_, err = b.l.Import(b.Context(), ledger.ImportRequest{Keys: []ledger.Key{good}})
	equal(b, "field", ledger.FieldOf(err), "by")
	_, err = b.l.Import(b.Context(), ledger.ImportRequest{By: "Ada", Keys: make([]ledger.Key, ledger.MaxImport+1)})
	equal(b, "field", ledger.FieldOf(err), "keys")
	equal(b, "keys", len(b.keys(ledger.KeyQuery{})), 0)
}

// importAgainstClaims lets callers ask for keys while the same are imported as
// finished: each is granted before, and then open, or never.
func importAgainstClaims(b *bench) {
	const many = 400
	granted := make([]bool, many)
	var callers sync.WaitGroup
	for caller := range 4 {
		callers.Go(func() {
			for i := caller; i < many; i += 4 {
				a, err := b.l.Claim(b.Context(), ledger.ClaimRequest{Rule: "shop", Key: fmt.Sprint(many - 1 - i)})
				if err != nil {
					b.Errorf("Claim: %v", err)
					return
				}
				granted[many-1-i] = a.Run
			}
		})
	}
	open := make([]bool, many)
	for from := 0; from < many; from += 20 {
		var keys []ledger.Key
		for i := range 20 {
			keys = append(keys, ledger.Key{Rule: "shop", Key: fmt.Sprint(from + i)})
		}
		for _, i := range b.imports(keys...).Open {
			open[from+i] = true
		}
	}
	callers.Wait()
	equal(b, "granted and open", fmt.Sprint(granted), fmt.Sprint(open))
}

func restoreIsTold(b *bench) {
	restored := func(want string) {
		b.Helper()
		since, ok, err := b.l.RestoredFrom(b.Context())
		b.code(err, "")
		got := "no"
		if ok {
			got = since.Format(time.DateTime)
		}
		equal(b, "restored from", got, want)
	}
	restored("no")
	b.code(b.l.AcceptRestore(b.Context(), "Ada"), "") // there is nothing to accept
	b.code(b.l.PutSetting(b.Context(), "backup.made_at", "2026-11-29T08:00:00.123Z"), "")
	restored("2026-11-29 08:00:00") // a backup that is used as it is
	since, err := b.l.MarkRestored(b.Context(), b.clock.Now())
	b.code(err, "")
	equal(b, "marked", since, time.Date(2026, 11, 29, 8, 0, 0, 123e6, time.UTC))
	restored("2026-11-29 08:00:00")
	b.code(b.l.PutSetting(b.Context(), "backup.made_at", "2026-11-30T08:00:00.000Z"), "")
	restored("2026-11-29 08:00:00") // a backup of it, before anybody accepted
	b.code(b.l.AcceptRestore(b.Context(), " "), ledger.Invalid)
	restored("2026-11-29 08:00:00")
	b.code(b.l.AcceptRestore(b.Context(), "Ada"), "")
	restored("no")
	accepted, _, err := b.l.Setting(b.Context(), "restored.accepted")
	b.code(err, "")
	equal(b, "written down", accepted, `{"at":"2026-11-30T09:00:00.000Z","by":"Ada","since":"2026-11-29T08:00:00.123Z"}`)
	_, err = b.l.MarkRestored(b.Context(), b.clock.Now().Add(-time.Hour)) // a file that does not tell
	b.code(err, "")
	restored("2026-11-30 08:00:00")
	b.code(b.l.PutSetting(b.Context(), "restored.from", "soon"), "")
	restored("0001-01-01 00:00:00")
}
