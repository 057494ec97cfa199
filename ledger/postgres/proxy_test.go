package postgres_test

import (
	"bytes"
	"io"
	"net"
	neturl "net/url"
	"sync"
	"sync/atomic"
	"testing"
)

// A proxy stands between a store and its server and cuts a connection when it is told
// to: when the client sends a text, before or after the server has got it.
type proxy struct {
	server string

	mu    sync.Mutex
	text  []byte // "" = nothing is cut
	after bool
	cuts  int
}

// newProxy returns a proxy to the server of url, and the address of the same database
// through it, by which each statement is sent as text, not by the name of a prepared one.
func newProxy(t *testing.T, url string) (*proxy, string) {
	t.Helper()
	u, err := neturl.Parse(url)
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{server: u.Host}
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

// carry carries one connection until either side, or the cut, ends it.
func (p *proxy) carry(client net.Conn) {
	defer client.Close()
	server, err := net.Dial("tcp", p.server)
	if err != nil {
		return
	}
	defer server.Close()
	var silent atomic.Bool // no answer passes any more
	var back sync.WaitGroup
	defer back.Wait()
	back.Go(func() {
		defer client.Close()
		answers(client, server, &silent)
	})
	b := make([]byte, 64<<10)
	for {
		n, err := client.Read(b)
		if err != nil {
			_ = server.Close()
			return
		}
		cut, after := p.hits(b[:n])
		switch {
		case cut && !after:
			_ = server.Close()
			return
		case cut:
			silent.Store(true)
		}
		if _, err := server.Write(b[:n]); err != nil {
			return
		}
		if cut {
			// The server works on it, and finds the connection at its end when that is over.
			_ = server.(*net.TCPConn).CloseWrite()
			return
		}
	}
}

// answers carries what the server says until it has ended the connection.
func answers(client io.Writer, server io.Reader, silent *atomic.Bool) {
	b := make([]byte, 64<<10)
	for {
		n, err := server.Read(b)
		if n > 0 && !silent.Load() {
			_, _ = client.Write(b[:n])
		}
		if err != nil {
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
