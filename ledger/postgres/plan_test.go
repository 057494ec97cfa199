package postgres

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"dedupedesk/ledger"
	"dedupedesk/ledger/postgres/pgtest"
)

// many is how many keys the plans are made for. One in ten is of each state but done.
const many = 100_000

// opened returns a connection that explains, to a ledger of many keys.
func opened(t *testing.T) *pgx.Conn {
	t.Helper()
	url := pgtest.New(t)
	s, err := Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	pgtest.Exec(t, url, `
		INSERT INTO dedupe.claims (id, rule_id, key, state, fence, token, attempts, lease,
			first_seen, claimed_at, lease_until, done_at, next_try_at, changed_at, called_at, stuck_at)
		SELECT i, 1 + i % 3, convert_to('evt_' || i, 'UTF8'), state, 1, '1.x', 1, 900000,
			at, at, at + 900000, at, CASE WHEN state = 'retryable' THEN at END, at, at,
			CASE WHEN state <> 'done' THEN at + (i % 7) * 1000000000::BIGINT END
		FROM (
			SELECT i, 1700000000000 + i * 60000::BIGINT AS at,
				CASE i % 10 WHEN 0 THEN 'claimed' WHEN 1 THEN 'retryable' WHEN 2 THEN 'held' ELSE 'done' END AS state
			FROM generate_series(1, $1) AS i) AS rows`, many)
	pgtest.Exec(t, url, `
		INSERT INTO dedupe.events (rule_id, key, at, kind)
		SELECT rule_id, key, 1, 'granted' FROM dedupe.claims;
		INSERT INTO dedupe.arrivals (claim_id, slot, n, at, status)
		SELECT id, 1, 1, 1, 'done' FROM dedupe.claims;
		INSERT INTO dedupe.tied_keys (key, rule_id, claim_id) SELECT key, rule_id, id FROM dedupe.claims;
		INSERT INTO dedupe.settings (name, value) SELECT convert_to('s' || i, 'UTF8'), '' FROM generate_series(1, 5000) AS i;
		INSERT INTO dedupe.tokens (name, scope, hash, last4, created_at)
		SELECT 't' || i, 'claim', sha256(convert_to('t' || i, 'UTF8')), 'abcd', 1 FROM generate_series(1, 5000) AS i;
		INSERT INTO dedupe.copies_by_day (day, rule_id, shard, copies)
		SELECT i / 32, 1, i % 32, 1 FROM generate_series(1, 32000) AS i;
		INSERT INTO dedupe.calls_by_hour (hour, rule_id, shard, granted, copies, mismatches)
		SELECT i / 32, 1, i % 32, 1, 1, 1 FROM generate_series(1, 32000) AS i`)
	// What autovacuum does by itself in a database that is in use.
	pgtest.Exec(t, url, `VACUUM ANALYZE`)
	conn, err := pgx.Connect(t.Context(), url+"&search_path=dedupe")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn
}

// A node is one step of a plan.
type node struct {
	Type    string  `json:"Node Type"`
	Table   string  `json:"Relation Name"`
	Rows    float64 `json:"Actual Rows"`
	Removed float64 `json:"Rows Removed by Filter"`
	Plans   []node  `json:"Plans"`
}

// explain runs a statement and returns its steps, and the whole plan.
func explain(t *testing.T, conn *pgx.Conn, query string, args ...any) ([]node, string) {
	t.Helper()
	var text string
	// The arguments are planned for, as the program does it.
	args = append([]any{pgx.QueryExecModeExec}, args...)
	if err := conn.QueryRow(t.Context(), "EXPLAIN (ANALYZE, FORMAT JSON) "+query, args...).Scan(&text); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	var plans []struct{ Plan node }
	if err := json.Unmarshal([]byte(text), &plans); err != nil || len(plans) != 1 {
		t.Fatalf("%v in %s", err, text)
	}
	var steps []node
	var walk func(node)
	walk = func(n node) {
		steps = append(steps, n)
		for _, p := range n.Plans {
			walk(p)
		}
	}
	walk(plans[0].Plan)
	return steps, text
}

// small are tables that hold a few rows for each rule, so that to read them is no walk.
var small = map[string]bool{"rules": true, "rule_counts": true}

// checkWalk fails the test if a step reads a whole table, passes more than most rows
// over, or hands on more than most rows.
func checkWalk(t *testing.T, conn *pgx.Conn, most float64, query string, args ...any) {
	t.Helper()
	steps, text := explain(t, conn, query, args...)
	for _, s := range steps {
		whole := s.Type == "Seq Scan" && !small[s.Table]
		if whole || s.Removed > most || s.Rows > most {
			t.Errorf("%s of %s gives %.0f rows and passes %.0f over\n%s\n%v\n%s", s.Type, s.Table, s.Rows, s.Removed, query, args, text)
			return
		}
	}
}

