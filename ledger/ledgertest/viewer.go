package ledgertest

import (
	"fmt"
	"slices"
	"time"

	"dedupedesk/ledger"
)

var viewerCases = []testCase{
	{"EveryKeyIsInOneView", func(b *bench) {
		b.mixed()
		want := map[ledger.View][]string{
			ledger.ViewInProgress: {"live-2", "live-1"},
			ledger.ViewFinished:   {"done-2", "done-1"},
			ledger.ViewWaiting:    {"waiting"},
			ledger.ViewStuck:      {"abandoned", "held"},
			ledger.ViewAll:        {"waiting", "done-2", "done-1", "live-2", "live-1", "held", "abandoned"},
		}
		for view, keys := range want {
			equal(b, "view "+string(view), fmt.Sprint(b.keys(ledger.KeyQuery{View: view})), fmt.Sprint(keys))
		}
		c, err := b.l.Counts(b.Context())
		b.code(err, "")
		equal(b, "counts", fmt.Sprint(c.Total, c.InProgress, c.Finished, c.Waiting, c.Stuck), "7 2 2 1 2")
	}},
	{"StatesAreFiltered", func(b *bench) {
		b.mixed()
		for state, keys := range map[ledger.State]string{
			ledger.Claimed: "[live-2 live-1 abandoned]", ledger.Held: "[held]",
			ledger.Retryable: "[waiting]", ledger.Done: "[done-2 done-1]",
		} {
			equal(b, string(state), fmt.Sprint(b.keys(ledger.KeyQuery{State: state})), keys)
			equal(b, string(state)+" in shop", fmt.Sprint(b.keys(ledger.KeyQuery{Rule: "shop", State: state})), keys)
			equal(b, string(state)+" in default", fmt.Sprint(b.keys(ledger.KeyQuery{Rule: "default", State: state})), "[]")
		}
		equal(b, "stuck and held", fmt.Sprint(b.keys(ledger.KeyQuery{View: ledger.ViewStuck, State: ledger.Held})), "[held]")
		equal(b, "finished and held", fmt.Sprint(b.keys(ledger.KeyQuery{View: ledger.ViewFinished, State: ledger.Held})), "[]")
	}},
	{"PrefixesAreFiltered", func(b *bench) {
		b.mixed()
		for prefix, keys := range map[string]string{
			"done-": "[done-1 done-2]", "live-1": "[live-1]", "nothing": "[]", "do%": "[]", "Done": "[]",
		} {
			equal(b, prefix, fmt.Sprint(b.keys(ledger.KeyQuery{Prefix: prefix})), keys)
		}
		equal(b, "in a view", fmt.Sprint(b.keys(ledger.KeyQuery{Prefix: "live", View: ledger.ViewInProgress})), "[live-2 live-1]")
		equal(b, "in stuck", fmt.Sprint(b.keys(ledger.KeyQuery{Prefix: "h", View: ledger.ViewStuck})), "[held]")
		equal(b, "since", fmt.Sprint(b.keys(ledger.KeyQuery{Prefix: "done", Since: b.clock.Now()})), "[]")
	}},
	{"PagesHoldEachKeyOnce", func(b *bench) {
		var want []string
		for i := range 23 {
			key := fmt.Sprintf("k%02d", i)
			want = append(want, key)
			b.grant(key)
			if i%5 == 0 {
				b.clock.Step(time.Millisecond) // the others share their time
			}
		}
		for _, q := range []ledger.KeyQuery{{}, {Rule: "shop"}, {View: ledger.ViewInProgress}, {Prefix: "k"}} {
			for _, limit := range []int{1, 4, 23, 50} {
				q.Limit = limit
				got := b.keys(q)
				if q.Prefix == "" {
					slices.Reverse(got)
				}
				equal(b, fmt.Sprintf("%+v", q), fmt.Sprint(got), fmt.Sprint(want))
			}
		}
		b.clock.Step(2 * lease)
		got := b.keys(ledger.KeyQuery{View: ledger.ViewStuck, Limit: 4})
		slices.Reverse(got)
		equal(b, "stuck", fmt.Sprint(got), fmt.Sprint(want))
	}},
	{"KeysOfTwoRulesSharePages", func(b *bench) {
		b.rule("crm", ledger.DefaultPolicy())
		for i := range 9 {
			for _, rule := range []string{"shop", "crm"} {
				MustClaim(b, b.l, ledger.ClaimRequest{Rule: rule, Key: fmt.Sprint("k", i)})
			}
		}
		equal(b, "all", len(b.keys(ledger.KeyQuery{Prefix: "k", Limit: 4})), 18)
		equal(b, "one rule", len(b.keys(ledger.KeyQuery{Prefix: "k", Rule: "crm", Limit: 4})), 9)
	}},
	{"BadQueries", func(b *bench) {
		for field, q := range map[string]ledger.KeyQuery{
			"view": {View: "odd"}, "state": {State: "odd"}, "limit": {Limit: 201}, "cursor": {Cursor: "%"},
		} {
			_, err := b.l.Keys(b.Context(), q)
			b.code(err, ledger.Invalid)
			equal(b, "field", ledger.FieldOf(err), field)
		}
		b.grant("a")
		b.grant("b")
		p, err := b.l.Keys(b.Context(), ledger.KeyQuery{Limit: 1})
		b.code(err, "")
		_, err = b.l.Keys(b.Context(), ledger.KeyQuery{Limit: 1, Prefix: "a", Cursor: p.Next})
		b.code(err, ledger.Invalid)
		_, err = b.l.Keys(b.Context(), ledger.KeyQuery{Rule: "nobody"})
		b.code(err, ledger.UnknownRule)
	}},
	{"CountsFollowEveryChange", func(b *bench) {
		at := b.clock.Now()
		a := b.grant("a")
		b.claim("a", "")
		b.clock.Step(8 * 24 * time.Hour)
		b.claim("a", "")
		b.claim("a", "")
		_, _ = b.done("a", a.Token, "")
		c, err := b.l.Counts(b.Context())
		b.code(err, "")
		equal(b, "total", c.Total, 1)
		equal(b, "copies", c.CopiesStopped, 2) // the second one took over
		equal(b, "this week", c.CopiesThisWeek, 1)
		equal(b, "first", c.FirstClaimAt, at)
		equal(b, "last", c.LastCallAt, b.clock.Now())
		b.decide("a", ledger.Forget)
		c, err = b.l.Counts(b.Context())
		b.code(err, "")
		equal(b, "none left", c.Total, 0)
		equal(b, "copies stay", c.CopiesStopped, 2)
	}},
	{"CopiesAreCountedByDay", func(b *bench) {
		b.rule("crm", ledger.DefaultPolicy())
		first := b.clock.Now()
		b.grant("a")
		b.claim("a", "")
		b.claim("a", "")
		b.clock.Step(24 * time.Hour)
		MustClaim(b, b.l, ledger.ClaimRequest{Rule: "crm", Key: "a"})
		if _, err := b.l.Claim(b.Context(), ledger.ClaimRequest{Rule: "crm", Key: "a"}); err != nil {
			b.Fatalf("Claim: %v", err)
		}
		b.clock.Step(24 * time.Hour)
		b.grant("b")
		b.decide("a", ledger.Forget)
		day := first.UTC().Truncate(24 * time.Hour)
		for _, tt := range []struct {
			from, until time.Time
			want        []ledger.DayCopies
		}{
			{day, day.AddDate(0, 0, 9), []ledger.DayCopies{{Day: day, Rule: "shop", Copies: 2}, {Day: day.AddDate(0, 0, 1), Rule: "crm", Copies: 1}}},
			{first.AddDate(0, 0, 1), first.AddDate(0, 0, 2), []ledger.DayCopies{{Day: day.AddDate(0, 0, 1), Rule: "crm", Copies: 1}}},
			{day.AddDate(0, 0, -5), day, nil},
		} {
			got, err := b.l.CopiesByDay(b.Context(), tt.from, tt.until)
			b.code(err, "")
			equal(b, "days", fmt.Sprint(got), fmt.Sprint(tt.want))
		}
	}},
	{"CallsAreCountedByHour", func(b *bench) {
		b.rule("crm", ledger.DefaultPolicy())
		first := b.clock.Now().UTC().Truncate(time.Hour)
		b.clock.Step(first.Add(time.Hour).Sub(b.clock.Now())) // so that lease and grace lie within hours that are known
		hour := first.Add(time.Hour)
		MustClaim(b, b.l, ledger.ClaimRequest{Rule: "shop", Key: "a", Fingerprint: "fp1:x"})
		b.claim("a", "")
		b.claim("a", "")
		if _, err := b.l.Claim(b.Context(), ledger.ClaimRequest{Rule: "shop", Key: "a", Fingerprint: "fp1:y"}); err != nil {
			b.Fatalf("Claim: %v", err)
		}
		MustClaim(b, b.l, ledger.ClaimRequest{Rule: "crm", Key: "b"})
		b.clock.Step(time.Hour)
		b.claim("a", "") // takes over
		b.grant("c")
		b.decide("c", ledger.Block) // grants nothing
		if _, err := b.done("a", b.grant("d").Token, ""); err == nil {
			b.Fatal("done by another's token")
		}
		want := []ledger.HourCalls{
			{Hour: hour, Rule: "crm", Granted: 1},
			{Hour: hour, Rule: "shop", Granted: 1, Copies: 2, Mismatches: 1},
			{Hour: hour.Add(time.Hour), Rule: "shop", Granted: 3},
		}
		for _, tt := range []struct {
			from, until time.Time
			want        []ledger.HourCalls
		}{
			{hour, hour.Add(9 * time.Hour), want},
			{hour.Add(time.Minute), hour.Add(time.Hour), want[:2]},
			{hour.Add(time.Hour), hour.Add(2 * time.Hour), want[2:]},
			{first, hour, nil},
		} {
			got, err := b.l.CallsByHour(b.Context(), tt.from, tt.until)
			b.code(err, "")
			equal(b, "hours", fmt.Sprint(got), fmt.Sprint(tt.want))
		}
	}},
	{"RuleUsesAreCounted", func(b *bench) {
		b.grant("a")
		b.claim("a", "")
		b.clock.Step(8 * 24 * time.Hour)
		b.grant("b")
		b.claim("b", "")
		uses, err := b.l.RuleUses(b.Context())
		b.code(err, "")
		equal(b, "uses", fmt.Sprint(uses), fmt.Sprint([]ledger.RuleUse{
			{Rule: "default"}, {Rule: "shop", Keys: 2, Copies: 2, CopiesThisWeek: 1, LastCallAt: b.clock.Now()},
		}))
	}},
}

