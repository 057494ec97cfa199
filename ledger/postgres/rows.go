package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"dedupedesk/ledger"
)

const rowColumns = `c.id, c.rule_id, coalesce((SELECT r.name FROM rules AS r WHERE r.id = c.rule_id), ''), c.key, c.version,
	c.state, c.fence, c.token, c.owner, c.plain, c.taken_over, c.released, c.attempts, c.lease,
	c.first_seen, c.claimed_at, c.lease_until, c.done_at, c.next_try_at, c.changed_at, c.called_at, c.stuck_at,
	c.last_error, c.result, c.fingerprint, c.copies, c.mismatches, c.stale_calls, c.generation`

func scanRow(rows pgx.Rows) (ledger.Row, error) {
	var r ledger.Row
	var lease int64
	err := rows.Scan(&r.ID, &r.RuleID, &r.Rule, text{&r.Key}, &r.Version,
		&r.State, &r.Fence, &r.Token, &r.Owner, &r.Plain, &r.TakenOver, &r.Released, &r.Attempts, &lease,
		stamp{&r.FirstSeen}, stamp{&r.ClaimedAt}, stamp{&r.LeaseUntil}, stamp{&r.DoneAt},
		stamp{&r.NextTryAt}, stamp{&r.ChangedAt}, stamp{&r.CalledAt}, stamp{&r.StuckAt},
		&r.LastError, &r.Result, &r.Fingerprint, &r.Copies, &r.Mismatches, &r.StaleCalls, &r.Generation)
	r.Lease = duration(lease)
	return r, err
}

// Load returns the row of a key.
func (r reading) Load(ctx context.Context, ruleID int64, key string) (ledger.Row, bool, error) {
	return single(ctx, r.s, scanRow, r.load(), []byte(key), ruleID)
}

func (r reading) load() string {
	return `
		SELECT ` + rowColumns + `
		FROM claims AS c
		WHERE c.key = $1 AND c.rule_id = $2` + r.lock
}

// Load returns the row of a key and locks it, so that callers for one key take turns
// instead of refuting one another. The time comes along, read after any wait for the lock.
func (t *tx) Load(ctx context.Context, ruleID int64, key string) (ledger.Row, bool, error) {
	rows, take := taking(scanRow)
	t.s.later(t.load(), []byte(key), ruleID).Query(take)
	t.s.askTime()
	err := t.s.send(ctx)
	row, ok, err := first(*rows, err)
	if ok {
		t.remember(row)
	}
	if err == nil {
		t.absent[keyOf{ruleID, key}] = !ok
	}
	return row, ok, err
}

// Rows returns up to q.Limit rows in q's order.
func (r reading) Rows(ctx context.Context, q ledger.RowQuery) ([]ledger.Row, error) {
	if q.Order != ledger.ByStuck {
		return r.page(ctx, q, rowsQuery)
	}
	// Those in a state that nobody knows come last, and against the order first.
	parts := []func(ledger.RowQuery) (string, []any){rowsQuery, oddQuery}
	if amongOdd(q.After) {
		parts = parts[1:]
	}
	if q.Back {
		parts = []func(ledger.RowQuery) (string, []any){oddQuery, rowsQuery}
		if q.After.ID != 0 && !amongOdd(q.After) {
			parts = parts[1:]
		}
	}
	var rows []ledger.Row
	for _, part := range parts {
		found, err := r.page(ctx, q, part)
		if rows = append(rows, found...); err != nil {
			return rows, err
		}
		if q.Limit -= len(found); q.Limit == 0 {
			return rows, nil
		}
	}
	return rows, nil
}

func (r reading) page(ctx context.Context, q ledger.RowQuery, build func(ledger.RowQuery) (string, []any)) ([]ledger.Row, error) {
	query, args := build(q)
	return planned(ctx, r.s, scanRow, query+r.lock, args...)
}

// Rows returns rows and locks them.
func (t *tx) Rows(ctx context.Context, q ledger.RowQuery) ([]ledger.Row, error) {
	rows, err := t.reading.Rows(ctx, q)
	for _, r := range rows {
		t.remember(r)
	}
	return rows, err
}

