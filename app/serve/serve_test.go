package serve_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"dedupedesk/app/serve"
)

var quiet = slog.New(slog.DiscardHandler)

func says(text string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, text) })
}

func listen(t *testing.T, api, admin string) *serve.Listeners {
	t.Helper()
	l, err := serve.Listen(api, admin)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// get asks without keeping the connection.
func get(ctx context.Context, url string) (string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return "", err
	}
	req.Close = true
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		return "", err
	}
	defer func() { _ = resp.Body.Close() }()
	data, err := io.ReadAll(resp.Body)
	return string(data), err
}

func TestBothListenersServeUntilTheStop(t *testing.T) {
	l := listen(t, "127.0.0.1:0", "localhost:0")
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- l.Run(ctx, says("api"), says("admin"), quiet) }()
	for url, want := range map[string]string{l.API(): "api", l.Admin(): "admin"} {
		if got, err := get(t.Context(), url); err != nil || got != want {
			t.Errorf("%s says %q, %v, want %q", url, got, err, want)
		}
	}
	if l.API() != "http://127.0.0.1:"+l.APIPort() || !strings.HasSuffix(l.Admin(), ":"+l.AdminPort()) || l.APIPort() == l.AdminPort() {
		t.Errorf("addresses %s and %s, ports %s and %s", l.API(), l.Admin(), l.APIPort(), l.AdminPort())
	}
	stop()
	if err := <-ended; err != nil {
		t.Errorf("a stop ends with %v", err)
	}
	for _, url := range []string{l.API(), l.Admin()} {
		if _, err := get(t.Context(), url); err == nil {
			t.Errorf("%s answers after the stop", url)
		}
	}
}

// TestAStopLetsCallsFinish: an answered claim is never cut off.
func TestAStopLetsCallsFinish(t *testing.T) {
	l := listen(t, "127.0.0.1:0", "127.0.0.1:0")
	ctx, stop := context.WithCancel(t.Context())
	began, finish := make(chan struct{}), make(chan struct{})
	api := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		close(began)
		<-finish
		_, _ = io.WriteString(w, "claimed")
	})
	ended, answer := make(chan error, 1), make(chan string, 1)
	go func() { ended <- l.Run(ctx, api, says("admin"), quiet) }()
	go func() {
		got, err := get(context.Background(), l.API())
		answer <- strings.TrimSpace(got + " " + errorText(err))
	}()
	<-began
	stop()
	for { // until the stop has begun: nobody is let in any more
		conn, err := net.Dial("tcp", strings.TrimPrefix(l.API(), "http://"))
		if err != nil {
			break
		}
		_ = conn.Close()
		time.Sleep(time.Millisecond) // between two looks
	}
	select {
	case err := <-ended:
		t.Errorf("Run returned %v while a call was under way", err)
	default:
	}
	close(finish)
	if got := <-answer; got != "claimed" {
		t.Errorf("the call under way got %q", got)
	}
	if err := <-ended; err != nil {
		t.Errorf("Run: %v", err)
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestATakenPortIsSaidInWords(t *testing.T) {
	other, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = other.Close() }()
	taken := other.Addr().String()
	free := freePort(t)
	for name, addrs := range map[string][2]string{"api": {taken, "127.0.0.1:0"}, "admin": {free, taken}, "both the same": {free, free}} {
		t.Run(name, func(t *testing.T) {
			_, err := serve.Listen(addrs[0], addrs[1])
			fault, ok := errors.AsType[*serve.PortError](err)
			if !ok || !fault.Taken {
				t.Fatalf("%v, want a taken port", err)
			}
			for _, want := range []string{"another program already uses", fault.Addr, "--api", "--admin"} {
				if !strings.Contains(fault.Error(), want) {
					t.Errorf("%q lacks %q", fault, want)
				}
			}
			if addrs[0] == free { // the one that was opened first is given back
				l, err := net.Listen("tcp", free)
				if err != nil {
					t.Fatalf("the other address stays open: %v", err)
				}
				_ = l.Close()
			}
		})
	}
}

func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String()
}

// TestPagesAreForThisComputerOnly, whatever is asked for; the API may be opened to
// others on purpose, and this computer still reaches it by loopback.
func TestPagesAreForThisComputerOnly(t *testing.T) {
	for _, admin := range []string{"0.0.0.0:0", ":0", "[::]:0", "192.0.2.1:0", "example.com:0"} {
		_, err := serve.Listen("127.0.0.1:0", admin)
		if fault, ok := errors.AsType[*serve.PortError](err); !ok || fault.Taken || !strings.Contains(err.Error(), "this computer only") {
			t.Errorf("%s: %v", admin, err)
		}
	}
	for _, admin := range []string{"127.0.0.1", "nonsense", ""} {
		if _, err := serve.Listen("127.0.0.1:0", admin); err == nil {
			t.Errorf("%q was taken for an address", admin)
		}
	}
	l := listen(t, "0.0.0.0:0", "127.0.0.1:0")
	defer func() { _ = l.Close() }()
	if want := "http://127.0.0.1:" + l.APIPort(); l.API() != want {
		t.Errorf("an API on all interfaces is reached at %s, want %s", l.API(), want)
	}
}

func TestCloseGivesBothBack(t *testing.T) {
	l := listen(t, "127.0.0.1:0", "127.0.0.1:0")
	api, admin := strings.TrimPrefix(l.API(), "http://"), strings.TrimPrefix(l.Admin(), "http://")
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := serve.Listen(api, admin)
	if err != nil {
		t.Fatalf("after Close: %v", err)
	}
	_ = again.Close()
}

// TestOneThatFailsEndsBoth: half an engine protects nobody.
func TestOneThatFailsEndsBoth(t *testing.T) {
	l := listen(t, "127.0.0.1:0", "127.0.0.1:0")
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if err := l.Run(t.Context(), says("api"), says("admin"), quiet); err == nil {
		t.Error("Run says nothing of listeners that do not listen")
	}
}
