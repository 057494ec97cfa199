package postgres_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	neturl "net/url"
	"sync"
	"testing"
)

// A proxy stands between a store and its server and cuts a connection when it is told
// to: when the client sends a text, before or after the server has got it.
type proxy struct {
	t      *testing.T
	server string

	mu    sync.Mutex
	text  []byte // "" = nothing is cut
	after bool
	cuts  int
}

// newProxy returns a proxy to the server of url, and the address of the same database
// through it, by which each statement is sent as text.
func newProxy(t *testing.T, url string) (*proxy, string) {
	t.Helper()
	u, err := neturl.Parse(url)
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{t: t, server: u.Host}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var open sync.WaitGroup
	t.Cleanup(func() { _ = l.Close(); open.Wait() })
	open.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			open.Go(func() { p.carry(c) })
		}
	})
	u.Host = l.Addr().String()
	q := u.Query()
	q.Set("default_query_exec_mode", "cache_describe")
	u.RawQuery = q.Encode()
	return p, u.String()
}

// cut has the next connection that sends text cut off.
func (p *proxy) cut(text string, after bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.text, p.after, p.cuts = []byte(text), after, 0
}

// done reports whether the cut was made.
func (p *proxy) done() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.cuts > 0
}

func (p *proxy) carry(client net.Conn) {
	defer client.Close()
	server, err := net.Dial("tcp", p.server)
	if err != nil {
		return
	}
	defer server.Close()
	var back sync.WaitGroup
	defer back.Wait()
	var mu sync.Mutex // held once no answer may pass any more
	silent := false
	back.Go(func() {
		defer client.Close()
		b := make([]byte, 64<<10)
		for {
			n, err := server.Read(b)
			mu.Lock()
			if !silent && n > 0 {
				_, _ = client.Write(b[:n])
			}
			mu.Unlock()
			if err != nil {
				return
			}
		}
	})
	b := make([]byte, 64<<10)
	for {
		n, err := client.Read(b)
		if n > 0 {
			cut, after := p.hits(b[:n])
			if cut && !after {
				_ = server.Close()
				return
			}
			if cut {
				mu.Lock()
				silent = true
				mu.Unlock()
			}
			if _, err := server.Write(b[:n]); err != nil {
				return
			}
			if cut {
				// The server works on it, and says nothing any more when it is over.
				if c, ok := server.(*net.TCPConn); ok {
					_ = c.CloseWrite()
				}
				return
			}
		}
		if err != nil {
			if !errors.Is(err, io.EOF) && !errors.Is(err, net.ErrClosed) {
				p.t.Log(fmt.Errorf("proxy: %w", err))
			}
			_ = server.Close()
			return
		}
	}
}

func (p *proxy) hits(data []byte) (cut, after bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.text) == 0 || !bytes.Contains(data, p.text) {
		return false, false
	}
	p.text = nil
	p.cuts++
	return true, p.after
}
