package main_test

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"dedupedesk/app/datafolder"
	"dedupedesk/ledger/postgres/pgtest"
)

// countersOff is by how much the counters of a database differ from its rows.
const countersOff = `
	SELECT coalesce(sum(
		abs(n.total - (SELECT count(*) FROM dedupe.claims AS c WHERE c.rule_id = n.rule_id))
		+ abs(n.done - (SELECT count(*) FROM dedupe.claims AS c WHERE c.rule_id = n.rule_id AND state = 'done'))
		+ abs(n.claimed - (SELECT count(*) FROM dedupe.claims AS c WHERE c.rule_id = n.rule_id AND state = 'claimed'))
		+ abs(n.copies - (SELECT coalesce(sum(copies), 0) FROM dedupe.claims AS c WHERE c.rule_id = n.rule_id))), 0)::BIGINT
	FROM (
		SELECT rule_id, sum(total) AS total, sum(done) AS done, sum(claimed) AS claimed, sum(copies) AS copies
		FROM dedupe.rule_counts
		GROUP BY rule_id) AS n`

// crowdOnDatabase is how many callers use each engine in the tests of a database.
const crowdOnDatabase = 40

// TestTwoEnginesOnOneDatabaseNeverBothGrant: two engines, each with a data folder of
// its own, and callers of both that ask for the same keys.
func TestTwoEnginesOnOneDatabaseNeverBothGrant(t *testing.T) {
	url := pgtest.New(t)
	a := newHouseOn(t, url)
	b := prepareHouse(t, url)
	b.start()
	t.Cleanup(b.stop)
	b.token, b.admin = a.token, a.admin

	both := newCrowd(a, "both", 1, crowdOnDatabase)
	other := newCrowdFrom(b, "both", 1, crowdOnDatabase, crowdOnDatabase)
	a.await("some grants of both", func() bool { return both.answered() > 300 && other.answered() > 300 })
	both.end()
	other.end()
	both.grants, both.lost = append(both.grants, other.grants...), append(both.lost, other.lost...)
	if n := both.busy + other.busy; n > 0 {
		t.Errorf("%d calls were answered that the ledger is busy", n)
	}
	both.checkKept(a.rows())
	both.checkOnce()
	a.sound()
	both.checkAccepted(b)

	// What one engine is told holds for the other within a second.
	a.must("token", "revoke", "tests")
	b.await("the end of the password", func() bool {
		return b.post("/v1/claim", map[string]any{"key": "after"}).Code == http.StatusUnauthorized
	})
}

// TestDatabaseGoesAwayUnderLoad stops the server under load, by a service's stop and by
// a power cut, and starts it again: until then callers are told 503, nobody is told to
// run what somebody has, and what was answered is there afterwards.
func TestDatabaseGoesAwayUnderLoad(t *testing.T) {
	server := pgtest.Start(t)
	h := newHouseOn(t, server.New(t))
	for round, away := range []func(testing.TB){server.Stop, server.Kill, server.Kill} {
		t.Run(fmt.Sprint(round), func(t *testing.T) {
			h.t = t
			c := newCrowd(h, fmt.Sprintf("r%d", round), uint64(round), crowdOnDatabase)
			h.await("some grants", func() bool { return c.answered() > 200 })
			away(t)
			h.await("an answer that the ledger is busy", func() bool { return c.told503() > 0 })
			before := c.answered()
			a := h.post("/v1/claim", map[string]any{"key": "down"})
			if a.Code != http.StatusServiceUnavailable || a.Body["run"] != false || a.Header.Get("Retry-After") == "" || !(strings.Contains(a.text("detail"), "database") || strings.Contains(a.text("detail"), notChecked)) {
				t.Errorf("while the database is away: %d %s", a.Code, a.Raw)
			}
			if ready := h.call(http.MethodGet, "/readyz", "", ""); ready.Code != http.StatusServiceUnavailable {
				t.Errorf("readyz while the database is away: %d", ready.Code)
			}
			server.Start(t)
			h.await("grants after the return", func() bool { return c.answered() > before+200 })
			c.end()
			c.checkKept(h.rows())
			c.checkOnce()
			h.sound()
			c.checkAccepted(h)
			if ready := h.call(http.MethodGet, "/readyz", "", ""); ready.Code != http.StatusOK {
				t.Errorf("readyz afterwards: %d %s", ready.Code, ready.Raw)
			}
		})
	}
	h.t = t
}

