package sqlite_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"dedupedesk/ledger"
	"dedupedesk/ledger/sqlite"
)

// script runs the seed article's dedupe.py on the file and returns what it printed
// and its exit code: 0 yes, 1 no, 2 error.
func script(t *testing.T, path string, args ...string) (string, int) {
	t.Helper()
	out, err := exec.Command("python3", append([]string{"testdata/dedupe.py", "--db", path}, args...)...).CombinedOutput()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return strings.TrimSpace(string(out)), exit.ExitCode()
	}
	if err != nil {
		t.Fatalf("python3 is needed to run the seed's script: %v", err)
	}
	return strings.TrimSpace(string(out)), 0
}

func wantScript(t *testing.T, path string, wantOut string, wantCode int, args ...string) {
	t.Helper()
	if out, code := script(t, path, args...); code != wantCode || !strings.Contains(out, wantOut) {
		t.Errorf("dedupe.py %v: %q, exit %d, want %q, exit %d", args, out, code, wantOut, wantCode)
	}
}

func claimPlain(t *testing.T, l *ledger.Ledger, key string) ledger.Answer {
	t.Helper()
	a, err := l.Claim(t.Context(), ledger.ClaimRequest{Key: key})
	if err != nil {
		t.Fatalf("Claim %s: %v", key, err)
	}
	return a
}

func stateOf(t *testing.T, l *ledger.Ledger, key string) ledger.State {
	t.Helper()
	life, err := l.Key(t.Context(), "", key)
	if err != nil {
		t.Fatalf("Key %s: %v", key, err)
	}
	return life.Key.State
}

// age moves a key of the rule default back in time, as if it had been claimed, and
// finished, so much earlier.
func age(t *testing.T, path, key string, by time.Duration) {
	t.Helper()
	run(t, raw(t, path), `
		UPDATE claims
		SET claimed_at = claimed_at - ?1, lease_until = lease_until - ?1, done_at = done_at - ?1,
			next_try_at = next_try_at - ?1, stuck_at = stuck_at - ?1, changed_at = changed_at - ?1
		WHERE rule_id = 1 AND key = ?2`, by.Milliseconds(), key)
}

// TestSeedScriptTellsItsOwnStory is the article's own check of its wrapper.
func TestSeedScriptTellsItsOwnStory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.db")
	l := newLedger(t, path)
	wantScript(t, path, "claimed", 0, "claim", "evt_123")
	wantScript(t, path, "release evt_123", 0, "release", "evt_123")
	wantScript(t, path, "claimed", 0, "claim", "evt_123")
	wantScript(t, path, "skip: already seen", 1, "claim", "evt_123")
	wantScript(t, path, "done evt_123", 0, "done", "evt_123")
	wantScript(t, path, "done evt_123", 0, "done", "evt_123")
	wantScript(t, path, "skip: already seen", 1, "claim", "evt_123")
	wantScript(t, path, "release evt_123", 0, "release", "evt_123")
	wantScript(t, path, "empty key", 2, "claim", "  ")
	life, err := l.Key(t.Context(), "", "evt_123")
	if err != nil {
		t.Fatal(err)
	}
	var kinds []string
	for _, e := range life.Events {
		kinds = append(kinds, e.Kind)
	}
	if got := fmt.Sprint(kinds); got != "[granted released granted finished]" {
		t.Errorf("history %s", got)
	}
	if life.Key.State != ledger.Done || life.Key.Fence != 2 || life.Key.Attempts != 2 {
		t.Errorf("key %+v", life.Key)
	}
}

func TestSeedScriptNeverGetsWhatTheLedgerHolds(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.db")
	l := newLedger(t, path)
	live := claimPlain(t, l, "live")
	wantScript(t, path, "skip", 1, "claim", "live")
	wantScript(t, path, "somebody else is on this key", 2, "--lease", "-1", "claim", "live")
	wantScript(t, path, "holds this key", 2, "done", "live")
	wantScript(t, path, "holds this key", 2, "release", "live")
	if got := stateOf(t, l, "live"); got != ledger.Claimed {
		t.Errorf("live is %q", got)
	}
	if _, err := l.Done(t.Context(), ledger.DoneRequest{Identity: ledger.Identity{Key: "live", Token: live.Token}}); err != nil {
		t.Errorf("Done: %v", err)
	}
	wantScript(t, path, "skip", 1, "claim", "live")
}

