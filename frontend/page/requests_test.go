package page

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// A call is what a ready request sent.
type call struct {
	Path, Password   string
	Rule, Key, Owner string
}

// claimServer answers as the address does: the first claim of a key is claimed, any
// other is in progress. It keeps what came.
func claimServer(t *testing.T) (address string, calls func() []call) {
	t.Helper()
	var mu sync.Mutex
	var seen []call
	taken := false
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		c := call{Path: r.Method + " " + r.URL.Path, Password: r.Header.Get("Authorization")}
		if err := json.NewDecoder(r.Body).Decode(&c); err != nil || r.Header.Get("Content-Type") != "application/json" {
			http.Error(w, `{"run":false}`, http.StatusBadRequest)
			return
		}
		seen = append(seen, c)
		status := "done"
		if r.URL.Path == "/v1/claim" {
			status = "in_progress"
			if !taken {
				status = "claimed"
			}
			taken = true
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{"status": status, "run": status == "claimed", "reason": "Someone is already on it."})
	}))
	t.Cleanup(server.Close)
	return server.URL, func() []call {
		mu.Lock()
		defer mu.Unlock()
		return append([]call(nil), seen...)
	}
}

// The requests that a person can run as they are: each must reserve and finish once,
// and its second run must be told that it is a copy.
func TestReadyRequestsRun(t *testing.T) {
	for _, tt := range []struct {
		id, program, file string
	}{
		{"curl", "sh", "claim.sh"},
		{"python", "python3", "claim.py"},
		{"node", "node", "claim.mjs"},
		{"powershell", "pwsh", "claim.ps1"},
	} {
		t.Run(tt.id, func(t *testing.T) {
			if _, err := exec.LookPath(tt.program); err != nil {
				t.Skipf("%s is not installed, so its request cannot be run", tt.program)
			}
			address, calls := claimServer(t)
			out := run(t, tt.program, tt.file, requestText(t, tt.id, address))
			out += run(t, tt.program, tt.file, requestText(t, tt.id, address))
			checkCalls(t, calls())
			if !strings.Contains(out, "Someone is already on it.") {
				t.Errorf("the second run did not tell that it is a copy:\n%s", out)
			}
		})
	}
}

func requestText(t *testing.T, id, address string) string {
	t.Helper()
	for _, r := range ReadyRequests(address, "paid-invoices") {
		if r.ID == id {
			return r.Text
		}
	}
	t.Fatalf("no request for %s", id)
	return ""
}

func run(t *testing.T, program, file, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), file)
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program, name)
	cmd.Env = append(os.Environ(), "DEDUPE_PASSWORD=dd_test", "NO_PROXY=*", "no_proxy=*")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", program, err, out)
	}
	return string(out)
}

func checkCalls(t *testing.T, calls []call) {
	t.Helper()
	want := []string{"POST /v1/claim", "POST /v1/done", "POST /v1/claim"}
	if len(calls) != len(want) {
		t.Fatalf("%d calls, want %d: %v", len(calls), len(want), calls)
	}
	for i, c := range calls {
		if c.Path != want[i] || c.Password != "Bearer dd_test" || c.Rule != "paid-invoices" || c.Key != "test:hello" || c.Owner == "" {
			t.Errorf("call %d is %+v, want %s with password, rule, key and owner", i, c, want[i])
		}
	}
	if calls[0].Owner != calls[1].Owner {
		t.Errorf("claim by %q, finish by %q", calls[0].Owner, calls[1].Owner)
	}
	if calls[0].Owner == calls[2].Owner {
		t.Errorf("two runs have one owner %q, so a copy would count as a repeat", calls[0].Owner)
	}
}

func TestN8nRequestIsJSON(t *testing.T) {
	var workflow struct {
		Nodes []struct {
			Type       string
			Parameters struct{ URL string }
		}
	}
	if err := json.Unmarshal([]byte(requestText(t, "n8n", "http://127.0.0.1:1")), &workflow); err != nil {
		t.Fatal(err)
	}
	if len(workflow.Nodes) != 2 || workflow.Nodes[0].Parameters.URL != "http://127.0.0.1:1/v1/claim" {
		t.Errorf("got %+v", workflow)
	}
}
