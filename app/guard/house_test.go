package guard_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"dedupedesk/app/calls"
	"dedupedesk/app/guard"
	"dedupedesk/app/problem"
	"dedupedesk/app/session"
)

// A house is a guarded server whose handlers do nothing but count.
type house struct {
	addr    string // 127.0.0.1:port
	port    string
	reached atomic.Int64
	book    *session.Book
	calls   *calls.Book
}

// windowSecret is what engine.json would hold.
const windowSecret = "WINDOW"

// reach is the handler of every route: it reads the whole body, as all do.
func (h *house) reach(w http.ResponseWriter, r *http.Request) {
	h.reached.Add(1)
	if _, err := io.Copy(io.Discard, r.Body); err != nil {
		if tooBig, ok := errors.AsType[*http.MaxBytesError](err); ok {
			w.WriteHeader(problem.TooLarge(tooBig.Limit).Status)
		} else if broken, ok := errors.AsType[*problem.Problem](err); ok {
			problem.Write(w, broken)
		} else {
			w.WriteHeader(http.StatusInternalServerError)
		}
		return
	}
	who, _ := guard.Visitor(r)
	w.Header().Set("X-Visitor", who.Name+"/"+string(who.Role))
	if guard.InWindow(r) {
		w.Header().Set("X-Window", "yes")
	}
	_, _ = io.WriteString(w, "reached")
}

func (h *house) serve(t *testing.T, handler func(port string) http.Handler) {
	t.Helper()
	s := httptest.NewUnstartedServer(nil)
	h.addr = s.Listener.Addr().String()
	_, h.port, _ = net.SplitHostPort(h.addr)
	s.Config.Handler = handler(h.port)
	guard.Harden(s.Config)
	s.Start()
	t.Cleanup(s.Close)
}

// newAPI returns an API published as api.example.com, with a route of each
// access. Its passwords are dd_claim, dd_admin and dd_broken, which cannot be
// looked up.
func newAPI(t *testing.T) *house {
	h := &house{}
	check := func(_ context.Context, secret string) (guard.Caller, bool, error) {
		switch secret {
		case "dd_claim":
			return guard.Caller{Name: "flow"}, true, nil
		case "dd_admin":
			return guard.Caller{Name: "operator", Admin: true}, true, nil
		case "dd_broken":
			return guard.Caller{}, false, errors.New("disk I/O error")
		}
		return guard.Caller{}, false, nil
	}
	reach := http.HandlerFunc(h.reach)
	h.calls = calls.NewBook(nowForever, time.Time{}, func(time.Time) {}, slog.New(slog.DiscardHandler))
	h.serve(t, func(port string) http.Handler {
		return guard.API(guard.Hosts{Port: port, Public: []string{"API.example.com:443"}}, check, []guard.Route{
			{Pattern: "POST /claim", Access: guard.Claim, Published: true, Handler: reach},
			{Pattern: "GET /keys", Access: guard.Admin, Handler: reach},
			{Pattern: "PUT /rule", Access: guard.Admin, MaxBody: guard.MaxSampleBody, Handler: reach},
			{Pattern: "GET /healthz", Access: guard.Open, Published: true, Handler: reach},
		}, h.calls)
	})
	return h
}

// newPages returns an admin listener with a route of each access.
func newPages(t *testing.T) *house {
	h := &house{book: session.NewBook(nowForever)}
	reach := http.HandlerFunc(h.reach)
	h.serve(t, func(port string) http.Handler {
		return guard.Pages{Hosts: guard.Hosts{Port: port}, Secret: windowSecret, Owner: "Ana", Book: h.book, Routes: []guard.Route{
			{Pattern: "GET /open", Access: guard.Open, Handler: reach},
			{Pattern: "POST /open", Access: guard.Open, Handler: reach},
			{Pattern: "GET /look", Access: guard.Look, Handler: reach},
			{Pattern: "POST /look", Access: guard.Look, Handler: reach},
			{Pattern: "POST /decide", Access: guard.Decide, Handler: reach},
			{Pattern: "GET /change", Access: guard.Change, Handler: reach},
			{Pattern: "POST /change", Access: guard.Change, Handler: reach},
			{Pattern: "POST /window", Access: guard.Window, Handler: reach},
		}}.Handler()
	})
	return h
}

// send sends a request as it stands, so that a test may break every rule. lines
// are the request line without its version, then header lines; Host is 127.0.0.1
// with the right port, and Content-Length the body's, where no line says else.
func (h *house) send(t *testing.T, lines []string, body string) *http.Response {
	t.Helper()
	conn, err := net.Dial("tcp", h.addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	all := strings.ToLower(strings.Join(lines, "\n"))
	text := lines[0] + " HTTP/1.1\r\n"
	if !strings.Contains(all, "\nhost:") {
		text += "Host: " + h.addr + "\r\n"
	}
	if !strings.Contains(all, "\ntransfer-encoding:") {
		text += "Content-Length: " + itoa(len(body)) + "\r\n"
	}
	for _, line := range lines[1:] {
		text += strings.ReplaceAll(line, "$PORT", h.port) + "\r\n"
	}
	// A server that refuses early stops reading, which is no fault of the test's.
	go func() { _, _ = io.WriteString(conn, text+"\r\n"+body) }()
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatalf("%s: no answer: %v", lines[0], err)
	}
	return resp
}

// drawn draws a refusal as the pages would.
func drawn(w http.ResponseWriter, _ *http.Request, p *problem.Problem) {
	w.WriteHeader(p.Status)
	_, _ = io.WriteString(w, "drawn "+p.Code)
}
