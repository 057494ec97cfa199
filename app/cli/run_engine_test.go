//go:build unix

package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// What a command is given and writes is not touched: bytes that are no text, output and
// error output apart, and nothing added, whatever the flags.
func TestRunLeavesInputAndOutputAsTheyAre(t *testing.T) {
	b := newBench(t)
	every := make([]byte, 256)
	for i := range every {
		every[i] = byte(i)
	}
	given := bytes.Repeat(every, 1000)
	for i, flags := range [][]string{nil, {"-v"}, {"--json"}} {
		key := fmt.Sprintf("order:%d", i)
		cmd := b.command(append(flags, "run", key, "--", "sh", "-c", `cat; printf '\377\000\r\n\033[31m' >&2; exit 3`)...)
		var out, errs bytes.Buffer
		cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(given), &out, &errs
		if code := b.code(cmd.Run()); code != 3 {
			t.Errorf("%v: exit %d, want the command's 3", flags, code)
		}
		if !bytes.Equal(out.Bytes(), given) {
			t.Errorf("%v: %d bytes of output are not the %d of the input", flags, out.Len(), len(given))
		}
		if errs.String() != "\xff\x00\r\n\x1b[31m" {
			t.Errorf("%v: error output %q", flags, errs.String())
		}
	}
}

// Each signal that a command may be sent reaches it, and not only run.
func TestRunPassesEverySignalOn(t *testing.T) {
	// Under nohup children would ignore HUP too. A signal that is waited for is as usual
	// in them.
	heard := make(chan os.Signal, 1)
	signal.Notify(heard, syscall.SIGHUP, syscall.SIGINT)
	defer signal.Stop(heard)
	b := newBench(t)
	for name, s := range map[string]syscall.Signal{
		"INT": syscall.SIGINT, "TERM": syscall.SIGTERM, "HUP": syscall.SIGHUP,
		"QUIT": syscall.SIGQUIT, "USR1": syscall.SIGUSR1, "USR2": syscall.SIGUSR2,
	} {
		script := `trap 'echo got; exit 5' ` + name + `; echo ready; while :; do sleep 0.05; done`
		cmd, _, rest := b.start("run", "order:"+name, "--", "sh", "-c", script)
		if err := cmd.Process.Signal(s); err != nil {
			t.Fatal(err)
		}
		said := new(bytes.Buffer)
		_, _ = said.ReadFrom(rest)
		if code := b.code(cmd.Wait()); code != 5 || said.String() != "got\n" {
			t.Errorf("SIG%s: exit %d and %q, want the command's 5 and got", name, code, said)
		}
	}
}

