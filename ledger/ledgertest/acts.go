package ledgertest

import (
	"fmt"
	"time"

	"dedupedesk/ledger"
)

// The acts' calls. Each is one call of a rule's key "a".
func claimBy(owner string) func(b *trial) (any, error) {
	return func(b *trial) (any, error) {
		return b.l.Claim(b.Context(), ledger.ClaimRequest{Rule: "shop", Key: "a", Owner: owner, Fingerprint: "fp1:x"})
	}
}

func doneBy(owner string) func(b *trial) (any, error) {
	return func(b *trial) (any, error) {
		id := ledger.Identity{Rule: "shop", Key: "a", Owner: owner}
		return b.l.Done(b.Context(), ledger.DoneRequest{Identity: id, Result: []byte(`{"id":7}`)})
	}
}

func releaseBy(owner string) func(b *trial) (any, error) {
	return func(b *trial) (any, error) {
		id := ledger.Identity{Rule: "shop", Key: "a", Owner: owner}
		return b.l.Release(b.Context(), ledger.ReleaseRequest{Identity: id, Error: "it broke", RetryAfter: minute})
	}
}

func renewBy(owner string) func(b *trial) (any, error) {
	return func(b *trial) (any, error) {
		id := ledger.Identity{Rule: "shop", Key: "a", Owner: owner}
		return b.l.Renew(b.Context(), ledger.RenewRequest{Identity: id, Lease: 2 * lease})
	}
}

func decideOn(d ledger.Decision) func(b *trial) (any, error) {
	return func(b *trial) (any, error) {
		return b.l.Decide(b.Context(), ledger.DecideRequest{Rule: "shop", Key: "a", Decision: d, By: "Ada", Why: "looked it up"})
	}
}

// Where the key stands before the call.
func claimed(b *trial) { b.must(claimBy("run-1")) }
func expired(b *trial) { claimed(b); b.clock.Step(lease) }
func released(b *trial) {
	claimed(b)
	b.must(releaseBy("run-1"))
	b.clock.Step(minute)
}
func finished(b *trial) { claimed(b); b.must(doneBy("run-1")) }
func takenOver(b *trial) {
	expired(b)
	b.must(claimBy("run-2"))
}
func asked(b *trial) {
	b.policy(func(p *ledger.Policy) { p.OnExpiry = ledger.Ask })
	expired(b)
}
func usedUp(b *trial) {
	b.policy(func(p *ledger.Policy) { p.MaxAttempts = 1 })
	released(b)
}

// changed is released, and then the formula is another one.
func changed(b *trial) {
	released(b)
	b.formula("new", ledger.Copies)
}
func tied(b *trial) {
	changed(b)
	b.must(claimOf("b", "a"))
}
func manyVersions(b *trial) {
	for i := range ledger.MaxVersions {
		b.formula(fmt.Sprint(i), ledger.WhyNone)
	}
}

// claimOf claims a key whose former one is another.
func claimOf(key, former string) func(b *trial) (any, error) {
	return func(b *trial) (any, error) {
		return b.l.Claim(b.Context(), ledger.ClaimRequest{Rule: "shop", Key: key, Owner: "run-2", Former: b.leftTo(former)})
	}
}

// leftTo returns the former key of a formula that is left now, without asking.
func (b *trial) leftTo(key string) []ledger.FormerKey {
	return []ledger.FormerKey{{Key: key, Until: b.clock.Now()}}
}

// must makes a call that has to go well.
func (b *trial) must(call func(b *trial) (any, error)) {
	b.Helper()
	if _, err := call(b); err != nil {
		b.Fatalf("before the call: %v", err)
	}
}

