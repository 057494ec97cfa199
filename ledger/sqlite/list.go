package sqlite

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"dedupedesk/ledger"
)

// stuckSince is from when on a row needs a decision, word for word as claims_stuck
// has it: SQLite finds the index by its text. It is 0 for a state that nobody knows.
const stuckSince = `CASE state WHEN 'claimed' THEN stuck_at WHEN 'done' THEN stuck_at
        WHEN 'retryable' THEN stuck_at WHEN 'held' THEN stuck_at ELSE 0 END`

// Rows returns up to q.Limit rows in q's order.
func (r reading) Rows(ctx context.Context, q ledger.RowQuery) ([]ledger.Row, error) {
	state := stateOf(q)
	switch {
	case q.Order == ledger.ByStuck:
		return r.listed(ctx, strand{q, state, "claims_stuck"})
	case q.Order == ledger.ByKey:
		return r.listed(ctx, strand{q, state, "claims_key"})
	case q.RuleID != 0 && state != "":
		return r.listed(ctx, strand{q, state, "claims_rule_state"})
	}
	return r.woven(ctx, q)
}

// listed returns the rows of one strand.
func (r reading) listed(ctx context.Context, s strand) ([]ledger.Row, error) {
	query, args := s.query(rowColumns)
	return collect(ctx, r.db, scanRow, query, args...)
}

// woven returns rows of several rules or states, the newest change first. Each rule
// and state has its own order in one index, so that a claim has fewer to write; the
// first places of each are put together, and then their rows are fetched.
func (r reading) woven(ctx context.Context, q ledger.RowQuery) ([]ledger.Row, error) {
	rules := []int64{q.RuleID}
	if q.RuleID == 0 {
		var err error
		if rules, err = collect(ctx, r.db, scanNumber, "SELECT id FROM rules"); err != nil {
			return nil, err
		}
	}
	var places []ledger.Position
	for _, s := range strands(q, rules) {
		query, args := s.query("c.changed_at, c.id")
		found, err := collect(ctx, r.db, scanPosition, query, args...)
		if err != nil {
			return nil, err
		}
		places = append(places, found...)
	}
	slices.SortFunc(places, func(a, b ledger.Position) int {
		if q.Back {
			a, b = b, a
		}
		return cmp.Or(b.At.Compare(a.At), cmp.Compare(b.ID, a.ID))
	})
	return r.at(ctx, places[:min(len(places), q.Limit)])
}

func scanPosition(row scanner) (p ledger.Position, err error) {
	err = row.Scan(stamp{&p.At}, &p.ID)
	return p, err
}

// at returns the rows at those places, in their order.
func (r reading) at(ctx context.Context, places []ledger.Position) ([]ledger.Row, error) {
	if len(places) == 0 {
		return nil, nil
	}
	order := make(map[int64]int, len(places))
	args := make([]any, len(places))
	for i, p := range places {
		order[p.ID], args[i] = i, p.ID
	}
	found, err := collect(ctx, r.db, scanRow, rowsAt(len(places)), args...)
	slices.SortFunc(found, func(a, b ledger.Row) int { return order[a.ID] - order[b.ID] })
	return found, err
}

func rowsAt(n int) string {
	return "SELECT " + rowColumns + "\nFROM claims AS c\nWHERE c.id IN (?" + strings.Repeat(", ?", n-1) + ")"
}

// strands are the lists that a list over rules or states is woven from.
func strands(q ledger.RowQuery, rules []int64) (all []strand) {
	states := []ledger.State{stateOf(q)}
	if states[0] == "" {
		states = []ledger.State{ledger.Claimed, ledger.Done, ledger.Retryable, ledger.Held}
		all = append(all, strand{q, "", "claims_odd"})
	}
	for _, rule := range rules {
		q.RuleID = rule
		for _, state := range states {
			all = append(all, strand{q, state, "claims_rule_state"})
		}
	}
	return all
}

// stateOf returns the one state that the rows of a query have, or "".
func stateOf(q ledger.RowQuery) ledger.State {
	switch q.View {
	case ledger.ViewInProgress:
		return ledger.Claimed
	case ledger.ViewWaiting:
		return ledger.Retryable
	case ledger.ViewFinished:
		return ledger.Done
	}
	return q.State
}

// A strand is a list in the order of one index. The index is named in the statement, so
// that a list can never turn into a walk through the table as the file grows or its
// statistics age.
type strand struct {
	q     ledger.RowQuery
	state ledger.State // "" = any, but in claims_odd: one that nobody knows
	index string
}

// query returns the statement and its values.
func (s strand) query(columns string) (string, []any) {
	var f filter
	if s.index == "claims_odd" { // word for word as the index has it
		f.add("state <> 'claimed' AND state <> 'done' AND state <> 'retryable' AND state <> 'held'")
	}
	f.wanted(s.q, s.state)
	f.after(s.q)
	by := "c.changed_at"
	switch s.q.Order {
	case ledger.ByStuck:
		by = stuckSince
	case ledger.ByKey:
		by = "c.key"
	}
	way := " DESC"
	if (s.q.Order == ledger.ByKey) != s.q.Back {
		way = ""
	}
	order := by + way + ", c.id" + way
	text := "SELECT " + columns + "\nFROM claims AS c INDEXED BY " + s.index
	if len(f.where) > 0 {
		text += "\nWHERE " + strings.Join(f.where, "\n\tAND ")
	}
	return text + "\nORDER BY " + order + "\nLIMIT ?", append(f.args, s.q.Limit)
}

// A filter collects the conditions of a statement and their values.
type filter struct {
	where []string
	args  []any
}

func (f *filter) add(cond string, values ...any) {
	f.where = append(f.where, cond)
	f.args = append(f.args, values...)
}

// wanted adds what q asks for.
func (f *filter) wanted(q ledger.RowQuery, state ledger.State) {
	switch q.View {
	case ledger.ViewInProgress, ledger.ViewWaiting:
		f.add("c.stuck_at > ?", q.Now.UnixMilli())
	case ledger.ViewStuck:
		// A page starts where the one before ended. The pair that says so in order
		// cannot: SQLite seeks no pair that holds an expression.
		from := q.Now
		switch {
		case q.After.ID != 0 && q.Back:
			f.add(stuckSince+" >= ?", q.After.At.UnixMilli())
		case q.After.ID != 0 && q.After.At.Before(from):
			from = q.After.At
		}
		f.add(stuckSince+" <= ?", from.UnixMilli())
	}
	if state != "" {
		f.add("c.state = ?", string(state))
	}
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
}

// after adds where the page starts.
func (f *filter) after(q ledger.RowQuery) {
	at, id := q.After.At.UnixMilli(), q.After.ID
	than := " < (?, ?)"
	if (q.Order == ledger.ByKey) != q.Back {
		than = " > (?, ?)"
	}
	switch {
	case id == 0:
	case q.Order == ledger.ByStuck:
		f.add("("+stuckSince+", c.id)"+than, at, id)
	case q.Order == ledger.ByKey:
		f.add("(c.key, c.id)"+than, q.After.Key, id)
	default:
		f.add("(c.changed_at, c.id)"+than, at, id)
	}
}