// mixed fills the ledger with keys in every view, oldest first.
func (b *bench) mixed() {
	b.Helper()
	b.grant("abandoned")
	b.clock.Step(time.Millisecond)
	b.grant("held")
	b.decide("held", ledger.Block)
	b.clock.Step(lease + ledger.StuckGrace)
	for _, key := range []string{"live-1", "live-2"} {
		b.clock.Step(time.Millisecond)
		b.grant(key)
	}
	for _, key := range []string{"done-1", "done-2"} {
		b.clock.Step(time.Millisecond)
		if _, err := b.done(key, b.grant(key).Token, ""); err != nil {
			b.Fatalf("Done: %v", err)
		}
	}
	b.clock.Step(time.Millisecond)
	if _, err := b.release("waiting", b.grant("waiting").Token, 0); err != nil {
		b.Fatalf("Release: %v", err)
	}
	b.clock.Step(time.Millisecond)
}

// keys walks all pages of a query, and from the last page back to the first, which has
// to show the same.
func (b *bench) keys(q ledger.KeyQuery) []string {
	b.Helper()
	keys := []string{}
	for {
		p, err := b.l.Keys(b.Context(), q)
		if err != nil {
			b.Fatalf("Keys %+v: %v", q, err)
		}
		if (p.Prev == "") != (q.Cursor == "") && len(p.Keys) > 0 {
			b.Errorf("%+v: a page before %q", q, p.Prev)
		}
		for _, k := range p.Keys {
			keys = append(keys, k.Key)
		}
		if p.Next == "" {
			break
		}
		q.Cursor = p.Next
	}
	equal(b, fmt.Sprintf("back through %+v", q), fmt.Sprint(b.keysBack(q)), fmt.Sprint(keys))
	return keys
}

// keysBack walks all pages from the last to the first, and returns the keys in order.
func (b *bench) keysBack(q ledger.KeyQuery) []string {
	b.Helper()
	keys := []string{}
	q.Cursor, q.Back = "", true
	for {
		p, err := b.l.Keys(b.Context(), q)
		if err != nil {
			b.Fatalf("Keys %+v: %v", q, err)
		}
		if (p.Next == "") != (q.Cursor == "") && len(p.Keys) > 0 {
			b.Errorf("%+v: a page behind %q", q, p.Next)
		}
		var page []string
		for _, k := range p.Keys {
			page = append(page, k.Key)
		}
		keys = append(page, keys...)
		if p.Prev == "" {
			return keys
		}
		q.Cursor = p.Prev
	}
}
