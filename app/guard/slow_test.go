package guard_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"dedupedesk/app/calls"
	"dedupedesk/app/guard"
	"dedupedesk/app/problem"
)

// dial returns a connection on which text was sent. It ends with the test, and a test
// that has failed after a minute.
func (h *house) dial(t *testing.T, text string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", h.addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(conn, text); err != nil {
		t.Fatal(err)
	}
	return conn
}

// half is a claim whose body never comes to its end.
func (h *house) half() string {
	return "POST /claim HTTP/1.1\r\nHost: " + h.addr + "\r\n" + asClaim + "\r\n" + asJSON + "\r\nContent-Length: 1000\r\n\r\n{\"key\":"
}

// TestPeers70SlowBodies: who sends a body byte by byte is cut off with a sentence, and
// others are served meanwhile.
func TestPeers70SlowBodies(t *testing.T) {
	t.Parallel() // it takes the server's own 10 s
	h := newAPI(t)
	slow := h.dial(t, h.half())
	ended := make(chan struct{})
	var dripping sync.WaitGroup
	dripping.Go(func() {
		for {
			select {
			case <-ended:
				return
			case <-time.After(100 * time.Millisecond):
				_, _ = io.WriteString(slow, "a") // the server closes it at some point
			}
		}
	})
	if resp := h.send(t, []string{"GET /healthz"}, ""); resp.StatusCode != 200 {
		t.Errorf("another client gets %d meanwhile", resp.StatusCode)
	}
	said, err := io.ReadAll(slow)
	close(ended)
	dripping.Wait()
	if isTimeout(err) {
		t.Fatalf("the slow client is still connected: %v", err)
	}
	if !strings.HasPrefix(string(said), "HTTP/1.1 400 ") || !strings.Contains(string(said), "did not arrive whole") || !strings.Contains(string(said), `"run":false`) {
		t.Errorf("the slow client was answered %q", said)
	}
}

// TestABodyThatBreaksOffIsNoFaultOfTheHouse, in the log either.
func TestABodyThatBreaksOffIsNoFaultOfTheHouse(t *testing.T) {
	h := newAPI(t)
	for name, text := range map[string]string{
		"by its length":        h.half(),
		"in chunks":            strings.Replace(h.half(), "Content-Length: 1000\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n100\r\n", 1),
		"chunks that are none": strings.Replace(h.half(), "Content-Length: 1000\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\nzz\r\n", 1),
	} {
		before := h.reached.Load()
		conn := h.dial(t, text)
		if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
			t.Fatal(err)
		}
		said, err := io.ReadAll(conn)
		if err != nil || !strings.HasPrefix(string(said), "HTTP/1.1 400 ") {
			t.Errorf("%s: %q, %v", name, said, err)
		}
		if n := h.reached.Load() - before; n != 1 {
			t.Errorf("%s: the handler was reached %d times; it is the one that reads", name, n)
		}
		if c := h.calls.Newest(1); len(c) != 1 || c[0].Status != http.StatusBadRequest {
			t.Errorf("%s: noted as %+v", name, c)
		}
	}
}

// TestACallerWhoHangsUpIsNoFaultOfTheHouse: what its call failed with is not told as
// one that an operator has to look at.
func TestACallerWhoHangsUpIsNoFaultOfTheHouse(t *testing.T) {
	for name, tt := range map[string]struct {
		cause error
		want  int
	}{
		"because of that":   {fmt.Errorf("claim: %w", context.Canceled), guard.StatusGone},
		"and the disk full": {errors.New("disk full"), http.StatusServiceUnavailable},
	} {
		g := newGate(t)
		ctx, hangUp := context.WithCancel(t.Context())
		g.answer = func(w http.ResponseWriter, r *http.Request) {
			hangUp()
			calls.Of(r.Context()).Cause = tt.cause
			problem.Write(w, problem.New(http.StatusServiceUnavailable, "busy", "Try again."))
		}
		r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/claim", nil)
		r.Host = "127.0.0.1:47821"
		r.Header.Set("X-Api-Key", "dd_a")
		g.handler.ServeHTTP(httptest.NewRecorder(), r)
		if c := g.book.Newest(1); len(c) != 1 || c[0].Status != tt.want {
			t.Errorf("%s: noted as %+v, want %d", name, c, tt.want)
		}
	}
}

// TestHeaderFloods: many small lines, and many that never end, reach nothing and keep
// nobody waiting.
func TestHeaderFloods(t *testing.T) {
	h := newAPI(t)
	var many []string
	for i := range 10_000 {
		many = append(many, fmt.Sprintf("X-%d: a", i))
	}
	if resp := h.send(t, append([]string{"POST /claim", asClaim}, many...), ""); resp.StatusCode != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("ten thousand lines: %d", resp.StatusCode)
	}
	var floods []net.Conn
	for range 64 {
		floods = append(floods, h.dial(t, "POST /claim HTTP/1.1\r\nHost: "+h.addr+"\r\n"+asClaim+"\r\nX-Flood: "+strings.Repeat("a", 8<<10)))
	}
	before := h.reached.Load()
	if resp := h.send(t, []string{"GET /healthz"}, ""); resp.StatusCode != 200 {
		t.Errorf("another client gets %d meanwhile", resp.StatusCode)
	}
	for _, conn := range floods {
		// The server may have closed it while this is on its way.
		_, _ = io.WriteString(conn, strings.Repeat("a", 32<<10))
		said, _ := io.ReadAll(conn)
		if len(said) > 0 && !strings.HasPrefix(string(said), "HTTP/1.1 431 ") {
			t.Errorf("a flood was answered %.100q", said)
		}
	}
	if n := h.reached.Load() - before; n != 1 {
		t.Errorf("handlers were reached %d times, want once, by the other client", n)
	}
}
