package ledger

import (
	"context"
	"fmt"
)

// exportPage is how many rows are read in one snapshot, so that a long export holds
// no other work up.
const exportPage = 1000

// Export hands every key that q asks for to each, in the order of keys by code point.
// It reads page by page, however many keys there are: a key that is added meanwhile
// behind the place reached is not among them, and none comes twice. Of q it takes
// Rule, State, Prefix and Since. An error of each ends it and is returned.
//
// Export returns Invalid for a bad state or a member of q that it does not take,
// UnknownRule for a rule that never was, Busy and Corrupt.
func (l *Ledger) Export(ctx context.Context, q KeyQuery, each func(Key) error) error {
	if q.View != ViewAll || q.Cursor != "" || q.Limit != 0 {
		return invalid("view", "An export takes a rule, a state, a prefix and a time, and gives all of their keys.")
	}
	rows, err := q.rows()
	if err != nil {
		return err
	}
	rows.Order, rows.Limit = ByKey, exportPage
	for {
		found, err := l.rowsOf(ctx, q.Rule, &rows)
		if err != nil {
			return fmt.Errorf("export: %w", err)
		}
		for _, row := range found {
			if err := each(row.key(rows.Now)); err != nil {
				return fmt.Errorf("export: %w", err)
			}
		}
		if len(found) < rows.Limit {
			return nil
		}
		last := found[len(found)-1]
		rows.After = Position{Key: last.Key, ID: last.ID}
	}
}
