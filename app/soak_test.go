//go:build long

// The tag long adds the soak, which takes as long as DEDUPE_SOAK says. build/long calls
// it.

package main_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dedupedesk/ledger"
)

// soakEnv is how long each backend is soaked.
const soakEnv = "DEDUPE_SOAK"

// A soak is one house over a long time: mixed load, while the clock is moved, engines are
// stopped and killed, and commands work beside them.
type soak struct {
	*house
	chance *rand.Rand
	ahead  time.Duration // how far the test clock is
	phase  int
	done   []string // keys whose done was answered
}

// TestSoak holds both backends to every answer they gave, for a long time.
func TestSoak(t *testing.T) {
	long, err := time.ParseDuration(os.Getenv(soakEnv))
	if err != nil {
		t.Fatalf("%s has to be a time such as 10m: %v", soakEnv, err)
	}
	eachBackend(t, func(t *testing.T, h *house) {
		s := &soak{house: h, chance: rand.New(rand.NewPCG(killSeed(t), 0))}
		for end := time.Now().Add(long); time.Now().Before(end) && !t.Failed(); s.phase++ {
			s.onePhase()
		}
		if len(s.done) < 1000 {
			t.Errorf("only %d keys were finished", len(s.done))
		}
	})
}

// troubles are what happens in the middle of a phase.
var troubles = []struct {
	name  string
	happy bool // no caller may notice
	do    func(s *soak)
}{
	{"nothing", true, func(*soak) {}},
	{"time passes", true, func(s *soak) { s.move(901*time.Second, "+") }},
	{"sleep", true, func(s *soak) { s.move(time.Hour, "sleep +") }},
	{"the clock is set back", true, func(s *soak) { s.move(-30*time.Minute, "+") }},
	{"commands", true, func(s *soak) { s.commands() }},
	{"backup", true, func(s *soak) { s.backup() }},
	{"stop", false, func(s *soak) { s.stop() }},
	{"kill", false, func(s *soak) { s.kill() }},
	{"kill, and the clock is set back", false, func(s *soak) { s.kill(); s.move(-10*time.Minute, "+") }},
	{"kill, and time passes", false, func(s *soak) { s.kill(); s.move(2*time.Hour, "+") }},
}

// onePhase lets a crowd use the house for some seconds, has something happen to it, and
// checks what the crowd was told.
func (s *soak) onePhase() {
	trouble := troubles[s.chance.IntN(len(troubles))]
	c := aloneCrowd(s.house, fmt.Sprintf("p%d", s.phase), s.chance.Uint64())
	c.lapses = true
	c.begin(0, 64)
	time.Sleep(time.Duration(1+s.chance.IntN(4)) * time.Second)
	trouble.do(s)
	if trouble.happy {
		time.Sleep(time.Duration(1+s.chance.IntN(4)) * time.Second)
		c.end()
	} else {
		c.wait()
		s.start()
	}
	if trouble.happy && c.busy > 0 {
		s.t.Errorf("phase %d, %s: %d calls were answered that the ledger is busy", s.phase, trouble.name, c.busy)
	}
	rows := s.rows()
	c.checkOnce()
	c.checkKept(rows)
	for _, key := range s.done {
		if rows["default/"+key].State != ledger.Done {
			s.t.Errorf("phase %d, %s: %s was finished long before, and is %q", s.phase, trouble.name, key, rows["default/"+key].State)
		}
	}
	for _, g := range c.grants {
		if g.end == "done" && g.answered {
			s.done = append(s.done, g.Key)
		}
	}
	if s.phase%10 == 9 {
		s.sound()
	}
	s.t.Logf("phase %d, %s: %d grants, %d without a decision, %d keys, engine %s", s.phase, trouble.name, len(c.grants), len(c.lost), len(rows), s.memory())
}

// move moves the ledger's clock by so much.
func (s *soak) move(by time.Duration, how string) {
	s.ahead = max(0, s.ahead+by)
	if strings.HasPrefix(how, "sleep") {
		s.shift(fmt.Sprintf("sleep +%s", s.ahead))
		return
	}
	s.shift(fmt.Sprintf("+%s", s.ahead))
}

// commands work on the same ledger beside the engine.
func (s *soak) commands() {
	key := fmt.Sprintf("cli-%d", s.phase)
	s.must("claim", key, "--owner", "o")
	s.must("renew", key, "--owner", "o")
	s.must("done", key, "--owner", "o")
	s.must("keys", "--json")
	s.must("prune", "3000")
	s.done = append(s.done, key)
}

// backup makes a copy of a file that is in use; a database has its own tools.
func (s *soak) backup() {
	if s.house.url == "" {
		s.must("backup", filepath.Join(s.t.TempDir(), fmt.Sprintf("backup-%d.db", s.phase)))
	}
}

// memory is what the engine's process has in memory, where the system tells.
func (s *soak) memory() string {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		return "unknown"
	}
	for line := range strings.Lines(string(data)) {
		if size, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			return strings.TrimSpace(size)
		}
	}
	return "unknown"
}
