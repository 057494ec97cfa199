package main_test

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A worksite is a `dedupe run --url` whose command waits until it is let go.
type worksite struct {
	cmd  *exec.Cmd
	errs *bytes.Buffer
	gate string // a file that lets the command go
}

// workFar starts a run of key through HTTP and waits until its command works.
func (h *house) workFar(key string) *worksite {
	h.t.Helper()
	w := &worksite{errs: &bytes.Buffer{}, gate: filepath.Join(h.t.TempDir(), "go")}
	w.cmd = exec.Command(h.bin, "run", key, "--url", h.engine.API, "--", "sh", "-c",
		`echo works; while [ ! -e "$0" ]; do sleep 0.05; done`, w.gate)
	w.cmd.Env = append(os.Environ(), "DEDUPE_TOKEN="+h.token)
	w.cmd.Stderr = w.errs
	out, err := w.cmd.StdoutPipe()
	if err != nil {
		h.t.Fatal(err)
	}
	if err := w.cmd.Start(); err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { _ = w.cmd.Process.Kill() })
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "works\n" {
		h.t.Fatalf("the command did not start: %q, %v", line, err)
	}
	return w
}

// letGo ends the command and returns the exit code of dedupe.
func (w *worksite) letGo(t *testing.T) int {
	t.Helper()
	if err := os.WriteFile(w.gate, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_ = w.cmd.Wait()
	return w.cmd.ProcessState.ExitCode()
}

// TestRunOutlivesItsEngine: an engine that dies during the work and is started again
// finds the work reported; one that stays away is told aloud, and its key stays taken.
func TestRunOutlivesItsEngine(t *testing.T) {
	t.Parallel() // it waits most of the time
	h := newHouse(t)
	h.api = strings.TrimPrefix(h.engine.API, "http://") // for each start from here

	w := h.workFar("order:1")
	h.kill()
	h.start()
	if code := w.letGo(t); code != 0 || w.errs.Len() > 0 {
		t.Errorf("after a restart: exit %d, %s", code, w.errs)
	}
	if a := h.post("/v1/claim", map[string]any{"key": "order:1"}); a.text("status") != "done" {
		t.Errorf("after a restart: %s", a.Raw)
	}

	w = h.workFar("order:2")
	h.kill()
	code := w.letGo(t)
	if code != 2 || !strings.Contains(w.errs.String(), "The command ended well, but that could not be written down, so the work may be done again: The engine gave no answer") {
		t.Errorf("without an engine: exit %d, %s", code, w.errs)
	}
	h.start()
	if a := h.post("/v1/claim", map[string]any{"key": "order:2"}); a.text("status") != "in_progress" {
		t.Errorf("work that nobody reported: %s", a.Raw)
	}
}
