package main_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
)

// raceRounds is how often eight processes ask for one new key.
const raceRounds = 200

// raceWorker is a process of its own that claims over HTTP each key it reads,
// and prints the status answered.
func raceWorker(in io.Reader, out io.Writer) int {
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		body := strings.NewReader(fmt.Sprintf(`{"key":%q}`, lines.Text()))
		req, err := http.NewRequest(http.MethodPost, os.Getenv("DEDUPE_TEST_API")+"/v1/claim", body)
		if err != nil {
			return 1
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("X-Api-Key", os.Getenv("DEDUPE_TEST_TOKEN"))
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			_, _ = fmt.Fprintln(out, "error", err)
			continue
		}
		var a struct{ Status string }
		err = json.NewDecoder(resp.Body).Decode(&a)
		_ = resp.Body.Close()
		if err != nil {
			_, _ = fmt.Fprintln(out, "error", err)
			continue
		}
		_, _ = fmt.Fprintln(out, a.Status)
	}
	return 0
}

// A contender asks once for a key and says what it was answered: "claimed", or
// something else that is no grant.
type contender func(key string) (string, error)

func (h *house) httpContender() contender {
	h.t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "DEDUPE_TEST_WORKER=race", "DEDUPE_TEST_API="+h.engine.API, "DEDUPE_TEST_TOKEN="+h.token)
	in, err := cmd.StdinPipe()
	if err != nil {
		h.t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		h.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { _ = in.Close(); _ = cmd.Wait() })
	lines := bufio.NewScanner(out)
	return func(key string) (string, error) {
		if _, err := fmt.Fprintln(in, key); err != nil {
			return "", err
		}
		if !lines.Scan() {
			return "", fmt.Errorf("a worker ended: %v", lines.Err())
		}
		return lines.Text(), nil
	}
}

func (h *house) cliContender(key string) (string, error) {
	cmd := h.command("claim", key, "--data", h.dir)
	out, err := cmd.Output()
	if exit, ok := err.(*exec.ExitError); ok && exit.ExitCode() != 1 {
		return "", fmt.Errorf("claim exited %d: %s", exit.ExitCode(), exit.Stderr)
	}
	return strings.TrimSpace(string(out)), nil
}

// TestPeers03EightProcessesOneWinner: four processes over HTTP and four on the
// command line ask for the same new key at once, on one ledger.
func TestPeers03EightProcessesOneWinner(t *testing.T) {
	eachBackend(t, eightProcessesOneWinner)
}

func eightProcessesOneWinner(t *testing.T, h *house) {
	var all []contender
	for range 4 {
		all = append(all, h.httpContender(), h.cliContender)
	}
	for round := range raceRounds {
		key := fmt.Sprintf("race:%d", round)
		got := make([]string, len(all))
		var wg sync.WaitGroup
		start := make(chan struct{})
		for i, ask := range all {
			wg.Go(func() {
				<-start
				answer, err := ask(key)
				if err != nil {
					t.Errorf("round %d: %v", round, err)
				}
				got[i] = answer
			})
		}
		close(start)
		wg.Wait()
		winners := 0
		for _, a := range got {
			switch a {
			case "claimed":
				winners++
			case "in_progress", "skip: already seen":
			default:
				t.Errorf("round %d: somebody was answered %q", round, a)
			}
		}
		if winners != 1 {
			t.Fatalf("round %d: %d winners: %q", round, winners, got)
		}
	}
}
