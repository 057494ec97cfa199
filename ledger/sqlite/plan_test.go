package sqlite

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dedupedesk/ledger"
)

// plan returns SQLite's plan of a statement, a line a step.
func plan(t *testing.T, s *Store, query string, args ...any) []string {
	t.Helper()
	rows, err := s.read.Query("EXPLAIN QUERY PLAN "+query, args...)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	var steps []string
	for rows.Next() {
		var id, parent, unused int
		var step string
		if err := rows.Scan(&id, &parent, &unused, &step); err != nil {
			t.Fatal(err)
		}
		steps = append(steps, step)
	}
	if err := rows.Err(); err != nil || len(steps) == 0 {
		t.Fatalf("%s: no plan: %v", query, err)
	}
	return steps
}

func openStore(t testing.TB) *Store {
	t.Helper()
	s, err := Open(filepath.Join(t.TempDir(), "ledger.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// TestViewerStatementsWalkAnIndex: no list of the viewer reads the whole table or
// sorts it, whatever is asked, and every page but the first starts where the one
// before ended.
func TestViewerStatementsWalkAnIndex(t *testing.T) {
	s := openStore(t)
	now := time.Now()
	queries := 0
	for _, view := range []ledger.View{ledger.ViewAll, ledger.ViewInProgress, ledger.ViewFinished, ledger.ViewWaiting, ledger.ViewStuck} {
		for _, state := range []ledger.State{"", ledger.Claimed, ledger.Done} {
			for _, rule := range []int64{0, 1} {
				for _, prefix := range []string{"", "evt_"} {
					for _, since := range []time.Time{{}, now} {
						for _, order := range []ledger.Order{ledger.ByChange, ledger.ByKey, ledger.ByStuck} {
							if (order == ledger.ByStuck) != (view == ledger.ViewStuck) || (order == ledger.ByKey && prefix == "") {
								continue
							}
							for _, after := range []ledger.Position{{}, {At: now, Key: "evt_7", ID: 7}} {
								for _, back := range []bool{false, true} {
									checkPlan(t, s, ledger.RowQuery{View: view, State: state, RuleID: rule, Prefix: prefix,
										Since: since, Now: now, Order: order, After: after, Back: back, Limit: 51})
									queries++
								}
							}
						}
					}
				}
			}
		}
	}
	t.Logf("%d statements", queries)
}

// checkPlan looks at every statement that a page is made of.
func checkPlan(t *testing.T, s *Store, q ledger.RowQuery) {
	t.Helper()
	e := &listExplainer{explainer{t: t, s: s}, q}
	if _, err := (reading{e}).Rows(t.Context(), q); err != nil || e.asked == 0 {
		t.Errorf("%+v: %d statements, %v", q, e.asked, err)
	}
}

// A listExplainer fails the test for every list that walks or sorts too much.
type listExplainer struct {
	explainer
	q ledger.RowQuery
}

func (e *listExplainer) query(ctx context.Context, query string, args ...any) (rows, error) {
	e.asked++
	steps := plan(e.t, e.s, query, args...)
	for _, step := range steps {
		// Rows in a state that nobody knows are few, and have an index to themselves.
		whole := strings.HasPrefix(step, "SCAN c") && !strings.HasSuffix(step, "claims_odd")
		// Keys are unique but for the rule: a few rows of one key are put in order.
		sorted := strings.Contains(step, "TEMP B-TREE") && !(e.q.Order == ledger.ByKey && strings.Contains(step, "LAST TERM"))
		if whole || sorted {
			e.t.Errorf("%+v\n%s\n%s", e.q, query, strings.Join(steps, "\n"))
		}
	}
	return e.s.read.QueryContext(ctx, query, args...)
}

// TestOtherStatementsWalkAnIndex runs every other call of the viewer and the claim
// path on a querier that explains instead of asking.
func TestOtherStatementsWalkAnIndex(t *testing.T) {
	s := openStore(t)
	e := &explainer{t: t, s: s}
	ctx := t.Context()
	r := reading{e}
	_, _, _ = r.Load(ctx, 1, "a")
	_, _, _ = single(ctx, e, scanNumber, findRow, "a", 1)
	_, _ = r.Tied(ctx, 1, []string{"a"})
	_, _ = r.LastChange(ctx, 1)
	_, _ = r.RuleVersions(ctx, 1)
	_, _ = r.Events(ctx, 1, "a")
	_, _ = r.Arrivals(ctx, 1)
	_, _ = r.DoneBefore(ctx, 1, time.Now())
	_, _, _ = r.RuleNamed(ctx, "default")
	_, _, _, _ = r.TokenByHash(ctx, make([]byte, 32))
	_, _, _ = r.Setting(ctx, "a")
	_, _ = r.Settings(ctx, "a")
	_ = r.countStuck(ctx, time.Now(), &ledger.Counts{})
	_, _ = r.CopiesByDay(ctx, time.Now().AddDate(0, -1, 0), time.Now())
	_, _ = r.CallsByHour(ctx, time.Now().AddDate(0, 0, -1), time.Now())
	if e.asked != 15 {
		t.Errorf("%d statements explained", e.asked)
	}
	for _, query := range []string{
		"SELECT state, claimed_at FROM seen WHERE key = 'a'",
		"DELETE FROM calls_by_hour WHERE hour < 500",
		strings.ReplaceAll(rowsAt(3), "?", "7"),
		"DELETE FROM claims WHERE id IN (" + strings.Replace(strings.Replace(pruned, "?", "1", 2), "?", "500", 1) + ")",
	} {
		for _, step := range plan(t, s, query) {
			if strings.HasPrefix(step, "SCAN c") {
				t.Errorf("%s\n%s", query, step)
			}
		}
	}
}

// An explainer fails the test for every query whose plan walks a whole table.
type explainer struct {
	t     *testing.T
	s     *Store
	asked int
}

func (e *explainer) query(ctx context.Context, query string, args ...any) (rows, error) {
	e.asked++
	for _, step := range plan(e.t, e.s, query, args...) {
		if strings.HasPrefix(step, "SCAN ") && !strings.Contains(step, "CONSTANT ROW") {
			e.t.Errorf("%s\n%s", query, step)
		}
	}
	return e.s.read.QueryContext(ctx, query, args...)
}
