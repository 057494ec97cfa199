package guard

import (
	"net/http"
	"time"

	"dedupedesk/app/calls"
)

// MaxBuckets is how many tokens, and how many addresses, are counted.
const MaxBuckets = maxBuckets

// APIAt is API with a clock of the test's.
func APIAt(now func() time.Time, hosts Hosts, check CheckToken, routes []Route, book *calls.Book) http.Handler {
	return door{hosts, check, newRates(now)}.handler(routes, book)
}

// Buckets are what requests are counted in.
type Buckets struct{ b *buckets[int] }

// NewBuckets returns buckets of one request each.
func NewBuckets() Buckets { return Buckets{newBuckets[int](1, 1)} }

// Take counts a request and tells whether it may go on.
func (b Buckets) Take(key int, at time.Time) bool {
	wait, _ := b.b.take(key, at)
	return wait <= 0
}

// Len returns how many senders are remembered.
func (b Buckets) Len() int { return max(len(b.b.by), b.b.order.Len()) }

// Client returns the address that a request is counted for.
func Client(r *http.Request) string { return client(r).String() }
