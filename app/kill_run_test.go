//go:build unix

package main_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"dedupedesk/ledger"
)

// TestPeers52KilledRunIsNotRunAgain kills `dedupe run` at random moments: before its
// claim, in the middle of its command, and while it reports. Each command starts once,
// whoever was killed, and one that was reported to have ended well is finished.
func TestPeers52KilledRunIsNotRunAgain(t *testing.T) {
	eachBackend(t, killedRunIsNotRunAgain)
}

func killedRunIsNotRunAgain(t *testing.T, h *house) {
	seed := killSeed(t)
	ran := filepath.Join(t.TempDir(), "ran")
	chance := rand.New(rand.NewPCG(seed, 0))
	well := map[string]bool{}
	for round := range fromEnv(t, killRoundsEnv, 5) {
		var mu sync.Mutex
		var wg sync.WaitGroup
		for i := range 12 {
			key := fmt.Sprintf("r%d-k%d", round, i%6) // each key is run twice at once
			lifetime := time.Duration(chance.IntN(400)) * time.Millisecond
			if i%6 == 5 {
				lifetime = time.Minute // one that nobody kills
			}
			wg.Go(func() {
				if h.runAndKill(key, ran, lifetime) {
					mu.Lock()
					defer mu.Unlock()
					well[key] = true
				}
			})
		}
		wg.Wait()
	}
	h.checkRuns(ran, well)
}

// runOnce is `dedupe run` on this house's data folder. The command notes in the file
// ran that it started, works for a moment, and says so.
func (h *house) runOnce(key, ran string) *exec.Cmd {
	script := `echo "$1" >> "$2"; sleep 0.1; echo worked`
	return h.command("run", key, "--data", h.dir, "--", "sh", "-c", script, "sh", key, ran)
}

// runAndKill runs a command under key and kills dedupe, and what it started, after
// lifetime. It reports whether the command worked and dedupe ended well before that.
func (h *house) runAndKill(key, ran string, lifetime time.Duration) bool {
	var out bytes.Buffer
	cmd := h.runOnce(key, ran)
	cmd.Stdout = &out
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		h.t.Error(err)
		return false
	}
	killer := time.AfterFunc(lifetime, func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
	defer killer.Stop()
	err := cmd.Wait()
	if exit, ok := err.(*exec.ExitError); ok && exit.ExitCode() >= 0 {
		h.t.Errorf("run %s ended with %d, and was not killed", key, exit.ExitCode())
	}
	return err == nil && out.Len() > 0
}

// checkRuns wants each key to stand in the file ran once at most, to be finished where
// a run ended well, and not to run again before its time is over.
func (h *house) checkRuns(ran string, well map[string]bool) {
	h.t.Helper()
	data, err := os.ReadFile(ran)
	if err != nil {
		h.t.Fatalf("no command ever started: %v", err)
	}
	started := strings.Fields(string(data))
	slices.Sort(started)
	if once := slices.Compact(slices.Clone(started)); len(once) != len(started) {
		h.t.Errorf("a command started twice: %q", started)
	}
	rows := h.rows()
	var open []string
	for _, key := range started {
		row, ok := rows["default/"+key]
		switch {
		case !ok:
			h.t.Errorf("%s was started without a grant in the file", key)
		case well[key] && row.State != ledger.Done:
			h.t.Errorf("%s ended well, and is %s", key, row.State)
		case row.State == ledger.Claimed:
			open = append(open, key)
		case row.State != ledger.Done:
			h.t.Errorf("%s was started, and is %s", key, row.State)
		}
	}
	if len(open) == 0 || len(open) == len(started) {
		h.t.Errorf("of %d started, %d were left open: the kills met one moment only", len(started), len(open))
	}
	h.wantRuns(open, ran, "")
	h.shift("+901s")
	h.wantRuns(open, ran, "worked\n")
	h.sound()
}

// wantRuns runs each key again and wants that output.
func (h *house) wantRuns(keys []string, ran, want string) {
	h.t.Helper()
	for _, key := range keys {
		if out, err := h.runOnce(key, ran).Output(); err != nil || string(out) != want {
			h.t.Errorf("%s run again: %q, %v, want %q", key, out, err, want)
		}
	}
}
