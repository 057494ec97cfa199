package main_test

import (
	"net/http"
	"os"
	"strings"
	"testing"

	"dedupedesk/app/datafolder"
)

// TestMetricsOfTheEngine: the operator's password opens them, on this computer only,
// and they tell counts, not keys.
func TestMetricsOfTheEngine(t *testing.T) { eachBackend(t, metricsOfTheEngine) }

func metricsOfTheEngine(t *testing.T, h *house) {
	const key = "jane@example.com"
	first := h.post("/v1/claim", map[string]any{"key": key, "owner": "owner-1"})
	h.post("/v1/claim", map[string]any{"key": key, "owner": "owner-2"})
	h.post("/v1/batch", map[string]any{"op": "claim", "items": []any{map[string]any{"key": key}, map[string]any{"key": "b"}}})
	h.post("/v1/claim", map[string]any{"key": " "})
	h.post("/v1/done", map[string]any{"key": key, "token": first.text("token")})
	h.call(http.MethodGet, "/healthz", "", "")
	for name, tt := range map[string]struct {
		header []string
		code   int
	}{
		"no password":    {[]string{"Authorization", ""}, http.StatusUnauthorized},
		"claim's":        {nil, http.StatusForbidden},
		"handed on":      {[]string{"Authorization", "Bearer " + h.admin, "X-Forwarded-For", "203.0.113.9"}, http.StatusNotFound},
		"from elsewhere": {[]string{"Authorization", "Bearer " + h.admin, "Host", "evil.example"}, http.StatusMisdirectedRequest},
	} {
		if a := h.call(http.MethodGet, "/metrics", "", "", tt.header...); a.Code != tt.code || strings.Contains(a.Raw, "dedupe_keys") {
			t.Errorf("%s: %d, want %d", name, a.Code, tt.code)
		}
	}
	a := h.call(http.MethodGet, "/metrics", "", "", "Authorization", "Bearer "+h.admin)
	if a.Code != http.StatusOK || a.Header.Get("Cache-Control") != "no-store" {
		t.Fatalf("%d %s", a.Code, a.Raw)
	}
	for _, line := range []string{
		`dedupe_claims_total{rule="default",status="claimed"} 2`,
		`dedupe_claims_total{rule="default",status="in_progress"} 2`,
		`dedupe_http_requests_total{code="400",route="POST /v1/claim"} 1`,
		`dedupe_http_requests_total{code="200",route="POST /v1/batch"} 1`,
		`dedupe_http_request_duration_seconds_count{route="POST /v1/done"} 1`,
		`dedupe_keys{state="in_progress"} 1`,
		`dedupe_keys{state="finished"} 1`,
		`dedupe_copies_stopped_total 2`,
		`dedupe_ledger_up 1`,
	} {
		if !strings.Contains(a.Raw, "\n"+line+"\n") {
			t.Errorf("no line %s", line)
		}
	}
	if t.Failed() {
		t.Log(a.Raw)
	}
	for _, secret := range []string{key, "owner-1", h.token, h.admin, first.text("token")} {
		if strings.Contains(a.Raw, secret) {
			t.Errorf("the figures tell %s", secret)
		}
	}
	if said := h.log(); strings.Contains(said, `route="GET /metrics" rule="" status=200`) || !strings.Contains(said, `route="GET /metrics" rule="" status=401`) {
		t.Error("of the scrapes, the log wants those that were refused, and no others")
	}
}

// log returns what the engine has logged in its data folder.
func (h *house) log() string {
	h.t.Helper()
	folder, err := datafolder.Open(h.dir)
	if err != nil {
		h.t.Fatal(err)
	}
	data, err := os.ReadFile(folder.Log())
	if err != nil {
		h.t.Fatal(err)
	}
	return string(data)
}
