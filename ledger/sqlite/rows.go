package sqlite

import (
	"context"
	"strings"

	"dedupedesk/ledger"
)

const rowColumns = `c.id, c.rule_id, (SELECT r.name FROM rules AS r WHERE r.id = c.rule_id), c.key, c.version,
	c.state, c.fence, c.token, c.owner, c.plain, c.taken_over, c.released, c.attempts, c.lease,
	c.first_seen, c.claimed_at, c.lease_until, c.done_at, c.next_try_at, c.changed_at, c.called_at, c.stuck_at,
	c.last_error, c.result, c.fingerprint, c.copies, c.mismatches, c.stale_calls, c.generation`

func scanRow(row scanner) (ledger.Row, error) {
	var r ledger.Row
	var lease int64
	err := row.Scan(&r.ID, &r.RuleID, &r.Rule, &r.Key, &r.Version,
		&r.State, &r.Fence, &r.Token, &r.Owner, &r.Plain, &r.TakenOver, &r.Released, &r.Attempts, &lease,
		stamp{&r.FirstSeen}, stamp{&r.ClaimedAt}, stamp{&r.LeaseUntil}, stamp{&r.DoneAt},
		stamp{&r.NextTryAt}, stamp{&r.ChangedAt}, stamp{&r.CalledAt}, stamp{&r.StuckAt},
		&r.LastError, &r.Result, &r.Fingerprint, &r.Copies, &r.Mismatches, &r.StaleCalls, &r.Generation)
	r.Lease = duration(lease)
	return r, err
}

// Load returns the row of a key.
func (r reading) Load(ctx context.Context, ruleID int64, key string) (ledger.Row, bool, error) {
	return single(ctx, r.db, scanRow,
		`SELECT `+rowColumns+`
		FROM claims AS c INDEXED BY claims_key
		WHERE c.key = ? AND c.rule_id = ?`, key, ruleID)
}

// Rows returns up to q.Limit rows in q's order.
func (r reading) Rows(ctx context.Context, q ledger.RowQuery) ([]ledger.Row, error) {
	query, args := rowsQuery(q)
	return collect(ctx, r.db, scanRow, query, args...)
}

// stuckSince is from when on a row needs a decision, word for word as claims_stuck
// has it: SQLite finds the index by its text. It is 0 for a state that nobody knows.
const stuckSince = `CASE WHEN state IN ('claimed', 'done', 'retryable', 'held') THEN stuck_at ELSE 0 END`

// A filter collects the conditions of a statement and their values.
type filter struct {
	where []string
	args  []any
}

func (f *filter) add(cond string, values ...any) {
	f.where = append(f.where, cond)
	f.args = append(f.args, values...)
}

// rowsQuery builds the statement of a page. The index is named, so that a list can
// never turn into a walk through the table as the file grows or its statistics age.
func rowsQuery(q ledger.RowQuery) (string, []any) {
	var f filter
	state := f.view(q)
	if q.State != "" && q.State != state {
		f.add("c.state = ?", string(q.State))
	}
	if q.RuleID != 0 {
		f.add("c.rule_id = ?", q.RuleID)
	}
	if q.Prefix != "" {
		// No text in UTF-8 has the byte FF, so this is past every key with the prefix.
		f.add("c.key >= ? AND c.key < ?", q.Prefix, q.Prefix+"\xff")
	}
	if !q.Since.IsZero() {
		f.add("c.changed_at >= ?", q.Since.UnixMilli())
	}
	index, order := f.order(q, state)
	query := "SELECT " + rowColumns + "\nFROM claims AS c INDEXED BY " + index
	if len(f.where) > 0 {
		query += "\nWHERE " + strings.Join(f.where, "\n\tAND ")
	}
	return query + "\nORDER BY " + order + "\nLIMIT ?", append(f.args, q.Limit)
}

