package postgres

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"dedupedesk/ledger"
)

const ruleColumns = `id, name, title, version, doc, lease, keep, on_expiry, max_attempts, retry_window,
	created_at, changed_at, archived_at, former_at, edition`

// An edited is a rule and the count of its writes.
type edited struct {
	rule    ledger.Rule
	edition int64
}

func scanEdited(rows pgx.Rows) (e edited, err error) {
	var lease, keep, window int64
	r := &e.rule
	err = rows.Scan(&r.ID, &r.Name, &r.Title, &r.Version, &r.Doc, &lease, &keep,
		&r.Policy.OnExpiry, &r.Policy.MaxAttempts, &window,
		stamp{&r.CreatedAt}, stamp{&r.ChangedAt}, stamp{&r.ArchivedAt}, stamp{&r.FormerAt}, &e.edition)
	r.Policy.Lease, r.Policy.Keep, r.Policy.RetryWindow = duration(lease), duration(keep), duration(window)
	if window < 0 {
		r.Policy.RetryWindow = -1
	}
	return e, err
}

func scanRule(rows pgx.Rows) (ledger.Rule, error) {
	e, err := scanEdited(rows)
	return e.rule, err
}

const ruleNamed = `SELECT ` + ruleColumns + ` FROM rules WHERE name = $1`

// RuleNamed returns the rule of that name, archived or not.
func (r reading) RuleNamed(ctx context.Context, name string) (ledger.Rule, bool, error) {
	return single(ctx, r.s, scanRule, ruleNamed, name)
}

// RuleNamed returns the rule of that name. It is not locked: what is decided by it
// fails at the end if it was changed meanwhile, and is decided anew. The time comes
// along, and whether all is paused.
func (t *tx) RuleNamed(ctx context.Context, name string) (ledger.Rule, bool, error) {
	rules, take := taking(scanEdited)
	paused, takePaused := taking(scanBytes)
	t.s.later(ruleNamed, name).Query(take)
	t.s.later(settingNamed, []byte(ledger.SettingPaused)).Query(takePaused)
	t.s.askTime()
	err := t.s.send(ctx)
	e, ok, err := first(*rules, err)
	if err == nil {
		t.paused = paused
	}
	if ok {
		t.editions[e.rule.ID] = e.edition
	}
	return e.rule, ok, err
}

// AllRules returns every rule by name.
func (r reading) AllRules(ctx context.Context) ([]ledger.Rule, error) {
	all, err := collect(ctx, r.s, scanRule, `SELECT `+ruleColumns+` FROM rules`)
	// The database may sort by the rules of a language.
	slices.SortFunc(all, func(a, b ledger.Rule) int { return cmp.Compare(a.Name, b.Name) })
	return all, err
}

// SaveRule adds or overwrites a rule. The shards get the new edition, which waits for
// the claims that are being committed and fails those that were decided before.
func (t *tx) SaveRule(ctx context.Context, r ledger.Rule) (int64, error) {
	if r.ID == 0 {
		return t.addRule(ctx, r)
	}
	var edition *int64
	if e, ok := t.editions[r.ID]; ok {
		edition = &e
	}
	next, ok, err := single(ctx, t.s, scanNumber, `
		UPDATE rules
		SET name = $1, title = $2, version = $3, doc = $4, lease = $5, keep = $6, on_expiry = $7, max_attempts = $8,
			retry_window = $9, created_at = $10, changed_at = $11, archived_at = $12, former_at = $13,
			edition = CASE WHEN $15::BIGINT IS NULL OR edition = $15 THEN edition + 1 END
		WHERE id = $14
		RETURNING edition`, append(ruleValues(r), r.ID, edition)...)
	if err == nil && !ok {
		err = fmt.Errorf("rule %d is not there", r.ID)
	}
	if err != nil {
		return 0, err
	}
	t.editions[r.ID] = next
	t.s.later(`UPDATE rule_counts SET edition = $1 WHERE rule_id = $2`, next, r.ID)
	return r.ID, nil
}

func (t *tx) addRule(ctx context.Context, r ledger.Rule) (int64, error) {
	id, _, err := single(ctx, t.s, scanNumber, `
		INSERT INTO rules (name, title, version, doc, lease, keep, on_expiry, max_attempts, retry_window,
			created_at, changed_at, archived_at, former_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
		RETURNING id`, ruleValues(r)...)
	if err != nil {
		return 0, err
	}
	t.editions[id] = 1
	t.s.later(`INSERT INTO rule_counts (rule_id, shard, edition) SELECT $1::BIGINT, shard, 1 FROM generate_series(0, $2::BIGINT) AS shard`,
		id, shards-1)
	return id, nil
}

func ruleValues(r ledger.Rule) []any {
	p := r.Policy
	window := p.RetryWindow.Milliseconds()
	if p.RetryWindow < 0 {
		window = -1
	}
	return []any{r.Name, r.Title, r.Version, docBytes(r.Doc), p.Lease.Milliseconds(), p.Keep.Milliseconds(),
		string(p.OnExpiry), p.MaxAttempts, window, ms(r.CreatedAt), ms(r.ChangedAt), ms(r.ArchivedAt), ms(r.FormerAt)}
}
