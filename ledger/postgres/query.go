package postgres

import (
	"fmt"
	"strings"

	"dedupedesk/ledger"
)

// The states that are known, and those that are not: word for word as claims_odd has it.
const (
	known = `state IN ('claimed', 'done', 'retryable', 'held')`
	odd   = `state NOT IN ('claimed', 'done', 'retryable', 'held')`
)

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
	f.narrow(q)
	return f.page(f.order(q), q.Limit), f.args
}

// oddQuery builds the statement of the rows in a state that nobody knows, which end the
// list of what needs a decision.
func oddQuery(q ledger.RowQuery) (string, []any) {
	var f filter
	f.add("c." + odd)
	if q.State != "" {
		f.add("c.state = ?", string(q.State))
	}
	f.narrow(q)
	way, than := direction(q)
	if amongOdd(q.After) {
		f.add("c.id"+than+"?", q.After.ID)
	}
	return f.page("c.id"+way, q.Limit), f.args
}

// amongOdd reports whether a page of what needs a decision starts among the rows in a
// state that nobody knows, which have needed one since 1970.
func amongOdd(p ledger.Position) bool { return p.ID != 0 && p.At.UnixMilli() == 0 }

// narrow adds what goes with every view.
func (f *filter) narrow(q ledger.RowQuery) {
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
}

// page returns the statement.
func (f *filter) page(order string, limit int) string {
	query := "SELECT " + rowColumns + "\nFROM claims AS c"
	if len(f.where) > 0 {
		query += "\nWHERE " + strings.Join(f.where, "\n\tAND ")
	}
	return fmt.Sprintf("%s\nORDER BY %s\nLIMIT %d", query, order, limit)
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
		f.add("c."+known+" AND c.stuck_at <= ?", q.Now.UnixMilli())
	}
	if state != "" {
		f.add("c.state = ?", string(state))
	}
	return state
}

// order adds where the page starts and returns the order.
func (f *filter) order(q ledger.RowQuery) string {
	var by string
	var from any = q.After.At.UnixMilli()
	switch q.Order {
	case ledger.ByStuck:
		by = "c.stuck_at"
	case ledger.ByKey:
		by, from = "c.key", []byte(q.After.Key)
	default:
		by = "c.changed_at"
	}
	way, than := direction(q)
	if q.After.ID != 0 && !(q.Order == ledger.ByStuck && amongOdd(q.After)) {
		f.add("("+by+", c.id)"+than+"(?, ?)", from, q.After.ID)
	}
	return by + way + ", c.id" + way
}

// direction returns how the order runs, and how a row that comes later compares.
func direction(q ledger.RowQuery) (way, than string) {
	if (q.Order == ledger.ByKey) != q.Back {
		return "", " > "
	}
	return " DESC", " < "
}
