package metrics_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"

	"dedupedesk/app/calls"
	"dedupedesk/app/metrics"
	"dedupedesk/ledger"
	"dedupedesk/ledger/sqlite"
)

// newFigures returns the figures of a ledger on a key file of its own.
func newFigures(t *testing.T) (*metrics.Metrics, *ledger.Ledger) {
	t.Helper()
	store, err := sqlite.Open(filepath.Join(t.TempDir(), "ledger.db"))
	if err != nil {
		t.Fatal(err)
	}
	timed := metrics.Timed(store)
	l := ledger.New(timed, ledger.SystemClock(), nil)
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	return metrics.New("1.2.3", l, timed), l
}

// scrape asks as Prometheus does.
func scrape(t *testing.T, m *metrics.Metrics) string {
	t.Helper()
	server := httptest.NewServer(m.Handler())
	defer server.Close()
	resp, err := server.Client().Get(server.URL + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK || !strings.HasPrefix(resp.Header.Get("Content-Type"), "text/plain; version=0.0.4") {
		t.Fatalf("%d %s, %v: %s", resp.StatusCode, resp.Header.Get("Content-Type"), err, text)
	}
	return string(text)
}

// wantLines wants each line as it stands.
func wantLines(t *testing.T, text string, lines ...string) {
	t.Helper()
	for _, line := range lines {
		if !strings.Contains("\n"+text, "\n"+line+"\n") {
			name, _, _ := strings.Cut(line, " ")
			name, _, _ = strings.Cut(name, "{")
			t.Errorf("no line %s; there are\n%s", line, strings.Join(regexp.MustCompile(`(?m)^`+name+`\b.*$`).FindAllString(text, -1), "\n"))
		}
	}
}

// TestAPauseIsTold: the ledger is up, and grants nothing.
func TestAPauseIsTold(t *testing.T) {
	m, l := newFigures(t)
	wantLines(t, scrape(t, m), "dedupe_paused 0")
	if err := l.Pause(t.Context(), "Ada"); err != nil {
		t.Fatal(err)
	}
	wantLines(t, scrape(t, m), "dedupe_paused 1", "dedupe_ledger_up 1")
}

func TestAScrapeTellsWhatHappened(t *testing.T) {
	m, l := newFigures(t)
	for _, key := range []string{"a", "b", "c", "a"} {
		if _, err := l.Claim(t.Context(), ledger.ClaimRequest{Key: key}); err != nil {
			t.Fatal(err)
		}
	}
	shop := func(status string) calls.Claim { return calls.Claim{Rule: "shop", Status: status} }
	m.Call(calls.Call{Route: "POST /v1/claim", Status: 200, Took: 2 * time.Millisecond, Claims: []calls.Claim{shop("claimed")}})
	m.Call(calls.Call{Route: "POST /v1/batch", Status: 200, Took: 2 * time.Second, Claims: []calls.Claim{shop("claimed"), shop("done"), shop("claimed")}})
	m.Call(calls.Call{Route: "POST /v1/claim", Rule: "never-checked", Status: 401})
	m.Call(calls.Call{Status: 421})
	m.Pruned(7)
	text := scrape(t, m)
	wantLines(t, text,
		`dedupe_claims_total{rule="shop",status="claimed"} 3`,
		`dedupe_claims_total{rule="shop",status="done"} 1`,
		`dedupe_http_requests_total{code="200",route="POST /v1/claim"} 1`,
		`dedupe_http_requests_total{code="401",route="POST /v1/claim"} 1`,
		`dedupe_http_requests_total{code="421",route="(none)"} 1`,
		`dedupe_http_request_duration_seconds_bucket{route="POST /v1/claim",le="0.0025"} 2`,
		`dedupe_http_request_duration_seconds_bucket{route="POST /v1/batch",le="1"} 0`,
		`dedupe_http_request_duration_seconds_sum{route="POST /v1/batch"} 2`,
		`dedupe_keys{state="in_progress"} 3`, `dedupe_keys{state="finished"} 0`, `dedupe_keys{state="waiting"} 0`, `dedupe_keys{state="stuck"} 0`,
		`dedupe_copies_stopped_total 1`,
		`dedupe_keys_pruned_total 7`,
		`dedupe_ledger_up 1`,
	)
	for _, part := range []string{`dedupe_build_info{go_version="go1.`, `version="1.2.3"} 1`, "dedupe_last_claim_timestamp_seconds 1.", "go_goroutines ", "process_open_fds "} {
		if !strings.Contains(text, part) {
			t.Errorf("the scrape lacks %s", part)
		}
	}
	// The claims and the marks of the clock, and what the check wrote.
	var writes int
	if n := regexp.MustCompile(`(?m)^dedupe_store_write_duration_seconds_count (\d+)$`).FindStringSubmatch(text); n == nil {
		t.Error("writes are not timed")
	} else if _, err := fmt.Sscan(n[1], &writes); err != nil || writes < 4 {
		t.Errorf("%d writes are timed, want at least the 4 claims", writes)
	}
	if strings.Contains(text, "never-checked") {
		t.Error("what a caller put in an address is a label")
	}
}

// TestNamesAreAsPrometheusAsks, units included.
func TestNamesAreAsPrometheusAsks(t *testing.T) {
	m, _ := newFigures(t)
	m.Call(calls.Call{Route: "POST /v1/claim", Status: 200, Claims: []calls.Claim{{Rule: "shop", Status: "claimed"}}})
	problems, err := promlint.New(strings.NewReader(scrape(t, m))).Lint()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Errorf("%s: %s", p.Metric, p.Text)
	}
}

// TestRulesAreBounded: whoever may make rules cannot fill the memory of the engine, or
// of Prometheus.
func TestRulesAreBounded(t *testing.T) {
	m, _ := newFigures(t)
	for range 2 {
		for i := range metrics.MaxRules + 50 {
			m.Call(calls.Call{Status: 200, Claims: []calls.Claim{{Rule: fmt.Sprint("rule-", i), Status: "claimed"}}})
		}
	}
	text := scrape(t, m)
	if n := strings.Count(text, "\ndedupe_claims_total{"); n != metrics.MaxRules+1 {
		t.Errorf("%d series, want %d", n, metrics.MaxRules+1)
	}
	wantLines(t, text, `dedupe_claims_total{rule="rule-0",status="claimed"} 2`, `dedupe_claims_total{rule="(other)",status="claimed"} 100`)
}

// TestALedgerThatIsAwayIsTold: the scrape works, says so, and invents no figures.
func TestALedgerThatIsAwayIsTold(t *testing.T) {
	store, err := sqlite.Open(filepath.Join(t.TempDir(), "ledger.db"))
	if err != nil {
		t.Fatal(err)
	}
	l := ledger.New(store, ledger.SystemClock(), nil)
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	text := scrape(t, metrics.New("dev", l, metrics.Timed(store)))
	wantLines(t, text, "dedupe_ledger_up 0")
	for _, name := range []string{"dedupe_keys{", "dedupe_copies_stopped_total"} {
		if strings.Contains(text, name) {
			t.Errorf("%s is told of a ledger that cannot be read", name)
		}
	}
}
