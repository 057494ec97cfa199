package postgres_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"dedupedesk/ledger"
	"dedupedesk/ledger/ledgertest"
	"dedupedesk/ledger/postgres/pgtest"
)

// TestALostCommitIsNeverAGrant cuts the connection at COMMIT, once before the server
// gets it and once after: nobody can tell which, so the caller is told that it is not
// known. The same owner learns the truth.
func TestALostCommitIsNeverAGrant(t *testing.T) {
	for name, committed := range map[string]bool{"before it": false, "after it": true} {
		t.Run(name, func(t *testing.T) {
			url := pgtest.New(t)
			p, through := newProxy(t, url)
			l := ledger.New(open(t, through), ledger.SystemClock(), nil)
			defer l.Close()
			req := ledger.ClaimRequest{Key: "a", Owner: "me"}
			// The first time a statement is described to the client before it is run.
			ledgertest.MustClaim(t, l, ledger.ClaimRequest{Key: "first"})
			p.cut("COMMIT\x00", committed)
			a, err := l.Claim(t.Context(), req)
			if ledger.CodeOf(err) != ledger.Busy || a.Run || a.Token != "" || !strings.Contains(ledger.MessageOf(err), "not known whether") {
				t.Fatalf("%+v, %v", a, err)
			}
			if !p.done() {
				t.Fatal("nothing was cut")
			}
			again, err := l.Claim(t.Context(), req)
			if err != nil || !again.Run || again.Fence != 1 || again.Repeated != committed {
				t.Errorf("asked again: %+v, %v", again, err)
			}
			checkCounters(t, url)
		})
	}
}

// TestAConnectionLostBeforeCommitIsNotNoticed: the call is made again on another one.
func TestAConnectionLostBeforeCommitIsNotNoticed(t *testing.T) {
	for _, text := range []string{"FROM rules", "FROM claims"} {
		for _, after := range []bool{false, true} {
			t.Run(fmt.Sprint(text, after), func(t *testing.T) {
				p, through := newProxy(t, pgtest.New(t))
				l := ledger.New(open(t, through), ledger.SystemClock(), nil)
				defer l.Close()
				p.cut(text, after)
				a, err := l.Claim(t.Context(), ledger.ClaimRequest{Key: "a"})
				if err != nil || !a.Run || !p.done() {
					t.Errorf("%+v, %v, cut: %v", a, err, p.done())
				}
				p.cut(text, after)
				if _, err := l.Keys(t.Context(), ledger.KeyQuery{Rule: "default"}); err != nil || !p.done() {
					t.Errorf("read: %v, cut: %v", err, p.done())
				}
			})
		}
	}
}

// TestServerGoneAndBack: Busy meanwhile, for reads too, and no restart is needed.
func TestServerGoneAndBack(t *testing.T) {
	server := pgtest.Start(t)
	s := open(t, server.New(t))
	l := ledger.New(s, ledger.SystemClock(), nil)
	defer l.Close()
	for i, away := range []func(testing.TB){server.Stop, server.Kill} {
		key := fmt.Sprint("before-", i)
		a, err := l.Claim(t.Context(), ledger.ClaimRequest{Key: key})
		if err != nil {
			t.Fatal(err)
		}
		away(t)
		for range 3 {
			b, err := l.Claim(t.Context(), ledger.ClaimRequest{Key: fmt.Sprint("down-", i)})
			if ledger.CodeOf(err) != ledger.Busy || b.Run || !strings.Contains(ledger.MessageOf(err), "database") {
				t.Fatalf("claim: %+v, %v", b, err)
			}
			if _, err := l.Key(t.Context(), "", key); ledger.CodeOf(err) != ledger.Busy {
				t.Fatalf("read: %v", err)
			}
			if err := l.Check(t.Context()); ledger.CodeOf(err) != ledger.Busy {
				t.Fatalf("check: %v", err)
			}
			if err := l.Examine(t.Context()); ledger.CodeOf(err) != ledger.Busy {
				t.Fatalf("examine: %v", err)
			}
		}
		server.Start(t)
		if err := l.Check(t.Context()); err != nil {
			t.Fatalf("check afterwards: %v", err)
		}
		d, err := l.Done(t.Context(), ledger.DoneRequest{Identity: ledger.Identity{Key: key, Token: a.Token}})
		if err != nil || d.Status != ledger.StatusDone {
			t.Fatalf("done afterwards: %+v, %v", d, err)
		}
	}
}

// TestEverySessionEndedByAnAdministrator: pg_terminate_backend ends all connections of
// the pool; the next calls do not notice.
func TestEverySessionEndedByAnAdministrator(t *testing.T) {
	url := pgtest.New(t)
	l := ledger.New(open(t, url), ledger.SystemClock(), nil)
	defer l.Close()
	for i := range 20 {
		if a, err := l.Claim(t.Context(), ledger.ClaimRequest{Key: fmt.Sprint("a-", i)}); err != nil || !a.Run {
			t.Fatalf("%d: %+v, %v", i, a, err)
		}
		pgtest.Exec(t, url, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'dedupe' AND datname = current_database()`)
	}
}

// TestAnErrorOfTheCallerIsItsOwn: what f returns comes back, and nothing is kept.
func TestAnErrorOfTheCallerIsItsOwn(t *testing.T) {
	s := open(t, pgtest.New(t))
	defer s.Close()
	wanted := errors.New("wanted")
	err := s.Write(t.Context(), func(tx ledger.Tx) error {
		if err := tx.PutSetting(t.Context(), "a", "b"); err != nil {
			return err
		}
		return wanted
	})
	if !errors.Is(err, wanted) {
		t.Errorf("got %v", err)
	}
}