var acts = []act{
	{name: "ClaimNew", method: "Claim", call: claimBy("run-1")},
	{name: "ClaimRepeated", method: "Claim", prepare: claimed, call: claimBy("run-1")},
	{name: "ClaimOfAnother", method: "Claim", prepare: claimed, call: claimBy("run-2"), once: true},
	{name: "ClaimTakesOver", method: "Claim", prepare: expired, call: claimBy("run-2")},
	{name: "ClaimAfterRelease", method: "Claim", prepare: released, call: claimBy("run-2")},
	{name: "ClaimHolds", method: "Claim", prepare: asked, call: claimBy("run-2"), once: true},
	{name: "ClaimUsedUp", method: "Claim", prepare: usedUp, call: claimBy("run-2"), once: true},
	{name: "ClaimOfDone", method: "Claim", prepare: finished, call: claimBy("run-2"), once: true},
	{name: "ClaimMismatch", method: "Claim", prepare: claimed, once: true, call: func(b *trial) (any, error) {
		return b.l.Claim(b.Context(), ledger.ClaimRequest{Rule: "shop", Key: "a", Fingerprint: "fp1:y"})
	}},
	{name: "Done", method: "Done", prepare: claimed, call: doneBy("run-1")},
	{name: "DoneLate", method: "Done", prepare: expired, call: doneBy("run-1")},
	{name: "DoneAfterRelease", method: "Done", prepare: released, call: doneBy("run-1")},
	{name: "DoneStale", method: "Done", prepare: takenOver, call: doneBy("run-1"), once: true},
	{name: "Release", method: "Release", prepare: claimed, call: releaseBy("run-1")},
	{name: "ReleaseStale", method: "Release", prepare: takenOver, call: releaseBy("run-1"), once: true},
	{name: "Renew", method: "Renew", prepare: claimed, call: renewBy("run-1")},
	{name: "RenewStale", method: "Renew", prepare: takenOver, call: renewBy("run-1"), once: true},
	{name: "DecideFinished", method: "Decide", prepare: expired, call: decideOn(ledger.Finished), once: true},
	{name: "DecideAgain", method: "Decide", prepare: finished, call: decideOn(ledger.Again), once: true},
	{name: "DecideBlock", method: "Decide", prepare: released, call: decideOn(ledger.Block), once: true},
	{name: "DecideForget", method: "Decide", prepare: takenOver, call: decideOn(ledger.Forget), once: true},
	{name: "Note", method: "Note", prepare: takenOver, call: func(b *trial) (any, error) {
		return nil, b.l.Note(b.Context(), ledger.NoteRequest{Rule: "shop", Key: "a", By: "Ana", Text: "asked the supplier"})
	}, once: true},
	{name: "Key", method: "Key", prepare: takenOver, call: func(b *trial) (any, error) {
		life, err := b.l.Key(b.Context(), "shop", "a")
		return life, err
	}},
	{name: "Keys", method: "Keys", prepare: takenOver, call: func(b *trial) (any, error) {
		return b.l.Keys(b.Context(), ledger.KeyQuery{Rule: "shop", Prefix: "a"})
	}},
	{name: "Counts", method: "Counts", prepare: takenOver, call: func(b *trial) (any, error) { return b.l.Counts(b.Context()) }},
	{name: "CopiesByDay", method: "CopiesByDay", prepare: takenOver, call: func(b *trial) (any, error) {
		return b.l.CopiesByDay(b.Context(), b.clock.Now().AddDate(0, 0, -1), b.clock.Now().AddDate(0, 0, 1))
	}},
	{name: "CallsByHour", method: "CallsByHour", prepare: takenOver, call: func(b *trial) (any, error) {
		return b.l.CallsByHour(b.Context(), b.clock.Now().Add(-time.Hour), b.clock.Now().Add(time.Hour))
	}},
	{name: "RuleUses", method: "RuleUses", prepare: takenOver, call: func(b *trial) (any, error) { return b.l.RuleUses(b.Context()) }},
	{name: "Rules", method: "Rules", call: func(b *trial) (any, error) {
		all, err := b.l.Rules(b.Context())
		return len(all), err
	}},
	{name: "Rule", method: "Rule", call: func(b *trial) (any, error) { return b.l.Rule(b.Context(), "shop") }},
	{name: "PutRuleNew", method: "PutRule", call: func(b *trial) (any, error) {
		return b.l.PutRule(b.Context(), "", ledger.Rule{Name: "crm", Doc: []byte("{}"), Policy: ledger.DefaultPolicy()})
	}},
	{name: "PutRuleRenames", method: "PutRule", prepare: claimed, parts: true, call: func(b *trial) (any, error) {
		return b.l.PutRule(b.Context(), "shop", ledger.Rule{Name: "store", Doc: []byte("new"), Policy: ledger.DefaultPolicy()})
	}},
	{name: "PutRuleWithAnotherWindow", method: "PutRule", prepare: released, parts: true, call: func(b *trial) (any, error) {
		p := ledger.DefaultPolicy()
		p.RetryWindow = 48 * time.Hour // moves the time from which on a key given back counts as lost
		return b.l.PutRule(b.Context(), "", ledger.Rule{Name: "shop", Doc: []byte("{}"), Policy: p})
	}},
	{name: "ChangeRule", method: "ChangeRule", prepare: claimed, parts: true, call: func(b *trial) (any, error) { return b.change("new", ledger.Copies, 0) }},
	{name: "ChangeRuleForgetsAVersion", method: "ChangeRule", prepare: manyVersions, parts: true, call: func(b *trial) (any, error) { return b.change("new", ledger.WhyNone, 0) }},
	{name: "Versions", method: "Versions", prepare: changed, call: func(b *trial) (any, error) { return b.l.Versions(b.Context(), "shop") }},
	{name: "ClaimOfAFormerKey", method: "Claim", prepare: changed, call: claimOf("b", "a")},
	{name: "ClaimOfATiedKey", method: "Claim", prepare: tied, call: claimOf("b", "c")},
	{name: "ClaimNewWhileLookingBack", method: "Claim", prepare: changed, call: claimOf("b", "c")},
	{name: "DoneByAFormerKey", method: "Done", prepare: changed, call: func(b *trial) (any, error) {
		id := ledger.Identity{Rule: "shop", Key: "b", Owner: "run-1", Former: b.leftTo("a")}
		return b.l.Done(b.Context(), ledger.DoneRequest{Identity: id})
	}},
	{name: "KeyOfATiedKey", method: "Key", prepare: tied, call: func(b *trial) (any, error) { return b.l.Key(b.Context(), "shop", "b") }},
	{name: "ArchiveRule", method: "ArchiveRule", prepare: claimed, once: true, call: func(b *trial) (any, error) {
		return nil, b.l.ArchiveRule(b.Context(), "shop")
	}},
	{name: "NewToken", method: "NewToken", once: true, call: func(b *trial) (any, error) {
		_, t, err := b.l.NewToken(b.Context(), "flow", ledger.ScopeClaim)
		t.Last4 = ""
		return t, err
	}},
	{name: "Tokens", method: "Tokens", prepare: withToken, call: func(b *trial) (any, error) {
		all, err := b.l.Tokens(b.Context())
		return len(all), err
	}},
	{name: "RevokeToken", method: "RevokeToken", prepare: withToken, once: true, call: func(b *trial) (any, error) {
		return nil, b.l.RevokeToken(b.Context(), "flow", minute)
	}},
	{name: "CheckToken", method: "CheckToken", prepare: withToken, aside: true, call: func(b *trial) (any, error) {
		t, ok, err := b.l.CheckToken(b.Context(), b.secret)
		return []any{t.Name, ok}, err
	}},
	{name: "Setting", method: "Setting", prepare: withSetting, call: func(b *trial) (any, error) {
		value, _, err := b.l.Setting(b.Context(), "test.one")
		return value, err
	}},
	{name: "PutSetting", method: "PutSetting", prepare: withSetting, call: func(b *trial) (any, error) {
		return nil, b.l.PutSetting(b.Context(), "test.one", "2")
	}},
	{name: "KeepSetting", method: "KeepSetting", prepare: withSetting, parts: true, call: func(b *trial) (any, error) {
		return b.l.KeepSetting(b.Context(), "test.two", "1")
	}},
	{name: "SettingsWithPrefix", method: "SettingsWithPrefix", prepare: withSetting, call: func(b *trial) (any, error) {
		return b.l.SettingsWithPrefix(b.Context(), "test.")
	}},
	{name: "PruneOfARule", method: "Prune", prepare: old, parts: true, call: pruneOld(false)},
	{name: "PruneDry", method: "Prune", prepare: old, call: pruneOld(true)},
	{name: "PruneKept", method: "PruneKept", prepare: old, parts: true, call: func(b *trial) (any, error) {
		_, err := b.l.PruneKept(b.Context())
		return nil, err
	}},
	{name: "ClockBehind", method: "ClockBehind", prepare: setBack, call: func(b *trial) (any, error) { return b.l.ClockBehind(b.Context()) }},
	{name: "AcceptClock", method: "AcceptClock", prepare: setBack, parts: true, call: acceptClock, again: acceptAndStart},
	{name: "Resume", method: "Resume", prepare: stopped, parts: true, call: resume},
	{name: "PutOffStuck", method: "PutOffStuck", prepare: resumed, parts: true, machine: true, call: func(b *trial) (any, error) {
		return nil, b.l.PutOffStuck(b.Context())
	}},
	{name: "Export", method: "Export", prepare: finished, call: func(b *trial) (any, error) {
		var keys []string
		err := b.l.Export(b.Context(), ledger.KeyQuery{Rule: "shop"}, func(k ledger.Key) error {
			keys = append(keys, k.Key)
			return nil
		})
		return keys, err
	}},
	{name: "Import", method: "Import", prepare: finished, call: func(b *trial) (any, error) {
		keys := []ledger.Key{{Rule: "shop", Key: "a"}, {Rule: "shop", Key: "b", State: ledger.Claimed, Fence: 1}, {Key: "c"}}
		_, err := b.l.Import(b.Context(), ledger.ImportRequest{Keys: keys, By: "Ada"})
		return nil, err // the second call finds them there
	}},
	{name: "RestoredFrom", method: "RestoredFrom", prepare: restored, call: func(b *trial) (any, error) {
		since, _, err := b.l.RestoredFrom(b.Context())
		return since, err
	}},
	{name: "MarkRestored", method: "MarkRestored", call: markRestored},
	{name: "AcceptRestore", method: "AcceptRestore", prepare: restored, call: func(b *trial) (any, error) {
		return nil, b.l.AcceptRestore(b.Context(), "Ada")
	}},
	{name: "Pause", method: "Pause", prepare: claimed, call: pauseAll},
	{name: "ClaimPaused", method: "Claim", prepare: paused, call: claimBy("run-2")},
	{name: "EndPause", method: "EndPause", prepare: paused, call: endPause},
	{name: "Paused", method: "Paused", prepare: paused, call: func(b *trial) (any, error) {
		p, ok, err := b.l.Paused(b.Context())
		return []any{p, ok}, err
	}},
	{name: "Check", method: "Check", call: func(b *trial) (any, error) { return nil, b.l.Check(b.Context()) }},
	{name: "Examine", method: "Examine", call: func(b *trial) (any, error) { return nil, b.l.Examine(b.Context()) }},
}

