package guard

import (
	"container/list"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// maxBuckets bounds how many tokens, and how many addresses, are remembered: some
// hundred bytes each.
const maxBuckets = 4096

// buckets counts requests by who sent them, and forgets first who was not heard of for
// the longest time. They may be used by any number of goroutines at once.
type buckets[K comparable] struct {
	limit rate.Limit
	burst int

	mu    sync.Mutex
	order *list.List // of *bucket[K], the latest first
	by    map[K]*list.Element
}

// A bucket counts the requests of one sender.
type bucket[K comparable] struct {
	key     K
	limiter *rate.Limiter
	told    time.Time // when a refusal was last worth a line in the log
}

func newBuckets[K comparable](limit rate.Limit, burst int) *buckets[K] {
	return &buckets[K]{limit: limit, burst: burst, order: list.New(), by: map[K]*list.Element{}}
}

// take counts one request of key. It returns how long to wait where too many came, 0
// where the request may go on.
func (b *buckets[K]) take(key K, at time.Time) (wait time.Duration, tell bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.count(b.bucket(key), at)
}

// takeKnown is take for a key that is remembered, and counts no other.
func (b *buckets[K]) takeKnown(key K, at time.Time) (wait time.Duration, tell, known bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, known = b.by[key]; known {
		wait, tell = b.count(b.bucket(key), at)
	}
	return wait, tell, known
}

// know remembers key from its first request on, which it counts.
func (b *buckets[K]) know(key K, at time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, known := b.by[key]; !known {
		b.bucket(key).limiter.AllowN(at, 1)
	}
}

func (b *buckets[K]) forget(key K) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if e, ok := b.by[key]; ok {
		b.order.Remove(e)
		delete(b.by, key)
	}
}

// bucket returns the one of key, which is then the latest.
func (b *buckets[K]) bucket(key K) *bucket[K] {
	if e, ok := b.by[key]; ok {
		b.order.MoveToFront(e)
		return e.Value.(*bucket[K])
	}
	if len(b.by) >= maxBuckets {
		oldest := b.order.Back()
		delete(b.by, oldest.Value.(*bucket[K]).key)
		b.order.Remove(oldest)
	}
	one := &bucket[K]{key: key, limiter: rate.NewLimiter(b.limit, b.burst)}
	b.by[key] = b.order.PushFront(one)
	return one
}

func (b *buckets[K]) count(one *bucket[K], at time.Time) (wait time.Duration, tell bool) {
	if one.limiter.AllowN(at, 1) {
		return 0, false
	}
	missing := 1 - one.limiter.TokensAt(at)
	wait = max(time.Millisecond, time.Duration(missing/float64(b.limit)*float64(time.Second)))
	if tell = at.Sub(one.told).Abs() >= time.Second; tell {
		one.told = at
	}
	return wait, tell
}
