package sqlite

import (
	"context"
	"time"
)

// DoneBefore counts the done rows of a rule with done_at before a time.
func (r reading) DoneBefore(ctx context.Context, ruleID int64, before time.Time) (int64, error) {
	n, _, err := single(ctx, r.db, scanNumber, `
		SELECT count(*)
		FROM claims INDEXED BY claims_done
		WHERE rule_id = ? AND state = 'done' AND done_at < ?`, ruleID, before.UnixMilli())
	return n, err
}

const pruned = `
	SELECT id FROM claims INDEXED BY claims_done
	WHERE rule_id = ? AND state = 'done' AND done_at < ?
	ORDER BY done_at
	LIMIT ?`

// Prune removes done rows with their history, oldest first.
func (t tx) Prune(ctx context.Context, ruleID int64, before time.Time, limit int) (int64, error) {
	_, err := t.exec(`
		DELETE FROM events
		WHERE id IN (
			SELECT e.id
			FROM claims AS c
			CROSS JOIN events AS e ON e.key = c.key AND e.rule_id = c.rule_id
			WHERE c.id IN (`+pruned+`))`, ruleID, before.UnixMilli(), limit)
	if err != nil {
		return 0, err
	}
	res, err := t.exec(`DELETE FROM claims WHERE id IN (`+pruned+`)`,
		ruleID, before.UnixMilli(), limit)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}