func TestSeedScriptSeesWhatItMayNotTake(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.db")
	l := newLedger(t, path)
	claimPlain(t, l, "held")
	if _, err := l.Decide(t.Context(), ledger.DecideRequest{Key: "held", Decision: ledger.Block, By: "Ada", Why: "x"}); err != nil {
		t.Fatal(err)
	}
	age(t, path, "held", time.Hour)
	wantScript(t, path, "skip", 1, "claim", "held")

	a := claimPlain(t, l, "waiting")
	id := ledger.Identity{Key: "waiting", Token: a.Token}
	if _, err := l.Release(t.Context(), ledger.ReleaseRequest{Identity: id, RetryAfter: time.Hour}); err != nil {
		t.Fatal(err)
	}
	wantScript(t, path, "skip", 1, "claim", "waiting")
	age(t, path, "waiting", time.Hour)
	wantScript(t, path, "claimed", 0, "claim", "waiting")

	// A renewed lease lasts, however long ago the key was claimed.
	a = claimPlain(t, l, "renewed")
	age(t, path, "renewed", 16*time.Minute)
	id = ledger.Identity{Key: "renewed", Token: a.Token}
	if _, err := l.Renew(t.Context(), ledger.RenewRequest{Identity: id}); err != nil {
		t.Fatal(err)
	}
	wantScript(t, path, "skip", 1, "claim", "renewed")
}

func TestSeedScriptObeysThePolicyOfDefault(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.db")
	l := newLedger(t, path)
	p := ledger.DefaultPolicy()
	p.OnExpiry = ledger.Ask
	if _, err := l.PutRule(t.Context(), "", ledger.Rule{Name: ledger.DefaultRule, Policy: p}); err != nil {
		t.Fatal(err)
	}
	wantScript(t, path, "claimed", 0, "claim", "ask")
	age(t, path, "ask", time.Hour)
	wantScript(t, path, "skip", 1, "claim", "ask")

	p.OnExpiry, p.MaxAttempts = ledger.Next, 1
	if _, err := l.PutRule(t.Context(), "", ledger.Rule{Name: ledger.DefaultRule, Policy: p}); err != nil {
		t.Fatal(err)
	}
	wantScript(t, path, "claimed", 0, "claim", "once")
	wantScript(t, path, "release", 0, "release", "once")
	wantScript(t, path, "skip", 1, "claim", "once")
}

func TestLedgerNeverGetsWhatTheSeedScriptHolds(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.db")
	l := newLedger(t, path)
	wantScript(t, path, "claimed", 0, "claim", "a")
	if a := claimPlain(t, l, "a"); a.Run || a.Status != ledger.StatusInProgress {
		t.Errorf("%+v", a)
	}
	wantScript(t, path, "done", 0, "done", "a")
	if a := claimPlain(t, l, "a"); a.Status != ledger.StatusDone {
		t.Errorf("%+v", a)
	}
	// What the script holds, the command line without a token may report.
	wantScript(t, path, "claimed", 0, "claim", "b")
	if _, err := l.Done(t.Context(), ledger.DoneRequest{Identity: ledger.Identity{Key: "b", Plain: true}}); err != nil {
		t.Errorf("Done: %v", err)
	}
}

