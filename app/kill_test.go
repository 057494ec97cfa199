package main_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"
)

// killRoundsEnv is how many rounds the kill tests go. build/long sets it to 50.
const killRoundsEnv = "DEDUPE_KILL_ROUNDS"

// killSeedEnv repeats the chances of a run that failed. The moments of the kill are
// as far the same as the machine is.
const killSeedEnv = "DEDUPE_KILL_SEED"

func fromEnv(t *testing.T, name string, otherwise uint64) uint64 {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n
}

func killSeed(t *testing.T) uint64 {
	t.Helper()
	seed := fromEnv(t, killSeedEnv, rand.Uint64())
	t.Logf("%s=%d repeats this run", killSeedEnv, seed)
	return seed
}

// callers is how many ask at once while an engine is killed.
const callers = 200

// TestPeers52KillUnderLoad kills the engine at random moments under 200 callers, over
// and over on one ledger. Whatever a caller was answered is there afterwards, and no
// key was granted to two.
func TestPeers52KillUnderLoad(t *testing.T) {
	seed := killSeed(t)
	h := newHouse(t)
	var crowds []*crowd
	grants, lost := 0, 0
	for round := range fromEnv(t, killRoundsEnv, 5) {
		c := h.killUnder(fmt.Sprintf("r%d", round), seed+round)
		crowds = append(crowds, c)
		grants, lost = grants+len(c.grants), lost+len(c.lost)
		if t.Failed() {
			t.Fatalf("round %d of seed %d", round, seed)
		}
	}
	rows := h.rows()
	for _, c := range crowds {
		for _, g := range c.grants {
			if row := rows["default/"+g.Key]; g.end == "done" && g.answered && row.State != "done" {
				t.Errorf("%s: its done outlived its own round's kill and not the later ones: %+v", g.Key, row.State)
			}
		}
	}
	t.Logf("%d answered grants, %d claims without an answer", grants, lost)
	if grants == 0 || lost == 0 {
		t.Errorf("%d grants and %d lost claims: the kills met no load", grants, lost)
	}
}

// killUnder kills the engine under a crowd at a random moment, starts it again and
// checks what the crowd was told.
func (h *house) killUnder(name string, seed uint64) *crowd {
	h.t.Helper()
	chance := rand.New(rand.NewPCG(seed, 1<<32))
	c := newCrowd(h, name, seed, callers)
	h.await("the first grant", func() bool { return c.answered() > 0 })
	time.Sleep(time.Duration(chance.IntN(900)) * time.Millisecond)
	h.kill()
	c.wait()
	early := chance.IntN(2) == 0
	if early { // another program is the first to find what the kill left
		c.checkKept(h.rows())
	}
	h.start()
	if !early {
		c.checkKept(h.rows())
	}
	c.checkOnce()
	h.sound()
	c.checkAccepted(h)
	if c.busy > 0 {
		h.t.Errorf("%d calls were answered that the ledger is busy", c.busy)
	}
	return c
}

// await waits for something that must come, however slow the machine is.
func (h *house) await(what string, ok func() bool) {
	h.t.Helper()
	for deadline := time.Now().Add(60 * time.Second); time.Now().Before(deadline); time.Sleep(2 * time.Millisecond) {
		if ok() {
			return
		}
	}
	h.t.Fatalf("%s did not come:\n%s", what, h.said)
}
