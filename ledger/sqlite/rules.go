package sqlite

import (
	"context"
	"fmt"

	"dedupedesk/ledger"
)

const ruleColumns = `id, name, title, version, doc, lease, keep, on_expiry, max_attempts, retry_window,
	created_at, changed_at, archived_at, former_at`

func scanRule(row scanner) (ledger.Rule, error) {
	var r ledger.Rule
	var lease, keep, window int64
	err := row.Scan(&r.ID, &r.Name, &r.Title, &r.Version, &r.Doc, &lease, &keep,
		&r.Policy.OnExpiry, &r.Policy.MaxAttempts, &window,
		stamp{&r.CreatedAt}, stamp{&r.ChangedAt}, stamp{&r.ArchivedAt}, stamp{&r.FormerAt})
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

// RuleNamed returns the rule of that name, archived or not, from memory where nobody
// has written since it was read.
func (t tx) RuleNamed(ctx context.Context, name string) (ledger.Rule, bool, error) {
	known := &t.w.known
	if err := t.mayGoOn(); err != nil {
		return ledger.Rule{}, false, err
	}
	if r, ok := known.rule(name); ok {
		return r, true, nil
	}
	r, ok, err := t.reading.RuleNamed(ctx, name)
	if err == nil && ok {
		known.keep(r)
	}
	return r, ok, err
}

// SaveRule adds or overwrites a rule.
func (t tx) SaveRule(_ context.Context, r ledger.Rule) (int64, error) {
	t.w.known.change()
	p := r.Policy
	window := p.RetryWindow.Milliseconds()
	if p.RetryWindow < 0 {
		window = -1
	}
	values := []any{r.Name, r.Title, r.Version, docBytes(r.Doc), p.Lease.Milliseconds(), p.Keep.Milliseconds(),
		string(p.OnExpiry), p.MaxAttempts, window, ms(r.CreatedAt), ms(r.ChangedAt), ms(r.ArchivedAt), ms(r.FormerAt)}
	if r.ID == 0 {
		res, err := t.exec(`
			INSERT INTO rules (name, title, version, doc, lease, keep, on_expiry, max_attempts, retry_window,
				created_at, changed_at, archived_at, former_at)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, values...)
		if err != nil {
			return 0, err
		}
		return res.LastInsertId()
	}
	ok, err := t.changed(`
		UPDATE rules
		SET name = ?, title = ?, version = ?, doc = ?, lease = ?, keep = ?, on_expiry = ?, max_attempts = ?,
			retry_window = ?, created_at = ?, changed_at = ?, archived_at = ?, former_at = ?
		WHERE id = ?`, append(values, r.ID)...)
	if err == nil && !ok {
		err = fmt.Errorf("rule %d is not there", r.ID)
	}
	return r.ID, err
}
