package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"dedupedesk/ledger"
)

// ordersRule has nine of ten keys of a filled file; the rule default has the rest.
const ordersRule = "orders"

// filledDays is how long ago the oldest key of a filled file was claimed.
const filledDays = 31

// A kind is how a key's life went. Of each, the ledger makes one key, whose rows are
// then repeated, so that filled rows are the ledger's own but for key, token and time.
type kind struct {
	name  string
	every int // one of so many keys is of this kind; a kind listed first goes first
	live  func(context.Context, *ledger.Ledger, string) error
}

func kinds() []kind {
	return []kind{
		{"open", 1000, func(ctx context.Context, l *ledger.Ledger, key string) error {
			_, err := granted(ctx, l, key)
			return err
		}},
		{"tried-twice", 100, func(ctx context.Context, l *ledger.Ledger, key string) error {
			a, err := granted(ctx, l, key)
			if err != nil {
				return err
			}
			release := ledger.ReleaseRequest{Identity: ledger.Identity{Rule: ordersRule, Key: key, Token: a.Token}, Error: "HTTP 503"}
			if _, err := l.Release(ctx, release); err != nil {
				return err
			}
			return finished(ctx, l, key)
		}},
		{"copied", 20, func(ctx context.Context, l *ledger.Ledger, key string) error {
			if err := finished(ctx, l, key); err != nil {
				return err
			}
			a, err := l.Claim(ctx, ledger.ClaimRequest{Rule: ordersRule, Key: key, Owner: "run-2"})
			if err == nil && a.Status != ledger.StatusDone {
				err = fmt.Errorf("a copy was answered %s", a.Status)
			}
			return err
		}},
		{"plain", 1, finished},
	}
}

func granted(ctx context.Context, l *ledger.Ledger, key string) (ledger.Answer, error) {
	a, err := l.Claim(ctx, ledger.ClaimRequest{Rule: ordersRule, Key: key, Owner: "run-1"})
	if err == nil && !a.Run {
		err = fmt.Errorf("the claim of %s was answered %s", key, a.Status)
	}
	return a, err
}

func finished(ctx context.Context, l *ledger.Ledger, key string) error {
	a, err := granted(ctx, l, key)
	if err != nil {
		return err
	}
	_, err = l.Done(ctx, ledger.DoneRequest{
		Identity: ledger.Identity{Rule: ordersRule, Key: key, Token: a.Token},
		Result:   json.RawMessage(`{"id":"in_1PqR7sTuVwXyZ"}`),
	})
	return err
}

// fill makes a ledger at path with n keys and a few more, and looks through the
// ledger at some of them.
func (b *bench) fill(ctx context.Context, path string, n int) error {
	start := time.Now()
	if err := models(ctx, path); err != nil {
		return fmt.Errorf("fill: %w", err)
	}
	db, err := sql.Open("sqlite", "file://"+(&url.URL{Path: filepath.ToSlash(path)}).EscapedPath()+"?"+url.Values{"_pragma": {
		// Nothing that is made here has to outlive a power cut.
		"journal_mode(OFF)", "synchronous(OFF)", "locking_mode(EXCLUSIVE)", "cache_size(-500000)",
	}}.Encode())
	if err != nil {
		return fmt.Errorf("fill: %w", err)
	}
	db.SetMaxOpenConns(1)
	err = multiply(ctx, db, n)
	if err := errors.Join(err, db.Close(), settle(path)); err != nil {
		return fmt.Errorf("fill: %w", err)
	}
	b.say("  %d keys written in %v", n, time.Since(start).Round(time.Second/10))
	if err := inspect(ctx, path, n); err != nil {
		return fmt.Errorf("a filled file is not what the ledger would have written: %w", err)
	}
	return nil
}

