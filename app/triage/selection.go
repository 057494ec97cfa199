package triage

import (
	"context"
	"crypto/rand"
	"fmt"
	"time"

	"dedupedesk/ledger"
)

// MaxItems is how many keys one selection holds at most.
const MaxItems = 100_000

// An Item is a key and how it stood when it was chosen.
type Item struct {
	Rule  string       `json:"rule"`
	Key   string       `json:"key"`
	Fence int64        `json:"fence"`
	State ledger.State `json:"state"`
}

// ItemOf is k as it stands now.
func ItemOf(k ledger.Key) Item { return Item{k.Rule, k.Key, k.Fence, k.State} }

// A Selection is what a person chose.
type Selection struct {
	ID    string
	Items []Item
	Words string // of the filter that they matched, "" where they were ticked one by one
	At    time.Time
}

// keepSelection is how long a selection can be decided on.
const keepSelection = time.Hour

// Choose keeps items as a selection. It returns Invalid for none and for too many.
func (b *Book) Choose(items []Item, words string) (Selection, error) {
	switch {
	case len(items) == 0:
		return Selection{}, &ledger.Error{Code: ledger.Invalid, Field: "row", Msg: "No key is chosen. Tick those that you want to decide on."}
	case len(items) > MaxItems:
		return Selection{}, tooMany()
	}
	s := Selection{ID: rand.Text(), Items: items, Words: words, At: b.now()}
	b.mu.Lock()
	defer b.mu.Unlock()
	for id, old := range b.selections {
		if s.At.Sub(old.At) > keepSelection {
			delete(b.selections, id)
		}
	}
	b.selections[s.ID] = s
	return s, nil
}

func tooMany() error {
	return &ledger.Error{Code: ledger.Invalid, Field: "row", Msg: fmt.Sprintf("More than %d keys match. Narrow the filter and decide on them in parts.", MaxItems)}
}

// ChooseAll keeps what q finds now as a selection. Beside the errors of Choose it returns
// those of [ledger.Ledger.Keys].
func (b *Book) ChooseAll(ctx context.Context, q ledger.KeyQuery, words string) (Selection, error) {
	q.Limit = 200
	var items []Item
	for {
		found, err := b.ledger.Keys(ctx, q)
		if err != nil {
			return Selection{}, err
		}
		for _, k := range found.Keys {
			items = append(items, ItemOf(k))
		}
		if found.Next == "" {
			return b.Choose(items, words)
		}
		if len(items) > MaxItems {
			return Selection{}, tooMany()
		}
		q.Cursor = found.Next
	}
}

// Selection returns what was chosen under id, false once it is forgotten.
func (b *Book) Selection(id string) (Selection, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	s, ok := b.selections[id]
	return s, ok && b.now().Sub(s.At) <= keepSelection
}
