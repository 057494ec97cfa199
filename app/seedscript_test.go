package main_test

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// script runs the seed article's dedupe.py on the house's key file.
func (h *house) script(args ...string) (out string, code int) {
	h.t.Helper()
	path, err := filepath.Abs("../ledger/sqlite/testdata/dedupe.py")
	if err != nil {
		h.t.Fatal(err)
	}
	cmd := exec.Command("python3", append([]string{path, "--db", filepath.Join(h.dir, "ledger.db")}, args...)...)
	data, err := cmd.CombinedOutput()
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		h.t.Fatalf("python3: %v", err)
	}
	return strings.TrimSpace(string(data)), cmd.ProcessState.ExitCode()
}

// TestSeedScriptSharesTheKeyFile: the article's script and the engine use one
// file at the same time, and neither is ever granted what the other holds.
func TestSeedScriptSharesTheKeyFile(t *testing.T) {
	h := newHouse(t)

	expect := func(wantOut string, wantCode int, args ...string) {
		t.Helper()
		if out, code := h.script(args...); out != wantOut || code != wantCode {
			t.Errorf("dedupe.py %s: %q, exit %d; want %q, exit %d", strings.Join(args, " "), out, code, wantOut, wantCode)
		}
	}
	status := func(key, want string) answer {
		t.Helper()
		a := h.post("/v1/claim", map[string]any{"key": key})
		if a.text("status") != want {
			t.Errorf("the engine says of %s: %s, want %s", key, a.Raw, want)
		}
		return a
	}

	// The script claims, finishes and releases; the engine sees it.
	expect("claimed", 0, "claim", "from-script")
	status("from-script", "in_progress")
	expect("done from-script", 0, "done", "from-script")
	status("from-script", "done")
	expect("claimed", 0, "claim", "given-back")
	expect("release given-back", 0, "release", "given-back")
	status("given-back", "claimed")

	// The engine claims; the script is refused, and cannot finish or free what is not its own.
	a := status("from-engine", "claimed")
	expect("skip: already seen", 1, "claim", "from-engine")
	for _, act := range []string{"done", "release"} {
		if out, code := h.script(act, "from-engine"); code != 2 {
			t.Errorf("the script's %s of the engine's key: %q, exit %d; want a refusal, exit 2", act, out, code)
		}
	}
	status("from-engine", "in_progress")
	if d := h.post("/v1/done", map[string]any{"key": "from-engine", "token": a.text("token")}); d.Code != 200 {
		t.Errorf("the engine's own done: %s", d.Raw)
	}
	expect("skip: already seen", 1, "claim", "from-engine")
	if out, code := h.script("claim", " "); code != 2 {
		t.Errorf("the script's empty key: %q, exit %d", out, code)
	}
}

// TestSeedScriptRacesTheEngine: one new key, two scripts, two command lines and
// four HTTP callers at once, over and over.
func TestSeedScriptRacesTheEngine(t *testing.T) {
	h := newHouse(t)
	scripted := func(key string) (string, error) {
		out, code := h.script("claim", key)
		if code > 1 {
			return "", fmt.Errorf("dedupe.py exited %d: %s", code, out)
		}
		return out, nil
	}
	all := []contender{scripted, scripted, h.cliContender, h.cliContender, h.httpContender(), h.httpContender(), h.httpContender(), h.httpContender()}
	for round := range 40 {
		key := fmt.Sprintf("shared:%d", round)
		var mu sync.Mutex
		var winners int
		var wg sync.WaitGroup
		for _, ask := range all {
			wg.Go(func() {
				answer, err := ask(key)
				mu.Lock()
				defer mu.Unlock()
				if err != nil {
					t.Errorf("round %d: %v", round, err)
				}
				if answer == "claimed" {
					winners++
				}
			})
		}
		wg.Wait()
		if winners != 1 {
			t.Fatalf("round %d: %d winners", round, winners)
		}
	}
}
