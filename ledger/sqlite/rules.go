package sqlite

import (
	"context"
	"database/sql"
	"fmt"

	"dedupedesk/ledger"
)

const ruleColumns = `id, name, title, version, doc, lease, keep, on_expiry, max_attempts, retry_window,
	created_at, changed_at, archived_at`

func scanRule(rows *sql.Rows) (ledger.Rule, error) {
	var r ledger.Rule
	var lease, keep, window int64
	err := rows.Scan(&r.ID, &r.Name, &r.Title, &r.Version, &r.Doc, &lease, &keep,
		&r.Policy.OnExpiry, &r.Policy.MaxAttempts, &window,
		stamp{&r.CreatedAt}, stamp{&r.ChangedAt}, stamp{&r.ArchivedAt})
	r.Policy.Lease, r.Policy.Keep, r.Policy.RetryWindow = duration(lease), duration(keep), duration(window)
	if window < 0 {
		r.Policy.RetryWindow = -1
	}
	return r, err
}

// RuleNamed returns the rule of that name, archived or not.
func (r reading) RuleNamed(ctx context.Context, name string) (ledger.Rule, bool, error) {
	return single(ctx, r.db, scanRule, `SELECT `+ruleColumns+` FROM rules WHERE name = ?`, name)
}

// AllRules returns every rule by name.
func (r reading) AllRules(ctx context.Context) ([]ledger.Rule, error) {
	return collect(ctx, r.db, scanRule, `SELECT `+ruleColumns+` FROM rules ORDER BY name`)
}

// SaveRule adds or overwrites a rule.
func (t tx) SaveRule(ctx context.Context, r ledger.Rule) (int64, error) {
	doc := r.Doc
	if doc == nil {
		doc = []byte{}
	}
	p := r.Policy
	window := p.RetryWindow.Milliseconds()
	if p.RetryWindow < 0 {
		window = -1
	}
	values := []any{r.Name, r.Title, r.Version, doc, p.Lease.Milliseconds(), p.Keep.Milliseconds(),
		string(p.OnExpiry), p.MaxAttempts, window, ms(r.CreatedAt), ms(r.ChangedAt), ms(r.ArchivedAt)}
	if r.ID == 0 {
		res, err := t.w.ExecContext(ctx, `
			INSERT INTO rules (name, title, version, doc, lease, keep, on_expiry, max_attempts, retry_window,
				created_at, changed_at, archived_at)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, values...)
		if err != nil {
			return 0, err
		}
		return res.LastInsertId()
	}
	ok, err := t.changed(ctx, `
		UPDATE rules
		SET name = ?, title = ?, version = ?, doc = ?, lease = ?, keep = ?, on_expiry = ?, max_attempts = ?,
			retry_window = ?, created_at = ?, changed_at = ?, archived_at = ?
		WHERE id = ?`, append(values, r.ID)...)
	if err == nil && !ok {
		err = fmt.Errorf("rule %d is not there", r.ID)
	}
	return r.ID, err
}
