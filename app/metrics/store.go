package metrics

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"dedupedesk/ledger"
)

// A Store is another store whose writes are timed.
type Store struct {
	ledger.Store
	took prometheus.Histogram
}

// Timed returns store, timed.
func Timed(store ledger.Store) *Store {
	return &Store{Store: store, took: prometheus.NewHistogram(prometheus.HistogramOpts{
		Name: "dedupe_store_write_duration_seconds", Buckets: waits,
		Help: "Time of a write of the ledger, from when it is asked for until it is on disk.",
	})}
}

// Write is the store's.
func (s *Store) Write(ctx context.Context, f func(tx ledger.Tx) error) error {
	began := time.Now()
	err := s.Store.Write(ctx, f)
	s.took.Observe(time.Since(began).Seconds())
	return err
}