// TestSeedScriptTakesOver is the article's check of a crash: refused after 60 seconds,
// let in after 16 minutes, and then able to finish.
func TestSeedScriptTakesOver(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.db")
	l := newLedger(t, path)
	wantScript(t, path, "claimed", 0, "claim", "a")
	age(t, path, "a", time.Minute)
	wantScript(t, path, "skip", 1, "claim", "a")
	age(t, path, "a", 15*time.Minute)
	wantScript(t, path, "claimed", 0, "claim", "a")
	wantScript(t, path, "skip", 1, "claim", "a")
	wantScript(t, path, "holds this key", 2, "release", "a")
	wantScript(t, path, "done", 0, "done", "a")
	wantScript(t, path, "skip", 1, "claim", "a")
	life, err := l.Key(t.Context(), "", "a")
	if err != nil || life.Key.Fence != 2 || life.Events[1].Kind != ledger.EventTookOver {
		t.Errorf("%+v, %v", life, err)
	}
	// A key of the ledger whose time ran out, taken over by the script.
	first := claimPlain(t, l, "b")
	age(t, path, "b", 16*time.Minute)
	wantScript(t, path, "claimed", 0, "claim", "b")
	_, err = l.Done(t.Context(), ledger.DoneRequest{Identity: ledger.Identity{Key: "b", Token: first.Token}})
	wantCode(t, err, ledger.Stale)
	wantScript(t, path, "done", 0, "done", "b")
}

// TestSeedScriptPrunes: the rows go, and the script says 0 because a view cannot count.
func TestSeedScriptPrunes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.db")
	l := newLedger(t, path)
	for _, key := range []string{"old", "new", "open"} {
		wantScript(t, path, "claimed", 0, "claim", key)
	}
	wantScript(t, path, "done", 0, "done", "old")
	wantScript(t, path, "done", 0, "done", "new")
	age(t, path, "old", 4*24*time.Hour)
	age(t, path, "open", 4*24*time.Hour)
	wantScript(t, path, "pruned 0", 0, "prune", "3")
	page, err := l.Keys(t.Context(), ledger.KeyQuery{Prefix: "o"})
	if err != nil || len(page.Keys) != 1 || page.Keys[0].Key != "open" {
		t.Errorf("%+v, %v", page, err)
	}
	if c, err := l.Counts(t.Context()); err != nil || c.Total != 2 || c.Finished != 1 {
		t.Errorf("%+v, %v", c, err)
	}
	wantScript(t, path, "claimed", 0, "claim", "old")
}

func TestSeenRefusesWhatNobodyShouldWrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.db")
	l := newLedger(t, path)
	claimPlain(t, l, "a")
	db := raw(t, path)
	for _, query := range []string{
		"INSERT INTO seen VALUES ('a', 'claimed', 1.0, NULL)",
		"INSERT INTO seen VALUES ('b', 'done', 1.0, 1.0)",
		"INSERT INTO seen VALUES (' ', 'claimed', 1.0, NULL)",
		"INSERT INTO seen VALUES (NULL, 'claimed', 1.0, NULL)",
		"INSERT INTO seen VALUES ('a' || char(10), 'claimed', 1.0, NULL)",
		"INSERT INTO seen VALUES ('a' || char(0) || 'b', 'claimed', 1.0, NULL)",
		"INSERT INTO seen VALUES ('a' || char(8238) || 'b', 'claimed', 1.0, NULL)",
		"INSERT INTO seen VALUES (hex(zeroblob(200)), 'claimed', 1.0, NULL)",
		"UPDATE seen SET claimed_at = 1.0 WHERE key = 'a'",
		"UPDATE seen SET key = 'b' WHERE key = 'a'",
		"UPDATE seen SET state = 'free' WHERE key = 'a'",
		"UPDATE seen SET state = 'done' WHERE key = 'a'",
		"DELETE FROM seen WHERE key = 'a'",
	} {
		if _, err := db.Exec(query); err == nil {
			t.Errorf("%s: not refused", query)
		}
	}
	if c, err := l.Counts(t.Context()); err != nil || c.Total != 1 || c.InProgress != 1 {
		t.Errorf("%+v, %v", c, err)
	}
}

// scriptRacer is the child race in Python: it answers each key on stdin by True or
// False, as the script's claim does.
const scriptRacer = `
import sys
sys.path.insert(0, "testdata")
import dedupe
con = dedupe.connect(sys.argv[1])
print("ready", flush=True)
for line in sys.stdin:
    print(dedupe.claim(con, line.strip()), flush=True)
`

