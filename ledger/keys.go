package ledger

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"
)

// Keys returns a page of keys. Pages are found by the last key of the page before,
// so they cost the same however far down, and a key that changes meanwhile may
// move but never makes another one come twice.
//
// Keys returns Invalid for a bad view, state, limit or cursor, UnknownRule for a
// rule that never was (an archived one can still be asked for), Busy and Corrupt.
func (l *Ledger) Keys(ctx context.Context, q KeyQuery) (KeyPage, error) {
	rows, err := q.rows()
	if err != nil {
		return KeyPage{}, err
	}
	found, err := l.rowsOf(ctx, q.Rule, &rows)
	if err != nil {
		return KeyPage{}, fmt.Errorf("keys: %w", err)
	}
	return page(found, rows), nil
}

// rowsOf reads rows of a rule, "" for all rules, and sets q's rule and time.
func (l *Ledger) rowsOf(ctx context.Context, rule string, q *RowQuery) (found []Row, err error) {
	err = l.read(ctx, func(r Reader) error {
		if rule != "" {
			named, ok, err := r.RuleNamed(ctx, rule)
			if err != nil {
				return err
			}
			if !ok {
				return unknownRule(rule)
			}
			q.RuleID = named.ID
		}
		var err error
		if q.Now, err = l.nowIn(ctx, r); err != nil {
			return err
		}
		found, err = r.Rows(ctx, *q)
		return err
	})
	return found, err
}

// nowIn tells the time within a snapshot. Who only looks need not wait until the
// clock's state is stored.
func (l *Ledger) nowIn(ctx context.Context, r Reader) (time.Time, error) {
	m, err := l.time.in(ctx, r)
	if errors.Is(err, errOwed) {
		err = nil
	}
	return m.now, err
}

// page cuts the one row too many that tells whether there is another page, and puts
// what was read backwards into the order.
func page(found []Row, q RowQuery) KeyPage {
	var p KeyPage
	more := len(found) == q.Limit
	if more {
		found = found[:q.Limit-1]
	}
	came := q.After.ID != 0
	if q.Back {
		slices.Reverse(found)
		more, came = came, more
	}
	if n := len(found); n > 0 && more {
		p.Next = q.Order.cursor(found[n-1])
	}
	if len(found) > 0 && came {
		p.Prev = q.Order.cursor(found[0])
	}
	p.Keys = make([]Key, 0, len(found))
	for _, row := range found {
		p.Keys = append(p.Keys, row.key(q.Now))
	}
	return p
}

// rows turns what a person asked into what a store is asked.
func (q KeyQuery) rows() (RowQuery, error) {
	switch q.View {
	case ViewAll, ViewInProgress, ViewFinished, ViewWaiting, ViewStuck:
	default:
		return RowQuery{}, invalid("view", "There is no such view of the keys.")
	}
	if q.State != "" && !q.State.Known() {
		return RowQuery{}, invalid("state", "A state is one of claimed, done, retryable and held.")
	}
	if q.Limit < 0 || q.Limit > 200 {
		return RowQuery{}, invalid("limit", "A page holds 1 to 200 keys.")
	}
	if q.Limit == 0 {
		q.Limit = 50
	}
	r := RowQuery{
		View: q.View, State: q.State, Prefix: q.Prefix, Since: q.Since,
		Order: q.order(), Back: q.Back, Limit: q.Limit + 1,
	}
	if q.Cursor == "" {
		return r, nil
	}
	var err error
	r.After, err = r.Order.position(q.Cursor)
	return r, err
}

// order picks the order that finds the rows without reading past many others: open
// keys are few, so their own lists are walked; of the rest, a prefix or a time
// narrows most.
func (q KeyQuery) order() Order {
	open := q.View == ViewInProgress || q.View == ViewWaiting || (q.State != "" && q.State != Done)
	switch {
	case q.View == ViewStuck:
		return ByStuck
	case q.Prefix != "" && q.Since.IsZero() && !open:
		return ByKey
	}
	return ByChange
}