// TestViewerStatementsWalkAnIndex: no list of the viewer reads the table or sorts many
// rows, whatever is asked, from the first page on.
func TestViewerStatementsWalkAnIndex(t *testing.T) {
	conn := opened(t)
	now := time.UnixMilli(1700000000000 + many*60000 - 3_000_000_000).UTC()
	late := time.UnixMilli(1700000000000 + many*60000 - 600_000).UTC() // ten keys ago
	after := ledger.Position{At: now, Key: "evt_5", ID: 7}
	queries := 0
	for _, view := range []ledger.View{ledger.ViewAll, ledger.ViewInProgress, ledger.ViewFinished, ledger.ViewWaiting, ledger.ViewStuck} {
		for _, state := range []ledger.State{"", ledger.Claimed, ledger.Done} {
			for _, rule := range []int64{0, 1} {
				for _, prefix := range []string{"", "evt_500", "evt_"} {
					for _, since := range []time.Time{{}, late} {
						for _, order := range []ledger.Order{ledger.ByChange, ledger.ByKey, ledger.ByStuck} {
							if (order == ledger.ByStuck) != (view == ledger.ViewStuck) || (order == ledger.ByKey && (prefix == "" || !since.IsZero())) {
								continue
							}
							if narrow := prefix == "evt_500"; narrow && order != ledger.ByKey {
								continue // nobody asks for it: see KeyQuery.order
							}
							if contradict(view, state) {
								continue
							}
							for _, from := range []ledger.Position{{}, after} {
								for _, back := range []bool{false, true} {
									query, args := rowsQuery(ledger.RowQuery{View: view, State: state, RuleID: rule, Prefix: prefix,
										Since: since, Now: now, Order: order, After: from, Back: back, Limit: 51})
									checkWalk(t, conn, many/20, query, args...)
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

// contradict reports whether no row can be in the view and in the state: a list without
// rows is a walk to the end of its index.
func contradict(view ledger.View, state ledger.State) bool {
	switch view {
	case ledger.ViewInProgress:
		return state == ledger.Done
	case ledger.ViewWaiting:
		return state != ""
	case ledger.ViewFinished:
		return state == ledger.Claimed
	case ledger.ViewStuck:
		return state == ledger.Done
	}
	return false
}

// TestOtherStatementsWalkAnIndex looks at every other statement of the viewer and of the
// claim path.
func TestOtherStatementsWalkAnIndex(t *testing.T) {
	conn := opened(t)
	hash := make([]byte, 32)
	now := time.UnixMilli(1700000000000)
	for query, args := range map[string][]any{
		reading{}.load():                     {[]byte("evt_7"), 2},
		(reading{nil, " FOR UPDATE"}).load(): {[]byte("evt_7"), 2},
		`SELECT at FROM events WHERE key = $1 AND rule_id = $2 ORDER BY at, id`:                     {[]byte("evt_7"), 2},
		`SELECT at FROM arrivals WHERE claim_id = $1 ORDER BY n DESC`:                               {7},
		`SELECT ` + tokenColumns + ` FROM tokens WHERE hash = $1`:                                   {hash},
		`SELECT value FROM settings WHERE name = $1`:                                                {[]byte("a")},
		`SELECT name, value FROM settings WHERE name >= $1 AND name < $2`:                           {[]byte("s77"), []byte("s77\xff")},
		`SELECT coalesce(sum(copies), 0) FROM copies_by_day WHERE day > $1`:                         {995},
		`SELECT hour, sum(granted) FROM calls_by_hour WHERE hour >= $1 AND hour < $2 GROUP BY hour`: {990, 995},
		`DELETE FROM calls_by_hour WHERE hour < $1`:                                                 {5},
		`UPDATE claims SET copies = copies + 1 WHERE id = $1`:                                       {7},
		strings.Replace(pruned, "LIMIT $3", "LIMIT 500", 1):                                         {1, now.UnixMilli() + 60_000_000},
		`DELETE FROM events WHERE key = ANY($1) AND rule_id = $2`:                                   {[][]byte{[]byte("evt_7"), []byte("evt_9")}, 1},
		`DELETE FROM arrivals WHERE claim_id = ANY($1)`:                                             {[]int64{7, 9}},
		`DELETE FROM claims WHERE id = ANY($1)`:                                                     {[]int64{7, 9}},
		`DELETE FROM tied_keys WHERE claim_id = ANY($1)`:                                            {[]int64{7, 9}},
		tied:       {[]byte("evt_7"), 2},
		tiedTo:     {[]byte("evt_7"), 2},
		lastChange: {2},
	} {
		checkWalk(t, conn, many/20, query, args...)
	}
	// To count is to walk; no more than what is counted, and by the index alone.
	checkWalk(t, conn, many/20, stuckByState, now.UnixMilli()+2_000_000_000)
	checkWalk(t, conn, many/20, doneBefore, 1, now.UnixMilli()+1_000_000_000)
}
