package sqlite

import (
	"context"
	"strings"

	"dedupedesk/ledger"
)

// Rows returns up to q.Limit rows in q's order.
func (r reading) Rows(ctx context.Context, q ledger.RowQuery) ([]ledger.Row, error) {
	query, args := rowsQuery(q)
	return collect(ctx, r.db, scanRow, query, args...)
}

// stuckSince is from when on a row needs a decision, word for word as claims_stuck
// has it: SQLite finds the index by its text. It is 0 for a state that nobody knows.
const stuckSince = `CASE state WHEN 'claimed' THEN stuck_at WHEN 'done' THEN stuck_at
        WHEN 'retryable' THEN stuck_at WHEN 'held' THEN stuck_at ELSE 0 END`

// rowsQuery builds the statement of a page. The index is named, so that a list can
// never turn into a walk through the table as the file grows or its statistics age.
func rowsQuery(q ledger.RowQuery) (string, []any) {
	var b builder
	switch state := stateOf(q); {
	case q.Order == ledger.ByStuck:
		b.list(q, "claims_stuck", state)
		b.text += "\nORDER BY " + stuckSince + " DESC, c.id DESC"
	case q.Order == ledger.ByKey:
		b.list(q, "claims_key", state)
		b.text += "\nORDER BY c.key, c.id"
	case state != "":
		b.list(q, stateIndex(q), state)
		b.text += "\nORDER BY c.changed_at DESC, c.id DESC"
	default:
		for _, state := range []ledger.State{ledger.Claimed, ledger.Done, ledger.Retryable, ledger.Held} {
			b.list(q, stateIndex(q), state)
			b.text += "\nUNION ALL\n"
		}
		b.list(q, "claims_odd", "")
		b.text += "\nORDER BY c.changed_at DESC, c.id DESC"
	}
	return b.text + "\nLIMIT ?", append(b.args, q.Limit)
}

// stateIndex has the rows of a state in the order of their changes.
func stateIndex(q ledger.RowQuery) string {
	if q.RuleID != 0 {
		return "claims_rule_state"
	}
	return "claims_state"
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

// A builder collects the text of a statement and its values.
type builder struct {
	text string
	args []any
}

// list adds the rows that q asks for, by one index. state is "" for any.
func (b *builder) list(q ledger.RowQuery, index string, state ledger.State) {
	f := filter{args: b.args}
	f.index(index)
	f.query(q, state)
	f.after(q)
	b.args = f.args
	b.text += "SELECT " + rowColumns + "\nFROM claims AS c INDEXED BY " + index
	if len(f.where) > 0 {
		b.text += "\nWHERE " + strings.Join(f.where, "\n\tAND ")
	}
}

// A filter collects the conditions of a list and their values.
type filter struct {
	where []string
	args  []any
}

func (f *filter) add(cond string, values ...any) {
	f.where = append(f.where, cond)
	f.args = append(f.args, values...)
}

// query adds what q asks for.
func (f *filter) query(q ledger.RowQuery, state ledger.State) {
	switch q.View {
	case ledger.ViewInProgress, ledger.ViewWaiting:
		f.add("c.stuck_at > ?", q.Now.UnixMilli())
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

// index adds what lets SQLite use an index that has only some of the rows.
func (f *filter) index(name string) {
	if name == "claims_odd" {
		f.add("state <> 'claimed' AND state <> 'done' AND state <> 'retryable' AND state <> 'held'")
	}
}

// after adds where the page starts.
func (f *filter) after(q ledger.RowQuery) {
	at, id := q.After.At.UnixMilli(), q.After.ID
	switch {
	case id == 0:
	case q.Order == ledger.ByStuck:
		f.add("("+stuckSince+", c.id) < (?, ?)", at, id)
	case q.Order == ledger.ByKey:
		f.add("(c.key, c.id) > (?, ?)", q.After.Key, id)
	default:
		f.add("(c.changed_at, c.id) < (?, ?)", at, id)
	}
}