// A mark is what a cursor holds.
type mark struct {
	Order Order  `json:"o"`
	At    int64  `json:"t,omitempty"`
	Key   string `json:"k,omitempty"`
	ID    int64  `json:"i"`
}

// cursor writes down the place of row in the order.
func (o Order) cursor(row Row) string {
	p := Position{ID: row.ID}
	switch o {
	case ByKey:
		p.Key = row.Key
	case ByStuck:
		p.At = row.stuckSince()
	default:
		p.At = row.ChangedAt
	}
	return o.written(p)
}

// written is the one text of a place.
func (o Order) written(p Position) string {
	m := mark{Order: o, Key: p.Key, ID: p.ID}
	if o != ByKey {
		m.At = p.At.UnixMilli()
	}
	b, _ := json.Marshal(m) // a struct of numbers and text always encodes
	return base64.RawURLEncoding.EncodeToString(b)
}

// position reads a cursor. One of another order belongs to other filters. Only the
// text that this order writes is taken, so that a place has no second spelling.
func (o Order) position(cursor string) (Position, error) {
	b, err := base64.RawURLEncoding.DecodeString(cursor)
	var m mark
	if err == nil {
		err = json.Unmarshal(b, &m)
	}
	p := Position{ID: m.ID}
	if o == ByKey {
		p.Key = m.Key
	} else {
		p.At = time.UnixMilli(m.At).UTC()
	}
	if err != nil || m.ID <= 0 || o.written(p) != cursor {
		return Position{}, &Error{Code: Invalid, Field: "cursor", Err: err,
			Msg: "The cursor does not belong to this list. Start from its first page."}
	}
	return p, nil
}

// Key returns one key with its history; for a key that is tied to the row of a former
// one, that one. It returns NotFound where there is no such
// row, UnknownRule, Busy and Corrupt. A key of an archived rule can be asked for.
func (l *Ledger) Key(ctx context.Context, rule, key string) (Life, error) {
	if rule == "" {
		rule = DefaultRule
	}
	if err := namedKey(key); err != nil {
		return Life{}, err
	}
	var life Life
	err := l.read(ctx, func(r Reader) error {
		named, ok, err := r.RuleNamed(ctx, rule)
		if err != nil {
			return err
		}
		if !ok {
			return unknownRule(rule)
		}
		row, ok, err := r.Load(ctx, named.ID, key)
		if err != nil {
			return err
		}
		if !ok {
			tied, err := r.Tied(ctx, named.ID, []string{key})
			if err != nil {
				return err
			}
			if row = tied[0]; row.ID == 0 {
				return unknownKey()
			}
		}
		row.Rule = named.Name
		life, err = l.life(ctx, r, row)
		return err
	})
	if err != nil {
		return Life{}, fmt.Errorf("key: %w", err)
	}
	return life, nil
}

// life adds to the stored history what the row itself tells.
func (l *Ledger) life(ctx context.Context, r Reader, row Row) (Life, error) {
	now, err := l.nowIn(ctx, r)
	if err != nil {
		return Life{}, err
	}
	life := Life{Key: row.key(now)}
	if life.Events, err = r.Events(ctx, row.RuleID, row.Key); err != nil {
		return Life{}, err
	}
	if life.Arrivals, err = r.Arrivals(ctx, row.ID); err != nil {
		return Life{}, err
	}
	if row.Fence == 1 {
		life.Events = append(life.Events, Event{At: row.ClaimedAt, Kind: EventGranted, Owner: row.Owner, Fence: 1})
	}
	if row.State == Done && row.Token != "" {
		life.Events = append(life.Events, Event{At: row.DoneAt, Kind: EventFinished, Owner: row.Owner, Fence: row.Fence})
	}
	slices.SortStableFunc(life.Events, earlier)
	return life, nil
}

// earlier orders events by time. The first grant may be written down after what
// followed it in the same millisecond, so it goes before.
func earlier(a, b Event) int {
	if c := a.At.Compare(b.At); c != 0 {
		return c
	}
	first := func(e Event) int {
		if e.Kind == EventGranted && e.Fence == 1 {
			return 0
		}
		return 1
	}
	return first(a) - first(b)
}
