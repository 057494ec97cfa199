package main_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

// A step is one call of the scenario that every client goes through, and what it must be
// answered.
type step struct {
	name    string
	code    int
	members map[string]any // among the answer's
	absent  []string
}

// scenario is what an automation does in its life: claim, copy, done, copy; a failure,
// given back and tried again; an event without a key; a wrong password. key is the
// beginning of its keys.
func scenario(key string) []step {
	return []step{
		{"claim", 200, map[string]any{"status": "claimed", "run": true, "key": key + ":1", "attempt": 1.0}, nil},
		{"copy", 200, map[string]any{"status": "in_progress", "run": false}, []string{"token"}},
		{"done", 200, map[string]any{"status": "done", "already": false, "late": false}, []string{"run"}},
		{"late-copy", 200, map[string]any{"status": "done", "run": false, "result": map[string]any{"id": 7.0}}, []string{"token"}},
		{"claim-2", 200, map[string]any{"status": "claimed", "run": true, "key": key + ":2"}, nil},
		{"release", 200, map[string]any{"status": "released"}, []string{"run"}},
		{"next-try", 200, map[string]any{"status": "claimed", "run": true, "attempt": 2.0}, nil},
		{"no-key", 400, map[string]any{"code": "invalid", "field": "body.id", "run": false}, []string{"token"}},
		{"wrong-password", 401, map[string]any{"code": "wrong_token", "run": false}, []string{"token"}},
	}
}

// check compares what a client was answered with the scenario.
func (s step) check(t *testing.T, name string, code int, body map[string]any) {
	t.Helper()
	if name != s.name || code != s.code {
		t.Errorf("step %s was answered %d, want step %s and %d: %v", name, code, s.name, s.code, body)
	}
	for member, want := range s.members {
		if got := body[member]; !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %s is %v, want %v", s.name, member, got, want)
		}
	}
	for _, member := range s.absent {
		if got, ok := body[member]; ok {
			t.Errorf("%s: there is a member %s, %v", s.name, member, got)
		}
	}
}

// TestClientsPeopleAlreadyHave drives the engine by what is on people's computers.
func TestClientsPeopleAlreadyHave(t *testing.T) {
	h := newHouse(t)
	h.importStripe()
	for _, client := range []struct{ name, program, script string }{
		{"curl", "sh", "scenario.sh"},
		{"python", "python3", "scenario.py"},
		{"node", "node", "scenario.mjs"},
	} {
		t.Run(client.name, func(t *testing.T) {
			cmd := exec.Command(client.program, filepath.Join("testdata", "clients", client.script))
			cmd.Env = append(os.Environ(), "DEDUPE_URL="+h.engine.API, "DEDUPE_TOKEN="+h.token, "DEDUPE_KEY="+client.name, "NO_PROXY=127.0.0.1")
			cmd.Stderr = &testWriter{t}
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("%s, which build/test installs: %v\n%s", client.program, err, out)
			}
			steps := scenario(client.name)
			lines := strings.Split(strings.TrimSpace(string(out)), "\n")
			if len(lines) != len(steps) {
				t.Fatalf("%d steps were done, want %d:\n%s", len(lines), len(steps), out)
			}
			for i, line := range lines {
				parts := strings.SplitN(line, "\t", 3)
				var body map[string]any
				if err := json.Unmarshal([]byte(parts[len(parts)-1]), &body); err != nil || len(parts) != 3 {
					t.Fatalf("step %q: %v", line, err)
				}
				code, _ := strconv.Atoi(parts[1])
				steps[i].check(t, parts[0], code, body)
			}
			h.checkScenario(t, client.name)
		})
	}
}

// checkScenario looks at what the scenario left behind.
func (h *house) checkScenario(t *testing.T, key string) {
	t.Helper()
	if told := h.must("key", key+":2"); !strings.Contains(told, "Postfach überfüllt") {
		t.Errorf("the history of %s:2 does not tell the error as it was sent:\n%s", key, told)
	}
	if out, errs, code := h.run("key", key+":3"); code != 2 {
		t.Errorf("the wrong password left a key: %d %s%s", code, out, errs)
	}
}

// importStripe gives the house the rule stripe-events.
func (h *house) importStripe() {
	h.t.Helper()
	h.must("rule", "import", filepath.Join("..", "rules", "testdata", "import", "stripe.yaml"))
}

// A testWriter writes to a test's log.
type testWriter struct{ t *testing.T }

func (w *testWriter) Write(p []byte) (int, error) {
	w.t.Helper()
	w.t.Log(string(p))
	return len(p), nil
}
