package sqlite

import (
	"context"
	"time"

	"dedupedesk/ledger"
)

// RuleVersions returns what is kept of a rule's versions, newest first.
func (r reading) RuleVersions(ctx context.Context, ruleID int64) ([]ledger.RuleVersion, error) {
	scan := func(row scanner) (v ledger.RuleVersion, err error) {
		err = row.Scan(&v.Version, &v.Doc, stamp{&v.Since}, &v.Why, &v.By)
		return v, err
	}
	return collect(ctx, r.db, scan, `
		SELECT version, doc, since, why, saved_by
		FROM rule_versions
		WHERE rule_id = ?
		ORDER BY version DESC`, ruleID)
}

// AddRuleVersion keeps a version.
func (t tx) AddRuleVersion(_ context.Context, ruleID int64, v ledger.RuleVersion) error {
	_, err := t.exec(`INSERT INTO rule_versions (rule_id, version, doc, since, why, saved_by) VALUES (?, ?, ?, ?, ?, ?)`,
		ruleID, v.Version, docBytes(v.Doc), ms(v.Since), string(v.Why), v.By)
	return err
}

// DropRuleVersion forgets a version.
func (t tx) DropRuleVersion(_ context.Context, ruleID, version int64) error {
	_, err := t.exec(`DELETE FROM rule_versions WHERE rule_id = ? AND version = ?`, ruleID, version)
	return err
}

// docBytes is what is stored of a rule file: an empty one is not NULL.
func docBytes(doc []byte) []byte {
	if doc == nil {
		return []byte{}
	}
	return doc
}

// lastChange looks at the newest row of each state, which an index holds. Rows in a
// state that nobody knows were written by another program.
const lastChange = `
	SELECT max(at) FROM (
		SELECT max(changed_at) AS at FROM claims WHERE rule_id = ?1 AND state = 'claimed' UNION ALL
		SELECT max(changed_at) FROM claims WHERE rule_id = ?1 AND state = 'done' UNION ALL
		SELECT max(changed_at) FROM claims WHERE rule_id = ?1 AND state = 'retryable' UNION ALL
		SELECT max(changed_at) FROM claims WHERE rule_id = ?1 AND state = 'held')`

// LastChange returns the newest changed_at of a rule's rows.
func (r reading) LastChange(ctx context.Context, ruleID int64) (time.Time, error) {
	scan := func(row scanner) (at time.Time, err error) {
		err = row.Scan(stamp{&at})
		return at, err
	}
	at, _, err := single(ctx, r.db, scan, lastChange, ruleID)
	return at, err
}

// Tied returns for each key the row that it has or is tied to.
func (r reading) Tied(ctx context.Context, ruleID int64, keys []string) ([]ledger.Row, error) {
	rows := make([]ledger.Row, 0, len(keys))
	for _, key := range keys {
		row, _, err := single(ctx, r.db, scanRow, `
			SELECT `+rowColumns+`
			FROM claims AS c
			WHERE c.id = coalesce(
				(SELECT id FROM claims INDEXED BY claims_key WHERE key = ?1 AND rule_id = ?2),
				(SELECT claim_id FROM tied_keys WHERE key = ?1 AND rule_id = ?2))`, key, ruleID)
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// Tie makes a key mean a row. There is one writer at a time, so who has looked knows
// that the key has neither row nor tie.
func (t tx) Tie(_ context.Context, ruleID int64, key string, rowID int64) error {
	_, err := t.exec(`INSERT OR REPLACE INTO tied_keys (key, rule_id, claim_id) VALUES (?, ?, ?)`, key, ruleID, rowID)
	return err
}
