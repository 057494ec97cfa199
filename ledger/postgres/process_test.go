package postgres_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"dedupedesk/ledger"
	"dedupedesk/ledger/postgres/pgtest"
)

// countersOff is by how much the counters differ from the rows.
const countersOff = `
	SELECT coalesce(sum(
		abs(n.total - (SELECT count(*) FROM dedupe.claims AS c WHERE c.rule_id = n.rule_id))
		+ abs(n.done - (SELECT count(*) FROM dedupe.claims AS c WHERE c.rule_id = n.rule_id AND state = 'done'))
		+ abs(n.claimed - (SELECT count(*) FROM dedupe.claims AS c WHERE c.rule_id = n.rule_id AND state = 'claimed'))
		+ abs(n.copies - (SELECT coalesce(sum(copies), 0) FROM dedupe.claims AS c WHERE c.rule_id = n.rule_id))
		+ abs(n.copies - (SELECT coalesce(sum(copies), 0) FROM dedupe.copies_by_day AS d WHERE d.rule_id = n.rule_id))), 0)::BIGINT
	FROM (
		SELECT rule_id, sum(total) AS total, sum(done) AS done, sum(claimed) AS claimed, sum(copies) AS copies
		FROM dedupe.rule_counts
		GROUP BY rule_id) AS n`

func checkCounters(t *testing.T, url string) {
	t.Helper()
	if n := pgtest.Number(t, url, countersOff); n != 0 {
		t.Errorf("the counters are off by %d", n)
	}
}

const rounds = 200

// TestPeers03SixtyFourCallersOneNewKey: of 64 goroutines that ask through two stores,
// one is granted, and all others are told that somebody is on it.
func TestPeers03SixtyFourCallersOneNewKey(t *testing.T) {
	url := pgtest.New(t)
	var ledgers [2]*ledger.Ledger
	for i := range ledgers {
		ledgers[i] = ledger.New(open(t, url), ledger.SystemClock(), nil)
		defer ledgers[i].Close()
	}
	for round := range rounds {
		var granted, waiting atomic.Int32
		var wg sync.WaitGroup
		start := make(chan struct{})
		for i := range 64 {
			wg.Go(func() {
				<-start
				a, err := ledgers[i%2].Claim(t.Context(), ledger.ClaimRequest{Key: fmt.Sprint("key-", round), Owner: fmt.Sprint(i)})
				switch {
				case err != nil:
					t.Errorf("round %d: %v", round, err)
				case a.Run:
					granted.Add(1)
				case a.Status == ledger.StatusInProgress:
					waiting.Add(1)
				}
			})
		}
		close(start)
		wg.Wait()
		if granted.Load() != 1 || waiting.Load() != 63 {
			t.Fatalf("round %d: %d granted and %d waiting of 64", round, granted.Load(), waiting.Load())
		}
	}
	c, err := ledgers[0].Counts(t.Context())
	if err != nil || c.Total != rounds || c.CopiesStopped != 63*rounds {
		t.Errorf("counts %+v, %v", c, err)
	}
	checkCounters(t, url)
}

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
	url := pgtest.New(t)
	racers := make([]*racer, 8)
	for i := range racers {
		racers[i] = startRacer(t, child(t, url, "race"))
	}
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
	l := ledger.New(open(t, url), ledger.SystemClock(), nil)
	defer l.Close()
	c, err := l.Counts(t.Context())
	if err != nil || c.Total != rounds || c.CopiesStopped != 7*rounds {
		t.Errorf("counts %+v, %v", c, err)
	}
	checkCounters(t, url)
}

// TestPeers52KillUnderLoad kills writers, and their server with them in every second
// round. Whatever they printed was answered, so it has to be in the database.
func TestPeers52KillUnderLoad(t *testing.T) {
	server := pgtest.Start(t)
	url := server.New(t)
	for round := range 4 {
		outs := make([]*bytes.Buffer, 4)
		cmds := make([]*exec.Cmd, len(outs))
		for i := range cmds {
			outs[i] = &bytes.Buffer{}
			cmds[i] = child(t, url, "loop", fmt.Sprintf("r%d-c%d", round, i))
			cmds[i].Stdout = outs[i]
			if err := cmds[i].Start(); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(500*time.Millisecond + rand.N(400*time.Millisecond))
		if round%2 == 1 {
			server.Kill(t)
		}
		for _, cmd := range cmds {
			_ = cmd.Process.Kill() // without a server it may have ended by itself
		}
		for _, cmd := range cmds {
			if err := cmd.Wait(); err == nil {
				t.Error("a writer ended well by itself")
			}
		}
		if round%2 == 1 {
			server.Start(t)
		}
		checkAnswered(t, url, outs)
	}
}

func checkAnswered(t *testing.T, url string, outs []*bytes.Buffer) {
	t.Helper()
	l := ledger.New(open(t, url), ledger.SystemClock(), nil)
	defer l.Close()
	answered := 0
	for _, out := range outs {
		for line := range strings.Lines(out.String()) {
			what, key, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
			if !strings.HasSuffix(line, "\n") {
				continue // a kill cut it short
			}
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
	checkCounters(t, url)
}

func TestEightFirstStartsAtOnce(t *testing.T) {
	for round := range 5 {
		url := pgtest.New(t)
		at := strconv.FormatInt(time.Now().Add(700*time.Millisecond).UnixMilli(), 10)
		var cmds [8]*exec.Cmd
		for i := range cmds {
			cmds[i] = child(t, url, "firstRun", at, strconv.Itoa(i))
			if err := cmds[i].Start(); err != nil {
				t.Fatal(err)
			}
		}
		for i, cmd := range cmds {
			if err := cmd.Wait(); err != nil {
				t.Errorf("round %d, process %d: %v: %s", round, i, err, cmd.Stderr)
			}
		}
		l := ledger.New(open(t, url), ledger.SystemClock(), nil)
		if c, err := l.Counts(t.Context()); err != nil || c.Total != 8 {
			t.Errorf("round %d: %+v, %v", round, c, err)
		}
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	}
}
