package page

import (
	"encoding/json"
	"io"
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
	Path, Password, Body string
	Rule, Key, Owner     string
}

const (
	testKey   = `order:7 "&+ä`
	testEvent = `{"id":"evt_1","amount":9007199254740993}`
)

// claimServer answers as the address does: the first claim is claimed, any other is
// in progress. each has it answer as for a rule that splits its events. It keeps
// what came.
func claimServer(t *testing.T, each bool) (address string, calls func() []call) {
	t.Helper()
	var mu sync.Mutex
	var seen []call
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		c, claims := callOf(t, r), strings.HasSuffix(r.URL.Path, "claim")
		status := "done"
		if claims {
			status = "claimed"
			for _, before := range seen {
				if before.Path == c.Path {
					status = "in_progress"
				}
			}
		}
		seen = append(seen, c)
		answer := map[string]any{"status": status, "run": status == "claimed", "key": testKey, "reason": "Someone is already on it."}
		if claims && each {
			answer = map[string]any{"results": []any{answer, answer}}
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(answer)
	}))
	t.Cleanup(server.Close)
	return server.URL, func() []call {
		mu.Lock()
		defer mu.Unlock()
		return append([]call(nil), seen...)
	}
}

// callOf reads a request: members in JSON or as a form, or an event as it is.
func callOf(t *testing.T, r *http.Request) call {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Errorf("read the body: %v", err)
	}
	c := call{Path: r.Method + " " + r.URL.Path, Password: r.Header.Get("Authorization"), Body: string(body)}
	switch {
	case strings.HasPrefix(r.URL.Path, "/v1/rules/"):
		c.Owner = r.URL.Query().Get("owner")
	case r.Header.Get("Content-Type") == "application/x-www-form-urlencoded":
		r.Body = io.NopCloser(strings.NewReader(c.Body))
		c.Rule, c.Key, c.Owner = r.PostFormValue("rule"), r.PostFormValue("key"), r.PostFormValue("owner")
	default:
		if err := json.Unmarshal(body, &c); err != nil {
			t.Errorf("%s: %q is not JSON: %v", c.Path, body, err)
		}
	}
	return c
}

// programs are those that build/test installs and that run a ready request as it is.
// PowerShell has no Debian package and n8n runs no text, so theirs are not tried, and
// say so on the page.
var programs = []struct{ id, program, file string }{
	{"curl", "sh", "claim.sh"},
	{"python", "python3", "claim.py"},
	{"node", "node", "claim.mjs"},
}

// eachProgram runs f for every program.
func eachProgram(t *testing.T, f func(t *testing.T, id string, run func(text string, args ...string) (string, error))) {
	for _, p := range programs {
		t.Run(p.id, func(t *testing.T) {
			if _, err := exec.LookPath(p.program); err != nil {
				t.Fatalf("this needs %s, which build/test installs", p.program)
			}
			f(t, p.id, func(text string, args ...string) (string, error) {
				return run(t, p.program, p.file, text, args...)
			})
		})
	}
}

// The requests that a person can run must reserve and finish once, and a second run
// must be told that it is a copy.
func TestReadyRequestsOfAKeyRun(t *testing.T) {
	eachProgram(t, func(t *testing.T, id string, run func(string, ...string) (string, error)) {
		address, calls := claimServer(t, false)
		text := requestText(t, id, RequestFor{Address: address, Rule: "paid-invoices"})
		out := mustRun(t, run, text, testKey) + mustRun(t, run, text, testKey)
		checkCalls(t, calls(), "POST /v1/claim")
		for _, c := range calls() {
			if c.Rule != "paid-invoices" || c.Key != testKey {
				t.Errorf("%s names rule %q and key %q", c.Path, c.Rule, c.Key)
			}
		}
		if !strings.Contains(out, "Someone is already on it.") {
			t.Errorf("the second run did not tell that it is a copy:\n%s", out)
		}
	})
}

func TestReadyRequestsOfAnEventRun(t *testing.T) {
	event := filepath.Join(t.TempDir(), "event.json")
	if err := os.WriteFile(event, []byte(testEvent), 0o600); err != nil {
		t.Fatal(err)
	}
	eachProgram(t, func(t *testing.T, id string, run func(string, ...string) (string, error)) {
		address, calls := claimServer(t, false)
		text := requestText(t, id, RequestFor{Address: address, Rule: "paid-invoices", Event: true})
		out := mustRun(t, run, text, event) + mustRun(t, run, text, event)
		checkCalls(t, calls(), "POST /v1/rules/paid-invoices/claim")
		for _, c := range calls() {
			if strings.HasSuffix(c.Path, "claim") && c.Body != testEvent {
				t.Errorf("the event came as %q", c.Body)
			}
			if c.Path == "POST /v1/done" && (c.Rule != "paid-invoices" || c.Key != testKey) {
				t.Errorf("finished rule %q and key %q, want the key as answered", c.Rule, c.Key)
			}
		}
		if !strings.Contains(out, "Someone is already on it.") {
			t.Errorf("the second run did not tell that it is a copy:\n%s", out)
		}
	})
}

