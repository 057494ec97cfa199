package ledgertest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"dedupedesk/ledger"
)

// storeCases look below the ledger, at what a store has to promise it.
var storeCases = []testCase{
	{"WriteIsAllOrNothing", func(b *bench) {
		wanted := errors.New("wanted")
		err := b.store.Write(b.Context(), func(tx ledger.Tx) error {
			if _, ok, err := tx.Insert(b.Context(), b.row("a")); err != nil || !ok {
				return fmt.Errorf("insert: %v, %w", ok, err)
			}
			return wanted
		})
		equal(b, "error", errors.Is(err, wanted), true)
		_, err = b.l.Key(b.Context(), "shop", "a")
		b.code(err, ledger.NotFound)
		b.grant("a")
	}},
	{"APanicWritesNothing", func(b *bench) {
		func() {
			defer func() { _ = recover() }()
			_ = b.store.Write(b.Context(), func(tx ledger.Tx) error {
				_, _, _ = tx.Insert(b.Context(), b.row("a"))
				panic("wanted")
			})
		}()
		b.grant("a")
	}},
	{"InsertIfAbsent", func(b *bench) {
		b.write(func(ctx context.Context, tx ledger.Tx) error {
			id, ok, err := tx.Insert(ctx, b.row("a"))
			equal(b, "first", ok && id != 0, true)
			if err != nil {
				return err
			}
			_, ok, err = tx.Insert(ctx, b.row("a"))
			equal(b, "second", ok, false)
			return err
		})
	}},
	{"ReplaceComparesTheVersion", func(b *bench) {
		b.grant("a")
		b.write(func(ctx context.Context, tx ledger.Tx) error {
			row, ok, err := tx.Load(ctx, b.row("a").RuleID, "a")
			if err != nil || !ok {
				return fmt.Errorf("load: %v, %w", ok, err)
			}
			row.Owner = "one"
			ok, err = tx.Replace(ctx, row)
			equal(b, "first", ok, true)
			if err != nil {
				return err
			}
			row.Owner = "two"
			ok, err = tx.Replace(ctx, row)
			equal(b, "same version again", ok, false)
			if err != nil {
				return err
			}
			ok, err = tx.Remove(ctx, row)
			equal(b, "remove by the old version", ok, false)
			return err
		})
		equal(b, "owner", b.life("a").Key.Owner, "one")
	}},
	{"RowsComeBackAsTheyWentIn", func(b *bench) {
		row := b.row("a")
		at := func(n int) time.Time { return b.clock.Now().Add(time.Duration(n) * time.Millisecond) }
		row.State, row.Fence, row.Token, row.Owner = ledger.Held, 7, "7.x", "é😀"
		row.Plain, row.TakenOver, row.Released, row.Attempts = true, true, true, 3
		row.DoneAt, row.NextTryAt, row.StuckAt = at(4), at(5), at(6)
		row.LastError, row.Result, row.Fingerprint = "it broke", `{"id":7}`, "fp1:x"
		row.Copies, row.Mismatches, row.StaleCalls, row.Generation = 8, 9, 10, 11
		b.write(func(ctx context.Context, tx ledger.Tx) (err error) {
			row.ID, _, err = tx.Insert(ctx, row)
			return err
		})
		err := b.store.Read(b.Context(), func(r ledger.Reader) error {
			got, _, err := r.Load(b.Context(), row.RuleID, "a")
			row.Version = 1
			equal(b, "row", got, row)
			return err
		})
		b.code(err, "")
	}},
	{"AnEndedContextIsBusyAndGrantsNothing", func(b *bench) {
		ctx, cancel := context.WithCancel(b.Context())
		cancel()
		_, err := b.l.Claim(ctx, ledger.ClaimRequest{Rule: "shop", Key: "a"})
		b.code(err, ledger.Busy)
		_, err = b.l.Key(b.Context(), "shop", "a")
		b.code(err, ledger.NotFound)
	}},
}

// row returns a claimed row of shop.
func (b *bench) row(key string) ledger.Row {
	b.Helper()
	rule, err := b.l.Rule(b.Context(), "shop")
	if err != nil {
		b.Fatalf("Rule: %v", err)
	}
	now := b.clock.Now()
	return ledger.Row{
		RuleID: rule.ID, Rule: "shop", Key: key, State: ledger.Claimed, Fence: 1, Token: "1.x", Attempts: 1,
		Lease: lease, FirstSeen: now, ClaimedAt: now, LeaseUntil: now.Add(lease), ChangedAt: now, CalledAt: now,
		Generation: 1,
	}
}

