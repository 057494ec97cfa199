package main_test

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"dedupedesk/ledger"
)

// roughEnv is how long each backend is treated roughly. build/long sets it to 5m.
const roughEnv = "DEDUPE_ROUGH"

// roughClients times roughConns are 512 connections.
const roughClients = 8

// TestRoughClients: 512 connections of eight processes that claim, break off anywhere
// and are killed, one after the other. Afterwards the engine holds no goroutine and no
// descriptor more than before, no key was granted twice under one fence, and no claim
// is held longer than its lease. Both backends are treated so at the same time.
func TestRoughClients(t *testing.T) {
	long := 20 * time.Second
	if text := os.Getenv(roughEnv); text != "" {
		var err error
		if long, err = time.ParseDuration(text); err != nil {
			t.Fatalf("%s has to be a time such as 5m: %v", roughEnv, err)
		}
	}
	eachBackend(t, func(t *testing.T, h *house) {
		t.Parallel() // one backend beside the other
		chance := rand.New(rand.NewPCG(killSeed(t), 0))
		// What is opened once and kept, such as connections to a database, is not a leak.
		warm := newCrowd(h, "warm", chance.Uint64(), 64)
		h.await("the first grants", func() bool { return warm.answered() > 200 })
		warm.end()
		before := h.rests()
		r := &roughness{house: h, granted: map[string]bool{}}
		killed := r.treat(long, chance)
		h.await("the engine to hold no more than before", func() bool { after := h.holds(); return after.no(before) })
		t.Logf("before %+v, after %+v; %d clients killed, %d grants", before, h.holds(), killed, len(r.granted))
		r.check()
	})
}

// A roughness is one house under rough clients.
type roughness struct {
	*house
	reading sync.WaitGroup

	mu      sync.Mutex
	granted map[string]bool // key and fence
	faults  []string
}

// treat keeps rough clients on the house for so long, kills one now and then, and at
// the end all of them. It returns how many were killed before the end.
func (r *roughness) treat(long time.Duration, chance *rand.Rand) (killed int) {
	clients := make([]*exec.Cmd, roughClients)
	for i := range clients {
		clients[i] = r.client(fmt.Sprint("c", i), chance.Uint64())
	}
	most := 0
	for end := time.Now().Add(long); time.Now().Before(end); killed++ {
		time.Sleep(time.Duration(300+chance.IntN(1000)) * time.Millisecond)
		most = max(most, r.holds().descriptors)
		i := chance.IntN(len(clients))
		kill(clients[i])
		clients[i] = r.client(fmt.Sprint("c", i, "-", killed), chance.Uint64())
	}
	for _, c := range clients {
		kill(c)
	}
	r.reading.Wait()
	if most < roughClients*roughConns*3/4 {
		r.t.Errorf("the engine held at most %d descriptors, so there were no %d connections", most, roughClients*roughConns)
	}
	return killed
}

func kill(c *exec.Cmd) {
	_ = c.Process.Kill()
	_ = c.Wait()
}

// client starts a rough client and keeps what it says.
func (r *roughness) client(name string, seed uint64) *exec.Cmd {
	r.t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "DEDUPE_TEST_WORKER=rough", "DEDUPE_TEST_API="+r.engine.API, "DEDUPE_TEST_TOKEN="+r.token,
		"DEDUPE_TEST_NAME="+name, "DEDUPE_TEST_SEED="+strconv.FormatUint(seed, 10))
	if _, err := cmd.StdinPipe(); err != nil { // open until it is killed
		r.t.Fatal(err)
	}
	read, write, err := os.Pipe()
	if err != nil {
		r.t.Fatal(err)
	}
	cmd.Stdout, cmd.Stderr = write, write
	if err := cmd.Start(); err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { _ = cmd.Process.Kill() })
	_ = write.Close()
	r.reading.Go(func() {
		defer func() { _ = read.Close() }()
		for lines := bufio.NewScanner(read); lines.Scan(); {
			r.hear(lines.Text())
		}
	})
	return cmd
}

