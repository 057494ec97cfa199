package sqlite

import (
	"context"

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

// Load returns the row of a key. Most keys that are claimed are new, and the index
// alone tells so; a row has many columns to fetch.
func (t tx) Load(ctx context.Context, ruleID int64, key string) (ledger.Row, bool, error) {
	id, ok, err := single(ctx, t.reading.db, scanNumber, findRow, key, ruleID)
	if err != nil || !ok {
		return ledger.Row{}, false, err
	}
	row, ok, err := single(ctx, t.reading.db, scanRow, `SELECT `+rowColumns+` FROM claims AS c WHERE c.id = ?`, id)
	if err == nil && ok {
		t.loaded = row
	}
	return row, ok, err
}

const findRow = `SELECT id FROM claims INDEXED BY claims_key WHERE key = ? AND rule_id = ?`

// Insert adds a row unless its key has one.
func (t tx) Insert(_ context.Context, r ledger.Row) (int64, bool, error) {
	is := cellsOf(r)
	text, set := t.w.inserts.text(is.differ(newCells))
	res, err := t.exec(text, is.values(set, r.RuleID, r.Key)...)
	if err != nil {
		return 0, false, err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return 0, false, err
	}
	id, err := res.LastInsertId()
	return id, true, err
}

// Replace writes a row over the stored one of the same version. Where this call has
// loaded that one it writes only what differs: each column named costs its indexes.
func (t tx) Replace(_ context.Context, r ledger.Row) (bool, error) {
	is, set := cellsOf(r), allCells
	if t.loaded.ID == r.ID && t.loaded.Version == r.Version {
		set = is.differ(cellsOf(t.loaded))
	}
	t.loaded = ledger.Row{}
	text, set := t.w.updates.text(set)
	return t.changed(text, append(is.values(set), r.ID, r.Version)...)
}

// Remove deletes the row of the same version. A trigger deletes its arrivals.
func (t tx) Remove(_ context.Context, r ledger.Row) (bool, error) {
	return t.changed("DELETE FROM claims WHERE id = ? AND version = ?", r.ID, r.Version)
}