// view adds what the view asks for and returns the one state that its rows have, or "".
func (f *filter) view(q ledger.RowQuery) ledger.State {
	state := q.State
	switch q.View {
	case ledger.ViewInProgress:
		state = ledger.Claimed
		f.add("c.stuck_at > ?", q.Now.UnixMilli())
	case ledger.ViewWaiting:
		state = ledger.Retryable
		f.add("c.stuck_at > ?", q.Now.UnixMilli())
	case ledger.ViewFinished:
		state = ledger.Done
	case ledger.ViewStuck:
		// A page starts where the one before ended. The pair that says so in order
		// cannot: SQLite seeks no pair that holds an expression.
		from := q.Now
		if q.After.ID != 0 && q.After.At.Before(from) {
			from = q.After.At
		}
		f.add(stuckSince+" <= ?", from.UnixMilli())
	}
	if state != "" {
		f.add("c.state = ?", string(state))
	}
	return state
}

// order adds where the page starts and returns the index that has its order.
func (f *filter) order(q ledger.RowQuery, state ledger.State) (index, order string) {
	at, id := q.After.At.UnixMilli(), q.After.ID
	switch {
	case q.Order == ledger.ByStuck:
		if id != 0 {
			f.add("("+stuckSince+", c.id) < (?, ?)", at, id)
		}
		return "claims_stuck", stuckSince + " DESC, c.id DESC"
	case q.Order == ledger.ByKey:
		if id != 0 {
			f.add("(c.key, c.id) > (?, ?)", q.After.Key, id)
		}
		return "claims_key", "c.key, c.id"
	}
	if id != 0 {
		f.add("(c.changed_at, c.id) < (?, ?)", at, id)
	}
	order = "c.changed_at DESC, c.id DESC"
	switch {
	case q.RuleID != 0 && state != "":
		return "claims_rule_state", order
	case q.RuleID != 0:
		return "claims_rule", order
	case state != "":
		return "claims_state", order
	}
	return "claims_changed", order
}

// Insert adds a row unless its key has one.
func (t tx) Insert(ctx context.Context, r ledger.Row) (int64, bool, error) {
	res, err := t.exec(`
		INSERT INTO claims (rule_id, key, state, fence, token, owner, plain, taken_over, released, attempts, lease,
			first_seen, claimed_at, lease_until, done_at, next_try_at, changed_at, called_at, stuck_at,
			last_error, result, fingerprint, copies, mismatches, stale_calls, generation)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (key, rule_id) DO NOTHING`,
		append([]any{r.RuleID, r.Key}, rowValues(r)...)...)
	if err != nil {
		return 0, false, err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return 0, false, err
	}
	id, err := res.LastInsertId()
	return id, true, err
}

// Replace writes a row over the stored one of the same version.
func (t tx) Replace(ctx context.Context, r ledger.Row) (bool, error) {
	return t.changed(`
		UPDATE claims
		SET state = ?, fence = ?, token = ?, owner = ?, plain = ?, taken_over = ?, released = ?, attempts = ?, lease = ?,
			first_seen = ?, claimed_at = ?, lease_until = ?, done_at = ?, next_try_at = ?, changed_at = ?, called_at = ?, stuck_at = ?,
			last_error = ?, result = ?, fingerprint = ?, copies = ?, mismatches = ?, stale_calls = ?, generation = ?,
			version = version + 1
		WHERE id = ? AND version = ?`,
		append(rowValues(r), r.ID, r.Version)...)
}

func rowValues(r ledger.Row) []any {
	return []any{
		string(r.State), r.Fence, r.Token, r.Owner, r.Plain, r.TakenOver, r.Released, r.Attempts, r.Lease.Milliseconds(),
		ms(r.FirstSeen), ms(r.ClaimedAt), ms(r.LeaseUntil), ms(r.DoneAt), ms(r.NextTryAt), ms(r.ChangedAt), ms(r.CalledAt), ms(r.StuckAt),
		r.LastError, r.Result, r.Fingerprint, r.Copies, r.Mismatches, r.StaleCalls, r.Generation,
	}
}

// Remove deletes the row of the same version. A trigger deletes its arrivals.
func (t tx) Remove(ctx context.Context, r ledger.Row) (bool, error) {
	return t.changed("DELETE FROM claims WHERE id = ? AND version = ?", r.ID, r.Version)
}