// hear keeps one line of a client. The last one may be cut off by its kill.
func (r *roughness) hear(line string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	grant, isGrant := strings.CutPrefix(line, "GRANT ")
	switch {
	case !isGrant && len(r.faults) < 20:
		r.faults = append(r.faults, line)
	case isGrant && r.granted[grant] && strings.Count(grant, " ") == 1:
		r.faults = append(r.faults, "granted twice: "+grant)
	case isGrant:
		r.granted[grant] = true
	}
}

// check looks at what the clients were told and at what is left behind.
func (r *roughness) check() {
	for _, fault := range r.faults {
		r.t.Error(fault)
	}
	if len(r.granted) < 500 {
		r.t.Errorf("only %d grants", len(r.granted))
	}
	open := map[string]bool{}
	for _, row := range r.rows() {
		if row.State != ledger.Claimed || !strings.HasPrefix(row.Key, "c") && !strings.HasPrefix(row.Key, "shared-") {
			continue
		}
		open[row.Key] = true
		if held := time.Until(row.LeaseUntil); held > 5*time.Second {
			r.t.Errorf("%s is held for %v more", row.Key, held)
		}
	}
	if len(open) < 100 {
		r.t.Errorf("only %d claims were left behind", len(open))
	}
	// Nobody is kept from them once their lease is over.
	r.shift("+6s")
	var items []map[string]any
	for key := range open {
		if items = append(items, map[string]any{"key": key, "owner": "after"}); len(items) == 100 {
			r.takeOver(items)
			items = nil
		}
	}
	if len(items) > 0 {
		r.takeOver(items)
	}
	if i := strings.Index(r.log(), "level=ERROR"); i >= 0 {
		r.t.Errorf("a fault of the house is logged: %.500s", r.log()[i:])
	}
	r.sound()
}

func (r *roughness) takeOver(items []map[string]any) {
	r.t.Helper()
	a := r.post("/v1/batch", map[string]any{"op": "claim", "items": items})
	results, _ := a.Body["results"].([]any)
	if a.Code != http.StatusOK || len(results) != len(items) {
		r.t.Fatalf("%d %.300s", a.Code, a.Raw)
	}
	for i, item := range results {
		if got, _ := item.(map[string]any); got["status"] != "claimed" || got["took_over"] != true {
			r.t.Errorf("%v is held beyond its lease: %v", items[i]["key"], got)
		}
	}
}

// holdings are what an engine holds of the system.
type holdings struct{ goroutines, descriptors int }

// no tells whether h is no more than before, but for what comes and goes by itself.
func (h holdings) no(before holdings) bool {
	return h.goroutines <= before.goroutines+10 && h.descriptors <= before.descriptors+10
}

// rests returns the least that the engine holds within two seconds: connections that
// were broken off a moment ago are not what it holds for good.
func (h *house) rests() holdings {
	h.t.Helper()
	least := h.holds()
	for range 20 {
		time.Sleep(100 * time.Millisecond)
		now := h.holds()
		least = holdings{min(least.goroutines, now.goroutines), min(least.descriptors, now.descriptors)}
	}
	return least
}

// holds asks the engine what it holds.
func (h *house) holds() holdings {
	h.t.Helper()
	http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	a := h.call(http.MethodGet, "/metrics", "", "", "Authorization", "Bearer "+h.admin)
	if a.Code != http.StatusOK {
		h.t.Fatalf("metrics: %d %s", a.Code, a.Raw)
	}
	figure := func(name string) int {
		found := regexp.MustCompile(`(?m)^` + name + ` (\d+)$`).FindStringSubmatch(a.Raw)
		if found == nil {
			h.t.Fatalf("no figure %s", name)
		}
		n, err := strconv.Atoi(found[1])
		if err != nil {
			h.t.Fatal(err)
		}
		return n
	}
	return holdings{goroutines: figure("go_goroutines"), descriptors: figure("process_open_fds")}
}
