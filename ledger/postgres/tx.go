package postgres

import (
	"context"
	"time"

	"dedupedesk/ledger"
)

// shards is how many rows hold the figures of a rule.
const shards = 32

// A tx writes within one transaction. It remembers the rows that it has loaded, whose
// lock it holds: so it knows what an update changes in the figures, and that the update
// will find the row. It remembers the keys that had no row, too.
type tx struct {
	reading
	ids      *idMaker
	shard    int64
	editions map[int64]int64  // of the rules that were read, by id
	paused   *[]string        // the setting, where it was read
	rows     map[int64]before // by id
	absent   map[keyOf]bool
	tallies  map[int64]*tally // by rule
	days     map[dayOf]int64  // copies
	hours    map[hourOf]*ledger.HourCalls
}

// A keyOf is a key of a rule.
type keyOf struct {
	ruleID int64
	key    string
}

// A before is what a row was.
type before struct {
	ruleID, version              int64
	copies, attempts, mismatches int64
	state                        ledger.State
	calledAt                     time.Time
}

func newTx(s *session, ids *idMaker) *tx {
	return &tx{
		reading: reading{s, " FOR UPDATE"}, ids: ids, absent: make(map[keyOf]bool),
		// Process ids of one pool follow one another, and no two live servers' share one.
		shard:    int64(s.conn.Conn().PgConn().PID() % shards),
		editions: make(map[int64]int64), rows: make(map[int64]before),
		tallies: make(map[int64]*tally), days: make(map[dayOf]int64), hours: make(map[hourOf]*ledger.HourCalls),
	}
}

// commit adds what was written to the figures and commits, in one trip.
func (t *tx) commit(ctx context.Context) error {
	if !t.s.sent && t.s.kept.Len() == 1 {
		return nil // nothing but BEGIN
	}
	t.tell()
	return t.s.commit(ctx)
}

// remember notes a row whose lock is held.
func (t *tx) remember(r ledger.Row) {
	t.rows[r.ID] = before{r.RuleID, r.Version, r.Copies, int64(r.Attempts), r.Mismatches, r.State, r.CalledAt}
}

// standing returns what the row of that id is now, and locks it.
func (t *tx) standing(ctx context.Context, id int64) (before, bool, error) {
	if b, ok := t.rows[id]; ok {
		return b, true, nil
	}
	row, ok, err := single(ctx, t.s, scanRow, `SELECT `+rowColumns+`
		FROM claims AS c
		WHERE c.id = $1
		FOR UPDATE`, id)
	if err == nil && ok {
		t.remember(row)
	}
	return t.rows[id], ok, err
}
