package postgres

import (
	"fmt"
	"strings"

	"dedupedesk/ledger"
)

// stuckSince is from when on a row needs a decision, word for word as claims_stuck has
// it. It is 0 for a state that nobody knows.
const stuckSince = `CASE WHEN state IN ('claimed', 'done', 'retryable', 'held') THEN stuck_at ELSE 0 END`

// A filter collects the conditions of a statement and their values.
type filter struct {
	where []string
	args  []any
}

// add adds a condition, whose question marks stand for the values.
func (f *filter) add(cond string, values ...any) {
	for _, v := range values {
		f.args = append(f.args, v)
		cond = strings.Replace(cond, "?", fmt.Sprintf("$%d", len(f.args)), 1)
	}
	f.where = append(f.where, cond)
}

// rowsQuery builds the statement of a page. Its order is that of an index, and the
// limit is part of the text, so that the planner knows how few rows are wanted.
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
		f.add("c.key >= ? AND c.key < ?", []byte(q.Prefix), []byte(q.Prefix+"\xff"))
	}
	if !q.Since.IsZero() {
		f.add("c.changed_at >= ?", q.Since.UnixMilli())
	}
	order := f.order(q)
	query := "SELECT " + rowColumns + "\nFROM claims AS c"
	if len(f.where) > 0 {
		query += "\nWHERE " + strings.Join(f.where, "\n\tAND ")
	}
	return fmt.Sprintf("%s\nORDER BY %s\nLIMIT %d", query, order, q.Limit), f.args
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
		// A page starts where the one before ended.
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

// order adds where the page starts and returns the order.
func (f *filter) order(q ledger.RowQuery) string {
	at, id := q.After.At.UnixMilli(), q.After.ID
	switch q.Order {
	case ledger.ByStuck:
		if id != 0 {
			f.add("("+stuckSince+", c.id) < (?, ?)", at, id)
		}
		return stuckSince + " DESC, c.id DESC"
	case ledger.ByKey:
		if id != 0 {
			f.add("(c.key, c.id) > (?, ?)", []byte(q.After.Key), id)
		}
		return "c.key, c.id"
	}
	if id != 0 {
		f.add("(c.changed_at, c.id) < (?, ?)", at, id)
	}
	return "c.changed_at DESC, c.id DESC"
}