// TestAFrozenDatabaseIsAnsweredAndNotCutOff: the server takes calls and says nothing for
// longer than the listener's write time-out. Each of the calls that an answer needs has
// a bound, and so have all of them together.
func TestAFrozenDatabaseIsAnsweredAndNotCutOff(t *testing.T) {
	t.Parallel() // it waits most of the time
	server := pgtest.Start(t)
	h := newHouseOn(t, server.New(t))
	h.post("/v1/claim", map[string]any{"key": "before"})
	h.shift("+2m") // the password's use and the time of the last call are to be noted again
	server.Freeze(t)
	var wg sync.WaitGroup
	for i := range 20 { // more than there are connections
		wg.Go(func() {
			a := h.post("/v1/claim", map[string]any{"key": fmt.Sprint("frozen-", i), "owner": "me"})
			if a.Code != http.StatusServiceUnavailable || a.Body["run"] != false || a.Header.Get("Retry-After") == "" {
				t.Errorf("%d %s, want 503 with Retry-After", a.Code, a.Raw)
			}
		})
	}
	wg.Wait()
	server.Thaw(t)
	for i := range 20 {
		if a := h.post("/v1/claim", map[string]any{"key": fmt.Sprint("frozen-", i), "owner": "me"}); a.text("status") != "claimed" {
			t.Errorf("afterwards: %d %s", a.Code, a.Raw)
		}
	}
	h.sound()
}

// TestTheFolderOfADatabaseGrantsNothingItself: the key file of a data folder whose
// engine works on a database would be a second ledger.
func TestTheFolderOfADatabaseGrantsNothingItself(t *testing.T) {
	h := newHouseOn(t, pgtest.New(t))
	h.must("claim", "k")
	if _, err := os.Stat(filepath.Join(h.dir, "ledger.db")); !os.IsNotExist(err) {
		t.Errorf("there is a key file: %v", err)
	}
	url := h.url
	h.url = ""
	for _, args := range [][]string{{"claim", "k"}, {"keys"}, {"token", "new", "other"}, {"serve"}} {
		out, errs, code := h.run(args...)
		if args[0] == "serve" && strings.Contains(errs, "already running") {
			continue
		}
		if code != 2 || out != "" || !strings.Contains(errs, "keeps its keys in the database postgres://127.0.0.1:") {
			t.Errorf("%s: %d %q %q", args, code, out, errs)
		}
	}
	if out, errs, code := h.run("open", "--print", "--database-url", pgtest.New(t)); code != 2 || out != "" || !strings.Contains(errs, "keeps its keys elsewhere") {
		t.Errorf("another database while an engine runs: %d %q %q", code, out, errs)
	}
	h.url = url
	if out, _, code := h.run("claim", "k"); code != 1 || !strings.HasPrefix(out, "skip") {
		t.Errorf("with the address: %d %q", code, out)
	}
}

// TestDatabaseDoctor: the doctor names server, version and time, and what is wrong.
func TestDatabaseDoctor(t *testing.T) {
	server := pgtest.Start(t, "fsync=off")
	h := newHouseOn(t, server.New(t))
	out, _, code := h.run("doctor")
	for _, want := range []string{
		"ok     The engine runs: claims at " + h.engine.API, "ok     The database is postgres://127.0.0.1:", ", schema dedupe, on PostgreSQL ",
		"A trip to it takes ", "fault  The database server has fsync off", "ok     The database takes claims. It holds 0 keys.",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("the doctor does not say %q:\n%s", want, out)
		}
	}
	if code != 1 {
		t.Errorf("exit %d", code)
	}
	server.Stop(t)
	h.post("/v1/claim", map[string]any{"key": "down"})
	if out, _, code = h.run("doctor"); code != 1 || !strings.Contains(out, "fault  The database cannot be reached.") || !strings.Contains(out, "fault  The engine takes no claims.") {
		t.Errorf("without its server: exit %d\n%s", code, out)
	}
	server.Start(t)
}