// maxKey is how many bytes of a key an index entry has room for. Every key that can be
// claimed is shorter.
const maxKey = 2000

const insert = `
	INSERT INTO claims (rule_id, key, state, fence, token, owner, plain, taken_over, released, attempts, lease,
		first_seen, claimed_at, lease_until, done_at, next_try_at, changed_at, called_at, stuck_at,
		last_error, result, fingerprint, copies, mismatches, stale_calls, generation, id)
	VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27)`

// Insert adds a row unless its key has one. Where Load found none, the answer is not
// waited for: should the key have a row by then, the transaction fails and is tried again.
// It returns Invalid with field key for one of more than 2000 bytes, which only old
// files hold.
func (t *tx) Insert(ctx context.Context, r ledger.Row) (int64, bool, error) {
	if len(r.Key) > maxKey {
		return 0, false, &ledger.Error{Code: ledger.Invalid, Field: "key", Msg: "The event key is longer than 2000 bytes, which this database cannot hold."}
	}
	r.ID, r.Version = t.ids.next(time.Now()), 1
	values := append(append([]any{r.RuleID, []byte(r.Key)}, rowValues(r)...), r.ID)
	k := keyOf{r.RuleID, r.Key}
	if t.absent[k] {
		t.s.later(insert, values...)
		t.absent[k] = false
	} else if n, err := t.s.changed(ctx, insert+" ON CONFLICT (key, rule_id) DO NOTHING", values...); err != nil || n == 0 {
		return 0, false, err
	}
	t.remember(r)
	t.added(r)
	return r.ID, true, nil
}

// Replace writes a row over the stored one of the same version. The lock is held, so
// the answer is known before the statement is sent; should it not be so, the statement
// fails, because it sets version to NULL.
func (t *tx) Replace(ctx context.Context, r ledger.Row) (bool, error) {
	b, ok, err := t.standing(ctx, r.ID)
	if err != nil || !ok || b.version != r.Version {
		return false, err
	}
	t.s.later(`
		UPDATE claims
		SET state = $1, fence = $2, token = $3, owner = $4, plain = $5, taken_over = $6, released = $7, attempts = $8, lease = $9,
			first_seen = $10, claimed_at = $11, lease_until = $12, done_at = $13, next_try_at = $14, changed_at = $15, called_at = $16, stuck_at = $17,
			last_error = $18, result = $19, fingerprint = $20, copies = $21, mismatches = $22, stale_calls = $23, generation = $24,
			version = CASE WHEN version = $26 THEN version + 1 END
		WHERE id = $25`,
		append(rowValues(r), r.ID, r.Version)...)
	t.replaced(b, r)
	r.RuleID, r.Version = b.ruleID, r.Version+1
	t.remember(r)
	return true, nil
}

func rowValues(r ledger.Row) []any {
	return []any{
		string(r.State), r.Fence, r.Token, r.Owner, r.Plain, r.TakenOver, r.Released, r.Attempts, r.Lease.Milliseconds(),
		ms(r.FirstSeen), ms(r.ClaimedAt), ms(r.LeaseUntil), ms(r.DoneAt), ms(r.NextTryAt), ms(r.ChangedAt), ms(r.CalledAt), ms(r.StuckAt),
		r.LastError, r.Result, r.Fingerprint, r.Copies, r.Mismatches, r.StaleCalls, r.Generation,
	}
}

// Remove deletes the row of the same version, and its arrivals.
func (t *tx) Remove(ctx context.Context, r ledger.Row) (bool, error) {
	b, ok, err := t.standing(ctx, r.ID)
	if err != nil || !ok || b.version != r.Version {
		return false, err
	}
	t.s.later(`DELETE FROM claims WHERE id = $1`, r.ID)
	t.s.later(`DELETE FROM arrivals WHERE claim_id = $1`, r.ID)
	t.s.later(`DELETE FROM tied_keys WHERE claim_id = $1`, r.ID)
	delete(t.rows, r.ID)
	t.gone(b.ruleID, b.state, 1)
	return true, nil
}
