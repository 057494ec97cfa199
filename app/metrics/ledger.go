package metrics

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"dedupedesk/ledger"
)

// A Ledger is what is asked at each scrape.
type Ledger interface {
	Counts(ctx context.Context) (ledger.Counts, error)
	Check(ctx context.Context) error
	Paused(ctx context.Context) (ledger.Pause, bool, error)
}

// askFor is how long a scrape waits for the ledger.
const askFor = 4 * time.Second

// A ledgerCollector asks the ledger when it is asked itself.
type ledgerCollector struct {
	ledger                             Ledger
	up, paused, keys, copies, lastCall *prometheus.Desc
}

func newLedgerCollector(l Ledger) *ledgerCollector {
	return &ledgerCollector{
		ledger:   l,
		up:       prometheus.NewDesc("dedupe_ledger_up", "1 where the ledger can be read and written to, else 0.", nil, nil),
		paused:   prometheus.NewDesc("dedupe_paused", "1 while a person keeps all grants paused, else 0.", nil, nil),
		keys:     prometheus.NewDesc("dedupe_keys", "Event keys in the ledger. Stuck ones need a person's decision.", []string{"state"}, nil),
		copies:   prometheus.NewDesc("dedupe_copies_stopped_total", "Copies that were told not to run, of all time.", nil, nil),
		lastCall: prometheus.NewDesc("dedupe_last_claim_timestamp_seconds", "When the ledger was last asked for a key.", nil, nil),
	}
}

// Describe tells of every figure.
func (c *ledgerCollector) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{c.up, c.paused, c.keys, c.copies, c.lastCall} {
		to <- d
	}
}

func oneIf(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// Collect asks the ledger. What it does not tell is missing.
func (c *ledgerCollector) Collect(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), askFor)
	defer cancel()
	up := 1.0
	if err := c.ledger.Check(ctx); err != nil {
		up = 0
	}
	counts, err := c.ledger.Counts(ctx)
	if err != nil {
		up = 0
	}
	gauge := func(d *prometheus.Desc, v float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
	}
	_, paused, askErr := c.ledger.Paused(ctx)
	if askErr != nil {
		up = 0
	}
	gauge(c.up, up)
	if err != nil || askErr != nil {
		return
	}
	gauge(c.paused, oneIf(paused))
	gauge(c.keys, float64(counts.InProgress), "in_progress")
	gauge(c.keys, float64(counts.Finished), "finished")
	gauge(c.keys, float64(counts.Waiting), "waiting")
	gauge(c.keys, float64(counts.Stuck), "stuck")
	to <- prometheus.MustNewConstMetric(c.copies, prometheus.CounterValue, float64(counts.CopiesStopped))
	if !counts.LastCallAt.IsZero() {
		gauge(c.lastCall, float64(counts.LastCallAt.UnixMilli())/1000)
	}
}