// What nohup, or a shell for its background, has ignored stays ignored by the command too.
func TestRunKeepsIgnoredSignalsIgnored(t *testing.T) {
	b := newBench(t)
	leave := filepath.Join(b.dir, "leave")
	cmd := b.command("run", "order:1", "--", "sh", "-c", `echo ready; while [ ! -e "$0" ]; do sleep 0.05; done; echo end`, leave)
	cmd.Args = append([]string{"sh", "-c", `trap "" HUP INT; exec "$0" "$@"`}, cmd.Args...)
	cmd.Path = "/bin/sh"
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	next := b.lines(cmd)
	next()
	for _, s := range []os.Signal{syscall.SIGHUP, syscall.SIGINT} {
		if err := syscall.Kill(-cmd.Process.Pid, s.(syscall.Signal)); err != nil { // as a terminal does, to all of them
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(leave, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if last := next(); last != "end" {
		t.Errorf("last line %q, want end", last)
	}
	if code := b.code(cmd.Wait()); code != 0 {
		t.Errorf("exit %d, want 0", code)
	}
	if out, code := b.dedupe("claim", "order:1", "--json"); code != 1 || !strings.Contains(out, `"status":"done"`) {
		t.Errorf("afterwards: exit %d, %s", code, out)
	}
}

// A slowEngine grants every claim for twelve seconds, and answers renewals as it is told.
type slowEngine struct {
	*httptest.Server
	renew func(w http.ResponseWriter, r *http.Request)

	mu    sync.Mutex
	calls []string
}

func newSlowEngine(t *testing.T, renew func(http.ResponseWriter, *http.Request)) *slowEngine {
	e := &slowEngine{renew: renew}
	e.Server = httptest.NewServer(http.HandlerFunc(e.answer))
	t.Cleanup(e.Close)
	return e
}

func (e *slowEngine) answer(w http.ResponseWriter, r *http.Request) {
	var asked struct{ Rule, Key string }
	_ = json.NewDecoder(r.Body).Decode(&asked)
	e.mu.Lock()
	e.calls = append(e.calls, r.URL.Path)
	e.mu.Unlock()
	status, more := "claimed", ""
	switch r.URL.Path {
	case "/v1/claim":
		until := time.Now().Add(12 * time.Second).UTC().Format(time.RFC3339Nano)
		more = fmt.Sprintf(`,"run":true,"token":"1.x","lease_until":%q`, until)
	case "/v1/renew":
		e.renew(w, r)
		return
	case "/v1/done":
		status = "done"
	case "/v1/release":
		status = "released"
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = fmt.Fprintf(w, `{"status":%q,"rule":%q,"key":%q%s}`, status, asked.Rule, asked.Key, more)
}

// asked returns how often a path was called.
func (e *slowEngine) asked(path string) int {
	e.mu.Lock()
	defer e.mu.Unlock()
	n := 0
	for _, c := range e.calls {
		if c == path {
			n++
		}
	}
	return n
}

// runThere starts `dedupe run` at the engine and waits for the command's first line.
func (e *slowEngine) runThere(t *testing.T, b bench, errs *bytes.Buffer, command ...string) (*exec.Cmd, func() string) {
	t.Helper()
	args := append([]string{"--url", e.URL, "run", "order:1", "--"}, command...)
	cmd := exec.Command("dedupe", args...)
	cmd.Env = append(os.Environ(), "DEDUPE_TOKEN=dd_x")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Stderr = errs
	next := b.lines(cmd)
	if first := next(); first != "ready" {
		t.Fatalf("first line %q, want ready; %s", first, errs)
	}
	return cmd, next
}

// An engine that does not answer a heartbeat keeps no signal from the command, and does
// not hide its end.
func TestRunPassesSignalsOnWhileTheEngineHangs(t *testing.T) {
	b := newBench(t)
	var open atomic.Int32
	e := newSlowEngine(t, func(_ http.ResponseWriter, r *http.Request) {
		open.Add(1)
		defer open.Add(-1)
		<-r.Context().Done()
	})
	var errs bytes.Buffer
	leave := filepath.Join(b.dir, "leave")
	cmd, next := e.runThere(t, b, &errs, "sh", "-c",
		`trap 'echo got; while [ ! -e "$0" ]; do sleep 0.05; done; exit 5' TERM; echo ready; while :; do sleep 0.05; done`, leave)
	b.until("a heartbeat", func() bool { return open.Load() > 0 })
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if got := next(); got != "got" || open.Load() == 0 {
		t.Errorf("the command said %q while %d heartbeats were open, want got while one was", got, open.Load())
	}
	if err := os.WriteFile(leave, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if code := b.code(cmd.Wait()); code != 5 || e.asked("/v1/release") != 1 {
		t.Errorf("exit %d after %d releases, want the command's 5 after one; %s", code, e.asked("/v1/release"), &errs)
	}
}

// Where the time runs out because no heartbeat is answered, run says so once, and goes on.
func TestRunSaysThatItsTimeRunsOut(t *testing.T) {
	t.Parallel() // it waits most of the time
	b := newBench(t)
	leave := filepath.Join(b.dir, "leave")
	e := newSlowEngine(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/problem+json")
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = fmt.Fprint(w, `{"code":"busy","detail":"The key file is locked.","run":false}`)
	})
	var errs syncBuffer
	cmd := exec.Command("dedupe", "--url", e.URL, "run", "order:1", "--", "worker", "say", "ready", "await", leave)
	cmd.Env = append(os.Environ(), "DEDUPE_TOKEN=dd_x")
	cmd.Stderr = &errs
	b.lines(cmd)()
	b.until("the warning", func() bool { return strings.Contains(errs.String(), "nearly up") })
	asked := e.asked("/v1/renew")
	b.until("another heartbeat", func() bool { return e.asked("/v1/renew") > asked+3 })
	if err := os.WriteFile(leave, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if code := b.code(cmd.Wait()); code != 0 || e.asked("/v1/done") != 1 {
		t.Errorf("exit %d after %d reports, want 0 after one; %s", code, e.asked("/v1/done"), errs.String())
	}
	if said := errs.String(); strings.Count(said, "\n") != 1 || !strings.Contains(said, "The key file is locked.") {
		t.Errorf("said %q, want one line", said)
	}
}

// A syncBuffer is written by a process while a test reads it.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}