// settle puts a file that nobody has open on disk, so that the system does not do it in
// the middle of what is measured.
func settle(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// models makes one key of each kind, by the ledger.
func models(ctx context.Context, path string) error {
	l, err := open(path)
	if err != nil {
		return err
	}
	defer l.Close()
	if _, err := l.PutRule(ctx, "", ledger.Rule{Name: ordersRule, Title: "Supplier orders", Policy: ledger.DefaultPolicy()}); err != nil {
		return err
	}
	for _, k := range kinds() {
		if err := k.live(ctx, l, k.name); err != nil {
			return err
		}
	}
	return nil
}

// multiply repeats the rows of the models. Claims come in the order of time, their
// keys are random. The counters are kept by the file's own triggers.
func multiply(ctx context.Context, db *sql.DB, n int) error {
	claims, err := columns(ctx, db, "claims", "id")
	if err != nil {
		return err
	}
	events, err := columns(ctx, db, "events", "id")
	if err != nil {
		return err
	}
	arrivals, err := columns(ctx, db, "arrivals")
	if err != nil {
		return err
	}
	kind := "CASE"
	for _, k := range kinds() {
		kind += fmt.Sprintf(" WHEN i %% %d = 0 THEN '%s'", k.every, k.name)
	}
	kind += " END"
	step := filledDays * 24 * time.Hour.Milliseconds() / int64(n)
	made := map[string]string{
		"key":     "'stripe:evt_' || lower(hex(randomblob(12)))",
		"rule_id": "CASE WHEN n.i % 10 = 9 THEN 1 ELSE m.rule_id END",
		"token":   "'1.' || substr(hex(randomblob(11)), 1, 22)",
		"copies":  "0",
	}
	for _, statement := range []string{
		`CREATE TEMP TABLE model AS SELECT * FROM claims`,
		`CREATE TEMP TABLE told AS SELECT m.key AS of, e.* FROM events AS e JOIN model AS m ON m.key = e.key`,
		`CREATE TEMP TABLE arrived AS SELECT m.key AS of, a.* FROM arrivals AS a JOIN model AS m ON m.id = a.claim_id`,
		// Which new row is of which kind, and how long before its model it lived.
		`CREATE TEMP TABLE made (id INTEGER PRIMARY KEY, i INTEGER, kind TEXT, ago INTEGER)`,
		fmt.Sprintf(`INSERT INTO made
			WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
			SELECT (SELECT max(id) FROM model) + i, i, %s, 3600000 + (%d - i) * %d FROM n`, n, kind, n, step),
		copyRows("claims", append(claims, "id"), `made AS n CROSS JOIN model AS m ON m.key = n.kind ORDER BY n.id`, made, "id", "n.id"),
		copyRows("events", events, `made AS n CROSS JOIN told AS m ON m.of = n.kind CROSS JOIN claims AS c ON c.id = n.id`, nil, "key", "c.key", "rule_id", "c.rule_id"),
		copyRows("arrivals", arrivals, `made AS n CROSS JOIN arrived AS m ON m.of = n.kind`, nil, "claim_id", "n.id"),
		// Copies are counted where a row's number changes.
		`UPDATE claims SET copies = (SELECT m.copies FROM made AS n JOIN model AS m ON m.key = n.kind WHERE n.id = claims.id)
			WHERE id IN (SELECT n.id FROM made AS n JOIN model AS m ON m.key = n.kind WHERE m.copies > 0)`,
	} {
		if _, err := db.ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("%w in\n%s", err, statement)
		}
	}
	return nil
}

// columns returns the columns of a table but for those named.
func columns(ctx context.Context, db *sql.DB, table string, but ...string) ([]string, error) {
	rows, err := db.QueryContext(ctx, "SELECT name FROM pragma_table_info(?)", table)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		if !slices.Contains(but, name) {
			all = append(all, name)
		}
	}
	return all, rows.Err()
}

// moments are the columns that hold a time.
var moments = []string{"first_seen", "claimed_at", "lease_until", "done_at", "next_try_at", "changed_at", "called_at", "stuck_at", "at"}

// copyRows returns the statement that copies rows m from a source, n.ago earlier,
// with what is made anew in place of what stands in the model.
func copyRows(table string, columns []string, source string, made map[string]string, more ...string) string {
	values := make([]string, len(columns))
	for i, c := range columns {
		values[i] = "m." + c
		if slices.Contains(moments, c) {
			values[i] += " - n.ago"
		}
		if text, ok := made[c]; ok {
			values[i] = text
		}
		for j := 0; j < len(more); j += 2 {
			if more[j] == c {
				values[i] = more[j+1]
			}
		}
	}
	return "INSERT INTO " + table + " (" + strings.Join(columns, ", ") + ")\nSELECT " + strings.Join(values, ", ") + "\nFROM " + source
}
