package sqlite_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"dedupedesk/ledger"
)

// racer is a child that answers one claim a line.
type racer struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Scanner
}

// next returns the racer's answer to its oldest unanswered line.
func (r *racer) next(t *testing.T) string {
	t.Helper()
	if !r.out.Scan() {
		t.Fatalf("a racer stopped: %s", r.cmd.Stderr)
	}
	return r.out.Text()
}

func startRacer(t *testing.T, cmd *exec.Cmd) *racer {
	t.Helper()
	r := &racer{cmd: cmd}
	r.cmd.Stderr = &bytes.Buffer{}
	var err error
	if r.in, err = r.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := r.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	r.out = bufio.NewScanner(out)
	if err := r.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = r.in.Close()
		if err := r.cmd.Wait(); err != nil {
			t.Errorf("racer: %v: %s", err, r.cmd.Stderr)
		}
	})
	if first := r.next(t); first != "ready" {
		t.Fatalf("racer: %q", first)
	}
	return r
}

func TestPeers03EightProcessesOneNewKey(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.db")
	racers := make([]*racer, 8)
	for i := range racers {
		racers[i] = startRacer(t, child(t, "race", path))
	}
	const rounds = 200
	for round := range rounds {
		for _, r := range racers {
			if _, err := fmt.Fprintf(r.in, "key-%d\n", round); err != nil {
				t.Fatal(err)
			}
		}
		counts := make(map[string]int)
		for _, r := range racers {
			counts[r.next(t)]++
		}
		if counts["claimed"] != 1 || counts["in_progress"] != 7 {
			t.Fatalf("round %d: %v", round, counts)
		}
	}
	l := ledger.New(open(t, path), ledger.SystemClock(), nil)
	defer l.Close()
	c, err := l.Counts(t.Context())
	if err != nil || c.Total != rounds || c.CopiesStopped != 7*rounds {
		t.Errorf("counts %+v, %v", c, err)
	}
}

// TestPeers52KillUnderLoad kills writers at random moments. Whatever they printed was
// answered, so it has to be in the file.
func TestPeers52KillUnderLoad(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.db")
	for round := range 4 {
		outs := make([]*bytes.Buffer, 4)
		cmds := make([]*exec.Cmd, len(outs))
		for i := range cmds {
			outs[i] = &bytes.Buffer{}
			cmds[i] = child(t, "loop", path, fmt.Sprintf("r%d-c%d", round, i))
			cmds[i].Stdout = outs[i]
			if err := cmds[i].Start(); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(300*time.Millisecond + rand.N(400*time.Millisecond))
		for _, cmd := range cmds {
			if err := cmd.Process.Kill(); err != nil {
				t.Error(err)
			}
		}
		for _, cmd := range cmds {
			if err := cmd.Wait(); err == nil {
				t.Error("a writer ended by itself")
			}
		}
		checkAnswered(t, path, outs)
	}
}

func checkAnswered(t *testing.T, path string, outs []*bytes.Buffer) {
	t.Helper()
	l := ledger.New(open(t, path), ledger.SystemClock(), nil)
	defer l.Close()
	answered := 0
	for _, out := range outs {
		for _, line := range lines(out.Bytes()) {
			what, key, _ := strings.Cut(line, " ")
			life, err := l.Key(t.Context(), "", key)
			if err != nil {
				t.Errorf("%s: %v", line, err)
			}
			if what == "done" && life.Key.State != ledger.Done {
				t.Errorf("%s: state %q", line, life.Key.State)
			}
			if a, err := l.Claim(t.Context(), ledger.ClaimRequest{Key: key}); err != nil || a.Run {
				t.Errorf("%s: granted again: %+v, %v", line, a, err)
			}
			answered++
		}
	}
	if answered == 0 {
		t.Error("no writer got to write")
	}
	var off int
	err := raw(t, path).QueryRow(`
		SELECT abs(total - (SELECT count(*) FROM claims))
			+ abs(claimed - (SELECT count(*) FROM claims WHERE state = 'claimed'))
			+ abs(done - (SELECT count(*) FROM claims WHERE state = 'done'))
			+ abs(copies - (SELECT sum(copies) FROM claims))
		FROM rule_counts
		WHERE rule_id = 1`).Scan(&off)
	if err != nil || off != 0 {
		t.Errorf("counters are off by %d, %v", off, err)
	}
}

func TestEightFirstStartsAtOnce(t *testing.T) {
	for round := range 20 {
		path := filepath.Join(t.TempDir(), "ledger.db")
		at := strconv.FormatInt(time.Now().Add(300*time.Millisecond).UnixMilli(), 10)
		var cmds [8]*exec.Cmd
		for i := range cmds {
			cmds[i] = child(t, "firstRun", path, at, strconv.Itoa(i))
			cmds[i].Stderr = &bytes.Buffer{}
			if err := cmds[i].Start(); err != nil {
				t.Fatal(err)
			}
		}
		for i, cmd := range cmds {
			if err := cmd.Wait(); err != nil {
				t.Errorf("round %d, process %d: %v: %s", round, i, err, cmd.Stderr)
			}
		}
		l := ledger.New(open(t, path), ledger.SystemClock(), nil)
		if c, err := l.Counts(t.Context()); err != nil || c.Total != 8 {
			t.Errorf("round %d: %+v, %v", round, c, err)
		}
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	}
}
