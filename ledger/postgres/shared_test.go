package postgres_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"dedupedesk/ledger"
	"dedupedesk/ledger/ledgertest"
	"dedupedesk/ledger/postgres/pgtest"
)

// two returns two ledgers on one empty database, as two engines have them, and their
// stores.
func two(t *testing.T) (url string, ledgers [2]*ledger.Ledger, stores [2]ledger.Store) {
	t.Helper()
	url = pgtest.New(t)
	for i := range stores {
		stores[i] = open(t, url)
		ledgers[i] = ledger.New(stores[i], ledger.SystemClock(), nil)
		t.Cleanup(func() { _ = ledgers[i].Close() })
	}
	return url, ledgers, stores
}

// TestARuleChangedOnTheWayIsDecidedAnew: a grant that was decided by a rule is not kept
// if the rule is changed, renamed or archived before the grant is committed.
func TestARuleChangedOnTheWayIsDecidedAnew(t *testing.T) {
	policy := ledger.DefaultPolicy()
	for name, change := range map[string]func(*ledger.Ledger) error{
		"changed": func(l *ledger.Ledger) error {
			_, err := l.PutRule(context.Background(), "", ledger.Rule{Name: "shop", Policy: policy, Doc: []byte("new")})
			return err
		},
		"renamed": func(l *ledger.Ledger) error {
			_, err := l.PutRule(context.Background(), "shop", ledger.Rule{Name: "store", Policy: policy, Doc: []byte("old")})
			return err
		},
		"archived": func(l *ledger.Ledger) error { return l.ArchiveRule(context.Background(), "shop") },
	} {
		t.Run(name, func(t *testing.T) {
			url, l, s := two(t)
			if _, err := l[0].PutRule(t.Context(), "", ledger.Rule{Name: "shop", Policy: policy, Doc: []byte("old")}); err != nil {
				t.Fatal(err)
			}
			runs := 0
			var rule ledger.Rule
			err := s[0].Write(t.Context(), func(tx ledger.Tx) error {
				runs++
				var err error
				if rule, _, err = tx.RuleNamed(t.Context(), "shop"); err != nil || rule.ID == 0 || !rule.ArchivedAt.IsZero() {
					return err
				}
				if runs == 1 {
					if err := change(l[1]); err != nil {
						return err
					}
				}
				_, _, err = tx.Insert(t.Context(), row(rule.ID, "k"))
				return err
			})
			if err != nil || runs != 2 {
				t.Errorf("%d runs, %v", runs, err)
			}
			kept := pgtest.Number(t, url, `SELECT count(*) FROM dedupe.claims`)
			if want := map[string]int64{"changed": 1, "renamed": 0, "archived": 0}[name]; kept != want {
				t.Errorf("%d rows, want %d", kept, want)
			}
			if name == "changed" && rule.Version != 2 {
				t.Errorf("decided by version %d", rule.Version)
			}
			checkCounters(t, url)
		})
	}
}

func row(ruleID int64, key string) ledger.Row {
	now := time.Now().UTC().Truncate(time.Millisecond)
	return ledger.Row{
		RuleID: ruleID, Key: key, State: ledger.Claimed, Fence: 1, Token: "1.x", Attempts: 1, Lease: 15 * time.Minute,
		FirstSeen: now, ClaimedAt: now, LeaseUntil: now.Add(15 * time.Minute), ChangedAt: now, CalledAt: now, Generation: 1,
	}
}

// TestAChangeOfARuleWaitsForTheGrantsBefore: once PutRule has returned, no grant by the
// rule before appears any more.
func TestAChangeOfARuleWaitsForTheGrantsBefore(t *testing.T) {
	url, l, s := two(t)
	put := func(doc string) ledger.Rule {
		r, err := l[1].PutRule(t.Context(), "", ledger.Rule{Name: "shop", Policy: ledger.DefaultPolicy(), Doc: []byte(doc)})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	id := put("0").ID
	stop := make(chan struct{})
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-stop:
					return
				default:
				}
				err := s[0].Write(context.Background(), func(tx ledger.Tx) error {
					rule, _, err := tx.RuleNamed(context.Background(), "shop")
					if err != nil {
						return err
					}
					r := row(rule.ID, fmt.Sprintf("k-%d-%d", i, n))
					r.Fingerprint = string(rule.Doc) // by which it was decided
					_, _, err = tx.Insert(context.Background(), r)
					return err
				})
				if err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	for n := 1; n <= 30; n++ {
		put(fmt.Sprint(n))
		query := `SELECT count(*) FROM dedupe.claims WHERE rule_id = $1 AND fingerprint <> $2`
		before := pgtest.Number(t, url, query, id, fmt.Sprint(n))
		time.Sleep(3 * time.Millisecond)
		if after := pgtest.Number(t, url, query, id, fmt.Sprint(n)); after != before {
			t.Fatalf("change %d: %d grants by the rule before, then %d", n, before, after)
		}
	}
	close(stop)
	wg.Wait()
	checkCounters(t, url)
}

