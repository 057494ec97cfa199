package main_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"strconv"
	"testing"
	"time"

	"dedupedesk/ledger"
	"dedupedesk/ledger/postgres/pgtest"
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
	eachBackend(t, func(t *testing.T, h *house) { h.killRounds(h.kill, h.start) })
}

// TestPeers52KillDatabaseUnderLoad does the same to the database server, and to server
// and engine at once.
func TestPeers52KillDatabaseUnderLoad(t *testing.T) {
	server := pgtest.Start(t)
	both := newHouseOn(t, server.New(t))
	t.Run("server and engine", func(t *testing.T) {
		both.t = t
		both.killRounds(
			func() { server.Kill(t); both.kill() },
			func() { server.Start(t); both.start() })
	})
	both.stop()
	h := newHouseOn(t, server.New(t))
	t.Run("server", func(t *testing.T) {
		h.t = t
		h.killRounds(func() { server.Kill(t) }, func() { server.Start(t) })
	})
}

// killRounds kills and starts again under load, as often as the environment says.
func (h *house) killRounds(kill, start func()) {
	h.t.Helper()
	seed := killSeed(h.t)
	var crowds []*crowd
	grants, lost := 0, 0
	for round := range fromEnv(h.t, killRoundsEnv, 5) {
		c := h.killUnder(fmt.Sprintf("r%d", round), seed+round, kill, start)
		crowds = append(crowds, c)
		grants, lost = grants+len(c.grants), lost+len(c.lost)
		if h.t.Failed() {
			h.t.Fatalf("round %d of seed %d", round, seed)
		}
	}
	rows := h.rows()
	for _, c := range crowds {
		for _, g := range c.grants {
			if row := rows["default/"+g.Key]; g.end == "done" && g.answered && row.State != ledger.Done {
				h.t.Errorf("%s: its done outlived the kill of its own round and not a later one: %s", g.Key, row.State)
			}
		}
	}
	h.t.Logf("%d answered grants, %d claims without a decision", grants, lost)
	if grants == 0 || lost == 0 {
		h.t.Errorf("%d grants and %d lost claims: the kills met no load", grants, lost)
	}
}

// killUnder kills under a crowd at a random moment, starts again and checks what the
// crowd was told.
func (h *house) killUnder(name string, seed uint64, kill, start func()) *crowd {
	h.t.Helper()
	chance := rand.New(rand.NewPCG(seed, 1<<32))
	c := newCrowd(h, name, seed, callers)
	h.await("the first grant", func() bool { return c.answered() > 0 })
	time.Sleep(time.Duration(chance.IntN(900)) * time.Millisecond)
	if busy := c.told503(); busy > 0 {
		h.t.Errorf("%d calls were answered that the ledger is busy, and nothing was killed yet", busy)
	}
	kill()
	if h.cmd != nil { // only the database is gone: callers are told so until they stop
		h.await("an answer that the ledger is busy", func() bool { return c.told503() > 0 })
		c.end()
	}
	c.wait()
	early := h.url == "" && chance.IntN(2) == 0
	if early { // another program is the first to find what the kill left
		c.checkKept(h.rows())
	}
	start()
	h.await("an engine that is ready", func() bool { return h.call(http.MethodGet, "/readyz", "", "").Code == http.StatusOK })
	if !early {
		c.checkKept(h.rows())
	}
	c.checkOnce()
	h.sound()
	c.checkAccepted(h)
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

// TestPeers51GraceAfterAKill kills an engine and starts it shortly before a grant's time
// is over. Its holder could not report meanwhile, so nobody may take over yet.
func TestPeers51GraceAfterAKill(t *testing.T) {
	h := newHouse(t)
	a := h.post("/v1/claim", map[string]any{"key": "a"})
	brief := h.post("/v1/claim", map[string]any{"key": "brief", "lease": 10})
	if a.text("status") != "claimed" || brief.text("status") != "claimed" {
		t.Fatalf("%s %s", a.Raw, brief.Raw)
	}
	h.kill()
	h.shift("+880s")
	h.start()
	ask := func(key, shift, want string) answer {
		t.Helper()
		h.shift(shift)
		got := h.post("/v1/claim", map[string]any{"key": key, "owner": "other"})
		if got.text("status") != want {
			t.Errorf("%s at %s: %s, want %s", key, shift, got.Raw, want)
		}
		return got
	}
	ask("brief", "+881s", "in_progress") // its grace is as short as its lease
	ask("a", "+905s", "in_progress")
	if out, _, code := h.run("claim", "a"); code != 1 {
		t.Errorf("a command does not heed the grace: %q, exit %d", out, code)
	}
	if got := ask("brief", "+905s", "claimed"); got.Body["took_over"] != true {
		t.Errorf("brief: %s", got.Raw)
	}
	ask("a", "+990s", "in_progress")
	if got := ask("a", "+1010s", "claimed"); got.Body["took_over"] != true || got.Body["fence"] != 2.0 {
		t.Errorf("a: %s", got.Raw)
	}
	late := h.post("/v1/done", map[string]any{"key": "a", "token": a.text("token")})
	if late.Code != http.StatusConflict || late.text("code") != "stale" {
		t.Errorf("the first holder's late done: %d %s", late.Code, late.Raw)
	}
}
