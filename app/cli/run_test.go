//go:build unix

package cli_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A bench is a folder with a key file and a test clock for one test.
type bench struct {
	t   *testing.T
	dir string
}

func newBench(t *testing.T) bench { return bench{t, t.TempDir()} }

func (b bench) command(args ...string) *exec.Cmd {
	cmd := exec.Command("dedupe", append([]string{"--db", filepath.Join(b.dir, "seen.db")}, args...)...)
	cmd.Env = append(os.Environ(), "DEDUPE_TEST_CLOCK="+filepath.Join(b.dir, "clock"))
	return cmd
}

// dedupe runs a command to its end.
func (b bench) dedupe(args ...string) (out string, code int) {
	b.t.Helper()
	data, err := b.command(args...).Output()
	return string(data), b.code(err)
}

func (b bench) code(err error) int {
	b.t.Helper()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		return exit.ExitCode()
	case err != nil:
		b.t.Fatal(err)
	}
	return 0
}

// until waits for what another process does.
func (b bench) until(what string, ok func() bool) {
	b.t.Helper()
	for end := time.Now().Add(time.Minute); !ok(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			b.t.Fatalf("waited a minute in vain for %s", what)
		}
	}
}

// start starts a command and waits until it has written its first line.
func (b bench) start(args ...string) (cmd *exec.Cmd, first string, rest io.Reader) {
	b.t.Helper()
	cmd = b.command(args...)
	// A terminal of the one who runs the tests must not count this to its foreground.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	lines := b.reader(cmd)
	first, err := lines.ReadString('\n')
	if err != nil {
		b.t.Fatalf("no first line: %v", err)
	}
	return cmd, strings.TrimSpace(first), lines
}

// reader starts cmd and returns what it writes.
func (b bench) reader(cmd *exec.Cmd) *bufio.Reader {
	b.t.Helper()
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { _ = cmd.Process.Kill() })
	return bufio.NewReader(out)
}

// lines starts cmd and returns what waits for its next line.
func (b bench) lines(cmd *exec.Cmd) func() string {
	b.t.Helper()
	r := b.reader(cmd)
	return func() string {
		b.t.Helper()
		line, err := r.ReadString('\n')
		if err != nil {
			b.t.Fatalf("no further line: %v", err)
		}
		return strings.TrimSpace(line)
	}
}

// A signal is the command's, which may clean up and end as it likes; its end is
// written down all the same.
func TestRunPassesSignalsOn(t *testing.T) {
	b := newBench(t)
	cmd, first, _ := b.start("run", "order:1", "--", "worker", "trap", "7")
	if first != "ready" {
		t.Fatalf("first line %q, want ready", first)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if code := b.code(cmd.Wait()); code != 7 {
		t.Errorf("run ended with %d, want the command's 7", code)
	}
	history, _ := b.dedupe("key", "order:1")
	if !strings.Contains(history, "exit status 7") {
		t.Errorf("the history lacks the release:\n%s", history)
	}
	if _, code := b.dedupe("claim", "order:1"); code != 0 {
		t.Errorf("claim after the release: exit %d, want 0", code)
	}
}

// A command that a signal ends gives 128 and the signal's number, as in a shell.
func TestRunTellsOfADeadlySignal(t *testing.T) {
	b := newBench(t)
	cmd, _, _ := b.start("run", "order:1", "--", "sh", "-c", "echo here; exec sleep 60")
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if code := b.code(cmd.Wait()); code != 128+int(syscall.SIGINT) {
		t.Errorf("run ended with %d, want %d", code, 128+int(syscall.SIGINT))
	}
}

// Work that takes longer than the time allowed is not taken over, because run
// asks for more time while the command lives.
func TestRunRenewsWhileTheCommandRuns(t *testing.T) {
	b := newBench(t)
	leave := filepath.Join(b.dir, "leave")
	cmd, _, _ := b.start("run", "order:1", "--lease", "5s", "--", "worker", "say", "here", "await", leave)
	granted := b.leaseUntil("order:1")

	// Four of the five seconds pass at once; the next heartbeat has to come from there.
	if err := os.WriteFile(filepath.Join(b.dir, "clock"), []byte("+4s"), 0o600); err != nil {
		t.Fatal(err)
	}
	b.until("a heartbeat", func() bool { return b.leaseUntil("order:1").Sub(granted) >= 4*time.Second })
	if err := os.WriteFile(filepath.Join(b.dir, "clock"), []byte("+6s"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, code := b.dedupe("claim", "order:1"); code != 1 {
		t.Errorf("claim during the work: exit %d, %q, want 1", code, out)
	}
	if err := os.WriteFile(leave, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if code := b.code(cmd.Wait()); code != 0 {
		t.Errorf("run ended with %d, want 0", code)
	}
	if out, code := b.dedupe("claim", "order:1", "--json"); code != 1 || !strings.Contains(out, `"status":"done"`) {
		t.Errorf("claim after the work: exit %d, %s", code, out)
	}
}

func (b bench) leaseUntil(key string) time.Time {
	b.t.Helper()
	out, code := b.dedupe("key", key, "--json")
	var body struct {
		LeaseUntil time.Time `json:"lease_until"`
	}
	if err := json.Unmarshal([]byte(out), &body); err != nil || code != 0 {
		b.t.Fatalf("key %s: exit %d, %s: %v", key, code, out, err)
	}
	return body.LeaseUntil
}

// Work whose key went to another run in the meantime ends in an error: the work
// may have been done twice, and that must not look like a success.
func TestRunThatLostItsKeyIsAnError(t *testing.T) {
	b := newBench(t)
	leave := filepath.Join(b.dir, "leave")
	cmd, _, _ := b.start("run", "order:1", "--lease", "7d", "--", "worker", "say", "here", "await", leave)
	if _, code := b.dedupe("decide", "order:1", "again", "--why", "test", "--name", "ann"); code != 0 {
		t.Fatalf("decide: exit %d", code)
	}
	if _, code := b.dedupe("claim", "order:1", "--owner", "other"); code != 0 {
		t.Fatalf("the second claim: exit %d", code)
	}
	if err := os.WriteFile(leave, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if code := b.code(cmd.Wait()); code != 2 {
		t.Errorf("run ended with %d, want 2", code)
	}
	history, _ := b.dedupe("key", "order:1")
	if !strings.Contains(history, "probably done twice") {
		t.Errorf("the history does not tell of the double run:\n%s", history)
	}
}
