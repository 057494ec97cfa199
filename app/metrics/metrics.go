package metrics

import (
	"net/http"
	"runtime"
	"strconv"
	"sync"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"dedupedesk/app/calls"
)

// MaxRules is how many rules are counted by their name. The others are [OtherRules],
// which no rule can be named.
const (
	MaxRules   = 200
	OtherRules = "(other)"
)

// noRoute is the route of a request that reached none.
const noRoute = "(none)"

// waits are the bounds of the histograms, in seconds: from an answer out of memory to
// the longest that a call may take.
var waits = []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}

// Metrics are the figures of one engine.
type Metrics struct {
	registry *prometheus.Registry
	claims   *prometheus.CounterVec
	requests *prometheus.CounterVec
	took     *prometheus.HistogramVec
	pruned   prometheus.Counter

	mu    sync.Mutex
	rules map[string]bool // those that are counted by their name
}

// New returns the figures of the engine of that version on a ledger, whose store is
// timed.
func New(version string, l Ledger, store *Store) *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		claims: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "dedupe_claims_total", Help: "Decisions on event keys, each item of a batch by itself.",
		}, []string{"rule", "status"}),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "dedupe_http_requests_total", Help: "Answered requests to the claim endpoint.",
		}, []string{"route", "code"}),
		took: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "dedupe_http_request_duration_seconds", Help: "Time from a request's header to its answer.", Buckets: waits,
		}, []string{"route"}),
		pruned: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "dedupe_keys_pruned_total", Help: "Finished keys that this engine forgot because their keep time was over.",
		}),
		rules: map[string]bool{},
	}
	m.registry.MustRegister(m.claims, m.requests, m.took, m.pruned, newLedgerCollector(l), build(version),
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	if store != nil {
		m.registry.MustRegister(store.took)
	}
	return m
}

// build is 1, and tells in its labels what runs.
func build(version string) prometheus.Collector {
	g := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "dedupe_build_info", Help: "Always 1; the labels tell what runs.",
		ConstLabels: prometheus.Labels{"version": version, "go_version": runtime.Version()},
	})
	g.Set(1)
	return g
}

// Call counts an answered call.
func (m *Metrics) Call(c calls.Call) {
	route := c.Route
	if route == "" {
		route = noRoute
	}
	m.requests.WithLabelValues(route, strconv.Itoa(c.Status)).Inc()
	m.took.WithLabelValues(route).Observe(c.Took.Seconds())
	for _, claim := range c.Claims {
		m.claims.WithLabelValues(m.rule(claim.Rule), claim.Status).Inc()
	}
}

// rule returns the label of a rule.
func (m *Metrics) rule(name string) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.rules[name] {
		return name
	}
	if len(m.rules) >= MaxRules {
		return OtherRules
	}
	m.rules[name] = true
	return name
}

// Pruned counts keys that were forgotten.
func (m *Metrics) Pruned(n int64) { m.pruned.Add(float64(n)) }

// Handler answers with all figures, in the form that the request asks for.
func (m *Metrics) Handler() http.Handler {
	inner := promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{MaxRequestsInFlight: 4})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls.Of(r.Context()).Answer = "metrics"
		w.Header().Set("Cache-Control", "no-store")
		inner.ServeHTTP(w, r)
	})
}