// TestThePasswordOfTheDatabaseIsNeverShown: in no message, log, page or list of
// processes, neither where all is well nor where the address is wrong.
func TestThePasswordOfTheDatabaseIsNeverShown(t *testing.T) {
	t.Parallel() // it waits most of the time
	server := pgtest.Start(t)
	h := prepareHouse(t, server.New(t))
	good := h.url
	var said strings.Builder
	call := func(args ...string) (code int) {
		out, errs, code := h.run(args...)
		said.WriteString(out + errs)
		return code
	}
	// It starts an engine in the background, on the usual ports. A connection of another
	// program may have one of them for a moment.
	h.await("an engine in the background", func() bool { return call("open", "--print", "--database-url", good) == 0 })
	defer h.must("stop")
	h.url = good
	call("doctor")
	call("doctor", "--json")
	call("claim", "a", "-v")
	pid := h.backgroundPID()
	line, err := exec.Command("ps", "-o", "args=", "-p", fmt.Sprint(pid)).Output()
	if err != nil || !strings.Contains(string(line), "serve") {
		t.Fatalf("the engine's arguments: %q, %v", line, err)
	}
	said.Write(line)
	said.WriteString(h.page(http.MethodGet, "/", nil).Raw)
	for _, wrong := range []string{
		strings.Replace(good, "127.0.0.1", "127.0.0.1:x", 1), good + "&sslmode=perhaps", strings.Replace(good, "dedupe:", "nobody:", 1),
		strings.Replace(good, "/t", "/no", 1), strings.Replace(good, "127.0.0.1:", "127.0.0.1:1", 1), strings.Replace(good, "@", "%zz@", 1),
		"host=127.0.0.1 port=1 user=dedupe password=" + pgtest.Password + " dbname=x connect_timeout=abc",
	} {
		h.url = wrong
		out, errs, code := h.run("claim", "a", "-v")
		if code != 2 || out != "" || !strings.Contains(errs, "database") {
			t.Errorf("%.40s…: exit %d %q %q", wrong, code, out, errs)
		}
		said.WriteString(errs)
		call("doctor")
		call("serve", "--api", "127.0.0.1:0", "--admin", "127.0.0.1:0")
	}
	h.url = good
	server.Stop(t)
	said.WriteString(h.post("/v1/claim", map[string]any{"key": "down"}).Raw)
	call("claim", "a", "-v")
	server.Start(t)
	for _, name := range []string{"engine.log", "engine.json", "database.txt"} {
		data, err := os.ReadFile(filepath.Join(h.dir, name))
		if err != nil {
			t.Error(err)
		}
		said.Write(data)
	}
	if i := strings.Index(said.String(), pgtest.Password); i >= 0 {
		t.Errorf("the password is shown: …%s…", said.String()[max(0, i-300):i+40])
	}
}

// backgroundPID finds the engine that a command started, makes it this house's, and
// gives the house passwords.
func (h *house) backgroundPID() int {
	h.t.Helper()
	folder, err := datafolder.Open(h.dir)
	if err != nil {
		h.t.Fatal(err)
	}
	e, ok, err := folder.Running()
	if err != nil || !ok {
		h.t.Fatalf("no engine runs: %v", err)
	}
	h.engine = e
	h.token = strings.TrimSpace(h.must("token", "new", "tests"))
	return h.engine.PID
}

// TestARuleChangedByOneEngineHoldsForTheOther: from the answer to a change on, neither
// engine grants by the formula before, though the other one has it at hand.
func TestARuleChangedByOneEngineHoldsForTheOther(t *testing.T) {
	url := pgtest.New(t)
	a := newHouseOn(t, url)
	b := prepareHouse(t, url)
	b.start()
	t.Cleanup(b.stop)
	b.token, b.admin = a.token, a.admin
	a.putFormula("one")

	stop := make(chan struct{})
	var wg sync.WaitGroup
	for i, h := range []*house{a, b, a, b} {
		wg.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-stop:
					return
				default:
				}
				// An event that met one change after the other is told to come again.
				if ans := h.claimEvent(fmt.Sprintf("load_%d_%d", i, n)); ans.Code != http.StatusOK && ans.Code != http.StatusConflict && ans.text("code") != "rule_changed" {
					t.Errorf("under load: %d %s", ans.Code, ans.Raw)
					return
				}
			}
		})
	}
	granted := 0
	for n := range 30 {
		formula := []string{"two", "one"}[n%2]
		a.putFormula(formula)
		for i, h := range []*house{b, a} {
			ans := h.claimEvent(fmt.Sprintf("after_%d_%d", n, i))
			if ans.Body["run"] == true {
				granted++
				if !strings.HasPrefix(ans.text("key"), formula+":") {
					t.Errorf("change %d: granted %s by the formula before", n, ans.text("key"))
				}
			}
		}
	}
	close(stop)
	wg.Wait()
	if granted == 0 {
		t.Error("nothing was granted after a change")
	}
	a.sound()
}

// putFormula makes the rule events, or changes it: its keys begin with word.
func (h *house) putFormula(word string) {
	h.t.Helper()
	body := fmt.Sprintf(`{"rule":"events","key":"key('%s', body.id)"}`, word)
	if a := h.call(http.MethodPut, "/v1/rules/events", "application/json", body, "Authorization", "Bearer "+h.admin); a.Code != http.StatusOK {
		h.t.Fatalf("put the rule: %d %s", a.Code, a.Raw)
	}
}

func (h *house) claimEvent(id string) answer {
	h.t.Helper()
	return h.call(http.MethodPost, "/v1/rules/events/claim", "application/json", `{"id":"`+id+`"}`)
}