// A rule that splits its events answers with a list: each of it is worked by itself.
func TestReadyRequestsTakeAListApart(t *testing.T) {
	event := filepath.Join(t.TempDir(), "event.json")
	if err := os.WriteFile(event, []byte(`[{"id":1},{"id":2}]`), 0o600); err != nil {
		t.Fatal(err)
	}
	eachProgram(t, func(t *testing.T, id string, run func(string, ...string) (string, error)) {
		address, calls := claimServer(t, true)
		of := RequestFor{Address: address, Rule: "lines", Event: true, Each: true}
		if id == "curl" {
			if hasRequest(id, of) || hasRequest("n8n", of) {
				t.Error("a request that takes one answer is offered for a list")
			}
			return
		}
		mustRun(t, run, requestText(t, id, of), event)
		if got := calls(); len(got) != 3 || got[1].Path != "POST /v1/done" || got[2].Path != "POST /v1/done" {
			t.Errorf("calls %+v, want one claim and two finished", got)
		}
	})
}

// What is pasted unchanged must not make every event one key: without its argument
// a request calls nothing.
func TestReadyRequestsUnchangedCallNothing(t *testing.T) {
	eachProgram(t, func(t *testing.T, id string, run func(string, ...string) (string, error)) {
		address, calls := claimServer(t, false)
		for _, event := range []bool{false, true} {
			out, err := run(requestText(t, id, RequestFor{Address: address, Rule: "default", Event: event}))
			if err == nil || !strings.Contains(out, "Give the ") {
				t.Errorf("event %v: error %v, and it says:\n%s", event, err, out)
			}
		}
		if got := calls(); len(got) != 0 {
			t.Errorf("it called %+v", got)
		}
	})
}

func hasRequest(id string, of RequestFor) bool {
	for _, r := range ReadyRequests(of) {
		if r.ID == id {
			return true
		}
	}
	return false
}

func requestText(t *testing.T, id string, of RequestFor) string {
	t.Helper()
	for _, r := range ReadyRequests(of) {
		if r.ID == id {
			return r.Text
		}
	}
	t.Fatalf("no request for %s", id)
	return ""
}

func mustRun(t *testing.T, run func(string, ...string) (string, error), text string, args ...string) string {
	t.Helper()
	out, err := run(text, args...)
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return out
}

func run(t *testing.T, program, file, text string, args ...string) (string, error) {
	t.Helper()
	name := filepath.Join(t.TempDir(), file)
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program, append([]string{name}, args...)...)
	cmd.Env = append(os.Environ(), "DEDUPE_PASSWORD=dd_test", "NO_PROXY=*", "no_proxy=*")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// checkCalls wants a claim, its finish by the same owner, and the claim of another.
func checkCalls(t *testing.T, calls []call, claim string) {
	t.Helper()
	want := []string{claim, "POST /v1/done", claim}
	if len(calls) != len(want) {
		t.Fatalf("%d calls, want %d: %v", len(calls), len(want), calls)
	}
	for i, c := range calls {
		if c.Path != want[i] || c.Password != "Bearer dd_test" || c.Owner == "" {
			t.Errorf("call %d is %+v, want %s with password and owner", i, c, want[i])
		}
	}
	if calls[0].Owner != calls[1].Owner {
		t.Errorf("claim by %q, finish by %q", calls[0].Owner, calls[1].Owner)
	}
	if calls[0].Owner == calls[2].Owner {
		t.Errorf("two runs have one owner %q, so a copy would count as a repeat", calls[0].Owner)
	}
}

func TestN8nRequestsAreJSON(t *testing.T) {
	for _, tt := range []struct {
		event          bool
		url, body, not string
	}{
		{false, "http://127.0.0.1:1/v1/claim", "$json.YOUR_KEY_FIELD", "test:"},
		{true, "http://127.0.0.1:1/v1/rules/paid-invoices/claim", "$json.body ?? $json", "key:"},
	} {
		var workflow struct {
			Nodes []struct {
				Name       string
				Parameters struct{ URL, JSONBody string }
			}
			Connections map[string]any
		}
		text := requestText(t, "n8n", RequestFor{Address: "http://127.0.0.1:1", Rule: "paid-invoices", Event: tt.event})
		if err := json.Unmarshal([]byte(text), &workflow); err != nil {
			t.Fatal(err)
		}
		first := workflow.Nodes[0]
		if first.Parameters.URL != tt.url || !strings.Contains(first.Parameters.JSONBody, tt.body) || strings.Contains(first.Parameters.JSONBody, tt.not) {
			t.Errorf("event %v: the first node is %+v", tt.event, first)
		}
		if _, ok := workflow.Connections[first.Name]; !ok || len(workflow.Nodes) != 2 {
			t.Errorf("event %v: the nodes are not connected: %v", tt.event, workflow.Connections)
		}
	}
}