// TestSeedScriptRacesTheLedger: four processes of the script and four of the ledger
// ask for one new key at once, many times over.
func TestSeedScriptRacesTheLedger(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.db")
	newLedger(t, path)
	var racers []*racer
	for range 4 {
		racers = append(racers, startRacer(t, exec.Command("python3", "-B", "-c", scriptRacer, path)))
	}
	for range 4 {
		racers = append(racers, startRacer(t, child(t, "race", path)))
	}
	won := make(map[string]int)
	for round := range 100 {
		for i := range racers {
			// Either kind is told first every second round.
			r := racers[(i+round%2*4)%8]
			if _, err := fmt.Fprintf(r.in, "key-%d\n", round); err != nil {
				t.Fatal(err)
			}
		}
		granted := 0
		for _, r := range racers {
			if answer := r.next(t); answer == "True" || answer == "claimed" {
				won[answer]++
				granted++
			}
		}
		if granted != 1 {
			t.Fatalf("round %d: %d granted", round, granted)
		}
	}
	if won["True"] == 0 || won["claimed"] == 0 {
		t.Errorf("no race at all: %v", won)
	}
}

// TestSeenFileIsTakenOver opens a file that the script made.
func TestSeenFileIsTakenOver(t *testing.T) {
	path := filepath.Join(t.TempDir(), "seen.db")
	for _, key := range []string{"done", "open", "gone"} {
		wantScript(t, path, "claimed", 0, "claim", key)
	}
	wantScript(t, path, "done", 0, "done", "done")
	wantScript(t, path, "release", 0, "release", "gone")
	long := strings.Repeat("k", 300)
	wantScript(t, path, "claimed", 0, "claim", long)
	db := raw(t, path)
	run(t, db, "INSERT INTO seen VALUES ('odd', 'paused', 1760000000.5, NULL)")
	run(t, db, "INSERT INTO seen VALUES ('abandoned', 'claimed', 1760000000.5, NULL)")
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	l := newLedger(t, path)
	for key, want := range map[string]ledger.Status{
		"done": ledger.StatusDone, "open": ledger.StatusInProgress, "odd": ledger.StatusHeld,
	} {
		if a := claimPlain(t, l, key); a.Status != want {
			t.Errorf("%s: %+v", key, a)
		}
	}
	if a := claimPlain(t, l, "abandoned"); !a.TookOver || a.FirstSeen.UnixMilli() != 1760000000500 {
		t.Errorf("abandoned: %+v", a)
	}
	if a := claimPlain(t, l, "gone"); a.Fence != 1 {
		t.Errorf("gone: %+v", a)
	}
	if got := stateOf(t, l, long); got != ledger.Claimed {
		t.Errorf("the long key is %q", got)
	}
	wantScript(t, path, "done open", 0, "done", "open")
	wantScript(t, path, "skip", 1, "claim", "done")
	wantBackup(t, path)
}

func wantBackup(t *testing.T, path string) {
	t.Helper()
	var n int
	if err := raw(t, path+".bak").QueryRow("SELECT count(*) FROM seen").Scan(&n); err != nil || n != 5 {
		t.Errorf("copy: %d rows, %v", n, err)
	}
	for _, name := range []string{path, path + ".bak"} {
		info, err := os.Stat(name)
		if err != nil || info.Mode().Perm() != fs.FileMode(0o640) {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
}

// TestSeenFileIsTakenOverOnce: of several that open it at once, one keeps a copy.
func TestSeenFileIsTakenOverOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "seen.db")
	wantScript(t, path, "claimed", 0, "claim", "open")
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			s, err := sqlite.Open(path)
			if err != nil {
				t.Errorf("Open: %v", err)
				return
			}
			if err := s.Close(); err != nil {
				t.Errorf("Close: %v", err)
			}
		})
	}
	wg.Wait()
	copies, err := filepath.Glob(path + ".bak*")
	if err != nil || len(copies) != 1 {
		t.Errorf("copies %v, %v", copies, err)
	}
	l := newLedger(t, path)
	if got := stateOf(t, l, "open"); got != ledger.Claimed {
		t.Errorf("open is %q", got)
	}
}
