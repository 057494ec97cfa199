// Package kept keeps what came with a rule's events, so that a person who decides on a key
// sees the event that it stands for.
//
// # What it promises
//
// Nothing is kept that the rule does not ask for with keep_samples, which bounds how many
// of its deliveries are. Of the copies of an event the first is kept: it is the one that
// ran. All is in the memory of this engine alone and gone with it; no two engines share it.
// [MostBytes] bounds all rules together; the oldest go first. What proves a caller is
// masked in the headers, as [catch.Masked] does; bodies stay as they came.
//
// # Concurrency
//
// A [Book] may be used by any number of goroutines at once.
package kept

import (
	"slices"
	"sync"

	"dedupedesk/app/catch"
)

// MostBytes is how much of bodies and headers is kept at most, all rules together.
const MostBytes = 32 << 20

// An of is whose delivery it is.
type of struct {
	rule int64
	key  string
}

// A Book holds the deliveries of all rules.
type Book struct {
	mu    sync.Mutex
	by    map[of]catch.Delivery
	order []of // the oldest first
	count map[int64]int
	bytes int
}

// NewBook returns an empty book.
func NewBook() *Book { return &Book{by: map[of]catch.Delivery{}, count: map[int64]int{}} }

// Keep keeps a delivery for a key of a rule, unless one is kept already, and lets go of
// the rule's oldest beyond most. Where most is 0 it does nothing.
func (b *Book) Keep(rule int64, key string, most int, d catch.Delivery) {
	b.mu.Lock()
	defer b.mu.Unlock()
	name := of{rule, key}
	if _, has := b.by[name]; has || most <= 0 || size(d) > MostBytes {
		return
	}
	d.Headers = catch.Masked(d.Headers)
	b.by[name], b.order = d, append(b.order, name)
	b.count[rule]++
	b.bytes += size(d)
	for b.count[rule] > most {
		b.drop(slices.IndexFunc(b.order, func(o of) bool { return o.rule == rule }))
	}
	for b.bytes > MostBytes {
		b.drop(0)
	}
}

// Of returns the delivery of a key, false where none is kept.
func (b *Book) Of(rule int64, key string) (catch.Delivery, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	d, ok := b.by[of{rule, key}]
	return d, ok
}

// Forget lets go of the delivery of a key.
func (b *Book) Forget(rule int64, key string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if i := slices.Index(b.order, of{rule, key}); i >= 0 {
		b.drop(i)
	}
}

// drop lets go of the i-th oldest.
func (b *Book) drop(i int) {
	name := b.order[i]
	b.order = slices.Delete(b.order, i, i+1)
	b.bytes -= size(b.by[name])
	b.count[name.rule]--
	delete(b.by, name)
}

func size(d catch.Delivery) int {
	n := len(d.Body)
	for name, value := range d.Headers {
		n += len(name) + len(value)
	}
	return n
}
