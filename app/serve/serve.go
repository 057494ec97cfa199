// Package serve runs an engine's two listeners: the claim endpoint, which a
// tunnel may publish, and the pages, which stay on this computer.
//
// # What it promises
//
// Both listeners are open before either serves. A stop lets the calls that are
// under way finish, within [Drain], and only then returns, so that no answered
// claim is cut off.
//
// # Errors
//
// A taken port is a [*PortError] with a sentence for a person.
//
// # Concurrency
//
// Run owns its goroutines and waits for them.
package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"syscall"
	"time"

	"dedupedesk/app/guard"
)

// Drain is how long a stop waits for calls that are under way.
const Drain = 10 * time.Second

// The addresses that an engine listens on by default.
const (
	DefaultAPI   = "127.0.0.1:47821"
	DefaultAdmin = "127.0.0.1:47820"
)

// A PortError says that an address could not be opened.
type PortError struct {
	Addr  string
	Taken bool // by another program
	Err   error
}

// Error returns the sentence for a person.
func (e *PortError) Error() string {
	if e.Taken {
		return fmt.Sprintf("another program already uses the address %s. Close it, or choose another port with --api and --admin (port 0 picks a free one). Until then nothing is checked", e.Addr)
	}
	return fmt.Sprintf("the address %s cannot be opened: %v", e.Addr, e.Err)
}

// Unwrap returns the system's error.
func (e *PortError) Unwrap() error { return e.Err }

// Listeners are the two open addresses of an engine.
type Listeners struct{ api, admin net.Listener }

// Listen opens both addresses. Port 0 picks a free one.
func Listen(api, admin string) (*Listeners, error) {
	if err := loopbackOnly(admin); err != nil {
		return nil, err
	}
	a, err := listen(api)
	if err != nil {
		return nil, err
	}
	b, err := listen(admin)
	if err != nil {
		return nil, errors.Join(err, a.Close())
	}
	return &Listeners{a, b}, nil
}

func listen(addr string) (net.Listener, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, &PortError{Addr: addr, Taken: errors.Is(err, syscall.EADDRINUSE), Err: err}
	}
	return l, nil
}

// loopbackOnly refuses to show the pages to other computers.
func loopbackOnly(addr string) error {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return &PortError{Addr: addr, Err: err}
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return &PortError{Addr: addr, Err: errors.New("the pages are for this computer only; use 127.0.0.1")}
	}
	return nil
}

// Close closes both addresses. It is for an engine that never came to Run.
func (l *Listeners) Close() error { return errors.Join(l.api.Close(), l.admin.Close()) }

// API and Admin return the full URL of each listener.
func (l *Listeners) API() string   { return "http://" + reachable(l.api) }
func (l *Listeners) Admin() string { return "http://" + reachable(l.admin) }

// APIPort and AdminPort return the port of each listener.
func (l *Listeners) APIPort() string   { return port(l.api) }
func (l *Listeners) AdminPort() string { return port(l.admin) }

// reachable returns an address that this computer can call: a listener on all
// interfaces is reached by loopback.
func reachable(l net.Listener) string {
	addr := l.Addr().(*net.TCPAddr)
	if addr.IP.IsUnspecified() {
		return net.JoinHostPort("127.0.0.1", port(l))
	}
	return addr.String()
}

func port(l net.Listener) string {
	_, p, _ := net.SplitHostPort(l.Addr().String())
	return p
}

// Run serves both listeners until ctx ends or one of them fails. It returns nil
// after a stop by ctx.
func (l *Listeners) Run(ctx context.Context, api, admin http.Handler, log *slog.Logger) error {
	servers := []*http.Server{server(api, log), server(admin, log)}
	failed := make(chan error, len(servers))
	for i, ln := range []net.Listener{l.api, l.admin} {
		go func() { failed <- servers[i].Serve(ln) }()
	}
	var err error
	ended := 0
	select {
	case <-ctx.Done():
	case err = <-failed:
		ended++
	}
	stop, cancel := context.WithTimeout(context.Background(), Drain)
	defer cancel()
	for _, s := range servers {
		if e := s.Shutdown(stop); e != nil {
			err = errors.Join(err, fmt.Errorf("stop: %w", e), s.Close())
		}
	}
	for ; ended < len(servers); ended++ {
		if e := <-failed; !errors.Is(e, http.ErrServerClosed) {
			err = errors.Join(err, e)
		}
	}
	return err
}

func server(h http.Handler, log *slog.Logger) *http.Server {
	s := &http.Server{Handler: h, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn)}
	guard.Harden(s)
	return s
}
