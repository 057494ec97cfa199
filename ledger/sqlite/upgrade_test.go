package sqlite

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"dedupedesk/ledger"
)

// fileOfSchema makes a file as a program that knew so many migrations, two or more, left it, with
// keys in every state, one that nobody knows among them.
func fileOfSchema(t *testing.T, version int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "ledger.db")
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=journal_mode(WAL)")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	all, err := migrations()
	if err != nil {
		t.Fatal(err)
	}
	var queries []string
	for _, m := range all[:version] {
		queries = append(queries, m.text)
	}
	queries = append(queries, "PRAGMA ignore_check_constraints = 1",
		"INSERT INTO rules (name, lease, keep, on_expiry, created_at, changed_at) VALUES ('shop', 60000, 3600000, 'next', 1, 1)")
	for i := range 50 {
		state := [...]string{"claimed", "done", "retryable", "held", "paused"}[i%5]
		queries = append(queries, fmt.Sprintf(`
			INSERT INTO claims (rule_id, key, state, fence, token, attempts, lease,
				first_seen, claimed_at, lease_until, done_at, next_try_at, changed_at, called_at, stuck_at)
			VALUES (2, 'key-%02d', '%s', 1, '1.x', 1, 60000, %[3]d, %[3]d, %[3]d, %[3]d, %[3]d, %[3]d, %[3]d, %s)`,
			i, state, 1790000000000+int64(i*7919%50), map[bool]string{true: "NULL", false: fmt.Sprint(1790000000000 + i)}[state == "done"]))
	}
	queries = append(queries, "UPDATE claims SET copies = id", "INSERT INTO events (rule_id, key, at, kind) VALUES (2, 'key-01', 5, 'granted')",
		fmt.Sprintf("PRAGMA user_version = %d", version))
	for _, query := range queries {
		if _, err := db.Exec(query); err != nil {
			t.Fatalf("schema %d: %s: %v", version, query, err)
		}
	}
	return path
}

// TestFilesOfEverySchemaAreUpgradedInPlace: what they hold stays, in its order.
func TestFilesOfEverySchemaAreUpgradedInPlace(t *testing.T) {
	all, err := migrations()
	if err != nil {
		t.Fatal(err)
	}
	for version := 2; version < len(all); version++ {
		t.Run(fmt.Sprint(version), func(t *testing.T) {
			s, err := Open(fileOfSchema(t, version))
			if err != nil {
				t.Fatal(err)
			}
			l := ledger.New(s, ledger.SystemClock(), nil)
			defer l.Close()
			for _, rule := range []string{"", "shop"} {
				wantInOrder(t, l, ledger.KeyQuery{Rule: rule, Limit: 7})
				wantInOrder(t, l, ledger.KeyQuery{Rule: rule, Limit: 7, Since: time.UnixMilli(1790000000000)})
			}
			c, err := l.Counts(t.Context())
			if err != nil || c.Total != 50 || c.Finished != 10 || c.Stuck != 40 || c.InProgress != 0 {
				t.Errorf("%+v, %v", c, err)
			}
			if life, err := l.Key(t.Context(), "shop", "key-01"); err != nil || len(life.Events) != 3 {
				t.Errorf("%+v, %v", life, err)
			}
			if a, err := l.Claim(t.Context(), ledger.ClaimRequest{Rule: "shop", Key: "new"}); err != nil || !a.Run {
				t.Errorf("%+v, %v", a, err)
			}
			if a, err := l.Claim(t.Context(), ledger.ClaimRequest{Rule: "shop", Key: "key-01"}); err != nil || a.Status != ledger.StatusDone {
				t.Errorf("%+v, %v", a, err)
			}
			wantCounters(t, s)
		})
	}
}

// wantInOrder wants all fifty keys, the newest change first, page by page.
func wantInOrder(t *testing.T, l *ledger.Ledger, q ledger.KeyQuery) {
	t.Helper()
	var keys []ledger.Key
	for {
		page, err := l.Keys(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, page.Keys...)
		if q.Cursor = page.Next; q.Cursor == "" {
			break
		}
	}
	newest := func(a, b ledger.Key) int { return b.ChangedAt.Compare(a.ChangedAt) }
	odd := 0
	for _, k := range keys {
		if !k.State.Known() {
			odd++
		}
	}
	if len(keys) != 50 || odd != 10 || !slices.IsSortedFunc(keys, newest) {
		t.Errorf("rule %q: %d keys, %d of them odd, sorted %v", q.Rule, len(keys), odd, slices.IsSortedFunc(keys, newest))
	}
}

// wantCounters compares what triggers have counted with what is there.
func wantCounters(t *testing.T, s *Store) {
	t.Helper()
	columns := []string{"total - count(c.id)", "n.copies - sum(c.copies)", "last_call_at - max(c.called_at)"}
	for _, state := range []string{"claimed", "done", "retryable", "held"} {
		columns = append(columns, fmt.Sprintf("n.%s - sum(c.state = '%[1]s')", state))
	}
	rows, err := s.read.Query("SELECT abs(" + strings.Join(columns, ") + abs(") + `)
		FROM rule_counts AS n JOIN claims AS c ON c.rule_id = n.rule_id GROUP BY n.rule_id`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var off int64
		if err := rows.Scan(&off); err != nil || off != 0 {
			t.Errorf("a rule's counters are off by %d, %v", off, err)
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
}
