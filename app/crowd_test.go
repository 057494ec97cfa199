package main_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"sync"
	"testing"
	"time"
)

// A crowd is callers that all use one engine at once, and write down what they were
// told. What they were told is all that a sender knows after a crash, so it is what
// the ledger is held to.
type crowd struct {
	t     *testing.T
	url   string
	token string
	name  string // begins every key and owner, so that no two crowds share one
	seed  uint64

	lapses bool // the ledger's clock is moved, so that leases run out

	client *http.Client
	stop   chan struct{}
	wg     sync.WaitGroup

	mu     sync.Mutex
	grants []*grant
	lost   []*grant // claims that were never answered
	busy   int      // calls answered 503
}

// A grant is one claim and what its caller did with it.
type grant struct {
	Key, Owner, Token string
	Fence             int64
	asked, told       time.Time // running time, of this process
	from, until       time.Time // the ledger's
	tookOver          bool
	lapses            bool   // it may run out before it is reported
	end               string // done, release or "" for neither
	ended, answered   bool   // the end was sent; the end was answered with success
	endedAt           time.Time
}

// shared is how many keys all callers of a crowd ask for, beside keys of their own.
const shared = 40

// newCrowd starts n callers on the house's engine. They go on until the crowd is
// stopped or the engine is gone.
func newCrowd(h *house, name string, seed uint64, n int) *crowd {
	return newCrowdFrom(h, name, seed, 0, n)
}

// newCrowdFrom is newCrowd for several engines: the callers are numbered from first, and
// share keys with another crowd of the same name.
func newCrowdFrom(h *house, name string, seed uint64, first, n int) *crowd {
	c := aloneCrowd(h, name, seed)
	c.begin(first, n)
	return c
}

// aloneCrowd is a crowd without callers yet.
func aloneCrowd(h *house, name string, seed uint64) *crowd {
	return &crowd{
		t: h.t, url: h.engine.API, token: h.token, name: name, seed: seed, stop: make(chan struct{}),
		client: &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: callers}},
	}
}

// begin starts n callers, numbered from first.
func (c *crowd) begin(first, n int) {
	for i := range n {
		c.wg.Go(func() { c.caller(first + i) })
	}
}

// wait waits until every caller has ended.
func (c *crowd) wait() {
	c.wg.Wait()
	c.client.CloseIdleConnections()
}

// end stops the callers after their call.
func (c *crowd) end() {
	close(c.stop)
	c.wait()
}

// answered returns how many grants the callers were told of until now.
func (c *crowd) answered() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.grants)
}

// told503 returns how many calls were answered until now that the ledger is busy.
func (c *crowd) told503() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.busy
}

func (c *crowd) caller(n int) {
	chance := rand.New(rand.NewPCG(c.seed, uint64(n)))
	for i := 0; ; i++ {
		select {
		case <-c.stop:
			return
		default:
		}
		key := fmt.Sprintf("%s-own-%d-%d", c.name, n, i)
		if chance.IntN(3) == 0 {
			key = fmt.Sprintf("%s-shared-%d", c.name, chance.IntN(shared))
		}
		g := &grant{Key: key, Owner: fmt.Sprintf("%s-%d-%d", c.name, n, i), asked: time.Now(), lapses: c.lapses}
		run, alive := c.claim(g)
		if !alive {
			return
		}
		if !run {
			continue
		}
		switch chance.IntN(4) {
		case 0, 1:
			g.end = "done"
		case 2:
			g.end = "release"
		default:
			continue
		}
		if !c.report(g) {
			return
		}
	}
}

// claim asks for g's key and keeps what was told. alive is false where no answer came.
func (c *crowd) claim(g *grant) (run, alive bool) {
	a, code, err := c.post("/v1/claim", map[string]any{"key": g.Key, "owner": g.Owner})
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case err != nil:
		c.lost = append(c.lost, g)
		return false, false
	case code == http.StatusServiceUnavailable && !a.Run && a.Token == "":
		c.busy++
		c.lost = append(c.lost, g) // it may be written, and its owner may ask again
		return false, true
	case code != http.StatusOK, a.Run != (a.Status == "claimed"), a.Run != (a.Token != ""):
		c.t.Errorf("claim %s: %d %+v", g.Key, code, a)
		return false, true
	case a.Run:
		g.Token, g.Fence, g.told = a.Token, a.Fence, time.Now()
		g.until, g.tookOver = a.LeaseUntil, a.TookOver
		g.from = g.until.Add(-15 * time.Minute) // the default rule's lease
		c.grants = append(c.grants, g)
	}
	return a.Run, true
}

// report sends g's end. It returns false where no answer came.
func (c *crowd) report(g *grant) bool {
	c.mu.Lock()
	g.ended, g.endedAt = true, time.Now()
	c.mu.Unlock()
	a, code, err := c.post("/v1/"+g.end, map[string]any{"key": g.Key, "token": g.Token})
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case err != nil:
		return false
	case code == http.StatusServiceUnavailable:
		c.busy++
	case c.lapses && code == http.StatusConflict && a.Code == "stale":
		g.end = "" // somebody took over: the caller is told, and nothing was changed
	case code != http.StatusOK:
		c.t.Errorf("%s %s: %d %+v", g.end, g.Key, code, a)
	default:
		g.answered = true
	}
	return true
}

// A told is an answer of the claim endpoint as far as a caller reads it.
type told struct {
	Status     any       `json:"status"` // text in an answer, a number in a problem
	Run        bool      `json:"run"`
	Token      string    `json:"token"`
	Fence      int64     `json:"fence"`
	LeaseUntil time.Time `json:"lease_until"`
	Repeated   bool      `json:"repeated"`
	TookOver   bool      `json:"took_over"`
	Already    bool      `json:"already"`
	Code       string    `json:"code"`
	Detail     string    `json:"detail"`
}

// post sends one call. An error means that no whole answer came.
func (c *crowd) post(path string, members map[string]any) (a told, code int, err error) {
	data, err := json.Marshal(members)
	if err != nil {
		c.t.Error(err)
		return a, 0, err
	}
	req, err := http.NewRequest(http.MethodPost, c.url+path, bytes.NewReader(data))
	if err != nil {
		c.t.Error(err)
		return a, 0, err
	}
	req.Header.Set("Authorization", "Bearer "+c.token)
	req.Header.Set("Content-Type", "application/json")
	// A POST that may have been sent is not sent again by net/http.
	resp, err := c.client.Do(req)
	if err != nil {
		return a, 0, err
	}
	defer func() { _ = resp.Body.Close() }()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		return a, resp.StatusCode, err
	}
	if err := json.Unmarshal(raw, &a); err != nil {
		return a, resp.StatusCode, fmt.Errorf("%w in %q", err, raw)
	}
	return a, resp.StatusCode, nil
}
