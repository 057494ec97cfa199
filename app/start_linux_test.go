package main_test

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dedupedesk/app/datafolder"
)

// withoutDisplay returns the environment of a session without a screen.
func withoutDisplay() []string {
	var env []string
	for _, e := range os.Environ() {
		if !strings.HasPrefix(e, "DISPLAY=") && !strings.HasPrefix(e, "WAYLAND_DISPLAY=") {
			env = append(env, e)
		}
	}
	return env
}

// TestStartWithoutADisplayPrintsTheAddressAndStays: what `go run ./app` does on a
// machine that has only Go.
func TestStartWithoutADisplayPrintsTheAddressAndStays(t *testing.T) {
	bin, err := program()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "data")
	cmd := exec.Command(bin, "--data", dir, "--api", "127.0.0.1:0", "--admin", "127.0.0.1:0")
	cmd.Env = withoutDisplay()
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill() }()
	lines := bufio.NewScanner(out)
	var said []string
	for lines.Scan() {
		said = append(said, lines.Text())
		if strings.Contains(lines.Text(), " open --print") {
			break
		}
	}
	all := strings.Join(said, "\n")
	if !strings.Contains(all, "/#code=") || !strings.Contains(all, "protecting: http://127.0.0.1:") {
		t.Fatalf("it printed:\n%s", all)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("after Ctrl+C it ended with %v", err)
	}
}

// TestStartOpensTheBrowserAndLeavesTheEngineRunning: with a screen, the engine
// goes to the background and the browser gets a one-time address.
func TestStartOpensTheBrowserAndLeavesTheEngineRunning(t *testing.T) {
	bin, err := program()
	if err != nil {
		t.Fatal(err)
	}
	tools, dir := t.TempDir(), filepath.Join(t.TempDir(), "data")
	opened := filepath.Join(tools, "opened")
	script := "#!/bin/sh\nprintf %s \"$1\" > " + opened + ".new && mv " + opened + ".new " + opened + "\n"
	if err := os.WriteFile(filepath.Join(tools, "xdg-open"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(bin, "--data", dir, "--api", "127.0.0.1:0", "--admin", "127.0.0.1:0")
	cmd.Env = append(withoutDisplay(), "DISPLAY=:99", "PATH="+tools+":"+os.Getenv("PATH"))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("start: %v\n%s", err, out)
	}
	defer func() {
		if out, err := exec.Command(bin, "stop", "--data", dir).CombinedOutput(); err != nil {
			t.Errorf("stop: %v\n%s", err, out)
		}
	}()
	folder, err := datafolder.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	e, ok, err := folder.Running()
	if err != nil || !ok {
		t.Fatalf("no engine is left running: %v %v", ok, err)
	}
	var address []byte
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline) && len(address) == 0; time.Sleep(20 * time.Millisecond) {
		address, _ = os.ReadFile(opened)
	}
	if !strings.HasPrefix(string(address), e.Admin+"/#code=") {
		t.Errorf("the browser was given %q, want %s/#code=…", address, e.Admin)
	}
}
