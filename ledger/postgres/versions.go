package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"dedupedesk/ledger"
)

// RuleVersions returns what is kept of a rule's versions, newest first.
func (r reading) RuleVersions(ctx context.Context, ruleID int64) ([]ledger.RuleVersion, error) {
	scan := func(rows pgx.Rows) (v ledger.RuleVersion, err error) {
		err = rows.Scan(&v.Version, &v.Doc, stamp{&v.Since}, &v.Why, &v.By)
		return v, err
	}
	return collect(ctx, r.s, scan, `
		SELECT version, doc, since, why, saved_by
		FROM rule_versions
		WHERE rule_id = $1
		ORDER BY version DESC`, ruleID)
}

// AddRuleVersion keeps a version. Two changes of one rule at once meet where the rule
// is saved.
func (t *tx) AddRuleVersion(_ context.Context, ruleID int64, v ledger.RuleVersion) error {
	t.s.later(`INSERT INTO rule_versions (rule_id, version, doc, since, why, saved_by) VALUES ($1, $2, $3, $4, $5, $6)`,
		ruleID, v.Version, docBytes(v.Doc), ms(v.Since), string(v.Why), v.By)
	return nil
}

// DropRuleVersion forgets a version.
func (t *tx) DropRuleVersion(_ context.Context, ruleID, version int64) error {
	t.s.later(`DELETE FROM rule_versions WHERE rule_id = $1 AND version = $2`, ruleID, version)
	return nil
}

// docBytes is what is stored of a rule file: an empty one is not NULL.
func docBytes(doc []byte) []byte {
	if doc == nil {
		return []byte{}
	}
	return doc
}

// lastChange looks at the newest row of each state, which an index holds.
const lastChange = `
	SELECT max(at) FROM (
		SELECT max(changed_at) AS at FROM claims WHERE rule_id = $1 AND state = 'claimed' UNION ALL
		SELECT max(changed_at) FROM claims WHERE rule_id = $1 AND state = 'done' UNION ALL
		SELECT max(changed_at) FROM claims WHERE rule_id = $1 AND state = 'retryable' UNION ALL
		SELECT max(changed_at) FROM claims WHERE rule_id = $1 AND state = 'held') AS newest`

// LastChange returns the newest changed_at of a rule's rows. It locks none of them:
// whoever holds one may wait for the rule.
func (r reading) LastChange(ctx context.Context, ruleID int64) (time.Time, error) {
	scan := func(rows pgx.Rows) (at time.Time, err error) {
		err = rows.Scan(stamp{&at})
		return at, err
	}
	at, _, err := single(ctx, r.s, scan, lastChange, ruleID)
	return at, err
}

// tied finds the row of a key and the row that it is tied to, of which it has one.
const tied = `
	SELECT ` + rowColumns + `
	FROM claims AS c
	WHERE c.key = $1 AND c.rule_id = $2`

const tiedTo = `
	SELECT ` + rowColumns + `
	FROM claims AS c
	WHERE c.id = (SELECT t.claim_id FROM tied_keys AS t WHERE t.key = $1 AND t.rule_id = $2)`

// Tied returns for each key the row that it has or is tied to, in one trip.
func (r reading) Tied(ctx context.Context, ruleID int64, keys []string) ([]ledger.Row, error) {
	found := make([]*[]ledger.Row, 0, 2*len(keys))
	for _, key := range keys {
		for _, query := range []string{tied, tiedTo} {
			rows, take := taking(scanRow)
			r.s.later(query+r.lock, []byte(key), ruleID).Query(take)
			found = append(found, rows)
		}
	}
	r.s.askTime() // the locks may have been waited for
	if err := r.s.send(ctx); err != nil {
		return nil, err
	}
	rows := make([]ledger.Row, len(keys))
	for i := range rows {
		own, _, _ := first(*found[2*i], nil)
		if rows[i] = own; own.ID == 0 {
			rows[i], _, _ = first(*found[2*i+1], nil)
		}
	}
	return rows, nil
}

// Tied returns rows and locks them.
func (t *tx) Tied(ctx context.Context, ruleID int64, keys []string) ([]ledger.Row, error) {
	rows, err := t.reading.Tied(ctx, ruleID, keys)
	for _, row := range rows {
		if row.ID != 0 {
			t.remember(row)
		}
	}
	return rows, err
}

// Tie makes a key mean a row. Should it mean one by then, the transaction fails and is
// tried again.
func (t *tx) Tie(_ context.Context, ruleID int64, key string, rowID int64) error {
	t.s.later(`INSERT INTO tied_keys (key, rule_id, claim_id) VALUES ($1, $2, $3)`, []byte(key), ruleID, rowID)
	return nil
}
