package ledgertest

import (
	"strconv"
	"strings"
	"sync"
	"time"

	"dedupedesk/ledger"
)

var tokenCases = []testCase{
	{"TokenIsShownOnceAndChecked", func(b *bench) {
		secret, t := b.token("make", ledger.ScopeClaim)
		equal(b, "form", strings.HasPrefix(secret, "dd_") && len(secret) == 46, true)
		equal(b, "last four", t.Last4, secret[42:])
		got, ok, err := b.l.CheckToken(b.Context(), secret)
		b.code(err, "")
		equal(b, "ok", ok, true)
		equal(b, "name", got.Name, "make")
		equal(b, "scope", got.Scope, ledger.ScopeClaim)
		for _, wrong := range []string{"", "dd_", secret[:45], secret + "x", strings.ToUpper(secret)} {
			_, ok, err := b.l.CheckToken(b.Context(), wrong)
			b.code(err, "")
			equal(b, wrong, ok, false)
		}
	}},
	{"Peers69TokenRotatesWithAnOverlap", func(b *bench) {
		old, _ := b.token("make", ledger.ScopeAdmin)
		_, _, err := b.l.NewToken(b.Context(), "make", ledger.ScopeAdmin)
		b.code(err, ledger.Invalid)
		b.code(b.l.RevokeToken(b.Context(), "make", day), "")
		fresh, _ := b.token("make", ledger.ScopeAdmin)
		b.clock.Step(day - time.Millisecond)
		b.accepts(old, true)
		b.clock.Step(time.Millisecond)
		b.accepts(old, false)
		b.accepts(fresh, true)
	}},
	{"RevokedAtOnce", func(b *bench) {
		secret, _ := b.token("make", ledger.ScopeClaim)
		b.accepts(secret, true)
		b.code(b.l.RevokeToken(b.Context(), "make", 0), "")
		b.accepts(secret, false)
		b.code(b.l.RevokeToken(b.Context(), "make", 0), ledger.NotFound)
		b.code(b.l.RevokeToken(b.Context(), "make", -1), ledger.Invalid)
	}},
	{"AnOverlapIsNotPutOff", func(b *bench) {
		secret, _ := b.token("make", ledger.ScopeClaim)
		b.code(b.l.RevokeToken(b.Context(), "make", time.Hour), "")
		b.code(b.l.RevokeToken(b.Context(), "make", day), "")
		b.clock.Step(time.Hour)
		b.accepts(secret, false)
	}},
	{"UseIsNotedByTheMinute", func(b *bench) {
		secret, _ := b.token("make", ledger.ScopeClaim)
		used := func() time.Time {
			all, err := b.l.Tokens(b.Context())
			b.code(err, "")
			return all[0].UsedAt
		}
		equal(b, "never", used().IsZero(), true)
		first := b.clock.Now()
		b.accepts(secret, true)
		equal(b, "first", used(), first)
		b.clock.Step(59 * time.Second)
		b.accepts(secret, true)
		equal(b, "within the minute", used(), first)
		b.clock.Step(time.Second)
		b.accepts(secret, true)
		equal(b, "after it", used(), b.clock.Now())
	}},
	{"BadTokens", func(b *bench) {
		_, _, err := b.l.NewToken(b.Context(), " ", ledger.ScopeClaim)
		b.code(err, ledger.Invalid)
		equal(b, "field", ledger.FieldOf(err), "name")
		_, _, err = b.l.NewToken(b.Context(), "make", "all")
		b.code(err, ledger.Invalid)
		equal(b, "field", ledger.FieldOf(err), "scope")
	}},
	{"Settings", func(b *bench) {
		for name, value := range map[string]string{"draft.a": "1", "draft.b": "2", "tick": "3"} {
			b.code(b.l.PutSetting(b.Context(), name, value), "")
		}
		v, ok, err := b.l.Setting(b.Context(), "draft.a")
		b.code(err, "")
		equal(b, "value", v, "1")
		equal(b, "ok", ok, true)
		b.code(b.l.PutSetting(b.Context(), "draft.a", ""), "")
		_, ok, err = b.l.Setting(b.Context(), "draft.a")
		b.code(err, "")
		equal(b, "deleted", ok, false)
		drafts, err := b.l.SettingsWithPrefix(b.Context(), "draft.")
		b.code(err, "")
		equal(b, "with prefix", len(drafts) == 1 && drafts["draft.b"] == "2", true)
		b.code(b.l.PutSetting(b.Context(), "", "x"), ledger.Invalid)
	}},
	{"KeptSetting", func(b *bench) {
		const callers = 8
		kept, errs := make([]string, callers), make([]error, callers)
		var wg sync.WaitGroup
		for i := range callers {
			wg.Go(func() { kept[i], errs[i] = b.l.KeepSetting(b.Context(), "kept", strconv.Itoa(i)) })
		}
		wg.Wait()
		for i, v := range kept {
			b.code(errs[i], "")
			equal(b, "what each caller gets", v, kept[0])
		}
		again, err := b.l.KeepSetting(b.Context(), "kept", "later")
		b.code(err, "")
		equal(b, "kept", again, kept[0])
		stored, ok, err := b.l.Setting(b.Context(), "kept")
		b.code(err, "")
		equal(b, "stored", ok && stored == kept[0], true)
	}},
	{"Check", func(b *bench) { b.code(b.l.Check(b.Context()), "") }},
}

func (b *bench) token(name string, scope ledger.Scope) (string, ledger.Token) {
	b.Helper()
	secret, t, err := b.l.NewToken(b.Context(), name, scope)
	if err != nil {
		b.Fatalf("NewToken: %v", err)
	}
	return secret, t
}

func (b *bench) accepts(secret string, want bool) {
	b.Helper()
	_, ok, err := b.l.CheckToken(b.Context(), secret)
	b.code(err, "")
	equal(b, "accepted", ok, want)
}
