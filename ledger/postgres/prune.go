package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"dedupedesk/ledger"
)

const doneBefore = `
	SELECT count(*)
	FROM claims
	WHERE rule_id = $1 AND state = 'done' AND done_at < $2`

// DoneBefore counts the done rows of a rule with done_at before a time.
func (r reading) DoneBefore(ctx context.Context, ruleID int64, before time.Time) (int64, error) {
	all, err := planned(ctx, r.s, scanNumber, doneBefore, ruleID, before.UnixMilli())
	n, _, err := first(all, err)
	return n, err
}

// pruned finds what prune removes. Rows that a caller or another prune has in its hands
// are left for the next one.
const pruned = `
	SELECT id, key
	FROM claims
	WHERE rule_id = $1 AND state = 'done' AND done_at < $2
	ORDER BY done_at
	LIMIT $3
	FOR UPDATE SKIP LOCKED`

// Prune removes done rows with their history and arrivals, oldest first.
func (t *tx) Prune(ctx context.Context, ruleID int64, before time.Time, limit int) (int64, error) {
	var ids []int64
	var keys [][]byte
	_, err := planned(ctx, t.s, func(rows pgx.Rows) (struct{}, error) {
		var id int64
		var key []byte
		err := rows.Scan(&id, &key)
		ids, keys = append(ids, id), append(keys, key)
		return struct{}{}, err
	}, pruned, ruleID, before.UnixMilli(), limit)
	if err != nil || len(ids) == 0 {
		return 0, err
	}
	t.s.later(`DELETE FROM events WHERE key = ANY($1) AND rule_id = $2`, keys, ruleID)
	t.s.later(`DELETE FROM arrivals WHERE claim_id = ANY($1)`, ids)
	t.s.later(`DELETE FROM tied_keys WHERE claim_id = ANY($1)`, ids)
	t.s.later(`DELETE FROM claims WHERE id = ANY($1)`, ids)
	t.gone(ruleID, ledger.Done, int64(len(ids)))
	return int64(len(ids)), nil
}
