package guard_test

import (
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"dedupedesk/app/guard"
)

// TestPeers70Headers: 16 KB pass, a megabyte is refused and reaches nothing.
func TestPeers70Headers(t *testing.T) {
	h := newAPI(t)
	for _, tt := range []struct {
		name string
		size int
		code int
	}{
		{"12 KB", 12 << 10, 200}, {"a little less than 16 KB", 16<<10 - 200, 200},
		{"more than 16 KB", 16<<10 + 200, http.StatusRequestHeaderFieldsTooLarge}, {"1 MB", 1 << 20, http.StatusRequestHeaderFieldsTooLarge},
	} {
		t.Run(tt.name, func(t *testing.T) {
			before := h.reached.Load()
			resp := h.send(t, []string{"GET /healthz", "X-Filler: " + strings.Repeat("a", tt.size)}, "")
			if resp.StatusCode != tt.code {
				t.Errorf("%d, want %d", resp.StatusCode, tt.code)
			}
			if got := h.reached.Load() - before; (got == 1) != (tt.code == 200) {
				t.Errorf("the handler was reached %d times", got)
			}
		})
	}
}

// TestPeers70SlowHeaders: who never ends its header is cut off, and others are
// served meanwhile.
func TestPeers70SlowHeaders(t *testing.T) {
	t.Parallel() // it takes the server's own 5 s
	h := newAPI(t)
	slow, err := net.Dial("tcp", h.addr)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = slow.Close() }()
	if _, err := io.WriteString(slow, "POST /claim HTTP/1.1\r\nHost: "+h.addr+"\r\nX-Slow: "); err != nil {
		t.Fatal(err)
	}
	if resp := h.send(t, []string{"GET /healthz"}, ""); resp.StatusCode != 200 {
		t.Errorf("another client gets %d meanwhile", resp.StatusCode)
	}
	// The bound only ends a test that has failed.
	if err := slow.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	said, err := io.ReadAll(slow)
	if errors.Is(err, net.ErrClosed) || isTimeout(err) {
		t.Fatalf("the slow client is still connected: %v", err)
	}
	if strings.Contains(string(said), "200") {
		t.Errorf("the slow client was answered: %s", said)
	}
	if h.reached.Load() != 1 {
		t.Errorf("the handler was reached %d times, want once, by the other client", h.reached.Load())
	}
}

func isTimeout(err error) bool {
	timeout, ok := errors.AsType[net.Error](err)
	return ok && timeout.Timeout()
}

// TestEveryTimeIsBounded: a bound that is 0 is none.
func TestEveryTimeIsBounded(t *testing.T) {
	var s http.Server
	guard.Harden(&s)
	for name, d := range map[string]time.Duration{"header": s.ReadHeaderTimeout, "read": s.ReadTimeout, "write": s.WriteTimeout, "idle": s.IdleTimeout} {
		if d <= 0 || d > time.Minute {
			t.Errorf("%s may take %v", name, d)
		}
	}
}
