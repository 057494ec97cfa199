package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dedupedesk/exporters"
)

// TestAKilledShellScriptAsksForNoMoreTime, or its key would never be free again.
func TestAKilledShellScriptAsksForNoMoreTime(t *testing.T) {
	h := newHouse(t)
	h.flowRule("rule: killed\nkey: key(body.id)\nlease: 5s\n")
	x := exportScript(t, h, exporters.Setup{Rule: "killed", Lease: 5 * time.Second}, 0, "  : >begun\n  exec sleep 15", h.engine.API)
	cmd := exec.Command(x.program, x.file, "-")
	cmd.Dir, cmd.Stdin = x.dir, strings.NewReader(`{"id":"k"}`)
	cmd.Env = append(os.Environ(), "DEDUPE_TOKEN="+h.token, "NO_PROXY=127.0.0.1")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	h.await("the work begins", func() bool { _, err := os.Stat(filepath.Join(x.dir, "begun")); return err == nil })
	if left := runningWith(x.file); left < 2 {
		t.Errorf("%d processes of the script, want it and the one that asks for more time", left)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	h.await("nobody asks for more time", func() bool { return runningWith(x.file) == 0 })
}

// runningWith counts the processes whose command names a file.
func runningWith(file string) int {
	n := 0
	lines, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, path := range lines {
		if text, err := os.ReadFile(path); err == nil && strings.Contains(string(text), file) {
			n++
		}
	}
	return n
}
