package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"dedupedesk/ledger"
	"dedupedesk/ledger/ledgertest"
	"dedupedesk/ledger/postgres"
	"dedupedesk/ledger/postgres/pgtest"
)

// fail makes the server answer inserts of claims with an error of that code, the first
// times that it is asked. No transaction that fails takes its count back.
func fail(t *testing.T, url, code string, times int) {
	t.Helper()
	pgtest.Exec(t, url, `
		DROP TRIGGER IF EXISTS failing ON dedupe.claims;
		DROP SEQUENCE IF EXISTS public.failures;
		CREATE SEQUENCE public.failures;
		CREATE OR REPLACE FUNCTION failing() RETURNS trigger LANGUAGE plpgsql AS $$
		BEGIN
			IF nextval('public.failures') <= `+fmt.Sprint(times)+` THEN
				RAISE EXCEPTION 'wanted by a test' USING ERRCODE = '`+code+`';
			END IF;
			RETURN NEW;
		END $$;
		CREATE TRIGGER failing BEFORE INSERT ON dedupe.claims FOR EACH ROW EXECUTE FUNCTION failing()`)
}

// TestConflictsAreTriedAgain: the server's word that another transaction was in the way
// is no answer for a caller, unless there is no end to it.
func TestConflictsAreTriedAgain(t *testing.T) {
	url := pgtest.New(t)
	l := ledger.New(open(t, url), ledger.SystemClock(), nil)
	defer l.Close()
	for _, code := range []string{"40001", "40P01", "55P03", "23505"} {
		fail(t, url, code, 5)
		a, err := l.Claim(t.Context(), ledger.ClaimRequest{Key: code})
		if err != nil || !a.Run || a.Fence != 1 {
			t.Errorf("%s: %+v, %v", code, a, err)
		}
		if n := pgtest.Number(t, url, `SELECT last_value FROM public.failures`); n != 6 {
			t.Errorf("%s: tried %d times", code, n)
		}
	}
	fail(t, url, "40001", 1000)
	a, err := l.Claim(t.Context(), ledger.ClaimRequest{Key: "never"})
	if ledger.CodeOf(err) != ledger.Busy || a.Run {
		t.Errorf("without an end: %+v, %v", a, err)
	}
	checkCounters(t, url)
}

// TestTroubleOfTheServerIsBusy: each is answered with its sentence at once, grants
// nothing and passes.
func TestTroubleOfTheServerIsBusy(t *testing.T) {
	url := pgtest.New(t)
	l := ledger.New(open(t, url), ledger.SystemClock(), nil)
	defer l.Close()
	for code, says := range map[string]string{
		"53100": "disk of the database server is full", "53200": "out of memory", "53300": "max_connections", "53400": "no room left",
		"57014": "too long", "58030": "reported an error", "42501": "lacks rights", "25006": "read-only", "58P01": "misses one of its files",
		"57P01": "stopping", "57P03": "starting",
	} {
		fail(t, url, code, 3)
		a, err := l.Claim(t.Context(), ledger.ClaimRequest{Key: code})
		if ledger.CodeOf(err) != ledger.Busy || a.Run || a.Token != "" || !strings.Contains(ledger.MessageOf(err), says) {
			t.Errorf("%s: %+v, %v", code, a, err)
		}
		if !strings.Contains(ledger.MessageOf(err), "Nothing was granted") && !strings.Contains(ledger.MessageOf(err), "not known") {
			t.Errorf("%s does not say what it means: %q", code, ledger.MessageOf(err))
		}
		fail(t, url, code, 0)
		ledgertest.MustClaim(t, l, ledger.ClaimRequest{Key: code})
	}
	checkCounters(t, url)
}