func withToken(b *trial) {
	var err error
	if b.secret, _, err = b.l.NewToken(b.Context(), "flow", ledger.ScopeClaim); err != nil {
		b.Fatalf("NewToken: %v", err)
	}
}

func withSetting(b *trial) {
	if err := b.l.PutSetting(b.Context(), "test.one", "1"); err != nil {
		b.Fatalf("PutSetting: %v", err)
	}
}

func restored(b *trial) { b.must(markRestored) }

func markRestored(b *trial) (any, error) {
	return b.l.MarkRestored(b.Context(), b.clock.Now())
}

func old(b *trial) {
	finished(b)
	b.clock.Step(40 * day)
}

func pruneOld(dry bool) func(b *trial) (any, error) {
	return func(b *trial) (any, error) {
		res, err := b.l.Prune(b.Context(), ledger.PruneRequest{Rule: "shop", OlderThan: 36 * day, DryRun: dry})
		if !dry {
			res = ledger.PruneResult{} // the second call finds nothing to remove
		}
		return res, err
	}
}

// setBack sets the clock back under a key that is in progress.
func setBack(b *trial) {
	b.clock.Step(3 * time.Hour)
	claimed(b)
	b.clock.Set(-2 * time.Hour)
}

// stopped is an engine that stopped under a key in progress, and was off for a while.
func stopped(b *trial) {
	b.must(resume)
	claimed(b)
	b.clock.Step(10 * minute)
	b.must(claimBy("run-1")) // so long it was alive
	b.clock.Step(20 * minute)
}

// resume starts anew on the same store.
func resume(b *trial) (any, error) {
	b.l = ledger.New(b.store, b.clock, nil)
	return nil, b.l.Resume(b.Context())
}

// resumed is the engine that starts after stopped.
func resumed(b *trial) {
	stopped(b)
	b.must(resume)
}

func acceptClock(b *trial) (any, error) {
	_, err := b.l.AcceptClock(b.Context())
	return nil, err // the second call finds nothing to accept
}

// acceptAndStart accepts the clock, and has the next start do what is left of it.
func acceptAndStart(b *trial) (any, error) {
	if v, err := acceptClock(b); err != nil {
		return v, err
	}
	if v, err := resume(b); err != nil {
		return v, err
	}
	return nil, b.l.PutOffStuck(b.Context())
}