// TestChangesOfARuleAreNotLost: two engines change one rule at once; each change counts.
func TestChangesOfARuleAreNotLost(t *testing.T) {
	_, l, _ := two(t)
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			_, err := l[i%2].PutRule(t.Context(), "", ledger.Rule{Name: "shop", Policy: ledger.DefaultPolicy(), Doc: []byte(fmt.Sprint(i))})
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if r, err := l[0].Rule(t.Context(), "shop"); err != nil || r.Version != 16 {
		t.Errorf("version %d, %v", r.Version, err)
	}
}

// TestOnePasswordOfAName: of callers that make one of the same name at once, one does.
func TestOnePasswordOfAName(t *testing.T) {
	_, l, _ := two(t)
	for round := range 10 {
		var made atomic.Int32
		var wg sync.WaitGroup
		for i := range 8 {
			wg.Go(func() {
				_, _, err := l[i%2].NewToken(t.Context(), fmt.Sprint("make-", round), ledger.ScopeClaim)
				switch ledger.CodeOf(err) {
				case "":
					made.Add(1)
				case ledger.Invalid:
				default:
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if made.Load() != 1 {
			t.Fatalf("round %d: %d were made", round, made.Load())
		}
	}
}

// TestARevocationOutlivesAUse: another engine notes at that moment that the password was
// used; that does not bring it back.
func TestARevocationOutlivesAUse(t *testing.T) {
	url, l, s := two(t)
	_, _, err := l[0].NewToken(t.Context(), "make", ledger.ScopeClaim)
	if err != nil {
		t.Fatal(err)
	}
	hash := []byte(pgtest.Text(t, url, `SELECT encode(hash, 'hex') FROM dedupe.tokens`))
	read, revoked := make(chan struct{}), make(chan error, 1)
	first := true
	err = s[0].Write(t.Context(), func(tx ledger.Tx) error {
		all, err := tx.AllTokens(t.Context())
		if err != nil {
			return err
		}
		if first {
			first = false
			go func() { close(read); revoked <- l[1].RevokeToken(context.Background(), "make", 0) }()
			<-read
			time.Sleep(50 * time.Millisecond) // the revocation waits now, or would have come between
		}
		all[0].UsedAt = time.Now()
		return tx.SaveToken(t.Context(), all[0])
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := <-revoked; err != nil {
		t.Fatal(err)
	}
	if n := pgtest.Number(t, url, `SELECT count(*) FROM dedupe.tokens WHERE revoked_at IS NOT NULL AND used_at IS NOT NULL`); n != 1 {
		t.Errorf("the revocation or the use of %s is lost", hash[:8])
	}
}

// TestTwoPrunesAtOnce: each key is removed and counted once, and no other goes.
func TestTwoPrunesAtOnce(t *testing.T) {
	url, l, _ := two(t)
	fill(t, url, 4000)
	pgtest.Exec(t, url, `
		UPDATE dedupe.rule_counts SET total = 4000, done = 3996, claimed = 4 WHERE rule_id = 1 AND shard = 0;
		INSERT INTO dedupe.events (rule_id, key, at, kind) SELECT rule_id, key, 1, 'granted' FROM dedupe.claims`)
	var removed atomic.Int64
	var wg sync.WaitGroup
	for _, l := range l {
		wg.Go(func() {
			// What one has in its hands the other leaves, so it may take a second call.
			for range 3 {
				res, err := l.Prune(context.Background(), ledger.PruneRequest{OlderThan: time.Hour, BelowFloor: true})
				if err != nil {
					t.Error(err)
				}
				removed.Add(res.Removed)
			}
		})
	}
	ledgertest.MustClaim(t, l[0], ledger.ClaimRequest{Key: "meanwhile"})
	wg.Wait()
	c, err := l[1].Counts(t.Context())
	if err != nil || removed.Load() != 3996 || c.Total != 5 {
		t.Errorf("%d removed, %+v, %v", removed.Load(), c, err)
	}
	if n := pgtest.Number(t, url, `SELECT count(*) FROM dedupe.events`); n != 4 {
		t.Errorf("%d events are left", n)
	}
	checkCounters(t, url)
}