// TestDeadlockIsTriedAgain: two writes lock two rows in opposite order.
func TestDeadlockIsTriedAgain(t *testing.T) {
	s := open(t, pgtest.New(t))
	l := ledger.New(s, ledger.SystemClock(), nil)
	defer l.Close()
	for _, key := range []string{"a", "b"} {
		ledgertest.MustClaim(t, l, ledger.ClaimRequest{Key: key})
	}
	var runs atomic.Int32
	var both, wg sync.WaitGroup
	both.Add(2)
	for _, keys := range [][2]string{{"a", "b"}, {"b", "a"}} {
		wg.Go(func() {
			first := true
			err := s.Write(t.Context(), func(tx ledger.Tx) error {
				runs.Add(1)
				for i, key := range keys {
					row, _, err := tx.Load(t.Context(), 1, key)
					if err != nil {
						return err
					}
					if first && i == 0 {
						first = false
						both.Done()
						both.Wait()
					}
					row.Copies++
					if ok, err := tx.Replace(t.Context(), row); err != nil || !ok {
						return fmt.Errorf("replace: %v, %w", ok, err)
					}
				}
				return nil
			})
			if err != nil {
				t.Errorf("%v: %v", keys, err)
			}
		})
	}
	wg.Wait()
	if runs.Load() < 3 {
		t.Errorf("%d runs: there was no deadlock", runs.Load())
	}
	for _, key := range []string{"a", "b"} {
		if life, err := l.Key(t.Context(), "", key); err != nil || life.Key.Copies != 2 {
			t.Errorf("%s: %d copies, %v", key, life.Key.Copies, err)
		}
	}
}

// TestTheIsolationIsNamed: a server whose default is another one changes nothing.
func TestTheIsolationIsNamed(t *testing.T) {
	url := pgtest.New(t)
	pgtest.Exec(t, url, `ALTER DATABASE `+database(url)+` SET default_transaction_isolation = 'serializable'`)
	s := open(t, url)
	l := ledger.New(s, ledger.SystemClock(), nil)
	defer l.Close()
	var wg sync.WaitGroup
	var granted atomic.Int32
	for range 64 {
		wg.Go(func() {
			a, err := l.Claim(t.Context(), ledger.ClaimRequest{Key: "a"})
			if err != nil {
				t.Error(err)
			}
			if a.Run {
				granted.Add(1)
			}
		})
	}
	wg.Wait()
	if granted.Load() != 1 {
		t.Errorf("%d granted", granted.Load())
	}
}

// TestAllConnectionsInUse: who gets none within ten seconds is told so.
func TestAllConnectionsInUse(t *testing.T) {
	t.Parallel()
	s, err := postgres.Open(t.Context(), pgtest.New(t)+"&pool_max_conns=2")
	if err != nil {
		t.Fatal(err)
	}
	l := ledger.New(s, ledger.SystemClock(), nil)
	defer l.Close()
	release := make(chan struct{})
	var holding, done sync.WaitGroup
	holding.Add(2)
	for range 2 {
		done.Go(func() {
			_ = s.Read(context.Background(), func(r ledger.Reader) error {
				_, _, err := r.Now(context.Background())
				holding.Done()
				<-release
				return err
			})
		})
	}
	holding.Wait()
	a, err := l.Claim(t.Context(), ledger.ClaimRequest{Key: "a"})
	if ledger.CodeOf(err) != ledger.Busy || a.Run || !strings.Contains(ledger.MessageOf(err), "connections of this program") {
		t.Errorf("%+v, %v", a, err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := l.Claim(ctx, ledger.ClaimRequest{Key: "a"}); ledger.CodeOf(err) != ledger.Busy || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a caller who gave up: %v", err)
	}
	close(release)
	done.Wait()
	ledgertest.MustClaim(t, l, ledger.ClaimRequest{Key: "a"})
}

// TestAContextThatEndsOnTheWayKeepsNothing: until COMMIT is sent a caller may give up.
func TestAContextThatEndsOnTheWayKeepsNothing(t *testing.T) {
	s := open(t, pgtest.New(t))
	l := ledger.New(s, ledger.SystemClock(), nil)
	defer l.Close()
	ctx, cancel := context.WithCancel(t.Context())
	err := s.Write(ctx, func(tx ledger.Tx) error {
		cancel()
		return tx.PutSetting(ctx, "a", "b")
	})
	if ledger.CodeOf(err) != ledger.Busy {
		t.Errorf("got %v", err)
	}
	if _, ok, err := l.Setting(t.Context(), "a"); ok || err != nil {
		t.Errorf("it was kept: %v, %v", ok, err)
	}
}