func (b *bench) write(f func(context.Context, ledger.Tx) error) {
	b.Helper()
	ctx := b.Context()
	if err := b.store.Write(ctx, func(tx ledger.Tx) error { return f(ctx, tx) }); err != nil {
		b.Fatalf("Write: %v", err)
	}
}

// inputCases are requests that are wrong as they stand: nothing may be stored.
var inputCases = []testCase{
	{"Peers21Leases", func(b *bench) {
		for _, d := range []time.Duration{-1, -lease, 1, 5*time.Second - 1, 7*day + 1, 1e9 * time.Second} {
			_, err := b.l.Claim(b.Context(), ledger.ClaimRequest{Rule: "shop", Key: "a", Lease: d})
			b.code(err, ledger.Invalid)
			equal(b, "field", ledger.FieldOf(err), "lease")
		}
		for i, d := range []time.Duration{0, 5 * time.Second, 7 * day} {
			MustClaim(b, b.l, ledger.ClaimRequest{Rule: "shop", Key: fmt.Sprint(i), Lease: d})
		}
	}},
	{"Peers31EmptyKeys", func(b *bench) {
		for _, key := range []string{"", " ", "\t", "\u00a0\u2003", "\n"} {
			_, err := b.l.Claim(b.Context(), ledger.ClaimRequest{Rule: "shop", Key: key})
			b.code(err, ledger.Invalid)
			equal(b, "field", ledger.FieldOf(err), "key")
		}
		equal(b, "nothing stored", len(b.keys(ledger.KeyQuery{})), 0)
	}},
	{"Peers42KeyLengthAndCharacters", func(b *bench) {
		long := strings.Repeat("é", 255)
		MustClaim(b, b.l, ledger.ClaimRequest{Rule: "shop", Key: long})
		for _, key := range []string{long + "x", "a\nb", "a\x00b", "a\u202eb", "a\u2067b", "a\u200fb", "a\x7f", "a\u0085", "a\xff", " a", "a ", "\u200ba", "a\u2060", "a\ufeffb"} {
			_, err := b.l.Claim(b.Context(), ledger.ClaimRequest{Rule: "shop", Key: key})
			b.code(err, ledger.Invalid)
			equal(b, "field", ledger.FieldOf(err), "key")
		}
		equal(b, "stored", len(b.keys(ledger.KeyQuery{})), 1)
	}},
	{"KeysAreExact", func(b *bench) {
		for _, key := range []string{"evt_A", "evt_a", "evt a", "evt  a", "é", "e\u0301", "0", "false", "'; DROP TABLE claims; --"} {
			b.grant(key)
		}
		equal(b, "stored", len(b.keys(ledger.KeyQuery{})), 9)
	}},
	{"Results", func(b *bench) {
		a := b.grant("a")
		for _, result := range []string{"{", "nope", `"` + strings.Repeat("x", ledger.MaxResult) + `"`, "\"\xff\""} {
			_, err := b.done("a", a.Token, result)
			b.code(err, ledger.Invalid)
			equal(b, "field", ledger.FieldOf(err), "result")
		}
		largest := `"` + strings.Repeat("x", ledger.MaxResult-2) + `"`
		d, err := b.done("a", a.Token, largest)
		b.status(d, err, ledger.StatusDone)
		equal(b, "result", string(b.claim("a", "").Result), largest)
	}},
	{"ErrorTextsAreCutAndCleaned", func(b *bench) {
		a := b.grant("a")
		_, err := b.l.Release(b.Context(), ledger.ReleaseRequest{Identity: by("a", a.Token),
			Error: "\x1b[31mit\nbroke\x00\u202e " + strings.Repeat("é", 600)})
		b.code(err, "")
		equal(b, "error", b.life("a").Key.LastError, "[31mit broke "+strings.Repeat("é", 500-13))
	}},
	{"OtherBadMembers", func(b *bench) {
		a := b.grant("a")
		_, err := b.l.Claim(b.Context(), ledger.ClaimRequest{Rule: "shop", Key: "a", Owner: strings.Repeat("x", 256)})
		equal(b, "owner", ledger.FieldOf(err), "owner")
		_, err = b.release("a", a.Token, -time.Second)
		equal(b, "retry after", ledger.FieldOf(err), "retry_after")
		_, err = b.l.Renew(b.Context(), ledger.RenewRequest{Identity: by("a", a.Token), Lease: -1})
		equal(b, "lease", ledger.FieldOf(err), "lease")
		_, err = b.l.Claim(b.Context(), ledger.ClaimRequest{Rule: "nobody", Key: "a"})
		b.code(err, ledger.UnknownRule)
	}},
}
